// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes poses of arms and legs that reach a position. Knees and elbows bend toward a pole. At first their axes are
// those of the lying pose. The joints swing out of the ground, and a thigh turns as far as its hip allows.

#include "ragdoll/get_up_reach.h"

#include "math/align.h"

static const float soft_reach = 0.05f;
static const float changing = 0.6f; // angle over which a middle joint changes from the inner to the outer side, radians
static const vrm_vec3 axis_x = {1.0f, 0.0f, 0.0f}, axis_y = {0.0f, 1.0f, 0.0f};

const vrmi_get_up_limb vrmi_get_up_legs[2] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT, {1.0f, 0.0f, 0.0f}},
    {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT, {1.0f, 0.0f, 0.0f}},
};
const vrmi_get_up_limb vrmi_get_up_arms[2] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND, {0.0f, -1.0f, 0.0f}},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_HAND, {0.0f, 1.0f, 0.0f}},
};

static vrm_vec3 turned_about(vrm_vec3 axis, vrm_vec3 v, float angle)
{
    return vrmi_quat_rotate(vrmi_quat_from_axis_angle(axis, angle), v);
}

static vrm_vec3 pole_side(const vrmi_get_up_goal *g, vrm_vec3 way)
{
    // A folding leg rotates past its own pole. Without a second, upward pole its knee would jump to the other side at
    // that moment.
    const vrm_vec3 pole = vrmi_vec3_normalize_or(g->pole, axis_y);
    const float near = vrmi_max(vrmi_vec3_dot(pole, way), 0.0f), up = g->up * near * near * near * near;
    const vrm_vec3 side =
        vrmi_vec3_add(vrmi_vec3_across(pole, way), vrmi_vec3_scale(vrmi_vec3_across(axis_y, way), up));
    return vrmi_vec3_normalize_or(side, vrmi_vec3_normalize_or(vrmi_vec3_across(axis_y, way), axis_x));
}

// Returns the angle that lifts a middle joint out of the ground. The joint swings away from the body. The swing begins
// early, so that the joint does not jump past its lowest point. A joint that is far on the inner side swings to the
// inner side instead.
static float swing_out(const vrmi_get_up_goal *g, vrm_vec3 way, vrm_vec3 side, vrm_vec3 root, const float lengths[2])
{
    const float distance = vrmi_vec3_length(vrmi_vec3_sub(g->target, root));
    const float a = lengths[0], b = lengths[1], c = vrmi_clamp(distance, vrmi_abs(a - b) + 1e-4f, 0.999f * (a + b));
    const float along = (a * a + c * c - b * b) / (2.0f * c);
    const float out = vrmi_sqrt(vrmi_max(a * a - along * along, 0.0f));
    const vrm_vec3 down = vrmi_vec3_scale(vrmi_vec3_across(axis_y, way), -1.0f);
    const float steep = vrmi_vec3_length(down);
    if (out < 1e-4f || steep < 1e-3f) {
        return 0.0f;
    }
    const float sign = vrmi_vec3_dot(vrmi_vec3_cross(way, down), g->out) < 0.0f ? -1.0f : 1.0f;
    const float angle = sign * vrmi_angle_about(way, down, side); // from straight down, positive outwards
    const float lowest = root.y + way.y * along - g->clear; // height of the circle's center above the needed height
    const float least = vrmi_acos(vrmi_clamp(lowest / (out * steep), -1.0f, 1.0f));
    if (angle >= 0.0f) {
        return sign * vrmi_max(least - angle, 0.0f);
    }
    const float begun = vrmi_clamp01(-2.0f * least / vrmi_min(angle, -1e-4f) - 1.0f);
    const float outwards = begun * (least - angle), inwards = -vrmi_max(least + angle, 0.0f);
    const float t = vrmi_clamp01((angle + g->inwards) / changing + 1.0f);
    return sign * vrmi_lerp(inwards, outwards, t * t * (3.0f - 2.0f * t));
}

// Returns the rotation of an upper bone about its own axis, relative to its parent, when its middle joint points to a
// side.
static float twist_of(
    const vrm_get_up_body *body, const vrmi_get_up_limb *l, vrm_quat held, vrm_vec3 way, vrm_vec3 side, float bend)
{
    const vrm_vec3 upper = vrmi_vec3_sub(body->rest[l->lower], body->rest[l->upper]);
    const vrm_vec3 down = vrmi_vec3_normalize_or(upper, axis_y);
    float sine, cosine;
    vrmi_sincos(bend, &sine, &cosine);
    const vrm_vec3 along = vrmi_vec3_add(vrmi_vec3_scale(way, cosine), vrmi_vec3_scale(side, sine));
    const vrm_quat turn = vrmi_align(down, l->hinge, along, vrmi_vec3_cross(side, way));
    const vrm_quat local = vrmi_quat_mul(vrmi_quat_conjugate(held), turn);
    const float about = local.x * down.x + local.y * down.y + local.z * down.z;
    return 2.0f * vrmi_atan2(local.w < 0.0f ? -about : about, vrmi_abs(local.w));
}

