// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The pose at a time. Pelvis and trunk move smoothly through all keys; hands and feet move with minimum jerk from
// contact to contact. Arms and legs reach these positions by inverse kinematics.

#include "ragdoll/get_up_reach.h"

#include "ragdoll/anatomy.h"

#define DEGREE (VRMI_PI / 180.0f)

static const float settle_time = 0.7f; // seconds in which the difference from the lying pose fades out

static const vrm_vec3 axis_x = {1.0f, 0.0f, 0.0f}, axis_y = {0.0f, 1.0f, 0.0f};

// --- between keys ----------------------------------------------------------------------------------------------------

static float eased(float t)
{
    const float u = vrmi_clamp01(t);
    return u * u * u * (10.0f + u * (6.0f * u - 15.0f));
}

static uint32_t key_before(const vrmi_get_up_plan *plan, float time)
{
    uint32_t key = 0;
    while (key + 2 < plan->count && plan->keys[key + 1].time <= time) {
        ++key;
    }
    return key;
}

static float slope_between(const float *times, const float *values, uint32_t at)
{
    return (values[at + 1] - values[at]) / (times[at + 1] - times[at]);
}

// Returns the slope at a key with which the curve stays between the keys' values (Fritsch and Carlson); 0 at both ends.
static float slope_at(const float *times, const float *values, uint32_t count, uint32_t at)
{
    if (at == 0 || at + 1 == count) {
        return 0.0f;
    }
    const float a = slope_between(times, values, at - 1), b = slope_between(times, values, at);
    return a * b > 0.0f ? 2.0f * a * b / (a + b) : 0.0f;
}

// Returns the smooth value of a float in the keys at a time. `offset` is the float's offset in the key.
static float smooth(const vrmi_get_up_plan *plan, size_t offset, float time)
{
    float times[VRMI_GET_UP_KEYS], values[VRMI_GET_UP_KEYS];
    for (uint32_t i = 0; i < plan->count; ++i) {
        times[i] = plan->keys[i].time;
        values[i] = *(const float *)(const void *)((const char *)&plan->keys[i] + offset);
    }
    const uint32_t k = key_before(plan, time);
    const float span = times[k + 1] - times[k], t = vrmi_clamp01((time - times[k]) / span);
    const float from = slope_at(times, values, plan->count, k) * span;
    const float to = slope_at(times, values, plan->count, k + 1) * span;
    const float a = values[k], d = values[k + 1] - a;
    return a + t * (from + t * (3.0f * d - 2.0f * from - to + t * (from + to - 2.0f * d)));
}

typedef struct contact {
    vrm_vec3 place, knee;
    float pitch, yaw, free, out, aims, kneels;
    float loose; // of a foot: how far it follows its shank
} contact;

static const float hand_step = 0.15f; // largest height of a hand above the ground on its way, for a way of 1 m

