// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/edit/negate.h"

#include <stdlib.h>
#include <string.h>

#include "format/gltf/gltf_private.h"
#include "format/uri.h"

// The largest number of pairs of accessors to compare. Only a hostile file has more overlapping pairs.
#define MAX_COMPARISONS 10000000u

// A range of bytes that contains an accessor's values: either its elements, or the values with which a sparse accessor
// replaces elements.
typedef struct span {
    const uint8_t *start;
    uint64_t stride, size; // size of an element
    const vrmi_gltf_accessor *accessor;
    uint32_t count;
    uint16_t mask;
    bool again; // another span already changes these bytes
} span;

static uint64_t span_bytes(const span *s)
{
    return s->stride * (s->count - 1) + s->size;
}

static int compare_spans(const void *left, const void *right)
{
    const span *a = left, *b = right;
    if (a->start != b->start) {
        return (uintptr_t)a->start < (uintptr_t)b->start ? -1 : 1;
    }
    const uint64_t bytes[2] = {span_bytes(a), span_bytes(b)};
    if (bytes[0] != bytes[1]) {
        return bytes[0] < bytes[1] ? -1 : 1;
    }
    return a->accessor < b->accessor ? -1 : a->accessor > b->accessor ? 1 : 0;
}

static uint32_t list_spans(const vrm_gltf *gltf, const uint16_t *masks, span *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_ACCESSORS]; ++i) {
        const vrmi_gltf_accessor *a = &gltf->private_data->accessors[i];
        const uint64_t size = vrmi_accessor_element_size(a);
        if (a->data != NULL) {
            out[count++] = (span){a->data, a->stride, size, a, a->count, masks[i], false};
        }
        if (a->sparse_values != NULL) {
            out[count++] =
                (span){a->sparse_values, vrmi_accessor_tight_stride(a), size, a, a->sparse_count, masks[i], false};
        }
    }
    return count;
}

// Whether the elements of two spans alternate without sharing bytes, as interleaved attributes do.
static bool interleaved(const span *a, const span *b)
{
    if (a->stride != b->stride) {
        return false;
    }
    const uint64_t between = (uint64_t)(b->start - a->start) % a->stride;
    return between >= a->size && between + b->size <= a->stride;
}

static bool same_change(const span *a, const span *b)
{
    return a->start == b->start && a->stride == b->stride && a->count == b->count && a->mask == b->mask &&
           a->accessor->component_type == b->accessor->component_type && a->accessor->columns == b->accessor->columns &&
           a->accessor->rows == b->accessor->rows;
}

// Marks each span whose bytes an earlier span already changes. Returns false if two accessors share bytes but need
// different changes, or if there are too many pairs to compare.
static bool mark_shared(span *spans, uint32_t count)
{
    uint32_t comparisons = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t *end = spans[i].start + span_bytes(&spans[i]);
        for (uint32_t k = i + 1; k < count && spans[k].start < end; ++k) {
            if (++comparisons > MAX_COMPARISONS) {
                return false;
            }
            if ((spans[i].mask == 0 && spans[k].mask == 0) || interleaved(&spans[i], &spans[k])) {
                continue;
            }
            if (!same_change(&spans[i], &spans[k])) {
                return false;
            }
            spans[k].again = true;
        }
    }
    return true;
}

// --- numbers ---------------------------------------------------------------------------------------------------------

static int32_t load_signed(const uint8_t *p, uint32_t type)
{
    const uint32_t low = p[0];
    return type == VRMI_GL_BYTE ? (int32_t)(int8_t)low : (int32_t)(int16_t)(uint16_t)(low | (uint32_t)p[1] << 8);
}

static void negate_component(uint8_t *p, uint32_t type)
{
    if (type == VRMI_GL_FLOAT) {
        const bool is_zero = p[0] == 0 && p[1] == 0 && p[2] == 0 && (p[3] & 0x7f) == 0;
        p[3] = is_zero ? p[3] : (uint8_t)(p[3] ^ 0x80);
    } else {
        const uint32_t value = (uint32_t)-load_signed(p, type);
        p[0] = (uint8_t)value;
        if (type != VRMI_GL_BYTE) {
            p[1] = (uint8_t)(value >> 8);
        }
    }
}

static size_t component_offset(const vrmi_gltf_accessor *a, uint32_t component)
{
    return (size_t)(component / a->rows) * a->column_stride + (size_t)(component % a->rows) * a->component_size;
}

// Changes the signs in a copy of the file's bytes. `bytes` is the copy of the byte at `base`.
static void negate_span(const span *s, const uint8_t *base, uint8_t *bytes)
{
    uint8_t *at = bytes + (s->start - base);
    for (uint32_t i = 0; i < s->count; ++i, at += s->stride) {
        for (uint32_t c = 0; c < s->accessor->components; ++c) {
            if ((s->mask >> c & 1u) != 0) {
                negate_component(at + component_offset(s->accessor, c), s->accessor->component_type);
            }
        }
    }
}

static bool has_negatives(const span *s)
{
    const uint32_t type = s->accessor->component_type;
    if (type == VRMI_GL_FLOAT) {
        return true;
    }
    if (type != VRMI_GL_BYTE && type != VRMI_GL_SHORT) {
        return false;
    }
    const int32_t lowest = type == VRMI_GL_BYTE ? INT8_MIN : INT16_MIN;
    const uint8_t *at = s->start;
    for (uint32_t i = 0; i < s->count; ++i, at += s->stride) {
        for (uint32_t c = 0; c < s->accessor->components; ++c) {
            if ((s->mask >> c & 1u) != 0 && load_signed(at + component_offset(s->accessor, c), type) == lowest) {
                return false;
            }
        }
    }
    return true;
}

