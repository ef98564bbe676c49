// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/vertices.h"

#include <string.h>

#include "base/text.h"
#include "math/scalar.h"

// Values are read in blocks on the stack. An accessor that several primitives use is read once for each kind of check.
// The tolerances are those of Khronos' validator, so that both report the same.
enum { BLOCK = 1024, MAX_SETS = 8 };
static const float unit_tolerance = 0.00674f; // allows 8-bit normals
static const float sum_tolerance = 2e-7f;     // per weight

enum { SEEN_NORMAL = 1, SEEN_TANGENT = 2, SEEN_COLOR = 4, SEEN_INDICES = 8 };

// Finds an attribute that can be read. `out` gives its stored values, including infinite ones.
static bool attribute(const vrmi_run *run, const vrmi_primitive_check *p, const char *name, uint8_t components,
    int32_t *out_index, vrmi_gltf_accessor *out)
{
    *out_index = vrmi_run_member_index(run, p->attributes, name, VRM_GLTF_ACCESSORS);
    const vrmi_gltf_accessor *a = *out_index >= 0 ? vrmi_gltf_readable(run->gltf, (uint32_t)*out_index) : NULL;
    if (a == NULL || a->components != components || a->columns != 1) {
        return false;
    }
    *out = *a;
    out->non_finite = false;
    return true;
}

// Returns true when called for the first time with these arguments.
static bool look_once(vrmi_run *run, int32_t accessor, uint8_t what)
{
    const bool first = (run->looked[accessor] & what) == 0;
    run->looked[accessor] |= what;
    return first;
}

static void report_vertex(
    vrmi_run *run, vrm_finding_id id, const vrmi_primitive_check *p, const char *name, uint32_t vertex, float value)
{
    char found[64];
    const uint32_t at = vrmi_json_member(run->json, p->attributes, name);
    vrmi_reader_report(
        &run->reader, id, at, NULL, vrmi_format(found, sizeof(found), "%g at vertex %u", (double)value, vertex), NULL);
}

// Checks that normals, or the first three numbers of tangents, have unit length; for tangents, also the sign.
static void check_units(vrmi_run *run, const vrmi_primitive_check *p, const char *name, uint8_t components)
{
    int32_t index;
    float values[BLOCK * 4];
    vrmi_gltf_accessor a;
    bool unit_told = false, sign_told = components == 3;
    if (!attribute(run, p, name, components, &index, &a) ||
        !look_once(run, index, components == 3 ? SEEN_NORMAL : SEEN_TANGENT) || !vrmi_run_scan(run, &a)) {
        return;
    }
    for (uint32_t first = 0; first < a.count && !(unit_told && sign_told) && vrmi_run_tick(run); first += BLOCK) {
        const uint32_t part = a.count - first < BLOCK ? a.count - first : BLOCK;
        vrmi_accessor_floats(&a, first, part, values);
        for (uint32_t i = 0; i < part; ++i) {
            const float *v = values + (size_t)i * components;
            const float length = vrmi_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            if (!unit_told && vrmi_abs(length - 1.0f) > unit_tolerance) {
                report_vertex(run, VRM_FINDING_ACCESSOR_VECTOR3_NON_UNIT, p, name, first + i, length);
                unit_told = true;
            }
            if (!sign_told && v[3] != 1.0f && v[3] != -1.0f) {
                report_vertex(run, VRM_FINDING_ACCESSOR_INVALID_SIGN, p, name, first + i, v[3]);
                sign_told = true;
            }
        }
    }
}

