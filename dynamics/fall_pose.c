// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Poses of a fall, modelled on how people land (Hsiao and Robinovitch 1998). A forward fall ends on hands and knees
// with bent elbows. A backward fall ends in a sitting position with the chin on the chest and the hands beside the
// buttocks. A sideways fall ends on the near hand with the trunk rotated to the ground. A fall between two directions
// mixes their poses.
//
// Hand positions are relative to the shoulder, in lengths of the arm, for the moment when the trunk lands. So the arms
// reach in the right direction from the beginning.

#include "fall.h"

#include "math/align.h"

#define DEGREE (VRMI_PI / 180.0f)

static const vrm_vec3 axis_x = {1.0f, 0.0f, 0.0f}, axis_y = {0.0f, 1.0f, 0.0f}, axis_z = {0.0f, 0.0f, 1.0f};

// The fraction of each direction in a fall. The sum is 1.
typedef struct shares {
    float ahead, back, left, right;
} shares;

static shares shares_of(const vrm_fall *fall)
{
    const float a = fall->ahead * fall->ahead, s = fall->left * fall->left, sum = vrmi_max(a + s, 1e-6f);
    return (shares){.ahead = fall->ahead > 0.0f ? a / sum : 0.0f,
        .back = fall->ahead > 0.0f ? 0.0f : 1.0f - s / sum,
        .left = fall->left > 0.0f ? s / sum : 0.0f,
        .right = fall->left > 0.0f ? 0.0f : s / sum};
}

static vrm_quat about(vrm_vec3 axis, float degrees)
{
    return vrmi_quat_from_axis_angle(axis, degrees * DEGREE);
}

// --- legs and trunk --------------------------------------------------------------------------------------------------

typedef struct leg_pose {
    float hip, knee, out; // hip: thigh forward; knee: bend; out: legs apart; all in degrees
} leg_pose;

static const leg_pose legs_ahead = {25.0f, 60.0f, 6.0f}, legs_back = {80.0f, 90.0f, 10.0f},
                      legs_near = {35.0f, 60.0f, 2.0f}, legs_far = {30.0f, 40.0f, 14.0f},
                      legs_curled = {95.0f, 110.0f, 8.0f};

static void add_leg(leg_pose *sum, const leg_pose *one, float share)
{
    sum->hip += one->hip * share;
    sum->knee += one->knee * share;
    sum->out += one->out * share;
}

static void pose_leg(const vrm_fall *fall, const vrmi_fall_view *view, int side, float uneven, vrm_quat *joints)
{
    static const vrm_human_bone bones[2][3] = {
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT},
        {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT}};
    const shares s = shares_of(fall);
    leg_pose pose = {0.0f, 0.0f, 0.0f};
    const float reach = 1.0f - fall->over_head;
    add_leg(&pose, &legs_ahead, s.ahead * reach);
    add_leg(&pose, &legs_back, s.back * reach);
    add_leg(&pose, &legs_near, (side == 0 ? s.left : s.right) * reach);
    add_leg(&pose, &legs_far, (side == 0 ? s.right : s.left) * reach);
    add_leg(&pose, &legs_curled, fall->over_head);
    const float sign = side == 0 ? 1.0f : -1.0f,
                part = fall->phase == VRM_FALL_PHASE_TOTTER ? 0.4f : 1.0f + sign * uneven;
    const int32_t upper = view->body[bones[side][0]], lower = view->body[bones[side][1]],
                  foot = view->body[bones[side][2]];
    if (upper >= 0) {
        joints[upper] = vrmi_quat_mul(about(axis_x, -pose.hip * part), about(axis_z, sign * pose.out * part));
    }
    if (lower >= 0) {
        joints[lower] = about(axis_x, pose.knee * part);
    }
    if (foot >= 0) { // the sole is level while the foot stands
        joints[foot] = about(axis_x, vrmi_clamp((pose.hip - pose.knee) * part, -20.0f, 30.0f));
    }
}

