// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The end of the first half: computes the bodies' targets of this frame from the animated pose, with the animation's
// own velocities.

#include "base/float_environment.h"
#include "runtime/core/hierarchy.h"
#include "runtime/ragdoll/ragdoll.h"
#include "runtime/stages.h"

// --- getting up ----------------------------------------------------------------------------------------------------

// Computes the direction from the hips to the body at the upper end of the spine, projected to the ground. Returns
// false if the spine is upright.
static bool spine_on_ground(vrm_vec3 hips, vrm_vec3 head, vrm_vec3 *out)
{
    vrm_vec3 way = vrmi_vec3_sub(head, hips);
    const float length = vrmi_vec3_length(way);
    way.y = 0.0f;
    const float flat = vrmi_vec3_length(way);
    *out = vrmi_vec3_scale(way, flat > 0.0f ? 1.0f / flat : 0.0f);
    return flat > 0.3f * length && length > 0.0f;
}

// Returns the body at the upper end of the spine: the head, or else the last body of head and torso.
static uint32_t upper_end(const vrm_instance *instance)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        const vrm_human_bone bone = instance->ragdoll_bodies[i].bone;
        if (bone <= VRM_HUMAN_BONE_HEAD && bone >= instance->ragdoll_bodies[end].bone) {
            end = i;
        }
    }
    return end;
}

// Requests a root that moves hips and spine of the animated pose to the lying bodies.
static void ask_for_root(vrm_instance *instance)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const uint32_t end = upper_end(instance);
    const vrmi_ragdoll_row *rows = instance->ragdoll_rows;
    const vrm_vec3 hips = vrmi_mat34_translation(&instance->world[instance->ragdoll_bodies[0].node]);
    const vrm_vec3 head = vrmi_mat34_translation(&instance->world[instance->ragdoll_bodies[end].node]);
    vrm_vec3 from, to;
    float yaw = 0.0f;
    if (spine_on_ground(hips, head, &from) && spine_on_ground(rows[0].state.position, rows[end].state.position, &to)) {
        yaw = vrmi_atan2(to.x, to.z) - vrmi_atan2(from.x, from.z);
    }
    const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(0.0f, 1.0f, 0.0f), yaw);
    const vrm_vec3 turned = vrmi_quat_rotate(turn, hips);
    vrm_root root = instance->root;
    root.rotation = vrmi_quat_normalize(vrmi_quat_mul(turn, root.rotation));
    root.translation.x = ragdoll->state_origin.x + (double)rows[0].state.position.x - (double)turned.x;
    root.translation.z = ragdoll->state_origin.z + (double)rows[0].state.position.z - (double)turned.z;
    ragdoll->wanted_root = root;
    ragdoll->wants_root = true;
}

vrm_result vrm_instance_get_requested_root(const vrm_instance *instance, vrm_root *out_root)
{
    const vrm_result result = vrmi_ragdoll_require(instance);
    if (result != VRM_SUCCESS || out_root == NULL) {
        return result != VRM_SUCCESS ? result : VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!instance->ragdoll.wants_root) {
        return VRM_ERROR_NOT_FOUND;
    }
    *out_root = instance->ragdoll.wanted_root;
    return VRM_SUCCESS;
}

// --- targets -------------------------------------------------------------------------------------------------------

// Returns the angular velocity that rotates `from` to `to` in 1 / `rate` seconds, by the shortest rotation.
static vrm_vec3 turning(vrm_quat from, vrm_quat to, float rate)
{
    return vrmi_vec3_scale(vrmi_quat_to_vector(vrmi_quat_mul(to, vrmi_quat_conjugate(from))), rate);
}

// A larger gain of speed from one frame to the next indicates a cut in the clip: m/s at a height of 1 m (speeds are
// proportional to the root of the height), and rad/s.
static const float cut_speed = 1.65f, cut_turning = 60.0f;
// The same during recovery steps, whose feet leave the ground that fast.
static const float stepping_cut_speed = 2.5f;

