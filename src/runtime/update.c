// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The order of the stages in a frame (rule R3). Only this file calls them.

#include "runtime/core/hierarchy.h"
#include "runtime/core/output.h"
#include "runtime/stages.h"

void vrmi_run_pose(vrm_instance *instance, const vrm_update_params *params)
{
    vrmi_hierarchy_begin(instance);
    if (params->stages & VRM_STAGE_POSE) {
        vrmi_stage_pose(instance, params->dt);
    }
#if !defined(VRM_NO_LOOK_CHAIN)
    if (params->stages & VRM_STAGE_LOOK_CHAIN) {
        vrmi_stage_look_chain(instance, params->dt);
    } else {
        vrmi_look_chain_skip(&instance->look);
    }
#endif
    if (params->stages & VRM_STAGE_RAGDOLL) {
        vrmi_stage_ragdoll_drive(instance, params->dt);
    }
}

void vrmi_run_secondary(vrm_instance *instance, const vrm_update_params *params)
{
    vrmi_outputs_begin(instance);
    if (instance->pose_changed) {
        vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
        instance->pose_changed = false;
    }
    if (params->stages & VRM_STAGE_RAGDOLL) {
        vrmi_stage_ragdoll_read(instance);
#if !defined(VRM_NO_LOOK_CHAIN)
        if (params->stages & VRM_STAGE_LOOK_CHAIN) {
            vrmi_stage_look_chain_again(instance);
        }
#endif
    }
    const bool constrains = (params->stages & VRM_STAGE_CONSTRAINT) != 0;
    if (constrains && params->profile == VRM_PROFILE_UNIVRM) {
        vrmi_stage_constraint(instance);
    }
    if (params->stages & VRM_STAGE_EXPRESSION) {
        // The merge runs before the eyes, because it computes this frame's overrides of the gaze.
        vrmi_expression_merge(instance, params->dt);
    }
    if (params->stages & VRM_STAGE_LOOK_AT) {
        vrmi_stage_look_at(instance, params->profile);
    }
    if (params->stages & VRM_STAGE_EXPRESSION) {
        vrmi_stage_expression(instance, params->profile);
    }
    if (constrains && params->profile != VRM_PROFILE_UNIVRM) {
        vrmi_stage_constraint(instance);
    }
    if (params->stages & VRM_STAGE_SPRING) {
        vrmi_stage_spring(instance, params);
    } else if (params->stages & ~(uint32_t)VRM_STAGE_OUTPUT) {
        vrmi_hierarchy_hair(instance, (params->stages & VRM_STAGE_POSE) != 0);
    }
    if (params->stages & VRM_STAGE_OUTPUT) {
        vrmi_stage_output(instance, params->dt);
    }
    if (params->profile == VRM_PROFILE_THREE_VRM) {
        vrmi_look_at_keep(instance);
    }
    vrmi_outputs_end(instance);
}
