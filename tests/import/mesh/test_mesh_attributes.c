// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reading a file's attributes: every component type, strides, sparse accessors, and the defaults of missing attributes.

#include "mesh_fixture.h"

// Each component type that a file may have, with the number that it represents by glTF 2.0 (3.6.2.2).
static void every_component_type_is_read(void)
{
    static const struct {
        const char *attribute, *type;
        uint32_t component_type, components;
        bool normalized;
        float divisor;
    } types[] = {{"POSITION", "VEC3", 5126, 3, false, 1}, {"POSITION", "VEC3", 5120, 3, false, 1},
        {"POSITION", "VEC3", 5121, 3, false, 1}, {"POSITION", "VEC3", 5122, 3, false, 1},
        {"POSITION", "VEC3", 5123, 3, false, 1}, {"POSITION", "VEC3", 5120, 3, true, 127},
        {"POSITION", "VEC3", 5122, 3, true, 32767}, {"TEXCOORD_0", "VEC2", 5121, 2, true, 255},
        {"TEXCOORD_0", "VEC2", 5123, 2, true, 65535}, {"TEXCOORD_0", "VEC2", 5126, 2, false, 1},
        {"COLOR_0", "VEC3", 5121, 3, true, 255}, {"COLOR_0", "VEC4", 5123, 4, true, 65535},
        {"NORMAL", "VEC3", 5120, 3, true, 127}, {"TANGENT", "VEC4", 5122, 4, true, 32767}};
    static const int values[4] = {-3, 70, -127, 5};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        gltf_builder b = {0};
        uint8_t bytes[2 * 16] = {0};
        const uint32_t type = types[i].component_type, size = type == 5126 ? 4 : type < 5122 ? 1 : 2;
        const bool is_signed = type == 5120 || type == 5122 || type == 5126;
        const uint32_t stride = (types[i].components * size + 3) / 4 * 4;
        float wanted[4] = {0, 0, 0, types[i].attribute[0] == 'P' || types[i].attribute[0] == 'C' ? 1.0f : 0.0f};
        for (uint32_t c = 0; c < types[i].components; ++c) {
            const int value = is_signed ? values[c] : abs(values[c]);
            const float as_float = (float)value;
            const int16_t as_short = (int16_t)value;
            const int8_t as_byte = (int8_t)value;
            const void *from = size == 4 ? (const void *)&as_float : size == 2 ? (const void *)&as_short : &as_byte;
            memcpy(bytes + stride + c * size, from, size);
            wanted[c] = (float)value / types[i].divisor;
            wanted[c] = types[i].normalized && wanted[c] < -1.0f ? -1.0f : wanted[c];
        }
        char extra[64], attributes[160];
        snprintf(extra, sizeof extra, ",\"byteStride\":%u", stride);
        gltf_builder_view(&b, bytes, 2 * (size_t)stride, extra);
        gltf_builder_add(&b, "accessors",
            "{\"bufferView\":0,\"componentType\":%u,\"count\":2,\"type\":\"%s\",\"normalized\":%s}", type,
            types[i].type, types[i].normalized ? "true" : "false");
        const float plain[6] = {0};
        gltf_builder_floats(&b, plain, 6, 2, "VEC3");
        const bool position = strcmp(types[i].attribute, "POSITION") == 0;
        snprintf(attributes, sizeof attributes, "\"mode\":0,\"attributes\":{\"%s\":0%s%s}", types[i].attribute,
            position ? "" : ",\"POSITION\":1", types[i].attribute[0] == 'T' ? ",\"NORMAL\":1" : "");
        add_primitive(&b, attributes);
        gltf_builder_add(&b, "extensionsUsed", "\"KHR_mesh_quantization\"");
        vrm_gltf *gltf = load(&b);
        vrm_geometry_def def = default_def();
        vrm_geometry_info info;
        vrm_geometry *geometry = make(gltf, &def, &info);
        const vrm_vertex_semantic semantic = position                                     ? VRM_VERTEX_POSITION
                                             : types[i].attribute[0] == 'C'               ? VRM_VERTEX_COLOR
                                             : types[i].attribute[0] == 'N'               ? VRM_VERTEX_NORMAL
                                             : strcmp(types[i].attribute, "TANGENT") == 0 ? VRM_VERTEX_TANGENT
                                                                                          : VRM_VERTEX_TEX_COORD;
        read_floats(geometry, semantic, 0);
        for (uint32_t c = 0; c < 4; ++c) {
            CHECK_NEAR(floats[1][c], wanted[c], 1e-6);
        }
        vrm_geometry_destroy(geometry);
        vrm_gltf_destroy(gltf);
    }
}

