// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/edit/edit_accessor.h"

#include <string.h>

#include "base/text.h"
#include "format/gltf/gltf_private.h"

enum { GL_ELEMENT_ARRAY_BUFFER = 34963, MANY = 2, MAX_COMPONENTS = 16 };

// --- who uses which bytes --------------------------------------------------------------------------------------------

// Finds the position of bytes in the BIN chunk. Returns false if they are not in it.
static bool place_of(const vrm_gltf *gltf, const uint8_t *data, uint64_t size, size_t *out_place)
{
    const vrmi_gltf_private *p = gltf->private_data;
    const uintptr_t start = (uintptr_t)(gltf->bytes + p->bin_start), at = (uintptr_t)data;
    if (!p->has_bin || data == NULL || at < start || at - start > p->bin_size || size > p->bin_size - (at - start)) {
        return false;
    }
    *out_place = (size_t)(at - start);
    return true;
}

static void mark(const vrm_gltf *gltf, const uint8_t *data, uint64_t size)
{
    uint8_t *readers = gltf->private_data->edit.bin_readers;
    size_t place;
    if (place_of(gltf, data, size, &place)) {
        for (size_t i = place; i < place + size; ++i) {
            readers[i] = readers[i] < MANY ? (uint8_t)(readers[i] + 1) : (uint8_t)MANY;
        }
    }
}

static uint64_t sparse_size(const vrmi_gltf_accessor *a)
{
    return a->sparse_count == 0
               ? 0
               : (uint64_t)vrmi_accessor_tight_stride(a) * (a->sparse_count - 1) + vrmi_accessor_element_size(a);
}

static void mark_accessor(const vrm_gltf *gltf, const vrmi_gltf_accessor *a)
{
    const uint32_t size = vrmi_accessor_element_size(a);
    if (a->data != NULL && a->stride == size) {
        mark(gltf, a->data, (uint64_t)size * a->count);
    } else if (a->data != NULL) {
        for (uint32_t i = 0; i < a->count; ++i) {
            mark(gltf, a->data + (size_t)i * a->stride, size);
        }
    }
    if (a->sparse_count != 0) {
        mark(gltf, a->sparse_indices, (uint64_t)a->sparse_count * vrmi_component_size(a->sparse_index_type));
        mark(gltf, a->sparse_values, sparse_size(a));
    }
}

// Copies the BIN chunk for writing, and counts for each byte the accessors and images that use it.
static bool prepare(vrm_gltf *gltf)
{
    vrmi_gltf_private *p = gltf->private_data;
    vrmi_edit *edit = &p->edit;
    if (edit->bin != NULL || !p->has_bin || p->bin_size == 0) {
        return true;
    }
    edit->bin = vrmi_allocate(&edit->allocator, p->bin_size, 16);
    edit->bin_readers = vrmi_allocate(&edit->allocator, p->bin_size, 16);
    if (edit->bin == NULL || edit->bin_readers == NULL) {
        vrmi_release(&edit->allocator, edit->bin, p->bin_size);
        vrmi_release(&edit->allocator, edit->bin_readers, p->bin_size);
        edit->bin = edit->bin_readers = NULL;
        return false;
    }
    edit->bin_size = p->bin_size;
    memcpy(edit->bin, gltf->bytes + p->bin_start, p->bin_size);
    memset(edit->bin_readers, 0, p->bin_size);
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_ACCESSORS]; ++i) {
        mark_accessor(gltf, &p->accessors[i]);
    }
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_IMAGES]; ++i) {
        mark(gltf, p->images[i].data, p->images[i].size);
    }
    return true;
}

static bool is_alone(const vrm_gltf *gltf, const uint8_t *data, uint64_t size)
{
    const uint8_t *readers = gltf->private_data->edit.bin_readers;
    size_t place;
    if (!place_of(gltf, data, size, &place)) {
        return false;
    }
    for (size_t i = place; i < place + size; ++i) {
        if (readers[i] == MANY) {
            return false;
        }
    }
    return true;
}

