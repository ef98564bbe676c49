// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_PUPPET_H
#define SCENES_PUPPET_H

// An active ragdoll with the light solver, for viewers. It falls as people do and gets up, its hair is carried along,
// and a hand can hit it or hold it. `vrm view`, the npm package and its viewer page share this code.

#include <vrm/ragdoll_build.h>

#include "get_up.h"
#include "ragdoll_scene.h"

enum { SCENE_PUPPET_LINES = 1024 };

// The instance to which the ragdoll belongs, and options.
typedef struct scene_puppet_def {
    vrm_instance *instance;         // must have room for the bodies
    const vrm_gltf *gltf;           // the document with the vertices, for shapes and skin; or NULL
    vrm_clip_player *player;        // the instance's player, or NULL
    uint32_t layer;                 // the player's layer for getting up, above all layers in use
    const vrm_ragdoll_def *ragdoll; // an existing definition, which is copied; NULL: build one from the avatar
    vrm_report *report;             // receives the findings of the build, or NULL; `ragdoll` and `report` are not kept
} scene_puppet_def;

typedef struct scene_puppet {
    bool on;
    scene_puppet_def actor;
    vrm_ragdoll_build_params build; // set before scene_puppet_begin(), like `engine` and `settings`
    vrm_ragdoll_solver_def engine;
    vrm_ragdoll_params settings;
    vrm_ragdoll_def def;
    vrm_ragdoll_solver *solver;
    float strength; // impulse of a hit, N s
    int32_t held;   // index of the body that the hand holds, -1: none
    double hand[3]; // position of the hand in the world
    double grip[3]; // point at which the hand holds the body, in the body's frame
    double depth;   // distance of that point from the eye
    int story;      // 0: none, otherwise scene_ragdoll_story + 1
    double story_time;
    bool gets_up; // by a clip created for the pose, if possible
    bool can_get_up;
    scene_get_up get_up;
    scene_fall fall;
    scene_carried_hair hair;
    vrm_debug_line lines[SCENE_PUPPET_LINES]; // lines of the last frame: targets, torques, contacts
    uint32_t line_count;
} scene_puppet;

// The first body that a ray hits.
typedef struct scene_touch {
    int32_t body;    // -1: nothing
    double point[3]; // world
    double distance; // distance along the ray
} scene_touch;

// Sets the options with which viewers begin: the ragdoll is switched off; once on, it takes steps, falls as people do
// and gets up.
void scene_puppet_defaults(scene_puppet *p);
// Creates the bodies and gives them to the instance. Leaves nothing behind on failure. Errors: INVALID_ARGUMENT if the
// avatar is not a humanoid.
vrm_result scene_puppet_begin(scene_puppet *p, const scene_puppet_def *def);
// Removes the bodies, so that the animation is shown again. Does nothing without bodies.
void scene_puppet_end(scene_puppet *p);
// Finds the first body that a ray hits. `direction` is a unit vector.
void scene_puppet_touch_ray(const scene_puppet *p, const double eye[3], const double direction[3], scene_touch *out);
void scene_puppet_hit(scene_puppet *p, const scene_touch *touch, const double direction[3]);
void scene_puppet_hold(scene_puppet *p, const scene_touch *touch);
void scene_puppet_let_go(scene_puppet *p);
// Starts a story of ragdoll_scene.h with new bodies. 0: no story.
void scene_puppet_choose_story(scene_puppet *p, int story);
// Advances the story. Returns false if there is none.
bool scene_puppet_tell(scene_puppet *p, double dt);
// Updates the instance for one frame, and steps the bodies between the two halves of the update.
void scene_puppet_update(scene_puppet *p, float dt);

#endif
