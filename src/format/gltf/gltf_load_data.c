// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "format/gltf/gltf_private.h"

// Reads the bytes of each accessor once, to find errors that the JSON does not show.

enum { BLOCK = 4096 }; // components checked at a time

// --- numbers that are not finite -------------------------------------------------------------------------------------

// Only compares 32-bit words, so that the compiler can vectorise the loop.
static bool block_is_finite(const uint8_t *bytes, size_t words)
{
    uint32_t bad = 0;
    for (size_t i = 0; i < words; ++i) {
        uint32_t word;
        memcpy(&word, bytes + 4 * i, 4);
        bad |= (word & 0x7F800000u) == 0x7F800000u;
    }
    return bad == 0;
}

// Checks both byte orders: a float whose exponent is all ones is then also found on a big-endian machine.
static bool element_is_finite(const uint8_t *bytes, size_t words)
{
    for (size_t i = 0; i < words; ++i) {
        const uint8_t *p = bytes + 4 * i;
        if ((p[3] & 0x7F) == 0x7F && (p[2] & 0x80) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t low;
    memcpy(&low, &one, 1);
    return low == 1;
}

// Returns the first element that is not finite, or `count`. Stops the load if the caller cancels it.
static uint32_t find_non_finite(
    vrmi_load *load, const vrmi_gltf_accessor *a, const uint8_t *data, uint64_t stride, uint32_t count)
{
    const uint32_t components = a->components;
    const bool packed = stride == (uint64_t)components * 4 && is_little_endian();
    const uint32_t step = BLOCK / components;
    for (uint32_t first = 0; first < count; first += step) {
        const uint32_t part = count - first < step ? count - first : step;
        const uint8_t *p = data + first * stride;
        if (!packed || !block_is_finite(p, (size_t)part * components)) {
            for (uint32_t i = 0; i < part; ++i, p += stride) {
                if (!element_is_finite(p, components)) {
                    return first + i;
                }
            }
        }
        if (!vrmi_load_work(load, (uint64_t)part * components * 4)) {
            return count;
        }
    }
    return count;
}

static void report_non_finite(vrmi_load *load, uint32_t index, uint32_t element)
{
    char found[48];
    load->data->accessors[index].non_finite = true;
    vrmi_reader_report(&load->reader, VRM_FINDING_ACCESSOR_INVALID_FLOAT,
        vrmi_load_element(load, VRM_GLTF_ACCESSORS, index), NULL,
        vrmi_format(found, sizeof(found), "element %u", element), "finite numbers");
}

static bool check_floats(vrmi_load *load, uint32_t index)
{
    const vrmi_gltf_accessor *a = &load->data->accessors[index];
    if (a->state != VRMI_ACCESSOR_READABLE || a->component_type != VRMI_GL_FLOAT) {
        return true;
    }
    const uint64_t size = 4 * (uint64_t)a->components;
    if (!vrmi_load_scan(load, (a->data != NULL ? a->count * size : 0) + a->sparse_count * size)) {
        return false;
    }
    if (a->data != NULL) {
        const uint32_t bad = find_non_finite(load, a, a->data, a->stride, a->count);
        if (bad < a->count) {
            report_non_finite(load, index, bad);
        }
    }
    if (a->sparse_count != 0 && !a->non_finite && load->stopped == VRM_SUCCESS) {
        const uint32_t bad = find_non_finite(load, a, a->sparse_values, vrmi_accessor_tight_stride(a), a->sparse_count);
        if (bad < a->sparse_count) {
            report_non_finite(load, index, vrmi_accessor_sparse_index(a, bad));
        }
    }
    return load->stopped == VRM_SUCCESS;
}

// --- indices ---------------------------------------------------------------------------------------------------------

static uint32_t max_of(const uint32_t *values, size_t count)
{
    uint32_t max = 0;
    for (size_t i = 0; i < count; ++i) {
        max = values[i] > max ? values[i] : max;
    }
    return max;
}

static uint32_t max_packed(const uint8_t *p, size_t count, uint32_t component_size)
{
    uint32_t max = 0;
    if (component_size == 2 && is_little_endian()) {
        uint16_t max16 = 0;
        for (size_t i = 0; i < count; ++i) {
            uint16_t value;
            memcpy(&value, p + 2 * i, 2);
            max16 = value > max16 ? value : max16;
        }
        return max16;
    }
    for (size_t i = 0; component_size == 1 && i < count; ++i) {
        max = (uint32_t)p[i] > max ? (uint32_t)p[i] : max;
    }
    return max;
}

// Computes an accessor's max_uint unless it is known. Returns false if the load must end.
static bool find_max(vrmi_load *load, vrmi_gltf_accessor *a)
{
    uint32_t values[BLOCK];
    if (a->has_max) {
        return true;
    }
    if (!vrmi_load_scan(load, (uint64_t)a->count * a->components * a->component_size)) {
        return false;
    }
    const bool packed = a->data != NULL && a->sparse_count == 0 && a->component_size < 4 && is_little_endian() &&
                        a->stride == (uint64_t)a->components * a->component_size;
    const uint32_t step = (uint32_t)BLOCK / a->components;
    for (uint32_t first = 0; first < a->count; first += step) {
        const uint32_t part = a->count - first < step ? a->count - first : step;
        const size_t components = (size_t)part * a->components;
        uint32_t max;
        if (packed) {
            max = max_packed(a->data + first * a->stride, components, a->component_size);
        } else {
            vrmi_accessor_uints(a, first, part, values);
            max = max_of(values, components);
        }
        a->max_uint = max > a->max_uint ? max : a->max_uint;
        if (!vrmi_load_work(load, components * a->component_size)) {
            return false;
        }
    }
    a->has_max = true;
    return true;
}

static bool check_indices(vrmi_load *load, const vrmi_gltf_primitive *primitive)
{
    vrmi_gltf_accessor *a = vrmi_load_accessor(load, primitive->indices);
    if (a == NULL || a->state != VRMI_ACCESSOR_READABLE || primitive->vertex_count == 0) {
        return true;
    }
    if (!find_max(load, a)) {
        return false;
    }
    if (a->max_uint >= primitive->vertex_count) {
        char path[128], found[192], expected[64];
        vrmi_json_path(load->reader.json, primitive->json, path, sizeof(path));
        vrmi_reader_report(&load->reader, VRM_FINDING_ACCESSOR_INDEX_OOB,
            vrmi_load_element(load, VRM_GLTF_ACCESSORS, (uint32_t)primitive->indices), NULL,
            vrmi_format(found, sizeof(found), "index %u, used by %s", a->max_uint, path),
            vrmi_format(expected, sizeof(expected), "below %u", primitive->vertex_count));
    }
    return true;
}

// --- joints ----------------------------------------------------------------------------------------------------------

typedef struct joint_check {
    const vrmi_gltf_primitive *primitive;
    vrmi_gltf_accessor *joints;
    const vrmi_gltf_accessor *weights;
    uint32_t joints_index; // index of the accessor `joints`
    uint32_t limit;        // number of joints of the smallest skin used with the mesh
} joint_check;

static void report_joint(vrmi_load *load, const joint_check *check, vrm_finding_id id, uint32_t joint, uint32_t vertex)
{
    char path[128], found[224], expected[64];
    vrmi_json_path(load->reader.json, check->primitive->json, path, sizeof(path));
    vrmi_reader_report(&load->reader, id, vrmi_load_element(load, VRM_GLTF_ACCESSORS, check->joints_index), NULL,
        vrmi_format(found, sizeof(found), "joint %u of vertex %u, used by %s", joint, vertex, path),
        vrmi_format(expected, sizeof(expected), "below %u", check->limit));
}

// Finds the joint index that exceeds the skin's joints. Called only if there is one.
static bool find_joint_beyond(vrmi_load *load, const joint_check *check)
{
    uint32_t joints[BLOCK];
    float weights[BLOCK];
    const uint32_t count = check->joints->count, step = BLOCK / 4;
    bool told = false;
    if (!vrmi_load_scan(load, (uint64_t)count * 20)) {
        return false;
    }
    for (uint32_t first = 0; first < count; first += step) {
        const uint32_t part = count - first < step ? count - first : step;
        vrmi_accessor_uints(check->joints, first, part, joints);
        vrmi_accessor_floats(check->weights, first, part, weights);
        for (uint32_t i = 0; i < part * 4; ++i) {
            if (joints[i] < check->limit) {
                continue;
            }
            if (weights[i] != 0.0f) {
                report_joint(load, check, VRM_FINDING_ACCESSOR_JOINTS_INDEX_OOB, joints[i], first + i / 4);
                return true;
            }
            if (!told) {
                report_joint(load, check, VRM_FINDING_ACCESSOR_JOINTS_USED_ZERO_WEIGHT, joints[i], first + i / 4);
                told = true;
            }
        }
        if (!vrmi_load_work(load, (uint64_t)part * 20)) {
            return false;
        }
    }
    return true;
}

static vrmi_gltf_accessor *readable_accessor(vrmi_load *load, uint32_t value, uint32_t *out_index)
{
    if (!vrmi_json_uint(load->reader.json, value, out_index) || *out_index >= load->gltf->counts[VRM_GLTF_ACCESSORS]) {
        return NULL;
    }
    vrmi_gltf_accessor *a = &load->data->accessors[*out_index];
    return a->state == VRMI_ACCESSOR_READABLE && a->components == 4 ? a : NULL;
}

// Checks one set of joints and weights. `key` is the attribute "JOINTS_n".
static bool check_joint_set(vrmi_load *load, const vrmi_gltf_primitive *primitive, uint32_t key, uint32_t limit)
{
    const vrmi_json *json = load->reader.json;
    const char *name = json->text + json->tokens[key].start;
    const size_t length = json->tokens[key].end - json->tokens[key].start;
    if (length < 8 || length > 10 || memcmp(name, "JOINTS_", 7) != 0) {
        return true;
    }
    char weights_name[16] = "WEIGHTS_";
    memcpy(weights_name + 8, name + 7, length - 7);
    uint32_t weights_index;
    joint_check check = {.primitive = primitive, .limit = limit};
    check.joints = readable_accessor(load, vrmi_json_value(json, key), &check.joints_index);
    check.weights =
        readable_accessor(load, vrmi_json_member(json, primitive->attributes_json, weights_name), &weights_index);
    if (check.joints == NULL || check.weights == NULL || check.joints->count != check.weights->count) {
        return true; // compressed or already reported
    }
    if (!find_max(load, check.joints)) {
        return false;
    }
    return check.joints->max_uint < limit || find_joint_beyond(load, &check);
}

static bool check_joints(vrmi_load *load, const vrmi_gltf_primitive *primitive, uint32_t limit)
{
    const vrmi_json *json = load->reader.json;
    if (limit == UINT32_MAX) {
        return true;
    }
    for (uint32_t key = vrmi_json_first(json, primitive->attributes_json); key != VRMI_JSON_NONE;
         key = vrmi_json_next(json, key)) {
        if (!check_joint_set(load, primitive, key, limit)) {
            return false;
        }
    }
    return true;
}

// For each mesh, finds the smallest joint count of the skins that nodes combine with it; UINT32_MAX if there is no
// skin.
static uint32_t *find_joint_limits(vrmi_load *load)
{
    const vrm_gltf *gltf = load->gltf;
    uint32_t *limits = vrmi_load_alloc(load, gltf->counts[VRM_GLTF_MESHES], sizeof(*limits));
    if (limits == NULL) {
        return NULL;
    }
    memset(limits, 0xFF, gltf->counts[VRM_GLTF_MESHES] * sizeof(*limits));
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_NODES]; ++i) {
        const vrmi_gltf_node *node = &gltf->nodes[i];
        if (node->mesh >= 0 && node->skin >= 0 && gltf->skins[node->skin].joints.count < limits[node->mesh]) {
            limits[node->mesh] = gltf->skins[node->skin].joints.count;
        }
    }
    return limits;
}