// Whether the values of an accessor can be overwritten: no other accessor or image shares its bytes, and every value
// without stored bytes is 0.
static bool can_overwrite(const vrm_gltf *gltf, const vrmi_gltf_accessor *a, const float *values)
{
    if (a->state != VRMI_ACCESSOR_READABLE || a->component_type != VRMI_GL_FLOAT ||
        gltf->private_data->edit.bin == NULL ||
        (a->sparse_count != 0 && !is_alone(gltf, a->sparse_values, sparse_size(a)))) {
        return false;
    }
    const uint32_t size = vrmi_accessor_element_size(a);
    uint32_t next = 0; // index of the next sparse entry
    for (uint32_t i = 0; i < a->count; ++i) {
        if (a->data != NULL) {
            if (!is_alone(gltf, a->data + (size_t)i * a->stride, size)) {
                return false;
            }
        } else if (next < a->sparse_count && vrmi_accessor_sparse_index(a, next) == i) {
            ++next;
        } else {
            for (uint32_t k = 0; k < a->components; ++k) {
                if (values[(size_t)i * a->components + k] != 0.0f) {
                    return false;
                }
            }
        }
    }
    return true;
}

// --- writing ---------------------------------------------------------------------------------------------------------

static void store_floats(uint8_t *p, const float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (uint32_t byte = 0; byte < 4; ++byte) {
            p[4 * i + byte] = (uint8_t)(bits >> (8 * byte));
        }
    }
}

static void store_at(const vrm_gltf *gltf, const uint8_t *data, const float *values, uint32_t count)
{
    size_t place;
    if (place_of(gltf, data, (uint64_t)count * 4, &place)) {
        store_floats(gltf->private_data->edit.bin + place, values, count);
    }
}

// Writes the lowest or highest value of each component as an array: "[1,2,3]".
static void add_bound(vrmi_text *text, const vrmi_floats *floats, bool highest)
{
    vrmi_text_add_string(text, "[");
    for (uint32_t k = 0; k < floats->components; ++k) {
        float bound = floats->values[k];
        for (uint32_t i = 1; i < floats->count; ++i) {
            const float value = floats->values[(size_t)i * floats->components + k];
            bound = highest == (value > bound) && value != bound ? value : bound;
        }
        vrmi_text_add_string(text, k != 0 ? "," : "");
        vrmi_text_add_float(text, bound);
    }
    vrmi_text_add_string(text, "]");
}

static vrm_result set_bounds(vrm_gltf *gltf, uint32_t accessor, const vrmi_floats *floats)
{
    static const char *const names[] = {"min", "max"};
    const vrmi_json *json = &gltf->json;
    const uint32_t object = vrmi_gltf_element(gltf, VRM_GLTF_ACCESSORS, accessor);
    vrm_result result = VRM_SUCCESS;
    for (int i = 0; i < 2 && result == VRM_SUCCESS; ++i) {
        if (vrmi_json_member(json, object, names[i]) == VRMI_JSON_NONE) {
            continue;
        }
        char pointer[64];
        vrmi_text text;
        vrmi_text_init(&text, &gltf->private_data->edit.allocator);
        add_bound(&text, floats, i == 1);
        vrmi_format(pointer, sizeof pointer, "/accessors/%u/%s", accessor, names[i]);
        result = text.failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_set_json(gltf, pointer, text.data, text.size);
        vrmi_text_free(&text);
    }
    return result;
}

