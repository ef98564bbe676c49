// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_CLIP_H
#define VRM_CLIP_H

/// @file clip.h
/// Motion. A clip is an animation of the normalized humanoid, of expressions and of the gaze; it is immutable, and all
/// avatars can share it. A player mixes clips for one instance and retargets them to its avatar. Clips come from .vrma
/// files (VRMC_vrm_animation-1.0), BVH text and glTF animations whose nodes form a humanoid.
///
/// A normalized rotation is in the model's axes (+X left, +Y up, +Z forward), and the identity is the T-pose, whatever
/// the rest rotations of file and avatar: N = W * L^-1 * q * W^-1, where q is the bone's local rotation, and W and L
/// are its rest rotations in the model and in its parent.

#include <vrm/instance.h>

/// A motion of the normalized humanoid, for any avatar. Immutable: instances and threads may share it.
typedef struct vrm_clip vrm_clip;

/// Options for reading a clip.
typedef struct vrm_clip_def {
    uint32_t struct_size;
    /// glTF: index of the animation. Default 0: VRMC_vrm_animation defines the first animation as the one to play.
    uint32_t animation;
    vrm_allocator allocator; ///< Allocator of the clip.
    vrm_limits limits;
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
    /// BVH: metres per unit of the file, 0.0001 to 100; 0, the default: guessed from the length of the legs.
    float unit;
    /// For BVH, and for glTF without a VRM extension: lines "joint name = boneName" that override the built-in names.
    /// An empty bone name leaves the joint out. UTF-8, not zero-terminated; default empty.
    vrm_string bone_map;
} vrm_clip_def;

/// Fills `def` with the defaults.
VRM_API void vrm_clip_def_default(vrm_clip_def *def, size_t size);
#define vrm_clip_def_default(def) vrm_clip_def_default(def, sizeof *(def))
/// Creates a clip from a document, which may be freed afterwards. The bones are those of VRMC_vrm_animation, else those
/// of VRMC_vrm, else they are found by the nodes' names. A file may have only expressions or only a gaze. `def` and
/// `report` may be NULL. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, INVALID_ASSET (no such animation, or nothing in it
/// that a clip can contain), UNSUPPORTED, LIMIT, CANCELLED.
VRM_API vrm_result vrm_clip_import(
    const vrm_clip_def *def, const vrm_gltf *gltf, vrm_report *report, vrm_clip **out_clip);
/// Creates a clip from the bytes of a .vrma, .glb, .vrm, .gltf or .bvh file, whose format is recognised by its content.
/// Malformed BVH text gives INVALID_ASSET and the finding BVH_SYNTAX with line and column. Errors: as
/// vrm_clip_import(), and NOT_GLTF.
VRM_API vrm_result vrm_clip_load(
    const vrm_clip_def *def, const void *bytes, size_t size, vrm_report *report, vrm_clip **out_clip);
/// Creates a clip from a file (path in UTF-8). Errors: as vrm_clip_load(), and NOT_FOUND, READ.
VRM_API vrm_result vrm_clip_load_file(
    const vrm_clip_def *def, const char *path, vrm_report *report, vrm_clip **out_clip);
/// Adds a reference, atomically, and returns the clip.
VRM_API vrm_clip *vrm_clip_retain(vrm_clip *clip);
/// Drops a reference; dropping the last one frees the clip. NULL is allowed. Players have references of their own.
VRM_API void vrm_clip_release(vrm_clip *clip);

/// Description of a clip.
typedef struct vrm_clip_info {
    uint32_t struct_size;   ///< Set by the caller: sizeof(vrm_clip_info).
    vrm_string name;        ///< Name of the animation; may be empty. Valid as long as the clip.
    float duration;         ///< Seconds from 0 to the last key.
    uint64_t bones;         ///< Bit 1 << vrm_human_bone for each bone that the clip rotates.
    bool has_hips_position; ///< The clip moves the hips.
    bool has_gaze;          ///< The clip has a gaze.
    bool additive;          ///< Created by vrm_clip_make_additive(): contains differences from a reference pose.
    uint32_t expressions;   ///< Number of expressions that the clip sets.
    uint64_t keys;          ///< Number of keys of all tracks.
    vrm_vec3 hips_rest;     ///< Position of the hips in the T-pose of the clip's own skeleton, metres.
    uint32_t markers;       ///< Number of markers, which name moments of the clip.
} vrm_clip_info;