// Returns the side nearest to `side` with which the upper bone does not rotate about its own axis by more than the goal
// allows.
static vrm_vec3 within_twist(const vrm_get_up_body *body, const vrmi_get_up_limb *l, const vrmi_get_up_goal *g,
    vrm_quat held, vrm_vec3 way, vrm_vec3 side, vrm_vec3 root, const float lengths[2])
{
    const float step = 0.05f, most = 0.5f;
    const float a = lengths[0], b = lengths[1], distance = vrmi_vec3_length(vrmi_vec3_sub(g->target, root));
    const float c = vrmi_clamp(distance, vrmi_abs(a - b) + 1e-4f, 0.999f * (a + b));
    const float bend = vrmi_acos(vrmi_clamp((a * a + c * c - b * b) / (2.0f * a * c), -1.0f, 1.0f));
    for (int i = 0; i < 6; ++i) {
        const float twist = twist_of(body, l, held, way, side, bend);
        const float over = twist - vrmi_clamp(twist, -g->twist, g->twist);
        if (vrmi_abs(over) < 0.01f) {
            break;
        }
        const float next = twist_of(body, l, held, way, turned_about(way, side, step), bend);
        const float slope = (next - twist) / step;
        const float turned = -over * slope / (slope * slope + 0.02f);
        side = turned_about(way, side, vrmi_clamp(turned, -most, most));
    }
    return side;
}

// Returns the direction of the middle joint, perpendicular to the line from root to target. At first this is the
// direction in the lying pose.
static vrm_vec3 side_of(const vrmi_get_up_goal *g, vrm_vec3 way, vrm_vec3 lay, vrm_vec3 root, const float lengths[2])
{
    vrm_vec3 side = pole_side(g, way);
    const vrm_vec3 before = vrmi_vec3_across(vrmi_vec3_cross(way, lay), way);
    if (g->start_part > 0.0f && vrmi_vec3_length(before) > 0.1f) {
        side = turned_about(way, side, vrmi_angle_about(way, side, before) * g->start_part);
    }
    return turned_about(way, side, swing_out(g, way, side, root, lengths) * (1.0f - g->start_part));
}

vrm_vec3 vrmi_get_up_reach(
    const vrm_get_up_body *body, const vrmi_get_up_limb *l, const vrmi_get_up_goal *g, vrmi_get_up_pose *pose)
{
    const vrm_quat held = pose->turn[body->parent[l->upper]];
    const vrm_vec3 upper = vrmi_vec3_sub(body->rest[l->lower], body->rest[l->upper]);
    const vrm_vec3 lower = vrmi_vec3_sub(body->rest[l->end], body->rest[l->lower]);
    const vrm_vec3 root = pose->place[l->upper];
    const float lengths[2] = {vrmi_vec3_length(upper), vrmi_vec3_length(lower)};
    const vrm_vec3 way = vrmi_vec3_normalize_or(vrmi_vec3_sub(g->target, root), vrmi_quat_rotate(held, upper));
    const vrm_vec3 found = g->side != NULL ? vrmi_vec3_across(*g->side, way)
                                           : side_of(g, way, vrmi_quat_rotate(held, g->start), root, lengths);
    vrm_vec3 side = vrmi_vec3_normalize_or(found, pole_side(g, way));
    if (g->side == NULL && g->twist > 0.0f) {
        const vrm_vec3 kept = within_twist(body, l, g, held, way, side, root, lengths);
        side = turned_about(way, side, vrmi_angle_about(way, side, kept) * (1.0f - g->start_part));
    }
    const vrm_vec3 middle = vrmi_vec3_add(root, vrmi_quat_rotate(held, upper));
    const vrm_vec3 end = vrmi_vec3_add(middle, vrmi_quat_rotate(held, lower));
    const vrm_two_bone_limb two = {root, middle, end, g->target, vrmi_vec3_add(root, side), soft_reach, 1.0f};
    vrm_quat turn_upper, turn_lower;
    vrm_two_bone_ik(&two, &turn_upper, &turn_lower);
    const vrm_vec3 hinge = vrmi_vec3_cross(side, way);
    const vrm_vec3 down_upper = vrmi_vec3_normalize_or(upper, axis_y),
                   down_lower = vrmi_vec3_normalize_or(lower, axis_y);
    pose->turn[l->upper] =
        vrmi_align(down_upper, l->hinge, vrmi_quat_rotate(vrmi_quat_mul(turn_upper, held), down_upper), hinge);
    pose->turn[l->lower] =
        vrmi_align(down_lower, l->hinge, vrmi_quat_rotate(vrmi_quat_mul(turn_lower, held), down_lower), hinge);
    pose->place[l->lower] = vrmi_vec3_add(root, vrmi_quat_rotate(pose->turn[l->upper], upper));
    pose->place[l->end] = vrmi_vec3_add(pose->place[l->lower], vrmi_quat_rotate(pose->turn[l->lower], lower));
    return side;
}

void vrmi_get_up_find_hinges(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, vrmi_get_up_plan *plan)
{
    for (int side = 0; side < 2; ++side) {
        const vrmi_get_up_limb *both[2] = {&vrmi_get_up_legs[side], &vrmi_get_up_arms[side]};
        for (int i = 0; i < 2; ++i) {
            const vrm_quat held = pose->turn[body->parent[both[i]->upper]];
            const vrm_quat turn = vrmi_quat_mul(vrmi_quat_conjugate(held), pose->turn[both[i]->upper]);
            plan->hinge[i][side] = vrmi_quat_rotate(turn, both[i]->hinge);
        }
    }
}
