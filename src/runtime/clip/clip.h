// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_CLIP_H
#define VRMI_RUNTIME_CLIP_H

// Playback of clips on one instance. A slot plays a clip. A layer mixes its two slots, the current one and the one that
// it fades from. The player mixes its layers. All mixing is in the normalized humanoid; rotations of bones that the
// avatar lacks are folded into their children at the end.

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

// A pose with its weights. At first all bones in `bones` have the same weight, `share`, and rotations are valid only in
// groups that contain one of these bones. After vrmi_mix_spread() every bone has its own weight, and every lane has a
// unit rotation.
typedef struct vrmi_mix {
    vrmi_pose_lanes rotation;
    uint64_t bones; // bones that may have a weight
    bool spread;
    float share;                   // weight of each of `bones` before vrmi_mix_spread()
    float weight[VRMI_POSE_LANES]; // weight of each bone after vrmi_mix_spread(); 0: no effect
    float hips_weight;
    vrm_vec3 hips; // position in the avatar's model space
    float yaw, pitch, gaze_weight;
} vrmi_mix;

typedef struct vrmi_clip_slot {
    vrm_clip *clip;    // or NULL
    double time;       // continuous time, which wraps to the clip's time
    double earlier;    // `time` before the last update
    uint32_t *cursors; // [VRMI_PLAYER_CURSORS]; NULL: keys are found by bisection
    float speed;
    uint32_t wrap;
    bool fresh; // playback starts here: markers at exactly this time are still to be passed
    bool began; // playback started in the last update
} vrmi_clip_slot;

typedef struct vrmi_player_layer {
    vrmi_clip_slot now;
    float fade_elapsed, fade_duration;
    uint32_t transition;     // vrm_clip_transition
    uint32_t expressions[2]; // number of the avatar's expressions that the earlier and the current clip move
    vrmi_clip_slot before;
    vrm_clip_layer_params settings;
    double shown, shown_earlier; // `now.time` shown by the last update, and by the one before
    // Clip that faded out during an update; a later call releases it, because updates must not free memory.
    vrm_clip *retired;
} vrmi_player_layer;

