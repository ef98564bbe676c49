// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Decides when an instance may sleep and when it wakes. Applies the update interval.

#include "base/checks.h"
#include "math/cursor.h"
#include "runtime/clip/clip.h"
#include "runtime/core/instance.h"
#include "runtime/core/output.h"

static const float still_seconds = 0.5f; // time without change before the instance sleeps
// A frame runs even if it is early by up to this fraction of the interval, instead of waiting for another frame.
static const float early = 0.01f;

void vrmi_lod_init(vrm_instance *instance)
{
    instance->lod = (vrmi_lod){.level = VRM_LOD_FULL, .stirred = true};
    instance->lod.scrolls = vrmi_output_animates(instance);
}

vrm_result vrm_instance_set_lod(vrm_instance *instance, vrm_lod level)
{
    if (instance == NULL || (uint32_t)level >= VRM_LOD_COUNT) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t stored = (uint32_t)level;
    vrmi_instance_put(instance, &instance->lod.level, &stored, sizeof(stored));
    return VRM_SUCCESS;
}

vrm_lod vrm_instance_get_lod(const vrm_instance *instance)
{
    return VRM_ASSERT(instance != NULL) ? (vrm_lod)instance->lod.level : VRM_LOD_FULL;
}

bool vrm_instance_is_asleep(const vrm_instance *instance)
{
    return VRM_ASSERT(instance != NULL) && instance->lod.asleep && !instance->lod.stirred;
}

vrm_result vrm_instance_set_update_interval(vrm_instance *instance, float seconds, float phase)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(seconds) || !vrmi_finite(phase)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (seconds < 0.0f || seconds > 1.0f || phase < 0.0f || phase > 1.0f) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    instance->lod.interval = seconds;
    instance->lod.wait = seconds * (1.0f - phase);
    return VRM_SUCCESS;
}

// --- frames ----------------------------------------------------------------------------------------------------------

static vrmi_lod_frame run(vrmi_lod *lod, vrm_update_params *params)
{
    lod->made_up = lod->gathered;
    params->dt += lod->gathered;
    lod->gathered = 0.0f;
    return VRMI_LOD_RUN;
}

vrmi_lod_frame vrmi_lod_wake(vrm_instance *instance, vrm_update_params *params)
{
    vrmi_lod *lod = &instance->lod;
    lod->asleep = false;
    lod->still = 0.0f;
    lod->wait = lod->interval;
    return run(lod, params);
}

static bool sleeps_on(vrm_instance *instance, const vrm_update_params *params)
{
    const vrmi_lod *lod = &instance->lod;
    return !lod->stirred && params->stages == lod->stages &&
           (!lod->blinks || vrmi_blink_wait(&instance->face.blink, params->dt));
}

// After a restore nothing needs an update, but the outputs are outdated: computes them once, with dt 0.
static vrmi_lod_frame show_restored(vrm_instance *instance, vrm_update_params *params)
{
    instance->clock += instance->lod.asleep ? (double)params->dt : 0.0;
    instance->lod.made_up = -params->dt; // the second half also runs with dt 0
    params->dt = 0.0f;
    return VRMI_LOD_RUN;
}

vrmi_lod_frame vrmi_lod_begin(vrm_instance *instance, vrm_update_params *params)
{
    vrmi_lod *lod = &instance->lod;
    lod->made_up = 0.0f;
    if (lod->asleep) {
        if (!sleeps_on(instance, params)) {
            return vrmi_lod_wake(instance, params);
        }
        return instance->outputs_stale ? show_restored(instance, params) : VRMI_LOD_SLEEP;
    }
    if (lod->interval > 0.0f) {
        lod->wait -= params->dt;
        if (lod->wait > early * lod->interval) {
            lod->gathered += params->dt;
            return instance->outputs_stale ? show_restored(instance, params) : VRMI_LOD_GATHER;
        }
        lod->wait = vrmi_max(lod->wait + lod->interval, 0.0f);
    }
    return run(lod, params);
}

// Returns true if the look chain may rotate this node or an ancestor.
static bool is_under_look_chain(const vrm_instance *instance, uint32_t node)
{
    const uint32_t count = instance->look.bone_count;
    const int32_t top = count > 0 ? instance->look_bones[count - 1].node : -1;
    return top >= 0 && node >= (uint32_t)top && node < vrmi_model_node_subtree_end(instance->model)[top];
}

// Returns true if nothing has moved except hair and the look chain, which are never completely still.
static bool outputs_are_still(const vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const uint32_t *hair = model->spring_mask.count != 0 ? vrmi_model_spring_mask(model) : NULL;
    bool still = true;
    for (uint32_t i = 0; i < (model->mesh.count + 31) / 32; ++i) {
        still = still && instance->mesh_changed[i] == 0;
    }
    for (uint32_t node = 0; still && node < model->node_parent.count; ++node) {
        const uint32_t moved = instance->node_changed[node / 32] & ~(hair != NULL ? hair[node / 32] : 0);
        still = (moved >> node % 32 & 1u) == 0 || is_under_look_chain(instance, node);
    }
    return still;
}

static bool is_still(const vrm_instance *instance)
{
    return vrmi_clip_is_still(instance) && vrmi_look_is_still(instance) && vrmi_ragdoll_is_still(instance) &&
           vrmi_expression_is_still(instance) && vrmi_spring_is_still(instance) && outputs_are_still(instance);
}

void vrmi_lod_settle(vrm_instance *instance, const vrm_update_params *params)
{
    vrmi_lod *lod = &instance->lod;
    const bool may_sleep = lod->level >= VRM_LOD_SLEEP && (params->stages & VRM_STAGE_OUTPUT) != 0 &&
                           params->stages == lod->stages && !lod->stirred;
    lod->unchanged = false;
    lod->stirred = false;
    lod->stages = params->stages;
    if (lod->asleep) {
        return; // this frame only computed the outputs after a restore
    }
    lod->still = may_sleep && is_still(instance) ? lod->still + params->dt : 0.0f;
    lod->asleep = lod->still >= still_seconds;
    lod->blinks = instance->face.blink.pending != 0;
}

void vrmi_lod_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_lod *lod = &instance->lod;
    vrmi_cursor_u32(cursor, &lod->level, VRM_LOD_COUNT - 1);
    vrmi_cursor_bool(cursor, &lod->asleep);
    vrmi_cursor_bool(cursor, &lod->stirred);
    vrmi_cursor_bool(cursor, &lod->blinks);
    vrmi_cursor_float(cursor, &lod->still, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_u32(cursor, &lod->stages, UINT32_MAX);
    vrmi_cursor_float(cursor, &lod->interval, 0.0f, 1.0f);
    vrmi_cursor_float(cursor, &lod->wait, -1.0f, 1.0f);
    vrmi_cursor_float(cursor, &lod->gathered, 0.0f, 1.0f);
}