static contact limb_at(const vrmi_get_up_plan *plan, int side, bool foot, float time)
{
    const uint32_t k = key_before(plan, time);
    const vrmi_get_up_key *a = &plan->keys[k], *b = &plan->keys[k + 1];
    const float u = vrmi_clamp01((time - a->time) / (b->time - a->time)), t = eased(u);
    const float *from = foot ? a->foot[side] : a->hand[side], *to = foot ? b->foot[side] : b->hand[side];
    contact out = {.place = {vrmi_lerp(from[0], to[0], t), vrmi_lerp(from[1], to[1], t), vrmi_lerp(from[2], to[2], t)}};
    const float x = to[0] - from[0], z = to[2] - from[2], way = vrmi_sqrt(x * x + z * z);
    // A limb that moves to its next contact rises above the ground, higher for longer distances.
    const float lift = foot ? b->step[side] : hand_step;
    out.place.y += lift * vrmi_min(way, 1.0f) * 16.0f * u * u * (1.0f - u) * (1.0f - u);
    out.pitch = vrmi_lerp(a->foot_pitch[side], b->foot_pitch[side], t);
    out.yaw = vrmi_lerp(a->foot_yaw[side], b->foot_yaw[side], t);
    const float turned = vrmi_abs(b->foot_pitch[side] - a->foot_pitch[side]) - 25.0f * DEGREE;
    if (foot && turned > 0.0f) { // a foot that turns over rises above the ground meanwhile
        const float clear = plan->knee * lift / 0.12f;
        out.place.y += clear * vrmi_min(turned, 1.0f) * 16.0f * u * u * (1.0f - u) * (1.0f - u);
    }
    // A foot that turns over follows its shank on the way, but not out of the lying pose, which may be any.
    const float over = k > 0 ? vrmi_clamp01(turned / (25.0f * DEGREE)) : 0.0f;
    const float way_over = over * vrmi_min(32.0f * u * u * (1.0f - u) * (1.0f - u), 1.0f);
    out.loose = vrmi_max(vrmi_lerp(a->foot_free[side], b->foot_free[side], t), way_over);
    out.free = vrmi_lerp(a->hand_free[side], b->hand_free[side], t);
    out.out = vrmi_lerp(a->knee_out[side], b->knee_out[side], t);
    out.kneels = vrmi_lerp(a->kneels[side], b->kneels[side], t);
    out.aims = vrmi_lerp(a->knee_aims[side], b->knee_aims[side], t);
    const float *here = a->knee_aims[side] > 0.0f ? a->knee[side] : b->knee[side];
    const float *there = b->knee_aims[side] > 0.0f ? b->knee[side] : here;
    out.knee = vrmi_vec3(
        vrmi_lerp(here[0], there[0], t), plan->knee + vrmi_lerp(here[1], there[1], t), vrmi_lerp(here[2], there[2], t));
    return out;
}

// --- trunk -----------------------------------------------------------------------------------------------------------

static vrm_quat about_x(float angle)
{
    return vrmi_quat_from_axis_angle(axis_x, angle);
}

static vrm_quat about_z(float angle)
{
    return vrmi_quat_from_axis_angle(vrmi_vec3(0.0f, 0.0f, 1.0f), angle);
}

static bool exists(const vrm_get_up_body *body, int32_t bone)
{
    return body->parent[bone] > -2;
}

static void set_local(const vrm_get_up_body *body, vrmi_get_up_pose *pose, int32_t bone, vrm_quat local)
{
    if (exists(body, bone)) {
        const int32_t parent = body->parent[bone];
        pose->turn[bone] = parent >= 0 ? vrmi_quat_mul(pose->turn[parent], local) : local;
    }
}

// Computes the positions of all bones from their rotations.
static void place_bones(const vrm_get_up_body *body, vrmi_get_up_pose *pose)
{
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t parent = body->parent[bone];
        if (parent >= 0) {
            const vrm_vec3 way = vrmi_vec3_sub(body->rest[bone], body->rest[parent]);
            pose->place[bone] = vrmi_vec3_add(pose->place[parent], vrmi_quat_rotate(pose->turn[parent], way));
        }
    }
}

vrm_quat vrmi_get_up_local(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, int32_t bone)
{
    const int32_t parent = body->parent[bone];
    return parent >= 0 ? vrmi_quat_mul(vrmi_quat_conjugate(pose->turn[parent]), pose->turn[bone]) : pose->turn[bone];
}

static bool is_trunk(int32_t bone)
{
    return bone == VRM_HUMAN_BONE_SPINE || bone == VRM_HUMAN_BONE_CHEST || bone == VRM_HUMAN_BONE_UPPER_CHEST ||
           bone == VRM_HUMAN_BONE_NECK || bone == VRM_HUMAN_BONE_HEAD;
}

