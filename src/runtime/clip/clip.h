// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_CLIP_H
#define VRMI_RUNTIME_CLIP_H

// Playback on one instance: slots hold clips, layers mix their two slots (the current one and the one that it fades
// from), the player mixes its layers. All mixing is in the normalized humanoid; missing bones are folded into their
// children at the end.

#include <vrm/clip.h>

#include "math/cursor.h"
#include "model/clip.h"
#include "model/model.h"
#include "runtime/clip/kernel_clip.h"
#include "runtime/core/instance.h"

enum {
    VRMI_PLAYER_MAX_LAYERS = 8,
    VRMI_PLAYER_CURSORS = 64 // further tracks are found only by bisection
};

// A pose with its weights. Until it is spread, all its bones share one weight, and only groups with one of these bones
// have valid rotations. After spreading, every bone has its own weight and every lane a unit rotation.
typedef struct vrmi_mix {
    vrmi_pose_lanes rotation;
    uint64_t bones; // that it may have a weight for
    bool spread;
    float share;                   // weight of all `bones`, until it is spread
    float weight[VRMI_POSE_LANES]; // once it is spread; 0: no effect
    float hips_weight;
    vrm_vec3 hips; // model space of the avatar
    float yaw, pitch, gaze_weight;
} vrmi_mix;

typedef struct vrmi_clip_slot {
    vrm_clip *clip;    // or NULL
    double time;       // continuous time: wrapping gives the clip's time
    double earlier;    // before the last update
    uint32_t *cursors; // VRMI_PLAYER_CURSORS; NULL: keys are found by bisection
    float speed;
    uint32_t wrap;
    bool fresh; // starts here: markers at this very time have not been passed
    bool began; // it started in the last update
} vrmi_clip_slot;

typedef struct vrmi_player_layer {
    vrmi_clip_slot now;
    float fade_elapsed, fade_duration;
    uint32_t transition;     // vrm_clip_transition
    uint32_t expressions[2]; // numbers of the avatar's expressions that the earlier and the current clip move
    vrmi_clip_slot before;
    vrm_clip_layer_params settings;
    double shown, shown_earlier; // `now.time` as shown by the last update, and by the one before
    vrm_clip *retired;           // faded out by an update, which must not free: the next call that may free drops it
} vrmi_player_layer;