// Accelerations are averaged over at least this time, seconds. A clip with linear keys accelerates only at its keys. In
// a short frame at a key, the acceleration is many times the mean between two keys. An engine whose steps are longer
// than the frames would see some of these frames and miss others.
static const float acceleration_time = 1.0f / 60.0f;

// Returns the seconds from the middle of the last frame to the middle of this frame, which is `dt` long.
static float span_of(const vrmi_ragdoll *ragdoll, float dt)
{
    return 0.5f * (dt + ragdoll->last_dt);
}

// Adds the acceleration over `span` seconds to the mean, averaged with the acceleration before it, because every second
// frame may have no step of the engine.
static void add_acceleration(vrm_vec3 now, float span, float last_span, vrm_vec3 *last, vrm_vec3 *mean)
{
    const float before = vrmi_min(last_span, acceleration_time - span);
    if (span < acceleration_time) {
        const vrm_vec3 both = vrmi_vec3_lerp(now, *last, before / (span + before));
        *mean = vrmi_vec3_lerp(*mean, both, span / acceleration_time);
    } else {
        *mean = now;
    }
    *last = now;
}

// Computes animated position, velocities and accelerations of a body. `travel` is the movement of the origin since the
// last frame.
static void animate(vrm_instance *instance, uint32_t body, vrm_vec3 travel, float dt)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    vrmi_ragdoll_row *row = &instance->ragdoll_rows[body];
    vrm_ragdoll_target *target = &instance->ragdoll_targets[body];
    vrm_ragdoll_state *state = &target->state;
    const vrm_vec3 linear = state->linear_velocity, angular = state->angular_velocity;
    state->position = vrmi_mat34_translation(&instance->world[instance->ragdoll_bodies[body].node]);
    state->rotation = vrmi_ragdoll_animated(instance, body);
    const vrm_vec3 center = vrmi_ragdoll_center(instance, body, state->position, state->rotation);
    if (!ragdoll->has_last || !ragdoll->has_velocity || !(dt > 0.0f)) {
        instance->ragdoll_changes[body] = (vrm_ragdoll_velocity){none, none};
    }
    if (!ragdoll->has_last || !ragdoll->has_velocity) {
        target->linear_acceleration = target->angular_acceleration = none;
        row->last_acceleration = row->last_turning = none;
    }
    if (!ragdoll->has_last) {
        state->linear_velocity = state->angular_velocity = none;
    } else if (dt > 0.0f) {
        const vrm_vec3 way = vrmi_vec3_add(vrmi_vec3_sub(center, row->last_position), travel);
        state->linear_velocity = vrmi_vec3_scale(way, 1.0f / dt);
        state->angular_velocity = turning(row->last_rotation, state->rotation, 1.0f / dt);
        if (ragdoll->has_velocity) {
            const float span = span_of(ragdoll, dt), rate = 1.0f / span;
            const vrm_vec3 change = vrmi_vec3_sub(state->linear_velocity, linear);
            const vrm_vec3 turning_change = vrmi_vec3_sub(state->angular_velocity, angular);
            instance->ragdoll_changes[body].linear = vrmi_vec3_sub(change, vrmi_vec3_scale(ragdoll->step_push, dt));
            instance->ragdoll_changes[body].angular = turning_change;
            const vrm_vec3 own = vrmi_vec3_sub(vrmi_vec3_scale(change, rate), ragdoll->step_push);
            const vrm_vec3 turned = vrmi_vec3_scale(turning_change, rate);
            add_acceleration(own, span, ragdoll->last_span, &row->last_acceleration, &target->linear_acceleration);
            add_acceleration(turned, span, ragdoll->last_span, &row->last_turning, &target->angular_acceleration);
        }
    }
    row->last_position = center;
    row->last_rotation = state->rotation;
}