static void bend_trunk(const vrm_get_up_body *body, float pitch, float bend, float roll, vrmi_get_up_pose *pose)
{
    static const int32_t spine[3] = {VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_UPPER_CHEST};
    float joints = 0.0f;
    for (int i = 0; i < 3; ++i) {
        joints += exists(body, spine[i]) ? 1.0f : 0.0f;
    }
    for (int i = 0; i < 3; ++i) {
        set_local(body, pose, spine[i], about_x(joints > 0.0f ? bend / joints : 0.0f));
    }
    // The head bends back so that the face looks ahead, as far as the neck allows.
    const float lean = pitch + bend, back = vrmi_clamp(-0.65f * lean, -45.0f * DEGREE, 40.0f * DEGREE);
    const float part = exists(body, VRM_HUMAN_BONE_NECK) ? 0.5f : 1.0f;
    const vrm_quat turn = vrmi_quat_mul(about_x(part * back), about_z(0.7f * part * roll)); // upright to the sides, too
    set_local(body, pose, VRM_HUMAN_BONE_NECK, turn);
    set_local(body, pose, VRM_HUMAN_BONE_HEAD, turn);
}

// --- limbs -----------------------------------------------------------------------------------------------------------

float vrmi_get_up_sole(const vrm_get_up_body *body, int side, vrm_quat turn)
{
    static const int32_t toes[2] = {VRM_HUMAN_BONE_LEFT_TOES, VRM_HUMAN_BONE_RIGHT_TOES};
    float depth = vrmi_get_up_depth(body, vrmi_get_up_legs[side].end, turn);
    if (exists(body, toes[side])) {
        const vrm_vec3 way =
            vrmi_quat_rotate(turn, vrmi_vec3_sub(body->rest[toes[side]], body->rest[vrmi_get_up_legs[side].end]));
        depth = vrmi_max(depth, vrmi_get_up_depth(body, toes[side], turn) - way.y);
    }
    return depth > 0.0f ? depth : body->ankle; // a foot without vertices extends down to the ground at rest
}

// A foot that is too far from its hip is drawn along just above the ground. Its leg, stretched towards its place, would lift
// it. This does not move the feet of a figure that stands.
static vrm_vec3 drawn_in(const vrm_get_up_body *body, vrm_vec3 hip, vrm_vec3 target)
{
    const float begun = 0.95f * body->leg, soft = 0.03f * body->leg; // the distance stays below the sum
    const vrm_vec3 way = vrmi_vec3_sub(target, hip);
    const float distance = vrmi_vec3_length(way), over = distance - begun;
    const float level = vrmi_sqrt(way.x * way.x + way.z * way.z);
    if (over <= 0.0f || level < 1e-6f) {
        return target;
    }
    const float near = begun + soft * over / (over + soft);
    const float within = vrmi_sqrt(vrmi_max(near * near - way.y * way.y, 0.0f));
    const float part = vrmi_lerp(1.0f, within / level, eased((level / distance - 0.35f) / 0.3f));
    const float drawn = (1.0f - part) * level, clear = vrmi_min(0.4f * drawn, 0.02f * body->leg);
    return vrmi_vec3(hip.x + part * way.x, target.y + clear, hip.z + part * way.z);
}

