// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <vrm/result.h>

#include "base/checks.h"

const vrm_finding_info *vrm_finding_get_info(vrm_finding_id id)
{
    static const vrm_finding_info catalogue[] = {
#define VRMI_ROW(name, number, severity, sentence, hint, section) \
    [number] = {#name, VRM_SEVERITY_##severity, sentence, hint, section},
        VRM_FINDINGS(VRMI_ROW)
#undef VRMI_ROW
    };
    return (unsigned)id < VRMI_COUNT_OF(catalogue) ? &catalogue[id] : NULL;
}
