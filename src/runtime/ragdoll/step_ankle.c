// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/ragdoll/step_ankle.h"

#include "runtime/ragdoll/step_figure.h"

#define DEGREE (VRMI_PI / 180.0f)

// The bodies follow the pose with a lag, so the pose stays this far inside of the limits. The foot begins to tilt
// `soft` before that, and gradually.
static const float margin = 2.0f * DEGREE, soft = 4.0f * DEGREE;
static const float most_pitch = 80.0f * DEGREE, most_roll = 25.0f * DEGREE, most_yaw = 45.0f * DEGREE;
static const float least_lift = 0.35f; // of a foot in the air
enum { ROUNDS = 8 };

vrmi_step_footing vrmi_step_measure_foot(const vrm_instance *instance, int side)
{
    const vrm_human_bone bone = vrmi_step_legs[side][2];
    const uint32_t body = (uint32_t)vrmi_step_body_of(instance, bone);
    const vrm_ragdoll_shape *shape = &instance->ragdoll_bodies[body].shape;
    const bool box = shape->type == VRM_RAGDOLL_SHAPE_BOX;
    const float scale = instance->root.scale;
    vrmi_step_footing out = {.ankle = vrmi_step_place(instance, bone), .body = vrmi_ragdoll_animated(instance, body)};
    const vrm_quat whole = vrmi_quat_mul(out.body, shape->rotation);
    const vrm_vec3 middle = vrmi_vec3_scale(vrmi_quat_rotate(out.body, shape->center), scale);
    out.ahead = vrmi_quat_rotate(whole, box ? vrmi_vec3(0.0f, 0.0f, 1.0f) : vrmi_vec3(0.0f, 1.0f, 0.0f));
    const vrm_vec3 ahead_of_root = vrmi_step_to_root(instance, out.ahead);
    out.ahead = ahead_of_root.z < 0.0f ? vrmi_vec3_scale(out.ahead, -1.0f) : out.ahead;
    const vrm_vec3 up = vrmi_quat_rotate(out.body, vrmi_vec3(0.0f, 1.0f, 0.0f));
    out.lateral =
        vrmi_vec3_normalize_or(vrmi_vec3_cross(up, out.ahead), vrmi_step_to_world(instance, 1.0f, 0.0f, 0.0f));
    out.half_width = scale * (box ? shape->half_extents.x : shape->radius);
    const float below = scale * (box ? shape->half_extents.y : shape->radius);
    const float long_by = scale * (box ? shape->half_extents.z : shape->half_length + shape->radius);
    const vrm_vec3 down = vrmi_vec3_cross(out.lateral, out.ahead); // up is ahead x lateral
    out.sole = vrmi_vec3_add(middle, vrmi_vec3_scale(down, below));
    out.heel = vrmi_vec3_add(out.sole, vrmi_vec3_scale(out.ahead, -long_by));
    out.ball = vrmi_vec3_add(out.sole, vrmi_vec3_scale(out.ahead, long_by));
    const int32_t toes = vrmi_step_node(instance, side == 0 ? VRM_HUMAN_BONE_LEFT_TOES : VRM_HUMAN_BONE_RIGHT_TOES);
    if (toes >= 0) {
        out.ball = vrmi_vec3_sub(vrmi_mat34_translation(&instance->world[toes]), out.ankle);
    }
    return out;
}

static vrm_vec3 turned_about(vrm_quat turn, vrm_vec3 pivot, vrm_vec3 point)
{
    return vrmi_vec3_add(pivot, vrmi_quat_rotate(turn, vrmi_vec3_sub(point, pivot)));
}

// Returns the height of a tilted foot's lowest line above the ground, if the tilt raises the ankle by `raised`. A foot
// whose heel is up needs no full lift: the knee would have to bend for both.
static float clearance(float lift, float raised)
{
    if (!(lift > 0.0f)) {
        return 0.0f;
    }
    const float less = 1.0f - least_lift;
    return lift * (least_lift + less * vrmi_exp(-vrmi_max(raised, 0.0f) / (less * lift)));
}

void vrmi_step_tilt_foot(
    const vrmi_step_footing *footing, const vrmi_step_tilt *tilt, vrm_vec3 *ankle, vrm_quat *rotation)
{
    // First the roll about an edge, then the pitch about the ball or the heel, which have rolled along. Each pivot line
    // is an axis of its rotation, so the ankle's position is continuous where the foot changes from line to line.
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    const vrm_quat roll = vrmi_quat_from_axis_angle(footing->ahead, tilt->roll);
    const float aside = tilt->roll > 0.0f ? -footing->half_width : footing->half_width;
    const vrm_vec3 edge = vrmi_vec3_add(footing->sole, vrmi_vec3_scale(footing->lateral, aside));
    const vrm_vec3 line = turned_about(roll, edge, tilt->pitch > 0.0f ? footing->ball : footing->heel);
    const vrm_quat pitch = vrmi_quat_from_axis_angle(footing->lateral, tilt->pitch);
    const vrm_vec3 way = turned_about(pitch, line, turned_about(roll, edge, none));
    *ankle = vrmi_vec3_add(footing->ankle, way);
    ankle->y += clearance(footing->lift, way.y);
    const vrm_quat yaw = vrmi_quat_from_axis_angle(vrmi_vec3_cross(footing->ahead, footing->lateral), tilt->yaw);
    *rotation = vrmi_quat_mul(vrmi_quat_mul(pitch, roll), yaw);
}