/// Describes a clip.
VRM_API void vrm_clip_get_info(const vrm_clip *clip, vrm_clip_info *out_info);
/// Gives the name of an expression that the clip sets: preset or custom. Returns INVALID_ARGUMENT for an index out of
/// range.
VRM_API vrm_result vrm_clip_get_expression(const vrm_clip *clip, uint32_t expression, vrm_string *out_name);

/// A named moment of a clip: a step, a hit, a word.
typedef struct vrm_clip_marker {
    float time;      ///< Seconds.
    vrm_string name; ///< UTF-8; may be empty. If read from a clip, valid as long as the clip.
} vrm_clip_marker;

/// Gives a marker by its index; markers are sorted by time. Returns INVALID_ARGUMENT for an index out of range.
VRM_API vrm_result vrm_clip_get_marker(const vrm_clip *clip, uint32_t marker, vrm_clip_marker *out_marker);

/// A clip's values at one time.
typedef struct vrm_clip_pose {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_clip_pose).
    /// Normalized rotations; identity for bones that the clip does not rotate.
    vrm_quat rotations[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips;    ///< Position of the hips in the model space of the clip's own skeleton, metres.
    float yaw, pitch; ///< Gaze, + left and + down, radians; 0 without a gaze.
} vrm_clip_pose;

/// Samples the clip at a time in seconds. Before 0 it gives the first values, after the end the last ones. Times may
/// come in any order. Allocates nothing.
VRM_API void vrm_clip_sample(const vrm_clip *clip, float time, vrm_clip_pose *out_pose);
/// Returns an expression's weight at a time, 0 to 1; 0 for an index out of range.
VRM_API float vrm_clip_sample_expression(const vrm_clip *clip, uint32_t expression, float time);

// --- operations: each creates a new clip with the allocator of its first clip ---------------------------------------

/// Creates a clip from the part of `clip` between two times (0 <= start < end). Times are limited to the clip's
/// duration. The new clip begins at 0. The cut is exact even if a time is between two keys.
VRM_API vrm_result vrm_clip_trim(const vrm_clip *clip, float start, float end, vrm_clip **out_clip);
/// Creates a clip with keys every 1 / rate seconds (rate 1 to 1000) and at the end, linear between them.
VRM_API vrm_result vrm_clip_resample(const vrm_clip *clip, float rate, vrm_clip **out_clip);
/// Creates a clip with left and right exchanged: bones, positions, gaze, and expressions (blinkLeft with blinkRight,
/// lookLeft with lookRight).
VRM_API vrm_result vrm_clip_mirror(const vrm_clip *clip, vrm_clip **out_clip);
/// Creates a clip that runs backwards.
VRM_API vrm_result vrm_clip_reverse(const vrm_clip *clip, vrm_clip **out_clip);
/// Creates a clip whose end matches its beginning: over the last `seconds` (above 0, at most the duration) the
/// difference between the two is blended in. The hips keep their movement over the ground, for root motion. Keys are at
/// the times of vrm_clip_resample().
VRM_API vrm_result vrm_clip_make_loop(const vrm_clip *clip, float seconds, float rate, vrm_clip **out_clip);
/// Creates a clip of the same motion with these markers instead of the clip's own. They may be in any order, at times
/// from 0 to the duration. Files store them as `extras.markers` of the animation: [{"time": seconds, "name": text}].
VRM_API vrm_result vrm_clip_set_markers(
    const vrm_clip *clip, const vrm_clip_marker *markers, uint32_t count, vrm_clip **out_clip);
/// Creates an additive clip: the difference of the clip from the pose of `reference` at `time`. `reference` NULL: the
/// clip itself. A player adds the difference to the layers below. An additive clip has no gaze. Returns
/// INVALID_ARGUMENT if either clip is additive.
VRM_API vrm_result vrm_clip_make_additive(
    const vrm_clip *clip, const vrm_clip *reference, float time, vrm_clip **out_clip);
