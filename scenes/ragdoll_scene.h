// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_RAGDOLL_SCENE_H
#define SCENES_RAGDOLL_SCENE_H

// An avatar whose body is moved by an engine, and events that happen to it: shared by tests, benchmarks and command.

#include <vrm/active_ragdoll.h>
#include <vrm/output.h>
#include <vrm/ragdoll_solver.h>

#include "carried_hair.h"
#include "protective_fall.h"

// The engine that moves the bodies, behind the exchange: the light solver, or another library.
typedef struct scene_engine {
    void *self; // NULL: there is none
    // Advances by dt towards the targets; writes all states relative to their origin.
    void (*step)(void *self, const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states);
    void (*end)(void *self);
} scene_engine;

typedef struct scene_engine_params {
    const vrm_ragdoll_def *def; // copied
    double ground;              // height, metres
    vrm_allocator allocator;    // all zero: the C library's
} scene_engine_params;

// Creates an engine.
typedef vrm_result scene_engine_make(const scene_engine_params *params, scene_engine *out);
// Creates the light solver as an engine.
vrm_result scene_light_engine(const scene_engine_params *params, scene_engine *out);

// An instance with its ragdoll and the engine behind it. The instance is the caller's.
typedef struct scene_ragdoll {
    vrm_instance *instance;
    const vrm_ragdoll_def *def;
    scene_engine engine;
    vrm_ragdoll_solver *solver; // when that is the light one
    scene_fall fall;            // off
    scene_carried_hair hair;
    // The engine's output of the last frame, for inspection; `stepped` false: there was nothing to simulate.
    bool stepped;
    vrm_dvec3 origin;
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
} scene_ragdoll;

// Begins with the light solver; the instance must have reserved the bodies. `settings` and `params` may be NULL: the
// defaults.
vrm_result scene_ragdoll_begin(scene_ragdoll *scene, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_ragdoll_params *settings, const vrm_ragdoll_solver_def *params);
// Begins with an engine, which the scene owns from now on, whatever is returned; `def` must outlive the scene.
vrm_result scene_ragdoll_begin_with(scene_ragdoll *scene, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_ragdoll_params *settings, const scene_engine *engine);
void scene_ragdoll_end(scene_ragdoll *scene);
// Hair and skirt stay above the ground that the bodies fall on.
void scene_ragdoll_ground(vrm_instance *instance, double height);
// A frame: first half, engine, second half.
void scene_ragdoll_frame(scene_ragdoll *scene, const vrm_update_params *params);

// Whether a moment is in the frame that ends at `time`. The frame's beginning counts, so that all frame rates with a
// frame at that moment agree.
bool scene_moment_comes(double moment, double time, double dt);

// The events.
typedef enum scene_ragdoll_story {
    SCENE_RAGDOLL_STAND_AND_BE_HIT,   // stands; hit on the chest after 1 s, on the head after 3
    SCENE_RAGDOLL_WALK_AND_BE_PUSHED, // walks; pushed from the side every second from 1 s on
    SCENE_RAGDOLL_EXPLOSION,          // stands; after 1 s an explosion next to its feet
    SCENE_RAGDOLL_ARM,                // walks; the left arm alone is a ragdoll, without muscle
    SCENE_RAGDOLL_STORY_COUNT
} scene_ragdoll_story;

// Sets pose and events of the frame that ends at `time` and began at `time - dt`; call it before scene_ragdoll_frame().
// A figure thrown over by an explosion stays down until the host starts getting up (get_up.h).
void scene_ragdoll_tell(scene_ragdoll *scene, scene_ragdoll_story story, double time, double dt);

#endif
