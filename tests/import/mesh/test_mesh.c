// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Meshes by type, and a primitive in a host's own layout: files made here, and every number by hand or by a formula.

#include <math.h>

#include <vrm/vrm.h>

#include "gltf_builder.h"
#include "report_fixture.h"
#include "test_allocator.h"

// --- files and reading -------------------------------------------------------------------------------------------------

static vrm_gltf *load(gltf_builder *b)
{
    size_t size;
    uint8_t *glb = gltf_builder_glb(b, &size);
    vrm_gltf *gltf = NULL;
    vrm_report *report = NULL;
    vrm_report_create(NULL, &report);
    CHECK_INT(vrm_gltf_load(NULL, glb, size, report, &gltf), VRM_SUCCESS);
    if (gltf == NULL) {
        print_report(report);
    }
    vrm_report_destroy(report);
    free(glb);
    gltf_builder_free(b);
    return gltf;
}

static vrm_geometry_def default_def(void)
{
    vrm_geometry_def def;
    vrm_geometry_def_default(&def);
    return def;
}

static vrm_geometry *make(const vrm_gltf *gltf, const vrm_geometry_def *def, vrm_geometry_info *info)
{
    vrm_geometry *geometry = NULL;
    CHECK_INT(vrm_geometry_create(gltf, def, NULL, &geometry), VRM_SUCCESS);
    *info = (vrm_geometry_info){.struct_size = sizeof *info};
    if (geometry != NULL) {
        vrm_geometry_get_info(geometry, info);
    }
    return geometry;
}

enum { MOST = 512 };

static float floats[MOST][4];
static uint32_t drawn[MOST];

// One attribute of all vertices as four floats each.
static void read_floats(const vrm_geometry *geometry, vrm_vertex_semantic semantic, uint32_t set)
{
    const vrm_vertex_attribute a = {semantic, set, VRM_VERTEX_FLOAT32, 4, 0};
    const vrm_vertex_target target = {sizeof target, floats, sizeof floats, sizeof floats[0], &a, 1};
    memset(floats, 0x55, sizeof floats);
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_SUCCESS);
}

static void check_floats(uint32_t vertex, float x, float y, float z, float w)
{
    const float wanted[4] = {x, y, z, w};
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(floats[vertex][i], wanted[i], 1e-6);
    }
}

static void check_drawn(const vrm_geometry *geometry, const uint32_t *wanted, uint32_t count)
{
    vrm_geometry_info info = {.struct_size = sizeof info};
    vrm_geometry_get_info(geometry, &info);
    CHECK_INT(info.index_count, count);
    CHECK_INT(vrm_geometry_write_indices(geometry, 4, drawn, sizeof drawn), VRM_SUCCESS);
    for (uint32_t i = 0; i < count && i < info.index_count; ++i) {
        CHECK_INT(drawn[i], wanted[i]);
    }
}

static const float square[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};

// --- what the file has -------------------------------------------------------------------------------------------------