/// Creates a clip without the keys that linear interpolation reproduces within `error`. For bones `error` is in metres,
/// above 0, measured at the ends of the limbs of a body whose hips are 1 m high, for all bones together. For
/// expressions the same number is a weight; for the gaze it is in radians. Tracks with steps or splines are kept as
/// they are.
VRM_API vrm_result vrm_clip_reduce(const vrm_clip *clip, float error, vrm_clip **out_clip);

/// Options for writing a clip.
typedef struct vrm_clip_write_params {
    uint32_t struct_size;
    float rate; ///< BVH: frames per second, 1 to 1000; default 30.
    float unit; ///< BVH: metres per unit of the file, 0.0001 to 100; default 0.01 (centimetres).
    vrm_allocator allocator;
} vrm_clip_write_params;

/// Fills `def` with the defaults.
VRM_API void vrm_clip_write_params_default(vrm_clip_write_params *def, size_t size);
#define vrm_clip_write_params_default(def) vrm_clip_write_params_default(def, sizeof *(def))
/// Writes the clip as .vrma (GLB), with a skeleton in the T-pose without rest rotations. Returns INVALID_ARGUMENT for a
/// clip that is additive or has no keys.
VRM_API vrm_result vrm_clip_write_vrma(const vrm_clip_write_params *def, const vrm_clip *clip, vrm_bytes *out_bytes);
/// Writes the humanoid part of the clip as BVH text: joints have the names of VRM's bones, and channels are in the
/// order Z, X, Y. Returns INVALID_ARGUMENT for a clip that is additive or has no bones.
VRM_API vrm_result vrm_clip_write_bvh(const vrm_clip_write_params *def, const vrm_clip *clip, vrm_bytes *out_bytes);

// --- player ---------------------------------------------------------------------------------------------------------

/// Plays clips for instances of one avatar, in layers; each layer is mixed over the layers below by its weight. A
/// player is one block of memory, owned by one thread at a time. Only vrm_clip_player_create() allocates.
typedef struct vrm_clip_player vrm_clip_player;

/// Options of a player.
typedef struct vrm_clip_player_def {
    uint32_t struct_size;
    uint32_t layers;          ///< Number of layers, 1 to 8; default 1.
    const vrm_avatar *avatar; ///< Required. The player keeps a reference.
    vrm_allocator allocator;  ///< Used by vrm_clip_player_create(); all zero: the avatar's.
} vrm_clip_player_def;

/// Fills `def` with the defaults.
VRM_API void vrm_clip_player_def_default(vrm_clip_player_def *def, size_t size);
#define vrm_clip_player_def_default(def) vrm_clip_player_def_default(def, sizeof *(def))
/// Returns the number of bytes that vrm_clip_player_init() needs, aligned to 64; 0 for an invalid def.
VRM_API size_t vrm_clip_player_get_size(const vrm_clip_player_def *def);
/// Creates a player in the caller's memory (aligned to 64, at least vrm_clip_player_get_size() bytes).
VRM_API vrm_result vrm_clip_player_init(
    const vrm_clip_player_def *def, void *memory, size_t size, vrm_clip_player **out_player);
/// Allocates memory and creates a player in it.
VRM_API vrm_result vrm_clip_player_create(const vrm_clip_player_def *def, vrm_clip_player **out_player);
/// Detaches the player from its instance, drops its references, and frees the memory that vrm_clip_player_create()
/// allocated. NULL is allowed.
VRM_API void vrm_clip_player_destroy(vrm_clip_player *player);
/// Attaches a player to an instance: from now on updates of the instance advance the player and show its pose. Bones
/// and expressions (layer CLIP) that the clips move come from the player instead of the host's input, which is not
/// changed. The gaze also comes from the player, unless the host has set one. NULL detaches the player. An instance has
/// one player, and a player has one instance; both must have the same avatar. Destroying either of them detaches the
/// player.
VRM_API vrm_result vrm_instance_set_clip_player(vrm_instance *instance, vrm_clip_player *player);

