// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_CLIP_H
#define VRM_CLIP_H

/// @file clip.h
/// Motion: a clip is an animation of the normalized humanoid, of expressions and of the gaze, immutable and shared by
/// all avatars; a player mixes clips for one instance and retargets them to its avatar. Clips come from .vrma files
/// (VRMC_vrm_animation-1.0), BVH text and glTF animations whose nodes are a humanoid's. Normalized: a rotation is in
/// the model's axes (+X left, +Y up, +Z forward) and the identity is the T-pose, independent of the rest rotations of
/// file and avatar; N = W * L^-1 * q * W^-1 with W, L the bone's rest rotation in the model and in its parent.

#include <vrm/instance.h>

/// A motion of the normalized humanoid, for any avatar. Immutable: instances and threads may share it.
typedef struct vrm_clip vrm_clip;

/// How a clip is read.
typedef struct vrm_clip_def {
    uint32_t struct_size;
    /// glTF: index of the animation; default 0, which VRMC_vrm_animation defines as the one to play.
    uint32_t animation;
    vrm_allocator allocator; ///< Kept by the clip.
    vrm_limits limits;
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
    float unit; ///< BVH: metres per unit of the file, 0.0001 to 100; 0, the default: guessed from the legs' length.
    /// For BVH, and glTF without VRM extension: lines "joint name = boneName" that override the built-in names (nothing
    /// after = leaves the joint out). UTF-8, not terminated; default empty.
    vrm_string bone_map;
} vrm_clip_def;

/// Fills it with the defaults.
VRM_API void vrm_clip_def_default(vrm_clip_def *def, size_t size);
#define vrm_clip_def_default(def) vrm_clip_def_default(def, sizeof *(def))
/// Makes a clip from a document: bones of VRMC_vrm_animation, else of VRMC_vrm, else by the nodes' names. The document
/// may be freed afterwards. `def` may be NULL; `report` too. A file may have only expressions or only a gaze.
/// Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, INVALID_ASSET (no such animation, or nothing in it that a clip can hold),
/// UNSUPPORTED, LIMIT, CANCELLED.
VRM_API vrm_result vrm_clip_import(
    const vrm_clip_def *def, const vrm_gltf *gltf, vrm_report *report, vrm_clip **out_clip);
/// Makes a clip from the bytes of a .vrma, .glb, .vrm, .gltf or .bvh file; the content decides which. Malformed BVH
/// text is INVALID_ASSET with the finding BVH_SYNTAX, which gives line and column. Also NOT_GLTF.
VRM_API vrm_result vrm_clip_load(
    const vrm_clip_def *def, const void *bytes, size_t size, vrm_report *report, vrm_clip **out_clip);
/// The same from a path (UTF-8). Also NOT_FOUND, READ.
VRM_API vrm_result vrm_clip_load_file(
    const vrm_clip_def *def, const char *path, vrm_report *report, vrm_clip **out_clip);
/// Adds a reference, atomically. Returns the clip.
VRM_API vrm_clip *vrm_clip_retain(vrm_clip *clip);
/// Drops a reference; the last one frees it. NULL is allowed. Players hold a reference of their own.
VRM_API void vrm_clip_release(vrm_clip *clip);

/// Describes a clip.
typedef struct vrm_clip_info {
    uint32_t struct_size;   ///< Set by the caller: sizeof(vrm_clip_info).
    vrm_string name;        ///< Of the animation; may be empty. Lives as long as the clip.
    float duration;         ///< Seconds, from 0 to the last key.
    uint64_t bones;         ///< Bit 1 << vrm_human_bone for each bone that it rotates.
    bool has_hips_position; ///< It moves the hips.
    bool has_gaze;          ///< It has a gaze.
    bool additive;          ///< Made by vrm_clip_make_additive(): differences to a reference pose.
    uint32_t expressions;   ///< Number of expressions that it sets.
    uint64_t keys;          ///< Keys of all tracks.
    vrm_vec3 hips_rest;     ///< Position of the hips in the T-pose of the clip's own skeleton, its own metres.
    uint32_t markers;       ///< Named moments.
} vrm_clip_info;

/// Describes a clip.
VRM_API void vrm_clip_get_info(const vrm_clip *clip, vrm_clip_info *out_info);
/// Name of an expression that it sets: preset or custom. INVALID_ARGUMENT outside.
VRM_API vrm_result vrm_clip_get_expression(const vrm_clip *clip, uint32_t expression, vrm_string *out_name);

/// A named moment of a clip: a step, a hit, a word.
typedef struct vrm_clip_marker {
    float time;      ///< Seconds.
    vrm_string name; ///< UTF-8; may be empty. Of a clip: lives as long as it does.
} vrm_clip_marker;

