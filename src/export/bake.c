// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "export/bake.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"

void(vrm_bake_params_default)(vrm_bake_params *def, size_t size)
{
    const vrm_bake_params own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

// --- nodes -----------------------------------------------------------------------------------------------------------

// Reports a camera or light, whose direction depends on the node's axes. It has no vertices that could be rotated
// instead.
static void report_direction(vrmi_bake *bake, const vrmi_gltf_node *node)
{
    const uint32_t light = vrmi_gltf_extension(bake->gltf, node->json, "KHR_lights_punctual");
    if (vrmi_json_member(bake->json, node->json, "camera") != VRMI_JSON_NONE || light != VRMI_JSON_NONE) {
        vrmi_bake_report(bake, VRM_FINDING_BAKE_DIRECTION, node->json, NULL, NULL);
    }
}

static void write_node(vrmi_bake *bake, uint32_t index)
{
    static const char *const keys[] = {"rotation", "scale", "matrix"};
    static const double cleared[3][4] = {{0.0, 0.0, 0.0, 1.0}, {1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    const vrmi_json *json = bake->json;
    const vrmi_gltf_node *from = &bake->gltf->nodes[index];
    const vrmi_bake_node *node = vrmi_bake_node_at(bake, index);
    for (int i = 0; i < 3; ++i) {
        double old[4];
        const uint32_t value = vrmi_json_member(json, from->json, keys[i]), count = i == 0 ? 4 : 3;
        vrmi_bake_get_floats(bake, from->json, keys[i], count, cleared[i], old);
        // A member with the default value may stay. A matrix is always removed.
        if (value != VRMI_JSON_NONE && (i == 2 || memcmp(old, cleared[i], count * sizeof(double)) != 0)) {
            vrmi_write_removal(&bake->out, "/nodes/%u/%s", index, keys[i]);
        }
    }
    const double none[3] = {0.0, 0.0, 0.0};
    const double translation[3] = {
        (double)node->translation[0], (double)node->translation[1], (double)node->translation[2]};
    vrmi_bake_set_floats(bake, from->json, "translation", translation, 3, none);
    if (node->turned) {
        report_direction(bake, from);
    }
}

// --- viewpoint -------------------------------------------------------------------------------------------------------

// Writes offsetFromHeadBone, which is in head space. A missing offset is added, because the default was computed in the
// old head's axes.
static void write_offset(vrmi_bake *bake, uint32_t vrm)
{
    const int32_t head = bake->model->head.bone_node[VRM_HUMAN_BONE_HEAD];
    const uint32_t look_at = vrmi_json_member(bake->json, vrm, "lookAt");
    if (head < 0 || !vrmi_json_is(bake->json, look_at, VRMI_JSON_OBJECT)) {
        return;
    }
    const uint32_t node = vrmi_model_node_gltf(bake->model)[head];
    const vrm_vec3 offset = bake->model->head.look_at.offset_from_head_bone;
    const double missing[3] = {(double)offset.x, (double)offset.y, (double)offset.z};
    double v[3];
    vrmi_bake_get_floats(bake, look_at, "offsetFromHeadBone", 3, missing, v);
    vrmi_bake_turn_vector(bake, node, v);
    if (vrmi_bake_node_at(bake, node)->turned) {
        vrmi_bake_set_floats(bake, look_at, "offsetFromHeadBone", v, 3, NULL);
    }
}

static void write_vrm0_offset(vrmi_bake *bake, uint32_t vrm)
{
    const uint32_t first_person = vrmi_json_member(bake->json, vrm, "firstPerson");
    const int32_t head = bake->model->head.bone_node[VRM_HUMAN_BONE_HEAD];
    uint32_t node = 0;
    if (!vrmi_bake_get_node(bake, first_person, "firstPersonBone", &node)) {
        if (head < 0) {
            return;
        }
        node = vrmi_model_node_gltf(bake->model)[head];
    }
    vrmi_bake_set_xyz(bake, first_person, "firstPersonBoneOffset", node);
}

static void write_viewpoints(vrmi_bake *bake)
{
    const uint32_t vrm1 = vrmi_gltf_extension(bake->gltf, bake->gltf->root, "VRMC_vrm");
    const uint32_t vrm0 = vrmi_gltf_extension(bake->gltf, bake->gltf->root, "VRM");
    write_offset(bake, vrm1);
    write_vrm0_offset(bake, vrm0);
}

// --- the whole bake --------------------------------------------------------------------------------------------------

static void bake_all(vrmi_bake *bake)
{
    vrmi_bake_pose(bake);
    vrmi_bake_claim_meshes(bake);
    vrmi_bake_claim_animations(bake);
    vrmi_bake_meshes(bake);
    vrmi_bake_animations(bake);
    vrmi_bake_springs(bake);
    vrmi_bake_constraints(bake);
    if (vrmi_bake_tick(bake)) {
        write_viewpoints(bake);
    }
    for (uint32_t i = 0; i < bake->nodes.count && vrmi_writer_runs(&bake->out); ++i) {
        write_node(bake, i);
    }
}

vrm_result vrm_bake(const vrm_bake_params *def, vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report)
{
    vrm_bake_params own;
    vrm_bake_params_default(&own);
    if (!VRM_ASSERT(gltf != NULL && avatar != NULL) || !VRM_ASSERT(VRMI_READ_OPTIONS(vrm_bake_params, &own, def)) ||
        !vrm_avatar_is_from(avatar, gltf) || vrmi_gltf_has_grown(gltf)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_bake bake = {.def = &own,
        .gltf = gltf,
        .json = &gltf->json,
        .model = avatar->model,
        .reader = {.json = &gltf->json, .report = report},
        .out = {.gltf = gltf}};
    vrmi_resolve_allocator(&own.allocator, &bake.out.allocator);
    bake_all(&bake);
    vrmi_array *const arrays[] = {&bake.nodes, &bake.claimed, &bake.made, &bake.skins, &bake.skin_matrices,
        &bake.buffers, &bake.buffers_at, &bake.shapes, &bake.shapes_of, &bake.parts};
    for (size_t i = 0; i < VRMI_COUNT_OF(arrays); ++i) {
        vrmi_array_free(arrays[i], &bake.out.allocator);
    }
    return bake.out.result;
}
