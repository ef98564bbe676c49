// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "motion/figure.h"

#define DEGREE (VRMI_PI / 180.0f)

// --- proportions ---------------------------------------------------------------------------------------------------

static float between(const vrmi_figure *figure, int a, int b)
{
    return vrmi_vec3_length(vrmi_vec3_sub(figure->rest[b], figure->rest[a]));
}

static const vrm_ragdoll_body *body_of(const vrm_ragdoll_def *ragdoll, vrm_human_bone bone)
{
    for (uint32_t i = 0; ragdoll != NULL && i < ragdoll->body_count; ++i) {
        if (ragdoll->bodies[i].bone == bone) {
            return &ragdoll->bodies[i];
        }
    }
    return NULL;
}

// Returns the extent of a shape along an axis, measured from the bone's joint.
static float reach_of(const vrm_ragdoll_shape *shape, vrm_vec3 axis)
{
    const vrm_vec3 own = vrmi_quat_rotate(vrmi_quat_conjugate(shape->rotation), axis);
    const float middle = vrmi_vec3_dot(shape->center, axis);
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        return middle + shape->radius + vrmi_abs(own.y) * shape->half_length;
    }
    const vrm_vec3 e = shape->half_extents;
    return middle + vrmi_abs(own.x) * e.x + vrmi_abs(own.y) * e.y + vrmi_abs(own.z) * e.z;
}

static void measure_sole(vrmi_figure *figure, const vrm_ragdoll_def *ragdoll)
{
    const vrm_vec3 ankle = figure->rest[VRM_HUMAN_BONE_LEFT_FOOT];
    const bool toes = figure->there[VRM_HUMAN_BONE_LEFT_TOES];
    figure->ankle = vrmi_max(ankle.y, 0.02f * figure->leg);
    // Human proportions: the ball of the foot is 0.15 of the leg's length ahead of the ankle, the heel 0.4 of that
    // distance behind it.
    figure->ball = toes ? figure->rest[VRM_HUMAN_BONE_LEFT_TOES].z - ankle.z : 0.15f * figure->leg;
    figure->ball = vrmi_clamp(figure->ball, 0.05f * figure->leg, 0.3f * figure->leg);
    figure->heel = 0.4f * figure->ball;
    figure->tip = 1.4f * figure->ball;
    const vrm_ragdoll_body *foot = body_of(ragdoll, VRM_HUMAN_BONE_LEFT_FOOT);
    if (foot != NULL) {
        const float back = reach_of(&foot->shape, vrmi_vec3(0.0f, 0.0f, -1.0f));
        const float front = reach_of(&foot->shape, vrmi_vec3(0.0f, 0.0f, 1.0f));
        figure->heel = vrmi_clamp(back, 0.0f, 0.25f * figure->leg);
        figure->tip = vrmi_clamp(front, 0.05f * figure->leg, 0.5f * figure->leg);
        figure->ball = toes ? vrmi_min(figure->ball, 0.95f * figure->tip) : 0.75f * figure->tip;
    }
}

// Returns the distance from the middle line to the outer side of a body; 0 if there is no such body.
static float breadth_of(const vrmi_figure *figure, const vrm_ragdoll_def *ragdoll, vrm_human_bone bone)
{
    const vrm_ragdoll_body *body = body_of(ragdoll, bone);
    return body != NULL ? figure->rest[bone].x + reach_of(&body->shape, vrmi_vec3(1.0f, 0.0f, 0.0f)) : 0.0f;
}

// Returns the distance from a hand's joint to its palm, half of the hand's thickness. Below the palm the shape also
// contains half closed fingers, so the back of the hand counts.
static float palm_of(const vrmi_figure *figure, const vrm_ragdoll_def *ragdoll)
{
    const vrm_ragdoll_body *hand = body_of(ragdoll, VRM_HUMAN_BONE_LEFT_HAND);
    const float thick = hand != NULL ? reach_of(&hand->shape, vrmi_vec3(0.0f, 1.0f, 0.0f)) : 0.03f * figure->size;
    return vrmi_clamp(thick, 0.0f, 0.05f * figure->size);
}