/// A marker by its place, sorted by time. INVALID_ARGUMENT outside.
VRM_API vrm_result vrm_clip_get_marker(const vrm_clip *clip, uint32_t marker, vrm_clip_marker *out_marker);

/// A clip's values at one time.
typedef struct vrm_clip_pose {
    uint32_t struct_size;                     ///< Set by the caller: sizeof(vrm_clip_pose).
    vrm_quat rotations[VRM_HUMAN_BONE_COUNT]; ///< Normalized; identity where the clip does not rotate.
    vrm_vec3 hips;                            ///< In the model space of the clip's own skeleton, metres.
    float yaw, pitch;                         ///< Gaze, + left and + down, radians; 0 without one.
} vrm_clip_pose;

/// Samples the clip at a time in seconds; before 0 and after the end the first and last values are held. In any order,
/// without allocation.
VRM_API void vrm_clip_sample(const vrm_clip *clip, float time, vrm_clip_pose *out_pose);
/// Samples an expression, 0 to 1; 0 for an index outside.
VRM_API float vrm_clip_sample_expression(const vrm_clip *clip, uint32_t expression, float time);

// --- operations: each makes a new clip with the allocator of the first one ---------------------------------------------

/// The part between two times (0 <= start < end, limited to the clip), as a clip that begins at 0. Exact also between
/// keys.
VRM_API vrm_result vrm_clip_trim(const vrm_clip *clip, float start, float end, vrm_clip **out_clip);
/// Keys at every 1 / rate seconds (rate 1 to 1000) and at the end, linear between.
VRM_API vrm_result vrm_clip_resample(const vrm_clip *clip, float rate, vrm_clip **out_clip);
/// Left and right exchanged: bones, positions, gaze, and the expressions blinkLeft, lookLeft with theirs to the right.
VRM_API vrm_result vrm_clip_mirror(const vrm_clip *clip, vrm_clip **out_clip);
/// Backwards.
VRM_API vrm_result vrm_clip_reverse(const vrm_clip *clip, vrm_clip **out_clip);
/// Makes the end match the beginning: over the last `seconds` (above 0, at most the duration) the difference between
/// the two is blended in. The hips keep their movement over the ground, for root motion. Keys are at the times of
/// vrm_clip_resample().
VRM_API vrm_result vrm_clip_make_loop(const vrm_clip *clip, float seconds, float rate, vrm_clip **out_clip);
/// The same motion with these markers (in any order; times from 0 to the duration) instead of its own. Files keep them
/// as `extras.markers` of the animation: [{"time": seconds, "name": text}].
VRM_API vrm_result vrm_clip_set_markers(
    const vrm_clip *clip, const vrm_clip_marker *markers, uint32_t count, vrm_clip **out_clip);
/// The difference to `reference` at `time` (NULL: to the clip itself), which a player adds to the layers below. Without
/// the gaze. INVALID_ARGUMENT when either of them is additive.
VRM_API vrm_result vrm_clip_make_additive(
    const vrm_clip *clip, const vrm_clip *reference, float time, vrm_clip **out_clip);
/// Leaves out keys that linear interpolation reproduces within an error: metres, above 0, at the ends of the limbs of a
/// body whose hips are 1 m high, all bones together; for expressions and gaze the same number as weight and radians.
/// Tracks with steps or splines are kept as they are.
VRM_API vrm_result vrm_clip_reduce(const vrm_clip *clip, float error, vrm_clip **out_clip);

/// How a clip is written.
typedef struct vrm_clip_write_params {
    uint32_t struct_size;
    float rate; ///< BVH: frames per second, 1 to 1000; default 30.
    float unit; ///< BVH: metres per unit of the file, 0.0001 to 100; default 0.01, centimetres.
    vrm_allocator allocator;
} vrm_clip_write_params;

/// Fills it with the defaults.
VRM_API void vrm_clip_write_params_default(vrm_clip_write_params *def, size_t size);
#define vrm_clip_write_params_default(def) vrm_clip_write_params_default(def, sizeof *(def))
/// The clip as .vrma (GLB): skeleton in the T-pose without rest rotations. An additive clip, or one without keys, is
/// INVALID_ARGUMENT.
VRM_API vrm_result vrm_clip_write_vrma(const vrm_clip_write_params *def, const vrm_clip *clip, vrm_bytes *out_bytes);
/// The humanoid part as BVH text: joints have the names of VRM's bones, channels in the order Z, X, Y. A clip without
/// bones, or an additive one, is INVALID_ARGUMENT.
VRM_API vrm_result vrm_clip_write_bvh(const vrm_clip_write_params *def, const vrm_clip *clip, vrm_bytes *out_bytes);

// --- player ------------------------------------------------------------------------------------------------------------

