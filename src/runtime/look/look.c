// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The gaze set by the host. Also initialisation, stillness and snapshots of gaze and look chain.

#include "runtime/look/look.h"

#include "base/checks.h"
#include "math/cursor.h"
#include "runtime/core/instance.h"

#include <string.h>

void vrmi_look_init(vrm_instance *instance)
{
    instance->gaze = (vrmi_gaze){.mode = VRMI_GAZE_NONE, .last_rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    vrmi_look_chain_init(&instance->look);
    instance->look_active = false;
    memset(instance->look_weights, 0, sizeof(instance->look_weights));
    instance->look_yaw = instance->look_pitch = 0.0f;
}

bool vrmi_look_is_still(const vrm_instance *instance)
{
    // The limit is 0.2 degrees per second at 60 Hz. Bones that have arrived still move by a hundredth of this limit,
    // because of rounding.
    const vrmi_look_chain *chain = &instance->look;
    const bool shows = chain->bone_count > 0 && chain->weight > 0.0f;
    return !chain->in_transition && !chain->moving && !(shows && (chain->def.idle || chain->way > 3e-5f));
}

static void set_mode(vrm_instance *instance, vrmi_gaze_mode mode)
{
    const uint32_t stored = (uint32_t)mode;
    vrmi_instance_put(instance, &instance->gaze.mode, &stored, sizeof(stored));
}

static void set_eye(vrm_instance *instance, int side, vrmi_eye eye)
{
    vrmi_eye *old = &instance->gaze.eyes[side];
    if (old->active != eye.active || old->yaw != eye.yaw || old->pitch != eye.pitch) {
        *old = eye;
        vrmi_instance_stir(instance);
    }
}

vrm_result vrm_instance_set_look_at_target(vrm_instance *instance, const vrm_dvec3 *target_world)
{
    if (instance == NULL || target_world == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_dvec3_finite(*target_world)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    set_mode(instance, VRMI_GAZE_TARGET);
    vrmi_instance_put(instance, &instance->gaze.target, target_world, sizeof(instance->gaze.target));
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_look_at_angles(vrm_instance *instance, float yaw, float pitch)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(yaw) || !vrmi_finite(pitch)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrmi_instance_clamp(instance, &yaw, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &pitch, VRMI_LARGEST_NUMBER);
    set_mode(instance, VRMI_GAZE_ANGLES);
    vrmi_instance_put(instance, &instance->gaze.yaw, &yaw, sizeof(yaw));
    vrmi_instance_put(instance, &instance->gaze.pitch, &pitch, sizeof(pitch));
    return VRM_SUCCESS;
}

void vrm_instance_clear_look_at(vrm_instance *instance)
{
    if (VRM_ASSERT(instance != NULL)) {
        set_mode(instance, VRMI_GAZE_NONE);
    }
}

static vrm_result find_eye(const vrm_instance *instance, vrm_human_bone eye, int *out_side)
{
    if (instance == NULL || (eye != VRM_HUMAN_BONE_LEFT_EYE && eye != VRM_HUMAN_BONE_RIGHT_EYE)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_side = eye == VRM_HUMAN_BONE_LEFT_EYE ? 0 : 1;
    return instance->model->head.bone_node[eye] >= 0 ? VRM_SUCCESS : VRM_ERROR_NOT_FOUND;
}

vrm_result vrm_instance_set_eye_angles(vrm_instance *instance, vrm_human_bone eye, float yaw, float pitch)
{
    int side;
    const vrm_result result = find_eye(instance, eye, &side);
    if (result != VRM_SUCCESS) {
        return result;
    }
    if (!vrmi_finite(yaw) || !vrmi_finite(pitch)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrmi_instance_clamp(instance, &yaw, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &pitch, VRMI_LARGEST_NUMBER);
    set_eye(instance, side, (vrmi_eye){true, yaw, pitch});
    return VRM_SUCCESS;
}

vrm_result vrm_instance_clear_eye_angles(vrm_instance *instance, vrm_human_bone eye)
{
    int side;
    const vrm_result result = find_eye(instance, eye, &side);
    if (result == VRM_SUCCESS) {
        const vrmi_eye before = instance->gaze.eyes[side];
        set_eye(instance, side, (vrmi_eye){false, before.yaw, before.pitch});
    }
    return result;
}

void vrmi_look_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_gaze *gaze = &instance->gaze;
    vrmi_cursor_u32(cursor, &gaze->mode, VRMI_GAZE_ANGLES);
    vrmi_cursor_dvec3(cursor, &gaze->target);
    vrmi_cursor_float(cursor, &gaze->yaw, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &gaze->pitch, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    for (int side = 0; side < 2; ++side) {
        vrmi_cursor_bool(cursor, &gaze->eyes[side].active);
        vrmi_cursor_float(cursor, &gaze->eyes[side].yaw, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
        vrmi_cursor_float(cursor, &gaze->eyes[side].pitch, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    }
    vrmi_cursor_bool(cursor, &gaze->has_last);
    vrmi_cursor_dvec3(cursor, &gaze->last_origin);
    vrmi_cursor_quat(cursor, &gaze->last_rotation);
    vrmi_look_chain_snapshot(instance, cursor);
}