static void meshes_primitives_and_targets_are_told(void)
{
    gltf_builder b = {0};
    const float positions[9] = {0}, uvs[6] = {0};
    const uint8_t joints[12] = {0};
    gltf_builder_floats(&b, positions, 9, 3, "VEC3");
    gltf_builder_floats(&b, uvs, 6, 3, "VEC2");
    gltf_builder_accessor(&b, joints, 12, 5121, 3, "VEC4", "");
    gltf_builder_accessor(&b, joints, 12, 5121, 3, "VEC4", ",\"normalized\":true");
    gltf_builder_add(&b, "materials", "{}");
    gltf_builder_add(&b, "meshes",
        "{\"name\":\"fa\\u00e7e\",\"extras\":{\"targetNames\":[\"\\u3042\",7]},\"primitives\":[{\"mode\":0,"
        "\"attributes\":"
        "{\"POSITION\":0,\"TEXCOORD_0\":1,\"TEXCOORD_1\":1,\"TEXCOORD_3\":1,\"COLOR_0\":3,\"JOINTS_0\":2,\"WEIGHTS_0\":"
        "3,"
        "\"_ID\":2},\"targets\":[{\"POSITION\":0},{\"NORMAL\":0},{\"TANGENT\":0}]},"
        "{\"attributes\":{\"POSITION\":0,\"NORMAL\":0},\"material\":0,\"targets\":[{},{},{}]}]}");
    vrm_gltf *gltf = load(&b);
    vrm_gltf_mesh mesh = {.struct_size = sizeof mesh};
    CHECK_INT(vrm_gltf_get_mesh(gltf, 0, &mesh), VRM_SUCCESS);
    CHECK(mesh.name.length == 5 && memcmp(mesh.name.data,
                                       "fa\xc3\xa7"
                                       "e",
                                       5) == 0);
    CHECK_INT(mesh.primitive_count, 2);
    CHECK_INT(mesh.target_count, 3);
    vrm_gltf_primitive p = {.struct_size = sizeof p};
    CHECK_INT(vrm_gltf_get_primitive(gltf, 0, 0, &p), VRM_SUCCESS);
    CHECK(p.mode == 0 && p.material == -1 && p.vertex_count == 3 && p.index_count == 3 && p.target_count == 3);
    CHECK(!p.has_normals && !p.has_tangents && p.is_readable);
    CHECK(p.tex_coord_sets == 2 && p.color_sets == 1 && p.joint_sets == 1);
    CHECK_INT(vrm_gltf_get_primitive(gltf, 0, 1, &p), VRM_SUCCESS);
    CHECK(p.mode == 4 && p.material == 0 && p.has_normals && p.tex_coord_sets == 0 && p.joint_sets == 0);
    vrm_gltf_target target = {.struct_size = sizeof target};
    CHECK_INT(vrm_gltf_get_target(gltf, 0, 0, 0, &target), VRM_SUCCESS);
    CHECK(target.name.length == 3 && memcmp(target.name.data, "\xe3\x81\x82", 3) == 0);
    CHECK(target.has_positions && !target.has_normals && !target.has_tangents);
    CHECK_INT(vrm_gltf_get_target(gltf, 0, 0, 1, &target), VRM_SUCCESS);
    CHECK(target.name.length == 0 && target.has_normals); // a name that is no text, then none at all
    CHECK_INT(vrm_gltf_get_target(gltf, 0, 0, 2, &target), VRM_SUCCESS);
    CHECK(target.name.length == 0 && target.has_tangents);
    CHECK_INT(vrm_gltf_get_mesh(gltf, 1, &mesh), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_get_primitive(gltf, 0, 2, &p), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_get_target(gltf, 0, 0, 3, &target), VRM_ERROR_INVALID_ARGUMENT);
    vrm_gltf_destroy(gltf);
}

static void textures_are_told_with_their_defaults(void)
{
    gltf_builder b = {0};
    static const uint8_t png[24] = {
        0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 2, 0, 0, 0, 3};
    gltf_builder_view(&b, png, sizeof png, "");
    gltf_builder_add(&b, "images", "{\"bufferView\":0,\"mimeType\":\"image/png\"}");
    gltf_builder_add(&b, "images", "{\"bufferView\":0,\"mimeType\":\"image/png\"}");
    gltf_builder_add(&b, "samplers", "{\"magFilter\":9728,\"minFilter\":9986,\"wrapS\":33071,\"wrapT\":33648}");
    gltf_builder_add(&b, "samplers", "{\"magFilter\":9986,\"minFilter\":1,\"wrapS\":10496}");
    gltf_builder_add(&b, "textures", "{\"source\":1,\"sampler\":0}");
    gltf_builder_add(&b, "textures",
        "{\"sampler\":1,\"extensions\":{\"EXT_texture_webp\":{\"source\":0},\"EXT_texture_avif\":{\"source\":1}}}");
    gltf_builder_add(&b, "textures", "{\"source\":5,\"sampler\":5}");
    vrm_gltf *gltf = load(&b);
    vrm_gltf_texture t = {.struct_size = sizeof t};
    CHECK_INT(vrm_gltf_get_texture(gltf, 0, &t), VRM_SUCCESS);
    CHECK(t.image == 1 && t.compressed_image == -1 && t.mag_filter == 9728 && t.min_filter == 9986);
    CHECK(t.wrap_s == 33071 && t.wrap_t == 33648);
    CHECK_INT(vrm_gltf_get_texture(gltf, 1, &t), VRM_SUCCESS);
    CHECK(t.image == -1 && t.compressed_image == 0 && t.mag_filter == 0 && t.min_filter == 0);
    CHECK(t.wrap_s == 10497 && t.wrap_t == 10497);
    CHECK_INT(vrm_gltf_get_texture(gltf, 2, &t), VRM_SUCCESS);
    CHECK(t.image == -1 && t.wrap_s == 10497);
    CHECK_INT(vrm_gltf_get_texture(gltf, 3, &t), VRM_ERROR_INVALID_ARGUMENT);
    vrm_gltf_destroy(gltf);
}