/// Behaviour at the end of a clip.
typedef enum vrm_clip_wrap {
    VRM_CLIP_WRAP_HOLD = 0,     ///< The last pose is held. The default.
    VRM_CLIP_WRAP_LOOP = 1,     ///< The clip starts again from the beginning.
    VRM_CLIP_WRAP_PING_PONG = 2 ///< The clip plays forwards and backwards in turn.
} vrm_clip_wrap;

/// How a new clip replaces an old one.
typedef enum vrm_clip_transition {
    /// The old clip continues below the new clip while the new clip's weight grows. The default.
    VRM_CLIP_TRANSITION_FADE = 0,
    /// The new clip plays at once, and the difference from the last pose decays, starting with that pose's velocity.
    /// Position and velocity do not jump, and only one clip is sampled. Bones that only one of the clips moves gain or
    /// lose their weight. Expressions and gaze fade.
    VRM_CLIP_TRANSITION_INERTIAL = 1
} vrm_clip_transition;

/// Options for playing a clip.
typedef struct vrm_clip_play_params {
    uint32_t struct_size;
    vrm_clip_wrap wrap;
    float speed; ///< Speed factor, -100 to 100; default 1. 0 stops the clip.
    /// Start time, seconds, not negative; default 0. If the speed is negative, set it to the end of the clip.
    float start;
    float seconds; ///< Seconds of the transition, 0 (at once, the default) to 60.
    vrm_clip_transition transition;
    /// True: begins at the same fraction of the duration as the old clip, instead of at `start`; default false.
    bool align;
} vrm_clip_play_params;

/// Fills `play` with the defaults.
VRM_API void vrm_clip_play_params_default(vrm_clip_play_params *play, size_t size);
#define vrm_clip_play_params_default(play) vrm_clip_play_params_default(play, sizeof *(play))
/// Plays a clip in a layer. `play` may be NULL for the defaults. `clip` NULL fades the layer out over `seconds`. A clip
/// that was fading out in this layer ends at once, and the remaining offset of the pose decays over `seconds` (except
/// in additive layers).
VRM_API vrm_result vrm_clip_player_play(
    vrm_clip_player *player, uint32_t layer, vrm_clip *clip, const vrm_clip_play_params *play);

/// The bits of all bones, for vrm_clip_layer_params.bones.
#define VRM_CLIP_ALL_BONES ((UINT64_C(1) << VRM_HUMAN_BONE_COUNT) - 1)

/// How a layer is mixed over the layers below it.
typedef struct vrm_clip_layer_params {
    uint32_t struct_size;
    float weight;            ///< Weight of the whole layer, 0 to 1; default 1.
    float humanoid_weight;   ///< Weight of bones and hips position, 0 to 1; default 1.
    float expression_weight; ///< Weight of expressions, 0 to 1; default 1.
    float gaze_weight;       ///< Weight of the gaze, 0 to 1; default 1.
    uint64_t bones;          ///< Bit 1 << vrm_human_bone for each bone that may move; default VRM_CLIP_ALL_BONES.
    bool hips_position; ///< True: the layer also moves the position of the hips (if their bone may move); default true.
    /// True: the hips stay above their rest position, and vrm_clip_player_get_root_motion() gives their movement over
    /// the ground instead, without a jump at loops. Default false. Used in layer 0 only.
    bool root_motion;
    /// True, with root_motion: the hips also keep facing ahead, and vrm_clip_player_get_root_turn() gives their
    /// rotation about the vertical axis. Default false.
    bool root_turn;
    /// Weight with which the ankles are moved to their positions in the clip's own skeleton, scaled to the avatar. 0 to
    /// 1; default 0. This keeps standing feet from sliding on legs of other proportions. Used in layer 0 only. A foot
    /// that is low and nearly still keeps its position (without root_motion), and the hips sink if stretched legs would
    /// not reach the feet.
    float foot_weight;
} vrm_clip_layer_params;

