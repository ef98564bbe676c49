// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_GET_UP_H
#define SCENES_GET_UP_H

// Getting up in command and viewer: a body that lies still gets a clip made for its pose, or one from a file; the clip
// overrides the figure's motion, which takes over again before the clip ends.

#include <vrm/active_ragdoll.h>
#include <vrm/get_up.h>

#include "protective_fall.h"

typedef struct scene_get_up {
    vrm_instance *instance;
    vrm_clip_player *player; // of the instance; the clip plays in `layer`
    vrm_clip_player *own;    // where the instance had none
    uint32_t layer;
    float foot_weight; // of the player's layer 0, which is off during this time
    vrm_get_up_body *body;
    vrm_clip *file; // instead of clips that are made, or NULL
    vrm_clip *clip; // under way, or NULL
    double elapsed; // seconds of it
    const scene_fall *fall;
    double waits;       // seconds since it lies, for the fall to end
    bool plays;         // the clip has started to move
    vrm_get_up_way way; // of the clip that was made last
} scene_get_up;

typedef struct scene_get_up_def {
    vrm_instance *instance;  // with a ragdoll
    const vrm_gltf *gltf;    // the document, for the body's skin, or NULL
    vrm_clip_player *player; // the playing clip's player, with one layer more than it needs; or NULL
    uint32_t layer;          // of the player, to get up in; 0: 1
    float foot_weight;       // of its layer 0
    vrm_clip *file;          // to get up by, or NULL
    const scene_fall *fall;  // of the instance: getting up waits until the limbs are down, at most a second; or NULL
    vrm_allocator allocator;
} scene_get_up_def;

vrm_result scene_get_up_begin(scene_get_up *get_up, const scene_get_up_def *def);
// The ragdoll's settings for it: getting up starts from the lying pose, so no time is needed to blend into it.
void scene_get_up_settings(vrm_ragdoll_params *settings);
// Call it before the update of a frame of dt seconds.
void scene_get_up_frame(scene_get_up *get_up, double ground, double dt);
// Restores everything: the figure's earlier motion continues, after a transition of the given number of seconds.
void scene_get_up_hand_back(scene_get_up *get_up, float seconds);
// Frees its memory; the instance must not be updated with this player afterwards.
void scene_get_up_free(scene_get_up *get_up);

#endif
