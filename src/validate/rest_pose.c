// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/rest_pose.h"

#include "math/mat34.h"
#include "validate/soles.h"

static void pose_of_avatar(vrmi_run *run, const vrmi_model *model, vrmi_rest_pose *out)
{
    const vrm_mat34 *rest = vrmi_model_node_rest_matrix(model);
    *out = (vrmi_rest_pose){.run = run, .thumbs_at_45 = model->head.dialect == VRMI_DIALECT_1_0};
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = model->head.bone_node[bone];
        out->gltf_node[bone] = node >= 0 ? (int32_t)vrmi_model_node_gltf(model)[node] : -1;
        out->place[bone] = node >= 0 ? vrmi_mat34_translation(&rest[node]) : (vrm_vec3){0, 0, 0};
    }
    const int32_t hips = model->head.bone_node[VRM_HUMAN_BONE_HIPS];
    const int32_t parent = hips >= 0 ? vrmi_model_node_parent(model)[hips] : -1;
    if (parent >= 0) {
        out->above_hips = vrmi_mat34_translation(&rest[parent]);
    }
}

void vrmi_validate_pose(vrmi_run *run, const vrm_avatar *avatar)
{
    const vrmi_model *model = avatar->model;
    if (model->head.dialect == VRMI_DIALECT_NONE) {
        return;
    }
    vrmi_rest_pose pose;
    pose_of_avatar(run, model, &pose);
    const int32_t feet[2] = {
        model->head.bone_node[VRM_HUMAN_BONE_LEFT_FOOT], model->head.bone_node[VRM_HUMAN_BONE_RIGHT_FOOT]};
    vrmi_find_soles(run, model, feet, pose.soles);
    vrmi_check_rest_pose(&pose);
}

// Returns the world position of a node by following its parents, which have no loops.
static vrm_vec3 place_of(const vrmi_run *run, int32_t node)
{
    vrm_mat34 world, local, above;
    vrmi_mat34_identity(&world);
    for (; node >= 0; node = run->parents[node]) {
        vrmi_mat34_from_transform(&run->gltf->nodes[node].local, &local);
        above = world;
        vrmi_mat34_mul(&local, &above, &world);
    }
    return vrmi_mat34_translation(&world);
}

void vrmi_validate_motion_pose(vrmi_run *run, uint32_t bones)
{
    vrmi_rest_pose pose = {.run = run, .soles = {VRMI_NO_SOLE, VRMI_NO_SOLE}, .thumbs_at_45 = true};
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const uint32_t object = vrmi_json_member(run->json, bones, vrm_human_bone_name((vrm_human_bone)bone));
        pose.gltf_node[bone] = vrmi_run_member_index(run, object, "node", VRM_GLTF_NODES);
        pose.place[bone] = place_of(run, pose.gltf_node[bone]);
    }
    const int32_t hips = pose.gltf_node[VRM_HUMAN_BONE_HIPS];
    pose.above_hips = place_of(run, hips >= 0 ? run->parents[hips] : -1);
    vrmi_check_rest_pose(&pose);
}
