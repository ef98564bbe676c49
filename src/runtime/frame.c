// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The public update functions. They decide which frames run, in two halves or at once; update.c runs the stages.

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "runtime/core/output.h"
#include "runtime/stages.h"

// Copies the params, with a dt that is finite and not negative. A dt so small that a host may flush it to zero becomes
// 0. Returns false if the caller passed invalid arguments.
static bool prepare(const vrm_instance *instance, const vrm_update_params *params, vrm_update_params *out)
{
    vrm_update_params_default(out);
    if (!VRM_ASSERT(instance != NULL) ||
        !VRM_ASSERT(params != NULL && VRMI_READ_OPTIONS(vrm_update_params, out, params))) {
        return false;
    }
    out->dt = out->dt > 1e-30f && vrmi_finite(out->dt) ? out->dt : 0.0f;
    out->profile = (uint32_t)out->profile < VRM_PROFILE_COUNT ? out->profile : VRM_PROFILE_LIBVRM;
    out->spring_time = out->profile != VRM_PROFILE_LIBVRM ? VRM_SPRING_TIME_REFERENCE : out->spring_time;
    return true;
}

void(vrm_update_params_default)(vrm_update_params *params, size_t size)
{
    const vrm_update_params own = {.struct_size = sizeof own, .stages = VRM_STAGE_ALL};
    vrmi_write_defaults(params, size, &own, sizeof own);
}

static void run_pose_half(vrm_instance *instance, const vrm_update_params *params)
{
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_run_pose(instance, params);
    vrmi_float_leave(host);
}

static void run_secondary_half(vrm_instance *instance, const vrm_update_params *params)
{
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_run_secondary(instance, params);
    vrmi_lod_settle(instance, params);
    vrmi_float_leave(host);
}

// Handles a frame that does not run: the outputs stay, and only for a sleeping instance does time advance.
static void hold(vrm_instance *instance, vrmi_lod_frame frame, const vrm_update_params *params)
{
    vrmi_lod *lod = &instance->lod;
    const bool animates = frame == VRMI_LOD_SLEEP && lod->scrolls;
    if (animates || !lod->unchanged) {
        vrmi_outputs_begin(instance);
        lod->unchanged = true;
    }
    if (animates) {
        const vrmi_float_environment host = vrmi_float_enter();
        vrmi_output_animate(instance, params->dt);
        vrmi_outputs_end(instance);
        vrmi_float_leave(host);
    } else if (frame == VRMI_LOD_SLEEP) {
        instance->clock += (double)params->dt;
    }
}

// Wakes the instance. Called if something has changed between the halves of a frame that was not going to run.
static void wake(vrm_instance *instance)
{
    instance->lod.frame = (uint8_t)vrmi_lod_wake(instance, &instance->lod.params);
    run_pose_half(instance, &instance->lod.params);
}

// Prepares for the host to change the pose between the halves: a sleeping instance wakes and runs its first half now.
// Returns false in a frame that is skipped.
static bool takes_pose(vrm_instance *instance)
{
    if (instance->lod.frame == VRMI_LOD_SLEEP) {
        wake(instance);
    }
    return instance->lod.frame != VRMI_LOD_GATHER;
}

vrm_result vrm_instance_set_pose(vrm_instance *instance, uint32_t node, const vrm_transform *local)
{
    if (instance == NULL || node >= instance->model->node_parent.count || local == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!takes_pose(instance)) {
        return VRM_SUCCESS;
    }
    const vrm_result result = vrmi_instance_store(instance, node, local, instance->local);
    instance->local_set = instance->hair_stale = true;
    instance->pose_changed = instance->pose_changed || result == VRM_SUCCESS;
    vrmi_instance_stir(instance);
    return result;
}

void vrm_update_pose(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_params prepared;
    if (prepare(instance, params, &prepared)) {
        vrmi_lod *lod = &instance->lod;
        lod->frame = (uint8_t)vrmi_lod_begin(instance, &prepared);
        lod->params = prepared;
        if (lod->frame == VRMI_LOD_RUN) {
            run_pose_half(instance, &prepared);
        }
    }
}

void vrm_update_secondary(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_params prepared;
    if (!prepare(instance, params, &prepared)) {
        return;
    }
    vrmi_lod *lod = &instance->lod;
    if (lod->frame == VRMI_LOD_SLEEP && lod->stirred) {
        wake(instance);
    }
    vrmi_lod_frame frame = (vrmi_lod_frame)lod->frame;
    if (frame == VRMI_LOD_UNDECIDED) {
        frame = vrmi_lod_begin(instance, &prepared);
    } else {
        prepared.dt += lod->made_up;
    }
    lod->frame = VRMI_LOD_UNDECIDED;
    if (frame == VRMI_LOD_RUN) {
        run_secondary_half(instance, &prepared);
    } else {
        hold(instance, frame, &prepared);
    }
}

void vrm_update(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_params prepared;
    if (!prepare(instance, params, &prepared)) {
        return;
    }
    const vrmi_lod_frame frame = vrmi_lod_begin(instance, &prepared);
    instance->lod.frame = VRMI_LOD_UNDECIDED;
    if (frame != VRMI_LOD_RUN) {
        hold(instance, frame, &prepared);
        return;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_run_pose(instance, &prepared);
    vrmi_run_secondary(instance, &prepared);
    vrmi_lod_settle(instance, &prepared);
    vrmi_float_leave(host);
}

void vrm_update_dt(vrm_instance *instance, float dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    vrm_update(instance, &params);
}
