// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "scene_ode.h"

#include <stdlib.h>

#include <vrm_ode/ode.h>

typedef struct ode_engine {
    vrm_ode_world *world;
    vrm_ode_ragdoll *ragdoll;
} ode_engine;

static void step(void *self, const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states)
{
    const ode_engine *engine = self;
    vrm_ode_ragdoll_set_targets(engine->ragdoll, targets);
    vrm_ode_world_step(engine->world, dt);
    vrm_ode_ragdoll_get_states(engine->ragdoll, &targets->origin, out_states, targets->body_count);
}

static void end(void *self)
{
    ode_engine *engine = self;
    vrm_ode_world_destroy(engine->world);
    free(engine);
}

vrm_result scene_ode_engine(const scene_engine_params *params, scene_engine *out)
{
    vrm_ode_world_params world;
    vrm_ode_world_params_default(&world);
    world.ground_height = params->ground;
    ode_engine *engine = calloc(1, sizeof *engine);
    *out = (scene_engine){engine, step, end};
    if (engine == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_result result = vrm_ode_world_create(&world, &engine->world);
    if (result == VRM_SUCCESS) {
        result = vrm_ode_ragdoll_create(engine->world, params->def, VRM_ODE_DRIVE_DEFAULT, &engine->ragdoll);
    }
    if (result != VRM_SUCCESS) {
        end(engine);
        out->self = NULL;
    }
    return result;
}