vrm_result vrmi_gltf_overwrite_floats(vrm_gltf *gltf, uint32_t accessor, const float *values, bool *out_done)
{
    *out_done = false;
    if (accessor >= gltf->counts[VRM_GLTF_ACCESSORS]) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_gltf_accessor *a = &gltf->private_data->accessors[accessor];
    if (!prepare(gltf)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    if (!can_overwrite(gltf, a, values)) {
        return VRM_SUCCESS;
    }
    const vrmi_floats floats = {.values = values, .count = a->count, .components = a->components};
    const vrm_result result = set_bounds(gltf, accessor, &floats);
    if (result != VRM_SUCCESS) {
        return result;
    }
    for (uint32_t i = 0; i < a->count && a->data != NULL; ++i) {
        store_at(gltf, a->data + (size_t)i * a->stride, values + (size_t)i * a->components, a->components);
    }
    for (uint32_t i = 0; i < a->sparse_count; ++i) {
        store_at(gltf, a->sparse_values + (size_t)i * vrmi_accessor_tight_stride(a),
            values + (size_t)vrmi_accessor_sparse_index(a, i) * a->components, a->components);
    }
    ++gltf->private_data->edit.version;
    *out_done = true;
    return VRM_SUCCESS;
}

// Appends a buffer view with `bytes` and an accessor. `text` is the accessor's JSON after the bufferView member.
static vrm_result append_accessor(
    vrm_gltf *gltf, const void *bytes, size_t size, uint32_t target, const vrmi_text *text, uint32_t *out_accessor)
{
    char pointer[64], number[16];
    uint32_t view = 0;
    vrm_result result = text->failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_append_buffer_view(gltf, bytes, size, &view);
    if (result == VRM_SUCCESS && target != 0) {
        vrmi_format(pointer, sizeof pointer, "/bufferViews/%u/target", view);
        vrmi_format(number, sizeof number, "%u", target);
        result = vrm_gltf_set_json(gltf, pointer, number, strlen(number));
    }
    if (result == VRM_SUCCESS) {
        result = vrmi_edit_count(&gltf->private_data->edit, "/accessors", out_accessor);
    }
    vrmi_text whole;
    vrmi_text_init(&whole, &gltf->private_data->edit.allocator);
    vrmi_text_format(&whole, "{\"bufferView\":%u,", view);
    vrmi_text_add(&whole, text->data, text->size);
    if (result == VRM_SUCCESS) {
        result =
            whole.failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_set_json(gltf, "/accessors/-", whole.data, whole.size);
    }
    vrmi_text_free(&whole);
    return result;
}

static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"}; // index: number of components - 1

vrm_result vrmi_gltf_append_floats(vrm_gltf *gltf, const vrmi_floats *floats, uint32_t *out_accessor)
{
    const vrm_allocator *allocator = &gltf->private_data->edit.allocator;
    const uint32_t components = floats->components;
    if (components == 0 || (components > 4 && components != MAX_COMPONENTS) || floats->count == 0) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint64_t size = (uint64_t)floats->count * components * 4;
    if (size > UINT32_MAX) {
        return VRM_ERROR_LIMIT;
    }
    uint8_t *bytes = vrmi_allocate(allocator, (size_t)size, 16);
    if (bytes == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    store_floats(bytes, floats->values, (size_t)floats->count * components);
    vrmi_text text;
    vrmi_text_init(&text, allocator);
    vrmi_text_format(&text, "\"componentType\":%d,\"count\":%u,\"type\":\"%s\"", VRMI_GL_FLOAT, floats->count,
        components <= 4 ? types[components - 1] : "MAT4");
    if (floats->bounds) {
        vrmi_text_add_string(&text, ",\"min\":");
        add_bound(&text, floats, false);
        vrmi_text_add_string(&text, ",\"max\":");
        add_bound(&text, floats, true);
    }
    vrmi_text_add_string(&text, "}");
    const vrm_result result = append_accessor(gltf, bytes, (size_t)size, floats->target, &text, out_accessor);
    vrmi_text_free(&text);
    vrmi_release(allocator, bytes, (size_t)size);
    return result;
}

vrm_result vrmi_gltf_append_uints(vrm_gltf *gltf, const vrmi_uints *uints, uint32_t *out_accessor)
{
    const vrm_allocator *allocator = &gltf->private_data->edit.allocator;
    const uint32_t width = uints->wide ? 4 : 2;
    const uint64_t count = (uint64_t)uints->count * uints->components;
    if (uints->components == 0 || uints->components > 4 || count == 0) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (count * width > UINT32_MAX) {
        return VRM_ERROR_LIMIT;
    }
    const size_t size = (size_t)count * width;
    uint8_t *bytes = vrmi_allocate(allocator, size, 16);
    if (bytes == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; ++i) {
        for (uint32_t byte = 0; byte < width; ++byte) {
            bytes[i * width + byte] = (uint8_t)(uints->values[i] >> (8 * byte));
        }
    }
    vrmi_text text;
    vrmi_text_init(&text, allocator);
    vrmi_text_format(&text, "\"componentType\":%d,\"count\":%u,\"type\":\"%s\"}",
        uints->wide ? VRMI_GL_UNSIGNED_INT : VRMI_GL_UNSIGNED_SHORT, uints->count, types[uints->components - 1]);
    const vrm_result result = append_accessor(gltf, bytes, size, uints->target, &text, out_accessor);
    vrmi_text_free(&text);
    vrmi_release(allocator, bytes, size);
    return result;
}

vrm_result vrmi_gltf_append_indices(
    vrm_gltf *gltf, const uint32_t *indices, uint32_t count, uint32_t vertex_count, uint32_t *out_accessor)
{
    const vrmi_uints uints = {.values = indices,
        .count = count,
        .components = 1,
        .wide = vertex_count > UINT16_MAX, // index 65,535 would mean primitive restart
        .target = GL_ELEMENT_ARRAY_BUFFER};
    return vrmi_gltf_append_uints(gltf, &uints, out_accessor);
}
