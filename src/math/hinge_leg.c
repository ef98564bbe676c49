// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "math/hinge_leg.h"

#include "math/align.h"
#include "math/quat.h"

// Returns the shank's rotation angle that brings the ankle to `distance` from the hip, by the law of cosines in the
// plane perpendicular to the axis. A knee bends backwards, so the angle from the thigh to the shank is negative.
static float bend_for(const vrmi_hinge_leg *leg, float distance)
{
    const vrm_vec3 up = vrmi_vec3_sub(leg->hip, leg->knee), down = vrmi_vec3_sub(leg->ankle, leg->knee);
    const vrm_vec3 thigh = vrmi_vec3_across(up, leg->axis), shank = vrmi_vec3_across(down, leg->axis);
    const float a = vrmi_vec3_length(thigh), b = vrmi_vec3_length(shank);
    const float beside = vrmi_vec3_dot(vrmi_vec3_sub(up, down), leg->axis);
    if (!(a > 1e-6f) || !(b > 1e-6f)) {
        return 0.0f;
    }
    const float square = distance * distance - beside * beside;
    const float cosine = vrmi_clamp((a * a + b * b - square) / (2.0f * a * b), -1.0f, 1.0f);
    const float turn = -vrmi_acos(cosine) - vrmi_angle_about(leg->axis, thigh, shank);
    return turn < -VRMI_PI ? turn + 2.0f * VRMI_PI : turn > VRMI_PI ? turn - 2.0f * VRMI_PI : turn;
}

void vrmi_hinge_leg_solve(const vrmi_hinge_leg *leg, vrm_quat *bend, vrm_quat *whole)
{
    *bend = *whole = vrmi_quat_identity();
    const vrm_vec3 way = vrmi_vec3_sub(leg->target, leg->hip);
    const float distance = vrmi_vec3_length(way);
    if (!(distance > 1e-6f)) {
        return;
    }
    *bend = vrmi_quat_from_axis_angle(leg->axis, bend_for(leg, distance));
    const vrm_vec3 shank = vrmi_quat_rotate(*bend, vrmi_vec3_sub(leg->ankle, leg->knee));
    const vrm_vec3 to = vrmi_vec3_scale(way, 1.0f / distance);
    const vrm_vec3 from = vrmi_vec3_normalize_or(vrmi_vec3_add(vrmi_vec3_sub(leg->knee, leg->hip), shank), to);
    const vrm_quat swing = vrmi_quat_from_to(from, to);
    // The twist about the leg keeps the knee's direction.
    const float twist =
        vrmi_angle_about(to, vrmi_vec3_across(vrmi_quat_rotate(swing, leg->axis), to), vrmi_vec3_across(leg->axis, to));
    *whole = vrmi_quat_mul(vrmi_quat_from_axis_angle(to, twist), swing);
}
