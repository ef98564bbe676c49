// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Setters of the springs: settings, parameters, host colliders, and moves that hair must not feel.

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "model/spring_values.h"
#include "runtime/spring/spring_step.h"

#include <string.h>

vrm_result vrm_instance_set_spring_params(vrm_instance *instance, const vrm_spring_params *settings)
{
    vrm_spring_params own;
    vrm_spring_params_default(&own);
    if (instance == NULL || settings == NULL || !VRMI_READ_OPTIONS(vrm_spring_params, &own, settings)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    settings = &own;
    if (!vrmi_spring_settings_finite(settings)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (!vrmi_spring_settings_valid(settings)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_clamp_vec3(instance, &own.external, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &own.gravity_scale, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &own.stiffness_scale, VRMI_LARGEST_NUMBER);
    vrm_dvec3 ground = {0.0, own.ground_height, 0.0};
    vrmi_instance_clamp_place(instance, &ground);
    own.ground_height = ground.y;
    if (!vrmi_spring_settings_same(&instance->springs.settings, settings)) {
        instance->springs.settings = *settings;
        instance->springs.hosts_changed = true; // the ground is in the list of host colliders
        vrmi_instance_stir(instance);
    }
    return VRM_SUCCESS;
}

void vrm_instance_get_spring_params(const vrm_instance *instance, vrm_spring_params *out_settings)
{
    (void)VRM_ASSERT(instance != NULL && out_settings != NULL &&
                     VRMI_WRITE_OUTPUT(vrm_spring_params, out_settings, &instance->springs.settings));
}

vrm_result vrm_instance_set_chain_weight(vrm_instance *instance, uint32_t chain, float weight)
{
    if (instance == NULL || chain >= instance->model->spring_chain.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(weight)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (weight < 0.0f || weight > 1.0f) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_put(instance, &instance->spring_weight[chain], &weight, sizeof(weight));
    instance->springs.chosen = false;
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_spring_joint(vrm_instance *instance, uint32_t joint, const vrm_spring_joint_params *params)
{
    if (instance == NULL || params == NULL || joint >= instance->model->spring_joint.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!instance->def.spring_parameters) {
        return VRM_ERROR_UNSUPPORTED;
    }
    if (!vrmi_spring_params_finite(params)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (!vrmi_spring_params_valid(params)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_spring_joint_params own = *params;
    vrmi_instance_clamp(instance, &own.hit_radius, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &own.stiffness, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &own.gravity_power, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp_vec3(instance, &own.gravity_dir, VRMI_LARGEST_NUMBER);
    const uint32_t slot = vrmi_model_spring_slot(instance->model)[joint];
    vrmi_spring_param_lanes *row = &instance->spring_params[slot / VRMI_LANES];
    const vrm_spring_joint_params before = vrmi_spring_lane_params(row, slot % VRMI_LANES);
    if (memcmp(&before, &own, sizeof(before)) != 0) {
        vrmi_spring_set_lane_params(row, slot % VRMI_LANES, &own);
        vrmi_instance_stir(instance);
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_get_spring_joint(
    const vrm_instance *instance, uint32_t joint, vrm_spring_joint_params *out_params)
{
    if (instance == NULL || out_params == NULL || joint >= instance->model->spring_joint.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t slot = vrmi_model_spring_slot(instance->model)[joint];
    const vrmi_spring_param_lanes *rows =
        instance->def.spring_parameters ? instance->spring_params : vrmi_model_spring_param_lanes(instance->model);
    *out_params = vrmi_spring_lane_params(&rows[slot / VRMI_LANES], slot % VRMI_LANES);
    return VRM_SUCCESS;
}

// Requests something for the next update.
static void ask(vrm_instance *instance, vrmi_spring_pending what)
{
    instance->springs.pending |= (uint32_t)what;
    vrmi_instance_stir(instance);
}

void vrm_instance_reset_springs(vrm_instance *instance)
{
    if (VRM_ASSERT(instance != NULL)) {
        ask(instance, VRMI_SPRING_PENDING_RESET);
    }
}

vrm_result vrm_instance_settle_springs(vrm_instance *instance, float seconds)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(seconds)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (seconds < 0.0f || seconds > 10.0f) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    ask(instance, VRMI_SPRING_PENDING_SETTLE);
    instance->springs.settle = seconds;
    return VRM_SUCCESS;
}

// --- moves ---------------------------------------------------------------------------------------------------------

// Moves the state of the last tick, and the poses that the next tick interpolates from.
static void move_state(vrm_instance *instance, const vrmi_rigid *by)
{
    for (uint32_t i = 0; i < instance->model->spring_joint.count; ++i) {
        const uint32_t slot = vrmi_model_spring_slot(instance->model)[i];
        const vrmi_spring_motion motion = vrmi_spring_get_motion(instance->spring_state, slot);
        const vrmi_spring_motion moved = vrmi_spring_moved(by, &motion);
        vrmi_spring_set_motion(instance->spring_state, slot, &moved);
    }
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance); ++i) {
        vrmi_rigid_pose(by, &instance->spring_anchor[i].tick);
    }
}

void vrmi_spring_warp(vrm_instance *instance, const vrmi_warp *w)
{
    vrmi_spring_globals *springs = &instance->springs;
    const vrmi_rigid turn = {.turns = true, .rotation = w->rotation};
    move_state(instance, &turn);
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance); ++i) {
        vrmi_rigid_pose(&turn, &instance->spring_anchor[i].last);
    }
    // The motion since the last tick that hair does not feel is expressed in the rotated axes.
    springs->turn =
        vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_mul(w->rotation, springs->turn), vrmi_quat_conjugate(w->rotation)));
    springs->origin = vrmi_warp_point(w, springs->origin);
    vrmi_warp_root(w, &springs->root);
    vrmi_warp_root(w, &springs->platform);
    vrmi_warp_root(w, &springs->platform_last);
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        instance->spring_host[i].jumped = true;
    }
}

vrm_result vrm_instance_set_platform(vrm_instance *instance, const vrm_root *platform)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (platform == NULL) {
        const bool none = false;
        vrmi_instance_put(instance, &instance->springs.has_platform, &none, sizeof(none));
        return VRM_SUCCESS;
    }
    const vrm_quat q = platform->rotation;
    if (!vrmi_dvec3_finite(platform->translation) || !vrmi_quat_finite(q)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const float squared = vrmi_quat_dot(q, q);
    const bool has_direction = squared > 1e-30f && vrmi_finite(squared);
    if (has_direction) {
        vrmi_spring_globals *springs = &instance->springs;
        const bool some = true;
        const vrm_quat unit = vrmi_quat_normalize(q);
        vrm_dvec3 place = platform->translation;
        vrmi_instance_clamp_place(instance, &place);
        vrmi_instance_put(instance, &springs->platform.translation, &place, sizeof(place));
        vrmi_instance_put(instance, &springs->platform.rotation, &unit, sizeof(unit));
        springs->platform.scale = 1.0f; // the platform's scale is ignored, so that a change of scale moves nothing
        vrmi_instance_put(instance, &springs->has_platform, &some, sizeof(some));
    }
    vrmi_float_leave(host);
    return has_direction ? VRM_SUCCESS : VRM_ERROR_INVALID_ARGUMENT;
}

// --- host colliders ------------------------------------------------------------------------------------------------

// Attaches the slot to a node; -2: to nothing.
static void attach(vrm_instance *instance, uint32_t slot, int32_t node)
{
    if (instance->spring_host[slot].anchor.node != node) {
        vrmi_spring_attach_host(instance, slot, node);
        instance->spring_host[slot].jumped = true;
    }
    instance->springs.hosts_changed = true;
}

vrm_result vrm_instance_set_host_collider(vrm_instance *instance, uint32_t slot, const vrm_host_collider_def *collider)
{
    if (instance == NULL || slot >= instance->def.host_colliders) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_spring_host *host = &instance->spring_host[slot];
    if (collider == NULL) {
        const bool none = false;
        vrmi_instance_put(instance, &host->used, &none, sizeof(none));
        attach(instance, slot, -2);
        return VRM_SUCCESS;
    }
    vrm_host_collider_def own;
    vrm_host_collider_def_default(&own);
    if (!VRMI_READ_OPTIONS(vrm_host_collider_def, &own, collider)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    collider = &own;
    if (!vrmi_host_collider_finite(collider)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (!vrmi_host_collider_valid(instance->model, collider)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_clamp_place(instance, &own.offset);
    vrmi_instance_clamp_place(instance, &own.tail);
    vrmi_instance_clamp(instance, &own.radius, VRMI_LARGEST_NUMBER);
    // The last position in the slot does not count as motion if the collider is new, or if its shape or space has
    // changed.
    host->jumped |= !host->used || !host->collider.enabled || host->collider.shape != collider->shape ||
                    host->collider.node != collider->node;
    if (!host->used || !vrmi_host_collider_same(&host->collider, collider)) {
        vrmi_instance_stir(instance);
    }
    host->used = true;
    host->collider = *collider;
    attach(instance, slot, collider->node < 0 ? -2 : collider->node);
    return VRM_SUCCESS;
}

// --- tails ---------------------------------------------------------------------------------------------------------

static uint32_t file_slot(const vrm_instance *instance, uint32_t i)
{
    return vrmi_model_spring_slot(instance->model)[vrmi_model_spring_file_order(instance->model)[i]];
}

vrm_result vrm_instance_get_spring_tails(
    const vrm_instance *instance, vrm_dvec3 *current, vrm_dvec3 *previous, uint32_t count)
{
    if (instance == NULL || count != instance->model->spring_joint.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_spring_globals *springs = &instance->springs;
    const double scale = (double)instance->root.scale;
    const vrmi_rigid turn = {.turns = true, .rotation = springs->turn};
    const vrmi_float_environment host = vrmi_float_enter();
    for (uint32_t i = 0; i < count; ++i) {
        const vrmi_spring_motion motion = vrmi_spring_get_motion(instance->spring_state, file_slot(instance, i));
        const vrmi_spring_motion turned = vrmi_spring_moved(&turn, &motion);
        const vrm_dvec3 arm = vrmi_dvec3_add(vrmi_dvec3_from(turned.head), vrmi_dvec3_from(turned.tail));
        const vrm_dvec3 here = vrmi_dvec3_add(springs->origin, vrmi_dvec3_scale(arm, scale));
        if (current != NULL) {
            current[i] = here;
        }
        if (previous != NULL) {
            previous[i] = vrmi_dvec3_sub(here, vrmi_dvec3_scale(vrmi_dvec3_from(turned.velocity), scale));
        }
    }
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

static bool tails_finite(const vrm_dvec3 *tails, uint32_t count)
{
    bool finite = true;
    for (uint32_t i = 0; tails != NULL && i < count; ++i) {
        finite = finite && vrmi_dvec3_finite(tails[i]);
    }
    return finite;
}

// Expresses the heads and the origin of the state relative to the root's current position, including the motion that
// hair does not feel.
static void rebase(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const vrm_dvec3 way = vrmi_dvec3_sub(springs->origin, instance->root.translation);
    const double scale = (double)instance->root.scale;
    const vrmi_rigid here = {
        true, springs->turn, {(float)(way.x / scale), (float)(way.y / scale), (float)(way.z / scale)}};
    springs->origin = instance->root.translation;
    move_state(instance, &here);
    memset(instance->spring_hit, 0, instance->model->spring_row.count * sizeof(*instance->spring_hit));
    springs->turn = vrmi_quat_identity();
}

// Converts a tail from the world to the space of the state.
static vrm_dvec3 tail_seen(vrm_instance *instance, vrm_dvec3 tail)
{
    vrmi_instance_clamp_place(instance, &tail);
    return vrmi_dvec3_scale(vrmi_dvec3_sub(tail, instance->springs.origin), 1.0 / (double)instance->root.scale);
}

vrm_result vrm_instance_set_spring_tails(
    vrm_instance *instance, const vrm_dvec3 *current, const vrm_dvec3 *previous, uint32_t count)
{
    if (instance == NULL || count != instance->model->spring_joint.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!tails_finite(current, count) || !tails_finite(previous, count)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (count == 0) {
        return VRM_SUCCESS;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_instance_stir(instance);
    if (instance->springs.pending != 0) {
        // Earlier requests take effect before the new tails are set.
        if (instance->springs.pending & VRMI_SPRING_PENDING_RESET) {
            vrmi_spring_show_rest(instance);
        }
        vrmi_spring_begin(instance);
        vrmi_spring_stand(instance);
        instance->springs.pending = 0;
    }
    rebase(instance);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = file_slot(instance, i);
        vrmi_spring_motion motion = vrmi_spring_get_motion(instance->spring_state, slot);
        const vrm_dvec3 head = vrmi_dvec3_from(motion.head);
        vrm_dvec3 now = vrmi_dvec3_add(head, vrmi_dvec3_from(motion.tail));
        vrm_dvec3 before = vrmi_dvec3_sub(now, vrmi_dvec3_from(motion.velocity));
        if (current != NULL) {
            now = tail_seen(instance, current[i]);
        }
        if (previous != NULL) {
            before = tail_seen(instance, previous[i]);
        }
        motion.tail = vrmi_vec3_between(head, now);
        motion.velocity = vrmi_vec3_between(before, now);
        vrmi_spring_set_motion(instance->spring_state, slot, &motion);
    }
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}