// Returns a leg's goal for a foot with the rotation `turn`.
static vrmi_get_up_goal leg_goal(const vrm_get_up_body *body, const vrmi_get_up_plan *plan, int side, float time,
    const vrmi_get_up_lift *lift, const vrmi_get_up_pose *pose, vrm_quat turn)
{
    contact foot = limb_at(plan, side, true, time);
    foot.knee.y += lift->knee[side];
    const float sign = side == 0 ? 1.0f : -1.0f;
    const float sole = vrmi_get_up_sole(body, side, turn);
    const vrm_quat hips = pose->turn[VRM_HUMAN_BONE_HIPS];
    const vrm_vec3 foothold = {foot.place.x, foot.place.y + sole + lift->foot[side], foot.place.z};
    const vrm_vec3 target = drawn_in(body, pose->place[vrmi_get_up_legs[side].upper], foothold);
    // The pole is in front of a leg that hangs or points back, and moves up for a raised thigh. A fixed pole in front
    // of the hips would be parallel to a leg whose foot passes below the belly, and the leg would turn over.
    const vrm_vec3 way = vrmi_vec3_sub(target, pose->place[vrmi_get_up_legs[side].upper]);
    const vrm_vec3 seen = vrmi_quat_rotate(vrmi_quat_conjugate(hips), way);
    const float soft = 0.2f * vrmi_vec3_dot(way, way) + 1e-9f;
    const float front = 0.5f * (seen.z + vrmi_sqrt(seen.z * seen.z + soft));
    const float down = 0.5f * (vrmi_sqrt(seen.y * seen.y + soft) - seen.y);
    const float unit = 1.0f / vrmi_sqrt(front * front + down * down);
    const vrm_vec3 ahead =
        vrmi_quat_rotate(hips, vrmi_vec3(sign * (2.0f * foot.out + 0.08f), front * unit, down * unit));
    // The pole of a knee that falls outward is raised, so that the knee stays above the ground.
    const vrm_vec3 raised_pole =
        vrmi_vec3_normalize_or(vrmi_vec3_add(ahead, vrmi_vec3_scale(axis_y, foot.out)), axis_y);
    const vrm_vec3 knee =
        vrmi_vec3_normalize_or(vrmi_vec3_sub(foot.knee, pose->place[vrmi_get_up_legs[side].upper]), axis_y);
    return (vrmi_get_up_goal){.target = target,
        .pole = vrmi_vec3_lerp(raised_pole, knee, foot.aims),
        .out = vrmi_quat_rotate(hips, vrmi_vec3(sign, 0.0f, 0.0f)),
        .inwards = 45.0f * DEGREE,
        .start = plan->hinge[0][side],
        .start_part = 1.0f - eased(time / settle_time),
        // A knee on the ground has its place, and is as low as it may be.
        .clear = (plan->knee + lift->knee[side]) * (1.0f - foot.kneels * foot.kneels * foot.kneels),
        .up = foot.out * (1.0f - foot.aims),
        .twist = vrmi_anatomy_of(VRM_HUMAN_BONE_LEFT_UPPER_LEG)->max * DEGREE};
}

// Returns the part of a rotation vector that lies within a range about each axis, radians. At half a turn, a vector
// beyond its range would flip to the other side, so it decreases slowly before that angle.
static vrm_vec3 within(vrm_vec3 bent, vrm_vec3 most)
{
    const float level =
        vrmi_vec3_length(vrmi_vec3(bent.x / most.x, bent.y / most.y, bent.z / most.z)); // 1 at the end of the range
    if (level <= 1.0f) {
        return bent;
    }
    const float angle = vrmi_vec3_length(bent), end = angle / level;
    return vrmi_vec3_scale(bent, vrmi_max(end * (VRMI_PI - angle) / ((VRMI_PI - end) * angle), 0.0f));
}

// Returns a foot's rotation that follows the shank as far as the ankle requires it.
static vrm_quat within_ankle(int side, vrm_quat shank, vrm_quat foot)
{
    const vrmi_anatomy *range = vrmi_anatomy_of(VRM_HUMAN_BONE_LEFT_FOOT);
    const float out = side == 0 ? 1.0f : -1.0f, half = 0.5f * DEGREE;
    const vrm_vec3 middle = {half * (range->y_min + range->y_max), out * half * (range->z_min + range->z_max),
        out * half * (range->min + range->max)};
    const vrm_vec3 most = {
        half * (range->y_max - range->y_min), half * (range->z_max - range->z_min), half * (range->max - range->min)};
    const vrm_vec3 bent = vrmi_quat_to_vector(vrmi_quat_mul(vrmi_quat_conjugate(shank), foot));
    const vrm_vec3 kept = vrmi_vec3_add(middle, within(vrmi_vec3_sub(bent, middle), most));
    return vrmi_quat_mul(shank, vrmi_quat_from_vector(kept));
}

