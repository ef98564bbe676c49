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
#include "runtime/kernel_clip.h"

enum {
    VRMI_PLAYER_MAX_LAYERS = 8,
    VRMI_PLAYER_CURSORS = 64 // tracks beyond are found by bisection alone
};

// A pose with how much of it there is: 0 weight says nothing. Every lane holds a unit rotation, so that kernels may take whole groups.
typedef struct vrmi_mix {
    vrmi_pose_lanes rotation;
    float weight[VRMI_POSE_LANES];
    vrm_vec3 hips; // model space of the avatar
    float hips_weight;
    float yaw, pitch, gaze_weight;
} vrmi_mix;

typedef struct vrmi_clip_slot {
    vrm_clip *clip;  // or NULL
    double time;     // as if it had no end: wrapping gives the clip's
    double earlier;  // before the last update
    bool fresh;      // it begins here: what is at this very moment has not been passed
    bool began;      // in the last update
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

// What a transition still has to take away, an inertial one or one that breaks off another: rotation vectors and their speed;
// the last one is the hips' position.
typedef struct vrmi_inertia {
    float elapsed, duration; // duration 0: none
    vrm_vec3 offset[VRM_HUMAN_BONE_COUNT + 1], speed[VRM_HUMAN_BONE_COUNT + 1];
    float weight[VRM_HUMAN_BONE_COUNT + 1]; // how much more of it was shown before
    // Bones that the new clip leaves alone (the last bit: the hips' place) go on from here while their weight dies away.
    uint64_t left;
    vrm_quat held[VRM_HUMAN_BONE_COUNT];
    float yaw, pitch, gaze_weight; // the gaze: angles times weight, and weight
} vrmi_inertia;

// A place on the ground, and the heading about the vertical.
typedef struct vrmi_ground {
    vrm_vec3 place; // y is 0
    float heading;
} vrmi_ground;

// How the avatar takes normalized rotations: local = before * N * after.
typedef struct vrmi_fit {
    int32_t node[VRM_HUMAN_BONE_COUNT]; // or -1
    uint64_t bones;                     // that it has
    uint64_t folds;                     // that stand below a bone that it lacks
    vrmi_pose_lanes before, after;
    vrm_mat34 hips_from_model;          // of the space that holds the hips, at rest
} vrmi_fit;

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
    // What the last update showed, and what a transition still has to take away of it: values, then weights.
    float *expression_shown, *expression_left;
    uint32_t *expression_written; // the instance's CLIP layer holds it from us
    const vrmi_clip_kernels *kernels;
    vrmi_fit fit;
    vrmi_mix sampled[2];       // of the slots of the layer under way
    // The last two that were shown, for their speed, and one to mix into: they change places instead of being copied.
    vrmi_mix mixes[3];
    vrmi_mix *mix, *last, *earlier; // `mix` is `last` once it has been shown
    uint32_t shown;            // of the last two, that there are
    float last_dt;
    bool mixed;                // a layer has said something in this mix
    vrm_quat added[VRM_HUMAN_BONE_COUNT]; // by additive layers
    vrm_vec3 hips_added;
    uint64_t adds;             // bones with something added
    // What is shown of the mix: the mix itself, or what root motion and feet have made of it.
    const vrmi_pose_lanes *pose;
    vrmi_pose_lanes corrected;
    vrm_vec3 hips;
    vrmi_inertia inertia;
    vrmi_ground root_motion, root; // of the last update; where the clip was then
    double root_round;
    bool root_known;
};

// Moves on and mixes; the stage's work.
void vrmi_player_advance(vrm_clip_player *player, float dt);
// Mixes without moving on.
void vrmi_player_mix(vrm_clip_player *player);
// What has to be taken away in these seconds, so that what plays now begins as what was shown last goes on.
void vrmi_player_start_inertia(vrm_clip_player *player, float seconds);
// Takes what is left of it away from the mix.
void vrmi_player_decay(vrm_clip_player *player, float dt);
// Whole rounds of the clip's duration and the rest, for times of either sign.
double vrmi_slot_rounds(double time, double length, double *out_rest);
// Where the slot's clip is, wrapped.
float vrmi_slot_time(const vrmi_clip_slot *slot);
// How much larger the avatar is than the clip's own skeleton, by the height of the hips.
float vrmi_player_scale(const vrm_clip_player *player, const vrm_clip *clip);
// A track of the slot's clip, from where it was looked for last.
void vrmi_slot_sample(vrmi_clip_slot *slot, int32_t track, float time, float *out);
// The hips over their place, and the way that they went.
void vrmi_player_root(vrm_clip_player *player);
// Ankles where the clip's own skeleton has them.
void vrmi_player_plant_feet(vrm_clip_player *player);
// The shown pose, to be changed.
vrmi_pose_lanes *vrmi_player_correct(vrm_clip_player *player);
// Finds out how the avatar takes poses.
void vrmi_player_fit(vrm_clip_player *player);
// The mixed pose over local transforms in node order.
void vrmi_player_overlay(const vrm_clip_player *player, vrm_transform *locals);
// The mixed expressions into the instance's CLIP layer, the gaze beside the host's.
void vrmi_player_write_face(vrm_clip_player *player, vrm_instance *instance);
// Its instance wakes.
void vrmi_player_stir(vrm_clip_player *player);
// Does nothing move while nobody plays or sets anything?
bool vrmi_player_is_still(const vrm_clip_player *player);
// The attached player lets go of the instance, and the other way round.
void vrmi_player_detach(vrm_instance *instance);

#endif