// --- skins -----------------------------------------------------------------------------------------------------------

static bool check_inverse_binds(vrmi_load *load, const vrmi_gltf_skin *skin)
{
    const vrmi_gltf_accessor *a = vrmi_load_accessor(load, skin->inverse_bind_matrices);
    if (a == NULL || a->state != VRMI_ACCESSOR_READABLE || a->components != 16 || a->component_type != VRMI_GL_FLOAT) {
        return true;
    }
    if (!vrmi_load_scan(load, (uint64_t)a->count * 64)) {
        return false;
    }
    for (uint32_t i = 0; i < a->count; ++i) {
        float m[16];
        vrmi_accessor_floats(a, i, 1, m);
        const float off = m[3] * m[3] + m[7] * m[7] + m[11] * m[11] + (m[15] - 1.0f) * (m[15] - 1.0f);
        if (!(off <= 1e-8f)) {
            char found[48];
            vrmi_reader_report(&load->reader, VRM_FINDING_ACCESSOR_INVALID_IBM,
                vrmi_load_element(load, VRM_GLTF_ACCESSORS, (uint32_t)skin->inverse_bind_matrices), NULL,
                vrmi_format(found, sizeof(found), "matrix %u", i), NULL);
            return true;
        }
        if (!vrmi_load_work(load, 64)) {
            return false;
        }
    }
    return true;
}

bool vrmi_load_check_data(vrmi_load *load)
{
    const vrm_gltf *gltf = load->gltf;
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_ACCESSORS]; ++i) {
        if (!check_floats(load, i) || !vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    const uint32_t *limits = find_joint_limits(load);
    if (limits == NULL) {
        return false;
    }
    for (uint32_t m = 0; m < gltf->counts[VRM_GLTF_MESHES]; ++m) {
        const vrmi_gltf_range range = gltf->meshes[m].primitives;
        for (uint32_t p = range.first; p < range.first + range.count; ++p) {
            if (!check_indices(load, &gltf->primitives[p]) || !check_joints(load, &gltf->primitives[p], limits[m])) {
                return false;
            }
        }
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    for (uint32_t s = 0; s < gltf->counts[VRM_GLTF_SKINS]; ++s) {
        if (!check_inverse_binds(load, &gltf->skins[s])) {
            return false;
        }
    }
    return true;
}
