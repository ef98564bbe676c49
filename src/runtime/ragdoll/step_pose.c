// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Recovery steps as a pose: hips, trunk and arms of the animated pose go where the plan has them, and the legs reach the plan's
// feet by inverse kinematics. The bodies are then led there as to any animation.

#include "math/hinge_leg.h"
#include "runtime/core/hierarchy.h"
#include "runtime/core/instance.h"
#include "runtime/ragdoll/ragdoll.h"

static const vrm_human_bone legs[2][3] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT},
    {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT},
};
static const vrm_human_bone arms[2] = {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_ARM};
static const vrm_human_bone forearms[2] = {VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM};

// A foot that the animation moves faster walks, m/s at scale 1.
static const float still_foot = 0.25f;
// Parts of the trunk's lean.
static const struct lean_part {
    vrm_human_bone bone;
    float part;
} lean_parts[] = {{VRM_HUMAN_BONE_HIPS, 0.3f}, {VRM_HUMAN_BONE_SPINE, 0.25f}, {VRM_HUMAN_BONE_CHEST, 0.25f},
    {VRM_HUMAN_BONE_NECK, -0.2f}, {VRM_HUMAN_BONE_HEAD, -0.25f}};
static const float lean_shown = 0.8f; // of the lean that is the parts' sum below the neck
static const float arm_spread = 40.0f * VRMI_PI / 180.0f, elbow_bend = 50.0f * VRMI_PI / 180.0f;

static int32_t node_of(const vrm_instance *instance, vrm_human_bone bone)
{
    const int32_t node = instance->model->head.bone_node[bone];
    return node >= 0 && vrmi_has_pose(instance, (uint32_t)node) ? node : -1;
}

static vrm_vec3 place_of(const vrm_instance *instance, vrm_human_bone bone)
{
    return vrmi_mat34_translation(&instance->world[instance->model->head.bone_node[bone]]);
}

static int32_t body_of(const vrm_instance *instance, vrm_human_bone bone)
{
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        if (instance->ragdoll_bodies[i].bone == bone) {
            return (int32_t)i;
        }
    }
    return -1;
}

static vrm_vec3 to_root(const vrm_instance *instance, vrm_vec3 v)
{
    return vrmi_quat_rotate(vrmi_quat_conjugate(instance->root.rotation), v);
}

static vrm_vec3 to_world(const vrm_instance *instance, float x, float y, float z)
{
    return vrmi_quat_rotate(instance->root.rotation, vrmi_vec3(x, y, z));
}

static vrmi_flat flatten(vrm_vec3 v)
{
    return (vrmi_flat){v.x, v.z};
}

static vrmi_flat between(vrmi_flat from, vrmi_flat to)
{
    return (vrmi_flat){to.x - from.x, to.z - from.z};
}

// --- measures ------------------------------------------------------------------------------------------------------

static bool is_driven(const vrm_instance *instance, vrm_human_bone bone)
{
    const int32_t body = body_of(instance, bone);
    const vrmi_ragdoll_row *row = body >= 0 ? &instance->ragdoll_rows[body] : NULL;
    return row != NULL && row->motion == VRM_RAGDOLL_MOTION_DYNAMIC && row->to.muscle > 0.5f && !row->lost;
}

// Can it step? With both legs its own, hips held up by the drive.
static bool is_able(const vrm_instance *instance)
{
    bool able = instance->ragdoll.settings.drive == VRM_RAGDOLL_DRIVE_TORQUE &&
                is_driven(instance, VRM_HUMAN_BONE_HIPS) && instance->ragdoll_rows[0].to.pin > 0.5f &&
                node_of(instance, VRM_HUMAN_BONE_HIPS) >= 0;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < 3; ++i) {
            able = able && is_driven(instance, legs[side][i]) && node_of(instance, legs[side][i]) >= 0;
        }
    }
    const vrm_vec3 up = to_world(instance, 0.0f, 1.0f, 0.0f);
    return able && up.y > 0.99f;
}