/// Plays clips for instances of one avatar, in layers: each is mixed over the ones below by its weight. One block of
/// memory, owned by one thread at a time; no call but create and destroy allocates.
typedef struct vrm_clip_player vrm_clip_player;

/// Options of a player.
typedef struct vrm_clip_player_def {
    uint32_t struct_size;
    uint32_t layers;          ///< 1 to 8; default 1.
    const vrm_avatar *avatar; ///< Required. The player keeps a reference.
    vrm_allocator allocator;  ///< Of vrm_clip_player_create(); all zero: the avatar's.
} vrm_clip_player_def;

/// Fills it with the defaults.
VRM_API void vrm_clip_player_def_default(vrm_clip_player_def *def, size_t size);
#define vrm_clip_player_def_default(def) vrm_clip_player_def_default(def, sizeof *(def))
/// Bytes that vrm_clip_player_init() needs, aligned to 64; 0 for an invalid def.
VRM_API size_t vrm_clip_player_get_size(const vrm_clip_player_def *def);
/// Makes a player in the caller's memory (aligned to 64, at least vrm_clip_player_get_size() bytes).
VRM_API vrm_result vrm_clip_player_init(
    const vrm_clip_player_def *def, void *memory, size_t size, vrm_clip_player **out_player);
/// Allocates and inits.
VRM_API vrm_result vrm_clip_player_create(const vrm_clip_player_def *def, vrm_clip_player **out_player);
/// Detaches it from its instance, drops its references and frees the memory if vrm_clip_player_create() took it. NULL
/// is allowed.
VRM_API void vrm_clip_player_destroy(vrm_clip_player *player);
/// From now on updates of the instance advance the player and show its pose: bones and expressions (layer CLIP) that
/// the clips move come from the player instead of the host's input, which is not changed. So does the gaze, unless the
/// host has set one. NULL detaches the player. An instance has one player, a player one instance; the avatar must be
/// the same. Destroying either of them detaches it.
VRM_API vrm_result vrm_instance_set_clip_player(vrm_instance *instance, vrm_clip_player *player);

/// What happens at the end of a clip.
typedef enum vrm_clip_wrap {
    VRM_CLIP_WRAP_HOLD = 0,     ///< The last pose is held. Default.
    VRM_CLIP_WRAP_LOOP = 1,     ///< Starts again from the beginning.
    VRM_CLIP_WRAP_PING_PONG = 2 ///< Forth and back.
} vrm_clip_wrap;

/// How a new clip replaces an old one.
typedef enum vrm_clip_transition {
    /// The old clip continues below the new one while the new one's weight grows. Default.
    VRM_CLIP_TRANSITION_FADE = 0,
    /// The new clip plays at once and the difference to the last pose decays, starting with that pose's velocity: no
    /// jump of position or velocity, and only one clip to sample. Bones that only one of the clips moves gain or lose
    /// their weight. Expressions and gaze fade.
    VRM_CLIP_TRANSITION_INERTIAL = 1
} vrm_clip_transition;

/// How a clip is played.
typedef struct vrm_clip_play_params {
    uint32_t struct_size;
    vrm_clip_wrap wrap;
    float speed;   ///< Speed factor, -100 to 100; default 1. 0 stops the clip.
    float start;   ///< Start time, seconds, not negative; default 0. With a negative speed start at the end.
    float seconds; ///< Of the transition, 0 (at once, the default) to 60.
    vrm_clip_transition transition;
    bool align; ///< Begin at the same fraction of the duration as the old clip, instead of at `start`; default false.
} vrm_clip_play_params;

/// Fills it with the defaults.
VRM_API void vrm_clip_play_params_default(vrm_clip_play_params *play, size_t size);
#define vrm_clip_play_params_default(play) vrm_clip_play_params_default(play, sizeof *(play))
/// Plays a clip in a layer. `play` may be NULL for the default; `clip` NULL fades the layer out over `seconds`. A clip
/// that was fading out in this layer ends at once; the remaining offset of the pose decays over `seconds` (except in
/// additive layers).
VRM_API vrm_result vrm_clip_player_play(
    vrm_clip_player *player, uint32_t layer, vrm_clip *clip, const vrm_clip_play_params *play);

/// Every bone.
#define VRM_CLIP_ALL_BONES ((UINT64_C(1) << VRM_HUMAN_BONE_COUNT) - 1)

