// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include "base/abi.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_CONTACTS = 8 };

void(vrm_ode_world_params_default)(vrm_ode_world_params *params, size_t size)
{
    const vrm_ode_world_params own = {.struct_size = sizeof own,
        .substeps = 2,
        .iterations = 20,
        .seed = 1,
        .gravity = {0.0f, -9.81f, 0.0f},
        .friction = 0.8f,
        .ground = true,
        .joint_friction = 5.0f};
    vrmi_write_defaults(params, size, &own, sizeof own);
}

static bool usable(const vrm_ode_world_params *p)
{
    const double sum = p->origin.x + p->origin.y + p->origin.z + p->ground_height;
    const vrm_vec3 g = p->gravity;
    return p->substeps >= 1 && p->substeps <= 16 && p->iterations <= 1000 && p->friction >= 0.0f &&
           p->friction <= 100.0f && p->joint_friction >= 0.0f && p->joint_friction <= 1000.0f && isfinite(sum) &&
           isfinite(g.x + g.y + g.z);
}

// Sets values that were found to work for ragdolls at 60 Hz (docs/ragdoll-adapter.md).
static void set_up(vrm_ode_world *world)
{
    const vrm_vec3 g = world->params.gravity;
    dWorldSetGravity(world->world, (dReal)g.x, (dReal)g.y, (dReal)g.z);
    dWorldSetERP(world->world, 0.4);
    dWorldSetCFM(world->world, 1e-7);
    dWorldSetContactMaxCorrectingVel(world->world, 2.0);
    dWorldSetContactSurfaceLayer(world->world, 0.001);
    dWorldSetAutoDisableFlag(world->world, 1);
    dWorldSetAutoDisableLinearThreshold(world->world, 0.05);
    dWorldSetAutoDisableAngularThreshold(world->world, 0.25);
    dWorldSetAutoDisableTime(world->world, 0.5);
    dWorldSetAutoDisableSteps(world->world, 0);
    dWorldSetAutoDisableAverageSamplesCount(world->world, 10);
    if (world->params.iterations != 0) {
        dWorldSetQuickStepNumIterations(world->world, (int)world->params.iterations);
    }
    if (world->params.ground) {
        const dGeomID plane = dCreatePlane(world->space, 0, 1, 0, world->params.ground_height - world->params.origin.y);
        dGeomSetData(plane, &world->ground);
    }
}

vrm_result vrm_ode_world_create(const vrm_ode_world_params *params, vrm_ode_world **out_world)
{
    vrm_ode_world_params usual;
    vrm_ode_world_params_default(&usual);
    if (out_world == NULL || !VRMI_READ_OPTIONS(vrm_ode_world_params, &usual, params) || !usable(&usual)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_ode_world *world = calloc(1, sizeof *world);
    if (world == NULL || dInitODE2(0) == 0 || dAllocateODEDataForThread((unsigned)dAllocateMaskAll) == 0) {
        free(world);
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    world->params = usual;
    world->seed = usual.seed;
    world->world = dWorldCreate();
    world->space = dHashSpaceCreate(NULL); // a hash space orders its pairs independently of addresses
    world->contacts = dJointGroupCreate(0);
    set_up(world);
    *out_world = world;
    return VRM_SUCCESS;
}

void vrm_ode_world_destroy(vrm_ode_world *world)
{
    if (world == NULL) {
        return;
    }
    while (world->ragdolls != NULL) {
        vrm_ode_ragdoll_destroy(world->ragdolls);
    }
    while (world->props != NULL) {
        vrm_ode_prop_destroy(world->props);
    }
    dJointGroupDestroy(world->contacts);
    dSpaceDestroy(world->space);
    dWorldDestroy(world->world);
    free(world);
}

void *vrm_ode_world_handle(const vrm_ode_world *world)
{
    return world->world;
}

void *vrm_ode_world_space(const vrm_ode_world *world)
{
    return world->space;
}

// --- contacts ------------------------------------------------------------------------------------------------------

static bool may_collide(const vrmo_owner *a, const vrmo_owner *b)
{
    if (a == NULL || b == NULL) {
        return true; // the host's
    }
    for (uint32_t side = 0; side < 2; ++side) {
        const vrmo_owner *o = side == 0 ? a : b;
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

static void meet(void *user, dGeomID a, dGeomID b)
{
    vrm_ode_world *world = user;
    const vrmo_owner *first = dGeomGetData(a), *second = dGeomGetData(b);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if ((body_a == NULL && body_b == NULL) || !may_collide(first, second)) {
        return;
    }
    dContactGeom found[MAX_CONTACTS];
    const int count = dCollide(a, b, MAX_CONTACTS, found, sizeof found[0]);
    for (int i = 0; i < count; ++i) {
        dContact contact = {.geom = found[i]};
        contact.surface.mode = dContactSoftERP | dContactSoftCFM | dContactApprox1;
        contact.surface.mu = (dReal)world->params.friction;
        contact.surface.soft_erp = 0.2;
        contact.surface.soft_cfm = 1e-5;
        const vrmo_owner *other = first == &world->ground ? second : second == &world->ground ? first : NULL;
        if (other != NULL && other->ragdoll != NULL && !vrmo_meet_ground(other, &contact)) {
            continue;
        }
        dJointAttach(dJointCreateContact(world->world, world->contacts, &contact), body_a, body_b);
        note_depth(first, found[i].depth);
        note_depth(second, found[i].depth);
    }
}

// --- the step ------------------------------------------------------------------------------------------------------

void vrm_ode_world_step(vrm_ode_world *world, float dt)
{
    if (world == NULL || !(dt > 0.0f && dt <= 1.0f)) {
        return;
    }
    const float h = dt / (float)world->params.substeps;
    dRandSetSeed(world->seed);
    for (vrm_ode_ragdoll *r = world->ragdolls; r != NULL; r = r->next) {
        vrmo_begin_frame(r, h);
    }
    for (uint32_t step = 0; step < world->params.substeps; ++step) {
        uint32_t ignored = 0;
        for (vrm_ode_ragdoll *r = world->ragdolls; r != NULL; r = r->next) {
            vrmo_guard(r, h);
            r->deepest = 0;
            vrmo_drive(r, h, dt - (float)step * h);
            vrmo_guard(r, h);
        }
        for (vrm_ode_prop *p = world->props; p != NULL; p = p->next) {
            if (p->body != NULL) {
                vrmo_guard_body(p->body, h, &ignored);
            }
        }
        dSpaceCollide(world->space, world, meet);
        if (world->params.iterations != 0) {
            dWorldQuickStep(world->world, (dReal)h);
        } else {
            dWorldStep(world->world, (dReal)h);
        }
        dJointGroupEmpty(world->contacts);
    }
    for (vrm_ode_ragdoll *r = world->ragdolls; r != NULL; r = r->next) {
        vrmo_guard(r, h); // so that the host reads finite states
    }
    world->seed = dRandGetSeed();
}