static void move_leg(const vrm_get_up_body *body, const vrmi_get_up_plan *plan, int side,
    const vrmi_get_up_moment *moment, vrmi_get_up_pose *pose)
{
    const contact foot = limb_at(plan, side, true, moment->time);
    const vrm_quat planned = vrmi_quat_mul(vrmi_quat_from_axis_angle(axis_y, foot.yaw), about_x(foot.pitch));
    const int rounds = foot.loose > 0.0f ? 4 : 1; // a foot that follows its shank has another height of its ankle
    vrm_quat turn = planned;
    for (int i = 0; i < rounds; ++i) {
        vrmi_get_up_goal g = leg_goal(body, plan, side, moment->time, &moment->lift, pose, turn);
        g.side = moment->sides != NULL ? &moment->sides->limb[0][side] : NULL;
        pose->sides.limb[0][side] = vrmi_get_up_reach(body, &vrmi_get_up_legs[side], &g, pose);
        const vrm_quat kept = within_ankle(side, pose->turn[vrmi_get_up_legs[side].lower], planned);
        turn = vrmi_quat_slerp(planned, kept, foot.loose);
    }
    pose->turn[vrmi_get_up_legs[side].end] = turn;
}

// Returns the rotation of a hand with its palm down, as in the T-pose. The fingers point along the forearm, turned
// towards the front.
static vrm_quat flat_hand(int side, vrm_quat forearm)
{
    const float out = side == 0 ? 1.0f : -1.0f;
    const vrm_vec3 along = vrmi_quat_rotate(forearm, vrmi_vec3(out, 0.0f, 0.0f));
    // The added outward and forward components keep the hand of an arm that points back or straight up from turning
    // over.
    const float x = along.x + 0.3f * out, z = along.z + 0.4f;
    return vrmi_quat_from_axis_angle(axis_y, vrmi_atan2(-z * out, x * out));
}

// Returns the height of a wrist above the ground when the palm is on the ground.
static float palm_of(const vrm_get_up_body *body, int side)
{
    const vrm_quat flat = flat_hand(side, vrmi_quat_identity());
    return vrmi_max(vrmi_get_up_depth(body, vrmi_get_up_arms[side].end, flat), 0.01f * body->height);
}

static vrmi_get_up_goal arm_goal(const vrm_get_up_body *body, const vrmi_get_up_plan *plan, int side, float time,
    float raised, const vrmi_get_up_pose *pose)
{
    const vrmi_get_up_limb *l = &vrmi_get_up_arms[side];
    const contact hand = limb_at(plan, side, false, time);
    const float out = side == 0 ? 1.0f : -1.0f;
    const vrm_quat chest = pose->turn[body->parent[l->upper]];
    const vrm_vec3 hanging = vrmi_vec3_add(pose->place[l->upper],
        vrmi_quat_rotate(chest, vrmi_vec3(out * 0.26f * body->arm, -0.94f * body->arm, 0.06f * body->arm)));
    const float palm = palm_of(body, side);
    const vrm_vec3 planted = {hand.place.x, hand.place.y + palm + raised, hand.place.z};
    vrm_vec3 target = vrmi_vec3_lerp(planted, hanging, hand.free);
    target.y = vrmi_max(target.y, palm + raised);
    return (vrmi_get_up_goal){.target = target,
        .pole = vrmi_quat_rotate(chest, vrmi_vec3(0.45f * out, -0.2f, -1.0f)),
        .out = vrmi_quat_rotate(chest, vrmi_vec3(out, 0.0f, 0.0f)),
        .inwards = 0.0f,
        .start = plan->hinge[1][side],
        .start_part = 1.0f - eased(time / settle_time),
        .clear = 0.6f * plan->knee};
}