// Computes the angle at which an arm hangs beside chest and hips without touching them.
static void measure_hang(vrmi_figure *figure, const vrm_ragdoll_def *ragdoll)
{
    const vrm_vec3 shoulder = figure->rest[VRM_HUMAN_BONE_LEFT_UPPER_ARM];
    const float upper = between(figure, VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM);
    float hips = vrmi_max(
        breadth_of(figure, ragdoll, VRM_HUMAN_BONE_HIPS), breadth_of(figure, ragdoll, VRM_HUMAN_BONE_LEFT_UPPER_LEG));
    hips = hips > 0.0f ? hips : 2.0f * figure->rest[VRM_HUMAN_BONE_LEFT_UPPER_LEG].x;
    const float palm = figure->palm + 0.01f * figure->size;
    // Horizontal distances from the shoulder: of the wrist beside the hips, in lengths of the arm, and of the elbow
    // beside the chest, in lengths of the upper arm. If the chest is a capsule, the upper arm hangs below its round
    // end, so a smaller width of the chest is used.
    const vrm_ragdoll_body *body = body_of(ragdoll, VRM_HUMAN_BONE_CHEST);
    const bool round = body != NULL && body->shape.type == VRM_RAGDOLL_SHAPE_CAPSULE;
    const float chest = breadth_of(figure, ragdoll, VRM_HUMAN_BONE_CHEST) - (round ? 0.3f * body->shape.radius : 0.0f);
    const float wrist = (hips + palm - shoulder.x) / vrmi_max(figure->arm, 1e-6f);
    const float elbow = (chest + palm - shoulder.x) / vrmi_max(upper, 1e-6f);
    const float least = vrmi_clamp(vrmi_max(wrist, elbow), 0.0f, 1.0f);
    figure->hang = vrmi_clamp(vrmi_acos(least) / DEGREE, 45.0f, 74.0f);
}

bool vrmi_figure_init(vrmi_figure *figure, const vrm_avatar *avatar, const vrm_ragdoll_def *ragdoll)
{
    static const vrm_human_bone needed[] = {VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_LEFT_FOOT,
        VRM_HUMAN_BONE_RIGHT_FOOT, VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_RIGHT_HAND, VRM_HUMAN_BONE_LEFT_LOWER_LEG,
        VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_UPPER_LEG,
        VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM,
        VRM_HUMAN_BONE_RIGHT_LOWER_ARM};
    *figure = (vrmi_figure){.size = 1.0f};
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        vrm_node node = {.struct_size = sizeof node};
        const int32_t index = vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone);
        figure->parent[bone] = vrm_avatar_get_bone_parent(avatar, (vrm_human_bone)bone);
        figure->there[bone] = index >= 0 && vrm_avatar_get_node(avatar, (uint32_t)index, &node) == VRM_SUCCESS;
        if (figure->there[bone]) {
            figure->rest[bone] = node.rest_position;
        }
    }
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; ++i) {
        if (!figure->there[needed[i]]) {
            return false;
        }
    }
    figure->thigh = between(figure, VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG);
    figure->shin = between(figure, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT);
    figure->arm = between(figure, VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM) +
                  between(figure, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND);
    figure->leg = figure->thigh + figure->shin;
    if (!(figure->leg > 1e-4f) || !vrmi_finite(figure->leg) || !(figure->arm > 1e-5f)) {
        return false;
    }
    figure->size = figure->leg / 0.8f;
    measure_sole(figure, ragdoll);
    const vrm_ragdoll_body *thigh = body_of(ragdoll, VRM_HUMAN_BONE_LEFT_UPPER_LEG);
    const float front = thigh != NULL ? reach_of(&thigh->shape, vrmi_vec3(0.0f, 0.0f, 1.0f)) : 0.08f * figure->leg;
    figure->lap = vrmi_clamp(front, 0.0f, 0.25f * figure->leg);
    figure->palm = palm_of(figure, ragdoll);
    measure_hang(figure, ragdoll);
    return true;
}

// --- turns ---------------------------------------------------------------------------------------------------------

vrm_quat vrmi_turn(float degrees, float x, float y, float z)
{
    return vrmi_quat_from_axis_angle(vrmi_vec3(x, y, z), degrees * DEGREE);
}

vrm_quat vrmi_bend(vrm_vec3 bend)
{
    return vrmi_quat_mul(
        vrmi_turn(bend.y, 0, 1, 0), vrmi_quat_mul(vrmi_turn(bend.z, 0, 0, 1), vrmi_turn(bend.x, 1, 0, 0)));
}

float vrmi_ease(float x)
{
    const float t = vrmi_clamp01(x);
    return t * t * t * (10.0f + t * (6.0f * t - 15.0f));
}

float vrmi_wave(float turns)
{
    float s, c;
    vrmi_sincos(turns * (2.0f * VRMI_PI), &s, &c);
    return s;
}

void vrmi_pose_begin(const vrmi_figure *figure, vrmi_figure_pose *pose)
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        pose->turns[bone] = vrmi_quat_identity();
    }
    pose->hips = figure->rest[VRM_HUMAN_BONE_HIPS];
}

