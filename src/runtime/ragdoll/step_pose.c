// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Applies recovery steps to the pose: hips, trunk and arms of the animated pose move to the plan's positions, and
// inverse kinematics moves the feet to the plan's feet. Drives then move the bodies to this pose, as to any animation.

#include "runtime/ragdoll/step_ankle.h"
#include "runtime/ragdoll/step_figure.h"
#include "runtime/ragdoll/step_walk.h"

static const vrm_human_bone arms[2] = {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_ARM};
static const vrm_human_bone forearms[2] = {VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM};

// Each bone's fraction of the trunk's lean.
static const struct lean_part {
    vrm_human_bone bone;
    float part;
} lean_parts[] = {{VRM_HUMAN_BONE_HIPS, vrmi_step_pelvis}, {VRM_HUMAN_BONE_SPINE, 0.25f}, {VRM_HUMAN_BONE_CHEST, 0.25f},
    {VRM_HUMAN_BONE_NECK, -0.2f}, {VRM_HUMAN_BONE_HEAD, -0.25f}};
// The arms are rotated back by this fraction of the trunk's lean. The bones below the neck lean by 0.8 of it in total.
static const float lean_of_arms = 0.7f;
static const float arm_spread = 25.0f * VRMI_PI / 180.0f, elbow_bend = 55.0f * VRMI_PI / 180.0f;
static const float standing_tilt_rate = 70.0f,
                   free_tilt_rate = 130.0f; // 1/s at scale 1; rate at which a foot follows what its ankle requires
static const float most_toe_bend = 60.0f * VRMI_PI / 180.0f;

// --- pose ----------------------------------------------------------------------------------------------------------

// Rotates a bone and its subtree in the world.
static void turn_bone(vrm_instance *instance, vrm_human_bone bone, vrm_quat turn)
{
    const int32_t node = vrmi_step_node(instance, bone);
    if (node < 0) {
        return;
    }
    const vrm_quat above = vrmi_hierarchy_parent_rotation(instance, (uint32_t)node);
    const vrm_quat own = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(above), turn), above);
    vrm_transform *local = vrmi_local(instance, node);
    local->rotation = vrmi_quat_normalize(vrmi_quat_mul(own, local->rotation));
    vrmi_hierarchy_update_subtree(instance, (uint32_t)node);
}

static void move_hips(vrm_instance *instance, vrm_vec3 way)
{
    const uint32_t node = (uint32_t)vrmi_step_node(instance, VRM_HUMAN_BONE_HIPS);
    vrm_mat34 above, inverse;
    vrmi_hierarchy_parent(instance, node, &above);
    if (vrmi_mat34_invert(&above, &inverse)) {
        const vrm_vec3 at = vrmi_vec3_add(vrmi_mat34_translation(&instance->world[node]), way);
        vrmi_local(instance, node)->translation = vrmi_mat34_point(&inverse, at);
        vrmi_hierarchy_update_subtree(instance, node);
    }
}

static vrm_vec3 between_hips(const vrm_instance *instance)
{
    const vrm_vec3 left = vrmi_step_place(instance, vrmi_step_legs[0][0]);
    return vrmi_vec3_scale(vrmi_vec3_add(left, vrmi_step_place(instance, vrmi_step_legs[1][0])), 0.5f);
}

// Leans the trunk about the hip joints and keeps these at the plan's positions, because legs that are nearly straight
// have no reach left.
static void lean(vrm_instance *instance)
{
    const vrmi_step_plan *plan = &instance->ragdoll.step;
    const vrm_vec3 before = between_hips(instance);
    const vrm_vec3 vector = vrmi_step_to_world(instance, plan->lean.z, 0.0f, -plan->lean.x);
    for (size_t i = 0; i < sizeof(lean_parts) / sizeof(lean_parts[0]); ++i) {
        const vrm_quat turn = vrmi_quat_from_vector(vrmi_vec3_scale(vector, lean_parts[i].part));
        turn_bone(instance, lean_parts[i].bone, turn);
    }
    move_hips(instance, vrmi_vec3_sub(before, between_hips(instance)));
}

