// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Indices of every mode and size, flat normals and computed tangents.

#include <math.h>

#include "mesh_fixture.h"
#include "test_allocator.h"

static void indices_of_every_size_and_mode_become_lists(void)
{
    static const uint32_t wanted_strip[6] = {0, 1, 2, 1, 3, 2}, wanted_fan[6] = {1, 2, 0, 2, 3, 0},
                          wanted_list[3] = {0, 1, 2}, wanted_lines[4] = {0, 1, 2, 3};
    static const struct {
        uint32_t mode, out_mode, count;
        const uint32_t *wanted;
    } modes[] = {{4, 4, 3, wanted_list}, {5, 4, 6, wanted_strip}, {6, 4, 6, wanted_fan}, {3, 3, 4, wanted_lines},
        {0, 0, 4, wanted_lines}};
    const uint8_t bytes[4] = {0, 1, 2, 3};
    const uint16_t shorts[4] = {0, 1, 2, 3};
    const uint32_t words[4] = {0, 1, 2, 3};
    for (size_t i = 0; i < 4 * sizeof modes / sizeof modes[0]; ++i) {
        gltf_builder b = {0};
        char json[128];
        gltf_builder_floats(&b, square, 12, 4, "VEC3");
        if (i % 4 == 0) {
            gltf_builder_accessor(&b, bytes, 4, 5121, 4, "SCALAR", "");
        } else if (i % 4 == 1) {
            gltf_builder_accessor(&b, shorts, 8, 5123, 4, "SCALAR", "");
        } else if (i % 4 == 2) {
            gltf_builder_accessor(&b, words, 16, 5125, 4, "SCALAR", "");
        }
        snprintf(json, sizeof json, "\"mode\":%u,\"attributes\":{\"POSITION\":0}%s", modes[i / 4].mode,
            i % 4 == 3 ? "" : ",\"indices\":1");
        add_primitive(&b, json);
        vrm_gltf *gltf = load(&b);
        vrm_geometry_def def = default_def();
        vrm_geometry_info info;
        vrm_geometry *geometry = make(gltf, &def, &info);
        CHECK_INT(info.mode, modes[i / 4].out_mode);
        check_drawn(geometry, modes[i / 4].wanted, modes[i / 4].count);
        vrm_geometry_destroy(geometry);
        // Replaces the file's tangents by computed ones.
        const uint32_t own[5] = {3, 2, 1, 0, 0};
        def.indices = own;
        def.index_count = 5;
        def.mode = 4;
        geometry = make(gltf, &def, &info);
        check_drawn(geometry, own, 3);
        uint16_t small[3];
        CHECK_INT(vrm_geometry_write_indices(geometry, 2, small, sizeof small), VRM_SUCCESS);
        CHECK(small[0] == 3 && small[1] == 2 && small[2] == 1);
        vrm_geometry_destroy(geometry);
        vrm_gltf_destroy(gltf);
    }
}

static void two_bytes_hold_65536_vertices(void)
{
    for (uint32_t count = 65536; count <= 65537; ++count) {
        gltf_builder b = {0};
        gltf_builder_add(&b, "accessors", "{\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}", count);
        add_primitive(&b, "\"mode\":0,\"attributes\":{\"POSITION\":0}");
        vrm_gltf *gltf = load(&b);
        vrm_geometry_def def = default_def();
        vrm_geometry_info info;
        vrm_geometry *geometry = make(gltf, &def, &info);
        uint16_t *indices = malloc(count * sizeof *indices);
        CHECK_INT(vrm_geometry_write_indices(geometry, 2, indices, count * sizeof *indices),
            count == 65536 ? VRM_SUCCESS : VRM_ERROR_LIMIT);
        CHECK(count != 65536 || indices[65535] == 65535);
        free(indices);
        vrm_geometry_destroy(geometry);
        vrm_gltf_destroy(gltf);
    }
}