// A bone and the fraction of a bend that it takes. The fractions of missing bones are distributed to the other bones.
typedef struct share {
    vrm_human_bone bone;
    float part;
} share;

static void bend_shared(const vrmi_figure *figure, vrmi_figure_pose *pose, const share *shares, vrm_vec3 bend)
{
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i) {
        sum += figure->there[shares[i].bone] ? shares[i].part : 0.0f;
    }
    for (int i = 0; i < 3; ++i) {
        if (figure->there[shares[i].bone] && shares[i].part > 0.0f) {
            pose->turns[shares[i].bone] = vrmi_bend(vrmi_vec3_scale(bend, shares[i].part / sum));
        }
    }
}

void vrmi_pose_trunk(const vrmi_figure *figure, vrmi_figure_pose *pose, vrm_vec3 bend)
{
    static const share shares[3] = {
        {VRM_HUMAN_BONE_SPINE, 0.4f}, {VRM_HUMAN_BONE_CHEST, 0.4f}, {VRM_HUMAN_BONE_UPPER_CHEST, 0.2f}};
    bend_shared(figure, pose, shares, bend);
}

void vrmi_pose_head(const vrmi_figure *figure, vrmi_figure_pose *pose, vrm_vec3 bend)
{
    static const share shares[3] = {
        {VRM_HUMAN_BONE_NECK, 0.4f}, {VRM_HUMAN_BONE_HEAD, 0.6f}, {VRM_HUMAN_BONE_JAW, 0.0f}};
    bend_shared(figure, pose, shares, bend);
}

// --- arms ----------------------------------------------------------------------------------------------------------

// The right side mirrors the left side: rotations about X stay, rotations about Y and Z change their sign.
static vrm_quat mirrored(vrm_quat q, int side)
{
    return side == 0 ? q : (vrm_quat){q.x, -q.y, -q.z, q.w};
}

void vrmi_pose_arm(vrmi_figure_pose *pose, int side, const vrmi_arm *arm)
{
    const int upper = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_ARM : VRM_HUMAN_BONE_RIGHT_UPPER_ARM;
    const vrm_quat lowered = vrmi_quat_mul(vrmi_turn(-arm->down, 0, 0, 1), vrmi_turn(arm->twist, 1, 0, 0));
    pose->turns[upper] = mirrored(vrmi_quat_mul(vrmi_turn(-arm->forward, 1, 0, 0), lowered), side);
    pose->turns[upper + 1] = mirrored(vrmi_turn(-arm->elbow, 0, 1, 0), side);
    const int thumb = side == 0 ? VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL : VRM_HUMAN_BONE_RIGHT_THUMB_METACARPAL;
    static const float bends[3] = {28.0f, 42.0f, 26.0f};
    for (int finger = 0; finger < 4; ++finger) {
        // The little finger bends more than the index finger.
        const float more = 0.85f + 0.1f * (float)finger;
        for (int joint = 0; joint < 3; ++joint) {
            pose->turns[thumb + 3 + 3 * finger + joint] =
                mirrored(vrmi_turn(-bends[joint] * arm->curl * more, 0, 0, 1), side);
        }
    }
    static const float thumb_bends[3] = {12.0f, 24.0f, 24.0f};
    for (int joint = 0; joint < 3; ++joint) {
        pose->turns[thumb + joint] = mirrored(vrmi_turn(thumb_bends[joint] * arm->curl, 0, 1, 0), side);
    }
}

// Returns the rotation that takes `from` to `to`, and +Y to `up`, which is perpendicular to `to`.
static vrm_quat turned(vrm_vec3 from, vrm_vec3 to, vrm_vec3 up)
{
    const vrm_vec3 fallback = vrmi_vec3(0.0f, 1.0f, 0.0f);
    const vrm_quat swing = vrmi_quat_from_to(vrmi_vec3_normalize_or(from, to), to);
    const vrm_vec3 level = vrmi_quat_rotate(swing, fallback);
    const vrm_vec3 across = vrmi_vec3_sub(level, vrmi_vec3_scale(to, vrmi_vec3_dot(level, to)));
    return vrmi_quat_mul(vrmi_quat_from_to(vrmi_vec3_normalize_or(across, fallback), up), swing);
}

static vrm_vec3 mirrored_place(vrm_vec3 p, int side)
{
    return side == 0 ? p : vrmi_vec3(-p.x, p.y, p.z);
}

