// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Vertices written in a host's own layout: formats, joints, weights, and layouts that are refused.

#include "mesh_fixture.h"

typedef struct host_vertex {
    uint16_t half[4];
    int8_t normal[4];
    uint16_t uv[2];
    uint8_t color[4];
    uint8_t joints[4];
    uint8_t weights[4];
    uint8_t own[4]; // belongs to the host and must not be written
} host_vertex;

static vrm_gltf *load_dressed(void)
{
    gltf_builder b = {0};
    const float positions[12] = {1, -2, 0.5f, 65504, 1e-7f, 6e-8f, 0.1f, 1e6f, -1e-9f, 0, 0, 0};
    const float normals[12] = {1, 0, 0, 0, -1, 0, 0, 0, 1, 0.6f, 0.8f, 0};
    const float uvs[8] = {0, 1, 0.5f, 0.25f, -1, 2, 0.1f, 0.9f};
    const uint8_t joints[16] = {3, 1, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 250, 0, 0, 0};
    const float weights[16] = {0.335f, 0.335f, 0.33f, 0, 1, 0, 0, 0, 0.25f, 0.25f, 0.25f, 0.25f, 0.5f, 0, 0, 0};
    const float more_weights[16] = {0, 0.1f, 0.4f, 0.2f, 0, 0, 0, 0, 0, 0, 0, 0, 0.25f, 0, 0, 0};
    const uint8_t more_joints[16] = {9, 10, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0};
    gltf_builder_floats(&b, positions, 12, 4, "VEC3");
    gltf_builder_floats(&b, normals, 12, 4, "VEC3");
    gltf_builder_floats(&b, uvs, 8, 4, "VEC2");
    gltf_builder_accessor(&b, joints, 16, 5121, 4, "VEC4", "");
    gltf_builder_floats(&b, weights, 16, 4, "VEC4");
    gltf_builder_accessor(&b, more_joints, 16, 5121, 4, "VEC4", "");
    gltf_builder_floats(&b, more_weights, 16, 4, "VEC4");
    add_primitive(&b,
        "\"mode\":0,\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,\"JOINTS_0\":3,\"WEIGHTS_0\":4,"
        "\"JOINTS_1\":5,\"WEIGHTS_1\":6}");
    return load(&b);
}

static const vrm_vertex_attribute host_layout[] = {
    {VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT16, 4, offsetof(host_vertex, half)},
    {VRM_VERTEX_NORMAL, 0, VRM_VERTEX_SNORM8, 3, offsetof(host_vertex, normal)},
    {VRM_VERTEX_TEX_COORD, 0, VRM_VERTEX_UNORM16, 2, offsetof(host_vertex, uv)},
    {VRM_VERTEX_COLOR, 0, VRM_VERTEX_UNORM8, 4, offsetof(host_vertex, color)},
    {VRM_VERTEX_JOINTS, 0, VRM_VERTEX_UINT8, 4, offsetof(host_vertex, joints)},
    {VRM_VERTEX_WEIGHTS, 0, VRM_VERTEX_UNORM8, 4, offsetof(host_vertex, weights)},
};

