// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts a body's state from the definition's frame to ODE's and back.

#include "internal.h"

#include <math.h>

bool vrmo_state_finite(const vrm_ragdoll_state *s)
{
    const float *numbers = &s->position.x;
    for (uint32_t i = 0; i < sizeof *s / sizeof *numbers; ++i) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    const vrm_quat q = s->rotation;
    const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return square > 0.9f && square < 1.1f;
}

void vrmo_center_of(const vrm_ode_ragdoll *r, uint32_t i, const dQuaternion q, dReal out[3])
{
    const vrm_vec3 c = r->def.bodies[i].center_of_mass;
    const dReal s = (dReal)r->scale, center[3] = {s * (dReal)c.x, s * (dReal)c.y, s * (dReal)c.z};
    vrmo_rotate(q, center, out);
}

void vrmo_put(vrm_ode_ragdoll *r, uint32_t i, const vrm_ragdoll_state *state)
{
    dQuaternion q;
    dReal center[3];
    const dBodyID body = r->bodies[i].body;
    vrmo_quat(state->rotation, q);
    dNormalize4(q);
    vrmo_center_of(r, i, q, center);
    dBodySetPosition(body, (dReal)state->position.x + center[0], (dReal)state->position.y + center[1],
        (dReal)state->position.z + center[2]);
    dBodySetQuaternion(body, q);
    const vrm_vec3 v = state->linear_velocity, w = state->angular_velocity;
    dBodySetLinearVel(body, (dReal)v.x, (dReal)v.y, (dReal)v.z);
    dBodySetAngularVel(body, (dReal)w.x, (dReal)w.y, (dReal)w.z);
    dBodySetForce(body, 0, 0, 0);
    dBodySetTorque(body, 0, 0, 0);
    dBodyEnable(body);
}

void vrmo_states(const vrm_ode_ragdoll *r, vrm_ragdoll_state *out)
{
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        const dBodyID body = r->bodies[i].body;
        const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
        const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
        dReal center[3];
        vrmo_center_of(r, i, q, center);
        out[i].position = (vrm_vec3){(float)(p[0] - center[0]), (float)(p[1] - center[1]), (float)(p[2] - center[2])};
        out[i].rotation = (vrm_quat){(float)q[1], (float)q[2], (float)q[3], (float)q[0]};
        out[i].linear_velocity = (vrm_vec3){(float)v[0], (float)v[1], (float)v[2]};
        out[i].angular_velocity = (vrm_vec3){(float)w[0], (float)w[1], (float)w[2]};
    }
}

void vrmo_rotate(const dQuaternion q, const dReal v[3], dReal out[3])
{
    const dReal t[3] = {
        2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]), 2 * (q[1] * v[1] - q[2] * v[0])};
    const dReal turned[3] = {v[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1],
        v[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2], v[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0]};
    for (int i = 0; i < 3; ++i) {
        out[i] = turned[i];
    }
}