// The position on a thigh where a hand rests, and the shoulder of the arm. For a right arm all vectors are mirrored.
typedef struct rest_place {
    vrm_vec3 hip, along, normal; // the thigh: its joint, its direction, and its normal where the hand rests
    vrm_vec3 shoulder;
} rest_place;

// Returns the distance down the thigh that the wrist reaches with a bent elbow, at most `most` of the thigh's length.
static float reach_along(const vrmi_figure *figure, const rest_place *at, float above, float most)
{
    const vrm_vec3 way = vrmi_vec3_sub(vrmi_vec3_add(at->hip, vrmi_vec3_scale(at->normal, above)), at->shoulder);
    const float length = 0.93f * figure->arm, b = vrmi_vec3_dot(way, at->along);
    const float under = b * b - vrmi_vec3_dot(way, way) + length * length;
    return vrmi_clamp(under > 0.0f ? vrmi_sqrt(under) - b : -b, 0.2f * figure->thigh, most * figure->thigh);
}

void vrmi_pose_hand_on_thigh(const vrmi_figure *figure, vrmi_figure_pose *pose, int side, float lift)
{
    const int upper = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_ARM : VRM_HUMAN_BONE_RIGHT_UPPER_ARM;
    const int leg = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG;
    vrm_quat thigh, arm, unused;
    const vrm_vec3 hip = vrmi_pose_place(figure, pose, leg, &thigh);
    const vrm_vec3 knee = vrmi_pose_place(figure, pose, leg + 1, &unused);
    const vrm_vec3 shoulder = vrmi_pose_place(figure, pose, upper, &arm);
    thigh = mirrored(thigh, side);
    const vrm_quat trunk = mirrored(vrmi_quat_mul(arm, vrmi_quat_conjugate(pose->turns[upper])), side);
    rest_place at = {.hip = mirrored_place(hip, side), .shoulder = mirrored_place(shoulder, side)};
    at.along = vrmi_vec3_normalize_or(vrmi_vec3_sub(mirrored_place(knee, side), at.hip), vrmi_vec3(0.0f, 0.0f, 1.0f));
    // The normal points to the front of the thigh and slightly outside: with a low elbow the palm cannot face straight
    // down.
    at.normal = vrmi_quat_rotate(thigh, vrmi_quat_rotate(vrmi_turn(36.0f, 0, 1, 0), vrmi_vec3(0.0f, 0.0f, 1.0f)));
    at.normal = vrmi_vec3_normalize_or(
        vrmi_vec3_sub(at.normal, vrmi_vec3_scale(at.along, vrmi_vec3_dot(at.normal, at.along))), at.normal);
    const float above = 0.88f * figure->lap + figure->palm + 0.004f * figure->size + lift;
    const float far = reach_along(figure, &at, above, 0.5f);
    const vrm_vec3 wrist =
        vrmi_vec3_add(at.hip, vrmi_vec3_add(vrmi_vec3_scale(at.normal, above), vrmi_vec3_scale(at.along, far)));
    // The elbow is at the distance given by the bones' lengths, out to the side and back.
    const vrm_vec3 way = vrmi_vec3_sub(wrist, at.shoulder);
    const vrm_vec3 line = vrmi_vec3_normalize_or(way, vrmi_vec3(0.0f, -1.0f, 0.0f));
    const float first = between(figure, VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM);
    const float second = figure->arm - first;
    const float reach = vrmi_clamp(vrmi_vec3_length(way), vrmi_abs(first - second), 0.97f * figure->arm);
    const float middle = vrmi_clamp((first * first - second * second + reach * reach) / (2.0f * reach), -first, first);
    const float aside = vrmi_sqrt(vrmi_max(first * first - middle * middle, 0.0f));
    const vrm_vec3 pole = vrmi_quat_rotate(trunk, vrmi_vec3(0.6f, 0.0f, -0.95f));
    const vrm_vec3 out = vrmi_vec3_normalize_or(
        vrmi_vec3_sub(pole, vrmi_vec3_scale(line, vrmi_vec3_dot(pole, line))), vrmi_vec3(1.0f, 0.0f, 0.0f));
    const vrm_vec3 elbow = vrmi_vec3_add(vrmi_vec3_scale(line, middle), vrmi_vec3_scale(out, aside));
    const vrm_vec3 upwards = vrmi_vec3_normalize_or(elbow, line);
    const vrm_vec3 fore = vrmi_vec3_normalize_or(vrmi_vec3_sub(vrmi_vec3_scale(line, reach), elbow), line);
    // An elbow is a hinge: its axis is perpendicular to both bones.
    const vrm_vec3 axis = vrmi_vec3_normalize_or(vrmi_vec3_cross(fore, upwards), vrmi_vec3(0.0f, 1.0f, 0.0f));
    const vrm_vec3 *rest = figure->rest;
    const int left = VRM_HUMAN_BONE_LEFT_UPPER_ARM;
    const vrm_quat upper_world = turned(vrmi_vec3_sub(rest[left + 1], rest[left]), upwards, axis);
    const vrm_quat lower_world = turned(vrmi_vec3_sub(rest[left + 2], rest[left + 1]), fore, axis);
    // The wrist bends back until the hand is flat on the thigh.
    const float down = -vrmi_vec3_dot(fore, at.normal), flat = vrmi_max(vrmi_vec3_dot(axis, at.normal), 0.2f);
    const float bend = vrmi_clamp(vrmi_atan2(down, flat) / DEGREE, -50.0f, 60.0f);
    pose->turns[upper] = mirrored(vrmi_quat_mul(vrmi_quat_conjugate(trunk), upper_world), side);
    pose->turns[upper + 1] = mirrored(vrmi_quat_mul(vrmi_quat_conjugate(upper_world), lower_world), side);
    pose->turns[upper + 2] = mirrored(vrmi_turn(bend, 0, 0, 1), side);
}

