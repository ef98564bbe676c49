// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_RAGDOLL_SCENE_H
#define SCENES_RAGDOLL_SCENE_H

// An avatar whose body is moved by a physics engine, and events that happen to it. Tests, benchmarks and the command
// share this code.

#include <vrm/active_ragdoll.h>
#include <vrm/output.h>
#include <vrm/ragdoll_solver.h>

#include "carried_hair.h"
#include "protective_fall.h"

// The engine that moves the bodies: the light solver or another library.
typedef struct scene_engine {
    void *self; // NULL: there is no engine
    // Advances by dt towards the targets. Writes all states relative to the targets' origin.
    void (*step)(void *self, const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states);
    void (*end)(void *self);
} scene_engine;

typedef struct scene_engine_params {
    const vrm_ragdoll_def *def; // copied
    double ground;              // height, metres
    vrm_allocator allocator;    // all zero: malloc and free
} scene_engine_params;

// Creates an engine.
typedef vrm_result scene_engine_make(const scene_engine_params *params, scene_engine *out);
// Creates the light solver as an engine.
vrm_result scene_light_engine(const scene_engine_params *params, scene_engine *out);

// An instance with its ragdoll and engine. The scene does not own the instance.
typedef struct scene_ragdoll {
    vrm_instance *instance;
    const vrm_ragdoll_def *def;
    scene_engine engine;
    vrm_ragdoll_solver *solver; // the light solver, if it is the engine
    scene_fall fall;            // switched off at first
    bool keeps_root;            // the host does not move the root; false at first
    scene_carried_hair hair;
    // The engine's output of the last frame, for inspection. `stepped` is false if there was nothing to simulate.
    bool stepped;
    vrm_dvec3 origin;
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
} scene_ragdoll;

// Begins with the light solver. The instance must have reserved the bodies. `settings` and `params` may be NULL for the
// defaults.
vrm_result scene_ragdoll_begin(scene_ragdoll *scene, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_ragdoll_params *settings, const vrm_ragdoll_solver_def *params);
// Begins with an engine. The scene owns the engine from now on, even if an error is returned. `def` must outlive the
// scene.
vrm_result scene_ragdoll_begin_with(scene_ragdoll *scene, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_ragdoll_params *settings, const scene_engine *engine);
void scene_ragdoll_end(scene_ragdoll *scene);
// Returns the index of a bone's body, -1 if the bone has none.
int32_t scene_ragdoll_body(const vrm_ragdoll_def *def, vrm_human_bone bone);
// Returns the body that moves a bone: its own, or that of the nearest bone above. Returns -1 if there is none.
int32_t scene_ragdoll_body_above(const vrm_ragdoll_def *def, int32_t bone);
// Returns the height of a body's lowest point above the body's origin, metres at scale 1.
double scene_ragdoll_bottom(const vrm_ragdoll_shape *shape, vrm_quat rotation);
// Returns how far a joint is bent beyond its limits, degrees; 0 within them. `parent` and `child` are the rotations of
// its bodies.
double scene_ragdoll_beyond_limit(const vrm_ragdoll_joint *joint, vrm_quat parent, vrm_quat child);
// Sets the height of the ground for the springs, so that hair and skirts stay above it.
void scene_ragdoll_ground(vrm_instance *instance, double height);
// Updates a frame: the first half, the engine, the second half.
void scene_ragdoll_frame(scene_ragdoll *scene, const vrm_update_params *params);

// Whether a moment is in the frame that ends at `time`. The frame's beginning is included, so that all frame rates that
// have a frame at that moment agree.
bool scene_moment_comes(double moment, double time, double dt);

// The events.
typedef enum scene_ragdoll_story {
    SCENE_RAGDOLL_STAND_AND_BE_HIT,   // stands; the chest is hit after 1 s, the head after 3 s
    SCENE_RAGDOLL_WALK_AND_BE_PUSHED, // walks; pushed from the side every second, from 1 s on
    SCENE_RAGDOLL_EXPLOSION,          // stands; after 1 s there is an explosion next to the feet
    SCENE_RAGDOLL_ARM,                // walks; only the left arm is a ragdoll, without muscle force
    SCENE_RAGDOLL_STORY_COUNT
} scene_ragdoll_story;

// Sets the pose and the events of the frame that ends at `time` and began at `time - dt`. Call it before
// scene_ragdoll_frame(). A figure thrown over by an explosion stays down until the host starts getting up (get_up.h).
void scene_ragdoll_tell(scene_ragdoll *scene, scene_ragdoll_story story, double time, double dt);

// Returns the mass of a definition's bodies, kg.
float scene_def_mass(const vrm_ragdoll_def *def);

#endif
