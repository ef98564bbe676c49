// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Limits of joints. ODE has no elliptic cones, so a motor in user mode has an axis for each row of the joint: the twist
// (of a hinge, its angle) first, then the cone's rim, or the rows that keep a hinge's axes parallel.

#include "internal.h"

#include <math.h>

// A body without load approaches a limit at most at the angle that is left, except the last BRAKE_ANGLE radians,
// divided by BRAKE_TIME, seconds. Without this brake a limb that swings to its limit stops within one step, and the
// limbs beyond it turn by up to 20 degrees in a frame.
#define BRAKE_TIME 0.045
#define BRAKE_ANGLE 0.02
// A limb whose speed differs from its target's by this, rad/s, was hit. At twice this speed it is braked as without load.
#define HIT_SPEED 3.0
// The fraction of a violation that a step corrects, and the largest speed of the correction, rad/s. The axes of a hinge
// are corrected faster, as they have no room.
#define RETURN 0.2
#define RETURN_SPEED 2.0
#define HINGE_RETURN 0.4
// A limit is left out if it is farther away than this angle, radians, and farther than the joint may turn.
#define REACH 0.2
// The angle by which limits are wider than the target pose of a driven body, radians.
#define ROOM 0.035

// Returns the size of a swing relative to its ellipse, 1 on the rim. `out_rim` receives the swing, scaled back to the
// rim if it is outside.
static float on_ellipse(const vrm_ragdoll_joint *j, const float angles[3], float out_rim[2])
{
    const float y = (angles[1] - j->center_y) / j->swing_y, z = (angles[2] - j->center_z) / j->swing_z;
    const float size = sqrtf(y * y + z * z), factor = size > 1.0f ? 1.0f / size : 1.0f;
    out_rim[0] = j->center_y + (angles[1] - j->center_y) * factor;
    out_rim[1] = j->center_z + (angles[2] - j->center_z) * factor;
    return size;
}

float vrmo_violation(const vrm_ode_ragdoll *r, uint32_t i, const vrm_ragdoll_state *states)
{
    const vrm_ragdoll_body *body = &r->def.bodies[i];
    const vrm_ragdoll_joint *j = &body->joint;
    float angles[3], rim[2];
    vrm_ragdoll_get_joint_angles(j, states[body->parent].rotation, states[i].rotation, angles);
    const float twist = fmaxf(fmaxf(angles[0] - j->max_angle, j->min_angle - angles[0]), 0.0f);
    if (j->type == VRM_RAGDOLL_JOINT_HINGE || on_ellipse(j, angles, rim) <= 1.0f) {
        return twist;
    }
    return fmaxf(twist, hypotf(angles[1] - rim[0], angles[2] - rim[1]));
}

// What a joint's rows have in common.
typedef struct row_params {
    dReal h;       // seconds of the substep
    dReal led;     // 0 to 1: the degree to which the body follows its target
    dReal turning; // speed of the joint's rotation, rad/s
} row_params;

// Returns how far a limb follows its target in its limits. A limb that turns much faster than its target was hit, and
// is braked like one without load.
static dReal led_at_limits(const vrm_ode_ragdoll *r, uint32_t i, vrm_vec3 turning)
{
    const vrm_vec3 v = r->wanted[i].state.angular_velocity,
                   u = r->wanted[r->def.bodies[i].parent].state.angular_velocity;
    const dReal x = (dReal)turning.x - (dReal)(v.x - u.x), y = (dReal)turning.y - (dReal)(v.y - u.y),
                z = (dReal)turning.z - (dReal)(v.z - u.z);
    const dReal beyond = (sqrt(x * x + y * y + z * z) - HIT_SPEED) / HIT_SPEED;
    return vrmo_led(r, i) * fmin(fmax(1 - beyond, 0), 1);
}

// Limits the speed about an axis of a motor, so that the angle `gap` is not exceeded in the substep. ODE only knows stops
// that a joint has passed, and pushes it back with the error times the stop's ERP. So here the motor is always one
// radian past its stop, and the negative of the ERP is the angle by which it may turn.
static void set_row(dJointID motor, int axis, const vrm_ragdoll_joint_row *row, dReal gap, const row_params *params)
{
    const vrm_vec3 a = row->axis;
    const dReal size = sqrt((dReal)(a.x * a.x + a.y * a.y + a.z * a.z)), h = params->h;
    const dReal soft = fmin(h / BRAKE_TIME, 1), close = fmin(gap, BRAKE_ANGLE);
    const dReal reach = REACH + (1.5 * h + (1 - params->led) * BRAKE_TIME) * params->turning;
    if (size < 1e-6 || (!row->both && gap > reach)) {
        dJointSetAMotorParam(motor, dParamLoStop + axis * dParamGroup, -dInfinity);
        dJointSetAMotorParam(motor, dParamHiStop + axis * dParamGroup, dInfinity);
        return;
    }
    dReal turn = gap * HINGE_RETURN;
    if (!row->both) {
        turn =
            gap < 0 ? fmax(gap * RETURN, -RETURN_SPEED * h) : close + (gap - close) * (soft + params->led * (1 - soft));
    }
    dJointSetAMotorAxis(motor, axis, 0, (dReal)a.x, (dReal)a.y, (dReal)a.z);
    dJointSetAMotorAngle(motor, axis, 0);
    dJointSetAMotorParam(motor, dParamLoStop + axis * dParamGroup, row->both ? -1 : -dInfinity);
    dJointSetAMotorParam(motor, dParamHiStop + axis * dParamGroup, -1);
    dJointSetAMotorParam(motor, dParamStopERP + axis * dParamGroup, -turn / size);
}

static void aim_limit(vrm_ode_ragdoll *r, uint32_t i, const vrm_ragdoll_state *states, dReal h)
{
    const vrm_ragdoll_body *body = &r->def.bodies[i];
    const dJointID motor = r->bodies[i].limit;
    const vrm_quat now[2] = {states[body->parent].rotation, states[i].rotation};
    const vrm_quat wanted[2] = {r->wanted[body->parent].state.rotation, r->wanted[i].state.rotation};
    const vrm_vec3 v = states[i].angular_velocity, u = states[body->parent].angular_velocity;
    const vrm_vec3 w = {v.x - u.x, v.y - u.y, v.z - u.z};
    const dReal led = vrmo_led(r, i), room = led * ROOM, x = (dReal)w.x, y = (dReal)w.y, z = (dReal)w.z;
    const row_params params = {h, led_at_limits(r, i, w), sqrt(x * x + y * y + z * z)};
    vrm_ragdoll_joint_row rows[VRM_RAGDOLL_JOINT_ROWS];
    const uint32_t count = vrm_ragdoll_get_joint_rows(&body->joint, now, led > 0 ? wanted : NULL, rows);
    const vrm_ragdoll_joint_row *twist = rows[0].gap < rows[1].gap ? &rows[0] : &rows[1];
    set_row(motor, 0, twist, (dReal)twist->gap + room, &params);
    for (uint32_t k = 2; k < count; ++k) {
        set_row(motor, (int)k - 1, &rows[k], (dReal)rows[k].gap + (rows[k].both ? 0 : room), &params);
    }
}

void vrmo_aim_limits(vrm_ode_ragdoll *r, float h)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrmo_states(r, states);
    for (uint32_t i = 1; i < r->def.body_count; ++i) {
        aim_limit(r, i, states, (dReal)h);
    }
}