/// How a layer is mixed over those below it.
typedef struct vrm_clip_layer_params {
    uint32_t struct_size;
    float weight;            ///< 0 to 1, of everything; default 1.
    float humanoid_weight;   ///< 0 to 1, of bones and hips position; default 1.
    float expression_weight; ///< 0 to 1; default 1.
    float gaze_weight;       ///< 0 to 1; default 1.
    uint64_t bones;          ///< Bit 1 << vrm_human_bone for each bone that may move; default VRM_CLIP_ALL_BONES.
    bool hips_position;      ///< The position of the hips too (when their bone may move); default true.
    /// The hips stay above their rest position, and vrm_clip_player_get_root_motion() gives their movement over the
    /// ground instead, without a jump at loops; default false. Used in layer 0 only.
    bool root_motion;
    /// With root_motion: the hips also face ahead, and vrm_clip_player_get_root_turn() gives their rotation about the
    /// vertical axis; default false.
    bool root_turn;
    /// 0 to 1: how much the ankles move to their positions in the clip's own skeleton, scaled to the avatar, so that
    /// standing feet do not slide on legs of other proportions; default 0. Used in layer 0 only. A foot that is low and
    /// nearly still keeps its place (without root_motion), and the hips sink if stretched legs would not reach.
    float foot_weight;
} vrm_clip_layer_params;

/// Fills it with the defaults.
VRM_API void vrm_clip_layer_params_default(vrm_clip_layer_params *layer, size_t size);
#define vrm_clip_layer_params_default(layer) vrm_clip_layer_params_default(layer, sizeof *(layer))
/// Sets how a layer is mixed. INVALID_ARGUMENT outside the ranges.
VRM_API vrm_result vrm_clip_player_set_layer(
    vrm_clip_player *player, uint32_t layer, const vrm_clip_layer_params *settings);
/// Jumps, in seconds of the clip that plays in a layer. NOT_FOUND when none does.
VRM_API vrm_result vrm_clip_player_set_time(vrm_clip_player *player, uint32_t layer, double time);
/// Time in the layer's clip, wrapped; 0 when none plays.
VRM_API float vrm_clip_player_get_time(const vrm_clip_player *player, uint32_t layer);
/// Whether a clip with WRAP_HOLD has reached its end, or none plays.
VRM_API bool vrm_clip_player_is_finished(const vrm_clip_player *player, uint32_t layer);
/// Markers of a layer's clip that the last update passed, in that order: indices for vrm_clip_get_marker(). Loops and
/// ping-pong count each pass; the first update passes a marker at the very beginning; jumps pass none. Writes at most
/// `capacity` and returns how many there were.
VRM_API uint32_t vrm_clip_player_get_markers(
    const vrm_clip_player *player, uint32_t layer, uint32_t *out_markers, uint32_t capacity);
/// Movement of the hips over the ground in the last update, metres in model space, y is 0. With root_turn it is in the
/// space of the avatar as it faced before that update: root.position += root.rotation * movement.
VRM_API void vrm_clip_player_get_root_motion(const vrm_clip_player *player, vrm_vec3 *out_way);
/// Rotation of the hips about the vertical axis in the last update, radians, + left; 0 without root_turn. Apply it
/// after the movement: root.rotation = root.rotation * (rotation about Y).
VRM_API float vrm_clip_player_get_root_turn(const vrm_clip_player *player);
/// Writes the current pose to the instance's input, where the host may change it: an alternative to attaching the
/// player. Bones by their local transforms, expressions in layer CLIP, the gaze beside the host's. The player does not
/// advance.
VRM_API vrm_result vrm_clip_player_apply(vrm_clip_player *player, vrm_instance *instance);

/// Saves times, weights and transitions as plain bytes, as vrm_instance_snapshot() does; clips are identified by a
/// hash.
VRM_API vrm_result vrm_clip_player_snapshot(const vrm_clip_player *player, void *buffer, size_t *size);
/// Restores; the same clips must play in the same layers, else INVALID_ASSET and nothing changes.
VRM_API vrm_result vrm_clip_player_restore(vrm_clip_player *player, const void *buffer, size_t size);

// --- inverse kinematics --------------------------------------------------------------------------------------------------

/// A limb of two bones, such as an arm or a leg. All positions are in the same space.
typedef struct vrm_two_bone_limb {
    vrm_vec3 root, middle, end; ///< Shoulder, elbow, wrist (hip, knee, ankle) as they are.
    vrm_vec3 target;            ///< Target of the end.
    vrm_vec3 pole; ///< A point towards which the middle joint bends; equal to `root`: the middle keeps its side.
    /// Fraction of the limb's length over which it stretches ever more slowly, 0 to 0.5; 0: it snaps straight.
    float soft;
    float weight; ///< 0 to 1.
} vrm_two_bone_limb;

/// Gives the rotations, in the space of the positions, to apply before the world rotations of the upper and the lower
/// bone, so that the end reaches the target, or comes as near as the limb allows. Degenerate limbs give identities.
VRM_API void vrm_two_bone_ik(const vrm_two_bone_limb *limb, vrm_quat *out_upper, vrm_quat *out_lower);

#endif
