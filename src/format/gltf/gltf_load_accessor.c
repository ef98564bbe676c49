// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "format/gltf/gltf_private.h"

static const struct {
    const char *name;
    uint8_t columns, rows;
} types[] = {
    {"SCALAR", 1, 1}, {"VEC2", 1, 2}, {"VEC3", 1, 3}, {"VEC4", 1, 4}, {"MAT2", 2, 2}, {"MAT3", 3, 3}, {"MAT4", 4, 4}};

// Reads type, component type and everything derived from them. Returns false if they are invalid (reported).
static bool read_format(vrmi_load *load, uint32_t object, vrmi_gltf_accessor *a)
{
    vrmi_reader *reader = &load->reader;
    const vrmi_json *json = reader->json;
    const uint32_t type = vrmi_read_string(reader, object, "type", VRMI_REQUIRED);
    bool valid = vrmi_read_uint(reader, object, "componentType", VRMI_REQUIRED, &a->component_type);
    a->component_size = (uint8_t)vrmi_component_size(a->component_type);
    if (valid && a->component_size == 0) {
        vrmi_reader_report_value(reader, VRM_FINDING_INVALID_GL_VALUE, vrmi_json_member(json, object, "componentType"),
            "5120, 5121, 5122, 5123, 5125 or 5126");
        valid = false;
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(types) && type != VRMI_JSON_NONE; ++i) {
        if (vrmi_json_string_equal(json, type, types[i].name)) {
            a->columns = types[i].columns;
            a->rows = types[i].rows;
        }
    }
    if (type != VRMI_JSON_NONE && a->columns == 0) {
        vrmi_reader_report_value(reader, VRM_FINDING_ACCESSOR_TYPE_INVALID, type, "SCALAR, VEC2, ... MAT4");
    }
    a->components = (uint8_t)(a->columns * a->rows);
    const uint32_t column = (uint32_t)a->rows * a->component_size;
    a->column_stride = (uint8_t)(a->columns > 1 ? (column + 3) / 4 * 4 : column);
    vrmi_read_bool(reader, object, "normalized", VRMI_OPTIONAL, &a->normalized);
    if (a->normalized && a->component_size == 4) {
        vrmi_reader_report(reader, VRM_FINDING_ACCESSOR_NORMALIZED_INVALID, object, "normalized", NULL, NULL);
        a->normalized = false;
    }
    return valid && a->columns != 0;
}

static bool read_count(vrmi_load *load, uint32_t object, uint32_t *out_count, bool *go_on)
{
    const uint32_t value = vrmi_json_member(load->reader.json, object, "count");
    *go_on = true;
    if (!vrmi_read_uint(&load->reader, object, "count", VRMI_REQUIRED, out_count)) {
        return false;
    }
    if (*out_count == 0) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_VALUE_NOT_IN_RANGE, value, "at least 1");
        return false;
    }
    if (*out_count > load->def->limits.max_elements) {
        char expected[48];
        *go_on = vrmi_load_limit(
            load, value, vrmi_format(expected, sizeof(expected), "at most %u", load->def->limits.max_elements));
        return false;
    }
    return true;
}

// Checks that `bytes` bytes from `offset` on lie within a view. The numbers come from 32 bits, so no sum or product
// overflows.
static bool view_range(vrmi_load *load, uint32_t object, const vrmi_gltf_view *view, uint32_t offset, uint64_t bytes)
{
    if (offset + bytes <= view->size) {
        return true;
    }
    char found[64], expected[64];
    vrmi_reader_report(&load->reader, VRM_FINDING_ACCESSOR_TOO_LONG, object, NULL,
        vrmi_format(found, sizeof(found), "an end at byte %llu", (unsigned long long)(offset + bytes)),
        vrmi_format(expected, sizeof(expected), "at most %llu", (unsigned long long)view->size));
    return false;
}