// --- values ------------------------------------------------------------------------------------------------------------

static void add_primitive(gltf_builder *b, const char *json)
{
    gltf_builder_add(b, "meshes", "{\"primitives\":[{%s}]}", json);
}

// Each type that a file may have, beside the number that glTF 2.0 (3.6.2.2) says it stands for.
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

// Positions and UVs in one view, 20 bytes apart, and one position replaced.
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

static void what_the_file_lacks_has_the_header_s_value(void)
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

// --- the host's layout ---------------------------------------------------------------------------------------------------

typedef struct host_vertex {
    uint16_t half[4];
    int8_t normal[4];
    uint16_t uv[2];
    uint8_t color[4];
    uint8_t joints[4];
    uint8_t weights[4];
    uint8_t own[4]; // the host's: not ours to write
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
    const vrm_vertex_target target = {sizeof target, out, sizeof out, sizeof out[0], host_layout, 6};
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_SUCCESS);
    // Halves by IEEE 754: 1, -2, 0.5; the largest; 1e-7 is 1.68 and 6e-8 1.007 of the smallest; 0.1; too much; too little.
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
    CHECK_INT(out[3].joints[0], 0); // beyond the palette
    CHECK_INT(out[3].weights[0], 128);
    for (int v = 0; v < 3; ++v) { // 0.335 * 255 is 85.4: rounded alone the sum would be 254
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
    const vrm_vertex_target target = {sizeof target, small, sizeof small, 4, &joints, 1};
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
    const double sum = 0.335 + 0.335 + 0.33 + 0.4; // 0.1 and 0.2 are the smaller ones
    check_floats(0, (float)(0.335 / sum), (float)(0.335 / sum), (float)(0.33 / sum), (float)(0.4 / sum));
    check_floats(3, 0.5f / 0.75f, 0.25f / 0.75f, 0, 0);
    read_floats(geometry, VRM_VERTEX_JOINTS, 0);
    check_floats(0, 3, 1, 2, 11);
    check_floats(3, 250, 5, 0, 0);
    vrm_geometry_destroy(geometry);
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
    vrm_vertex_target target = {sizeof target, room, sizeof room, 16, &good, 1};
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

// --- indices -------------------------------------------------------------------------------------------------------------

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
        // Others instead of the file's.
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

// --- made normals and tangents -------------------------------------------------------------------------------------------

static void flat_normals_are_those_of_the_triangles(void)
{
    gltf_builder b = {0};
    const float roof[12] = {0, 0, 0, 0, 0, -1, 1, 1, 0, -1, 1, 0}; // two slopes at 45 degrees from a ridge below
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

// A square whose right triangle has mirrored UVs: the two vertices of the diagonal become two each.
static vrm_gltf *load_mirrored(void)
{
    gltf_builder b = {0};
    const float normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, uvs[8] = {0, 0, 1, 0, 0, 1, 0, 0};
    const float tangents[16] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
    const float deltas[12] = {0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0}, turns[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0};
    gltf_builder_floats(&b, square, 12, 4, "VEC3");
    gltf_builder_floats(&b, normals, 12, 4, "VEC3");
    gltf_builder_floats(&b, uvs, 8, 4, "VEC2");
    gltf_builder_floats(&b, tangents, 16, 4, "VEC4");
    gltf_builder_accessor(&b, indices, 12, 5123, 6, "SCALAR", "");
    gltf_builder_floats(&b, deltas, 12, 4, "VEC3");
    gltf_builder_floats(&b, turns, 12, 4, "VEC3");
    gltf_builder_floats(&b, square, 12, 4, "VEC3");
    gltf_builder_add(&b, "meshes",
        "{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2},\"indices\":4,\"targets\":"
        "[{\"POSITION\":5,\"NORMAL\":6,\"TANGENT\":7},{}]},"
        "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,\"TANGENT\":3},\"indices\":4,\"targets\":[{},{}]"
        "}]}");
    return load(&b);
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
    check_floats(3, 0, -1, 0, 1); // in the other triangle u grows to the vertex below its right angle
    check_floats(4, 0, -1, 0, 1);
    read_floats(geometry, VRM_VERTEX_POSITION, 0);
    check_floats(4, 0, 1, 0, 1);
    check_floats(5, 1, 0, 0, 1);
    vrm_geometry_destroy(geometry);
    def.primitive = 1; // with tangents of the file
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

// --- morph targets -------------------------------------------------------------------------------------------------------

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

// --- axes ----------------------------------------------------------------------------------------------------------------

// One triangle with a normal along +Z, a tangent along +X and a delta, as docs/axes.md's table of presets has it.
static void each_host_s_axes_by_numbers(void)
{
    static const struct {
        vrm_basis_preset preset;
        float position[3], normal[3], tangent[4], delta[3];
        uint32_t second;
    } hosts[] = {{VRM_BASIS_VRM, {1, 2, 3}, {0, 0, 1}, {1, 0, 0, -1}, {0, 0.5f, 0}, 1},
        {VRM_BASIS_UNITY, {-1, 2, 3}, {0, 0, 1}, {-1, 0, 0, 1}, {0, 0.5f, 0}, 2},
        {VRM_BASIS_UNREAL, {300, -100, 200}, {1, 0, 0}, {0, -1, 0, 1}, {0, 0, 50}, 2},
        {VRM_BASIS_GODOT, {1, 2, 3}, {0, 0, 1}, {1, 0, 0, -1}, {0, 0.5f, 0}, 1},
        {VRM_BASIS_BLENDER, {1, -3, 2}, {0, -1, 0}, {1, 0, 0, -1}, {0, 0, 0.5f}, 1}};
    gltf_builder b = {0};
    const float positions[9] = {1, 2, 3, 2, 2, 3, 1, 3, 3}, normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    const float tangents[12] = {1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, -1}, deltas[9] = {0, 0.5f, 0, 0, 0, 0, 0, 0, 0};
    gltf_builder_floats(&b, positions, 9, 3, "VEC3");
    gltf_builder_floats(&b, normals, 9, 3, "VEC3");
    gltf_builder_floats(&b, tangents, 12, 3, "VEC4");
    gltf_builder_floats(&b, deltas, 9, 3, "VEC3");
    add_primitive(&b, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TANGENT\":2},\"targets\":[{\"POSITION\":3}]");
    vrm_gltf *gltf = load(&b);
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; ++i) {
        vrm_basis basis;
        vrm_basis_get_preset(hosts[i].preset, &basis);
        vrm_geometry_def def = default_def();
        def.basis = &basis;
        vrm_geometry_info info;
        vrm_geometry *geometry = make(gltf, &def, &info);
        const float *p = hosts[i].position, *n = hosts[i].normal, *t = hosts[i].tangent;
        read_floats(geometry, VRM_VERTEX_POSITION, 0);
        for (int c = 0; c < 3; ++c) {
            CHECK_NEAR(floats[0][c], p[c], 1e-4);
        }
        read_floats(geometry, VRM_VERTEX_NORMAL, 0);
        check_floats(0, n[0], n[1], n[2], 0);
        read_floats(geometry, VRM_VERTEX_TANGENT, 0);
        check_floats(0, t[0], t[1], t[2], t[3]);
        const uint32_t wanted[3] = {0, hosts[i].second, 3 - hosts[i].second};
        check_drawn(geometry, wanted, 3);
        vrm_vec3 moved[3];
        vrm_morph_deltas d = {.struct_size = sizeof d, .positions = moved, .capacity = 3};
        CHECK_INT(vrm_geometry_read_deltas(geometry, 0, &d), VRM_SUCCESS);
        CHECK_NEAR(moved[0].x, hosts[i].delta[0], 1e-5);
        CHECK_NEAR(moved[0].y, hosts[i].delta[1], 1e-5);
        CHECK_NEAR(moved[0].z, hosts[i].delta[2], 1e-5);
        vrm_geometry_destroy(geometry);
    }
    vrm_gltf_destroy(gltf);
}

typedef struct skinned_sample {
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_mesh_node mesh;
    vrm_palette palette;
} skinned_sample;

// Vertex 0 to MOST - 1 of the sample's first skinned mesh under its palette, both in a host's space.
static void skin(const skinned_sample *s, const vrm_basis *basis, float (*out)[3])
{
    static float joints[MOST][4], weights[MOST][4];
    vrm_mat34 matrices[256];
    vrm_geometry_def def = default_def();
    def.mesh = s->mesh.gltf_mesh;
    def.basis = basis;
    vrm_geometry_info info;
    vrm_geometry *geometry = make(s->gltf, &def, &info);
    const vrm_vertex_attribute a[3] = {{VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 4, 0},
        {VRM_VERTEX_JOINTS, 0, VRM_VERTEX_FLOAT32, 4, 16}, {VRM_VERTEX_WEIGHTS, 0, VRM_VERTEX_FLOAT32, 4, 32}};
    float(*vertices)[12] = malloc(info.vertex_count * sizeof *vertices);
    const vrm_vertex_target target = {sizeof target, vertices, info.vertex_count * sizeof *vertices, 48, a, 3};
    CHECK_INT(vrm_geometry_write_vertices(geometry, &target), VRM_SUCCESS);
    const vrm_matrix_target where = {
        .struct_size = sizeof where, .memory = matrices, .format = VRM_MATRIX_3X4_ROWS, .basis = basis};
    CHECK(s->palette.joint_count <= 256);
    CHECK_INT(vrm_instance_write_palette(s->instance, (uint32_t)s->mesh.palette, &where), VRM_SUCCESS);
    for (uint32_t v = 0; v < MOST && v < info.vertex_count; ++v) {
        const float *p = vertices[v];
        memcpy(joints[v], p + 4, 16);
        memcpy(weights[v], p + 8, 16);
        for (int row = 0; row < 3; ++row) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) {
                const float *m = matrices[(int)joints[v][k]].m[row];
                sum += (double)weights[v][k] * ((double)m[0] * (double)p[0] + (double)m[1] * (double)p[1] +
                                                   (double)m[2] * (double)p[2] + (double)m[3]);
            }
            out[v][row] = (float)sum;
        }
    }
    free(vertices);
    vrm_geometry_destroy(geometry);
}

