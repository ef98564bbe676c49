// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <float.h>
#include <string.h>

#include "base/text.h"
#include "validate/run.h"

// Compares min and max of accessors with their values.

enum { BLOCK = 4096, MAX_COMPONENTS = 16 };

typedef struct bounds {
    double declared_min[MAX_COMPONENTS], declared_max[MAX_COMPONENTS]; // beyond all numbers: not declared
    double min[MAX_COMPONENTS], max[MAX_COMPONENTS];
    uint64_t below[MAX_COMPONENTS], above[MAX_COMPONENTS];
} bounds;

// Reads min or max. For a float accessor the numbers are rounded to floats, because files often write more digits.
static bool read_declared(
    const vrmi_run *run, const vrmi_gltf_accessor *a, uint32_t array, double otherwise, double *out)
{
    for (uint32_t c = 0; c < MAX_COMPONENTS; ++c) {
        out[c] = otherwise;
    }
    if (!vrmi_json_is(run->json, array, VRMI_JSON_ARRAY) || vrmi_json_count(run->json, array) != a->components) {
        return false;
    }
    uint32_t c = 0;
    for (uint32_t e = vrmi_json_first(run->json, array); e != VRMI_JSON_NONE; e = vrmi_json_next(run->json, e), ++c) {
        if (vrmi_json_number(run->json, e, &out[c]) && a->component_type == VRMI_GL_FLOAT) {
            out[c] = (double)(float)out[c];
        }
    }
    return true;
}

// Updates min and max with one component of all elements. Elements are `stride` floats apart. Simple comparisons let
// the compiler vectorise the loop.
static void fold_floats(const float *values, uint32_t count, uint32_t stride, float *min, float *max)
{
    float low = *min, high = *max;
    for (uint32_t i = 0; i < count; ++i) {
        const float v = values[(size_t)i * stride];
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    *min = low;
    *max = high;
}

// Counts the values outside the bounds. Called only if there are any.
static void count_outside(bounds *b, uint32_t c, const float *values, uint32_t count, uint32_t stride)
{
    for (uint32_t i = 0; i < count; ++i) {
        const double v = (double)values[(size_t)i * stride];
        b->below[c] += v < b->declared_min[c];
        b->above[c] += v > b->declared_max[c];
    }
}

static void fold_uints(vrmi_run *run, const vrmi_gltf_accessor *a, bounds *b)
{
    uint32_t values[BLOCK];
    const uint32_t step = BLOCK / a->components;
    for (uint32_t first = 0; first < a->count && vrmi_run_tick(run); first += step) {
        const uint32_t part = a->count - first < step ? a->count - first : step;
        vrmi_accessor_uints(a, first, part, values);
        for (uint32_t i = 0; i < part * a->components; ++i) {
            const uint32_t c = i % a->components;
            const double v = (double)values[i];
            b->min[c] = v < b->min[c] ? v : b->min[c];
            b->max[c] = v > b->max[c] ? v : b->max[c];
            b->below[c] += v < b->declared_min[c];
            b->above[c] += v > b->declared_max[c];
        }
    }
}

static void fold_values(vrmi_run *run, const vrmi_gltf_accessor *accessor, bounds *b)
{
    float values[BLOCK], min[MAX_COMPONENTS], max[MAX_COMPONENTS];
    vrmi_gltf_accessor raw = *accessor; // min and max refer to stored numbers, not normalised ones
    raw.normalized = false;
    raw.non_finite = false; // keeps NaN, which is neither below min nor above max
    const uint32_t step = (uint32_t)BLOCK / raw.components;
    for (uint32_t c = 0; c < raw.components; ++c) {
        min[c] = FLT_MAX;
        max[c] = -FLT_MAX;
    }
    for (uint32_t first = 0; first < raw.count && vrmi_run_tick(run); first += step) {
        const uint32_t part = raw.count - first < step ? raw.count - first : step;
        vrmi_accessor_floats(&raw, first, part, values);
        for (uint32_t c = 0; c < raw.components; ++c) {
            float low = FLT_MAX, high = -FLT_MAX;
            fold_floats(values + c, part, raw.components, &low, &high);
            if ((double)low < b->declared_min[c] || (double)high > b->declared_max[c]) {
                count_outside(b, c, values + c, part, raw.components);
            }
            min[c] = low < min[c] ? low : min[c];
            max[c] = high > max[c] ? high : max[c];
        }
    }
    for (uint32_t c = 0; c < raw.components; ++c) {
        b->min[c] = (double)min[c];
        b->max[c] = (double)max[c];
    }
}

static void report_bound(vrmi_run *run, uint32_t array, uint32_t c, vrm_finding_id mismatch, vrm_finding_id outside,
    double actual, uint64_t count)
{
    char found[48], expected[48];
    const uint32_t element = vrmi_json_element(run->json, array, c);
    vrmi_reader_report_value(&run->reader, mismatch, element, vrmi_format(expected, sizeof(expected), "%g", actual));
    if (count != 0) {
        vrmi_reader_report(&run->reader, outside, element, NULL,
            vrmi_format(found, sizeof(found), "%llu values", (unsigned long long)count), NULL);
    }
}

static void check_accessor(vrmi_run *run, uint32_t index)
{
    const vrmi_accessor_row *row = &run->accessors[index];
    const vrmi_gltf_accessor *a = vrmi_gltf_readable(run->gltf, index);
    const uint32_t min = vrmi_json_member(run->json, row->json, "min");
    const uint32_t max = vrmi_json_member(run->json, row->json, "max");
    // An accessor without a view is all zero; its bounds are not checked.
    if (a == NULL || a->components == 0 || (!row->has_min && !row->has_max) || (row->view < 0 && !row->sparse)) {
        return;
    }
    bounds b = {0};
    const bool has_min = read_declared(run, a, min, -DBL_MAX, b.declared_min);
    const bool has_max = read_declared(run, a, max, DBL_MAX, b.declared_max);
    if ((!has_min && !has_max) || !vrmi_run_scan(run, a)) {
        return;
    }
    for (uint32_t c = 0; c < MAX_COMPONENTS; ++c) {
        b.min[c] = DBL_MAX;
        b.max[c] = -DBL_MAX;
    }
    if (a->component_type == VRMI_GL_UNSIGNED_INT) {
        fold_uints(run, a, &b);
    } else {
        fold_values(run, a, &b);
    }
    for (uint32_t c = 0; c < a->components && vrmi_run_goes_on(run); ++c) {
        if (has_min && b.declared_min[c] != b.min[c]) {
            report_bound(run, min, c, VRM_FINDING_ACCESSOR_MIN_MISMATCH, VRM_FINDING_ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND,
                b.min[c], b.below[c]);
        }
        if (has_max && b.declared_max[c] != b.max[c]) {
            report_bound(run, max, c, VRM_FINDING_ACCESSOR_MAX_MISMATCH, VRM_FINDING_ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND,
                b.max[c], b.above[c]);
        }
    }
}

void vrmi_validate_bounds(vrmi_run *run)
{
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_ACCESSORS] && vrmi_run_tick(run); ++i) {
        check_accessor(run, i);
    }
}
