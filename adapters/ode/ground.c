// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Contacts with the ground, found before a body touches it, so that nothing gets below the ground or bounces. If the
// ground resisted the animation, it would disturb the feet of a walk. So, as in the light solver, it is lowered to the
// depth of the target pose and moves along with a sliding target, in proportion to the target's load.

#include "internal.h"

#include <math.h>

// A body without load approaches the ground at most at its distance, except the last BRAKE_GAP metres, divided by
// BRAKE_TIME, seconds. Without this brake a limb that lands stops within one step, and turns by 20 to 50 degrees in a
// frame.
#define BRAKE_TIME 0.045
#define BRAKE_GAP 0.002
// The fraction of a penetration beyond SLOP metres that a step corrects, and the largest speed of the correction, m/s.
#define SLOP 0.0005
#define RETURN 0.1
#define RETURN_SPEED 0.5
// The distance below which a contact has friction, metres, for a body without and with load, and the softness of a
// contact (ODE's CFM).
#define RUB_GAP 0.005
#define LOADED_RUB_GAP 0.015
#define SOFTNESS 1e-5
// A point is left out if it is farther away than this distance, metres at scale 1, and farther than it may move.
#define MARGIN 0.02

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

void vrmo_admit_ground(vrm_ode_ragdoll *r)
{
    const dReal ground = r->world->params.ground_height - r->world->params.origin.y;
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        r->bodies[i].admitted = vrmo_led(r, i) * fmax(ground - lowest_of(r, i), 0);
    }
}

// Lets the surface move with the body's target, in proportion to its load.
static void carry_along(const vrm_ode_ragdoll *r, uint32_t i, const dReal arm[3], dContact *contact)
{
    const vrm_vec3 v = r->wanted[i].state.linear_velocity, w = r->wanted[i].state.angular_velocity;
    const dReal part = vrmo_led(r, i), x = part * ((dReal)v.x + (dReal)w.y * arm[2] - (dReal)w.z * arm[1]),
                z = part * ((dReal)v.z + (dReal)w.x * arm[1] - (dReal)w.y * arm[0]);
    const dReal speed = sqrt(x * x + z * z);
    if (speed > 1e-3) {
        contact->surface.mode |= dContactFDir1 | dContactMotion1;
        contact->surface.motion1 = speed;
        contact->fdir1[0] = x / speed;
        contact->fdir1[1] = 0;
        contact->fdir1[2] = z / speed;
    }
}

// Sets the friction of a point that is above the ground by `gap`. The springs to the world bear the weight of a figure
// with load, so its feet press on the ground too little to stay where they are. They have the friction that they would
// have under its whole weight. Here, without dContactApprox1, mu is a force.
static void rub(const vrm_ode_ragdoll *r, uint32_t i, dReal gap, dSurfaceParameters *surface)
{
    const vrm_vec3 g = r->world->params.gravity;
    const dReal load = vrmo_led(r, i), friction = (dReal)r->world->params.friction;
    if (gap >= RUB_GAP + load * (LOADED_RUB_GAP - RUB_GAP)) {
        surface->mu = 0;
    } else if (load > 0.5) {
        surface->mode &= ~dContactApprox1;
        surface->mu = friction * load * r->mass * sqrt((dReal)(g.x * g.x + g.y * g.y + g.z * g.z));
    } else {
        surface->mu = friction;
    }
}

// Adds the contact of a point that is above the ground by `gap`, which is negative below the ground. `arm` is the
// vector from the centre of mass to the point. ODE pushes apart what has met; the velocity of the surface along its
// normal lets bodies approach that have not.
static void touch(vrm_ode_ragdoll *r, uint32_t i, const dReal arm[3], dReal gap, dReal h)
{
    const dReal *center = dBodyGetPosition(r->bodies[i].body), rate = 1 / h;
    const dReal close = fmin(gap, BRAKE_GAP), soft = fmin(1 / BRAKE_TIME, rate);
    const dReal most = close * rate + (gap - close) * (soft + vrmo_led(r, i) * (rate - soft));
    const dReal back = fmin(fmax(-gap - SLOP, 0) * RETURN * rate, RETURN_SPEED);
    dContact contact = {.geom = {.normal = {0, 1, 0}, .g1 = r->bodies[i].geom}};
    for (int k = 0; k < 3; ++k) {
        contact.geom.pos[k] = center[k] + arm[k];
    }
    contact.surface.mode = dContactSoftERP | dContactSoftCFM | dContactMotionN | dContactApprox1;
    contact.surface.soft_cfm = SOFTNESS;
    contact.surface.motionN = gap > 0 ? -most : back;
    rub(r, i, gap, &contact.surface);
    carry_along(r, i, arm, &contact);
    dJointAttach(dJointCreateContact(r->world->world, r->world->contacts, &contact), r->bodies[i].body, NULL);
    r->deepest = fmax(r->deepest, -gap);
}

// Touches the ground with a capsule's two ends, or a box's eight corners.
static void touch_with(vrm_ode_ragdoll *r, uint32_t i, dReal h)
{
    const vrm_ragdoll_shape *shape = &r->def.bodies[i].shape;
    const vrm_vec3 e = shape->half_extents, c = shape->center, m = r->def.bodies[i].center_of_mass;
    const dBodyID body = r->bodies[i].body;
    const bool box = shape->type == VRM_RAGDOLL_SHAPE_BOX;
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body), *q = dBodyGetQuaternion(body);
    const dReal s = (dReal)r->scale, radius = box ? 0 : s * (dReal)shape->radius;
    const dReal sides[3] = {box ? s * (dReal)e.x : 0, s * (dReal)(box ? e.y : shape->half_length), s * (dReal)e.z};
    const dReal offset[3] = {s * (dReal)(c.x - m.x), s * (dReal)(c.y - m.y), s * (dReal)(c.z - m.z)};
    const dReal height = dBodyGetPosition(body)[1] + r->bodies[i].admitted -
                         (r->world->params.ground_height - r->world->params.origin.y);
    const dReal speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]),
                spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    dQuaternion own, turn;
    dReal center[3];
    vrmo_quat(shape->rotation, own);
    dQMultiply0(turn, q, own);
    vrmo_rotate(q, offset, center);
    for (int k = 0; k < (box ? 8 : 2); ++k) {
        const dReal corner[3] = {(k & 2) != 0 ? sides[0] : -sides[0], (k & 1) != 0 ? sides[1] : -sides[1],
            box ? (k & 4) != 0 ? sides[2] : -sides[2] : 0};
        dReal arm[3];
        vrmo_rotate(turn, corner, arm);
        for (int axis = 0; axis < 3; ++axis) {
            arm[axis] += center[axis];
        }
        arm[1] -= radius;
        const dReal lever = sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
        if (height + arm[1] < MARGIN * s + (1.5 * h + BRAKE_TIME) * (speed + spin * lever)) {
            touch(r, i, arm, height + arm[1], h);
        }
    }
}

void vrmo_touch_ground(vrm_ode_ragdoll *r, float h)
{
    for (uint32_t i = 0; i < r->def.body_count && r->world->params.ground; ++i) {
        if (r->bodies[i].motion == VRM_RAGDOLL_MOTION_DYNAMIC) {
            touch_with(r, i, (dReal)h);
        }
    }
}
