// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What springs move (skirts, hair, tails) is not the body: the shape and mass of each body are the same if these
// vertices are somewhere else.

#include <vrm/sample.h>

#include "ragdoll_avatar.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_NODES = 1024 };

static uint32_t number_at(const vrm_gltf *gltf, const char *form, uint32_t i, uint32_t k)
{
    char path[96];
    vrm_string text;
    (void)snprintf(path, sizeof path, form, i, k);
    return vrm_gltf_get_json(gltf, path, &text) == VRM_SUCCESS ? (uint32_t)strtoul(text.data, NULL, 10) : UINT32_MAX;
}

// Marks the nodes of spring joints, and the nodes below them up to the next humanoid bone.
static void mark_loose(const vrm_avatar *avatar, bool loose[MAX_NODES])
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK(counts.nodes <= MAX_NODES);
    for (uint32_t i = 0; i < counts.spring_joints; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        CHECK_INT(vrm_avatar_get_spring_joint(avatar, i, &joint), VRM_SUCCESS);
        loose[joint.node] = true;
    }
    for (uint32_t node = 0; node < counts.nodes && node < MAX_NODES; ++node) { // a parent precedes its children
        vrm_node info = {.struct_size = sizeof info};
        CHECK_INT(vrm_avatar_get_node(avatar, node, &info), VRM_SUCCESS);
        const bool below = info.parent >= 0 && loose[info.parent];
        loose[node] = info.human_bone < 0 && (loose[node] || below);
    }
}

// Moves the vertices of a primitive that springs move more than bones do. Returns their number.
static uint32_t move_loose_vertices(
    vrm_gltf *gltf, const vrm_palette *palette, uint32_t mesh, uint32_t primitive, const bool loose[MAX_NODES])
{
    const uint32_t position = number_at(gltf, "/meshes/%u/primitives/%u/attributes/POSITION", mesh, primitive);
    const uint32_t joints = number_at(gltf, "/meshes/%u/primitives/%u/attributes/JOINTS_0", mesh, primitive);
    const uint32_t weights = number_at(gltf, "/meshes/%u/primitives/%u/attributes/WEIGHTS_0", mesh, primitive);
    const uint32_t count = number_at(gltf, "/accessors/%u/count", position, 0);
    float *places = calloc(count, 3 * sizeof *places);
    uint32_t moved = 0, view = 0;
    CHECK_INT(vrm_gltf_read_floats(gltf, position, 0, count, places), VRM_SUCCESS);
    for (uint32_t v = 0; v < count; ++v) {
        uint32_t joint[4];
        float weight[4], with_springs = 0.0f;
        CHECK_INT(vrm_gltf_read_uints(gltf, joints, v, 1, joint), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_read_floats(gltf, weights, v, 1, weight), VRM_SUCCESS);
        for (int i = 0; i < 4; ++i) {
            with_springs += weight[i] > 0.0f && loose[palette->nodes[joint[i]]] ? weight[i] : 0.0f;
        }
        if (with_springs > 0.51f) {
            places[3 * v + v % 3] += v % 2 == 0 ? 0.05f : -0.05f; // in all directions
            ++moved;
        }
    }
    char path[64], json[160];
    CHECK_INT(vrm_gltf_append_buffer_view(gltf, places, count * 3 * sizeof *places, &view), VRM_SUCCESS);
    (void)snprintf(path, sizeof path, "/accessors/%u", position);
    const int length = snprintf(
        json, sizeof json, "{\"bufferView\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}", view, count);
    CHECK_INT(vrm_gltf_set_json(gltf, path, json, (size_t)length), VRM_SUCCESS);
    free(places);
    return moved;
}