// A posed figure, skinned in each host's space, is the same figure there.
static void palette_and_vertices_meet_in_every_space(void)
{
    static float own[MOST][3], theirs[MOST][3];
    vrm_bytes bytes;
    vrm_sample_params params;
    vrm_sample_params_default(&params);
    params.detail = VRM_SAMPLE_DETAIL_MINIMAL;
    skinned_sample s = {.mesh = {.struct_size = sizeof s.mesh}, .palette = {.struct_size = sizeof s.palette}};
    CHECK_INT(vrm_sample_create(&params, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &s.gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, s.gltf, NULL, &s.avatar), VRM_SUCCESS);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = s.avatar;
    CHECK_INT(vrm_instance_create(&def, &s.instance), VRM_SUCCESS);
    const vrm_root root = {{1.0, 0.5, -2.0}, {0.0f, 0.6f, 0.0f, 0.8f}, 1.0f};
    vrm_instance_set_root(s.instance, &root);
    for (int i = 0; i < 30; ++i) {
        vrm_update_dt(s.instance, 1.0f / 60.0f);
    }
    for (uint32_t i = 0; s.palette.joint_count == 0; ++i) {
        CHECK_INT(vrm_avatar_get_mesh_node(s.avatar, i, &s.mesh), VRM_SUCCESS);
        if (s.mesh.palette >= 0) {
            CHECK_INT(vrm_avatar_get_palette(s.avatar, (uint32_t)s.mesh.palette, &s.palette), VRM_SUCCESS);
        }
    }
    skin(&s, NULL, own);
    CHECK(fabsf(own[0][0]) + fabsf(own[1][1]) > 0.0f);
    for (int i = 0; i < VRM_BASIS_PRESET_COUNT; ++i) {
        vrm_basis basis;
        vrm_basis_get_preset((vrm_basis_preset)i, &basis);
        skin(&s, &basis, theirs);
        for (int v = 0; v < MOST; ++v) {
            vrm_vec3 p = {own[v][0], own[v][1], own[v][2]};
            vrm_basis_to_host(&basis, VRM_BASIS_POSITION, &p, 0, 1);
            CHECK_NEAR(theirs[v][0], p.x, 2e-6 / (double)basis.unit);
            CHECK_NEAR(theirs[v][1], p.y, 2e-6 / (double)basis.unit);
            CHECK_NEAR(theirs[v][2], p.z, 2e-6 / (double)basis.unit);
        }
    }
    vrm_instance_destroy(s.instance);
    vrm_avatar_release(s.avatar);
    vrm_gltf_destroy(s.gltf);
    vrm_bytes_free(&bytes);
}