// Spreads hanging arms to the sides, with bent elbows, since straight arms would look like sticks. The arms keep their
// direction while the trunk leans. Otherwise the arm away from the fall would be lifted to the height of the shoulder.
static void spread(vrm_instance *instance)
{
    const vrmi_flat leans = vrmi_flat_scale(instance->ragdoll.step.lean, lean_of_arms);
    for (int side = 0; side < 2; ++side) {
        const int32_t node = vrmi_step_node(instance, arms[side]);
        const int32_t lower = vrmi_step_node(instance, forearms[side]);
        if (node < 0 || lower < 0) {
            continue;
        }
        const vrm_vec3 way = vrmi_vec3_sub(
            vrmi_mat34_translation(&instance->world[lower]), vrmi_mat34_translation(&instance->world[node]));
        const float hangs = vrmi_clamp01(-vrmi_vec3_normalize_or(way, vrmi_vec3(0.0f, 0.0f, 0.0f)).y);
        const float angle = (side == 0 ? 1.0f : -1.0f) * arm_spread * instance->ragdoll.step.spread * hangs;
        const vrm_vec3 turn = vrmi_step_to_world(instance, -leans.z * hangs, 0.0f, leans.x * hangs + angle);
        turn_bone(instance, arms[side], vrmi_quat_from_vector(turn));
        const float bend = elbow_bend * instance->ragdoll.step.spread * hangs;
        turn_bone(instance, forearms[side], vrmi_quat_from_vector(vrmi_step_to_world(instance, -bend, 0.0f, 0.0f)));
    }
}

static float smooth(float t)
{
    return t * t * (3.0f - 2.0f * t);
}

// Returns the axis of the knee in the animated pose, towards the avatar's left.
static vrm_vec3 knee_axis(const vrm_instance *instance, int side)
{
    const vrm_ragdoll_joint *knee =
        &instance->ragdoll_bodies[vrmi_step_body_of(instance, vrmi_step_legs[side][1])].joint;
    const vrm_quat thigh =
        vrmi_ragdoll_animated(instance, (uint32_t)vrmi_step_body_of(instance, vrmi_step_legs[side][0]));
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f}, left = vrmi_quat_rotate(thigh, x);
    if (knee->type != VRM_RAGDOLL_JOINT_HINGE) {
        return left;
    }
    const vrm_vec3 axis = vrmi_quat_rotate(thigh, vrmi_quat_rotate(knee->frame, x));
    return vrmi_vec3_dot(axis, left) < 0.0f ? vrmi_vec3_scale(axis, -1.0f) : axis;
}

// Moves a coordinate as a critically damped spring moves it to the target.
static void follow(float *x, float *v, float target, float rate, float dt)
{
    const float away = *x - target, pull = *v + rate * away, left = vrmi_exp(-rate * dt);
    *x = target + (away + pull * dt) * left;
    *v = (*v - rate * pull * dt) * left;
}

// Moves the foot of a leg to its place in the plan, tilted as far as the ankle requires.
static void reach(vrm_instance *instance, int side, const vrmi_step_footing *footing, vrm_quat flat, float dt)
{
    vrmi_step_plan *plan = &instance->ragdoll.step;
    vrmi_hinge_leg leg = {vrmi_step_place(instance, vrmi_step_legs[side][0]),
        vrmi_step_place(instance, vrmi_step_legs[side][1]), vrmi_step_place(instance, vrmi_step_legs[side][2]),
        footing->ankle, knee_axis(instance, side)};
    vrmi_step_foot *state = &plan->feet[side];
    const vrmi_step_tilt planned = {state->pitch, 0.0f, 0.0f};
    const vrmi_step_tilt wanted = vrmi_step_limit_ankle(instance, side, footing, &planned, &leg, smooth(plan->hold));
    const float rate = vrmi_lerp(standing_tilt_rate, free_tilt_rate, footing->free) / vrmi_step_time_scale(plan);
    follow(&state->tilt.pitch, &state->tilt_rate.pitch, wanted.pitch - planned.pitch, rate, dt);
    follow(&state->tilt.roll, &state->tilt_rate.roll, wanted.roll, rate, dt);
    follow(&state->tilt.yaw, &state->tilt_rate.yaw, wanted.yaw, rate, dt);
    const vrmi_step_tilt tilt = {planned.pitch + state->tilt.pitch, state->tilt.roll, state->tilt.yaw};
    vrm_quat rotation, bend, whole;
    vrmi_step_tilt_foot(footing, &tilt, &leg.target, &rotation);
    vrmi_hinge_leg_solve(&leg, &bend, &whole);
    turn_bone(instance, vrmi_step_legs[side][1], bend);
    turn_bone(instance, vrmi_step_legs[side][0], whole);
    const int32_t foot = vrmi_step_node(instance, vrmi_step_legs[side][2]);
    const vrm_quat now = *vrmi_world_rotation(instance, foot);
    turn_bone(
        instance, vrmi_step_legs[side][2], vrmi_quat_mul(vrmi_quat_mul(rotation, flat), vrmi_quat_conjugate(now)));
    const vrm_human_bone toes = side == 0 ? VRM_HUMAN_BONE_LEFT_TOES : VRM_HUMAN_BONE_RIGHT_TOES;
    const float bent = vrmi_clamp(tilt.pitch, 0.0f, most_toe_bend);
    turn_bone(instance, toes, vrmi_quat_from_axis_angle(footing->lateral, -bent));
}

