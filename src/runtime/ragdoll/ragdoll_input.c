// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Setters and getters of the active ragdoll: definition, settings, weights, and the exchange with the engine.

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "runtime/core/instance.h"
#include "runtime/ragdoll/ragdoll.h"

#include <string.h>

void(vrm_ragdoll_params_default)(vrm_ragdoll_params *settings, size_t size)
{
    const vrm_ragdoll_params own = {
        .struct_size = sizeof own,
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .damping_ratio = 1.0f,
        .hit_speed = 1.0f,
        .hit_spread = 0.6f,
        .hit_recovery = 0.8f,
        .detect_fall = true,
        .fall_height = 0.35f,
        .fall_tilt = 70.0f * VRMI_PI / 180.0f,
        .recovery = VRM_RAGDOLL_RECOVERY_AUTOMATIC,
        .still_speed = 0.15f,
        .still_time = 0.5f,
        .grow_time = 1.0f,
        .blend_time = 0.4f,
        .get_up_pin = 1.0f,
        .hit_time = 0.1f,
        .hit_floor = 0.3f,
        .foot_pin = 1.0f,
        .step_assist = 1.5f,
        .step_reaction = 0.08f,
    };
    vrmi_write_defaults(settings, size, &own, sizeof own);
}

static bool within(float value, float low, float high)
{
    return value >= low && value <= high; // false for NaN
}

// Reads the given params; members beyond their size keep the defaults. Returns false if they are invalid or outside
// their ranges.
static bool read_settings(const vrm_ragdoll_params *given, vrm_ragdoll_params *s)
{
    vrm_ragdoll_params_default(s);
#define WITHIN(field, key, unit, least, most) &&within(s->field, least, most)
    return VRMI_READ_OPTIONS(vrm_ragdoll_params, s, given) && (int)s->drive >= 0 &&
           s->drive <= VRM_RAGDOLL_DRIVE_TORQUE && (int)s->recovery >= 0 &&
           s->recovery <= VRM_RAGDOLL_RECOVERY_MANUAL VRMI_RAGDOLL_NUMBERS(WITHIN);
#undef WITHIN
}

void vrmi_ragdoll_init(vrm_instance *instance)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const uint32_t moved = ragdoll->moved;
    *ragdoll = (vrmi_ragdoll){.phase = VRM_RAGDOLL_PHASE_OFF, .moved = moved, .placed = moved};
    if (instance->def.ragdoll_bodies != 0) {
        *instance->ragdoll_gait = (vrmi_gait){.rotation = vrmi_quat_identity()};
    }
    vrm_ragdoll_params_default(&ragdoll->settings);
}

// Returns the humanoid bones without a body that move with a body's bone. The gaze and the face move eyes and jaw, so
// these are excluded.
static uint64_t find_bodiless(const vrm_instance *instance, const vrm_ragdoll_def *def)
{
    uint64_t found = 0;
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = instance->model->head.bone_node[bone];
        const bool face =
            bone == VRM_HUMAN_BONE_LEFT_EYE || bone == VRM_HUMAN_BONE_RIGHT_EYE || bone == VRM_HUMAN_BONE_JAW;
        if (node >= 0 && !face && vrmi_has_pose(instance, (uint32_t)node)) {
            found |= (uint64_t)1 << bone;
        }
    }
    for (uint32_t i = 0; i < def->body_count; ++i) {
        found &= ~((uint64_t)1 << def->bodies[i].bone);
    }
    return found;
}

// Returns those of the bones `bodiless` that have a body's bone below them.
static uint64_t find_carriers(const vrm_instance *instance, const vrm_ragdoll_def *def, uint64_t bodiless)
{
    uint64_t found = 0;
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = instance->model->head.bone_node[bone];
        for (uint32_t i = 0; (bodiless >> bone & 1u) != 0 && i < def->body_count; ++i) {
            const uint32_t below = def->bodies[i].node;
            const bool is_below = below > (uint32_t)node && below < vrmi_model_node_subtree_end(instance->model)[node];
            found |= (uint64_t)is_below << bone;
        }
    }
    return found;
}

