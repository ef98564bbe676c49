// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The order of a frame, on one screen (rule R3): the only caller of the stages.

#include <vrm/update.h>

#include "base/checks.h"
#include "base/float_environment.h"
#include "runtime/hierarchy.h"
#include "runtime/output.h"
#include "runtime/stages.h"

static void run_pose(vrm_instance *instance, const vrm_update_params *params)
{
    if (params->stages & VRM_STAGE_POSE) {
        vrmi_stage_animation(instance, params->dt);
        vrmi_stage_pose(instance);
    }
    if (params->stages & VRM_STAGE_LOOK_CHAIN) {
        vrmi_stage_look_chain(instance, params->dt);
    } else {
        vrmi_look_chain_skip(&instance->look);
    }
    if (params->stages & VRM_STAGE_RAGDOLL) {
        vrmi_stage_ragdoll_drive(instance, params->dt);
    }
}

static void run_secondary(vrm_instance *instance, const vrm_update_params *params)
{
    vrmi_outputs_begin(instance);
    if (instance->pose_changed) {
        vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
        instance->pose_changed = false;
    }
    if (params->stages & VRM_STAGE_RAGDOLL) {
        vrmi_stage_ragdoll_read(instance);
        if (params->stages & VRM_STAGE_LOOK_CHAIN) {
            vrmi_stage_look_chain_again(instance);
        }
    }
    if (params->stages & VRM_STAGE_EXPRESSION) {
        // Merged before the eyes move: what overrides the gaze must be known in the same frame.
        vrmi_face_merge(instance, params->dt);
    }
    if (params->stages & VRM_STAGE_LOOK_AT) {
        vrmi_stage_look_at(instance);
    }
    if (params->stages & VRM_STAGE_EXPRESSION) {
        vrmi_stage_expression(instance);
    }
    if (params->stages & VRM_STAGE_CONSTRAINT) {
        vrmi_stage_constraint(instance);
    }
    if (params->stages & VRM_STAGE_SPRING) {
        vrmi_stage_spring(instance, params);
    }
    if (params->stages & VRM_STAGE_OUTPUT) {
        vrmi_stage_output(instance, params->dt);
    }
    vrmi_outputs_end(instance);
}

// False for a caller's bug; else the params with a dt that is finite and not negative. Steps that a host may or may
// not flush to zero are none.
static bool prepare(const vrm_instance *instance, const vrm_update_params *params, vrm_update_params *out)
{
    if (!VRM_ASSERT(instance != NULL) || !VRM_ASSERT(params != NULL && params->struct_size == sizeof(*params))) {
        return false;
    }
    *out = *params;
    out->dt = params->dt > 1e-30f && vrmi_finite(params->dt) ? params->dt : 0.0f;
    return true;
}

void vrm_update_params_default(vrm_update_params *params)
{
    if (!VRM_ASSERT(params != NULL)) {
        return;
    }
    *params = (vrm_update_params){.struct_size = sizeof(*params), .stages = VRM_STAGE_ALL};
}

void vrm_update_pose(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_params prepared;
    if (prepare(instance, params, &prepared)) {
        const vrmi_float_environment host = vrmi_float_enter();
        run_pose(instance, &prepared);
        vrmi_float_leave(host);
    }
}

void vrm_update_secondary(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_params prepared;
    if (prepare(instance, params, &prepared)) {
        const vrmi_float_environment host = vrmi_float_enter();
        run_secondary(instance, &prepared);
        vrmi_float_leave(host);
    }
}

void vrm_update(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_params prepared;
    if (prepare(instance, params, &prepared)) {
        const vrmi_float_environment host = vrmi_float_enter();
        run_pose(instance, &prepared);
        run_secondary(instance, &prepared);
        vrmi_float_leave(host);
    }
}

void vrm_update_dt(vrm_instance *instance, float dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    vrm_update(instance, &params);
}