static void check_alignment(
    vrmi_load *load, uint32_t object, const vrmi_gltf_view *view, uint32_t offset, uint32_t component_size)
{
    if (offset % component_size != 0) {
        vrmi_reader_report(&load->reader, VRM_FINDING_ACCESSOR_OFFSET_ALIGNMENT, object, "byteOffset", NULL, NULL);
    } else if (view->data != NULL) {
        // The BIN chunk starts at a multiple of 4, so only the offset within the buffer matters.
        const uint32_t view_json = vrmi_load_element(load, VRM_GLTF_BUFFER_VIEWS, (uint32_t)(view - load->data->views));
        uint32_t view_offset = 0;
        vrmi_json_uint(load->reader.json, vrmi_json_member(load->reader.json, view_json, "byteOffset"), &view_offset);
        if (((uint64_t)view_offset + offset) % component_size != 0) {
            vrmi_reader_report(
                &load->reader, VRM_FINDING_ACCESSOR_TOTAL_OFFSET_ALIGNMENT, object, "byteOffset", NULL, NULL);
        }
    }
}

static vrmi_accessor_state view_state(const vrmi_gltf_view *view)
{
    return view->compressed     ? VRMI_ACCESSOR_COMPRESSED
           : view->data == NULL ? VRMI_ACCESSOR_MISSING
                                : VRMI_ACCESSOR_READABLE;
}

static bool read_base(vrmi_load *load, uint32_t object, vrmi_gltf_accessor *a)
{
    vrmi_reader *reader = &load->reader;
    uint32_t view_index = 0, offset = 0;
    vrmi_read_uint(reader, object, "byteOffset", VRMI_OPTIONAL, &offset);
    a->stride = vrmi_accessor_tight_stride(a);
    a->view = UINT32_MAX;
    if (vrmi_json_member(reader->json, object, "bufferView") == VRMI_JSON_NONE) {
        a->state = VRMI_ACCESSOR_READABLE; // all zeros
        return true;
    }
    if (!vrmi_read_index(
            reader, object, "bufferView", VRMI_REQUIRED, load->gltf->counts[VRM_GLTF_BUFFER_VIEWS], &view_index)) {
        return false;
    }
    const vrmi_gltf_view *view = &load->data->views[view_index];
    const uint32_t size = vrmi_accessor_element_size(a);
    a->view = view_index;
    a->has_view_stride = view->stride != 0;
    if (view->stride != 0) {
        a->stride = view->stride;
        if (view->stride < size) {
            vrmi_reader_report(reader, VRM_FINDING_ACCESSOR_SMALL_BYTESTRIDE, object, "bufferView", NULL, NULL);
        }
    }
    if (!view_range(load, object, view, offset, a->stride * (a->count - 1) + size)) {
        return false;
    }
    check_alignment(load, object, view, offset, a->component_size);
    a->state = (uint8_t)view_state(view);
    a->data = a->state == VRMI_ACCESSOR_READABLE ? view->data + offset : NULL;
    return true;
}

// --- sparse ----------------------------------------------------------------------------------------------------------

// Reads the indices or the values of a sparse accessor. `*out_data` is NULL if their bytes cannot be read. Returns
// false if the JSON is invalid (reported).
static bool read_sparse_part(
    vrmi_load *load, uint32_t part, uint64_t bytes, vrmi_gltf_accessor *a, const uint8_t **out_data)
{
    uint32_t view_index = 0, offset = 0;
    vrmi_read_uint(&load->reader, part, "byteOffset", VRMI_OPTIONAL, &offset);
    if (!vrmi_read_index(
            &load->reader, part, "bufferView", VRMI_REQUIRED, load->gltf->counts[VRM_GLTF_BUFFER_VIEWS], &view_index)) {
        return false;
    }
    // The view's byteStride does not apply: sparse indices and values are tightly packed.
    const vrmi_gltf_view *view = &load->data->views[view_index];
    if (!view_range(load, part, view, offset, bytes)) {
        return false;
    }
    const vrmi_accessor_state state = view_state(view);
    if (state != VRMI_ACCESSOR_READABLE) {
        a->state = (uint8_t)state;
    }
    *out_data = state == VRMI_ACCESSOR_READABLE ? view->data + offset : NULL;
    return true;
}