static void move_arm(const vrm_get_up_body *body, const vrmi_get_up_plan *plan, int side, float raised,
    const vrmi_get_up_moment *moment, vrmi_get_up_pose *pose)
{
    const vrmi_get_up_limb *l = &vrmi_get_up_arms[side];
    const float time = moment->time;
    vrmi_get_up_goal g = arm_goal(body, plan, side, time, raised, pose);
    g.side = moment->sides != NULL ? &moment->sides->limb[1][side] : NULL;
    pose->sides.limb[1][side] = vrmi_get_up_reach(body, l, &g, pose);
    // Near the ground the hand is flat. Otherwise its fingers would be in the ground.
    const float high = (pose->place[l->end].y - palm_of(body, side) - raised) / (0.45f * body->arm);
    const float loose = vrmi_max(eased(high), 1.0f - eased(time / 0.4f));
    const vrm_quat forearm = pose->turn[l->lower];
    const vrm_vec3 bent = vrmi_quat_to_vector(vrmi_quat_mul(flat_hand(side, forearm), vrmi_quat_conjugate(forearm)));
    const float most = 90.0f * DEGREE;
    const vrm_vec3 kept = within(bent, vrmi_vec3(most, most, most));
    pose->turn[l->end] = vrmi_quat_mul(vrmi_quat_from_vector(vrmi_vec3_scale(kept, 1.0f - loose)), forearm);
}

// --- the whole -------------------------------------------------------------------------------------------------------

static bool is_limb(int32_t bone)
{
    for (int side = 0; side < 2; ++side) {
        const vrmi_get_up_limb *both[2] = {&vrmi_get_up_legs[side], &vrmi_get_up_arms[side]};
        for (int i = 0; i < 2; ++i) {
            if (bone == both[i]->upper || bone == both[i]->lower || bone == both[i]->end) {
                return true;
            }
        }
    }
    return false;
}

static void add_difference(
    const vrm_get_up_body *body, const vrmi_get_up_difference *difference, float left, vrmi_get_up_pose *pose)
{
    vrm_quat locals[VRM_HUMAN_BONE_COUNT];
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (exists(body, bone)) {
            const vrm_quat whole = difference->turn[bone];
            const vrm_quat part = vrmi_quat_slerp(vrmi_quat_identity(), whole, left);
            locals[bone] = vrmi_quat_mul(part, vrmi_get_up_local(body, pose, bone));
        }
    }
    const vrm_vec3 hips = vrmi_vec3_scale(difference->hips, left);
    pose->place[VRM_HUMAN_BONE_HIPS] = vrmi_vec3_add(pose->place[VRM_HUMAN_BONE_HIPS], hips);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (exists(body, bone)) {
            set_local(body, pose, bone, vrmi_quat_normalize(locals[bone]));
        }
    }
    place_bones(body, pose);
}

float vrmi_get_up_kneels(const vrmi_get_up_plan *plan, int side, float time)
{
    return limb_at(plan, side, true, time).kneels;
}

// Returns the height by which the pelvis must rise so that the thighs reach from the hips to the knees on the ground.
static float rise_over_knees(const vrm_get_up_body *body, const vrmi_get_up_plan *plan, float time,
    const vrmi_get_up_lift *lift, vrm_vec3 pelvis, vrm_quat hips)
{
    float rise = 0.0f, weight = 0.0f;
    for (int side = 0; side < 2; ++side) {
        const contact foot = limb_at(plan, side, true, time);
        const vrm_vec3 arm = vrmi_vec3_sub(body->rest[vrmi_get_up_legs[side].upper], body->pelvis);
        const vrm_vec3 hip = vrmi_vec3_add(pelvis, vrmi_quat_rotate(hips, arm));
        const float x = hip.x - foot.knee.x, z = hip.z - foot.knee.z;
        const float above = vrmi_sqrt(vrmi_max(body->thigh * body->thigh - x * x - z * z, 0.0f));
        const float part = foot.kneels * foot.kneels * foot.kneels; // late, when the knee is nearly there
        rise += part * (foot.knee.y + lift->knee[side] + above - hip.y);
        weight += part;
    }
    return rise / vrmi_max(weight, 1.0f);
}