// --- buffers ---------------------------------------------------------------------------------------------------------

static bool lies_in(const span *s, const vrmi_gltf_buffer *buffer)
{
    return buffer->data != NULL && s->start >= buffer->data && s->start < buffer->data + buffer->size;
}

// Replaces a buffer outside the BIN chunk with a data URI, because external files are never changed.
static vrm_result rewrite_buffer(vrm_gltf *gltf, uint32_t index, const span *spans, uint32_t count)
{
    static const char prefix[] = "\"data:application/octet-stream;base64,";
    const vrmi_gltf_buffer *buffer = &gltf->private_data->buffers[index];
    const vrm_allocator *allocator = &gltf->allocator;
    const size_t size = (size_t)buffer->size, start = sizeof prefix - 1;
    const size_t uri_size = start + vrmi_base64_size(size) + 1;
    uint8_t *bytes = vrmi_allocate(allocator, size, 16);
    char *uri = bytes != NULL ? vrmi_allocate(allocator, uri_size, 1) : NULL;
    vrm_result result = uri != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    if (uri != NULL) {
        memcpy(bytes, buffer->data, size);
        for (uint32_t i = 0; i < count; ++i) {
            if (lies_in(&spans[i], buffer)) {
                negate_span(&spans[i], buffer->data, bytes);
            }
        }
        memcpy(uri, prefix, start);
        vrmi_base64_encode(bytes, size, uri + start);
        uri[uri_size - 1] = '"';
        char pointer[48];
        vrmi_format(pointer, sizeof pointer, "/buffers/%u/uri", index);
        result = vrm_gltf_set_json(gltf, pointer, uri, uri_size);
    }
    vrmi_release(allocator, bytes, size);
    vrmi_release(allocator, uri, uri_size);
    return result;
}

static bool is_bin(const vrm_gltf *gltf, const vrmi_gltf_buffer *buffer)
{
    const vrmi_gltf_private *data = gltf->private_data;
    return data->has_bin && buffer->data == gltf->bytes + data->bin_start;
}

static vrm_result rewrite_buffers(vrm_gltf *gltf, const span *spans, uint32_t count)
{
    vrm_result result = VRM_SUCCESS;
    for (uint32_t b = 0; b < gltf->counts[VRM_GLTF_BUFFERS] && result == VRM_SUCCESS; ++b) {
        const vrmi_gltf_buffer *buffer = &gltf->private_data->buffers[b];
        bool touched = false;
        for (uint32_t i = 0; i < count && !is_bin(gltf, buffer); ++i) {
            touched = touched || lies_in(&spans[i], buffer);
        }
        if (touched) {
            result = rewrite_buffer(gltf, b, spans, count);
        }
    }
    return result;
}

void vrmi_negate_bin(const vrm_gltf *gltf, uint8_t *bin)
{
    const vrmi_gltf_private *data = gltf->private_data;
    const uint8_t *base = gltf->bytes + data->bin_start;
    const span *spans = data->negated.items;
    for (uint32_t i = 0; i < data->negated.count; ++i) {
        if (spans[i].start >= base && spans[i].start < base + data->bin_size) {
            negate_span(&spans[i], base, bin);
        }
    }
}

// --- the whole document ----------------------------------------------------------------------------------------------

static const char *unreadable(const vrm_gltf *gltf, const uint16_t *masks)
{
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_ACCESSORS]; ++i) {
        const uint8_t state = gltf->private_data->accessors[i].state;
        if (masks[i] != 0 && state != VRMI_ACCESSOR_READABLE) {
            return state == VRMI_ACCESSOR_COMPRESSED ? "compressed vertices" : "vertices whose bytes are missing";
        }
    }
    return NULL;
}

// Keeps only the spans that change, each once. If one cannot be changed, returns the reason; otherwise NULL.
static const char *choose_spans(vrmi_array *list)
{
    span *spans = list->items;
    uint32_t kept = 0;
    qsort(spans, list->count, sizeof *spans, compare_spans);
    if (!mark_shared(spans, list->count)) {
        return "bytes that two accessors use differently";
    }
    for (uint32_t i = 0; i < list->count; ++i) {
        if (spans[i].mask != 0 && !spans[i].again) {
            if (!has_negatives(&spans[i])) {
                return "integers that cannot be negated";
            }
            spans[kept++] = spans[i];
        }
    }
    list->count = kept;
    return NULL;
}

vrm_result vrmi_gltf_negate(vrm_gltf *gltf, const uint16_t *masks, const char **out_reason)
{
    vrmi_gltf_private *data = gltf->private_data;
    const uint32_t count = gltf->counts[VRM_GLTF_ACCESSORS];
    vrmi_array list = {.item_size = sizeof(span)};
    *out_reason = unreadable(gltf, masks);
    if (*out_reason != NULL || count == 0) {
        return VRM_SUCCESS;
    }
    if (count > UINT32_MAX / 2 || !vrmi_array_reserve(&list, &data->edit.allocator, 2 * count)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    list.count = list_spans(gltf, masks, list.items);
    *out_reason = choose_spans(&list);
    const vrm_result result = *out_reason == NULL ? rewrite_buffers(gltf, list.items, list.count) : VRM_SUCCESS;
    if (*out_reason != NULL || result != VRM_SUCCESS) {
        vrmi_array_free(&list, &data->edit.allocator);
        return result;
    }
    data->negated = list;
    return VRM_SUCCESS;
}
