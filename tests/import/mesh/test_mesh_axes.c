// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A host's axes are checked by the numbers of docs/axes.md, and by a skinned figure that must be the same in every
// host's space.

#include <math.h>

#include "mesh_fixture.h"

// One triangle with a normal along +Z, a tangent along +X and a delta, as in docs/axes.md's table of presets.
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

// Skins vertices 0 to MOST - 1 of the sample's first skinned mesh by its palette; both vertices and palette are in a
// host's space.
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
    const vrm_vertex_target target = {.struct_size = sizeof target,
        .memory = vertices,
        .size = info.vertex_count * sizeof *vertices,
        .stride = 48,
        .attributes = a,
        .attribute_count = 3};
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

// A posed figure that is skinned in a host's space is the same figure for every host.
static void palette_and_vertices_agree_in_every_space(void)
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

static const test_case cases[] = {
    {"each_host_s_axes_by_numbers", each_host_s_axes_by_numbers},
    {"palette_and_vertices_agree_in_every_space", palette_and_vertices_agree_in_every_space},
};

RUN_TESTS(cases)