// Raises the hand of an arm that is still in its lying pose. A twisted arm would turn a raised target of its planned pose
// into another direction.
static void raise_hand(int side, float raised, vrmi_get_up_pose *pose)
{
    const vrmi_get_up_limb *l = &vrmi_get_up_arms[side];
    const vrm_vec3 root = pose->place[l->upper], middle = pose->place[l->lower], end = pose->place[l->end];
    const vrm_vec3 target = {end.x, end.y + raised, end.z};
    // The elbow bends about its own axis. The elbow of a nearly straight arm is too close to the line from shoulder to
    // wrist to tell where it bends: the line is raised past it.
    const vrm_vec3 way = vrmi_vec3_sub(target, root), hinge = vrmi_quat_rotate(pose->turn[l->upper], l->hinge);
    const vrm_vec3 pole = vrmi_vec3_add(root, vrmi_vec3_cross(way, hinge));
    const vrm_two_bone_limb two = {root, middle, end, target, pole, 0.0f, 1.0f};
    vrm_quat upper, lower;
    vrm_two_bone_ik(&two, &upper, &lower);
    pose->turn[l->upper] = vrmi_quat_normalize(vrmi_quat_mul(upper, pose->turn[l->upper]));
    pose->turn[l->lower] = vrmi_quat_normalize(vrmi_quat_mul(lower, pose->turn[l->lower]));
}

void vrmi_get_up_solve(
    const vrm_get_up_body *body, const vrmi_get_up_plan *plan, const vrmi_get_up_moment *moment, vrmi_get_up_pose *out)
{
    const float time = moment->time;
    const vrmi_get_up_lift *lift = &moment->lift;
    const vrmi_get_up_difference *difference = moment->difference;
    const float pitch = smooth(plan, offsetof(vrmi_get_up_key, pitch), time);
    const float bend = smooth(plan, offsetof(vrmi_get_up_key, bend), time);
    const float roll = smooth(plan, offsetof(vrmi_get_up_key, roll), time);
    vrm_vec3 pelvis = {smooth(plan, offsetof(vrmi_get_up_key, x), time),
        smooth(plan, offsetof(vrmi_get_up_key, y), time), smooth(plan, offsetof(vrmi_get_up_key, z), time)};
    const float lying = difference != NULL ? 1.0f - eased(time / settle_time) : 0.0f;
    const float lean = 1.0f - eased(time / (0.9f * plan->keys[2].time + 0.05f));
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        out->turn[bone] = vrmi_quat_identity();
        out->place[bone] = vrmi_vec3(0.0f, 0.0f, 0.0f);
    }
    const vrm_quat upright = vrmi_quat_mul(about_z(-roll), about_x(pitch));
    const vrm_quat hips = vrmi_quat_mul(upright, vrmi_quat_slerp(vrmi_quat_identity(), plan->lean, lean));
    pelvis.y += rise_over_knees(body, plan, time, lift, pelvis, hips) + lift->trunk;
    const vrm_vec3 arm = vrmi_vec3_sub(body->rest[VRM_HUMAN_BONE_HIPS], body->pelvis);
    out->turn[VRM_HUMAN_BONE_HIPS] = hips;
    out->place[VRM_HUMAN_BONE_HIPS] = vrmi_vec3_add(pelvis, vrmi_quat_rotate(hips, arm));
    bend_trunk(body, pitch, bend, roll, out);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) { // parents come before children
        if (body->parent[bone] >= 0 && !is_trunk(bone)) {
            set_local(body, out, bone, vrmi_quat_identity());
        }
    }
    place_bones(body, out);
    for (int side = 0; side < 2; ++side) {
        move_leg(body, plan, side, moment, out);
        move_arm(body, plan, side, lift->hand[side] * (1.0f - lying), moment, out);
    }
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) { // fingers and toes move with their parents
        if (body->parent[bone] >= 0 && !is_limb(bone) &&
            (bone >= VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL || bone == VRM_HUMAN_BONE_LEFT_TOES ||
                bone == VRM_HUMAN_BONE_RIGHT_TOES)) {
            set_local(body, out, bone, vrmi_quat_identity());
        }
    }
    place_bones(body, out);
    if (difference != NULL) {
        add_difference(body, difference, lying, out);
        for (int side = 0; side < 2 && lying > 0.0f; ++side) {
            raise_hand(side, vrmi_max(lift->hand[side] - lift->trunk, 0.0f) * lying, out); // the trunk takes it along
        }
        place_bones(body, out);
    }
}