// The sole's middle and half its size, of the foot's shape as it is in the animated pose.
static void measure_sole(const vrm_instance *instance, int side, vrmi_step_body *out)
{
    const int32_t body = body_of(instance, legs[side][2]);
    const vrm_ragdoll_shape *shape = &instance->ragdoll_bodies[body].shape;
    const vrm_quat turn = vrmi_ragdoll_animated(instance, (uint32_t)body);
    const float scale = instance->root.scale;
    const vrm_vec3 ankle = to_root(instance, place_of(instance, legs[side][2]));
    const vrm_vec3 arm = to_root(instance, vrmi_quat_rotate(turn, vrmi_vec3_scale(shape->center, scale)));
    const bool box = shape->type == VRM_RAGDOLL_SHAPE_BOX;
    const vrm_vec3 along = box ? vrmi_vec3(0.0f, 0.0f, 1.0f) : vrmi_vec3(0.0f, 1.0f, 0.0f);
    const vrm_quat whole = vrmi_quat_mul(turn, shape->rotation);
    vrm_vec3 ahead = to_root(instance, vrmi_quat_rotate(whole, along));
    ahead.y = 0.0f;
    ahead = vrmi_vec3_normalize_or(ahead, vrmi_vec3(0.0f, 0.0f, 1.0f));
    out->ahead[side] = ahead.z < 0.0f ? (vrmi_flat){-ahead.x, -ahead.z} : flatten(ahead);
    out->sole[side] = (vrmi_flat){ankle.x + arm.x, ankle.z + arm.z};
    out->ankles[side] = (vrmi_flat){-arm.x, -arm.z};
    const float half_x = (box ? shape->half_extents.x : shape->radius) * scale;
    const float half_z = (box ? shape->half_extents.z : shape->half_length + shape->radius) * scale;
    const int32_t toes = node_of(instance, side == 0 ? VRM_HUMAN_BONE_LEFT_TOES : VRM_HUMAN_BONE_RIGHT_TOES);
    out->ball[side] = arm.x * out->ahead[side].x + arm.z * out->ahead[side].z + half_z;
    if (toes >= 0) {
        const vrm_vec3 joint = to_root(instance, vrmi_mat34_translation(&instance->world[toes]));
        out->ball[side] = (joint.x - ankle.x) * out->ahead[side].x + (joint.z - ankle.z) * out->ahead[side].z;
        out->ball_height[side] = joint.y;
    }
    out->half.x += 0.5f * half_x;
    out->half.z += 0.5f * half_z;
    out->ankle += 0.5f * ankle.y;
}

// Centre of mass of the animated pose, and how far it moves with the trunk.
static void measure_mass(const vrm_instance *instance, vrmi_step_body *out)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const float hips = to_root(instance, place_of(instance, VRM_HUMAN_BONE_HIPS)).y;
    float height = 0.0f, lever = 0.0f;
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        const vrm_ragdoll_body *body = &instance->ragdoll_bodies[i];
        const vrm_vec3 place = vrmi_mat34_translation(&instance->world[body->node]);
        const vrm_vec3 center =
            to_root(instance, vrmi_ragdoll_center(instance, i, place, vrmi_ragdoll_animated(instance, i)));
        const bool leg = body->group == VRM_RAGDOLL_GROUP_LEFT_LEG || body->group == VRM_RAGDOLL_GROUP_RIGHT_LEG;
        height += body->mass * center.y;
        lever += leg || i == 0 ? 0.0f : body->mass * (center.y - hips);
    }
    out->center = height / ragdoll->mass;
    out->lever = lean_shown * lever / ragdoll->mass;
    out->height = ragdoll->height > 0.0f ? ragdoll->height * instance->root.scale : out->center / 0.5625f;
}