// Whether a body leaps: it has gained more speed than it had before, and more than `fastest`. A limb that reverses its
// motion between two keys does not leap, however fast it is.
static bool leaps(const vrm_ragdoll_velocity *change, vrm_vec3 velocity, float fastest)
{
    const float gain = vrmi_vec3_length(change->linear);
    if (gain < fastest && vrmi_vec3_dot(change->angular, change->angular) < cut_turning * cut_turning) {
        return false;
    }
    const float before = vrmi_vec3_length(vrmi_vec3_sub(velocity, change->linear));
    return !(gain < fastest + before) || !(vrmi_vec3_length(change->angular) < cut_turning);
}

// If the clip is cut, sets accelerations and changes to 0. Returns true at a cut.
static bool drop_cuts(vrm_instance *instance)
{
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    vrm_ragdoll_target *targets = instance->ragdoll_targets;
    const float speed = vrmi_ragdoll_steps(&instance->ragdoll) ? stepping_cut_speed : cut_speed;
    const float fastest = speed * vrmi_sqrt(instance->ragdoll.height) * instance->root.scale;
    bool cut = false;
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        cut = cut || leaps(&instance->ragdoll_changes[i], targets[i].state.linear_velocity, fastest);
    }
    for (uint32_t i = 0; cut && i < instance->ragdoll.body_count; ++i) {
        targets[i].linear_acceleration = targets[i].angular_acceleration = none;
        instance->ragdoll_rows[i].last_acceleration = instance->ragdoll_rows[i].last_turning = none;
        instance->ragdoll_changes[i] = (vrm_ragdoll_velocity){none, none};
    }
    return cut;
}

// --- drives ---------------------------------------------------------------------------------------------------------

// Hertz, for drives without a frequency.
static const float default_frequency = 4.0f, default_pin_frequency = 6.0f;
// For recovery steps. The standing leg is stiff: otherwise a push on the chest would rotate the leg about its own
// length, together with the sole. The swinging leg is moved by the pin of its foot, and pulls at the other bodies as
// little as possible.
static const float standing_leg_frequency = 10.0f, swinging_leg_frequency = 4.0f, stepping_foot_frequency = 20.0f,
                   stepping_foot_pin = 8.0f, stepping_hips_frequency = 6.0f, stepping_hips_pin = 3.0f;
// Arms help to balance while the capture point is outside of the soles. Looser ones would be flung up to the shoulders'
// height by the push.
static const float balancing_arm_frequency = 2.5f, balancing_arm_damping = 0.8f;
// A foot stands below the first speed and walks above the second, m/s at scale 1.
static const float standing_speed = 0.2f, walking_speed = 0.3f;

static bool is_foot(vrm_human_bone bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_FOOT || bone == VRM_HUMAN_BONE_RIGHT_FOOT;
}

static bool is_leg(const vrm_ragdoll_body *body)
{
    return body->group == VRM_RAGDOLL_GROUP_LEFT_LEG || body->group == VRM_RAGDOLL_GROUP_RIGHT_LEG;
}

static bool is_arm(const vrm_ragdoll_body *body)
{
    return body->group == VRM_RAGDOLL_GROUP_LEFT_ARM || body->group == VRM_RAGDOLL_GROUP_RIGHT_ARM;
}

// Returns 1 if the animation's foot stands, 0 if it walks, and values between.
static float stands(const vrm_instance *instance, uint32_t body)
{
    const float speed = vrmi_vec3_length(instance->ragdoll_targets[body].state.linear_velocity) / instance->root.scale;
    return vrmi_clamp((walking_speed - speed) / (walking_speed - standing_speed), 0.0f, 1.0f);
}

// Returns how firmly a foot is fixed at its position, 0 to 1. A hit, which weakens muscles, does not lift the feet.
static float planted(const vrm_instance *instance, uint32_t body)
{
    if (!is_foot(instance->ragdoll_bodies[body].bone)) {
        return 0.0f;
    }
    if (vrmi_ragdoll_steps(&instance->ragdoll)) {
        return 1.0f; // the foot is held at its position in the plan, on the ground or in the air
    }
    return stands(instance, body) * vrmi_ragdoll_load(instance, 0) * instance->ragdoll.settings.foot_pin;
}