static void pose(vrm_instance *instance, float dt)
{
    const vrmi_step_plan *plan = &instance->ragdoll.step;
    vrmi_step_footing feet[2];
    vrm_quat flat[2];
    for (int side = 0; side < 2; ++side) {
        const vrmi_flat way = vrmi_flat_sub(plan->feet[side].place, plan->body.sole[side]);
        feet[side] = vrmi_step_measure_foot(instance, side);
        feet[side].ankle = vrmi_vec3_add(feet[side].ankle, vrmi_step_to_world(instance, way.x, 0.0f, way.z));
        feet[side].lift = plan->feet[side].height;
        feet[side].free = smooth(vrmi_clamp01(feet[side].lift / (0.05f * plan->body.leg)));
        flat[side] = *vrmi_world_rotation(instance, vrmi_step_node(instance, vrmi_step_legs[side][2]));
    }
    const vrmi_flat hips = vrmi_step_hips(plan);
    move_hips(instance, vrmi_step_to_world(instance, hips.x, -plan->drop, hips.z));
    lean(instance);
    spread(instance);
    for (int side = 0; side < 2; ++side) {
        reach(instance, side, &feet[side], flat[side], dt);
    }
    vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
}

// --- frame ---------------------------------------------------------------------------------------------------------

// Returns the push that the hits give in this frame, in the root's axes and at their common height, and the rest of
// their push, for later frames.
static vrmi_step_shove shove_of(const vrm_instance *instance)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const float part = 1.0f / (ragdoll->mass * ragdoll->settings.step_assist);
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f}, later = {0.0f, 0.0f, 0.0f};
    float moment = 0.0f, whole = 0.0f;
    for (uint32_t i = 0; i < ragdoll->impulse_count; ++i) {
        const vrm_ragdoll_impulse *blow = &instance->ragdoll_impulses[i];
        const vrm_vec3 impulse = vrmi_step_to_root(instance, blow->impulse);
        const float size = vrmi_sqrt(impulse.x * impulse.x + impulse.z * impulse.z);
        sum = vrmi_vec3_add(sum, impulse);
        moment += size * vrmi_step_to_root(instance, blow->point).y;
        whole += size;
    }
    for (uint32_t i = 0; i < ragdoll->blow_count; ++i) {
        const vrmi_ragdoll_blow *blow = &instance->ragdoll_blows[i];
        later = vrmi_vec3_add(later, vrmi_vec3_scale(blow->impulse, 1.0f - blow->done));
    }
    later = vrmi_step_to_root(instance, later);
    const float height = whole > 0.0f ? vrmi_max(moment / whole, 0.0f) : 0.0f;
    return (vrmi_step_shove){
        vrmi_flat_of(sum.x * part, sum.z * part), vrmi_flat_of(later.x * part, later.z * part), height};
}

static void ask_for_root(vrm_instance *instance)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrmi_flat way = vrmi_step_way(&ragdoll->step);
    const bool may = ragdoll->step.phase == VRMI_STEP_DONE || vrmi_walk_is_even(&ragdoll->step);
    if (may && vrmi_step_is_away(&ragdoll->step, way)) {
        ragdoll->wanted_root = instance->root;
        ragdoll->wanted_root.translation = vrmi_dvec3_add(
            instance->root.translation, vrmi_dvec3_from(vrmi_step_to_world(instance, way.x, 0.0f, way.z)));
        ragdoll->wants_root = true;
    }
}

