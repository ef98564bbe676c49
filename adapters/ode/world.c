// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include "base/abi.h"

#include <math.h>
#include <stdlib.h>

// A longer step has as many times the substeps, seconds.
#define LONGEST_STEP (1.0f / 60.0f)

void(vrm_ode_world_params_default)(vrm_ode_world_params *params, size_t size)
{
    const vrm_ode_world_params own = {.struct_size = sizeof own,
        .substeps = 4,
        .iterations = 40,
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

// --- the step ------------------------------------------------------------------------------------------------------

// Prepares a substep of `h` seconds in a frame of `dt` seconds; `left` is the time to the end of the frame.
static void prepare(vrm_ode_world *world, float h, float dt, float left)
{
    uint32_t ignored = 0;
    for (vrm_ode_ragdoll *r = world->ragdolls; r != NULL; r = r->next) {
        vrmo_guard(r, h);
        r->deepest = 0;
        vrmo_drive(r, h, left, dt);
        vrmo_push(r, h, dt, left == dt);
        vrmo_guard(r, h);
        vrmo_touch_ground(r, h);
    }
    for (vrm_ode_prop *p = world->props; p != NULL; p = p->next) {
        if (p->body != NULL) {
            vrmo_guard_body(p->body, h, &ignored);
        }
    }
}

void vrm_ode_world_step(vrm_ode_world *world, float dt)
{
    if (world == NULL || !(dt > 0.0f && dt <= 1.0f)) {
        return;
    }
    const float parts = fmaxf(ceilf(dt / LONGEST_STEP - 1e-3f), 1.0f);
    const uint32_t substeps = world->params.substeps * (uint32_t)parts;
    const float h = dt / (float)substeps;
    dRandSetSeed(world->seed);
    for (vrm_ode_ragdoll *r = world->ragdolls; r != NULL; r = r->next) {
        vrmo_begin_frame(r);
    }
    for (uint32_t step = 0; step < substeps; ++step) {
        prepare(world, h, dt, dt - (float)step * h);
        vrmo_find_contacts(world);
        if (world->params.iterations != 0) {
            dWorldQuickStep(world->world, (dReal)h);
        } else {
            dWorldStep(world->world, (dReal)h);
        }
        dJointGroupEmpty(world->contacts);
        for (vrm_ode_ragdoll *r = world->ragdolls; r != NULL; r = r->next) {
            vrmo_assemble(r);
            vrmo_rest(r, h);
        }
    }
    for (vrm_ode_ragdoll *r = world->ragdolls; r != NULL; r = r->next) {
        vrmo_guard(r, h); // so that the host reads finite states
        r->impulse_count = 0;
    }
    world->seed = dRandGetSeed();
}