// A foot of a walk that was pushed aside stands where it comes down. Its pin would otherwise pull it over the ground to
// its animated position. `last` is the animated position in the frame before, relative to `last_origin`.
static void stand_aside(vrm_instance *instance, uint32_t body, vrm_vec3 last, bool known)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    vrmi_ragdoll_row *row = &instance->ragdoll_rows[body];
    if (!is_foot(instance->ragdoll_bodies[body].bone) || !known || vrmi_ragdoll_steps(ragdoll)) {
        row->aside = vrmi_vec3(0.0f, 0.0f, 0.0f);
    } else if (stands(instance, body) < 1.0f) {
        const vrm_vec3 origin = vrmi_vec3_between(ragdoll->last_origin, ragdoll->state_origin);
        row->aside = vrmi_vec3_sub(vrmi_vec3_add(row->state.position, origin), last);
        row->aside.y = 0.0f;
    }
}

// Returns true if the body belongs to the leg in the air.
static bool swings(const vrm_instance *instance, uint32_t body)
{
    const vrmi_step_plan *plan = &instance->ragdoll.step;
    const bool left = instance->ragdoll_bodies[body].group == VRM_RAGDOLL_GROUP_LEFT_LEG;
    if (plan->phase == VRMI_STEP_WALK) {
        return !instance->ragdoll_gait->down[left ? 0 : 1];
    }
    return (plan->phase == VRMI_STEP_SWING || plan->phase == VRMI_STEP_GATHER) && plan->foot == (left ? 0u : 1u);
}

static void hold_for_steps(const vrm_instance *instance, uint32_t body, vrm_ragdoll_target *target)
{
    const vrm_ragdoll_body *own = &instance->ragdoll_bodies[body];
    if (own->parent < 0) {
        target->pin_frequency = vrmi_max(target->pin_frequency, stepping_hips_pin);
        target->frequency = vrmi_max(target->frequency, stepping_hips_frequency);
    } else if (is_foot(own->bone)) {
        target->frequency = vrmi_max(target->frequency, stepping_foot_frequency);
        target->damping_ratio = 1.0f;
        target->pin_frequency = stepping_foot_pin;
    } else if (is_leg(own)) {
        const float tight = swings(instance, body) ? swinging_leg_frequency : standing_leg_frequency;
        target->frequency = vrmi_max(target->frequency, tight);
        target->damping_ratio = 1.0f;
    } else if (is_arm(own)) {
        const float part = vrmi_min(2.0f * instance->ragdoll.step.spread, 1.0f);
        target->frequency = vrmi_max(target->frequency, vrmi_lerp(target->frequency, balancing_arm_frequency, part));
        target->damping_ratio =
            vrmi_max(target->damping_ratio, vrmi_lerp(target->damping_ratio, balancing_arm_damping, part));
    }
}

// Computes a body's motion type, weights and drive. A weight scales a spring's stiffness, and the spring's frequency is
// proportional to the square root of the stiffness.
static void ask(vrm_instance *instance, uint32_t body)
{
    const vrm_ragdoll_params *s = &instance->ragdoll.settings;
    const vrm_ragdoll_joint_drive *own = &instance->ragdoll_bodies[body].joint.drive;
    const vrm_ragdoll_weights weights = vrmi_ragdoll_weights(instance, body);
    vrm_ragdoll_target *target = &instance->ragdoll_targets[body];
    const bool is_root = instance->ragdoll_bodies[body].parent < 0;
    const float size = instance->root.scale * instance->root.scale,
                pin = vrmi_max(weights.pin, planted(instance, body));
    const float asked = is_root ? s->pin_frequency : s->frequency;
    const bool is_own = asked <= 0.0f && own->frequency > 0.0f;
    const float usual = is_root ? default_pin_frequency : default_frequency;
    const float frequency = is_own ? own->frequency : asked > 0.0f ? asked : usual;
    const float pin_frequency = is_root                   ? frequency
                                : s->pin_frequency > 0.0f ? s->pin_frequency
                                                          : default_pin_frequency;
    target->motion = instance->ragdoll_rows[body].motion;
    target->rotation_weight = weights.muscle;
    target->translation_weight = pin;
    target->pin_frequency = pin_frequency * vrmi_sqrt(pin);
    target->frequency = is_root ? target->pin_frequency : frequency * vrmi_sqrt(weights.muscle);
    target->damping_ratio = is_own ? own->damping_ratio : s->damping_ratio;
    if (vrmi_ragdoll_steps(&instance->ragdoll)) {
        hold_for_steps(instance, body, target);
    }
    target->max_torque = s->max_torque > 0.0f ? s->max_torque : own->max_torque * size * size;
    target->load = vrmi_ragdoll_load(instance, body);
}