// False where the animated pose does not stand on both feet.
static bool measure(const vrm_instance *instance, float dt, vrmi_step_body *out)
{
    *out = (vrmi_step_body){.height = 0.0f};
    measure_mass(instance, out);
    measure_sole(instance, 0, out);
    measure_sole(instance, 1, out);
    const vrmi_flat middle = {0.5f * (out->sole[0].x + out->sole[1].x), 0.5f * (out->sole[0].z + out->sole[1].z)};
    bool stands = out->center > 0.0f && out->height > 0.0f;
    for (int side = 0; side < 2; ++side) {
        const vrm_vec3 hip = place_of(instance, legs[side][0]), knee = place_of(instance, legs[side][1]);
        const vrm_vec3 ankle = place_of(instance, legs[side][2]);
        const float length = vrmi_vec3_length(vrmi_vec3_sub(knee, hip)) + vrmi_vec3_length(vrmi_vec3_sub(ankle, knee));
        const vrm_vec3 at = to_root(instance, hip);
        out->leg += 0.5f * length;
        out->hip += 0.5f * at.y;
        out->hips[side] = between(middle, flatten(at));
        const float rest =
            vrmi_mat34_translation(&vrmi_model_node_rest_matrix(instance->model)[node_of(instance, legs[side][2])]).y;
        const float above = to_root(instance, ankle).y - rest * instance->root.scale;
        const vrmi_ragdoll_row *row = &instance->ragdoll_rows[body_of(instance, legs[side][2])];
        const vrm_vec3 now = vrmi_ragdoll_center(instance, (uint32_t)body_of(instance, legs[side][2]), ankle,
            vrmi_ragdoll_animated(instance, (uint32_t)body_of(instance, legs[side][2])));
        const vrm_vec3 travel = vrmi_vec3_between(instance->ragdoll.last_origin, instance->root.translation);
        const float way = vrmi_vec3_length(vrmi_vec3_add(vrmi_vec3_sub(now, row->last_position), travel));
        stands = stands && hip.y - ankle.y > 0.85f * length && vrmi_abs(above) < 0.03f * out->height &&
                 (!instance->ragdoll.has_last || way <= still_foot * instance->root.scale * dt);
    }
    return stands;
}

// --- pose ----------------------------------------------------------------------------------------------------------

// A bone and all below it are turned in the world.
static void turn_bone(vrm_instance *instance, vrm_human_bone bone, vrm_quat turn)
{
    const int32_t node = node_of(instance, bone);
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
    const uint32_t node = (uint32_t)node_of(instance, VRM_HUMAN_BONE_HIPS);
    vrm_mat34 above, inverse;
    vrmi_hierarchy_parent(instance, node, &above);
    if (vrmi_mat34_invert(&above, &inverse)) {
        const vrm_vec3 at = vrmi_vec3_add(vrmi_mat34_translation(&instance->world[node]), way);
        vrmi_local(instance, node)->translation = vrmi_mat34_point(&inverse, at);
        vrmi_hierarchy_update_subtree(instance, node);
    }
}

static void lean(vrm_instance *instance)
{
    const vrmi_step_plan *plan = &instance->ragdoll.step;
    const vrm_vec3 vector = to_world(instance, plan->lean.z, 0.0f, -plan->lean.x);
    for (size_t i = 0; i < sizeof(lean_parts) / sizeof(lean_parts[0]); ++i) {
        const vrm_quat turn = vrmi_quat_from_vector(vrmi_vec3_scale(vector, lean_parts[i].part));
        turn_bone(instance, lean_parts[i].bone, turn);
    }
}

// Arms that hang go out to the sides, elbows bent: straight ones look like sticks.
static void spread(vrm_instance *instance)
{
    for (int side = 0; side < 2; ++side) {
        const int32_t node = node_of(instance, arms[side]);
        const int32_t lower = node_of(instance, forearms[side]);
        if (node < 0 || lower < 0) {
            continue;
        }
        const vrm_vec3 way = vrmi_vec3_sub(
            vrmi_mat34_translation(&instance->world[lower]), vrmi_mat34_translation(&instance->world[node]));
        const float hangs = vrmi_clamp01(-vrmi_vec3_normalize_or(way, vrmi_vec3(0.0f, 0.0f, 0.0f)).y);
        const float angle = (side == 0 ? 1.0f : -1.0f) * arm_spread * instance->ragdoll.step.spread * hangs;
        turn_bone(instance, arms[side], vrmi_quat_from_vector(to_world(instance, 0.0f, 0.0f, angle)));
        const float bend = elbow_bend * instance->ragdoll.step.spread * hangs;
        turn_bone(instance, forearms[side], vrmi_quat_from_vector(to_world(instance, -bend, 0.0f, 0.0f)));
    }
}