static void check_colors(vrmi_run *run, const vrmi_primitive_check *p)
{
    int32_t index;
    float values[BLOCK * 4];
    vrmi_gltf_accessor a;
    const bool there = attribute(run, p, "COLOR_0", 4, &index, &a) || attribute(run, p, "COLOR_0", 3, &index, &a);
    if (!there || a.component_type != VRMI_GL_FLOAT || !look_once(run, index, SEEN_COLOR) || !vrmi_run_scan(run, &a)) {
        return;
    }
    for (uint32_t first = 0; first < a.count && vrmi_run_tick(run); first += BLOCK) {
        const uint32_t part = a.count - first < BLOCK ? a.count - first : BLOCK;
        vrmi_accessor_floats(&a, first, part, values);
        for (uint32_t i = 0; i < part * a.components; ++i) {
            if (values[i] < 0.0f || values[i] > 1.0f) {
                report_vertex(run, VRM_FINDING_ACCESSOR_NON_CLAMPED, p, "COLOR_0", first + i / a.components, values[i]);
                return;
            }
        }
    }
}

// --- indices ---------------------------------------------------------------------------------------------------------

static void check_restart(vrmi_run *run, const vrmi_primitive_check *p)
{
    const vrmi_gltf_accessor *a = p->indices >= 0 ? vrmi_gltf_readable(run->gltf, (uint32_t)p->indices) : NULL;
    uint32_t values[BLOCK];
    if (a == NULL || a->components != 1 || a->component_type == VRMI_GL_FLOAT) {
        return;
    }
    const uint32_t restart = a->component_size == 1 ? 0xFF : a->component_size == 2 ? 0xFFFF : 0xFFFFFFFF;
    if ((a->has_max && a->max_uint < restart) || !look_once(run, p->indices, SEEN_INDICES) || !vrmi_run_scan(run, a)) {
        return;
    }
    for (uint32_t first = 0; first < a->count && vrmi_run_tick(run); first += BLOCK) {
        const uint32_t part = a->count - first < BLOCK ? a->count - first : BLOCK;
        vrmi_accessor_uints(a, first, part, values);
        for (uint32_t i = 0; i < part; ++i) {
            if (values[i] == restart) {
                char found[48];
                vrmi_reader_report(&run->reader, VRM_FINDING_ACCESSOR_INDEX_PRIMITIVE_RESTART, p->object, "indices",
                    vrmi_format(found, sizeof(found), "%u at %u", restart, first + i), NULL);
                return;
            }
        }
    }
}

// --- weights ---------------------------------------------------------------------------------------------------------

typedef struct influences {
    vrmi_gltf_accessor joints[MAX_SETS], weights[MAX_SETS];
    uint32_t sets, limit;
    bool negative_told, sum_told, duplicate_told, beyond_told, idle_told;
} influences;

// Checks the influences of one vertex. `joints` and `weights` have 4 numbers per set.
static void check_vertex(vrmi_run *run, const vrmi_primitive_check *p, influences *in, const uint32_t *joints,
    const float *weights, uint32_t vertex)
{
    uint32_t used[MAX_SETS * 4];
    uint32_t count = 0;
    float sum = 0.0f;
    for (uint32_t i = 0; i < in->sets * 4; ++i) {
        if (joints[i] >= in->limit) {
            if (!in->beyond_told) {
                in->beyond_told = true;
                report_vertex(run, VRM_FINDING_ACCESSOR_JOINTS_INDEX_OOB, p, "JOINTS_0", vertex, (float)joints[i]);
            }
            continue;
        }
        if (weights[i] == 0.0f) {
            if (joints[i] != 0 && !in->idle_told) {
                in->idle_told = true;
                report_vertex(
                    run, VRM_FINDING_ACCESSOR_JOINTS_USED_ZERO_WEIGHT, p, "JOINTS_0", vertex, (float)joints[i]);
            }
            continue;
        }
        bool unique = true;
        for (uint32_t k = 0; k < count; ++k) {
            unique = unique && used[k] != joints[i];
        }
        if (!unique && !in->duplicate_told) {
            in->duplicate_told = true;
            report_vertex(run, VRM_FINDING_ACCESSOR_JOINTS_INDEX_DUPLICATE, p, "JOINTS_0", vertex, (float)joints[i]);
        }
        if (weights[i] < 0.0f && !in->negative_told) {
            in->negative_told = true;
            report_vertex(run, VRM_FINDING_ACCESSOR_WEIGHTS_NEGATIVE, p, "WEIGHTS_0", vertex, weights[i]);
        }
        if (unique) {
            used[count++] = joints[i];
            sum += weights[i] > 0.0f ? weights[i] : 0.0f;
        }
    }
    if (!in->sum_told && vrmi_abs(sum - 1.0f) > sum_tolerance * (float)count) {
        in->sum_told = true;
        report_vertex(run, VRM_FINDING_ACCESSOR_WEIGHTS_NON_NORMALIZED, p, "WEIGHTS_0", vertex, sum);
    }
}