static bool check_sparse_indices(vrmi_load *load, uint32_t indices, const vrmi_gltf_accessor *a)
{
    char found[48], expected[48];
    uint64_t previous = 0;
    if (!vrmi_load_scan(load, a->sparse_count)) {
        return false;
    }
    for (uint32_t i = 0; i < a->sparse_count; ++i) {
        const uint32_t index = vrmi_accessor_sparse_index(a, i);
        if (index >= a->count) {
            vrmi_reader_report(&load->reader, VRM_FINDING_ACCESSOR_SPARSE_INDEX_OOB, indices, NULL,
                vrmi_format(found, sizeof(found), "%u at %u", index, i),
                vrmi_format(expected, sizeof(expected), "below %u", a->count));
            return false;
        }
        if (i > 0 && index <= previous) {
            vrmi_reader_report(&load->reader, VRM_FINDING_ACCESSOR_SPARSE_INDICES_NON_INCREASING, indices, NULL,
                vrmi_format(found, sizeof(found), "%u at %u", index, i), NULL);
            return false;
        }
        previous = index;
    }
    return true;
}

static bool read_sparse_indices(vrmi_load *load, uint32_t sparse, vrmi_gltf_accessor *a)
{
    vrmi_reader *reader = &load->reader;
    const uint32_t indices = vrmi_read_object(reader, sparse, "indices", VRMI_REQUIRED);
    if (indices == VRMI_JSON_NONE ||
        !vrmi_read_uint(reader, indices, "componentType", VRMI_REQUIRED, &a->sparse_index_type)) {
        return false;
    }
    if (a->sparse_index_type != VRMI_GL_UNSIGNED_BYTE && a->sparse_index_type != VRMI_GL_UNSIGNED_SHORT &&
        a->sparse_index_type != VRMI_GL_UNSIGNED_INT) {
        vrmi_reader_report_value(reader, VRM_FINDING_INVALID_GL_VALUE,
            vrmi_json_member(reader->json, indices, "componentType"), "5121, 5123 or 5125");
        return false;
    }
    const uint64_t bytes = (uint64_t)a->sparse_count * vrmi_component_size(a->sparse_index_type);
    return read_sparse_part(load, indices, bytes, a, &a->sparse_indices) &&
           (a->sparse_indices == NULL || check_sparse_indices(load, indices, a));
}

static bool read_sparse(vrmi_load *load, uint32_t object, vrmi_gltf_accessor *a)
{
    vrmi_reader *reader = &load->reader;
    const uint32_t sparse = vrmi_read_object(reader, object, "sparse", VRMI_OPTIONAL);
    if (sparse == VRMI_JSON_NONE) {
        return true;
    }
    if (!vrmi_read_uint(reader, sparse, "count", VRMI_REQUIRED, &a->sparse_count)) {
        return false;
    }
    if (a->sparse_count == 0 || a->sparse_count > a->count) {
        vrmi_reader_report_value(reader, VRM_FINDING_ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE,
            vrmi_json_member(reader->json, sparse, "count"), "1 to the accessor's count");
        return false;
    }
    const uint64_t values_size =
        (uint64_t)vrmi_accessor_tight_stride(a) * (a->sparse_count - 1) + vrmi_accessor_element_size(a);
    const uint32_t values = vrmi_read_object(reader, sparse, "values", VRMI_REQUIRED);
    return read_sparse_indices(load, sparse, a) && values != VRMI_JSON_NONE &&
           read_sparse_part(load, values, values_size, a, &a->sparse_values);
}

static bool read_accessor(vrmi_load *load, uint32_t index)
{
    vrmi_gltf_accessor *a = &load->data->accessors[index];
    const uint32_t object = vrmi_load_element(load, VRM_GLTF_ACCESSORS, index);
    bool go_on;
    const bool format = read_format(load, object, a);
    if (!read_count(load, object, &a->count, &go_on) || !format) {
        return go_on;
    }
    if (!read_base(load, object, a) || !read_sparse(load, object, a)) {
        a->state = VRMI_ACCESSOR_INVALID;
        return load->stopped == VRM_SUCCESS;
    }
    if (a->state != VRMI_ACCESSOR_READABLE) {
        load->gltf->flags |= VRM_GLTF_GEOMETRY_UNREADABLE;
    }
    return vrmi_load_work(load, a->sparse_count);
}

