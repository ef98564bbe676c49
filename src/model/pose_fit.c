// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "model/pose_fit.h"

#include "math/mat34.h"
#include "model/model.h"

// local = P^-1 N P rest, where P is the rest rotation of the space that contains the bone.
static void fit_bone(const vrmi_model *model, int32_t bone, vrmi_pose_fit *out)
{
    const int32_t node = model->head.bone_node[bone];
    if (node < 0) {
        return;
    }
    const vrm_quat parent = vrmi_rest_parent_rotation(model, (uint32_t)node);
    vrmi_pose_set(&out->before, bone, vrmi_quat_conjugate(parent));
    vrmi_pose_set(&out->after, bone, vrmi_quat_mul(parent, vrmi_model_node_rest(model)[node].rotation));
    out->bones |= UINT64_C(1) << bone;
    const int32_t above = vrm_human_bone_parent((vrm_human_bone)bone);
    out->folds |= above >= 0 && model->head.bone_node[above] < 0 ? UINT64_C(1) << bone : 0;
}

void vrmi_pose_fit_make(const vrmi_model *model, vrmi_pose_fit *out)
{
    vrmi_pose_identity(&out->before);
    vrmi_pose_identity(&out->after);
    out->bones = out->folds = 0;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        fit_bone(model, bone, out);
    }
    vrmi_mat34_identity(&out->hips_from_model);
    const int32_t hips = model->head.bone_node[VRM_HUMAN_BONE_HIPS];
    const int32_t parent = hips >= 0 ? vrmi_model_node_parent(model)[hips] : -1;
    if (parent >= 0) {
        vrmi_mat34_invert(&vrmi_model_node_rest_matrix(model)[parent], &out->hips_from_model);
    } else {
        const vrm_transform turn = {
            {0.0f, 0.0f, 0.0f}, vrmi_quat_conjugate(model->head.root_from_nodes), {1.0f, 1.0f, 1.0f}};
        vrmi_mat34_from_transform(&turn, &out->hips_from_model);
    }
}
