// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Contacts of bodies with each other, with props and with the host's objects.

#include "internal.h"

#include <math.h>

enum { MAX_CONTACTS = 8 };

// The depth to which driven limbs may be in each other in addition to that of the target pose, metres at scale 1.
#define OVERLAP_ROOM 0.003

static bool may_collide(const vrm_ode_world *world, const vrmo_owner *a, const vrmo_owner *b)
{
    if (a == NULL || b == NULL) {
        return true; // the host's
    }
    for (uint32_t side = 0; side < 2; ++side) {
        const vrmo_owner *o = side == 0 ? a : b, *other = side == 0 ? b : a;
        if (o == &world->ground && other->ragdoll != NULL) {
            return false; // ground.c
        }
        if (o->ragdoll != NULL && o->ragdoll->bodies[o->body].motion == VRM_RAGDOLL_MOTION_OFF) {
            return false;
        }
    }
    return a->ragdoll == NULL || a->ragdoll != b->ragdoll ||
           (a->ragdoll->def.bodies[a->body].no_contact >> b->body & 1u) == 0;
}

static void note_depth(const vrmo_owner *owner, dReal depth)
{
    if (owner != NULL && owner->ragdoll != NULL && depth > owner->ragdoll->deepest) {
        owner->ragdoll->deepest = depth;
    }
}

// Returns the degree to which two bodies of a ragdoll follow their targets.
static dReal led_of(const vrmo_owner *a, const vrmo_owner *b)
{
    return fmin(vrmo_led(a->ragdoll, a->body), vrmo_led(b->ragdoll, b->body));
}

// Returns how deep two bodies of a ragdoll may be in each other: as deep as in the target pose, in proportion to their
// loads. Otherwise a hand that the animation rests on a thigh would be thrown off.
static dReal admitted_depth(const vrmo_owner *a, const vrmo_owner *b, dReal led)
{
    const vrm_ode_ragdoll *r = a->ragdoll;
    dContactGeom found[MAX_CONTACTS];
    dReal depth = 0;
    if (led <= 0) {
        return 0;
    }
    const int count =
        dCollide(r->bodies[a->body].wanted_geom, r->bodies[b->body].wanted_geom, MAX_CONTACTS, found, sizeof found[0]);
    for (int i = 0; i < count; ++i) {
        depth = fmax(depth, found[i].depth);
    }
    return led * (depth + OVERLAP_ROOM * (dReal)r->scale);
}

static void meet(void *user, dGeomID a, dGeomID b)
{
    vrm_ode_world *world = user;
    const vrmo_owner *first = dGeomGetData(a), *second = dGeomGetData(b);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if ((body_a == NULL && body_b == NULL) || !may_collide(world, first, second)) {
        return;
    }
    dContactGeom found[MAX_CONTACTS];
    const int count = dCollide(a, b, MAX_CONTACTS, found, sizeof found[0]);
    const bool limbs = first != NULL && second != NULL && first->ragdoll != NULL && first->ragdoll == second->ragdoll;
    const dReal led = limbs ? led_of(first, second) : 0;
    const dReal admitted = count > 0 && limbs ? admitted_depth(first, second, led) : 0;
    for (int i = 0; i < count; ++i) {
        dContact contact = {.geom = found[i]};
        contact.geom.depth -= admitted;
        if (contact.geom.depth < 0) {
            continue;
        }
        contact.surface.mode = dContactSoftERP | dContactSoftCFM | dContactApprox1;
        contact.surface.mu = (dReal)world->params.friction;
        contact.surface.soft_erp = 0.2 * (1 - led); // driven limbs are stopped, not pushed apart
        contact.surface.soft_cfm = 1e-5;
        dJointAttach(dJointCreateContact(world->world, world->contacts, &contact), body_a, body_b);
        note_depth(first, contact.geom.depth);
        note_depth(second, contact.geom.depth);
    }
}

void vrmo_find_contacts(vrm_ode_world *world)
{
    dSpaceCollide(world->space, world, meet);
}

void vrmo_place_wanted(vrm_ode_ragdoll *r)
{
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        const vrm_ragdoll_shape *shape = &r->def.bodies[i].shape;
        const vrm_vec3 c = shape->center, p = r->wanted[i].state.position;
        const dReal s = (dReal)r->scale, center[3] = {s * (dReal)c.x, s * (dReal)c.y, s * (dReal)c.z};
        dQuaternion body, own, turn;
        dReal offset[3];
        vrmo_quat(r->wanted[i].state.rotation, body);
        vrmo_geom_rotation(shape, own);
        dQMultiply0(turn, body, own);
        dNormalize4(turn);
        vrmo_rotate(body, center, offset);
        dGeomSetPosition(
            r->bodies[i].wanted_geom, (dReal)p.x + offset[0], (dReal)p.y + offset[1], (dReal)p.z + offset[2]);
        dGeomSetQuaternion(r->bodies[i].wanted_geom, turn);
    }
}
