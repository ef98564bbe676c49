// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Events of a ragdoll: hits, explosions, falling, and getting up when the host asks for it. Also its outputs: phase,
// speed, and positions of bodies.

#include <vrm/ragdoll_build.h>

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "runtime/core/instance.h"
#include "runtime/ragdoll/ragdoll.h"

// Converts a world position to a position relative to the root's translation.
static vrm_vec3 from_world(vrm_instance *instance, vrm_dvec3 point)
{
    vrmi_instance_clamp_place(instance, &point);
    return vrmi_vec3_between(instance->root.translation, point);
}

// Returns a body's centre of mass, simulated or else animated, relative to the root's translation.
static vrm_vec3 center_now(const vrm_instance *instance, uint32_t body)
{
    vrm_vec3 position;
    vrm_quat rotation;
    vrmi_ragdoll_get_place(instance, body, &position, &rotation);
    return vrmi_ragdoll_center(instance, body, position, rotation);
}

static uint32_t nearest_body(const vrm_instance *instance, vrm_vec3 point)
{
    uint32_t nearest = 0;
    float least = 0.0f;
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        const float far = vrmi_vec3_length(vrmi_vec3_sub(center_now(instance, i), point));
        if (i == 0 || far < least) {
            least = far;
            nearest = i;
        }
    }
    return nearest;
}

vrm_result vrm_instance_hit_ragdoll(
    vrm_instance *instance, int32_t body, const vrm_dvec3 *point, const vrm_vec3 *impulse)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    if (point == NULL || impulse == NULL || body < -1 || body >= (int32_t)ragdoll->body_count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_dvec3_finite(*point) || !vrmi_vec3_finite(*impulse)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    const vrm_vec3 at = from_world(instance, *point);
    vrm_vec3 blow = *impulse;
    vrmi_instance_clamp_vec3(instance, &blow, VRMI_LARGEST_NUMBER);
    vrmi_instance_stir(instance);
    vrmi_ragdoll_note_pose(instance);
    const vrmi_float_environment host = vrmi_float_enter();
    const uint32_t hit = body >= 0 ? (uint32_t)body : nearest_body(instance, at);
    const float speed = vrmi_vec3_length(blow) / ragdoll->mass;
    const float loss = vrmi_clamp(speed / ragdoll->settings.hit_speed, 0.0f, 1e6f);
    if (!vrmi_ragdoll_blow_add(instance, &(vrmi_ragdoll_blow){.body = hit, .impulse = blow, .loss = loss}, at)) {
        vrmi_float_leave(host);
        return VRM_ERROR_LIMIT;
    }
    if (ragdoll->phase == VRM_RAGDOLL_PHASE_RECOVERING && ragdoll->gets_up) {
        // The body still lies: with little strength it could neither rise nor follow the motion.
        vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_LIMP);
    } else if (ragdoll->phase == VRM_RAGDOLL_PHASE_RECOVERING) {
        // Continues from the strength that the body has already regained.
        const float part = vrmi_ragdoll_strength(ragdoll);
        for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
            instance->ragdoll_rows[i].strength_scale *= part;
        }
        vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_ACTIVE);
    }
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

static void go_limp(vrm_instance *instance)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    vrmi_instance_stir(instance);
    vrmi_ragdoll_note_pose(instance);
    if (ragdoll->phase == VRM_RAGDOLL_PHASE_OFF) {
        ragdoll->shown = 1.0f;
        ragdoll->has_states = false;
        ++ragdoll->moved;
    }
    vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_LIMP);
}

vrm_result vrm_instance_explode_ragdoll(vrm_instance *instance, const vrm_dvec3 *center, float impulse, float radius)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    if (center == NULL || !(radius > 0.0f) || !(impulse >= 0.0f)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_dvec3_finite(*center) || !vrmi_finite(impulse) || !vrmi_finite(radius)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (ragdoll->blow_count + ragdoll->body_count > 2 * instance->def.ragdoll_bodies) {
        return VRM_ERROR_LIMIT;
    }
    const vrm_vec3 from = from_world(instance, *center);
    vrmi_instance_clamp(instance, &impulse, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &radius, 2.0f * (float)VRMI_LARGEST_PLACE);
    const vrmi_float_environment host = vrmi_float_enter();
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        const vrm_vec3 at = center_now(instance, i), way = vrmi_vec3_sub(at, from);
        const float far = vrmi_vec3_length(way);
        if (far < radius) {
            const float size = impulse * (1.0f - far / radius) * (instance->ragdoll_bodies[i].mass / ragdoll->mass);
            const vrm_vec3 out = vrmi_vec3_normalize_or(way, vrmi_vec3(0.0f, 1.0f, 0.0f));
            const vrmi_ragdoll_blow blow = {.body = i, .impulse = vrmi_vec3_scale(out, size)};
            (void)vrmi_ragdoll_blow_add(instance, &blow, at); // cannot fail, since the count was checked above
        }
    }
    go_limp(instance);
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_drop_ragdoll(vrm_instance *instance)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result == VRM_SUCCESS) {
        go_limp(instance);
    }
    return result;
}