static void vertices_have_the_host_s_formats(void)
{
    vrm_gltf *gltf = load_dressed();
    vrm_geometry_def def = default_def();
    def.joint_count = 200;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    CHECK_INT(info.joint_sets, 2);
    host_vertex out[4];
    memset(out, 0xEE, sizeof out);
    const vrm_vertex_target target = {.struct_size = sizeof target,
        .memory = out,
        .size = sizeof out,
        .stride = sizeof out[0],
        .attributes = host_layout,
        .attribute_count = 6};
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_SUCCESS);
    // IEEE 754 halves. First 1, -2 and 0.5. Then the largest, 1e-7 and 6e-8, which are 1.68 and 1.007 times the
    // smallest. Then 0.1, a number that is too large, and one that is too small.
    const uint16_t halves[3][4] = {
        {0x3C00, 0xC000, 0x3800, 0x3C00}, {0x7BFF, 0x0002, 0x0001, 0x3C00}, {0x2E66, 0x7C00, 0x8000, 0x3C00}};
    for (int v = 0; v < 3; ++v) {
        for (int c = 0; c < 4; ++c) {
            CHECK_INT(out[v].half[c], halves[v][c]);
        }
    }
    CHECK(out[0].normal[0] == 127 && out[1].normal[1] == -127 && out[3].normal[0] == 76 && out[3].normal[1] == 102);
    CHECK_INT((uint8_t)out[0].normal[3], 0xEE);
    CHECK(out[1].uv[0] == 32768 && out[1].uv[1] == 16384 && out[2].uv[0] == 0 && out[2].uv[1] == 65535);
    CHECK(out[0].color[0] == 255 && out[0].color[3] == 255);
    CHECK(out[0].joints[0] == 3 && out[0].joints[1] == 1 && out[0].joints[2] == 2);
    CHECK_INT(out[3].joints[0], 0); // a joint beyond the palette is written as 0
    CHECK_INT(out[3].weights[0], 128);
    for (int v = 0; v < 3; ++v) { // 0.335 * 255 is 85.4: rounded one by one, the sum would be 254
        CHECK_INT(out[v].weights[0] + out[v].weights[1] + out[v].weights[2] + out[v].weights[3], 255);
        CHECK_INT(out[v].own[0], 0xEE);
    }
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static void joints_begin_where_the_palette_does(void)
{
    vrm_gltf *gltf = load_dressed();
    vrm_geometry_def def = default_def();
    def.first_joint = 100;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    read_floats(geometry, VRM_VERTEX_JOINTS, 0);
    check_floats(0, 103, 101, 102, 100);
    check_floats(3, 350, 100, 100, 100);
    uint8_t small[4][4];
    const vrm_vertex_attribute joints = {VRM_VERTEX_JOINTS, 0, VRM_VERTEX_UINT8, 4, 0};
    const vrm_vertex_target target = {.struct_size = sizeof target,
        .memory = small,
        .size = sizeof small,
        .stride = 4,
        .attributes = &joints,
        .attribute_count = 1};
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_ERROR_LIMIT);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static void four_of_eight_joints_are_kept(void)
{
    vrm_gltf *gltf = load_dressed();
    vrm_geometry_def def = default_def();
    def.four_joints = true;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    CHECK_INT(info.joint_sets, 1);
    read_floats(geometry, VRM_VERTEX_WEIGHTS, 0);
    const double sum = 0.335 + 0.335 + 0.33 + 0.4; // the weights 0.1 and 0.2 are dropped as the smallest
    check_floats(0, (float)(0.335 / sum), (float)(0.335 / sum), (float)(0.33 / sum), (float)(0.4 / sum));
    check_floats(3, 0.5f / 0.75f, 0.25f / 0.75f, 0, 0);
    read_floats(geometry, VRM_VERTEX_JOINTS, 0);
    check_floats(0, 3, 1, 2, 11);
    check_floats(3, 250, 5, 0, 0);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

// Vertices 1 and 2 have no weights in the first set; vertex 2 has weights in the second set.
static void vertices_without_weights_get_the_rigid_joint(void)
{
    gltf_builder b = {0};
    const uint8_t joints[16] = {3, 1, 2, 0, 5, 5, 5, 5, 0, 0, 0, 0, 4, 0, 0, 0};
    const float weights[16] = {0.5f, 0.25f, 0.25f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    const float more_weights[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    gltf_builder_floats(&b, square, 12, 4, "VEC3");
    gltf_builder_accessor(&b, joints, 16, 5121, 4, "VEC4", "");
    gltf_builder_floats(&b, weights, 16, 4, "VEC4");
    gltf_builder_floats(&b, more_weights, 16, 4, "VEC4");
    add_primitive(&b, "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2,\"JOINTS_1\":1,\"WEIGHTS_1\":3}");
    add_primitive(&b, "\"attributes\":{\"POSITION\":0}");
    vrm_gltf *gltf = load(&b);
    vrm_geometry_def def = default_def();
    def.first_joint = 100;
    def.rigid_joint = 77;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    read_floats(geometry, VRM_VERTEX_WEIGHTS, 0);
    check_floats(0, 0.5f, 0.25f, 0.25f, 0);
    check_floats(1, 1, 0, 0, 0);
    check_floats(2, 0, 0, 0, 0);
    read_floats(geometry, VRM_VERTEX_JOINTS, 0);
    check_floats(0, 103, 101, 102, 100);
    CHECK_NEAR(floats[1][0], 77, 0);
    CHECK_NEAR(floats[2][0], 100, 0);
    read_floats(geometry, VRM_VERTEX_WEIGHTS, 1);
    check_floats(1, 0, 0, 0, 0);
    check_floats(2, 1, 0, 0, 0);
    vrm_geometry_destroy(geometry);
    // No joints are written, by the option or because the file has none.
    for (int i = 0; i < 2; ++i) {
        def.mesh = (uint32_t)i;
        def.ignore_joints = i == 0;
        geometry = make(gltf, &def, &info);
        CHECK_INT(info.joint_sets, 0);
        read_floats(geometry, VRM_VERTEX_WEIGHTS, 0);
        for (uint32_t v = 0; v < 4; ++v) {
            check_floats(v, 1, 0, 0, 0);
        }
        read_floats(geometry, VRM_VERTEX_JOINTS, 0);
        CHECK_NEAR(floats[0][0], 77, 0);
        CHECK_NEAR(floats[3][0], 77, 0);
        vrm_geometry_destroy(geometry);
    }
    vrm_gltf_destroy(gltf);
}

static void wrong_targets_are_refused(void)
{
    vrm_gltf *gltf = load_dressed();
    vrm_geometry_def def = default_def();
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    float room[4][4];
    const vrm_vertex_attribute good = {VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 3, 4};
    vrm_vertex_target target = {.struct_size = sizeof target,
        .memory = room,
        .size = sizeof room,
        .stride = 16,
        .attributes = &good,
        .attribute_count = 1};
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_SUCCESS);
    target.size = sizeof room - 1;
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_ERROR_INVALID_ARGUMENT);
    target.size = sizeof room;
    target.memory = NULL;
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_ERROR_INVALID_ARGUMENT);
    target.memory = room;
    target.struct_size = 0;
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_ERROR_INVALID_ARGUMENT);
    target.struct_size = sizeof target;
    const vrm_vertex_attribute wrong[] = {{VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 4, 4},
        {VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 5, 0}, {VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 0, 0},
        {VRM_VERTEX_POSITION, 0, VRM_VERTEX_UINT8, 1, 0}, {VRM_VERTEX_JOINTS, 0, VRM_VERTEX_UNORM8, 4, 0},
        {VRM_VERTEX_POSITION, 0, VRM_VERTEX_FORMAT_COUNT, 1, 0}, {VRM_VERTEX_SEMANTIC_COUNT, 0, VRM_VERTEX_UINT8, 1, 0},
        {VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 3, UINT32_MAX - 8}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        target.attributes = &wrong[i];
        CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_ERROR_INVALID_ARGUMENT);
    }
    uint16_t indices[4];
    CHECK_INT(vrm_geometry_write_indices(geometry, 2, indices, sizeof indices), VRM_SUCCESS);
    CHECK_INT(vrm_geometry_write_indices(geometry, 2, indices, sizeof indices - 1), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_geometry_write_indices(geometry, 3, indices, sizeof indices), VRM_ERROR_INVALID_ARGUMENT);
    vrm_geometry_destroy(geometry);

    const uint32_t outside[3] = {0, 1, 4};
    vrm_geometry_def wrong_defs[6];
    for (int i = 0; i < 6; ++i) {
        wrong_defs[i] = def;
    }
    wrong_defs[0].mesh = 1;
    wrong_defs[1].primitive = 1;
    wrong_defs[2].indices = outside;
    wrong_defs[2].index_count = 3;
    wrong_defs[3].mode = 7;
    wrong_defs[4].tangents = (vrm_tangents)3;
    const vrm_basis none = {VRM_HANDEDNESS_RIGHT, VRM_AXIS_POSITIVE_Y, VRM_AXIS_NEGATIVE_Y, 1.0f};
    wrong_defs[5].basis = &none;
    for (int i = 0; i < 6; ++i) {
        CHECK_INT(vrm_geometry_create(gltf, &wrong_defs[i], NULL, &geometry), VRM_ERROR_INVALID_ARGUMENT);
        CHECK(geometry == NULL);
    }
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"vertices_have_the_host_s_formats", vertices_have_the_host_s_formats},
    {"joints_begin_where_the_palette_does", joints_begin_where_the_palette_does},
    {"four_of_eight_joints_are_kept", four_of_eight_joints_are_kept},
    {"vertices_without_weights_get_the_rigid_joint", vertices_without_weights_get_the_rigid_joint},
    {"wrong_targets_are_refused", wrong_targets_are_refused},
};

RUN_TESTS(cases)
