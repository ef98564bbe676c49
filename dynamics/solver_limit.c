// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Joint limits as rows: an axis in the world about which the joint has to turn back, and how fast at least.

#include "solver.h"

// Of the error that is left, how much a step takes back, and how fast at most, rad/s.
static const float RETURN = 0.2f, RETURN_SPEED = 2.0f;
// Limits farther away than this, radians, and than three times what the joint turns in a step are not looked at.
static const float REACH = 0.2f;

// One row; `slack` is the angle that is left, about `axis` (parent's frame), which need not be unit: the slack grows
// with axis . (angular velocity). False when it is out of reach in this step.
static bool limit_row(const vrm_ragdoll_solver *solver, vrm_quat parent, vrm_vec3 axis, float slack, float *row)
{
    const float length = vrmi_vec3_length(axis);
    if (!(length > 1e-6f)) {
        return false;
    }
    const vrm_vec3 a = vrmi_quat_rotate(parent, vrmi_vec3_scale(axis, 1.0f / length));
    const float rate =
        slack > 0.0f ? -slack / solver->params.step : vrmi_min(-slack * RETURN / solver->params.step, RETURN_SPEED);
    row[VRMI_ART_LIMIT_AXIS] = a.x;
    row[VRMI_ART_LIMIT_AXIS + 1] = a.y;
    row[VRMI_ART_LIMIT_AXIS + 2] = a.z;
    row[VRMI_ART_LIMIT_TARGET] = rate / length;
    row[VRMI_ART_LIMIT_ON] = 1.0f;
    return true;
}

// The joint's rotation as swing * twist, about X the twist.
typedef struct swing_twist {
    float reach;        // of this step
    float twist, swing; // radians; the swing from 0 to pi
    vrm_vec3 axis;      // of the swing, across X
    float sine, cosine; // of half the swing
} swing_twist;

static swing_twist split(vrm_quat q, float reach)
{
    if (q.w < 0.0f) {
        q = (vrm_quat){-q.x, -q.y, -q.z, -q.w};
    }
    const float n = vrmi_sqrt(q.x * q.x + q.w * q.w);
    const float x = n > 1e-6f ? q.x / n : 0.0f, w = n > 1e-6f ? q.w / n : 1.0f;
    const float y = q.y * w - q.z * x, z = q.y * x + q.z * w;
    const float m = vrmi_sqrt(y * y + z * z);
    swing_twist s = {reach, 2.0f * vrmi_atan2_fast(x, w), 2.0f * vrmi_atan2_fast(m, n), {0.0f, 1.0f, 0.0f}, m, n};
    if (m > 1e-6f) {
        s.axis = vrmi_vec3(0.0f, y / m, z / m);
    }
    return s;
}

// How angles follow from the angular velocity v (joint's axes of the parent), with u the swing's axis, t = x cross u
// and s the swing's angle: s' = u . v; the axis turns about X by x . v + cot(s) t . v; the twist by x . v - tan(s / 2)
// t . v.
static bool cone_row(
    const vrm_ragdoll_solver *solver, const vrm_ragdoll_joint *joint, vrm_quat parent, const swing_twist *s, float *row)
{
    const float y = (s->swing * s->axis.y - joint->center_y) / joint->swing_y;
    const float z = (s->swing * s->axis.z - joint->center_z) / joint->swing_z;
    const float level = vrmi_sqrt(y * y + z * z);
    if (!(level > 0.1f)) {
        return false;
    }
    const float gy = y / (joint->swing_y * level), gz = z / (joint->swing_z * level);
    const float steep = vrmi_sqrt(gy * gy + gz * gz);
    const float slack = (1.0f - level) / steep;
    if (slack > s->reach) {
        return false;
    }
    const vrm_vec3 u = s->axis, t = {0.0f, -u.z, u.y};
    const float along = (gy * u.y + gz * u.z) / steep, across = (gy * t.y + gz * t.z) / steep;
    // s cot(s), which is 1 for small angles; near pi it has no bound.
    const float sine = 2.0f * s->sine * s->cosine, cosine = s->cosine * s->cosine - s->sine * s->sine;
    const float turn = sine > 1e-3f ? vrmi_max(s->swing * cosine / sine, -10.0f) : (cosine > 0.0f ? 1.0f : -10.0f);
    const vrm_vec3 axis =
        vrmi_vec3_scale(vrmi_vec3_add(vrmi_vec3_scale(u, along),
                            vrmi_vec3_add(vrmi_vec3(across * s->swing, 0.0f, 0.0f), vrmi_vec3_scale(t, across * turn))),
            -1.0f);
    return limit_row(solver, parent, vrmi_quat_rotate(joint->frame, axis), slack, row);
}

static bool twist_row(
    const vrm_ragdoll_solver *solver, const vrm_ragdoll_joint *joint, vrm_quat parent, const swing_twist *s, float *row)
{
    const float below = s->twist - joint->min_angle, above = joint->max_angle - s->twist;
    if (vrmi_min(below, above) > s->reach) {
        return false;
    }
    const float half_tangent = vrmi_min(s->sine / vrmi_max(s->cosine, 1e-3f), 4.0f);
    vrm_vec3 axis = {1.0f, half_tangent * s->axis.z, -half_tangent * s->axis.y};
    if (above < below) {
        axis = vrmi_vec3_scale(axis, -1.0f);
    }
    return limit_row(solver, parent, vrmi_quat_rotate(joint->frame, axis), vrmi_min(above, below), row);
}

static bool hinge_row(
    const vrm_ragdoll_solver *solver, const vrm_ragdoll_joint *joint, vrm_quat q, float reach, float *row)
{
    const float sign = q.w < 0.0f ? -1.0f : 1.0f;
    const float angle = 2.0f * vrmi_atan2_fast(sign * q.x, sign * q.w);
    const float below = angle - joint->min_angle, above = joint->max_angle - angle;
    if (vrmi_min(below, above) > reach) {
        return false;
    }
    const bool up = above < below;
    // A hinge's row needs the sign alone.
    return limit_row(
        solver, vrmi_quat_identity(), vrmi_vec3(up ? -1.0f : 1.0f, 0.0f, 0.0f), vrmi_min(above, below), row);
}

uint32_t vrmi_solver_limits(
    const vrm_ragdoll_solver *solver, uint32_t body, float rows[VRMI_ART_LIMITS][VRMI_ART_LIMIT_ROWS])
{
    const vrm_ragdoll_joint *joint = &solver->def.bodies[body].joint;
    const vrm_quat parent = solver->bodies[solver->tree.parent[body]].state.rotation;
    const vrm_quat relative = vrmi_quat_mul(vrmi_quat_conjugate(parent), solver->bodies[body].state.rotation);
    const vrm_quat q = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(joint->frame), relative), joint->frame);
    const vrm_vec3 turn = vrmi_vec3_sub(
        solver->bodies[body].state.angular_velocity, solver->bodies[solver->tree.parent[body]].state.angular_velocity);
    const float reach = REACH + 3.0f * solver->params.step * vrmi_vec3_length(turn);
    if (solver->tree.joint[body] == VRMI_ART_HINGE) {
        return hinge_row(solver, joint, q, reach, rows[0]) ? 1 : 0;
    }
    const swing_twist s = split(q, reach);
    uint32_t count = cone_row(solver, joint, parent, &s, rows[0]) ? 1 : 0;
    count += twist_row(solver, joint, parent, &s, rows[count]) ? 1 : 0;
    return count;
}