static bool is_down(const vrmi_ragdoll *ragdoll)
{
    return ragdoll->phase == VRM_RAGDOLL_PHASE_LIMP || ragdoll->phase == VRM_RAGDOLL_PHASE_LYING;
}

vrm_result vrm_instance_recover_ragdoll(vrm_instance *instance)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result == VRM_SUCCESS && is_down(&instance->ragdoll)) {
        vrmi_ragdoll_enter(&instance->ragdoll, VRM_RAGDOLL_PHASE_RECOVERING);
        vrmi_instance_stir(instance);
    }
    return result;
}

vrm_result vrm_instance_start_get_up(vrm_instance *instance)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result == VRM_SUCCESS && is_down(&instance->ragdoll)) {
        instance->ragdoll.get_up = instance->ragdoll.has_states;
        instance->ragdoll.gets_up = true;
        vrmi_ragdoll_enter(&instance->ragdoll, VRM_RAGDOLL_PHASE_RECOVERING);
        vrmi_instance_stir(instance);
    }
    return result;
}

vrm_result vrm_instance_stop_ragdoll(vrm_instance *instance)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_OFF);
    vrmi_instance_stir(instance);
    ragdoll->blow_count = ragdoll->impulse_count = 0;
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        instance->ragdoll_rows[i].strength_scale = 1.0f;
    }
    return VRM_SUCCESS;
}

static vrm_ragdoll_lying lying_of(vrm_quat hips)
{
    const vrm_vec3 left = vrmi_quat_rotate(hips, vrmi_vec3(1.0f, 0.0f, 0.0f));
    const vrm_vec3 up = vrmi_quat_rotate(hips, vrmi_vec3(0.0f, 1.0f, 0.0f));
    const vrm_vec3 front = vrmi_quat_rotate(hips, vrmi_vec3(0.0f, 0.0f, 1.0f));
    if (vrmi_abs(up.y) >= vrmi_max(vrmi_abs(left.y), vrmi_abs(front.y))) {
        return VRM_RAGDOLL_LYING_NOT;
    }
    if (vrmi_abs(front.y) >= vrmi_abs(left.y)) {
        return front.y > 0.0f ? VRM_RAGDOLL_LYING_BACK : VRM_RAGDOLL_LYING_FRONT;
    }
    return left.y > 0.0f ? VRM_RAGDOLL_LYING_RIGHT_SIDE : VRM_RAGDOLL_LYING_LEFT_SIDE;
}

void vrm_instance_get_ragdoll_info(const vrm_instance *instance, vrm_ragdoll_info *out_info)
{
    if (!VRM_ASSERT(instance != NULL && out_info != NULL)) {
        return;
    }
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    vrm_ragdoll_info info = {
        .phase = ragdoll->phase, .phase_time = ragdoll->phase_time, .body_count = ragdoll->body_count};
    info.balance = (vrm_ragdoll_balance)ragdoll->step.phase;
    info.step_count = ragdoll->step.phase != VRMI_STEP_OFF ? ragdoll->step.steps : 0;
    if (vrmi_ragdoll_runs(ragdoll) && ragdoll->has_states) {
        const vrmi_float_environment host = vrmi_float_enter();
        info.lying = lying_of(instance->ragdoll_rows[0].state.rotation);
        info.speed = ragdoll->speed;
        info.deviation = ragdoll->deviation;
        vrmi_float_leave(host);
    }
    (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_ragdoll_info, out_info, &info));
}

void vrm_ragdoll_get_pose_states(
    const vrm_ragdoll_def *def, const vrm_instance *instance, vrm_ragdoll_state out_states[VRM_RAGDOLL_MAX_BODIES])
{
    if (!VRM_ASSERT(def != NULL && instance != NULL && def->body_count <= VRM_RAGDOLL_MAX_BODIES)) {
        return;
    }
    const vrmi_model *model = instance->model;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const uint32_t node = def->bodies[i].node;
        vrm_transform world = {{0, 0, 0}, vrmi_quat_identity(), {1, 1, 1}};
        out_states[i] = (vrm_ragdoll_state){.rotation = vrmi_quat_identity()};
        if (node < out.node_count) {
            (void)vrmi_mat34_decompose(&out.world[node], &world);
            const vrm_quat back = vrmi_quat_conjugate(vrmi_model_node_rest_rotation(model)[node]);
            out_states[i].position = world.translation;
            out_states[i].rotation = vrmi_quat_normalize(vrmi_quat_mul(world.rotation, back));
        }
    }
}