// Positions and UVs in one view, 20 bytes apart, with one sparse position.
static void interleaved_and_sparse_vertices_are_read(void)
{
    gltf_builder b = {0};
    float mixed[4][5];
    for (int v = 0; v < 4; ++v) {
        for (int c = 0; c < 5; ++c) {
            mixed[v][c] = (float)(10 * v + c);
        }
    }
    const uint16_t index = 2;
    const float value[3] = {-1, -2, -3};
    gltf_builder_view(&b, mixed, sizeof mixed, ",\"byteStride\":20");
    gltf_builder_view(&b, &index, 2, "");
    gltf_builder_view(&b, value, 12, "");
    gltf_builder_add(&b, "accessors",
        "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":"
        "{\"bufferView\":1,\"componentType\":5123},\"values\":{\"bufferView\":2}}}");
    gltf_builder_add(
        &b, "accessors", "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"}");
    add_primitive(&b, "\"mode\":0,\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1}");
    vrm_gltf *gltf = load(&b);
    vrm_geometry_def def = default_def();
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    read_floats(geometry, VRM_VERTEX_POSITION, 0);
    check_floats(1, 10, 11, 12, 1);
    check_floats(2, -1, -2, -3, 1);
    check_floats(3, 30, 31, 32, 1);
    read_floats(geometry, VRM_VERTEX_TEX_COORD, 0);
    check_floats(2, 23, 24, 0, 0);
    vrm_geometry_destroy(geometry);
    def.flip_v = true;
    geometry = make(gltf, &def, &info);
    read_floats(geometry, VRM_VERTEX_TEX_COORD, 0);
    check_floats(2, 23, -23, 0, 0);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static void missing_attributes_have_the_header_s_values(void)
{
    gltf_builder b = {0};
    gltf_builder_floats(&b, square, 12, 4, "VEC3");
    add_primitive(&b, "\"attributes\":{\"POSITION\":0}");
    add_primitive(&b, "\"attributes\":{}");
    vrm_gltf *gltf = load(&b);
    vrm_geometry_def def = default_def();
    def.first_joint = 7;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(gltf, &def, &info);
    CHECK(!info.has_normals && !info.has_tangents && info.tex_coord_sets == 0 && info.joint_sets == 0);
    read_floats(geometry, VRM_VERTEX_NORMAL, 0);
    check_floats(3, 0, 0, 0, 0);
    read_floats(geometry, VRM_VERTEX_TANGENT, 0);
    check_floats(3, 0, 0, 0, 1);
    read_floats(geometry, VRM_VERTEX_TEX_COORD, 1);
    check_floats(3, 0, 0, 0, 0);
    read_floats(geometry, VRM_VERTEX_COLOR, 0);
    check_floats(3, 1, 1, 1, 1);
    read_floats(geometry, VRM_VERTEX_JOINTS, 0);
    check_floats(3, 7, 7, 7, 7);
    read_floats(geometry, VRM_VERTEX_WEIGHTS, 2);
    check_floats(3, 0, 0, 0, 0);
    vrm_geometry_destroy(geometry);
    def.mesh = 1;
    geometry = make(gltf, &def, &info);
    CHECK(info.vertex_count == 0 && info.index_count == 0);
    CHECK_INT(vrm_geometry_write_indices(geometry, 2, NULL, 0), VRM_SUCCESS);
    vrm_geometry_destroy(geometry);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"every_component_type_is_read", every_component_type_is_read},
    {"interleaved_and_sparse_vertices_are_read", interleaved_and_sparse_vertices_are_read},
    {"missing_attributes_have_the_header_s_values", missing_attributes_have_the_header_s_values},
};

RUN_TESTS(cases)