// The remaining offset of an inertial transition, or of a transition that interrupted another: rotation vectors and
// their velocities. The last element is the position of the hips.
typedef struct vrmi_inertia {
    float elapsed, duration;
    vrm_vec3 offset[VRM_HUMAN_BONE_COUNT + 1], speed[VRM_HUMAN_BONE_COUNT + 1];
    float weight[VRM_HUMAN_BONE_COUNT + 1]; // weight before the transition minus weight of the new clip
    // Bones without a track in the new clip, as a bit mask; the last bit is the position of the hips. They keep their
    // rotation while their weight decays. For other bones `held` is the last played rotation, since the clip may stop
    // moving them during the transition.
    uint64_t left;
    vrm_quat held[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips;
    float yaw, pitch;  // offset of the gaze angles, each multiplied by the gaze weight
    float gaze_weight; // offset of the gaze weight
} vrmi_inertia;

// A position on the ground and a heading, the angle about the vertical.
typedef struct vrmi_ground {
    vrm_vec3 place; // y is 0
    float heading;
} vrmi_ground;

// A pose that was shown. Inertial transitions start from the last two of these poses. While each layer plays one clip,
// the pose can be recomputed from the clips' times, so it need not be stored in each frame.
typedef struct vrmi_shown {
    vrmi_mix *mix;
    bool held; // the pose is stored in `mix`, after vrmi_mix_spread()
} vrmi_shown;

// A foot that is held in place: the clip's ankle in model space, and the offset that holds the foot.
typedef struct vrmi_held_foot {
    bool known, holds;
    float quiet; // seconds since the foot became low and still
    vrm_vec3 ankle, offset;
} vrmi_held_foot;

// Members that every frame uses come first, and layers and cursors follow in the block, so that the memory for a frame
// with one clip is contiguous.
struct vrm_clip_player {
    const vrmi_model *model; // the avatar's model
    const vrmi_clip_kernels *kernels;
    vrmi_player_layer *layers;
    uint32_t layer_count, expression_count;
    uint32_t shown_count; // number of valid poses in `last` and `earlier`
    float last_dt;
    vrmi_shown last, earlier; // the last two shown poses
    bool decays;              // `inertia` is in use
    // Whether any value of these arrays is not 0. expressions_mixed: in `expression_values` or `expression_weights`;
    // expressions_shown: in `expression_shown`; expressions_set: in `expressions`.
    bool expressions_mixed, expressions_shown, expressions_set;
    bool root_known;
    bool allocated;
    vrmi_ground root_motion, root; // `root_motion`: motion in the last update; `root`: the clip's position after it
    vrmi_held_foot feet[2];        // left, right
    double root_round;
    vrmi_inertia *inertia;
    vrm_instance *instance; // the instance that the player is attached to, or NULL
    const vrm_avatar *avatar;
    vrm_allocator allocator;
    size_t size;
    // Indexed by layer, slot and avatar expression: index of the clip's expression, or -1.
    int32_t *expression_map;
    float *expression_values, *expression_weights; // mixed from all layers
    // The expressions shown by the last update, and the remaining offset of a transition. Each array has the values
    // first, then the weights.
    float *expression_shown, *expression_left;
    vrmi_expression_entry *expressions; // read by the merge of the instance's expressions
};

// Working memory for one frame of a player. Nothing is kept in it between frames.
typedef struct vrmi_mixing {
    vrmi_mix mix;
    bool mixed;    // a layer has contributed to this mix
    uint64_t adds; // bones that additive layers have changed
    vrm_vec3 hips_added;
    vrm_vec3 hips;               // shown position of the hips
    const vrmi_pose_lanes *pose; // the shown pose: the mix itself, or a copy corrected for root motion and feet
    vrmi_pose_lanes corrected;
    vrmi_mix sampled[2]; // samples of the current layer's two slots
    vrm_quat added[VRM_HUMAN_BONE_COUNT];
} vrmi_mixing;

// Returns the weight of a bone.
static inline float vrmi_mix_weight(const vrmi_mix *mix, int32_t bone)
{
    if (mix->spread) {
        return mix->weight[bone];
    }
    return (mix->bones >> bone & 1u) != 0 ? mix->share : 0.0f;
}

// Advances by dt and shows the player. Writes local transforms in rows of node_pose to `locals` (the instance's output
// or its input), weights to the player's `expressions`, and the clips' gaze to the instance. Bones with a weight below 1,
// additive layers and the rotations of missing bones are laid over `rest`, the rest transforms by node, or if it is NULL
// over the transforms in `locals`. Returns true if `expressions` has changed.
bool vrmi_player_show(
    vrm_clip_player *player, vrm_instance *instance, float dt, const vrm_transform *rest, vrm_transform *locals);

// --- mixing (clip_mix.c) ---------------------------------------------------------------------------------------------

// Mixes bones, hips and gaze of the layers, which may be copies of the player's layers at another time.
void vrmi_player_mix(const vrm_clip_player *player, const vrmi_player_layer *layers, vrmi_mixing *out);
// Mixes the expressions of the player's own layers.
void vrmi_player_mix_expressions(vrm_clip_player *player);
// Gives every bone its own weight and every lane a unit rotation.
void vrmi_mix_spread(vrmi_mix *mix);
// Splits a time, which may be negative, into whole loops of `length` and a remainder; returns the number of loops.
double vrmi_slot_rounds(double time, double length, double *out_rest);
// Returns the slot's time, wrapped to a time in its clip.
float vrmi_slot_time(const vrmi_clip_slot *slot);
// Returns the avatar's size relative to the clip's skeleton, measured by the height of the hips.
float vrmi_player_scale(const vrm_clip_player *player, const vrm_clip *clip);
// Samples a track of the slot's clip, searching from the last key found.
void vrmi_slot_sample(const vrmi_clip_slot *slot, int32_t track, float time, float *out);

// --- what was shown, and transitions from there (clip_shown.c, clip_inertia.c) ---------------------------------------

// Records that this mix is shown.
void vrmi_player_keep_shown(vrm_clip_player *player, vrmi_mix *mix, float dt);
// Returns the pose shown last, or the pose before it, as after vrmi_mix_spread(). If the pose is not stored, it is
// recomputed from the clips' times.
void vrmi_player_recall(const vrm_clip_player *player, bool earlier, vrmi_mix *out);
// Stores both shown poses, before a change of the data from which they would be recomputed.
void vrmi_player_hold_shown(vrm_clip_player *player);
// Starts an offset that decays within `seconds`, so that the new clip continues from the pose shown last. That pose
// must be stored.
void vrmi_player_start_inertia(vrm_clip_player *player, float seconds);
// Applies the remaining offset to the mix.
void vrmi_player_decay(vrm_clip_player *player, float dt, vrmi_mix *mix);

// --- changes to the mix ----------------------------------------------------------------------------------------------

// Moves the hips back over their rest place, and reports their motion as root motion.
void vrmi_player_root(vrm_clip_player *player, vrmi_mixing *mixing);
// Moves the ankles to their positions on the clip's own skeleton.
void vrmi_player_plant_feet(vrm_clip_player *player, vrmi_mixing *mixing, float dt);
// Returns the shown pose as a copy that may be changed.
vrmi_pose_lanes *vrmi_mixing_correct(vrmi_mixing *mixing);
// Writes the shown pose as local transforms over `rest` or `locals`, as vrmi_player_show() does; the rows are those of
// the table node_pose.
void vrmi_player_overlay(
    const vrm_clip_player *player, const vrmi_mixing *mixing, const vrm_transform *rest, vrm_transform *locals);

// --- an instance and its player (the stage is in stages.h) ---------------------------------------------------------------

// Resets the instance's clip state: no clip is shown, but the player stays attached.
void vrmi_clip_init(vrm_instance *instance);
// Whether everything stays still until the host plays or sets something.
bool vrmi_clip_is_still(const vrm_instance *instance);
// Saves or loads the gaze set by vrm_clip_player_apply(). An attached player has a separate snapshot.
void vrmi_clip_snapshot(vrm_instance *instance, vrmi_cursor *cursor);
// Detaches the player and the instance from each other.
void vrmi_clip_detach(vrm_instance *instance);
// Wakes the player's instance.
static inline void vrmi_player_stir(vrm_clip_player *player)
{
    if (player->instance != NULL) {
        vrmi_instance_stir(player->instance);
    }
}

#endif
