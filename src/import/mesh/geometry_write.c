// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/abi.h"
#include "import/mesh/geometry.h"
#include "math/scalar.h"

enum { CHUNK = VRMI_GEOMETRY_CHUNK };

// --- formats ---------------------------------------------------------------------------------------------------------

static const struct {
    uint8_t size;
    bool integer;
    float scale; // the integer that represents 1 in a normalised format; otherwise 0
    float low;
} formats[VRM_VERTEX_FORMAT_COUNT] = {
    [VRM_VERTEX_FLOAT32] = {4, false, 0.0f, 0.0f},
    [VRM_VERTEX_FLOAT16] = {2, false, 0.0f, 0.0f},
    [VRM_VERTEX_UNORM8] = {1, false, 255.0f, 0.0f},
    [VRM_VERTEX_UNORM16] = {2, false, 65535.0f, 0.0f},
    [VRM_VERTEX_SNORM8] = {1, false, 127.0f, -1.0f},
    [VRM_VERTEX_SNORM16] = {2, false, 32767.0f, -1.0f},
    [VRM_VERTEX_UINT8] = {1, true, 0.0f, 0.0f},
    [VRM_VERTEX_UINT16] = {2, true, 0.0f, 0.0f},
    [VRM_VERTEX_UINT32] = {4, true, 0.0f, 0.0f},
};

// Converts to an IEEE 754 half, rounded to nearest, ties to even. Values that are too large become infinite.
static uint16_t half_from(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude >= 0x47800000u) { // at least 65,536
        return (uint16_t)(sign | 0x7C00u);
    }
    uint32_t mantissa = magnitude, shift = 13;
    if (magnitude < 0x38800000u) { // below the smallest normalised half
        const uint32_t exponent = magnitude >> 23;
        shift = 126u - exponent;
        if (shift > 24u) {
            return (uint16_t)sign;
        }
        mantissa = (magnitude & 0x7FFFFFu) | 0x800000u;
    } else {
        mantissa -= 112u << 23;
    }
    const uint32_t half = 1u << (shift - 1), rest = mantissa & ((1u << shift) - 1);
    const uint32_t kept = mantissa >> shift;
    return (uint16_t)(sign | (kept + (rest > half || (rest == half && (kept & 1u) != 0))));
}

// Converts a value to a normalised format, rounded and clamped. NaN becomes 0.
static int32_t normalized(vrm_vertex_format format, float value)
{
    if (value != value) {
        return 0;
    }
    const float scaled = vrmi_clamp(value, formats[format].low, 1.0f) * formats[format].scale;
    return (int32_t)(scaled < 0.0f ? scaled - 0.5f : scaled + 0.5f);
}

static void put_integer(vrm_vertex_format format, int32_t value, uint8_t *to)
{
    const uint32_t word = (uint32_t)value;
    const uint16_t half = (uint16_t)word;
    const uint8_t byte = (uint8_t)word;
    const void *from = formats[format].size == 1   ? (const void *)&byte
                       : formats[format].size == 2 ? (const void *)&half
                                                   : (const void *)&word;
    memcpy(to, from, formats[format].size);
}

static void put_float(vrm_vertex_format format, float value, uint8_t *to)
{
    if (format == VRM_VERTEX_FLOAT32) {
        memcpy(to, &value, sizeof value);
    } else if (format == VRM_VERTEX_FLOAT16) {
        put_integer(format, half_from(value), to);
    } else {
        put_integer(format, normalized(format, value), to);
    }
}

// --- vertices --------------------------------------------------------------------------------------------------------

// The destination of an attribute's values in the host's memory.
typedef struct column {
    const vrm_vertex_target *target;
    const vrm_vertex_attribute *attribute;
    vrmi_morph_weights morphs;
} column;

static uint8_t *place(const column *c, uint32_t vertex)
{
    return (uint8_t *)c->target->memory + (size_t)vertex * c->target->stride + c->attribute->offset;
}

// Writes four weights as integers. If they sum to 1, so do the integers: the largest weight absorbs the rounding error.
static void put_weights(const column *c, const float weights[4], uint8_t *to)
{
    const vrm_vertex_format format = c->attribute->format;
    const float sum = weights[0] + weights[1] + weights[2] + weights[3], scale = formats[format].scale;
    int32_t values[4], total = 0;
    uint32_t largest = 0;
    for (uint32_t k = 0; k < 4; ++k) {
        values[k] = normalized(format, weights[k]);
        total += values[k];
        largest = weights[k] > weights[largest] ? k : largest;
    }
    if (c->attribute->components == 4 && vrmi_abs(sum - 1.0f) < 0.01f) {
        values[largest] += (int32_t)scale - total;
    }
    for (uint32_t k = 0; k < c->attribute->components; ++k) {
        put_integer(format, values[k], to + k * formats[format].size);
    }
}

