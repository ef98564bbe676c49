// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Meshes, primitives, morph targets and textures are read as the file has them; unreadable data is reported.

#include "mesh_fixture.h"

static void meshes_primitives_and_targets_are_described(void)
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
    CHECK(target.name.length == 0 && target.has_normals); // a name that is not a string is ignored
    CHECK_INT(vrm_gltf_get_target(gltf, 0, 0, 2, &target), VRM_SUCCESS);
    CHECK(target.name.length == 0 && target.has_tangents);
    CHECK_INT(vrm_gltf_get_mesh(gltf, 1, &mesh), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_get_primitive(gltf, 0, 2, &p), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_get_target(gltf, 0, 0, 3, &target), VRM_ERROR_INVALID_ARGUMENT);
    vrm_gltf_destroy(gltf);
}

static void textures_have_their_defaults(void)
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

static void unreadable_data_is_named_in_the_report(void)
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
        gltf_builder_add(&b, "buffers", "{\"byteLength\":48}"); // buffer 1 has no bytes, either
        add_primitive(&b, wrong[i].primitive);
        vrm_gltf *gltf = load(&b);
        vrm_gltf_primitive p = {.struct_size = sizeof p};
        CHECK_INT(vrm_gltf_get_primitive(gltf, 0, 0, &p), VRM_SUCCESS);
        CHECK(p.is_readable == (i == 1)); // in this case only the morph target is unreadable
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

static const test_case cases[] = {
    {"meshes_primitives_and_targets_are_described", meshes_primitives_and_targets_are_described},
    {"textures_have_their_defaults", textures_have_their_defaults},
    {"unreadable_data_is_named_in_the_report", unreadable_data_is_named_in_the_report},
};

RUN_TESTS(cases)
