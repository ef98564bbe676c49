// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <vrm/result.h>

#include "base/checks.h"

const char *vrm_result_name(vrm_result result)
{
    static const char *const names[] = {
#define VRMI_NAME(name, number, sentence) [number] = #name,
        VRM_RESULTS(VRMI_NAME)
#undef VRMI_NAME
    };
    return (unsigned)result < VRMI_COUNT_OF(names) ? names[result] : "UNKNOWN";
}

const char *vrm_result_sentence(vrm_result result)
{
    static const char *const sentences[] = {
#define VRMI_SENTENCE(name, number, sentence) [number] = sentence,
        VRM_RESULTS(VRMI_SENTENCE)
#undef VRMI_SENTENCE
    };
    return (unsigned)result < VRMI_COUNT_OF(sentences) ? sentences[result] : "unknown result";
}
