// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_CLIP_H
#define VRMI_RUNTIME_CLIP_H

// What plays on one instance: slots hold clips, layers mix their two slots (what plays and what it fades from), the
// player mixes its layers. All mixing is in the normalized humanoid; missing bones are folded into their children at
// the end.

#include <vrm/clip.h>

#include "math/cursor.h"
#include "model/clip.h"
#include "model/model.h"
#include "runtime/clip/kernel_clip.h"
#include "runtime/core/instance.h"

enum {
    VRMI_PLAYER_MAX_LAYERS = 8,
    VRMI_PLAYER_CURSORS = 64 // tracks beyond are found by bisection alone
};

// A pose with how much of it there is. Until it is spread, bones share one weight, and of the rotations those groups
// that hold a bone are there; then every bone has its own, and every lane holds a unit rotation.
typedef struct vrmi_mix {
    vrmi_pose_lanes rotation;
    uint64_t bones; // of which it may say something
    bool spread;
    float share;                   // weight of all `bones`, until it is spread
    float weight[VRMI_POSE_LANES]; // once it is; 0 says nothing
    float hips_weight;
    vrm_vec3 hips; // model space of the avatar
    float yaw, pitch, gaze_weight;
} vrmi_mix;

typedef struct vrmi_clip_slot {
    vrm_clip *clip;    // or NULL
    double time;       // as if it had no end: wrapping gives the clip's
    double earlier;    // before the last update
    uint32_t *cursors; // VRMI_PLAYER_CURSORS; NULL: keys are found by bisection
    float speed;
    uint32_t wrap;
    bool fresh; // it begins here: what is at this very moment has not been passed
    bool began; // in the last update
} vrmi_clip_slot;

typedef struct vrmi_player_layer {
    vrmi_clip_slot now;
    float fade_elapsed, fade_duration;
    uint32_t transition;     // vrm_clip_transition
    uint32_t expressions[2]; // of the avatar, that the clips before and now move
    vrmi_clip_slot before;
    vrm_clip_layer_params settings;
    double shown, shown_earlier; // `now.time` as the last update showed it, and the one before
    vrm_clip *retired;           // faded out by an update, which must not free: the next call that may drops it
} vrmi_player_layer;

