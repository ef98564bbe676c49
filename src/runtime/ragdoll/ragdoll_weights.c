// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Changes of a ragdoll's weights over time: transitions, the return of strength after a hit, and the phases of falling,
// lying, recovering and returning to the animation.

#include "runtime/core/instance.h"
#include "runtime/ragdoll/ragdoll.h"

// The largest deviation at which an active body is considered to be back in its animation.
static const float settled_angle = 0.2f; // rad; larger than the sag under gravity at the default frequency
static const float settled_seconds = 0.25f;
// If nothing needs the simulation for this time, the simulation ends, even if the body cannot follow the pose (because
// of a sliding sole or a limit).
static const float idle_seconds = 1.0f;
// If the return to the animation is interrupted, the simulated body is shown again within this time.
static const float show_seconds = 0.1f;
// Mean speed of the body that is farthest from the animation, during the return to the animation.
static const float blend_rate = 3.0f; // rad/s
// A body with low weights may take longer to rise than its weights take to grow. After this multiple of the grow time
// it is considered to have fallen again.
static const float rise_times = 3.0f;
// A lying body has been moved if it is faster than this multiple of the still speed.
static const float stirred = 4.0f;

void vrmi_ragdoll_enter(vrmi_ragdoll *ragdoll, vrm_ragdoll_phase phase)
{
    ragdoll->phase = phase;
    ragdoll->phase_time = 0.0f;
    ragdoll->still_time = 0.0f;
    if (phase == VRM_RAGDOLL_PHASE_OFF || phase == VRM_RAGDOLL_PHASE_LIMP) {
        ragdoll->get_up = ragdoll->gets_up = ragdoll->wants_root = false;
        const bool fell = ragdoll->step.phase == VRMI_STEP_FALL && phase == VRM_RAGDOLL_PHASE_LIMP;
        ragdoll->step.phase = fell ? VRMI_STEP_FALL : VRMI_STEP_OFF;
    }
    if (phase == VRM_RAGDOLL_PHASE_BLENDING) {
        ragdoll->blend_seconds = vrmi_max(ragdoll->settings.blend_time, ragdoll->deviation / blend_rate);
    }
}

static vrm_ragdoll_weights weights_now(const vrmi_ragdoll_row *row)
{
    if (row->elapsed >= row->duration) {
        return row->to;
    }
    const float part = (float)(row->elapsed / row->duration);
    return (vrm_ragdoll_weights){vrmi_lerp(row->from.pin, row->to.pin, part),
        vrmi_lerp(row->from.muscle, row->to.muscle, part), vrmi_lerp(row->from.mapping, row->to.mapping, part)};
}

float vrmi_ragdoll_strength(const vrmi_ragdoll *ragdoll)
{
    switch (ragdoll->phase) {
    case VRM_RAGDOLL_PHASE_ACTIVE:
    case VRM_RAGDOLL_PHASE_BLENDING:
        return 1.0f;
    case VRM_RAGDOLL_PHASE_RECOVERING:
        return vrmi_clamp(ragdoll->phase_time / ragdoll->settings.grow_time, 0.0f, 1.0f);
    default:
        return 0.0f;
    }
}

// Returns true if a body that gets up can support itself on the bone.
static bool bears(vrm_human_bone bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_HAND || bone == VRM_HUMAN_BONE_RIGHT_HAND || bone == VRM_HUMAN_BONE_LEFT_FOOT ||
           bone == VRM_HUMAN_BONE_RIGHT_FOOT;
}

// Returns 1 if the body is near its target, 0 if it is far away, where the figure lies if its host keeps the root.
// There the pin of a hand or foot would drag the whole figure by it.
static float nearness(const vrm_instance *instance, uint32_t body)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrm_vec3 shift = vrmi_vec3_between(ragdoll->state_origin, instance->root.translation);
    const vrm_vec3 target = vrmi_vec3_add(instance->ragdoll_targets[body].state.position, shift);
    const float far = vrmi_vec3_length(vrmi_vec3_sub(target, instance->ragdoll_rows[body].state.position));
    const float reach = far / (instance->root.scale * 0.5f);
    return ragdoll->has_states ? vrmi_clamp(2.0f - reach, 0.0f, 1.0f) : 1.0f;
}

vrm_ragdoll_weights vrmi_ragdoll_weights(const vrm_instance *instance, uint32_t body)
{
    const vrmi_ragdoll_row *row = &instance->ragdoll_rows[body];
    vrm_ragdoll_weights weights = weights_now(row);
    if (instance->ragdoll.gets_up && bears(instance->ragdoll_bodies[body].bone)) {
        weights.pin = vrmi_max(weights.pin, instance->ragdoll.settings.get_up_pin * nearness(instance, body));
    }
    const float floor = instance->ragdoll.settings.hit_floor;
    const float left = (floor + (1.0f - floor) * row->strength_scale) * vrmi_ragdoll_strength(&instance->ragdoll);
    const float shown = instance->ragdoll.shown;
    weights.pin *= left;
    weights.muscle *= left;
    weights.mapping *= shown * shown * (3.0f - 2.0f * shown);
    return weights;
}