// Returns the rotation by which the shank follows the tilted foot.
static vrm_quat shank_turn(const vrmi_hinge_leg *leg, vrm_vec3 ankle)
{
    vrmi_hinge_leg reaching = *leg;
    reaching.target = ankle;
    vrm_quat bend, whole;
    vrmi_hinge_leg_solve(&reaching, &bend, &whole);
    return vrmi_quat_mul(whole, bend);
}

// Returns a part of the joint's smallest range, for joints that are too tight for the margin.
static float least_range(const vrm_ragdoll_joint *joint)
{
    const float swing = joint->type == VRM_RAGDOLL_JOINT_CONE ? vrmi_min(joint->swing_y, joint->swing_z) : VRMI_PI;
    return 0.4f * vrmi_min(swing, 0.5f * (joint->max_angle - joint->min_angle));
}

// Adds to the tilt what brings the ankle back into its limits, shrunk by margin and soft. Returns false if nothing was
// missing.
static bool tilt_more(const vrm_ragdoll_joint *joint, vrm_quat shank, const vrmi_step_footing *footing,
    vrm_quat rotation, float relax, vrmi_step_tilt *tilt)
{
    const vrm_quat rotations[2] = {shank, vrmi_quat_mul(rotation, footing->body)};
    vrm_ragdoll_joint_row rows[VRM_RAGDOLL_JOINT_ROWS];
    const uint32_t count = vrm_ragdoll_get_joint_rows(joint, rotations, NULL, rows);
    const vrm_vec3 ahead = vrmi_quat_rotate(rotation, footing->ahead);
    const vrm_vec3 up = vrmi_quat_rotate(rotation, vrmi_vec3_cross(footing->ahead, footing->lateral));
    const float inside = vrmi_min(margin + soft, least_range(joint));
    bool missing = false;
    for (uint32_t i = 0; i < count; ++i) {
        const float gap = vrmi_max(rows[i].gap - inside, -1.0f);
        if (gap < 0.0f && !rows[i].both) {
            const float a = vrmi_vec3_dot(rows[i].axis, footing->lateral), b = vrmi_vec3_dot(rows[i].axis, ahead);
            const float c = footing->free * vrmi_vec3_dot(rows[i].axis, up);
            const float part = relax * gap / vrmi_max(a * a + b * b + c * c, 0.25f);
            tilt->yaw += part * c;
            tilt->pitch += part * a;
            tilt->roll += part * b;
            missing = true;
        }
    }
    tilt->pitch = vrmi_clamp(tilt->pitch, -most_pitch, most_pitch);
    tilt->roll = vrmi_clamp(tilt->roll, -most_roll, most_roll);
    tilt->yaw = vrmi_clamp(tilt->yaw, -most_yaw, most_yaw);
    return missing;
}

vrmi_step_tilt vrmi_step_limit_ankle(const vrm_instance *instance, int side, const vrmi_step_footing *footing,
    const vrmi_step_tilt *tilt, const vrmi_hinge_leg *leg, float weight)
{
    const vrm_ragdoll_body *foot = &instance->ragdoll_bodies[vrmi_step_body_of(instance, vrmi_step_legs[side][2])];
    const vrm_quat shank = vrmi_ragdoll_animated(instance, (uint32_t)foot->parent);
    vrmi_step_tilt wanted = *tilt;
    for (int round = 0; round < ROUNDS; ++round) {
        vrm_vec3 ankle;
        vrm_quat rotation;
        vrmi_step_tilt_foot(footing, &wanted, &ankle, &rotation);
        const vrm_quat now = vrmi_quat_mul(shank_turn(leg, ankle), shank);
        if (!tilt_more(&foot->joint, now, footing, rotation, round < 3 ? 1.0f : 0.6f, &wanted)) {
            break;
        }
    }
    const float pitch = wanted.pitch - tilt->pitch, roll = wanted.roll - tilt->roll, yaw = wanted.yaw - tilt->yaw;
    const float more = vrmi_sqrt(pitch * pitch + roll * roll + yaw * yaw);
    // From 0 a parabola, from 2 * soft on the straight line more - soft.
    const float shown = weight * (more < 2.0f * soft ? more / (4.0f * soft) : 1.0f - soft / more);
    return (vrmi_step_tilt){tilt->pitch + pitch * shown, tilt->roll + roll * shown, tilt->yaw + yaw * shown};
}