// Computes the positions of joints in their parents' frames from the pose. So bones without a body may follow the
// animation, and every bone with a body is shown at its body.
static void find_anchors(vrm_instance *instance)
{
    const float per_metre = 1.0f / instance->root.scale;
    for (uint32_t i = 1; i < instance->ragdoll.body_count; ++i) {
        const vrm_ragdoll_state *parent = &instance->ragdoll_targets[instance->ragdoll_bodies[i].parent].state;
        const vrm_vec3 way = vrmi_vec3_sub(instance->ragdoll_targets[i].state.position, parent->position);
        instance->ragdoll_anchors[i] =
            vrmi_vec3_scale(vrmi_quat_rotate(vrmi_quat_conjugate(parent->rotation), way), per_metre);
    }
}

// Converts the animated pose in `world` to targets.
static void aim(vrm_instance *instance, float dt)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrm_vec3 travel = vrmi_vec3_between(ragdoll->last_origin, instance->root.translation);
    const bool known = ragdoll->has_last && ragdoll->has_states && ragdoll->placed == ragdoll->moved;
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        const vrm_vec3 last =
            vrmi_vec3_sub(instance->ragdoll_targets[i].state.position, instance->ragdoll_rows[i].aside);
        animate(instance, i, travel, dt);
        stand_aside(instance, i, last, known);
        ask(instance, i);
    }
    const bool cut = drop_cuts(instance);
    if (dt > 0.0f) {
        ragdoll->last_span = span_of(ragdoll, dt);
    }
    // The velocity of the frame at a cut is no motion of the animation.
    ragdoll->has_velocity = ragdoll->has_last && (dt > 0.0f || ragdoll->has_velocity) && !cut;
    ragdoll->last_dt = dt > 0.0f ? dt : ragdoll->last_dt;
    ragdoll->last_origin = instance->root.translation;
    ragdoll->has_last = true;
    find_anchors(instance);
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        vrm_vec3 *place = &instance->ragdoll_targets[i].state.position;
        *place = vrmi_vec3_add(*place, instance->ragdoll_rows[i].aside);
    }
}

// If called between the halves, computes the targets of the frame again. The jump to them is not a motion of the
// animation.
vrm_result vrm_instance_take_requested_root(vrm_instance *instance)
{
    vrm_root root;
    vrm_result result = vrm_instance_get_requested_root(instance, &root);
    if (result == VRM_SUCCESS) {
        result = vrmi_instance_place_root(instance, &root);
    }
    if (result != VRM_SUCCESS) {
        return result;
    }
    instance->ragdoll.wants_root = false;
    instance->ragdoll.has_last = false;
    if (instance->lod.frame == VRMI_LOD_RUN) {
        const vrmi_float_environment host = vrmi_float_enter();
        vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
        instance->pose_changed = false;
        vrmi_ragdoll_step_take(instance);
        aim(instance, 0.0f);
        vrmi_float_leave(host);
    }
    return VRM_SUCCESS;
}

// --- places --------------------------------------------------------------------------------------------------------