// --- files that cannot be read, and no memory ----------------------------------------------------------------------------

static void what_cannot_be_read_is_named(void)
{
    static const struct {
        const char *primitive, *path;
        vrm_result result;
    } wrong[] = {{"\"attributes\":{\"POSITION\":0,\"NORMAL\":2},\"extensions\":{\"KHR_draco_mesh_compression\":"
                  "{\"bufferView\":0,\"attributes\":{\"POSITION\":0}}}",
                     "/meshes/0/primitives/0/attributes/NORMAL", VRM_ERROR_UNSUPPORTED},
        {"\"attributes\":{\"POSITION\":0},\"targets\":[{},{\"POSITION\":1}]",
            "/meshes/0/primitives/0/targets/1/POSITION", VRM_ERROR_NOT_FOUND},
        {"\"attributes\":{\"POSITION\":0},\"indices\":3", "/meshes/0/primitives/0/indices", VRM_ERROR_NOT_FOUND}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        gltf_builder b = {0};
        gltf_builder_floats(&b, square, 12, 4, "VEC3");
        gltf_builder_add(&b, "bufferViews", "{\"buffer\":1,\"byteLength\":48}");
        gltf_builder_add(&b, "accessors", "{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}");
        gltf_builder_add(&b, "accessors", "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}");
        gltf_builder_add(&b, "accessors", "{\"bufferView\":1,\"componentType\":5123,\"count\":4,\"type\":\"SCALAR\"}");
        gltf_builder_add(&b, "buffers", "{\"byteLength\":48}");
        gltf_builder_add(&b, "buffers", "{\"byteLength\":48}"); // another one without bytes
        add_primitive(&b, wrong[i].primitive);
        vrm_gltf *gltf = load(&b);
        vrm_gltf_primitive p = {.struct_size = sizeof p};
        CHECK_INT(vrm_gltf_get_primitive(gltf, 0, 0, &p), VRM_SUCCESS);
        CHECK(p.is_readable == (i == 1)); // the morph target alone is missing there
        vrm_report *report;
        vrm_report_create(NULL, &report);
        vrm_geometry *geometry;
        vrm_geometry_def def = default_def();
        CHECK_INT(vrm_geometry_create(gltf, &def, report, &geometry), wrong[i].result);
        CHECK(geometry == NULL);
        CHECK_INT(vrm_report_get_count(report), 1);
        check_finding(report, 0, VRM_FINDING_PRIMITIVE_UNREADABLE, wrong[i].path);
        vrm_report_destroy(report);
        vrm_gltf_destroy(gltf);
    }
}

