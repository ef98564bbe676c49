// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// New values for accessors overwrite the file's bytes where possible, and nothing else changes.

#include "format/edit/edit_accessor.h"

#include "gltf_builder.h"
#include "test.h"
#include "test_allocator.h"

enum { COUNT = 3 };
enum { INTERLEAVED_A, INTERLEAVED_B, ALONE, TWICE_A, TWICE_B, SPARSE, SPARSE_OVER, SHORTS }; // accessors

static uint8_t *make(size_t *out_size)
{
    gltf_builder b = {0};
    float both[COUNT * 6], alone[COUNT * 3];
    for (int i = 0; i < COUNT * 6; ++i) {
        both[i] = (float)i;
    }
    for (int i = 0; i < COUNT * 3; ++i) {
        alone[i] = (float)-i;
    }
    const uint8_t index = 1;
    const float value[3] = {7, 8, 9};
    const uint16_t shorts[COUNT * 4] = {0};
    const uint32_t view = gltf_builder_view(&b, both, sizeof both, ",\"byteStride\":24");
    for (int i = 0; i < 2; ++i) {
        gltf_builder_add(&b, "accessors",
            "{\"bufferView\":%u,\"byteOffset\":%d,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}", view, i * 12);
    }
    gltf_builder_accessor(&b, alone, sizeof alone, 5126, COUNT, "VEC3", ",\"min\":[-6,-7,-8],\"max\":[0,-1,-2]");
    const uint32_t twice = gltf_builder_view(&b, alone, sizeof alone, "");
    for (int i = 0; i < 2; ++i) {
        gltf_builder_add(
            &b, "accessors", "{\"bufferView\":%u,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"}", twice, 3 - i);
    }
    const uint32_t index_view = gltf_builder_view(&b, &index, 1, "");
    const uint32_t value_view = gltf_builder_view(&b, value, sizeof value, "");
    gltf_builder_add(&b, "accessors",
        "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":%u,"
        "\"componentType\":5121},\"values\":{\"bufferView\":%u}}}",
        index_view, value_view);
    const uint32_t base = gltf_builder_view(&b, alone, sizeof alone, "");
    const uint32_t over = gltf_builder_view(&b, value, sizeof value, "");
    const uint32_t over_index = gltf_builder_view(&b, &index, 1, "");
    gltf_builder_add(&b, "accessors",
        "{\"bufferView\":%u,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{"
        "\"bufferView\":%u,\"componentType\":5121},\"values\":{\"bufferView\":%u}}}",
        base, over_index, over);
    gltf_builder_accessor(&b, shorts, sizeof shorts, 5123, COUNT, "VEC4", "");
    uint8_t *glb = gltf_builder_glb(&b, out_size);
    gltf_builder_free(&b);
    return glb;
}

static vrm_gltf *load(const void *bytes, size_t size)
{
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, bytes, size, NULL, &gltf), VRM_SUCCESS);
    return gltf;
}

static vrm_gltf *saved(const vrm_gltf *gltf, size_t *out_size)
{
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
    vrm_gltf *again = load(bytes.data, bytes.size);
    *out_size = bytes.size;
    vrm_bytes_free(&bytes);
    return again;
}

// Overwrites one accessor; all others must stay unchanged.
static void overwritten(void)
{
    static const struct {
        uint32_t accessor;
        bool possible;
    } rows[] = {{INTERLEAVED_A, true}, {INTERLEAVED_B, true}, {ALONE, true}, {TWICE_A, false}, {TWICE_B, false},
        {SPARSE, false}, {SPARSE_OVER, true}, {SHORTS, false}};
    float values[COUNT * 4];
    for (int i = 0; i < COUNT * 4; ++i) {
        values[i] = 0.1f * (float)(i + 1) * (i % 2 == 0 ? 1.0f : -1.0f);
    }
    size_t size;
    uint8_t *bytes = make(&size);
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; ++row) {
        vrm_gltf *gltf = load(bytes, size);
        bool done = !rows[row].possible;
        CHECK_INT(vrmi_gltf_overwrite_floats(gltf, rows[row].accessor, values, &done), VRM_SUCCESS);
        CHECK_INT(done, rows[row].possible);
        size_t new_size;
        vrm_gltf *again = saved(gltf, &new_size);
        CHECK(done ? new_size < size + 64 : new_size == size); // only the bounds in the JSON may make the file larger
        for (uint32_t a = 0; a < vrm_gltf_get_count(again, VRM_GLTF_ACCESSORS); ++a) {
            float before[16], after[16];
            vrm_gltf_accessor info = {.struct_size = sizeof info};
            CHECK_INT(vrm_gltf_get_accessor(again, a, &info), VRM_SUCCESS);
            CHECK_INT(vrm_gltf_read_floats(gltf, a, 0, info.count, before), VRM_SUCCESS);
            CHECK_INT(vrm_gltf_read_floats(again, a, 0, info.count, after), VRM_SUCCESS);
            const float *wanted = done && a == rows[row].accessor ? values : before;
            CHECK(memcmp(wanted, after, (size_t)info.count * info.components * sizeof(float)) == 0);
        }
        vrm_gltf_destroy(again);
        vrm_gltf_destroy(gltf);
    }
    free(bytes);
}

static void check_json(const vrm_gltf *gltf, const char *pointer, const char *expected)
{
    vrm_string text;
    CHECK_INT(vrm_gltf_get_json(gltf, pointer, &text), VRM_SUCCESS);
    CHECK(text.length == strlen(expected) && memcmp(text.data, expected, text.length) == 0);
}

