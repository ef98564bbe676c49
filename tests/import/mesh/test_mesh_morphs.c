// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Morph targets: reading their deltas, and writing vertices with the targets applied.

#include <math.h>

#include "mesh_fixture.h"

static void deltas_are_dense_or_sparse(void)
{
    vrm_gltf *gltf = load_mirrored();
    vrm_geometry_def def = default_def();
    def.tangents = VRM_TANGENTS_MISSING;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    CHECK_INT(info.target_count, 2);
    vrm_vec3 positions[6], normals[6], tangents[6];
    uint32_t vertices[6];
    vrm_morph_deltas d = {sizeof d, positions, normals, tangents, NULL, 6, 0};
    CHECK_INT(vrm_geometry_read_deltas(geometry, 0, &d), VRM_SUCCESS);
    CHECK_INT(d.count, 6);
    CHECK(positions[1].x == 5 && positions[5].x == 5 && positions[0].x == 0 && normals[3].y == 2 && tangents[4].y == 1);
    d.vertices = vertices;
    d.tangents = NULL;
    CHECK_INT(vrm_geometry_read_deltas(geometry, 0, &d), VRM_SUCCESS);
    CHECK_INT(d.count, 3);
    CHECK(vertices[0] == 1 && vertices[1] == 3 && vertices[2] == 5);
    CHECK(positions[0].x == 5 && positions[1].x == 0 && normals[1].y == 2 && positions[2].x == 5);
    d.capacity = 2;
    CHECK_INT(vrm_geometry_read_deltas(geometry, 0, &d), VRM_ERROR_LIMIT);
    CHECK_INT(d.count, 3);
    CHECK_INT(vrm_geometry_read_deltas(geometry, 1, &d), VRM_SUCCESS);
    CHECK_INT(d.count, 0);
    CHECK_INT(vrm_geometry_read_deltas(geometry, 2, &d), VRM_ERROR_INVALID_ARGUMENT);
    d.struct_size = 4;
    CHECK_INT(vrm_geometry_read_deltas(geometry, 0, &d), VRM_ERROR_INVALID_ARGUMENT);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static void write_morphed(
    const vrm_geometry *geometry, vrm_vertex_semantic semantic, const float *weights, uint32_t count)
{
    const vrm_vertex_attribute a = {semantic, 0, VRM_VERTEX_FLOAT32, 4, 0};
    const vrm_vertex_target target = {.struct_size = sizeof target,
        .memory = floats,
        .size = sizeof floats,
        .stride = sizeof floats[0],
        .attributes = &a,
        .attribute_count = 1,
        .morphs = weights,
        .morph_count = count};
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_SUCCESS);
}

