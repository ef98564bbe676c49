// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/gltf/accessor.h"
#include "base/abi.h"

#include <string.h>

#include "format/gltf/gltf_private.h"

uint32_t vrmi_component_size(uint32_t component_type)
{
    switch (component_type) {
    case VRMI_GL_BYTE:
    case VRMI_GL_UNSIGNED_BYTE:
        return 1;
    case VRMI_GL_SHORT:
    case VRMI_GL_UNSIGNED_SHORT:
        return 2;
    case VRMI_GL_UNSIGNED_INT:
    case VRMI_GL_FLOAT:
        return 4;
    default:
        return 0;
    }
}

uint32_t vrmi_accessor_element_size(const vrmi_gltf_accessor *accessor)
{
    return (uint32_t)accessor->column_stride * (accessor->columns - 1u) +
           (uint32_t)accessor->rows * accessor->component_size;
}

uint32_t vrmi_accessor_tight_stride(const vrmi_gltf_accessor *accessor)
{
    return (uint32_t)accessor->column_stride * accessor->columns;
}

// Bytes in a file are little-endian. Shifts read them on any machine and compile to plain loads.
static uint32_t load16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static float load_float(const uint8_t *p)
{
    const uint32_t bits = load32(p);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float signed_unit(int32_t value, float scale)
{
    const float unit = (float)value / scale;
    return unit < -1.0f ? -1.0f : unit;
}

static void read_bytes(const uint8_t *p, uint32_t count, bool is_signed, bool normalized, float *out)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (is_signed) {
            const int32_t value = (int8_t)p[i];
            out[i] = normalized ? signed_unit(value, 127.0f) : (float)value;
        } else {
            out[i] = normalized ? (float)p[i] / 255.0f : (float)p[i];
        }
    }
}

static void read_shorts(const uint8_t *p, uint32_t count, bool is_signed, bool normalized, float *out)
{
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t bits = load16(p + 2 * (size_t)i);
        if (is_signed) {
            const int32_t value = (int16_t)bits;
            out[i] = normalized ? signed_unit(value, 32767.0f) : (float)value;
        } else {
            out[i] = normalized ? (float)bits / 65535.0f : (float)bits;
        }
    }
}

static void read_components(const uint8_t *p, uint32_t count, uint32_t type, bool normalized, float *out)
{
    switch (type) {
    case VRMI_GL_BYTE:
    case VRMI_GL_UNSIGNED_BYTE:
        read_bytes(p, count, type == VRMI_GL_BYTE, normalized, out);
        break;
    case VRMI_GL_SHORT:
    case VRMI_GL_UNSIGNED_SHORT:
        read_shorts(p, count, type == VRMI_GL_SHORT, normalized, out);
        break;
    case VRMI_GL_UNSIGNED_INT:
        for (uint32_t i = 0; i < count; ++i) {
            out[i] = (float)load32(p + 4 * (size_t)i);
        }
        break;
    default:
        for (uint32_t i = 0; i < count; ++i) {
            out[i] = load_float(p + 4 * (size_t)i);
        }
        break;
    }
}

static void read_element(const vrmi_gltf_accessor *a, const uint8_t *p, float *out)
{
    for (uint32_t c = 0; c < a->columns; ++c) {
        read_components(
            p + (size_t)c * a->column_stride, a->rows, a->component_type, a->normalized, out + (size_t)c * a->rows);
    }
}

uint32_t vrmi_accessor_sparse_index(const vrmi_gltf_accessor *accessor, uint32_t at)
{
    switch (accessor->sparse_index_type) {
    case VRMI_GL_UNSIGNED_BYTE:
        return accessor->sparse_indices[at];
    case VRMI_GL_UNSIGNED_SHORT:
        return load16(accessor->sparse_indices + 2 * (size_t)at);
    default:
        return load32(accessor->sparse_indices + 4 * (size_t)at);
    }
}