// Begins a plan of steps after a push, if the avatar stands or walks. Returns true if a plan has begun.
static bool begin(vrm_instance *instance, vrmi_flat push, float dt)
{
    vrmi_step_body body;
    if (vrmi_flat_dot(push, push) <= 0.0f || instance->ragdoll.gets_up) {
        return false;
    }
    const bool stands = vrmi_step_measure(instance, dt, &body);
    if (vrmi_gait_walks(instance->ragdoll_gait)) {
        vrmi_walk_begin(&instance->ragdoll.step, &body, instance->ragdoll_gait);
        return true;
    }
    if (stands) {
        vrmi_step_begin(&instance->ragdoll.step, &body);
    }
    return stands;
}

static void walk(vrm_instance *instance, const vrmi_step_shove *shove, float dt)
{
    vrmi_step_plan *plan = &instance->ragdoll.step;
    const vrmi_gait *gait = instance->ragdoll_gait;
    const bool stands = vrmi_step_measure(instance, dt, &plan->body);
    vrmi_walk_advance(plan, gait, shove, dt);
    if (plan->phase == VRMI_STEP_WALK && stands && !vrmi_gait_walks(gait)) {
        vrmi_walk_stop(plan);
    }
}

void vrmi_ragdoll_step(vrm_instance *instance, float dt)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    vrmi_step_plan *plan = &ragdoll->step;
    ragdoll->step_push = vrmi_vec3(0.0f, 0.0f, 0.0f);
    const bool may =
        ragdoll->settings.steps && ragdoll->phase == VRM_RAGDOLL_PHASE_ACTIVE && vrmi_step_is_able(instance);
    if (!may) {
        plan->phase = plan->phase == VRMI_STEP_FALL && ragdoll->settings.steps ? VRMI_STEP_FALL : VRMI_STEP_OFF;
        return;
    }
    const vrmi_step_shove shove = shove_of(instance);
    if (!vrmi_ragdoll_steps(ragdoll) && !begin(instance, shove.now, dt)) {
        plan->phase = VRMI_STEP_OFF;
        return;
    }
    if (plan->phase == VRMI_STEP_WALK) {
        walk(instance, &shove, dt);
    } else {
        const vrmi_step_settings settings = {ragdoll->settings.step_reaction};
        vrmi_step_advance(plan, &settings, &shove, dt);
    }
    if (dt > 0.0f) {
        const float part = shove.height / (plan->body.center * dt);
        ragdoll->step_push = vrmi_step_to_world(instance, shove.now.x * part, 0.0f, shove.now.z * part);
    }
    if (plan->phase == VRMI_STEP_OFF) {
        return;
    }
    if (plan->phase == VRMI_STEP_FALL) {
        // The avatar falls from the pose of its last step; bones without a body keep this pose.
        pose(instance, dt);
        vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_LIMP);
        vrmi_ragdoll_keep(instance);
        return;
    }
    if (vrmi_step_over(plan)) {
        plan->phase = VRMI_STEP_OFF;
        return;
    }
    pose(instance, dt);
    ask_for_root(instance);
}

void vrmi_ragdoll_step_turn(vrm_instance *instance, vrm_quat before)
{
    vrmi_step_plan *plan = &instance->ragdoll.step;
    if (plan->phase != VRMI_STEP_WALK || vrmi_quat_same(before, instance->root.rotation)) {
        return;
    }
    const vrm_vec3 ahead = vrmi_step_to_root(instance, vrmi_quat_rotate(before, vrmi_vec3(0.0f, 0.0f, 1.0f)));
    const float size = vrmi_sqrt(ahead.x * ahead.x + ahead.z * ahead.z);
    if (size > 1e-3f) {
        vrmi_walk_turn(plan, ahead.x / size, ahead.z / size);
    }
}

void vrmi_ragdoll_step_take(vrm_instance *instance)
{
    vrmi_step_plan *plan = &instance->ragdoll.step;
    if (plan->phase != VRMI_STEP_DONE && !vrmi_walk_is_even(plan)) {
        return;
    }
    const vrmi_flat way = vrmi_step_way(plan);
    move_hips(instance, vrmi_step_to_world(instance, -way.x, 0.0f, -way.z));
    vrmi_step_shift(plan, way);
    instance->ragdoll_gait->origin = instance->root.translation; // the animation itself has not moved by that distance
    vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
}