static float smooth(float t)
{
    return t * t * (3.0f - 2.0f * t);
}

// The knee's axis in the animated pose, to the figure's left.
static vrm_vec3 knee_axis(const vrm_instance *instance, int side)
{
    const vrm_ragdoll_joint *knee = &instance->ragdoll_bodies[body_of(instance, legs[side][1])].joint;
    const vrm_quat thigh = vrmi_ragdoll_animated(instance, (uint32_t)body_of(instance, legs[side][0]));
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f}, left = vrmi_quat_rotate(thigh, x);
    if (knee->type != VRM_RAGDOLL_JOINT_HINGE) {
        return left;
    }
    const vrm_vec3 axis = vrmi_quat_rotate(thigh, vrmi_quat_rotate(knee->frame, x));
    return vrmi_vec3_dot(axis, left) < 0.0f ? vrmi_vec3_scale(axis, -1.0f) : axis;
}

static void reach(vrm_instance *instance, int side, vrm_vec3 target, vrm_quat sole, vrm_quat heel)
{
    const vrmi_hinge_leg leg = {place_of(instance, legs[side][0]), place_of(instance, legs[side][1]),
        place_of(instance, legs[side][2]), target, knee_axis(instance, side)};
    vrm_quat bend, whole;
    vrmi_hinge_leg_solve(&leg, &bend, &whole);
    const float weight = smooth(instance->ragdoll.step.hold);
    const vrm_quat none = vrmi_quat_identity();
    turn_bone(instance, legs[side][1], vrmi_quat_slerp(none, bend, weight));
    turn_bone(instance, legs[side][0], vrmi_quat_slerp(none, whole, weight));
    const int32_t foot = node_of(instance, legs[side][2]);
    const vrm_quat now = *vrmi_world_rotation(instance, foot);
    turn_bone(instance, legs[side][2], vrmi_quat_mul(sole, vrmi_quat_conjugate(now)));
    const vrm_human_bone toes = side == 0 ? VRM_HUMAN_BONE_LEFT_TOES : VRM_HUMAN_BONE_RIGHT_TOES;
    turn_bone(instance, toes, vrmi_quat_conjugate(heel));
}

static void pose(vrm_instance *instance)
{
    const vrmi_step_plan *plan = &instance->ragdoll.step;
    vrm_vec3 ankles[2];
    vrm_quat soles[2], heels[2];
    for (int side = 0; side < 2; ++side) {
        const vrmi_flat way = between(plan->body.sole[side], plan->feet[side].place);
        const vrm_vec3 ankle = place_of(instance, legs[side][2]);
        ankles[side] = vrmi_vec3_add(ankle, to_world(instance, way.x, plan->feet[side].height, way.z));
        // With the heel up it has turned about the ball.
        const vrmi_flat ahead = plan->body.ahead[side];
        const vrm_vec3 axis = to_world(instance, ahead.z, 0.0f, -ahead.x);
        const vrm_quat turn = heels[side] = vrmi_quat_from_axis_angle(axis, plan->feet[side].pitch);
        const float ball = plan->body.ball[side], above = plan->body.ankle - plan->body.ball_height[side];
        const vrm_vec3 back = to_world(instance, -ahead.x * ball, above, -ahead.z * ball);
        ankles[side] = vrmi_vec3_add(ankles[side], vrmi_vec3_sub(vrmi_quat_rotate(turn, back), back));
        soles[side] = vrmi_quat_mul(turn, *vrmi_world_rotation(instance, node_of(instance, legs[side][2])));
    }
    const vrmi_flat hips = vrmi_step_hips(plan);
    move_hips(instance, to_world(instance, hips.x, -plan->drop, hips.z));
    lean(instance);
    spread(instance);
    for (int side = 0; side < 2; ++side) {
        reach(instance, side, ankles[side], soles[side], heels[side]);
    }
    vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
}