// Returns the first sparse entry whose index is not below `element`. Loading has checked that the indices strictly
// increase.
static uint32_t sparse_lower_bound(const vrmi_gltf_accessor *a, uint32_t element)
{
    uint32_t low = 0, high = a->sparse_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (vrmi_accessor_sparse_index(a, middle) < element) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_finite(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return (bits & 0x7F800000u) != 0x7F800000u;
}

void vrmi_accessor_floats(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, float *out)
{
    const uint32_t components = accessor->components;
    const size_t total = (size_t)count * components;
    if (accessor->data == NULL) {
        memset(out, 0, total * sizeof(float));
    } else {
        const uint8_t *p = accessor->data + first * accessor->stride;
        const bool tight = accessor->stride == (uint64_t)components * accessor->component_size;
        if (tight && total <= UINT32_MAX) {
            read_components(p, (uint32_t)total, accessor->component_type, accessor->normalized, out);
        } else {
            for (uint32_t i = 0; i < count; ++i, p += accessor->stride) {
                read_element(accessor, p, out + (size_t)i * components);
            }
        }
    }
    const uint32_t step = vrmi_accessor_tight_stride(accessor);
    for (uint32_t s = accessor->sparse_count != 0 ? sparse_lower_bound(accessor, first) : 0; s < accessor->sparse_count;
         ++s) {
        const uint32_t index = vrmi_accessor_sparse_index(accessor, s);
        if (index - first >= count) {
            break;
        }
        read_element(accessor, accessor->sparse_values + (size_t)s * step, out + (size_t)(index - first) * components);
    }
    if (accessor->non_finite) {
        for (size_t i = 0; i < total; ++i) {
            out[i] = is_finite(out[i]) ? out[i] : 0.0f;
        }
    }
}

const float *vrmi_accessor_packed_floats(const vrmi_gltf_accessor *accessor, uint32_t first)
{
    static const uint16_t one = 1;
    uint8_t low_byte;
    memcpy(&low_byte, &one, 1);
    const bool packed = accessor->data != NULL && accessor->component_type == VRMI_GL_FLOAT &&
                        accessor->stride == accessor->components * sizeof(float) && accessor->sparse_count == 0;
    if (!packed || accessor->non_finite || low_byte != 1 || (uintptr_t)accessor->data % sizeof(float) != 0) {
        return NULL;
    }
    return (const float *)(const void *)(accessor->data + first * accessor->stride);
}

bool vrmi_accessor_is_zero(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count)
{
    if (accessor->data != NULL) {
        return false;
    }
    const uint32_t at = accessor->sparse_count != 0 ? sparse_lower_bound(accessor, first) : 0;
    return at >= accessor->sparse_count || vrmi_accessor_sparse_index(accessor, at) - first >= count;
}

static void read_uints(const uint8_t *p, uint32_t count, uint32_t component_size, uint32_t *out)
{
    for (uint32_t i = 0; component_size == 1 && i < count; ++i) {
        out[i] = p[i];
    }
    for (uint32_t i = 0; component_size == 2 && i < count; ++i) {
        out[i] = load16(p + 2 * (size_t)i);
    }
    for (uint32_t i = 0; component_size == 4 && i < count; ++i) {
        out[i] = load32(p + 4 * (size_t)i);
    }
}

static void read_element_uint(const vrmi_gltf_accessor *a, const uint8_t *p, uint32_t *out)
{
    for (uint32_t c = 0; c < a->columns; ++c) {
        read_uints(p + (size_t)c * a->column_stride, a->rows, a->component_size, out + (size_t)c * a->rows);
    }
}

void vrmi_accessor_uints(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, uint32_t *out)
{
    const uint32_t components = accessor->components;
    if (accessor->data == NULL) {
        memset(out, 0, (size_t)count * components * sizeof(uint32_t));
    } else {
        const uint8_t *p = accessor->data + first * accessor->stride;
        const size_t total = (size_t)count * components;
        const bool tight = accessor->stride == (uint64_t)components * accessor->component_size && total <= UINT32_MAX;
        if (tight) {
            read_uints(p, (uint32_t)total, accessor->component_size, out);
        }
        for (uint32_t i = 0; !tight && i < count; ++i, p += accessor->stride) {
            read_element_uint(accessor, p, out + (size_t)i * components);
        }
    }
    const uint32_t step = vrmi_accessor_tight_stride(accessor);
    for (uint32_t s = accessor->sparse_count != 0 ? sparse_lower_bound(accessor, first) : 0; s < accessor->sparse_count;
         ++s) {
        const uint32_t index = vrmi_accessor_sparse_index(accessor, s);
        if (index - first >= count) {
            break;
        }
        read_element_uint(
            accessor, accessor->sparse_values + (size_t)s * step, out + (size_t)(index - first) * components);
    }
}

// --- public ---------------------------------------------------------------------------------------------------------

static const vrmi_gltf_accessor *find(const vrm_gltf *gltf, uint32_t accessor)
{
    if (!VRM_ASSERT(gltf != NULL) || accessor >= gltf->counts[VRM_GLTF_ACCESSORS]) {
        return NULL;
    }
    return &gltf->private_data->accessors[accessor];
}

vrm_result vrm_gltf_get_accessor(const vrm_gltf *gltf, uint32_t accessor, vrm_gltf_accessor *out_info)
{
    const vrmi_gltf_accessor *a = find(gltf, accessor);
    if (a == NULL || !VRM_ASSERT(out_info != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_gltf_accessor info = {.count = a->count,
        .components = a->components,
        .component_type = a->component_type,
        .normalized = a->normalized};
    return VRMI_ANSWER(vrm_gltf_accessor, out_info, &info);
}

static vrm_result check_read(const vrmi_gltf_accessor *a, uint32_t first, uint32_t count, const void *out)
{
    if (a == NULL || first > a->count || count > a->count - first || !VRM_ASSERT(out != NULL || count == 0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    switch (a->state) {
    case VRMI_ACCESSOR_READABLE:
        return VRM_SUCCESS;
    case VRMI_ACCESSOR_MISSING:
        return VRM_ERROR_NOT_FOUND;
    default:
        return VRM_ERROR_UNSUPPORTED;
    }
}

vrm_result vrm_gltf_read_floats(const vrm_gltf *gltf, uint32_t accessor, uint32_t first, uint32_t count, float *out)
{
    const vrmi_gltf_accessor *a = find(gltf, accessor);
    const vrm_result result = check_read(a, first, count, out);
    if (result == VRM_SUCCESS && count != 0) {
        vrmi_accessor_floats(a, first, count, out);
    }
    return result;
}

vrm_result vrm_gltf_read_uints(const vrm_gltf *gltf, uint32_t accessor, uint32_t first, uint32_t count, uint32_t *out)
{
    const vrmi_gltf_accessor *a = find(gltf, accessor);
    const vrm_result result = check_read(a, first, count, out);
    if (result != VRM_SUCCESS) {
        return result;
    }
    if (a->component_type != VRMI_GL_UNSIGNED_BYTE && a->component_type != VRMI_GL_UNSIGNED_SHORT &&
        a->component_type != VRMI_GL_UNSIGNED_INT) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (count != 0) {
        vrmi_accessor_uints(a, first, count, out);
    }
    return VRM_SUCCESS;
}

const vrmi_gltf_accessor *vrmi_gltf_readable(const vrm_gltf *gltf, uint32_t accessor)
{
    const vrmi_gltf_accessor *a =
        accessor < gltf->counts[VRM_GLTF_ACCESSORS] ? &gltf->private_data->accessors[accessor] : NULL;
    return a != NULL && a->state == VRMI_ACCESSOR_READABLE ? a : NULL;
}