static void bounds_follow(void)
{
    size_t size;
    uint8_t *bytes = make(&size);
    vrm_gltf *gltf = load(bytes, size);
    const float values[COUNT * 3] = {1, 5, -3, 2, 4, -2.5f, 3, 6, -4};
    bool done = false;
    CHECK_INT(vrmi_gltf_overwrite_floats(gltf, ALONE, values, &done), VRM_SUCCESS);
    CHECK(done);
    check_json(gltf, "/accessors/2/min", "[1,4,-4]");
    check_json(gltf, "/accessors/2/max", "[3,6,-2.5]");
    vrm_gltf_destroy(gltf);
    free(bytes);
}

static void sparse_zeros(void)
{
    size_t size, new_size;
    uint8_t *bytes = make(&size);
    vrm_gltf *gltf = load(bytes, size);
    const float values[COUNT * 3] = {0, 0, 0, 1, 2, 3, 0, 0, 0};
    float after[COUNT * 3];
    bool done = false;
    CHECK_INT(vrmi_gltf_overwrite_floats(gltf, SPARSE, values, &done), VRM_SUCCESS);
    CHECK(done);
    vrm_gltf *again = saved(gltf, &new_size);
    CHECK_INT(new_size, size);
    CHECK_INT(vrm_gltf_read_floats(again, SPARSE, 0, COUNT, after), VRM_SUCCESS);
    CHECK(memcmp(values, after, sizeof values) == 0);
    vrm_gltf_destroy(again);
    vrm_gltf_destroy(gltf);
    free(bytes);
}

static void appended(void)
{
    size_t size, new_size;
    uint8_t *bytes = make(&size);
    vrm_gltf *gltf = load(bytes, size);
    const float values[COUNT * 3] = {1, 5, -3, 2, 4, -2.5f, 3, 6, -4};
    const uint32_t indices[3] = {0, 65534, 2};
    uint32_t floats = 0, narrow = 0, wide = 0;
    const vrmi_floats def = {.values = values, .count = 3, .components = 3, .bounds = true, .target = 34962};
    CHECK_INT(vrmi_gltf_append_floats(gltf, &def, &floats), VRM_SUCCESS);
    CHECK_INT(vrmi_gltf_append_indices(gltf, indices, 3, 65535, &narrow), VRM_SUCCESS);
    CHECK_INT(vrmi_gltf_append_indices(gltf, indices, 3, 65536, &wide), VRM_SUCCESS);
    CHECK_INT(vrmi_gltf_append_indices(gltf, indices, 0, 3, &wide), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrmi_gltf_append_floats(gltf, &(vrmi_floats){.values = values, .count = 1, .components = 5}, &floats),
        VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(narrow, floats + 1);
    CHECK_INT(wide, floats + 2);
    vrm_gltf *again = saved(gltf, &new_size);
    float read[COUNT * 3];
    uint32_t read_indices[3];
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    CHECK_INT(vrm_gltf_read_floats(again, floats, 0, 3, read), VRM_SUCCESS);
    CHECK(memcmp(values, read, sizeof values) == 0);
    check_json(again, "/accessors/8/min", "[1,4,-4]");
    check_json(again, "/bufferViews/9/target", "34962");
    CHECK_INT(vrm_gltf_get_accessor(again, narrow, &info), VRM_SUCCESS);
    CHECK_INT(info.component_type, 5123);
    CHECK_INT(vrm_gltf_get_accessor(again, wide, &info), VRM_SUCCESS);
    CHECK_INT(info.component_type, 5125);
    for (uint32_t i = narrow; i <= wide; ++i) {
        CHECK_INT(vrm_gltf_read_uints(again, i, 0, 3, read_indices), VRM_SUCCESS);
        CHECK(memcmp(indices, read_indices, sizeof indices) == 0);
    }
    vrm_gltf_destroy(again);
    vrm_gltf_destroy(gltf);
    free(bytes);
}

static void without_memory(void)
{
    size_t size;
    uint8_t *bytes = make(&size);
    const float values[COUNT * 3] = {1, 5, -3, 2, 4, -2.5f, 3, 6, -4};
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    for (uint64_t fail_at = 0; result == VRM_ERROR_OUT_OF_MEMORY && fail_at < 200; ++fail_at) {
        test_allocator memory;
        vrm_gltf_def def;
        vrm_gltf_def_default(&def);
        def.allocator = test_allocator_make(&memory);
        vrm_gltf *gltf = NULL;
        uint32_t accessor = 0;
        bool done = false;
        CHECK_INT(vrm_gltf_load(&def, bytes, size, NULL, &gltf), VRM_SUCCESS);
        memory.fail_at = memory.calls + fail_at;
        result = vrmi_gltf_overwrite_floats(gltf, ALONE, values, &done);
        const vrmi_floats floats = {.values = values, .count = 3, .components = 3};
        result = result == VRM_SUCCESS ? vrmi_gltf_append_floats(gltf, &floats, &accessor) : result;
        vrm_gltf_destroy(gltf);
        CHECK_INT(memory.live_blocks, 0);
        CHECK_INT(memory.wrong, 0);
    }
    CHECK_INT(result, VRM_SUCCESS);
    free(bytes);
}

static const test_case cases[] = {
    {"overwritten", overwritten},
    {"bounds_follow", bounds_follow},
    {"sparse_zeros", sparse_zeros},
    {"appended", appended},
    {"without_memory", without_memory},
};

RUN_TESTS(cases)
