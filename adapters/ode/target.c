// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What the targets of a frame ask of a body.

#include "internal.h"

#include <math.h>

bool vrmo_is_driven(const vrm_ode_ragdoll *r, uint32_t i)
{
    const vrm_ragdoll_target *t = &r->wanted[i];
    if (!r->has_targets || !r->targets.active) {
        return false;
    }
    return t->motion != VRM_RAGDOLL_MOTION_DYNAMIC ||
           (r->targets.drive == VRM_RAGDOLL_DRIVE_TORQUE
                   ? t->frequency > 0.0f || t->pin_frequency > 0.0f || t->load > 0.0f
                   : t->rotation_weight > 0.0f || t->translation_weight > 0.0f);
}

dReal vrmo_led(const vrm_ode_ragdoll *r, uint32_t i)
{
    return r->has_targets && r->targets.active ? (dReal)fminf(r->wanted[i].load, 1.0f) : 0;
}

// A body without load falls or lies, so it meets the ground. A motor yields to contacts within the step, as it is a row
// of the same system; a torque that is computed before them works against them.
bool vrmo_has_motor(const vrm_ode_ragdoll *r, uint32_t i)
{
    return i > 0 && vrmo_is_driven(r, i) && r->targets.drive == VRM_RAGDOLL_DRIVE_TORQUE &&
           (r->drive == VRM_ODE_DRIVE_MOTORS || !(r->wanted[i].load > 0.0f));
}

// Moves the target of a body back by `time` seconds along its velocities.
static void move_back(const vrm_ode_ragdoll *r, uint32_t i, dReal time, vrm_ragdoll_state *state)
{
    const vrm_vec3 v = state->linear_velocity, w = state->angular_velocity;
    const dReal spin = sqrt((dReal)(w.x * w.x + w.y * w.y + w.z * w.z)), half = -0.5 * time * spin;
    const dReal part = spin > 1e-6 ? sin(half) / spin : 0;
    const dQuaternion turn = {spin > 1e-6 ? cos(half) : 1, part * (dReal)w.x, part * (dReal)w.y, part * (dReal)w.z};
    dQuaternion now, before;
    dReal center[3], center_before[3];
    vrmo_quat(state->rotation, now);
    dQMultiply0(before, turn, now);
    vrmo_center_of(r, i, now, center);
    vrmo_center_of(r, i, before, center_before);
    state->position.x += (float)(center[0] - center_before[0] - time * (dReal)v.x);
    state->position.y += (float)(center[1] - center_before[1] - time * (dReal)v.y);
    state->position.z += (float)(center[2] - center_before[2] - time * (dReal)v.z);
    state->rotation = (vrm_quat){(float)before[1], (float)before[2], (float)before[3], (float)before[0]};
}

// The targets of a frame's substeps lie on a straight line, so the whole change of velocity belongs to the first substep.
void vrmo_aim_targets(vrm_ode_ragdoll *r, float h, float left, float dt)
{
    const float factor = left == dt ? dt / h : 0.0f;
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        vrm_ragdoll_target *t = &r->aims[i];
        *t = r->wanted[i];
        const vrm_vec3 a = t->linear_acceleration, b = t->angular_acceleration;
        move_back(r, i, (dReal)(left - h), &t->state);
        t->linear_acceleration = (vrm_vec3){factor * a.x, factor * a.y, factor * a.z};
        t->angular_acceleration = (vrm_vec3){factor * b.x, factor * b.y, factor * b.z};
    }
}
