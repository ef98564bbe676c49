// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Functions that read a script's values. Values of another type are reported.

#include "math/vec3.h"
#include "record/trace_event.h"

void vrmi_trace_refuse(vrmi_trace_context *c, uint32_t value, const char *expected)
{
    vrmi_reader_report_value(&c->script->reader, VRM_FINDING_VALUE_NOT_IN_RANGE, value, expected);
}

void vrmi_trace_refuse_word(vrmi_trace_context *c, uint32_t value, const char *expected)
{
    vrmi_reader_report_value(&c->script->reader, VRM_FINDING_VALUE_NOT_IN_LIST, value, expected);
}

bool vrmi_trace_object(vrmi_trace_context *c, uint32_t value, const char *const *keys, uint32_t count)
{
    if (!vrmi_json_is(&c->script->json, value, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(&c->script->reader, VRM_FINDING_TYPE_MISMATCH, value, "an object");
        return false;
    }
    vrmi_read_keys(&c->script->reader, value, keys, count, VRM_FINDING_TRACE_UNKNOWN_KEY, VRMI_TRACE_KEY_EXPECTED);
    return true;
}

// Reads an array of `count` numbers. Any other value is reported.
bool vrmi_trace_numbers(vrmi_trace_context *c, uint32_t value, float *out, uint32_t count)
{
    const vrmi_json *json = &c->script->json;
    bool ok = vrmi_json_is(json, value, VRMI_JSON_ARRAY) && vrmi_json_count(json, value) == count;
    uint32_t v = vrmi_json_first(json, value);
    for (uint32_t i = 0; ok && i < count; ++i, v = vrmi_json_next(json, v)) {
        double number = 0.0;
        ok = vrmi_json_number(json, v, &number);
        out[i] = (float)number;
    }
    if (!ok) {
        vrmi_trace_refuse(c, value, count == 2 ? "2 numbers" : (count == 3 ? "3 numbers" : "4 numbers"));
    }
    return ok;
}

bool vrmi_trace_point(vrmi_trace_context *c, uint32_t value, vrm_dvec3 *out)
{
    vrm_vec3 unused;
    if (!vrmi_trace_numbers(c, value, &unused.x, 3)) {
        return false;
    }
    uint32_t v = vrmi_json_first(&c->script->json, value);
    for (uint32_t i = 0; i < 3; ++i, v = vrmi_json_next(&c->script->json, v)) {
        (void)vrmi_json_number(&c->script->json, v, vrmi_dvec3_axis(out, i));
    }
    return true;
}

bool vrmi_trace_is_true(vrmi_trace_context *c, uint32_t value)
{
    const bool yes = vrmi_json_is(&c->script->json, value, VRMI_JSON_TRUE);
    if (!yes && !vrmi_json_is(&c->script->json, value, VRMI_JSON_FALSE)) {
        vrmi_reader_report_value(&c->script->reader, VRM_FINDING_TYPE_MISMATCH, value, "true or false");
    }
    return yes;
}
