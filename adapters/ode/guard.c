// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// ODE asserts when it cannot normalise a value, and so aborts the process. This file keeps values that are not finite,
// and speeds that no avatar could reach, out of every step.

#include "internal.h"

#include <math.h>

#define MAX_SPEED 100.0 // m/s
#define MAX_TURN 0.4    // radians per step: above it torques overshoot (4,600 degrees per second at 1/120 s)
#define MAX_PLACE 1e6   // metres from ODE's origin

static bool is_bearable(dBodyID body)
{
    const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    const dReal sum = p[0] + p[1] + p[2] + v[0] + v[1] + v[2] + w[0] + w[1] + w[2] + q[0] + q[1] + q[2] + q[3];
    return isfinite(sum) && fabs(p[0]) < MAX_PLACE && fabs(p[1]) < MAX_PLACE && fabs(p[2]) < MAX_PLACE;
}

static void slow_down(dBodyID body, dReal h, uint32_t *status)
{
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    const dReal speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const dReal spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (speed > MAX_SPEED) {
        const dReal f = MAX_SPEED / speed;
        dBodySetLinearVel(body, v[0] * f, v[1] * f, v[2] * f);
        *status |= VRM_ODE_TOO_FAST;
    }
    if (spin * h > MAX_TURN) {
        const dReal f = MAX_TURN / (spin * h);
        dBodySetAngularVel(body, w[0] * f, w[1] * f, w[2] * f);
        *status |= VRM_ODE_TOO_FAST;
    }
}

void vrmo_guard_body(dBodyID body, float h, uint32_t *status)
{
    if (!is_bearable(body)) {
        const dQuaternion none = {1, 0, 0, 0};
        dBodySetPosition(body, 0, 0, 0);
        dBodySetQuaternion(body, none);
        dBodySetLinearVel(body, 0, 0, 0);
        dBodySetAngularVel(body, 0, 0, 0);
        *status |= VRM_ODE_NOT_FINITE;
    }
    slow_down(body, (dReal)h, status);
}

void vrmo_guard(vrm_ode_ragdoll *ragdoll, float h)
{
    bool bearable = true;
    for (uint32_t i = 0; i < ragdoll->def.body_count && bearable; ++i) {
        bearable = is_bearable(ragdoll->bodies[i].body);
    }
    for (uint32_t i = 0; i < ragdoll->def.body_count; ++i) {
        if (!bearable && ragdoll->has_targets) {
            vrm_ragdoll_state state = ragdoll->wanted[i].state;
            state.linear_velocity = state.angular_velocity = (vrm_vec3){0, 0, 0};
            vrmo_put(ragdoll, i, &state);
        }
        vrmo_guard_body(ragdoll->bodies[i].body, h, &ragdoll->status);
    }
    ragdoll->status |= bearable ? 0 : (uint32_t)VRM_ODE_NOT_FINITE;
}
