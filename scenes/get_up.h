// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_GET_UP_H
#define SCENES_GET_UP_H

// Getting up, for the command and the viewer. A body that lies still gets a clip that is created for its pose, or a
// clip from a file. The clip overrides the figure's motion, which takes over again before the clip ends.

#include <vrm/active_ragdoll.h>
#include <vrm/get_up.h>

#include "protective_fall.h"

typedef struct scene_get_up {
    vrm_instance *instance;
    vrm_clip_player *player; // the instance's player; the clip plays in `layer`
    vrm_clip_player *own;    // created if the instance had no player, else NULL
    uint32_t layer;
    float foot_weight; // foot weight of the player's layer 0, which is 0 while the figure gets up
    vrm_get_up_body *body;
    vrm_clip *file; // clip from a file, used instead of created clips; or NULL
    vrm_clip *clip; // the clip that is playing, or NULL
    double elapsed; // seconds of `clip` that have been played
    const scene_fall *fall;
    double waits;       // seconds for which the body has been lying
    bool plays;         // the clip has started to move
    vrm_get_up_way way; // how the last created clip gets up
} scene_get_up;

typedef struct scene_get_up_def {
    vrm_instance *instance;  // must have a ragdoll
    const vrm_gltf *gltf;    // the document, for the body's skin, or NULL
    vrm_clip_player *player; // player of the instance's clips, with one layer more than the clips need; or NULL
    uint32_t layer;          // the player's layer for getting up; 0: layer 1
    float foot_weight;       // foot weight of the player's layer 0
    vrm_clip *file;          // a clip to be used instead of created ones, or NULL
    const scene_fall *fall; // the instance's fall, or NULL; getting up waits for its limbs to be down, at most a second
    vrm_allocator allocator;
} scene_get_up_def;

vrm_result scene_get_up_begin(scene_get_up *get_up, const scene_get_up_def *def);
// Changes the ragdoll's settings for getting up. The clip starts from the lying pose, so no time is needed to blend
// into it.
void scene_get_up_settings(vrm_ragdoll_params *settings);
// Starts, plays and ends the clip. Call it before the update of a frame of dt seconds.
void scene_get_up_frame(scene_get_up *get_up, double ground, double dt);
// Stops getting up: the figure's earlier motion continues after a transition of the given number of seconds.
void scene_get_up_hand_back(scene_get_up *get_up, float seconds);
// Frees the memory. The instance must not be updated with this player afterwards.
void scene_get_up_free(scene_get_up *get_up);

#endif
