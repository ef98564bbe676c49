// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "validate/run.h"

// Checks accessors and buffer views: their JSON, their uses and their layout in memory.

static const struct {
    const char *name;
    uint8_t components, rows;
} types[] = {
    {"SCALAR", 1, 1}, {"VEC2", 2, 2}, {"VEC3", 3, 3}, {"VEC4", 4, 4}, {"MAT2", 4, 2}, {"MAT3", 9, 3}, {"MAT4", 16, 4}};

enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

// --- usage -----------------------------------------------------------------------------------------------------------

void vrmi_use_view(vrmi_run *run, int32_t view, vrmi_view_usage usage, uint32_t value, const char *key)
{
    static const char *const names[] = {"", "vertex indices", "vertices", "something else"};
    if (view < 0) {
        return;
    }
    vrmi_view_row *row = &run->views[view];
    if (row->usage == VRMI_VIEW_NONE) {
        row->usage = (uint8_t)usage;
    } else if (row->usage != usage) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_BUFFER_VIEW_TARGET_OVERRIDE, value, key, names[usage], names[row->usage]);
    }
}

void vrmi_use_accessor(vrmi_run *run, int32_t accessor, vrmi_accessor_usage usage, uint32_t value, const char *key)
{
    static const char *const names[] = {
        "", "vertex indices", "attribute", "inverse bind matrices", "animation times", "animation values"};
    static const vrmi_view_usage views[] = {
        VRMI_VIEW_NONE, VRMI_VIEW_INDICES, VRMI_VIEW_VERTICES, VRMI_VIEW_OTHER, VRMI_VIEW_OTHER, VRMI_VIEW_OTHER};
    if (accessor < 0) {
        return;
    }
    vrmi_accessor_row *row = &run->accessors[accessor];
    if (row->usage == VRMI_USAGE_NONE) {
        row->usage = (uint8_t)usage;
    } else if (row->usage != usage) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_ACCESSOR_USAGE_OVERRIDE, value, key, names[usage], names[row->usage]);
    }
    vrmi_use_view(run, row->view, views[usage], value, key);
}

void vrmi_forbid_stride(vrmi_run *run, int32_t accessor, vrm_finding_id id, uint32_t value, const char *key)
{
    const int32_t view = accessor >= 0 ? run->accessors[accessor].view : -1;
    if (view >= 0 && run->views[view].stride != 0) {
        vrmi_reader_report(&run->reader, id, value, key, NULL, NULL);
    }
}

// --- views -----------------------------------------------------------------------------------------------------------

// Checks that a view is within its buffer. The JSON numbers may be large, so doubles are used.
static void check_view_length(vrmi_run *run, uint32_t object)
{
    const int32_t buffer = vrmi_run_member_index(run, object, "buffer", VRM_GLTF_BUFFERS);
    double offset = 0, length = 0, size = 0;
    if (buffer < 0) {
        return;
    }
    const uint32_t owner = vrmi_gltf_element(run->gltf, VRM_GLTF_BUFFERS, (uint32_t)buffer);
    vrmi_json_number(run->json, vrmi_json_member(run->json, object, "byteOffset"), &offset);
    if (vrmi_json_number(run->json, vrmi_json_member(run->json, object, "byteLength"), &length) &&
        vrmi_json_number(run->json, vrmi_json_member(run->json, owner, "byteLength"), &size) &&
        offset + length > size) {
        vrmi_reader_report(&run->reader, VRM_FINDING_BUFFER_VIEW_TOO_LONG, object, "byteLength", NULL, NULL);
    }
}

static void read_view(vrmi_run *run, uint32_t index)
{
    vrmi_view_row *row = &run->views[index];
    row->json = vrmi_gltf_element(run->gltf, VRM_GLTF_BUFFER_VIEWS, index);
    const uint32_t stride = vrmi_run_uint(run, row->json, "byteStride", 0);
    row->stride = stride >= 4 && stride <= 252 ? stride : 0;
    row->offset = vrmi_run_uint(run, row->json, "byteOffset", 0);
    row->target = vrmi_run_uint(run, row->json, "target", 0);
    row->vertex_accessor = -1;
    const uint32_t length = vrmi_run_uint(run, row->json, "byteLength", UINT32_MAX);
    if (row->target == ARRAY_BUFFER) {
        row->usage = VRMI_VIEW_VERTICES;
    } else if (row->target == ELEMENT_ARRAY_BUFFER) {
        row->usage = VRMI_VIEW_INDICES;
        if (row->stride != 0) {
            vrmi_reader_report(
                &run->reader, VRM_FINDING_BUFFER_VIEW_INVALID_BYTE_STRIDE, row->json, "byteStride", NULL, NULL);
        }
    } else if (row->target != 0) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_VALUE_NOT_IN_LIST,
            vrmi_json_member(run->json, row->json, "target"), "34962 or 34963");
    }
    check_view_length(run, row->json);
    if (stride > length) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_BUFFER_VIEW_TOO_BIG_BYTE_STRIDE, row->json, "byteStride", NULL, NULL);
    }
    if (stride % 4 != 0) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_VALUE_MULTIPLE_OF,
            vrmi_json_member(run->json, row->json, "byteStride"), "a multiple of 4");
    }
}

// --- accessors -------------------------------------------------------------------------------------------------------

static uint32_t component_size(const vrmi_accessor_row *row)
{
    return vrmi_component_size(row->component_type);
}