// --- frame ---------------------------------------------------------------------------------------------------------

// What this frame's blows push, as a change of the velocity of all of the mass in the root's axes, at their common height.
static vrmi_flat push_of(const vrm_instance *instance, float *out_height)
{
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
    float moment = 0.0f, whole = 0.0f;
    for (uint32_t i = 0; i < instance->ragdoll.impulse_count; ++i) {
        const vrm_ragdoll_impulse *blow = &instance->ragdoll_impulses[i];
        const vrm_vec3 impulse = to_root(instance, blow->impulse);
        const float size = vrmi_sqrt(impulse.x * impulse.x + impulse.z * impulse.z);
        sum = vrmi_vec3_add(sum, impulse);
        moment += size * to_root(instance, blow->point).y;
        whole += size;
    }
    *out_height = whole > 0.0f ? vrmi_max(moment / whole, 0.0f) : 0.0f;
    const float part = 1.0f / (instance->ragdoll.mass * instance->ragdoll.settings.step_assist);
    return (vrmi_flat){sum.x * part, sum.z * part};
}

static void ask_for_root(vrm_instance *instance)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const vrmi_flat way = vrmi_step_way(&ragdoll->step);
    const bool away = way.x * way.x + way.z * way.z > 1e-6f * ragdoll->step.body.height * ragdoll->step.body.height;
    if (ragdoll->step.phase == VRMI_STEP_DONE && away) {
        ragdoll->wanted_root = instance->root;
        ragdoll->wanted_root.translation =
            vrmi_dvec3_add(instance->root.translation, vrmi_dvec3_from(to_world(instance, way.x, 0.0f, way.z)));
        ragdoll->wants_root = true;
    }
}

void vrmi_ragdoll_step(vrm_instance *instance, float dt)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    vrmi_step_plan *plan = &ragdoll->step;
    ragdoll->step_push = vrmi_vec3(0.0f, 0.0f, 0.0f);
    const bool may = ragdoll->settings.steps && ragdoll->phase == VRM_RAGDOLL_PHASE_ACTIVE && is_able(instance);
    if (!may) {
        plan->phase = plan->phase == VRMI_STEP_FALL && ragdoll->settings.steps ? VRMI_STEP_FALL : VRMI_STEP_OFF;
        return;
    }
    float height;
    const vrmi_flat push = push_of(instance, &height);
    if (!vrmi_ragdoll_steps(ragdoll)) {
        vrmi_step_body body;
        const bool pushed = push.x * push.x + push.z * push.z > 0.0f;
        if (!pushed || ragdoll->gets_up || !measure(instance, dt, &body)) {
            plan->phase = VRMI_STEP_OFF;
            return;
        }
        vrmi_step_begin(plan, &body);
    }
    const vrmi_step_settings settings = {ragdoll->settings.step_reaction};
    vrmi_step_advance(plan, &settings, push, height, dt);
    if (dt > 0.0f) {
        const float part = height / (plan->body.center * dt);
        ragdoll->step_push = to_world(instance, push.x * part, 0.0f, push.z * part);
    }
    if (plan->phase == VRMI_STEP_FALL) {
        // It falls from the pose of its last step, which bones without a body keep.
        pose(instance);
        vrmi_ragdoll_enter(ragdoll, VRM_RAGDOLL_PHASE_LIMP);
        vrmi_ragdoll_keep(instance);
        return;
    }
    if (vrmi_step_over(plan)) {
        plan->phase = VRMI_STEP_OFF;
        return;
    }
    pose(instance);
    ask_for_root(instance);
}

void vrmi_ragdoll_step_take(vrm_instance *instance)
{
    vrmi_step_plan *plan = &instance->ragdoll.step;
    if (plan->phase != VRMI_STEP_DONE) {
        return;
    }
    const vrmi_flat way = vrmi_step_way(plan);
    move_hips(instance, to_world(instance, -way.x, 0.0f, -way.z));
    vrmi_step_shift(plan, way);
    vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
}
