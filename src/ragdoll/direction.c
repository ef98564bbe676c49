// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "ragdoll/build.h"

vrm_vec3 vrmi_ragdoll_direction(const vrmi_ragdoll_build *build, vrm_human_bone bone, float *out_length)
{
    const vrm_vec3 from = vrmi_ragdoll_place(build, (int32_t)bone);
    vrm_vec3 way = {0.0f, 0.0f, 0.0f};
    int32_t tip = vrmi_anatomy_tip(bone, 0);
    for (uint32_t choice = 0; tip >= 0; tip = vrmi_anatomy_tip(bone, ++choice)) {
        if (build->model->head.bone_node[tip] >= 0) {
            way = vrmi_vec3_sub(vrmi_ragdoll_place(build, tip), from);
            break;
        }
    }
    *out_length = vrmi_vec3_length(way);
    // Ends point on as the T-pose has it.
    const vrmi_anatomy *anatomy = vrmi_anatomy_of(bone);
    vrm_vec3 usual = anatomy->joint == VRM_RAGDOLL_JOINT_HINGE ? anatomy->y : anatomy->x;
    usual = vrmi_anatomy_is_right(bone) ? vrmi_ragdoll_mirror(usual) : usual;
    return vrmi_vec3_normalize_or(way, usual);
}