// Two targets of 300 vertices (more than one chunk), in Unreal's axes. Each sum is compared with one in double.
static void vertices_are_written_with_their_morph_targets(void)
{
    enum { COUNT = 300 };
    gltf_builder b = {0};
    static float positions[COUNT * 3], normals[COUNT * 3], tangents[COUNT * 4], first[COUNT * 3], second[COUNT * 3];
    for (uint32_t i = 0; i < COUNT * 3; ++i) {
        positions[i] = (float)i * 0.25f;
        first[i] = (float)(i % 7) - 3.0f;
        second[i] = (float)(i % 5) * 0.5f;
        normals[i] = i % 3 == 2 ? 1.0f : 0.0f;
        tangents[i / 3 * 4 + i % 3] = i % 3 == 0 ? 1.0f : 0.0f;
        tangents[i / 3 * 4 + 3] = -1.0f;
    }
    gltf_builder_floats(&b, positions, COUNT * 3, COUNT, "VEC3");
    gltf_builder_floats(&b, normals, COUNT * 3, COUNT, "VEC3");
    gltf_builder_floats(&b, tangents, COUNT * 4, COUNT, "VEC4");
    gltf_builder_floats(&b, first, COUNT * 3, COUNT, "VEC3");
    gltf_builder_floats(&b, second, COUNT * 3, COUNT, "VEC3");
    add_primitive(&b, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TANGENT\":2},\"targets\":"
                      "[{\"POSITION\":3},{\"POSITION\":4,\"NORMAL\":4,\"TANGENT\":3},{\"POSITION\":3,\"NORMAL\":3}]");
    vrm_gltf *gltf = load(&b);
    vrm_basis basis;
    vrm_basis_get_preset(VRM_BASIS_UNREAL, &basis); // Unreal's x, y, z are z, -x, y in centimetres
    vrm_geometry_def def = default_def();
    def.basis = &basis;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    const float weights[5] = {0.5f, -2.0f, 0.0f, 9.0f, 9.0f}; // more weights than there are targets
    write_morphed(geometry, VRM_VERTEX_POSITION, weights, 5);
    for (uint32_t i = 0; i < COUNT; ++i) {
        double p[3];
        for (uint32_t k = 0; k < 3; ++k) {
            p[k] = (double)positions[3 * i + k] + 0.5 * (double)first[3 * i + k] - 2.0 * (double)second[3 * i + k];
        }
        CHECK_NEAR(floats[i][0], 100.0 * p[2], 1e-2);
        CHECK_NEAR(floats[i][1], -100.0 * p[0], 1e-2);
        CHECK_NEAR(floats[i][2], 100.0 * p[1], 1e-2);
    }
    write_morphed(geometry, VRM_VERTEX_NORMAL, weights, 5);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double x = -2.0 * (double)second[3 * i], y = -2.0 * (double)second[3 * i + 1],
                     z = 1.0 - 2.0 * (double)second[3 * i + 2], length = sqrt(x * x + y * y + z * z);
        check_floats(i, (float)(z / length), (float)(-x / length), (float)(y / length), 0);
    }
    write_morphed(geometry, VRM_VERTEX_TANGENT, weights, 5);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double x = 1.0 - 2.0 * (double)first[3 * i], y = -2.0 * (double)first[3 * i + 1],
                     z = -2.0 * (double)first[3 * i + 2], length = sqrt(x * x + y * y + z * z);
        check_floats(i, (float)(z / length), (float)(-x / length), (float)(y / length), 1);
    }
    write_morphed(geometry, VRM_VERTEX_POSITION, weights, 1); // only the first target
    CHECK_NEAR(floats[1][1], -100.0 * (0.75 + 0.5 * 0.0), 1e-3);
    write_morphed(geometry, VRM_VERTEX_POSITION, NULL, 5);
    CHECK_NEAR(floats[299][1], -100.0 * 897.0 * 0.25, 1e-2);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

// A program that was compiled before weights were added has a shorter struct. Memory beyond that struct is not read.
static void an_older_layout_has_no_morph_targets(void)
{
    vrm_gltf *gltf = load_mirrored();
    vrm_geometry_def def = default_def();
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    const float weights[2] = {1.0f, 1.0f};
    const vrm_vertex_attribute a = {VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 4, 0};
    const vrm_vertex_target target = {.struct_size = offsetof(vrm_vertex_target, morphs),
        .memory = floats,
        .size = sizeof floats,
        .stride = sizeof floats[0],
        .attributes = &a,
        .attribute_count = 1,
        .morphs = weights,
        .morph_count = 2};
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_SUCCESS);
    check_floats(1, 1, 0, 0, 1);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

// A triangle in the plane z = 0 whose third corner moves to (0, 1, 1): the triangle's normal rotates by 45 degrees.
static void flat_normals_follow_morph_targets(void)
{
    gltf_builder b = {0};
    const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, deltas[9] = {0, 0, 0, 0, 0, 0, 0, 0, 2};
    gltf_builder_floats(&b, triangle, 9, 3, "VEC3");
    gltf_builder_floats(&b, deltas, 9, 3, "VEC3");
    add_primitive(&b, "\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1}]");
    vrm_gltf *gltf = load(&b);
    vrm_geometry_def def = default_def();
    def.flat_normals = true;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    const float weight = 0.5f, h = (float)sqrt(0.5);
    write_morphed(geometry, VRM_VERTEX_NORMAL, &weight, 1);
    for (uint32_t i = 0; i < 3; ++i) {
        check_floats(i, 0, -h, h, 0);
    }
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"vertices_are_written_with_their_morph_targets", vertices_are_written_with_their_morph_targets},
    {"an_older_layout_has_no_morph_targets", an_older_layout_has_no_morph_targets},
    {"flat_normals_follow_morph_targets", flat_normals_follow_morph_targets},
    {"deltas_are_dense_or_sparse", deltas_are_dense_or_sparse},
};

RUN_TESTS(cases)