float vrmi_ragdoll_load(const vrm_instance *instance, uint32_t body)
{
    const vrmi_ragdoll_row *root = &instance->ragdoll_rows[0];
    const float support = root->motion == VRM_RAGDOLL_MOTION_KINEMATIC ? 1.0f : weights_now(root).pin;
    const float own = body == 0 ? 1.0f : weights_now(&instance->ragdoll_rows[body]).muscle;
    return own * support * vrmi_ragdoll_strength(&instance->ragdoll);
}

vrm_result vrm_instance_get_ragdoll_body_weights(
    const vrm_instance *instance, uint32_t body, vrm_ragdoll_weights *out_weights)
{
    if (instance == NULL || out_weights == NULL || body >= instance->ragdoll.body_count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_weights = weights_now(&instance->ragdoll_rows[body]);
    return VRM_SUCCESS;
}

// Returns true if there is a reason to simulate.
static bool is_wanted(const vrm_instance *instance)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    bool dynamic = false, weak = false;
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        const vrmi_ragdoll_row *row = &instance->ragdoll_rows[i];
        if (row->motion == VRM_RAGDOLL_MOTION_DYNAMIC) {
            dynamic = true;
            weak = weak || row->to.muscle < 1.0f || row->elapsed < row->duration || row->strength_scale < 1.0f;
        }
    }
    const bool balances = vrmi_ragdoll_steps(ragdoll);
    return dynamic && (ragdoll->settings.always || weak || balances || ragdoll->blow_count > 0);
}

bool vrmi_ragdoll_is_still(const vrm_instance *instance)
{
    return instance->ragdoll.body_count == 0 || (!vrmi_ragdoll_runs(&instance->ragdoll) && !is_wanted(instance));
}

static void advance_rows(vrm_instance *instance, float dt)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    // Recovery is complete when the weights have grown, even if some bodies have not reached their targets. If it
    // waited for bodies that the ground or their limits block, the simulated body would be shown for a long time.
    const float back = ragdoll->phase == VRM_RAGDOLL_PHASE_ACTIVE       ? dt / ragdoll->settings.hit_recovery
                       : ragdoll->phase == VRM_RAGDOLL_PHASE_RECOVERING ? 1.5f * dt / ragdoll->settings.grow_time
                                                                        : 0.0f;
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        vrmi_ragdoll_row *row = &instance->ragdoll_rows[i];
        if (row->elapsed < row->duration) {
            row->elapsed += (double)dt;
        }
        row->strength_scale = vrmi_min(1.0f, row->strength_scale + back);
    }
}

// Returns the rotation of a body relative to its parent; for the root body, relative to the world.
static vrm_quat joint_rotation(const vrm_instance *instance, uint32_t body, bool simulated)
{
    const int32_t parent = instance->ragdoll_bodies[body].parent;
    const vrm_quat own =
        simulated ? instance->ragdoll_rows[body].state.rotation : instance->ragdoll_targets[body].state.rotation;
    if (parent < 0) {
        return own;
    }
    const vrm_quat above =
        simulated ? instance->ragdoll_rows[parent].state.rotation : instance->ragdoll_targets[parent].state.rotation;
    return vrmi_quat_mul(vrmi_quat_conjugate(above), own);
}

// Measures the speed of the last reported bodies, and their deviation from the targets that they had.
static void measure(vrm_instance *instance)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    float momentum = 0.0f, least = 1.0f;
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        const vrmi_ragdoll_row *row = &instance->ragdoll_rows[i];
        momentum += instance->ragdoll_bodies[i].mass * vrmi_vec3_length(row->state.linear_velocity);
        if (row->motion == VRM_RAGDOLL_MOTION_DYNAMIC) {
            const float cosine = vrmi_quat_dot(joint_rotation(instance, i, true), joint_rotation(instance, i, false));
            least = vrmi_min(least, vrmi_abs(cosine)); // of the joint that is farthest off
        }
    }
    ragdoll->deviation = 2.0f * vrmi_acos(least);
    ragdoll->speed = ragdoll->settings.pelvis_speed ? vrmi_vec3_length(instance->ragdoll_rows[0].state.linear_velocity)
                                                    : momentum / ragdoll->mass;
}

// Returns true if the host pins the avatar by bodies other than hips and legs. The avatar then hangs and does not fall,
// however low its hips are.
static bool hangs(const vrm_instance *instance)
{
    bool found = false;
    for (uint32_t i = 1; i < instance->ragdoll.body_count; ++i) {
        const vrm_ragdoll_group group = instance->ragdoll_bodies[i].group;
        const bool leg = group == VRM_RAGDOLL_GROUP_LEFT_LEG || group == VRM_RAGDOLL_GROUP_RIGHT_LEG;
        found = found || (!leg && weights_now(&instance->ragdoll_rows[i]).pin > 0.0f);
    }
    return found;
}