// Finds the joints and weights of a primitive. Returns false if there are none, or if they were already checked for
// another primitive.
static bool find_influences(vrmi_run *run, const vrmi_primitive_check *p, influences *out)
{
    out->sets = (uint32_t)p->sets[VRMI_SET_JOINTS];
    out->limit = run->joint_limits[p->mesh];
    if (out->sets == 0 || out->sets > MAX_SETS || p->sets[VRMI_SET_WEIGHTS] != p->sets[VRMI_SET_JOINTS] ||
        out->limit == UINT32_MAX) {
        return false;
    }
    uint64_t key = out->limit;
    for (uint32_t s = 0; s < out->sets; ++s) {
        char name[16];
        int32_t index[2];
        vrmi_format(name, sizeof(name), "JOINTS_%u", s);
        if (!attribute(run, p, name, 4, &index[0], &out->joints[s]) || out->joints[s].count != p->vertex_count ||
            out->joints[s].component_type == VRMI_GL_FLOAT) {
            return false;
        }
        vrmi_format(name, sizeof(name), "WEIGHTS_%u", s);
        if (!attribute(run, p, name, 4, &index[1], &out->weights[s]) || out->weights[s].count != p->vertex_count) {
            return false;
        }
        key = vrmi_hash_text(key, (const char *)index, sizeof(index));
    }
    if (!vrmi_hash_set_add(&run->influences, key)) {
        return false;
    }
    for (uint32_t s = 0; s < out->sets; ++s) {
        if (!vrmi_run_scan(run, &out->joints[s]) || !vrmi_run_scan(run, &out->weights[s])) {
            return false;
        }
    }
    return true;
}

static void check_weights(vrmi_run *run, const vrmi_primitive_check *p)
{
    enum { PART = BLOCK / MAX_SETS };
    uint32_t joints[PART * 4], all_joints[PART][MAX_SETS * 4];
    float weights[PART * 4], all_weights[PART][MAX_SETS * 4];
    influences in = {0};
    if (!find_influences(run, p, &in)) {
        return;
    }
    for (uint32_t first = 0; first < p->vertex_count && vrmi_run_tick(run); first += PART) {
        const uint32_t part = p->vertex_count - first < PART ? p->vertex_count - first : PART;
        for (uint32_t s = 0; s < in.sets; ++s) {
            vrmi_accessor_uints(&in.joints[s], first, part, joints);
            vrmi_accessor_floats(&in.weights[s], first, part, weights);
            for (uint32_t i = 0; i < part; ++i) {
                memcpy(&all_joints[i][s * 4], &joints[i * 4], 4 * sizeof(uint32_t));
                memcpy(&all_weights[i][s * 4], &weights[i * 4], 4 * sizeof(float));
            }
        }
        for (uint32_t i = 0; i < part; ++i) {
            check_vertex(run, p, &in, all_joints[i], all_weights[i], first + i);
        }
    }
}

void vrmi_check_vertices(vrmi_run *run, const vrmi_primitive_check *primitive)
{
    check_units(run, primitive, "NORMAL", 3);
    check_units(run, primitive, "TANGENT", 4);
    check_colors(run, primitive);
    check_restart(run, primitive);
    check_weights(run, primitive);
}