static void no_memory_is_an_error_and_keeps_none(void)
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
    CHECK_INT(failures, 10); // nine allocations
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"meshes_primitives_and_targets_are_told", meshes_primitives_and_targets_are_told},
    {"textures_are_told_with_their_defaults", textures_are_told_with_their_defaults},
    {"every_component_type_is_read", every_component_type_is_read},
    {"interleaved_and_sparse_vertices_are_read", interleaved_and_sparse_vertices_are_read},
    {"what_the_file_lacks_has_the_header_s_value", what_the_file_lacks_has_the_header_s_value},
    {"vertices_have_the_host_s_formats", vertices_have_the_host_s_formats},
    {"joints_begin_where_the_palette_does", joints_begin_where_the_palette_does},
    {"four_of_eight_joints_are_kept", four_of_eight_joints_are_kept},
    {"wrong_targets_are_refused", wrong_targets_are_refused},
    {"indices_of_every_size_and_mode_become_lists", indices_of_every_size_and_mode_become_lists},
    {"two_bytes_hold_65536_vertices", two_bytes_hold_65536_vertices},
    {"flat_normals_are_those_of_the_triangles", flat_normals_are_those_of_the_triangles},
    {"made_tangents_split_vertices", made_tangents_split_vertices},
    {"tangents_are_made_for_the_normal_map_s_uvs", tangents_are_made_for_the_normal_map_s_uvs},
    {"deltas_are_dense_or_sparse", deltas_are_dense_or_sparse},
    {"each_host_s_axes_by_numbers", each_host_s_axes_by_numbers},
    {"palette_and_vertices_meet_in_every_space", palette_and_vertices_meet_in_every_space},
    {"what_cannot_be_read_is_named", what_cannot_be_read_is_named},
    {"no_memory_is_an_error_and_keeps_none", no_memory_is_an_error_and_keeps_none},
};

RUN_TESTS(cases)