static bool has_fallen(const vrm_instance *instance)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrmi_ragdoll_row *root = &instance->ragdoll_rows[0];
    // After a teleport there are no targets to compare the bodies with.
    if (!ragdoll->settings.detect_fall || !ragdoll->has_last || root->motion != VRM_RAGDOLL_MOTION_DYNAMIC ||
        root->lost) {
        return false;
    }
    if (hangs(instance)) {
        return false;
    }
    const vrm_ragdoll_state *animated = &instance->ragdoll_targets[0].state;
    const vrm_vec3 up = {0.0f, 1.0f, 0.0f};
    const vrm_vec3 origin = vrmi_vec3_between(ragdoll->last_origin, ragdoll->state_origin);
    const float height = animated->position.y, far = ragdoll->settings.fall_height * height;
    const vrm_vec3 away = vrmi_vec3_sub(vrmi_vec3_add(root->state.position, origin), animated->position);
    const float cosine =
        vrmi_vec3_dot(vrmi_quat_rotate(animated->rotation, up), vrmi_quat_rotate(root->state.rotation, up));
    // Hips without a pin drift away without a fall.
    const bool is_held = weights_now(root).pin > 0.0f;
    const bool is_carried = is_held && away.x * away.x + away.z * away.z > far * far;
    return (height > 0.0f && (-away.y > far || is_carried)) || vrmi_acos(cosine) > ragdoll->settings.fall_tilt;
}

// Returns true if `condition` has been true without interruption for `seconds`.
static bool holds_for(vrmi_ragdoll *ragdoll, bool condition, float seconds, float dt)
{
    ragdoll->still_time = condition ? ragdoll->still_time + dt : 0.0f;
    return condition && ragdoll->still_time >= seconds;
}

static void advance_phase(vrm_instance *instance, bool wanted, float dt)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrm_ragdoll_params *s = &ragdoll->settings;
    const bool still = ragdoll->has_states && ragdoll->speed < s->still_speed;
    switch (ragdoll->phase) {
    case VRM_RAGDOLL_PHASE_ACTIVE: {
        const bool settled = !wanted && (!ragdoll->has_states || ragdoll->deviation < settled_angle);
        if (ragdoll->has_states && has_fallen(instance)) {
            vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_LIMP);
        } else if (holds_for(ragdoll, settled, settled_seconds, dt) || ragdoll->idle_time >= idle_seconds) {
            vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_BLENDING);
        }
        break;
    }
    case VRM_RAGDOLL_PHASE_LIMP:
        if (holds_for(ragdoll, still, s->still_time, dt)) {
            vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_LYING);
        }
        break;
    case VRM_RAGDOLL_PHASE_LYING:
        if (s->recovery == VRM_RAGDOLL_RECOVERY_AUTOMATIC) {
            vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_RECOVERING);
        } else if (ragdoll->has_states && ragdoll->speed > stirred * s->still_speed) {
            vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_LIMP);
        }
        break;
    case VRM_RAGDOLL_PHASE_RECOVERING:
        if (ragdoll->phase_time >= s->grow_time) {
            if (!wanted) {
                vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_BLENDING);
            } else if (!has_fallen(instance)) {
                vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_ACTIVE);
            } else if (ragdoll->phase_time > rise_times * s->grow_time) {
                vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_LIMP);
            }
        }
        break;
    case VRM_RAGDOLL_PHASE_BLENDING:
        if (wanted) {
            vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_ACTIVE);
        } else if (ragdoll->shown <= 0.0f) {
            vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_OFF);
        }
        break;
    default:
        break;
    }
}

void vrmi_ragdoll_advance(vrm_instance *instance, float dt)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const bool wanted = is_wanted(instance);
    if (ragdoll->phase == VRM_RAGDOLL_PHASE_OFF) {
        advance_rows(instance, dt);
        if (wanted) {
            vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_ACTIVE);
            ragdoll->shown = 1.0f; // the bodies start in the pose of the animation
            ragdoll->has_states = false;
            ++ragdoll->moved;
        }
        return;
    }
    if (ragdoll->has_states) {
        measure(instance);
    }
    ragdoll->phase_time += dt;
    ragdoll->idle_time = wanted ? 0.0f : ragdoll->idle_time + dt;
    advance_rows(instance, dt);
    const bool leaves = ragdoll->phase == VRM_RAGDOLL_PHASE_BLENDING;
    const float step = dt / (leaves ? -ragdoll->blend_seconds : show_seconds);
    ragdoll->shown = vrmi_clamp(ragdoll->shown + step, 0.0f, 1.0f);
    advance_phase(instance, wanted, dt);
}