// The trunk's bend is divided equally among its bodies; neck and head bend separately.
static void pose_trunk(const vrm_fall *fall, const vrmi_fall_view *view, float hand_side, vrm_quat *joints)
{
    static const vrm_human_bone bones[] = {VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_UPPER_CHEST};
    const shares s = shares_of(fall);
    const float side = s.left - s.right, reach = 1.0f - fall->over_head;
    // While the figure totters, the trunk bends in the direction of the fall, which pushes the feet in the other
    // direction.
    const float into = fall->phase == VRM_FALL_PHASE_TOTTER ? 1.0f : 0.0f;
    const float pitch =
        reach * (30.0f * s.back + 4.0f * s.ahead) + 35.0f * fall->over_head + into * 12.0f * (s.ahead - 2.0f * s.back);
    const float roll = (1.0f - 2.0f * into) * 15.0f * side * reach, yaw = -25.0f * side * reach * (1.0f - into);
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof(bones) / sizeof(bones[0]); ++i) {
        count += view->body[bones[i]] >= 0 ? 1 : 0;
    }
    for (size_t i = 0; i < sizeof(bones) / sizeof(bones[0]); ++i) {
        if (view->body[bones[i]] >= 0) {
            const float part = 1.0f / (float)count;
            joints[view->body[bones[i]]] = vrmi_quat_mul(
                about(axis_y, yaw * part), vrmi_quat_mul(about(axis_x, pitch * part), about(axis_z, roll * part)));
        }
    }
    const float nod = reach * (35.0f * s.back - 20.0f * s.ahead) + 30.0f * fall->over_head;
    const float aside = reach * 25.0f * side, turned = reach * 20.0f * s.ahead * hand_side;
    const vrm_quat whole =
        vrmi_quat_mul(about(axis_y, turned), vrmi_quat_mul(about(axis_x, nod), about(axis_z, aside)));
    const int32_t neck = view->body[VRM_HUMAN_BONE_NECK], head = view->body[VRM_HUMAN_BONE_HEAD];
    const vrm_quat half = vrmi_quat_slerp(vrmi_quat_identity(), whole, 0.5f);
    if (neck >= 0) {
        joints[neck] = half;
    }
    if (head >= 0) {
        joints[head] = neck >= 0 ? half : whole;
    }
}

// --- arms ------------------------------------------------------------------------------------------------------------

static vrm_vec3 sum3(vrm_vec3 a, float x, vrm_vec3 b, float y, vrm_vec3 c, float z)
{
    return vrmi_vec3_add(vrmi_vec3_add(vrmi_vec3_scale(a, x), vrmi_vec3_scale(b, y)), vrmi_vec3_scale(c, z));
}

// Returns the position to which a hand reaches: relative to its shoulder, in lengths of the arm and in the trunk's
// axes.
static vrm_vec3 hand_goal(const vrm_fall *fall, const vrmi_fall_view *view, int side, float uneven, vrm_vec3 *out_pole)
{
    const shares s = shares_of(fall);
    const float sign = side == 0 ? 1.0f : -1.0f;
    const vrm_quat back = vrmi_quat_conjugate(view->predicted);
    const vrm_vec3 down = vrmi_quat_rotate(back, vrmi_vec3(0.0f, -1.0f, 0.0f));
    const vrm_vec3 way = vrmi_quat_rotate(back, fall->direction);
    const vrm_vec3 out = vrmi_vec3(sign, 0.0f, 0.0f);
    if (fall->phase == VRM_FALL_PHASE_TOTTER) { // the arms windmill: up and out, away from the fall
        *out_pole = vrmi_vec3(sign, -0.3f, -0.6f);
        return sum3(out, 0.6f, axis_y, 0.05f + 0.2f * (side == 0 ? s.right : s.left), axis_z,
            -0.35f * s.ahead + 0.45f * s.back);
    }
    const float near = side == 0 ? s.left : s.right, far = side == 0 ? s.right : s.left;
    const float reach = 1.0f - fall->over_head;
    const vrm_vec3 ahead = sum3(way, 0.35f + uneven, down, 0.72f, out, 0.2f + uneven);
    const vrm_vec3 behind = sum3(way, 0.3f + uneven, down, 0.66f, out, 0.3f);
    const vrm_vec3 beside = sum3(way, 0.45f, down, 0.66f, axis_z, 0.12f + uneven);
    const vrm_vec3 across = sum3(way, 0.2f, down, 0.35f, axis_z, 0.45f + uneven);
    const vrm_vec3 above = sum3(out, 0.12f, axis_y, 0.3f, axis_z, 0.22f);
    vrm_vec3 goal = sum3(ahead, s.ahead * reach, behind, s.back * reach, above, fall->over_head);
    goal = sum3(goal, 1.0f, beside, near * reach, across, far * reach);
    const vrm_vec3 low = vrmi_vec3(0.9f * sign, -0.6f, -0.35f), high = vrmi_vec3(sign, 0.2f, 0.7f);
    *out_pole = vrmi_vec3_lerp(low, high, fall->over_head);
    return goal;
}

// Returns the rotation with which the hand lands flat, with the fingers in the direction of the arm.
static vrm_quat flat_hand(const vrmi_fall_view *view, int side, vrm_quat forearm)
{
    const float out = side == 0 ? 1.0f : -1.0f;
    const vrm_quat world = vrmi_quat_mul(view->predicted, forearm);
    const vrm_vec3 along = vrmi_quat_rotate(world, vrmi_vec3(out, 0.0f, 0.0f));
    const vrm_vec3 ahead = vrmi_quat_rotate(view->predicted, axis_y); // the direction of the lying body's head
    const float x = along.x + 0.4f * ahead.x, z = along.z + 0.4f * ahead.z;
    const vrm_quat flat = vrmi_quat_from_axis_angle(axis_y, vrmi_atan2(-z * out, x * out));
    const vrm_vec3 turn = vrmi_quat_to_vector(vrmi_quat_mul(vrmi_quat_conjugate(world), flat));
    const float angle = vrmi_vec3_length(turn), most = 65.0f * DEGREE;
    // Beyond a right angle the rotation decreases again. Otherwise it would flip to the other side at half a turn.
    const float bent = vrmi_min(angle < 0.5f * VRMI_PI ? angle : VRMI_PI - angle, most);
    return vrmi_quat_from_vector(vrmi_vec3_scale(turn, angle > 1e-4f ? bent / angle : 1.0f));
}