// Loads the avatar again with its loose vertices elsewhere.
static uint32_t load_moved(const loaded *l, loaded *out)
{
    bool loose[MAX_NODES] = {false};
    bool seen[MAX_NODES] = {false};
    vrm_bytes bytes = {0};
    uint32_t moved = 0;
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(l->avatar, &counts);
    mark_loose(l->avatar, loose);
    CHECK_INT(vrm_gltf_save(l->gltf, &bytes), VRM_SUCCESS);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    for (uint32_t i = 0; i < counts.meshes; ++i) {
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        vrm_palette palette = {.struct_size = sizeof palette};
        CHECK_INT(vrm_avatar_get_mesh_node(l->avatar, i, &mesh), VRM_SUCCESS);
        if (mesh.palette < 0) {
            continue;
        }
        CHECK_INT(vrm_avatar_get_palette(l->avatar, (uint32_t)mesh.palette, &palette), VRM_SUCCESS);
        for (uint32_t k = 0; number_at(gltf, "/meshes/%u/primitives/%u/mode", mesh.gltf_mesh, k) != UINT32_MAX ||
                             number_at(gltf, "/meshes/%u/primitives/%u/indices", mesh.gltf_mesh, k) != UINT32_MAX;
             ++k) {
            const uint32_t at = number_at(gltf, "/meshes/%u/primitives/%u/attributes/POSITION", mesh.gltf_mesh, k);
            if (at < MAX_NODES && !seen[at]) { // primitives may share their vertices
                seen[at] = true;
                moved += move_loose_vertices(gltf, &palette, mesh.gltf_mesh, k, loose);
            }
        }
    }
    CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    *out = (loaded){0};
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &out->gltf), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    CHECK(finish_load(out));
    return moved;
}

static void check_loose(const char *name, loaded *l)
{
    loaded other;
    const uint32_t moved = load_moved(l, &other);
    printf("%s: %u vertices of springs are moved\n", name, moved);
    CHECK(moved > 150);
    for (int detail = 0; detail < VRM_RAGDOLL_DETAIL_COUNT; ++detail) {
        const vrm_ragdoll_def a = build(l, (vrm_ragdoll_detail)detail), b = build(&other, (vrm_ragdoll_detail)detail);
        vrm_bytes text_a = {0}, text_b = {0};
        CHECK_INT(vrm_ragdoll_def_to_json(&a, NULL, &text_a), VRM_SUCCESS);
        CHECK_INT(vrm_ragdoll_def_to_json(&b, NULL, &text_b), VRM_SUCCESS);
        CHECK(text_a.size == text_b.size && memcmp(text_a.data, text_b.data, text_a.size) == 0);
        vrm_bytes_free(&text_a);
        vrm_bytes_free(&text_b);
    }
    unload(&other);
    unload(l);
}

static void what_springs_move_is_not_the_body(void)
{
    static const vrm_sample_params figures[] = {
        {.struct_size = sizeof figures[0], .detail = VRM_SAMPLE_DETAIL_MINIMAL},
        {.struct_size = sizeof figures[0], .detail = VRM_SAMPLE_DETAIL_MINIMAL, .seed = 9},
        {.struct_size = sizeof figures[0], .outfit = VRM_SAMPLE_OUTFIT_UNIFORM, .hair = VRM_SAMPLE_HAIR_LONG},
        {.struct_size = sizeof figures[0], .seed = 4, .height = 1.3f, .hair = VRM_SAMPLE_HAIR_SHORT},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i) {
        vrm_bytes bytes = {0};
        loaded l = {0};
        char name[32];
        (void)snprintf(name, sizeof name, "figure %d", (int)i);
        CHECK_INT(vrm_sample_create(&figures[i], &bytes), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &l.gltf), VRM_SUCCESS);
        vrm_bytes_free(&bytes);
        CHECK(finish_load(&l));
        check_loose(name, &l);
    }
}

static void godettes_hair_is_not_her_body(void)
{
    char path[1024];
    loaded l;
    if (!load_path(shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path), &l)) {
        SKIP("no models");
    }
    check_loose("Godette", &l);
}

static const test_case cases[] = {
    {"what_springs_move_is_not_the_body", what_springs_move_is_not_the_body},
    {"godettes_hair_is_not_her_body", godettes_hair_is_not_her_body},
};

RUN_TESTS(cases)
