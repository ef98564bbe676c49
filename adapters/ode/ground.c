// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// If the ground resisted the animation, it would disturb the feet of a walk. As in the light solver, the ground is
// lowered to the depth of the target pose and moves along with a sliding target, in proportion to the target's load.

#include "internal.h"

#include <math.h>

// Height of the lowest point of a body at its target pose.
static dReal lowest_of(const vrm_ode_ragdoll *r, uint32_t i)
{
    const vrm_ragdoll_shape *shape = &r->def.bodies[i].shape;
    const vrm_ragdoll_state *wanted = &r->wanted[i].state;
    const vrm_vec3 c = shape->center, e = shape->half_extents;
    const dReal center[3] = {(dReal)c.x, (dReal)c.y, (dReal)c.z};
    dQuaternion body, own, turn;
    dReal middle[3];
    vrmo_quat(wanted->rotation, body);
    vrmo_quat(shape->rotation, own);
    dQMultiply0(turn, body, own);
    vrmo_rotate(body, center, middle);
    dReal reach = shape->type == VRM_RAGDOLL_SHAPE_CAPSULE ? (dReal)shape->radius : 0;
    const dReal sides[3] = {(dReal)e.x, (dReal)e.y, (dReal)e.z}, half[3] = {0, (dReal)shape->half_length, 0};
    for (int axis = 0; axis < 3; ++axis) {
        const dReal unit[3] = {axis == 0, axis == 1, axis == 2};
        dReal turned[3];
        vrmo_rotate(turn, unit, turned);
        reach += fabs(turned[1]) * (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE ? half[axis] : sides[axis]);
    }
    return (dReal)wanted->position.y + (dReal)r->scale * (middle[1] - reach);
}

static dReal led(const vrm_ragdoll_target *target)
{
    return (dReal)fminf(target->load, 1.0f);
}

void vrmo_admit_ground(vrm_ode_ragdoll *r)
{
    const dReal ground = r->world->params.ground_height - r->world->params.origin.y;
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        r->bodies[i].admitted = led(&r->wanted[i]) * fmax(ground - lowest_of(r, i), 0);
    }
}

bool vrmo_meet_ground(const vrmo_owner *owner, dContact *contact)
{
    const vrm_ode_ragdoll *r = owner->ragdoll;
    const vrm_ragdoll_target *target = &r->wanted[owner->body];
    contact->geom.depth -= r->bodies[owner->body].admitted;
    const dReal *middle = dBodyGetPosition(r->bodies[owner->body].body), *p = contact->geom.pos, part = led(target);
    const vrm_vec3 v = target->state.linear_velocity, w = target->state.angular_velocity;
    const dReal arm[3] = {p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]};
    const dReal x = part * ((dReal)v.x + (dReal)w.y * arm[2] - (dReal)w.z * arm[1]),
                z = part * ((dReal)v.z + (dReal)w.x * arm[1] - (dReal)w.y * arm[0]);
    const dReal speed = sqrt(x * x + z * z);
    if (speed > 1e-3) {
        contact->surface.mode |= dContactFDir1 | dContactMotion1;
        contact->surface.motion1 = speed;
        contact->fdir1[0] = x / speed;
        contact->fdir1[1] = 0;
        contact->fdir1[2] = z / speed;
    }
    return contact->geom.depth > 0;
}