// What remains of a transition, either an inertial one or one that interrupts another: rotation vectors and their
// velocities; the last one is the hips' position.
typedef struct vrmi_inertia {
    float elapsed, duration;
    vrm_vec3 offset[VRM_HUMAN_BONE_COUNT + 1], speed[VRM_HUMAN_BONE_COUNT + 1];
    float weight[VRM_HUMAN_BONE_COUNT + 1]; // by how much its weight was larger before
    // Bones without a track in the new clip (the last bit: the hips' position) are held where they are while their
    // weight decays. For the others it is the last played rotation, since they may be released during the transition.
    uint64_t left;
    vrm_quat held[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips;
    float yaw, pitch, gaze_weight; // the gaze: angles times weight, and weight
} vrmi_inertia;

// A position on the ground, and the heading about the vertical.
typedef struct vrmi_ground {
    vrm_vec3 place; // y is 0
    float heading;
} vrmi_ground;

// A pose that was shown: inertial transitions start from it and its velocity. With one clip per layer it can be
// recomputed from the clip's time, so that it need not be stored in each frame.
typedef struct vrmi_shown {
    vrmi_mix *mix;
    bool held; // it is stored in `mix`, spread
} vrmi_shown;

// Hot members first, followed in the block by layers and cursors: the memory that a frame with one clip uses is
// contiguous. A foot that is held in place: the clip's ankle in model space, and the offset that holding adds.
typedef struct vrmi_held_foot {
    bool known, holds;
    float quiet; // seconds since it became low and still
    vrm_vec3 ankle, offset;
} vrmi_held_foot;

struct vrm_clip_player {
    const vrmi_model *model; // of the avatar
    const vrmi_clip_kernels *kernels;
    vrmi_player_layer *layers;
    uint32_t layer_count, expression_count;
    uint32_t shown_count; // how many of the last two exist
    float last_dt;
    vrmi_shown last, earlier; // shown
    bool decays;              // `inertia` is in use
    // Whether `expression_values` and `_weights`, `expression_shown`, and `expressions` have any value other than 0.
    bool expressions_mixed, expressions_shown, expressions_set;
    bool root_known;
    bool allocated;
    vrmi_ground root_motion, root; // of the last update; the clip's position after it
    vrmi_held_foot feet[2];        // left, right
    double root_round;
    vrmi_inertia *inertia;
    vrm_instance *instance; // attached to it, or NULL
    const vrm_avatar *avatar;
    vrm_allocator allocator;
    size_t size;
    // By layer, slot and avatar expression: index of the clip's expression, or -1.
    int32_t *expression_map;
    float *expression_values, *expression_weights; // mixed
    // The values of the last update, and the rest of a transition: values, then weights.
    float *expression_shown, *expression_left;
    vrmi_expression_entry *expressions; // read by the instance's merge
};

// Working memory for a frame of a player; nothing of it is kept.
typedef struct vrmi_mixing {
    vrmi_mix mix;
    bool mixed;    // a layer has contributed to this mix
    uint64_t adds; // bones that additive layers have changed
    vrm_vec3 hips_added;
    vrm_vec3 hips;               // shown
    const vrmi_pose_lanes *pose; // shown: the mix itself, or after root motion and feet
    vrmi_pose_lanes corrected;
    vrmi_mix sampled[2]; // of the current layer's slots
    vrm_quat added[VRM_HUMAN_BONE_COUNT];
} vrmi_mixing;

// The weight of a bone.
static inline float vrmi_mix_weight(const vrmi_mix *mix, int32_t bone)
{
    if (mix->spread) {
        return mix->weight[bone];
    }
    return (mix->bones >> bone & 1u) != 0 ? mix->share : 0.0f;
}

// Advances by dt and applies the player: to these local transforms in rows of node_pose (the instance's output or its
// input), to `expressions`, and as the clips' gaze of the instance. Returns true when `expressions` has changed.
bool vrmi_player_show(vrm_clip_player *player, vrm_instance *instance, float dt, vrm_transform *locals);

// --- mixing (clip_mix.c) ---------------------------------------------------------------------------------------------

// Mixes bones, hips and gaze of these layers, which may be the player's own at another time.
void vrmi_player_mix(const vrm_clip_player *player, const vrmi_player_layer *layers, vrmi_mixing *out);
// Mixes the expressions of its own layers.
void vrmi_player_mix_expressions(vrm_clip_player *player);
// Gives every bone its own weight and every lane a unit rotation.
void vrmi_mix_spread(vrmi_mix *mix);
// Splits a time of either sign into whole rounds of the clip's duration and the rest.
double vrmi_slot_rounds(double time, double length, double *out_rest);
// The wrapped time of the slot's clip.
float vrmi_slot_time(const vrmi_clip_slot *slot);
// The avatar's size relative to the clip's own skeleton, by the height of the hips.
float vrmi_player_scale(const vrm_clip_player *player, const vrm_clip *clip);
// Samples a track of the slot's clip, searching from the last key found.
void vrmi_slot_sample(const vrmi_clip_slot *slot, int32_t track, float time, float *out);

// --- what was shown, and transitions from there (clip_shown.c, clip_inertia.c) ---------------------------------------

// Records that this mix is shown.
void vrmi_player_keep_shown(vrm_clip_player *player, vrmi_mix *mix, float dt);
// The pose shown last, or the one before: spread, taken from memory or recomputed from the clips' times.
void vrmi_player_recall(const vrm_clip_player *player, bool earlier, vrmi_mix *out);
// Stores both, before something changes that they would be recomputed from.
void vrmi_player_hold_shown(vrm_clip_player *player);
// Starts the offset that decays in these seconds, so that the new clip continues from the pose shown last (which is
// held).
void vrmi_player_start_inertia(vrm_clip_player *player, float seconds);
// Subtracts what remains of the offset from the mix.
void vrmi_player_decay(vrm_clip_player *player, float dt, vrmi_mix *mix);

// --- changes to the mix ----------------------------------------------------------------------------------------------

// Keeps the hips over their place and returns their motion as root motion.
void vrmi_player_root(vrm_clip_player *player, vrmi_mixing *mixing);
// Moves the ankles to where the clip's own skeleton has them.
void vrmi_player_plant_feet(vrm_clip_player *player, vrmi_mixing *mixing, float dt);
// The shown pose, for changes.
vrmi_pose_lanes *vrmi_mixing_correct(vrmi_mixing *mixing);
// Writes the shown pose to local transforms in rows of node_pose.
void vrmi_player_overlay(const vrm_clip_player *player, const vrmi_mixing *mixing, vrm_transform *locals);

// --- an instance and its player (the stage is in stages.h) ---------------------------------------------------------------

// Resets: no clip is shown, but the player stays.
void vrmi_clip_init(vrm_instance *instance);
// Whether nothing will move until someone plays or sets something.
bool vrmi_clip_is_still(const vrm_instance *instance);
// The gaze set by vrm_clip_player_apply(); an attached player has a snapshot of its own.
void vrmi_clip_snapshot(vrm_instance *instance, vrmi_cursor *cursor);
// Detaches player and instance from each other.
void vrmi_clip_detach(vrm_instance *instance);
// Wakes the player's instance.
static inline void vrmi_player_stir(vrm_clip_player *player)
{
    if (player->instance != NULL) {
        vrmi_instance_stir(player->instance);
    }
}

#endif
