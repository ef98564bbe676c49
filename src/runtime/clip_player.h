// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_CLIP_PLAYER_H
#define VRMI_RUNTIME_CLIP_PLAYER_H

// What plays on one instance: slots hold clips, layers mix their two slots (what plays and what it fades from), the player
// mixes its layers. All mixing is in the normalized humanoid; missing bones are folded into their children at the end.

#include <vrm/animation.h>

#include "math/cursor.h"
#include "model/clip.h"
#include "model/model.h"
#include "runtime/instance.h"

enum {
    VRMI_PLAYER_MAX_LAYERS = 8,
    VRMI_PLAYER_CURSORS = 64 // tracks beyond are found by bisection alone
};

// A pose with how much of it there is: 0 weight says nothing.
typedef struct vrmi_mix {
    vrm_quat rotation[VRM_HUMAN_BONE_COUNT];
    float weight[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips; // model space of the avatar
    float hips_weight;
    float yaw, pitch, gaze_weight;
} vrmi_mix;

typedef struct vrmi_clip_slot {
    vrm_clip *clip;  // or NULL
    double time;     // as if it had no end: wrapping gives the clip's
    float speed;
    uint32_t wrap;
    uint32_t cursors[VRMI_PLAYER_CURSORS];
} vrmi_clip_slot;

typedef struct vrmi_player_layer {
    vrmi_clip_slot now, before;
    vrm_clip *retired; // faded out by an update, which must not free: dropped by the next call that may
    float fade_elapsed, fade_duration;
    uint32_t transition; // vrm_clip_transition
    vrm_clip_layer settings;
} vrmi_player_layer;

// What an inertial transition still has to take away: rotation vectors and their speed.
typedef struct vrmi_inertia {
    float elapsed, duration; // duration 0: none
    vrm_vec3 offset[VRM_HUMAN_BONE_COUNT + 1], speed[VRM_HUMAN_BONE_COUNT + 1]; // the last one: the hips' position
} vrmi_inertia;

// How the avatar takes a normalized rotation: local = before * N * after.
typedef struct vrmi_bone_fit {
    int32_t node; // or -1
    vrm_quat before, after;
} vrmi_bone_fit;

struct vrm_clip_player {
    const vrm_avatar *avatar;
    const vrmi_model *model;
    vrm_instance *instance; // attached to, or NULL
    vrm_allocator allocator;
    size_t size;
    bool allocated;
    uint32_t layer_count, expression_count;
    vrmi_player_layer *layers;
    // By avatar expression: index of the clip's, per layer and slot; or -1.
    int32_t *expression_map;
    float *expression_values, *expression_weights; // mixed
    uint32_t *expression_written;                  // the instance's CLIP layer holds it from us
    vrmi_bone_fit fit[VRM_HUMAN_BONE_COUNT];
    vrm_mat34 hips_from_model; // of the space that holds the hips, at rest
    vrmi_mix mix;              // of this frame
    vrm_quat added[VRM_HUMAN_BONE_COUNT]; // by additive layers
    vrm_vec3 hips_added;
    uint64_t adds;             // bones with something added
    // The last two shown, for speed; `shown` counts them up to 2.
    vrmi_mix last, earlier;
    uint32_t shown;
    float last_dt;
    vrmi_inertia inertia;
    vrm_vec3 root_motion, root_place;
    bool root_known;
};

// Moves on and mixes; the stage's work.
void vrmi_player_advance(vrm_clip_player *player, float dt);
// Mixes without moving on.
void vrmi_player_mix(vrm_clip_player *player);
// The mixed pose over local transforms in node order.
void vrmi_player_overlay(const vrm_clip_player *player, vrm_transform *locals);
// The mixed expressions into the instance's CLIP layer, the gaze beside the host's.
void vrmi_player_write_face(vrm_clip_player *player, vrm_instance *instance);
// The attached player lets go of the instance, and the other way round.
void vrmi_player_detach(vrm_instance *instance);

#endif