// --- uses of accessors -----------------------------------------------------------------------------------------------

enum { OF_TARGETS = 1, OF_OTHERS = 2 };

static void mark(const vrmi_load *load, uint32_t value, uint8_t use, uint8_t *uses)
{
    uint32_t index;
    if (vrmi_json_uint(load->reader.json, value, &index) && index < load->gltf->counts[VRM_GLTF_ACCESSORS]) {
        uses[index] |= use;
    }
}

static bool mark_object(vrmi_load *load, uint32_t object, uint8_t use, uint8_t *uses)
{
    const vrmi_json *json = load->reader.json;
    for (uint32_t key = vrmi_json_first(json, object);
         key != VRMI_JSON_NONE && vrmi_json_is(json, object, VRMI_JSON_OBJECT); key = vrmi_json_next(json, key)) {
        mark(load, vrmi_json_value(json, key), use, uses);
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK / 16)) {
            return false;
        }
    }
    return true;
}

// Finds the accessors that morph targets use, and those that meshes, skins and animations use in other ways.
static bool find_uses(vrmi_load *load, uint8_t *uses)
{
    const vrmi_json *json = load->reader.json;
    bool goes_on = true;
    for (uint32_t i = 0; i < load->gltf->counts[VRM_GLTF_MESHES]; ++i) {
        const uint32_t list = vrmi_json_member(json, vrmi_load_element(load, VRM_GLTF_MESHES, i), "primitives");
        for (uint32_t p = vrmi_json_first(json, list); p != VRMI_JSON_NONE && goes_on; p = vrmi_json_next(json, p)) {
            mark(load, vrmi_json_member(json, p, "indices"), OF_OTHERS, uses);
            goes_on = mark_object(load, vrmi_json_member(json, p, "attributes"), OF_OTHERS, uses);
            uint32_t target = vrmi_json_first(json, vrmi_json_member(json, p, "targets"));
            for (; target != VRMI_JSON_NONE && goes_on; target = vrmi_json_next(json, target)) {
                goes_on = mark_object(load, target, OF_TARGETS, uses);
            }
        }
    }
    for (uint32_t i = 0; i < load->gltf->counts[VRM_GLTF_SKINS]; ++i) {
        mark(load, vrmi_json_member(json, vrmi_load_element(load, VRM_GLTF_SKINS, i), "inverseBindMatrices"), OF_OTHERS,
            uses);
    }
    for (uint32_t i = 0; i < load->gltf->counts[VRM_GLTF_ANIMATIONS]; ++i) {
        const uint32_t list = vrmi_json_member(json, vrmi_load_element(load, VRM_GLTF_ANIMATIONS, i), "samplers");
        for (uint32_t s = vrmi_json_first(json, list); s != VRMI_JSON_NONE && goes_on; s = vrmi_json_next(json, s)) {
            goes_on = mark_object(load, s, OF_OTHERS, uses);
        }
    }
    return goes_on;
}

bool vrmi_load_accessors(vrmi_load *load)
{
    const uint32_t count = load->gltf->counts[VRM_GLTF_ACCESSORS];
    load->data->accessors = vrmi_load_alloc(load, count, sizeof(*load->data->accessors));
    uint8_t *uses = vrmi_load_alloc(load, count, 1);
    if (load->data->accessors == NULL || uses == NULL || !find_uses(load, uses)) {
        return false;
    }
    bool goes_on = true;
    for (uint32_t i = 0; i < count && goes_on; ++i) {
        vrmi_load_repair(load, uses[i] == OF_TARGETS); // unreadable morph deltas count as zero
        goes_on = read_accessor(load, i) && vrmi_load_work(load, VRMI_ELEMENT_WORK);
    }
    vrmi_load_repair(load, false);
    return goes_on;
}
