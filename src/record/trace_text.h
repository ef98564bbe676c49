// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_TRACE_TEXT_H
#define VRMI_RECORD_TRACE_TEXT_H

// Writes numbers and keys of a trace.

#include "base/text.h"

// Writes a number with enough digits for every float.
static inline void vrmi_trace_add_number(vrmi_text *out, double value)
{
    vrmi_text_add_digits(out, value, 9);
}

static inline void vrmi_trace_add_numbers(vrmi_text *out, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(out, i > 0 ? "," : "");
        vrmi_trace_add_number(out, (double)values[i]);
    }
}

static inline void vrmi_trace_add_key(vrmi_text *out, const char *key, bool first)
{
    vrmi_text_format(out, "%s\"%s\":", first ? "" : ",", key);
}

#endif