// Checks that the data starts at a multiple of the component size.
static void check_alignment(vrmi_run *run, uint32_t object, int32_t view, uint32_t offset, uint32_t size)
{
    if (size == 0 || view < 0) {
        return;
    }
    if (offset % size != 0) {
        vrmi_reader_report(&run->reader, VRM_FINDING_ACCESSOR_OFFSET_ALIGNMENT, object, "byteOffset", NULL, NULL);
    }
    if (((uint64_t)run->views[view].offset + offset) % size != 0) {
        vrmi_reader_report(&run->reader, VRM_FINDING_ACCESSOR_TOTAL_OFFSET_ALIGNMENT, object, "byteOffset", NULL, NULL);
    }
}

static void check_sparse_part(vrmi_run *run, uint32_t part, uint32_t size)
{
    const int32_t view = vrmi_run_member_index(run, part, "bufferView", VRM_GLTF_BUFFER_VIEWS);
    if (view < 0) {
        return;
    }
    vrmi_use_view(run, view, VRMI_VIEW_OTHER, part, "bufferView");
    if (run->views[view].stride != 0) {
        vrmi_reader_report(&run->reader, VRM_FINDING_BUFFER_VIEW_INVALID_BYTE_STRIDE, part, "bufferView", NULL, NULL);
    }
    check_alignment(run, part, view, vrmi_run_uint(run, part, "byteOffset", 0), size);
}

// Checks the length and the numbers of min or max. Returns true if the array can be compared with values.
static bool check_bounds_length(vrmi_run *run, const vrmi_accessor_row *row, const char *key)
{
    const uint32_t array = vrmi_json_member(run->json, row->json, key);
    char found[32], expected[32];
    if (!vrmi_json_is(run->json, array, VRMI_JSON_ARRAY) || row->components == 0 || row->component_type == 0) {
        return false;
    }
    if (vrmi_json_count(run->json, array) != row->components) {
        vrmi_reader_report(&run->reader, VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST, array, NULL,
            vrmi_format(found, sizeof(found), "%u elements", vrmi_json_count(run->json, array)),
            vrmi_format(expected, sizeof(expected), "%u numbers", (unsigned)row->components));
        return false;
    }
    for (uint32_t e = vrmi_json_first(run->json, array); e != VRMI_JSON_NONE; e = vrmi_json_next(run->json, e)) {
        double number;
        if (!vrmi_json_is(run->json, e, VRMI_JSON_NUMBER) || !vrmi_json_number(run->json, e, &number)) {
            return false;
        }
        if (row->component_type != VRMI_GL_FLOAT &&
            !(number > -9e15 && number < 9e15 && (double)(int64_t)number == number)) {
            vrmi_reader_report_value(&run->reader, VRM_FINDING_ARRAY_TYPE_MISMATCH, e, "a whole number");
            return false;
        }
    }
    return true;
}

static void read_accessor(vrmi_run *run, uint32_t index)
{
    const vrmi_json *json = run->json;
    vrmi_accessor_row *row = &run->accessors[index];
    row->json = vrmi_gltf_element(run->gltf, VRM_GLTF_ACCESSORS, index);
    row->count = vrmi_run_uint(run, row->json, "count", 0);
    row->component_type = vrmi_run_uint(run, row->json, "componentType", 0);
    row->component_type = component_size(row) != 0 ? row->component_type : 0;
    row->normalized = vrmi_json_is(json, vrmi_json_member(json, row->json, "normalized"), VRMI_JSON_TRUE);
    row->view = vrmi_run_member_index(run, row->json, "bufferView", VRM_GLTF_BUFFER_VIEWS);
    row->offset = vrmi_run_uint(run, row->json, "byteOffset", 0);
    const uint32_t type = vrmi_json_member(json, row->json, "type");
    bool matrix = false;
    for (size_t i = 0; i < VRMI_COUNT_OF(types); ++i) {
        if (vrmi_json_is(json, type, VRMI_JSON_STRING) && vrmi_json_string_equal(json, type, types[i].name)) {
            row->components = types[i].components;
            row->columns = (uint8_t)(types[i].components / types[i].rows);
            matrix = row->columns > 1;
        }
    }
    check_alignment(run, row->json, row->view, row->offset, component_size(row));
    row->has_min = check_bounds_length(run, row, "min");
    row->has_max = check_bounds_length(run, row, "max");
    if (matrix && row->view >= 0 && row->offset % 4 != 0) {
        vrmi_reader_report(&run->reader, VRM_FINDING_ACCESSOR_MATRIX_ALIGNMENT, row->json, "byteOffset", NULL, NULL);
    }
    const uint32_t sparse = vrmi_json_member(json, row->json, "sparse");
    const uint32_t indices = vrmi_json_member(json, sparse, "indices");
    row->sparse = vrmi_json_is(json, sparse, VRMI_JSON_OBJECT);
    check_sparse_part(run, indices, vrmi_component_size(vrmi_run_uint(run, indices, "componentType", 0)));
    check_sparse_part(run, vrmi_json_member(json, sparse, "values"), component_size(row));
}

void vrmi_validate_accessors(vrmi_run *run)
{
    const uint32_t views = run->gltf->counts[VRM_GLTF_BUFFER_VIEWS];
    const uint32_t accessors = run->gltf->counts[VRM_GLTF_ACCESSORS];
    run->views = vrmi_run_alloc(run, views, sizeof(*run->views));
    run->accessors = vrmi_run_alloc(run, accessors, sizeof(*run->accessors));
    if (run->views == NULL || run->accessors == NULL) {
        return;
    }
    for (uint32_t i = 0; i < views; ++i) {
        read_view(run, i);
    }
    for (uint32_t i = 0; i < accessors; ++i) {
        read_accessor(run, i);
    }
}