vrm_result vrm_instance_set_ragdoll(
    vrm_instance *instance, const vrm_ragdoll_def *def, const vrm_ragdoll_params *settings)
{
    vrm_ragdoll_params own;
    if (instance == NULL || def == NULL || vrm_ragdoll_def_check(def, NULL) != VRM_SUCCESS ||
        !read_settings(settings, &own)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (def->body_count > instance->def.ragdoll_bodies) {
        return VRM_ERROR_LIMIT;
    }
    if (vrm_ragdoll_def_check_avatar(def, instance->avatar, NULL) != VRM_SUCCESS) {
        return VRM_ERROR_INVALID_ASSET;
    }
    for (uint32_t i = 0; i < def->body_count; ++i) {
        if (!vrmi_has_pose(instance, def->bodies[i].node)) {
            return VRM_ERROR_UNSUPPORTED;
        }
    }
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    vrmi_ragdoll_init(instance);
    ragdoll->settings = own;
    ragdoll->body_count = def->body_count;
    ragdoll->height = def->height;
    ragdoll->last_scale = instance->root.scale;
    ragdoll->bodiless = find_bodiless(instance, def);
    ragdoll->carriers = find_carriers(instance, def, ragdoll->bodiless);
    vrmi_instance_stir(instance);
    for (uint32_t i = 0; i < def->body_count; ++i) {
        instance->ragdoll_bodies[i] = def->bodies[i];
        instance->ragdoll_anchors[i] = def->bodies[i].joint.anchor;
        instance->ragdoll_changes[i] = (vrm_ragdoll_velocity){{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
        ragdoll->mass += def->bodies[i].mass;
        const vrm_ragdoll_weights start = {i == 0 ? 1.0f : 0.0f, 1.0f, 1.0f};
        const vrm_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
        instance->ragdoll_rows[i] = (vrmi_ragdoll_row){.motion = VRM_RAGDOLL_MOTION_DYNAMIC,
            .from = start,
            .to = start,
            .strength_scale = 1.0f,
            .last_rotation = none,
            .state = {.rotation = none}};
        instance->ragdoll_targets[i] = (vrm_ragdoll_target){.state = {.rotation = none}};
        instance->ragdoll_places[i] = instance->ragdoll_targets[i].state;
    }
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

void vrm_instance_clear_ragdoll(vrm_instance *instance)
{
    if (VRM_ASSERT(instance != NULL)) {
        vrmi_ragdoll_init(instance);
        vrmi_instance_stir(instance);
    }
}

vrm_result vrmi_ragdoll_require(const vrm_instance *instance)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return instance->ragdoll.body_count > 0 ? VRM_SUCCESS : VRM_ERROR_UNSUPPORTED;
}

vrm_result vrm_instance_set_ragdoll_params(vrm_instance *instance, const vrm_ragdoll_params *settings)
{
    vrm_ragdoll_params own;
    if (settings == NULL || !read_settings(settings, &own)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result == VRM_SUCCESS) {
        instance->ragdoll.settings = own;
        vrmi_ragdoll_note_pose(instance);
        vrmi_instance_stir(instance);
    }
    return result;
}

void vrm_instance_get_ragdoll_params(const vrm_instance *instance, vrm_ragdoll_params *out_settings)
{
    (void)VRM_ASSERT(instance != NULL && out_settings != NULL &&
                     VRMI_WRITE_OUTPUT(vrm_ragdoll_params, out_settings, &instance->ragdoll.settings));
}

// --- weights -------------------------------------------------------------------------------------------------------

static bool is_group(vrm_ragdoll_group group)
{
    return (uint32_t)group < VRM_RAGDOLL_GROUP_COUNT || group == VRM_RAGDOLL_GROUP_ALL;
}

static bool weights_valid(const vrm_ragdoll_weights *weights, float seconds)
{
    return weights != NULL && within(weights->pin, 0.0f, 1.0f) && within(weights->muscle, 0.0f, 1.0f) &&
           within(weights->mapping, 0.0f, 1.0f) && within(seconds, 0.0f, 1e9f);
}

static void begin_transition(vrm_instance *instance, uint32_t body, const vrm_ragdoll_weights *weights, float seconds)
{
    vrmi_ragdoll_row *row = &instance->ragdoll_rows[body];
    vrm_ragdoll_weights now;
    (void)vrm_instance_get_ragdoll_body_weights(instance, body, &now);
    row->from = now;
    row->to = *weights;
    row->elapsed = 0.0;
    row->duration = (double)seconds;
    vrmi_ragdoll_note_pose(instance);
    vrmi_instance_stir(instance);
}

vrm_result vrm_instance_set_ragdoll_weights(
    vrm_instance *instance, vrm_ragdoll_group group, const vrm_ragdoll_weights *weights, float seconds)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    if (!is_group(group) || !weights_valid(weights, seconds)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        if (group == VRM_RAGDOLL_GROUP_ALL || instance->ragdoll_bodies[i].group == group) {
            begin_transition(instance, i, weights, seconds);
        }
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_ragdoll_body_weights(
    vrm_instance *instance, uint32_t body, const vrm_ragdoll_weights *weights, float seconds)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    if (body >= instance->ragdoll.body_count || !weights_valid(weights, seconds)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    begin_transition(instance, body, weights, seconds);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_ragdoll_joint_drive(
    vrm_instance *instance, uint32_t body, const vrm_ragdoll_joint_drive *drive)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    if (body >= instance->ragdoll.body_count || drive == NULL || !within(drive->frequency, 0.0f, 60.0f) ||
        !within(drive->damping_ratio, 0.0f, 10.0f) || !within(drive->max_torque, 0.0f, 1e9f)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    instance->ragdoll_bodies[body].joint.drive = *drive;
    vrmi_instance_stir(instance);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_ragdoll_motion(vrm_instance *instance, vrm_ragdoll_group group, vrm_ragdoll_motion motion)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    if (!is_group(group) || (motion != VRM_RAGDOLL_MOTION_KINEMATIC && motion != VRM_RAGDOLL_MOTION_DYNAMIC)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        if (group == VRM_RAGDOLL_GROUP_ALL || instance->ragdoll_bodies[i].group == group) {
            instance->ragdoll_rows[i].motion = motion;
            vrmi_instance_stir(instance);
        }
    }
    return VRM_SUCCESS;
}

// --- exchange ------------------------------------------------------------------------------------------------------

vrm_result vrm_instance_get_ragdoll_targets(const vrm_instance *instance, vrm_ragdoll_targets *out_targets)
{
    if (out_targets == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_ragdoll_targets none = {.active = false};
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_ragdoll_targets, out_targets, &none)) ? result
                                                                                      : VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrm_ragdoll_targets targets = {
        .origin = instance->root.translation,
        .root = instance->root,
        .root_from_model = instance->model->head.root_from_nodes,
        .drive = ragdoll->settings.drive,
        .body_count = ragdoll->body_count,
        .bodies = instance->ragdoll_targets,
        .active = vrmi_ragdoll_runs(ragdoll),
        .moved = ragdoll->moved,
        .places = instance->ragdoll_places,
        .impulse_count = ragdoll->impulse_count,
        .impulses = instance->ragdoll_impulses,
        .anchors = instance->ragdoll_anchors,
        .velocity_changes = instance->ragdoll_changes,
    };
    return VRMI_ANSWER(vrm_ragdoll_targets, out_targets, &targets);
}

static bool state_usable(const vrm_ragdoll_state *state)
{
    const vrm_quat q = state->rotation;
    return vrmi_vec3_finite(state->position) && vrmi_vec3_finite(state->linear_velocity) &&
           vrmi_vec3_finite(state->angular_velocity) && vrmi_finite(vrmi_quat_dot(q, q)) &&
           vrmi_quat_dot(q, q) > 1e-12f;
}

vrm_result vrm_instance_set_ragdoll_states(
    vrm_instance *instance, const vrm_dvec3 *origin, const vrm_ragdoll_state *states, uint32_t count)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    if (states != NULL && count != ragdoll->body_count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (states == NULL || (origin != NULL && !vrmi_dvec3_finite(*origin))) {
        instance->status |= VRM_STATUS_RAGDOLL_LOST;
        ragdoll->has_states = false;
        vrmi_instance_stir(instance);
        return VRM_SUCCESS;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    ragdoll->state_origin = origin != NULL ? *origin : (vrm_dvec3){0.0, 0.0, 0.0};
    vrmi_instance_clamp_place(instance, &ragdoll->state_origin);
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_ragdoll_row *row = &instance->ragdoll_rows[i];
        row->lost = !state_usable(&states[i]);
        row->state = row->lost ? instance->ragdoll_targets[i].state : states[i];
        row->state.rotation = vrmi_quat_normalize(row->state.rotation);
        vrmi_instance_clamp_vec3(instance, &row->state.position, VRMI_LARGEST_TRANSLATION);
        vrmi_instance_clamp_vec3(instance, &row->state.linear_velocity, VRMI_LARGEST_NUMBER);
        vrmi_instance_clamp_vec3(instance, &row->state.angular_velocity, VRMI_LARGEST_NUMBER);
        instance->status |= row->lost ? VRM_STATUS_RAGDOLL_LOST : 0u;
    }
    ragdoll->has_states = true;
    vrmi_instance_stir(instance);
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

// --- teleports -----------------------------------------------------------------------------------------------------

void vrmi_ragdoll_carry(vrm_instance *instance, const vrm_root *before, bool keep_velocities)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    ragdoll->has_last = false;
    if (!vrmi_ragdoll_runs(ragdoll) || !ragdoll->has_states) {
        return;
    }
    const vrm_root *after = &instance->root;
    const vrm_quat turn = vrmi_quat_mul(after->rotation, vrmi_quat_conjugate(before->rotation));
    const float scale = after->scale / before->scale;
    const vrm_vec3 offset = vrmi_vec3_between(before->translation, ragdoll->state_origin);
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        vrm_ragdoll_state *state = &instance->ragdoll_rows[i].state;
        const vrm_vec3 arm = vrmi_vec3_scale(vrmi_vec3_add(state->position, offset), scale);
        state->position = vrmi_quat_rotate(turn, arm);
        state->rotation = vrmi_quat_normalize(vrmi_quat_mul(turn, state->rotation));
        const float kept = keep_velocities ? 1.0f : 0.0f;
        state->linear_velocity = vrmi_quat_rotate(turn, vrmi_vec3_scale(state->linear_velocity, kept * scale));
        state->angular_velocity = vrmi_quat_rotate(turn, vrmi_vec3_scale(state->angular_velocity, kept));
        instance->ragdoll_places[i] = *state;
    }
    ragdoll->state_origin = after->translation;
    ragdoll->last_scale = after->scale;
    ragdoll->has_last = false;
    ragdoll->wants_root = false;
    ragdoll->placed = ++ragdoll->moved;
}