// Nothing moves this far between two frames, so a longer distance is a cut; metres at scale 1, and radians.
static const float cut_way = 0.25f, cut_turn = 0.7f;

static void put_to_targets(vrm_instance *instance)
{
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        instance->ragdoll_places[i] = instance->ragdoll_targets[i].state;
    }
}

// Places the bodies in the last shown pose, in which a simulation starts. Returns false if that pose is unknown, or
// after a cut.
static bool put_to_last(vrm_instance *instance, float dt)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrm_vec3 travel = vrmi_vec3_between(instance->root.translation, ragdoll->last_origin);
    bool known = ragdoll->has_last && dt > 0.0f && !ragdoll->has_states;
    for (uint32_t i = 0; known && i < ragdoll->body_count; ++i) {
        const vrmi_ragdoll_row *row = &instance->ragdoll_rows[i];
        const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
        const vrm_vec3 arm = vrmi_ragdoll_center(instance, i, none, row->last_rotation);
        const vrm_vec3 place = vrmi_vec3_sub(vrmi_vec3_add(row->last_position, travel), arm);
        const vrm_vec3 now = vrmi_mat34_translation(&instance->world[instance->ragdoll_bodies[i].node]);
        const vrm_vec3 turn = turning(row->last_rotation, vrmi_ragdoll_animated(instance, i), 1.0f);
        const float way = vrmi_vec3_length(vrmi_vec3_sub(place, now));
        instance->ragdoll_places[i] = (vrm_ragdoll_state){.position = place, .rotation = row->last_rotation};
        known = way < cut_way * instance->root.scale && vrmi_vec3_length(turn) < cut_turn;
    }
    return known;
}

void vrmi_stage_ragdoll_drive(vrm_instance *instance, float dt)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    if (ragdoll->body_count == 0) {
        return;
    }
    if (instance->pose_changed) {
        vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
        instance->pose_changed = false;
    }
    const vrm_quat turned = instance->ragdoll_gait->rotation;
    vrmi_gait_watch(instance, dt);
    vrmi_ragdoll_step_turn(instance, turned);
    vrmi_ragdoll_advance(instance, dt);
    vrmi_ragdoll_keep(instance);
    vrmi_ragdoll_stretch_fingers(instance, dt);
    ragdoll->wants_root = false;
    if (!vrmi_ragdoll_runs(ragdoll)) {
        ragdoll->has_last = false;
        ragdoll->impulse_count = 0;
        return;
    }
    vrmi_ragdoll_blow_advance(instance, dt);
    if (ragdoll->last_scale != instance->root.scale) {
        ragdoll->last_scale = instance->root.scale;
        ragdoll->has_last = false;
        ragdoll->has_states = false;
        ragdoll->step.phase = VRMI_STEP_OFF;
        ++ragdoll->moved;
    }
    const bool places_stay = ragdoll->has_states && ragdoll->placed == ragdoll->moved;
    if (ragdoll->get_up && places_stay) {
        ask_for_root(instance);    // without lying bodies there is nothing to match
        ragdoll->has_last = false; // the step from the motion before to the clip is no motion, also if the root stays
    }
    ragdoll->get_up = false;
    vrmi_ragdoll_step(instance, dt);
    const bool placed = ragdoll->placed == ragdoll->moved, begins = !placed && put_to_last(instance, dt);
    ragdoll->has_last = ragdoll->has_last && (placed || begins);
    aim(instance, dt);
    for (uint32_t i = 0; begins && i < ragdoll->body_count; ++i) {
        instance->ragdoll_places[i].linear_velocity = instance->ragdoll_targets[i].state.linear_velocity;
        instance->ragdoll_places[i].angular_velocity = instance->ragdoll_targets[i].state.angular_velocity;
    }
    if (!placed && !begins) {
        put_to_targets(instance);
        ragdoll->has_velocity = true; // the bodies are at rest, as the targets are
    }
    ragdoll->placed = ragdoll->moved;
}