static void flat_normals_are_those_of_the_triangles(void)
{
    gltf_builder b = {0};
    // A valley: two slopes rise at 45 degrees from a common edge.
    const float roof[12] = {0, 0, 0, 0, 0, -1, 1, 1, 0, -1, 1, 0};
    const uint16_t indices[6] = {0, 2, 1, 0, 1, 3};
    const float uvs[8] = {0, 0, 0, 1, 1, 0, 1, 0};
    gltf_builder_floats(&b, roof, 12, 4, "VEC3");
    gltf_builder_accessor(&b, indices, 12, 5123, 6, "SCALAR", "");
    gltf_builder_floats(&b, uvs, 8, 4, "VEC2");
    gltf_builder_floats(&b, roof, 12, 4, "VEC3");
    add_primitive(&b, "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":2},\"indices\":1,\"targets\":[{\"POSITION\":3}]");
    vrm_gltf *gltf = load(&b);
    vrm_geometry_def def = default_def();
    def.flat_normals = true;
    def.tangents = VRM_TANGENTS_MISSING;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    CHECK(info.vertex_count == 6 && info.index_count == 6 && info.has_normals && info.has_tangents);
    const float h = (float)sqrt(0.5);
    read_floats(geometry, VRM_VERTEX_NORMAL, 0);
    for (uint32_t v = 0; v < 6; ++v) {
        check_floats(v, v < 3 ? -h : h, h, 0, 0);
    }
    read_floats(geometry, VRM_VERTEX_TANGENT, 0);
    check_floats(0, h, h, 0, -1); // u grows up the slope
    check_floats(3, -h, h, 0, 1);
    read_floats(geometry, VRM_VERTEX_POSITION, 0);
    check_floats(1, 1, 1, 0, 1);
    check_floats(5, -1, 1, 0, 1);
    vrm_vec3 deltas[6];
    vrm_morph_deltas read = {.struct_size = sizeof read, .positions = deltas, .capacity = 6};
    CHECK_INT(vrm_geometry_read_deltas(geometry, 0, &read), VRM_SUCCESS);
    CHECK(deltas[1].x == 1 && deltas[5].x == -1);
    vrm_geometry_destroy(geometry);
    def.flat_normals = false;
    geometry = make(gltf, &def, &info);
    CHECK(info.vertex_count == 4 && !info.has_normals && !info.has_tangents);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static void made_tangents_split_vertices(void)
{
    vrm_gltf *gltf = load_mirrored();
    vrm_geometry_def def = default_def();
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    CHECK(info.vertex_count == 4 && !info.has_tangents);
    vrm_geometry_destroy(geometry);
    def.tangents = VRM_TANGENTS_MISSING;
    geometry = make(gltf, &def, &info);
    CHECK(info.vertex_count == 6 && info.has_tangents);
    const uint32_t wanted[6] = {0, 1, 2, 4, 5, 3};
    check_drawn(geometry, wanted, 6);
    read_floats(geometry, VRM_VERTEX_TANGENT, 0);
    check_floats(0, 1, 0, 0, -1);
    check_floats(1, 1, 0, 0, -1);
    check_floats(3, 0, -1, 0, 1); // in the other triangle, u grows towards the vertex below the right angle
    check_floats(4, 0, -1, 0, 1);
    read_floats(geometry, VRM_VERTEX_POSITION, 0);
    check_floats(4, 0, 1, 0, 1);
    check_floats(5, 1, 0, 0, 1);
    vrm_geometry_destroy(geometry);
    def.primitive = 1; // this primitive's tangents come from the file
    geometry = make(gltf, &def, &info);
    read_floats(geometry, VRM_VERTEX_TANGENT, 0);
    check_floats(0, 0, 1, 0, 1);
    vrm_geometry_destroy(geometry);
    def.tangents = VRM_TANGENTS_MADE;
    geometry = make(gltf, &def, &info);
    read_floats(geometry, VRM_VERTEX_TANGENT, 0);
    check_floats(0, 1, 0, 0, -1);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static void tangents_are_made_for_the_normal_map_s_uvs(void)
{
    gltf_builder b = {0};
    const float normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    const float across[8] = {0, 0, 1, 0, 0, 1, 1, 1}, up[8] = {0, 0, 0, 1, 1, 0, 1, 1};
    gltf_builder_floats(&b, square, 12, 4, "VEC3");
    gltf_builder_floats(&b, normals, 12, 4, "VEC3");
    gltf_builder_floats(&b, across, 8, 4, "VEC2");
    gltf_builder_floats(&b, up, 8, 4, "VEC2");
    add_primitive(&b, "\"mode\":5,\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,\"TEXCOORD_1\":3}");
    vrm_gltf *gltf = load(&b);
    vrm_geometry_def def = default_def();
    def.tangents = VRM_TANGENTS_MISSING;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    CHECK_INT(info.vertex_count, 4);
    read_floats(geometry, VRM_VERTEX_TANGENT, 0);
    check_floats(2, 1, 0, 0, -1);
    vrm_geometry_destroy(geometry);
    def.tangent_tex_coord = 1;
    geometry = make(gltf, &def, &info);
    read_floats(geometry, VRM_VERTEX_TANGENT, 0);
    check_floats(2, 0, 1, 0, 1);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static void running_out_of_memory_leaks_nothing(void)
{
    vrm_gltf *gltf = load_mirrored();
    vrm_geometry_def def = default_def();
    def.tangents = VRM_TANGENTS_MISSING;
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    uint64_t failures = 0;
    for (; result != VRM_SUCCESS && failures < 100; ++failures) {
        test_allocator state;
        def.allocator = test_allocator_make(&state);
        state.fail_at = failures;
        vrm_geometry *geometry;
        result = vrm_geometry_create(gltf, &def, NULL, &geometry);
        CHECK(result == VRM_SUCCESS || (result == VRM_ERROR_OUT_OF_MEMORY && geometry == NULL));
        vrm_geometry_destroy(geometry);
        CHECK(state.live == 0 && state.wrong == 0);
    }
    CHECK_INT(failures, 10); // each of the nine allocations failed once, then the call succeeded
    vrm_gltf_destroy(gltf);
}

// The product of the triangle's sides is infinite. Fuzzing found that a NaN was converted to an integer.
static void normals_of_huge_triangles_are_numbers(void)
{
    const float huge[9] = {0, 0, 0, 1e30f, 0, 0, 0, 1e30f, 0}; // the cross product is infinitely long
    gltf_builder b = {0};
    gltf_builder_floats(&b, huge, 9, 3, "VEC3");
    gltf_builder_add(&b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}");
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    free(glb);
    vrm_geometry *geometry = NULL;
    vrm_geometry_def def;
    vrm_geometry_def_default(&def);
    def.flat_normals = true;
    CHECK_INT(vrm_geometry_create(gltf, &def, NULL, &geometry), VRM_SUCCESS);
    struct {
        float normal[3];
        int16_t small[4];
    } vertices[3];
    const vrm_vertex_attribute attributes[] = {
        {VRM_VERTEX_NORMAL, 0, VRM_VERTEX_FLOAT32, 3, 0}, {VRM_VERTEX_NORMAL, 0, VRM_VERTEX_SNORM16, 3, 12}};
    const vrm_vertex_target target = {.struct_size = sizeof target,
        .memory = vertices,
        .size = sizeof vertices,
        .stride = sizeof vertices[0],
        .attributes = attributes,
        .attribute_count = 2};
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_SUCCESS);
    for (int i = 0; i < 3; ++i) {
        const float *n = vertices[i].normal;
        CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-5);
        CHECK_INT(vertices[i].small[2], 32767);
    }
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"indices_of_every_size_and_mode_become_lists", indices_of_every_size_and_mode_become_lists},
    {"two_bytes_hold_65536_vertices", two_bytes_hold_65536_vertices},
    {"flat_normals_are_those_of_the_triangles", flat_normals_are_those_of_the_triangles},
    {"made_tangents_split_vertices", made_tangents_split_vertices},
    {"tangents_are_made_for_the_normal_map_s_uvs", tangents_are_made_for_the_normal_map_s_uvs},
    {"normals_of_huge_triangles_are_numbers", normals_of_huge_triangles_are_numbers},
    {"running_out_of_memory_leaks_nothing", running_out_of_memory_leaks_nothing},
};

RUN_TESTS(cases)
