// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_PUPPET_H
#define SCENES_PUPPET_H

// An active ragdoll with the light solver as viewers have it: it falls as people do and gets up, its hair is carried, and
// a hand hits it or holds on to it. The same in `vrm view`, the npm package and its viewer page.

#include <vrm/ragdoll_build.h>

#include "get_up.h"
#include "ragdoll_scene.h"

enum { SCENE_PUPPET_LINES = 1024 };

// The instance to which the body belongs, and its options.
typedef struct scene_puppet_def {
    vrm_instance *instance;         // with room for the bodies
    const vrm_gltf *gltf;           // the document, for shapes and skin by its vertices; or NULL
    vrm_clip_player *player;        // the instance's own, or NULL
    uint32_t layer;                 // of the player, for getting up: above those that play
    const vrm_ragdoll_def *ragdoll; // made before, copied; NULL: made of the avatar
    vrm_report *report;             // of what is found while bodies are made, or NULL; neither is kept
} scene_puppet_def;

typedef struct scene_puppet {
    bool on;
    scene_puppet_def actor;
    vrm_ragdoll_build_params build; // before it begins, as `engine` and `settings`
    vrm_ragdoll_solver_def engine;
    vrm_ragdoll_params settings;
    vrm_ragdoll_def def;
    vrm_ragdoll_solver *solver;
    float strength; // impulse of a hit, N s
    int32_t held;   // body that is dragged, -1: none
    double hand[3]; // position of the hand, world
    double grip[3]; // where the hand holds the body, in its frame
    double depth;   // distance of the grip from the eye
    int story;      // 0: none, else scene_ragdoll_story + 1
    double story_time;
    bool gets_up; // by a motion made for it, where possible
    bool can_get_up;
    scene_get_up get_up;
    scene_fall fall;
    scene_carried_hair hair;
    vrm_debug_line lines[SCENE_PUPPET_LINES]; // for the last frame: targets, torques, contacts
    uint32_t line_count;
} scene_puppet;

// The first body that a ray meets.
typedef struct scene_touch {
    int32_t body;    // -1: nothing
    double point[3]; // world
    double distance; // distance along the ray
} scene_touch;

// Off, as viewers begin: it takes steps, falls as people do and gets up.
void scene_puppet_defaults(scene_puppet *p);
// Creates the bodies and gives them to the instance; nothing is left on failure. INVALID_ARGUMENT: not a humanoid.
vrm_result scene_puppet_begin(scene_puppet *p, const scene_puppet_def *def);
// Removes the bodies, so that the animation shows again. Does nothing before they are there.
void scene_puppet_end(scene_puppet *p);
// `direction`: unit.
void scene_puppet_touch_ray(const scene_puppet *p, const double eye[3], const double direction[3], scene_touch *out);
void scene_puppet_hit(scene_puppet *p, const scene_touch *touch, const double direction[3]);
void scene_puppet_hold(scene_puppet *p, const scene_touch *touch);
void scene_puppet_let_go(scene_puppet *p);
// Starts a story of ragdoll_scene.h with new bodies; 0: none.
void scene_puppet_choose_story(scene_puppet *p, int story);
// Advances the story; false when there is none.
bool scene_puppet_tell(scene_puppet *p, double dt);
// Updates the instance for one frame and steps the bodies between the two halves of the update, pose and the rest.
void scene_puppet_update(scene_puppet *p, float dt);

#endif