static vrm_result write_influences(const vrm_geometry *g, const column *c, uint32_t first, uint32_t count)
{
    const vrm_vertex_attribute *a = c->attribute;
    const uint32_t size = formats[a->format].size;
    const uint32_t largest = size >= 4 ? UINT32_MAX : (1u << 8 * size) - 1;
    uint32_t joints[CHUNK][4];
    float weights[CHUNK][4];
    vrmi_geometry_influences(g, a->set, first, count, joints, weights);
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t *to = place(c, first + i);
        if (a->semantic == VRM_VERTEX_WEIGHTS && formats[a->format].scale != 0.0f) {
            put_weights(c, weights[i], to);
            continue;
        }
        for (uint32_t k = 0; k < a->components; ++k, to += size) {
            if (a->semantic == VRM_VERTEX_WEIGHTS) {
                put_float(a->format, weights[i][k], to);
            } else if (!formats[a->format].integer) {
                put_float(a->format, (float)joints[i][k], to);
            } else if (joints[i][k] > largest) {
                return VRM_ERROR_LIMIT;
            } else {
                put_integer(a->format, (int32_t)joints[i][k], to);
            }
        }
    }
    return VRM_SUCCESS;
}

static void to_host(const vrm_geometry *g, vrm_vertex_semantic semantic, float value[4])
{
    vrm_vec3 v = {value[0], value[1], value[2]};
    switch (semantic) {
    case VRM_VERTEX_POSITION:
        v = vrmi_axes_position(&g->axes, v);
        break;
    case VRM_VERTEX_NORMAL:
        v = vrmi_axes_direction(&g->axes, v);
        break;
    case VRM_VERTEX_TANGENT:
        v = vrmi_axes_direction(&g->axes, v);
        value[3] *= (float)g->axes.hand; // a mirrored basis reverses the bitangent, which is a cross product
        break;
    case VRM_VERTEX_TEX_COORD:
        v.y = g->flip_v ? 1.0f - v.y : v.y;
        break;
    default:
        break;
    }
    memcpy(value, &v, sizeof v);
}

static void write_values(const vrm_geometry *g, const column *c, uint32_t first, uint32_t count)
{
    const vrm_vertex_attribute *a = c->attribute;
    float values[CHUNK][4];
    vrmi_geometry_values(g, a, &c->morphs, first, count, values);
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t *to = place(c, first + i);
        to_host(g, a->semantic, values[i]);
        for (uint32_t k = 0; k < a->components; ++k, to += formats[a->format].size) {
            put_float(a->format, values[i][k], to);
        }
    }
}

static bool is_influence(const vrm_vertex_attribute *a)
{
    return a->semantic == VRM_VERTEX_JOINTS || a->semantic == VRM_VERTEX_WEIGHTS;
}

static bool is_attribute(const vrm_vertex_attribute *a, uint32_t stride)
{
    if ((uint32_t)a->semantic >= VRM_VERTEX_SEMANTIC_COUNT || (uint32_t)a->format >= VRM_VERTEX_FORMAT_COUNT ||
        a->components < 1 || a->components > 4) {
        return false;
    }
    const bool joints = a->semantic == VRM_VERTEX_JOINTS;
    const bool suits =
        joints ? formats[a->format].integer || a->format == VRM_VERTEX_FLOAT32 : !formats[a->format].integer;
    return suits && (uint64_t)a->offset + a->components * formats[a->format].size <= stride;
}

vrm_result vrm_geometry_write_vertices(const vrm_geometry *geometry, const vrm_vertex_target *target)
{
    vrm_vertex_target own = {.struct_size = sizeof own};
    if (!VRM_ASSERT(geometry != NULL && target != NULL && VRMI_READ_OPTIONS(vrm_vertex_target, &own, target))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t targets = geometry->info.target_count;
    const vrmi_morph_weights morphs = {own.morphs, own.morphs == NULL          ? 0
                                                   : own.morph_count < targets ? own.morph_count
                                                                               : targets};
    const uint32_t vertices = geometry->info.vertex_count;
    for (uint32_t i = 0; i < target->attribute_count; ++i) {
        if (!is_attribute(&target->attributes[i], target->stride)) {
            return VRM_ERROR_INVALID_ARGUMENT;
        }
    }
    if (vertices != 0 && (target->memory == NULL || target->stride == 0 || target->size / target->stride < vertices)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t i = 0; i < target->attribute_count; ++i) {
        const column c = {target, &target->attributes[i], morphs};
        for (uint32_t first = 0; first < vertices; first += CHUNK) {
            const uint32_t count = vertices - first < CHUNK ? vertices - first : CHUNK;
            if (!is_influence(c.attribute)) {
                write_values(geometry, &c, first, count);
            } else if (write_influences(geometry, &c, first, count) != VRM_SUCCESS) {
                return VRM_ERROR_LIMIT;
            }
        }
    }
    return VRM_SUCCESS;
}

vrm_result vrm_geometry_write_indices(const vrm_geometry *geometry, uint32_t index_size, void *out_indices, size_t size)
{
    if (!VRM_ASSERT(geometry != NULL) || (index_size != 2 && index_size != 4)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t count = geometry->info.index_count;
    if (count != 0 && (out_indices == NULL || size / index_size < count)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (index_size == 2 && geometry->info.vertex_count > 65536) {
        return VRM_ERROR_LIMIT;
    }
    for (uint32_t i = 0; i < count; ++i) {
        put_integer(index_size == 2 ? VRM_VERTEX_UINT16 : VRM_VERTEX_UINT32, (int32_t)geometry->indices[i],
            (uint8_t *)out_indices + (size_t)i * index_size);
    }
    return VRM_SUCCESS;
}