// The remainder of a transition, either an inertial one or one that interrupts another: rotation vectors and their
// velocities; the last one is the hips' position.
typedef struct vrmi_inertia {
    float elapsed, duration;
    vrm_vec3 offset[VRM_HUMAN_BONE_COUNT + 1], speed[VRM_HUMAN_BONE_COUNT + 1];
    float weight[VRM_HUMAN_BONE_COUNT + 1]; // how much more of it was shown before
    // Bones that the new clip leaves alone (the last bit: the hips' place) go on from where they are held while their
    // weight dies away. Of the others that is what was played last: it may be taken away on the way.
    uint64_t left;
    vrm_quat held[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips;
    float yaw, pitch, gaze_weight; // the gaze: angles times weight, and weight
} vrmi_inertia;

// A place on the ground, and the heading about the vertical.
typedef struct vrmi_ground {
    vrm_vec3 place; // y is 0
    float heading;
} vrmi_ground;

// A pose that was shown, for what an inertial transition starts from and its speed. One clip a layer gives it again
// from its time, so that it need not be written down in each frame.
typedef struct vrmi_shown {
    vrmi_mix *mix;
    bool held; // it is written down in `mix`, spread
} vrmi_shown;

// Hot first, and behind it in the block layers and cursors: what a frame of one clip reads and writes lies side by
// side.
// A foot that is held where it stands: where the clip has its ankle in the model, and what the hold adds to that.
typedef struct vrmi_held_foot {
    bool known, holds;
    float quiet; // seconds that it has been low and still
    vrm_vec3 ankle, offset;
} vrmi_held_foot;

struct vrm_clip_player {
    const vrmi_model *model; // of the avatar
    const vrmi_clip_kernels *kernels;
    vrmi_player_layer *layers;
    uint32_t layer_count, expression_count;
    uint32_t shown_count; // of the last two, that there are
    float last_dt;
    vrmi_shown last, earlier; // shown
    bool decays;              // there is something in `inertia`
    // Is there anything but zeros in `expression_values` and `_weights`, in `expression_shown`, in `expressions`?
    bool expressions_mixed, expressions_shown, expressions_set;
    bool root_known;
    bool allocated;
    vrmi_ground root_motion, root; // of the last update; where the clip was then
    vrmi_held_foot feet[2];        // left, right
    double root_round;
    vrmi_inertia *inertia;
    vrm_instance *instance; // attached to, or NULL
    const vrm_avatar *avatar;
    vrm_allocator allocator;
    size_t size;
    // By avatar expression: index of the clip's, per layer and slot; or -1.
    int32_t *expression_map;
    float *expression_values, *expression_weights; // mixed
    // The values of the last update, and the remainder of a transition: values, then weights.
    float *expression_shown, *expression_left;
    vrmi_expression_entry *expressions; // read by the instance's merge
};

// What a frame of a player is made in; nothing of it is kept.
typedef struct vrmi_mixing {
    vrmi_mix mix;
    bool mixed;    // a layer has said something in this mix
    uint64_t adds; // bones with something added by additive layers
    vrm_vec3 hips_added;
    vrm_vec3 hips;               // shown
    const vrmi_pose_lanes *pose; // shown: the mix itself, or what root motion and feet have made of it
    vrmi_pose_lanes corrected;
    vrmi_mix sampled[2]; // of the slots of the layer under way
    vrm_quat added[VRM_HUMAN_BONE_COUNT];
} vrmi_mixing;

// How much there is of a bone.
static inline float vrmi_mix_weight(const vrmi_mix *mix, int32_t bone)
{
    if (mix->spread) {
        return mix->weight[bone];
    }
    return (mix->bones >> bone & 1u) != 0 ? mix->share : 0.0f;
}

// Moves on by dt and shows what plays: over these local transforms in rows of node_pose (the instance's output or its
// input), in `expressions`, and as the instance's gaze of clips. True when `expressions` has changed.
bool vrmi_player_show(vrm_clip_player *player, vrm_instance *instance, float dt, vrm_transform *locals);

// --- mixing (clip_mix.c) ---------------------------------------------------------------------------------------------

// Bones, hips and gaze of these layers, which may be the player's own at another moment.
void vrmi_player_mix(const vrm_clip_player *player, const vrmi_player_layer *layers, vrmi_mixing *out);
// And the expressions of its own.
void vrmi_player_mix_expressions(vrm_clip_player *player);
// Gives every bone its own weight and every lane a unit rotation.
void vrmi_mix_spread(vrmi_mix *mix);
// Whole rounds of the clip's duration and the rest, for times of either sign.
double vrmi_slot_rounds(double time, double length, double *out_rest);
// Where the slot's clip is, wrapped.
float vrmi_slot_time(const vrmi_clip_slot *slot);
// How much larger the avatar is than the clip's own skeleton, by the height of the hips.
float vrmi_player_scale(const vrm_clip_player *player, const vrm_clip *clip);
// A track of the slot's clip, from where it was looked for last.
void vrmi_slot_sample(const vrmi_clip_slot *slot, int32_t track, float time, float *out);

// --- what was shown, and transitions from there (clip_shown.c, clip_inertia.c) ---------------------------------------

// This mix is shown.
void vrmi_player_keep_shown(vrm_clip_player *player, vrmi_mix *mix, float dt);
// What was shown last, or before: spread, from where it is written down or from the clips' times.
void vrmi_player_recall(const vrm_clip_player *player, bool earlier, vrmi_mix *out);
// Writes both down, before something changes that they would be found again by.
void vrmi_player_hold_shown(vrm_clip_player *player);
// What has to be taken away in these seconds, so that what plays now begins as what was shown last (and is held) goes
// on.
void vrmi_player_start_inertia(vrm_clip_player *player, float seconds);
// Takes what is left of it away from the mix.
void vrmi_player_decay(vrm_clip_player *player, float dt, vrmi_mix *mix);

// --- what is made of the mix -----------------------------------------------------------------------------------------

// The hips over their place, and the way that they went.
void vrmi_player_root(vrm_clip_player *player, vrmi_mixing *mixing);
// Ankles where the clip's own skeleton has them.
void vrmi_player_plant_feet(vrm_clip_player *player, vrmi_mixing *mixing, float dt);
// The shown pose, to be changed.
vrmi_pose_lanes *vrmi_mixing_correct(vrmi_mixing *mixing);
// The shown pose over local transforms in rows of node_pose.
void vrmi_player_overlay(const vrm_clip_player *player, const vrmi_mixing *mixing, vrm_transform *locals);

// --- an instance and its player (the stage is in stages.h) ---------------------------------------------------------------

// No clip shows; the player stays.
void vrmi_clip_init(vrm_instance *instance);
// Does nothing move while nobody plays or sets anything?
bool vrmi_clip_is_still(const vrm_instance *instance);
// The gaze that vrm_clip_player_apply() has set; an attached player has a snapshot of its own.
void vrmi_clip_snapshot(vrm_instance *instance, vrmi_cursor *cursor);
// The attached player lets go of the instance, and the other way round.
void vrmi_clip_detach(vrm_instance *instance);
// The player's instance wakes.
static inline void vrmi_player_stir(vrm_clip_player *player)
{
    if (player->instance != NULL) {
        vrmi_instance_stir(player->instance);
    }
}

#endif