// --- legs ----------------------------------------------------------------------------------------------------------

vrm_vec3 vrmi_pose_place(const vrmi_figure *figure, const vrmi_figure_pose *pose, int32_t bone, vrm_quat *out_world)
{
    // The chain runs down from the hips. It is short and is collected from its lower end.
    int32_t chain[VRM_HUMAN_BONE_COUNT];
    int length = 0;
    for (int32_t at = bone; at >= 0; at = figure->parent[at]) {
        chain[length++] = at;
    }
    vrm_vec3 place = pose->hips;
    vrm_quat world = pose->turns[VRM_HUMAN_BONE_HIPS];
    for (int i = length - 2; i >= 0; --i) {
        const vrm_vec3 way = vrmi_vec3_sub(figure->rest[chain[i]], figure->rest[chain[i + 1]]);
        place = vrmi_vec3_add(place, vrmi_quat_rotate(world, way));
        world = vrmi_quat_mul(world, pose->turns[chain[i]]);
    }
    *out_world = world;
    return place;
}

vrmi_foot vrmi_foot_at_rest(const vrmi_figure *figure, int side)
{
    const int foot = side == 0 ? VRM_HUMAN_BONE_LEFT_FOOT : VRM_HUMAN_BONE_RIGHT_FOOT;
    return (vrmi_foot){.ankle = figure->rest[foot], .out = 5.0f};
}

void vrmi_pose_leg(const vrmi_figure *figure, vrmi_figure_pose *pose, int side, const vrmi_foot *foot)
{
    const int upper = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG;
    const float outwards = side == 0 ? foot->out : -foot->out;
    for (int i = 0; i < 4; ++i) {
        pose->turns[upper + i] = vrmi_quat_identity();
    }
    vrm_quat hips, unused;
    const vrm_vec3 hip = vrmi_pose_place(figure, pose, upper, &hips);
    // The knee points in the direction of the toes, starting at the hip.
    const vrm_quat ahead = vrmi_turn(outwards, 0, 1, 0);
    const vrm_vec3 pole = vrmi_vec3_add(hip, vrmi_quat_rotate(ahead, vrmi_vec3(0.0f, 0.0f, 10.0f * figure->leg)));
    const vrm_two_bone_limb limb = {.root = hip,
        .middle = vrmi_pose_place(figure, pose, upper + 1, &unused),
        .end = vrmi_pose_place(figure, pose, upper + 2, &unused),
        .target = foot->ankle,
        .pole = pole,
        .weight = 1.0f};
    vrm_quat thigh, shin;
    vrm_two_bone_ik(&limb, &thigh, &shin);
    const vrm_quat thigh_world = vrmi_quat_mul(thigh, hips), shin_world = vrmi_quat_mul(shin, hips);
    pose->turns[upper] = vrmi_quat_mul(vrmi_quat_conjugate(hips), thigh_world);
    pose->turns[upper + 1] = vrmi_quat_mul(vrmi_quat_conjugate(thigh_world), shin_world);
    const vrm_quat sole = vrmi_quat_mul(ahead, vrmi_turn(-foot->pitch, 1, 0, 0));
    pose->turns[upper + 2] = vrmi_quat_mul(vrmi_quat_conjugate(shin_world), sole);
    pose->turns[upper + 3] = vrmi_turn(-foot->toes, 1, 0, 0);
}