static void pose_arm(const vrm_fall *fall, const vrmi_fall_view *view, int side, float uneven, vrm_quat *joints)
{
    static const vrm_human_bone bones[2][4] = {{VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM,
                                                   VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_LEFT_SHOULDER},
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_HAND,
            VRM_HUMAN_BONE_RIGHT_SHOULDER}};
    const int32_t upper = view->body[bones[side][0]], lower = view->body[bones[side][1]],
                  hand = view->body[bones[side][2]];
    if (upper < 0) {
        return;
    }
    const float sign = side == 0 ? 1.0f : -1.0f;
    vrm_vec3 pole;
    const vrm_vec3 goal = hand_goal(fall, view, side, sign * uneven, &pole);
    const vrm_vec3 straight = vrmi_vec3(sign, 0.0f, 0.0f), hinge = vrmi_vec3(0.0f, -sign, 0.0f);
    const vrm_vec3 first = lower >= 0 ? view->def->bodies[lower].joint.anchor : straight;
    const vrm_vec3 second = hand >= 0 ? view->def->bodies[hand].joint.anchor : first;
    const float a = vrmi_max(vrmi_vec3_length(first), 1e-4f), b = vrmi_max(vrmi_vec3_length(second), 1e-4f);
    const vrm_vec3 way = vrmi_vec3_normalize_or(goal, straight);
    const float c = vrmi_clamp(vrmi_vec3_length(goal) * (a + b), vrmi_abs(a - b) + 0.15f * (a + b), 0.97f * (a + b));
    const vrm_vec3 pole_side = vrmi_vec3_sub(pole, vrmi_vec3_scale(way, vrmi_vec3_dot(pole, way)));
    const vrm_vec3 elbow = vrmi_vec3_normalize_or(pole_side, axis_z);
    const float cosine = lower >= 0 ? vrmi_clamp((a * a + c * c - b * b) / (2.0f * a * c), -1.0f, 1.0f) : 1.0f;
    const vrm_vec3 up =
        vrmi_vec3_add(vrmi_vec3_scale(way, a * cosine), vrmi_vec3_scale(elbow, a * vrmi_sqrt(1.0f - cosine * cosine)));
    const vrm_vec3 turns_about = vrmi_vec3_cross(elbow, way);
    const vrm_quat held = vrmi_quat_identity(); // shoulders without a body move with the trunk
    const vrm_quat arm =
        vrmi_align(vrmi_vec3_normalize_or(first, straight), hinge, vrmi_vec3_normalize_or(up, way), turns_about);
    joints[upper] = vrmi_quat_mul(vrmi_quat_conjugate(held), arm);
    if (lower < 0) {
        return;
    }
    const vrm_vec3 rest = vrmi_vec3_sub(vrmi_vec3_scale(way, c), up);
    const vrm_quat forearm =
        vrmi_align(vrmi_vec3_normalize_or(second, straight), hinge, vrmi_vec3_normalize_or(rest, way), turns_about);
    joints[lower] = vrmi_quat_mul(vrmi_quat_conjugate(arm), forearm);
    if (hand >= 0) {
        joints[hand] = fall->phase == VRM_FALL_PHASE_TOTTER ? vrmi_quat_identity() : flat_hand(view, side, forearm);
    }
}

void vrmi_fall_pose(const vrm_fall *fall, const vrmi_fall_view *view, uint32_t seed, vrm_quat *out_joints)
{
    for (uint32_t i = 0; i < view->def->body_count; ++i) {
        out_joints[i] = vrmi_quat_identity();
    }
    // The two sides of a person never fall in exactly the same way. Each odd seed gives the mirror image of the fall
    // with the even seed before it.
    uint32_t hash = (seed >> 1) * 2654435761u + 97u;
    hash ^= hash >> 15;
    const float mirrored = (seed & 1u) == 0 ? 1.0f : -1.0f;
    const float uneven = mirrored * (0.03f + 0.03f * (float)(hash & 255u) / 255.0f);
    for (int side = 0; side < 2; ++side) {
        pose_leg(fall, view, side, 3.0f * uneven, out_joints);
        pose_arm(fall, view, side, uneven, out_joints);
    }
    pose_trunk(fall, view, mirrored, out_joints);
}