/// Fills `layer` with the defaults.
VRM_API void vrm_clip_layer_params_default(vrm_clip_layer_params *layer, size_t size);
#define vrm_clip_layer_params_default(layer) vrm_clip_layer_params_default(layer, sizeof *(layer))
/// Sets how a layer is mixed. Returns INVALID_ARGUMENT for a value out of range.
VRM_API vrm_result vrm_clip_player_set_layer(
    vrm_clip_player *player, uint32_t layer, const vrm_clip_layer_params *settings);
/// Jumps to a time, in seconds of the clip that plays in a layer. Returns NOT_FOUND if none plays.
VRM_API vrm_result vrm_clip_player_set_time(vrm_clip_player *player, uint32_t layer, double time);
/// Returns the time in the layer's clip, wrapped; 0 if none plays.
VRM_API float vrm_clip_player_get_time(const vrm_clip_player *player, uint32_t layer);
/// Returns true if a clip with VRM_CLIP_WRAP_HOLD has reached its end, or if none plays.
VRM_API bool vrm_clip_player_is_finished(const vrm_clip_player *player, uint32_t layer);
/// Gives the markers of a layer's clip that the last update passed, in that order, as indices for
/// vrm_clip_get_marker(). Loops and ping-pong count each pass. The first update passes a marker at the very beginning;
/// jumps pass none. Writes at most `capacity` indices and returns how many there were.
VRM_API uint32_t vrm_clip_player_get_markers(
    const vrm_clip_player *player, uint32_t layer, uint32_t *out_markers, uint32_t capacity);
/// Gives the movement of the hips over the ground in the last update, metres in model space; y is 0. With root_turn the
/// movement is in the axes of the avatar before that update: root.position += root.rotation * movement.
VRM_API void vrm_clip_player_get_root_motion(const vrm_clip_player *player, vrm_vec3 *out_way);
/// Returns the rotation of the hips about the vertical axis in the last update, radians, + left; 0 without root_turn.
/// Apply it after the movement: root.rotation = root.rotation * (rotation about Y).
VRM_API float vrm_clip_player_get_root_turn(const vrm_clip_player *player);
/// Writes the current pose to the instance's input, where the host may change it. Use it instead of attaching the
/// player. Bones are written as local transforms, and expressions to layer CLIP. The gaze is written, too, but a gaze
/// set by the host overrides it. The player does not advance. Where the pose has a weight below 1 or is additive, and
/// where a bone takes over the rotation of a missing one, it is laid over the rest pose, not over the input, so that
/// a pose that is applied twice is not added twice. Bones that the player does not move keep their input.
VRM_API vrm_result vrm_clip_player_apply(vrm_clip_player *player, vrm_instance *instance);

/// Saves times, weights and transitions as plain bytes, in the same way as vrm_instance_snapshot(). Clips are
/// identified by a hash.
VRM_API vrm_result vrm_clip_player_snapshot(const vrm_clip_player *player, void *buffer, size_t *size);
/// Restores a snapshot of a player. The same clips must play in the same layers; otherwise INVALID_ASSET is returned
/// and nothing changes.
VRM_API vrm_result vrm_clip_player_restore(vrm_clip_player *player, const void *buffer, size_t size);

// --- inverse kinematics ---------------------------------------------------------------------------------------------

/// A limb of two bones, such as an arm or a leg. All positions are in the same space.
typedef struct vrm_two_bone_limb {
    vrm_vec3 root, middle, end; ///< Current positions of shoulder, elbow and wrist (or hip, knee and ankle).
    vrm_vec3 target;            ///< Target of `end`.
    /// A point towards which the middle joint bends; if equal to `root`, the middle joint bends to its current side.
    vrm_vec3 pole;
    /// Fraction of the limb's length over which stretching slows down, 0 to 0.5; 0: the limb snaps straight.
    float soft;
    float weight; ///< 0 to 1.
} vrm_two_bone_limb;

/// Gives the rotations that bring the end of the limb to the target, or as near as the limb allows. They are in the
/// space of the positions: multiply the world rotations of the upper and the lower bone by them from the left.
/// Degenerate limbs give identities.
VRM_API void vrm_two_bone_ik(const vrm_two_bone_limb *limb, vrm_quat *out_upper, vrm_quat *out_lower);

#endif
