// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_INSTANCE_H
#define VRM_INSTANCE_H

/// @file instance.h
/// One figure that uses an avatar: its inputs and its state, one block of memory, owned by one thread at a time. Inputs
/// are held until set again and never written by an update. Setters reject what is outside their range
/// (INVALID_ARGUMENT, nothing changed) and numbers that are not finite (likewise, and a status bit is set). Finite
/// numbers that are too large to compute with are clamped, with VRM_STATUS_INPUT_CLAMPED, so that outputs are always
/// finite: a node's translation and a body's place to 1e9, its scale to 1e6 by axis, places in the world to 1e15 m,
/// other numbers to 1e6.

#include <vrm/avatar.h>
#include <vrm/basis.h>

/// One figure that moves: inputs, state and outputs. One thread at a time.
typedef struct vrm_instance vrm_instance;

/// Options of an instance. Features that may be used at run time reserve their memory here.
typedef struct vrm_instance_def {
    uint32_t struct_size;
    uint32_t host_colliders;   ///< Slots for colliders of the host; default 0.
    bool spring_parameters;    ///< Reserve room to change spring joints at run time; default false.
    bool hair_inputs;          ///< Reserve room to move hair's nodes (see vrm_instance_set_local()); default false.
    const vrm_avatar *avatar;  ///< Required. The instance keeps a reference.
    vrm_allocator allocator;   ///< Of vrm_instance_create(); all zero: the avatar's.
    uint32_t look_chain_bones; ///< Bones that a look chain may have (look_chain.h), at most 16; default 0.
    uint32_t look_chain_links; ///< Bones linked to those, together, at most 1024; default 0.
    /// Bodies that a ragdoll may have (active_ragdoll.h), at most VRM_RAGDOLL_MAX_BODIES; default 0, the only possible
    /// value in a library built without ragdolls.
    uint32_t ragdoll_bodies;
} vrm_instance_def;

/// Fills it with the defaults.
VRM_API void vrm_instance_def_default(vrm_instance_def *def, size_t size);
#define vrm_instance_def_default(def) vrm_instance_def_default(def, sizeof *(def))
/// Bytes that vrm_instance_init() needs, aligned to 64; 0 for an invalid def.
VRM_API size_t vrm_instance_get_size(const vrm_instance_def *def);
/// Makes an instance in the caller's memory (aligned to 64, at least vrm_instance_get_size() bytes).
VRM_API vrm_result vrm_instance_init(
    const vrm_instance_def *def, void *memory, size_t size, vrm_instance **out_instance);
/// Allocates and inits.
VRM_API vrm_result vrm_instance_create(const vrm_instance_def *def, vrm_instance **out_instance);
/// Drops the avatar's reference, and frees the memory if vrm_instance_create() took it. NULL is allowed.
VRM_API void vrm_instance_destroy(vrm_instance *instance);
/// A copy with inputs and state, as vrm_instance_create() would allocate it.
VRM_API vrm_result vrm_instance_clone(const vrm_instance *instance, vrm_instance **out_instance);
/// Back to how it was made: rest pose, no inputs, springs at rest.
VRM_API void vrm_instance_reset(vrm_instance *instance);
/// The avatar it was made of; it lives as long as the instance.
VRM_API const vrm_avatar *vrm_instance_get_avatar(const vrm_instance *instance);

/// Parts of an instance's memory.
typedef enum vrm_instance_part {
    VRM_INSTANCE_PART_SINGLE = 0,      ///< Single members of the instance, and alignment.
    VRM_INSTANCE_PART_NODES = 1,       ///< Input and output pose, world matrices, change bits.
    VRM_INSTANCE_PART_SPRINGS = 2,     ///< Joints, chains, their anchors, colliders.
    VRM_INSTANCE_PART_PALETTES = 3,    ///< Skin matrices.
    VRM_INSTANCE_PART_MESHES = 4,      ///< Boxes, change bits.
    VRM_INSTANCE_PART_EXPRESSIONS = 5, ///< Expressions, morph weights, material values.
    VRM_INSTANCE_PART_LOOK_CHAIN = 6,
    VRM_INSTANCE_PART_RAGDOLL = 7,
    VRM_INSTANCE_PART_COUNT = 8
} vrm_instance_part;

/// Bytes by part; they add up to vrm_instance_get_size(). All 0 for an invalid def. Writes `count` entries, indexed by
/// the numbers of the parts. Parts from `count` on are added to VRM_INSTANCE_PART_SINGLE; entries without a part are 0.
VRM_API void vrm_instance_get_memory(const vrm_instance_def *def, size_t *out_bytes, uint32_t count);
/// The part's word: "nodes"; NULL for none.
VRM_API const char *vrm_instance_part_name(vrm_instance_part part);

/// Saves inputs and state as plain bytes: no pointers, nothing derived, little-endian. `*size` gives the room in
/// `buffer` and receives the size needed; with `buffer` NULL only the size is computed. LIMIT when there is too little
/// room.
VRM_API vrm_result vrm_instance_snapshot(const vrm_instance *instance, void *buffer, size_t *size);
/// Restores a snapshot of the same avatar and def; the next update gives the same bits as it would have given then.
/// INVALID_ASSET for bytes that are not a snapshot; the instance is then unchanged.
VRM_API vrm_result vrm_instance_restore(vrm_instance *instance, const void *buffer, size_t size);

/// Problems that updates and setters had to work around since the last vrm_instance_clear_status().
typedef enum vrm_status {
    VRM_STATUS_INPUT_NOT_FINITE = 1 << 0, ///< A setter got NaN or infinity; the last valid value is kept.
    VRM_STATUS_SPRING_RESET =
        1 << 1, ///< The state of a spring chain was not finite; the chain restarts from its rest shape.
    VRM_STATUS_TIME_CLAMPED = 1 << 2, ///< dt was too large to simulate; the springs were moved along with the body.
    VRM_STATUS_RAGDOLL_LOST =
        1 << 4, ///< The engine lost a body or gave a state that is not finite; the body follows the animation.
    VRM_STATUS_DEGENERATE =
        1 << 3, ///< A zero vector or scale left a direction undefined; the last or the rest direction was used.
    /// A setter got a finite number too large to compute with, or scales multiplied to one; it was clamped.
    VRM_STATUS_INPUT_CLAMPED = 1 << 5
} vrm_status;

/// Combination of vrm_status.
VRM_API uint32_t vrm_instance_get_status(const vrm_instance *instance);
/// Forgets all status bits.
VRM_API void vrm_instance_clear_status(vrm_instance *instance);

// --- pose ----------------------------------------------------------------------------------------------------------

/// The space above the glTF roots. Default: origin, identity, scale 1.
VRM_API vrm_result vrm_instance_set_root(vrm_instance *instance, const vrm_root *root);
/// Gives the root as set.
VRM_API void vrm_instance_get_root(const vrm_instance *instance, vrm_root *out_root);
/// Sets a node's local transform (node order). Zero quaternions are refused; others are normalised. Nodes on and under
/// spring joints are hair, unless the chain's subtree also contains a humanoid bone or a constraint. Unless the def has
/// reserved hair_inputs, hair accepts only its rest transform, up to rounding (1e-6); here and in all setters of
/// transforms anything else is UNSUPPORTED.
VRM_API vrm_result vrm_instance_set_local(vrm_instance *instance, uint32_t node, const vrm_transform *local);
/// Only the translation of a node's local transform.
VRM_API vrm_result vrm_instance_set_translation(vrm_instance *instance, uint32_t node, const vrm_vec3 *translation);
/// Only the rotation, which is normalised; a zero quaternion is refused.
VRM_API vrm_result vrm_instance_set_rotation(vrm_instance *instance, uint32_t node, const vrm_quat *rotation);
/// Only the scale.
VRM_API vrm_result vrm_instance_set_scale(vrm_instance *instance, uint32_t node, const vrm_vec3 *scale);

/// Many transforms at once, from the host's own arrays.
typedef struct vrm_local_array {
    uint32_t struct_size;   ///< Set by the caller: sizeof(vrm_local_array).
    const void *transforms; ///< vrm_transform, the first one.
    size_t stride;          ///< Bytes from one to the next; 0: sizeof(vrm_transform).
    const uint32_t *nodes;  ///< Node (node order) of each; NULL: 0, 1, 2, ...
    uint32_t count;         ///< Elements.
    const vrm_basis *basis; ///< Axes and unit of the transforms; NULL: libvrm's own.
} vrm_local_array;

/// Sets all of them, or none: INVALID_ARGUMENT for a node outside or an invalid basis, UNSUPPORTED for moved hair
/// without the def's hair_inputs. Transforms that are not finite are skipped, with the status bit.
VRM_API vrm_result vrm_instance_set_locals(vrm_instance *instance, const vrm_local_array *array);
/// Gives the input pose of a node.
VRM_API vrm_result vrm_instance_get_local(const vrm_instance *instance, uint32_t node, vrm_transform *out_local);

/// Sets a bone's rotation in the normalized humanoid: the identity is the T-pose whatever the rest rotations, and the
/// axes are the model's (+X left, +Y up, +Z forward). NOT_FOUND when the avatar lacks the bone.
VRM_API vrm_result vrm_instance_set_normalized_rotation(
    vrm_instance *instance, vrm_human_bone bone, const vrm_quat *rotation);
/// Gives a bone's input rotation in the normalized humanoid.
VRM_API vrm_result vrm_instance_get_normalized_rotation(
    const vrm_instance *instance, vrm_human_bone bone, vrm_quat *out_rotation);
/// The hips' position in model space, metres (their rest position is the T-pose).
VRM_API vrm_result vrm_instance_set_hips_position(vrm_instance *instance, const vrm_vec3 *position);
/// All nodes back to their rest transforms.
VRM_API void vrm_instance_reset_pose(vrm_instance *instance);

// --- gaze ----------------------------------------------------------------------------------------------------------

/// The eyes follow a point in the world (metres).
VRM_API vrm_result vrm_instance_set_look_at_target(vrm_instance *instance, const vrm_dvec3 *target_world);
/// The eyes look along angles in LookAt space: yaw + left, pitch + down, radians.
VRM_API vrm_result vrm_instance_set_look_at_angles(vrm_instance *instance, float yaw, float pitch);
/// No gaze: the eyes keep their input pose, look expressions their input weights. The default.
VRM_API void vrm_instance_clear_look_at(vrm_instance *instance);
/// One eye (VRM_HUMAN_BONE_LEFT_EYE or RIGHT_EYE) turns by exactly these angles, unmapped; the other keeps following.
VRM_API vrm_result vrm_instance_set_eye_angles(vrm_instance *instance, vrm_human_bone eye, float yaw, float pitch);
/// The eye follows the gaze again.
VRM_API vrm_result vrm_instance_clear_eye_angles(vrm_instance *instance, vrm_human_bone eye);

// --- expressions ---------------------------------------------------------------------------------------------------

/// The source of a weight. Layers are merged in this order, before overrides. The sum of several layers is limited:
/// blink plus blinkLeft (blinkRight) to 1 per eye, the five vowels to 1, so that a blink, a clip and a tracker together
/// never close the eyes twice, nor a clip and lip-sync open the mouth twice. blink is kept and blinkLeft and blinkRight
/// are reduced; vowels are scaled by the same factor. If a single layer sets more than 1, its sum is the limit instead,
/// so that the weights of a single source never change.
typedef enum vrm_expression_layer {
    VRM_EXPRESSION_LAYER_CLIP = 0,       ///< Animation.
    VRM_EXPRESSION_LAYER_EMOTION = 1,    ///< vrm_instance_fade_emotion().
    VRM_EXPRESSION_LAYER_PROCEDURAL = 2, ///< Automatic blinking and lip-sync.
    VRM_EXPRESSION_LAYER_TRACKER = 3,    ///< Face tracking.
    VRM_EXPRESSION_LAYER_HOST = 4,       ///< Final adjustments by the host.
    VRM_EXPRESSION_LAYER_COUNT = 5
} vrm_expression_layer;

/// How a layer is combined with the earlier ones. Only expressions that the layer has set take part.
typedef enum vrm_expression_mode {
    VRM_EXPRESSION_MODE_REPLACE = 0, ///< lerp(before, value, layer weight). Default of CLIP, TRACKER and HOST.
    VRM_EXPRESSION_MODE_MAX = 1,     ///< max(before, value * layer weight). Default of EMOTION and PROCEDURAL.
    VRM_EXPRESSION_MODE_ADD = 2      ///< before + value * layer weight.
} vrm_expression_mode;

/// Sets a layer's mode and weight (0 to 1, default 1).
VRM_API vrm_result vrm_instance_set_expression_layer(
    vrm_instance *instance, vrm_expression_layer layer, vrm_expression_mode mode, float weight);
/// Sets an expression's weight in a layer. Clamped to [0, 1] after merging, so that ADD may subtract; limited to
/// +-1,000,000.
VRM_API vrm_result vrm_instance_set_expression(
    vrm_instance *instance, vrm_expression_layer layer, uint32_t expression, float weight);
/// Removes the layer's weight for the expression.
VRM_API vrm_result vrm_instance_clear_expression(
    vrm_instance *instance, vrm_expression_layer layer, uint32_t expression);
/// Removes all weights of the layer.
VRM_API vrm_result vrm_instance_clear_expressions(vrm_instance *instance, vrm_expression_layer layer);
/// Fades the EMOTION layer: this expression to `weight` and all others of the layer to 0, linearly in `seconds` (not
/// negative), each from its current weight. `expression` -1: only the others. 0 seconds: at once.
/// vrm_instance_set_expression() in that layer ends the fade of its expression.
VRM_API vrm_result vrm_instance_fade_emotion(vrm_instance *instance, int32_t expression, float weight, float seconds);
/// Assigns a custom expression to the blink, look-at or mouth group (or to none with NONE). INVALID_ARGUMENT for
/// presets.
VRM_API vrm_result vrm_instance_set_expression_group(
    vrm_instance *instance, uint32_t expression, vrm_expression_group group);
/// Sets a morph weight directly (index as in vrm_mesh_node); it is added to the weight from expressions. Default 0.
VRM_API vrm_result vrm_instance_set_morph(vrm_instance *instance, uint32_t morph, float weight);

/// Automatic blinking, PROCEDURAL layer: the preset blink, or blinkLeft and blinkRight if there is none. Blinks have a
/// random generator of their own: the same seed gives the same times since blinking was enabled, at every frame rate.
typedef struct vrm_blink_params {
    uint32_t struct_size;
    bool enabled;        ///< Default false.
    uint32_t seed;       ///< Default 1.
    float interval_min;  ///< Seconds from one blink's end to the next one's beginning, 0.1 to 3600; default 2.
    float interval_max;  ///< interval_min to 3600; default 6.
    float close_time;    ///< Seconds, 0 to 4; default 0.06.
    float hold_time;     ///< Seconds with the eyes closed, 0 to 4; default 0.04.
    float open_time;     ///< Seconds, 0 to 4; default 0.12.
    float double_chance; ///< Chance that a second blink follows at once, 0 to 1; default 0.1.
} vrm_blink_params;

/// Fills it with the defaults.
VRM_API void vrm_blink_params_default(vrm_blink_params *params, size_t size);
#define vrm_blink_params_default(params) vrm_blink_params_default(params, sizeof *(params))
/// Sets how the avatar blinks; takes effect at the next update. The generator restarts if blinking was off or the seed
/// is different. A current blink ends as it began. Setting the same values again changes nothing.
VRM_API vrm_result vrm_instance_set_blink(vrm_instance *instance, const vrm_blink_params *params);
/// Blinks now, whether automatic blinking is on or not. Does nothing during a blink.
VRM_API void vrm_instance_blink(vrm_instance *instance);

/// The 15 visemes of common speech analysers, in their usual order.
typedef enum vrm_viseme {
    VRM_VISEME_SIL = 0,
    VRM_VISEME_PP = 1,
    VRM_VISEME_FF = 2,
    VRM_VISEME_TH = 3,
    VRM_VISEME_DD = 4,
    VRM_VISEME_KK = 5,
    VRM_VISEME_CH = 6,
    VRM_VISEME_SS = 7,
    VRM_VISEME_NN = 8,
    VRM_VISEME_RR = 9,
    VRM_VISEME_AA = 10,
    VRM_VISEME_E = 11,
    VRM_VISEME_IH = 12,
    VRM_VISEME_OH = 13,
    VRM_VISEME_OU = 14,
    VRM_VISEME_COUNT = 15
} vrm_viseme;

/// Lip-sync, PROCEDURAL layer: the two strongest vowels of the sound are the mouth's target, with a sum of at most 1,
/// and the mouth follows exponentially, the same at every frame rate. The sound is held until the next call.
typedef struct vrm_lip_sync_params {
    uint32_t struct_size;
    float attack;  ///< Seconds to open by 63 %, not negative; default 0.03.
    float release; ///< Seconds to close by 63 %, not negative; default 0.08.
    float gain;    ///< Multiplies every vowel before the two are chosen, not negative; default 1.
} vrm_lip_sync_params;

/// Fills it with the defaults.
VRM_API void vrm_lip_sync_params_default(vrm_lip_sync_params *params, size_t size);
#define vrm_lip_sync_params_default(params) vrm_lip_sync_params_default(params, sizeof *(params))
/// Sets how the mouth follows the sound.
VRM_API vrm_result vrm_instance_set_lip_sync(vrm_instance *instance, const vrm_lip_sync_params *params);
/// Weights of the first `count` visemes, clamped to [0, 1]; further ones are silent. aa, E, ih, oh, ou are the vowels
/// aa, ee, ih, oh, ou; of the consonants FF is 0.15 ou, TH 0.25 ee, DD 0.25 ih, kk 0.25 ee, CH 0.4 ou, SS 0.35 ih, nn
/// 0.2 ih, RR 0.3 ou; PP and silence close the mouth.
VRM_API vrm_result vrm_instance_set_visemes(vrm_instance *instance, const float *weights, uint32_t count);
/// Weights of aa, ih, ou, ee, oh, clamped to [0, 1].
VRM_API vrm_result vrm_instance_set_vowels(vrm_instance *instance, const float weights[5]);
/// Sets only the loudness of the voice, clamped to [0, 1]: opens aa.
VRM_API vrm_result vrm_instance_set_loudness(vrm_instance *instance, float loudness);
/// The mouth closes with `release`; then lip-sync sets no weights any more.
VRM_API void vrm_instance_clear_lip_sync(vrm_instance *instance);

// --- springs -------------------------------------------------------------------------------------------------------

/// Sets how all springs behave. INVALID_ARGUMENT outside the ranges above.
VRM_API vrm_result vrm_instance_set_spring_params(vrm_instance *instance, const vrm_spring_params *settings);
/// Gives the settings.
VRM_API void vrm_instance_get_spring_params(const vrm_instance *instance, vrm_spring_params *out_settings);
/// Blends a chain from the input pose (0) to its simulated motion (1, default). The simulation itself continues.
VRM_API vrm_result vrm_instance_set_chain_weight(vrm_instance *instance, uint32_t chain, float weight);
/// Changes a joint. UNSUPPORTED unless the def reserved spring_parameters.
VRM_API vrm_result vrm_instance_set_spring_joint(
    vrm_instance *instance, uint32_t joint, const vrm_spring_joint_params *params);
/// Gives a joint's parameters, overridden or the avatar's own.
VRM_API vrm_result vrm_instance_get_spring_joint(
    const vrm_instance *instance, uint32_t joint, vrm_spring_joint_params *out_params);
/// The next update restarts all springs from the rest shape in its pose.
VRM_API void vrm_instance_reset_springs(vrm_instance *instance);
/// Before the next update `seconds` (at most 10) are simulated in its pose, so that hair hangs at once.
VRM_API vrm_result vrm_instance_settle_springs(vrm_instance *instance, float seconds);
/// Moves the root without an effect on hair: tails move along, their velocities are dropped. Use it for scene changes.
VRM_API vrm_result vrm_instance_teleport(vrm_instance *instance, const vrm_root *root);
/// The same, with velocities kept (and rotated): for world shifts and portals.
VRM_API vrm_result vrm_instance_warp(vrm_instance *instance, const vrm_root *root);
/// Sets the motion of the ground under the avatar (a lift, a train), which has no effect on hair. NULL: the ground is
/// fixed, the default.
VRM_API vrm_result vrm_instance_set_platform(vrm_instance *instance, const vrm_root *platform);
/// Tails of the last two ticks in world space, in the order of the file's springs and joints.
/// Either may be NULL. `count` must be the number of spring joints.
VRM_API vrm_result vrm_instance_get_spring_tails(
    const vrm_instance *instance, vrm_dvec3 *current, vrm_dvec3 *previous, uint32_t count);
/// Sets the tails of the last two ticks, in the same order and space as vrm_instance_get_spring_tails().
VRM_API vrm_result vrm_instance_set_spring_tails(
    vrm_instance *instance, const vrm_dvec3 *current, const vrm_dvec3 *previous, uint32_t count);

/// A collider of the host.
typedef struct vrm_host_collider_def {
    uint32_t struct_size;
    bool enabled;             ///< Default true.
    vrm_collider_shape shape; ///< Default sphere.
    int32_t node;             ///< Node order: fixed to that node, positions node-local; -1 (default): world.
    vrm_dvec3 offset;         ///< Centre, capsule's first end, or a point of the plane.
    vrm_dvec3 tail;           ///< Capsule: second end. Plane: normal (normalised).
    float radius;             ///< Metres.
    int32_t chain;            ///< Only this chain, or -1 (default): all.
} vrm_host_collider_def;

/// Fills it with the defaults.
VRM_API void vrm_host_collider_def_default(vrm_host_collider_def *collider, size_t size);
#define vrm_host_collider_def_default(collider) vrm_host_collider_def_default(collider, sizeof *(collider))
/// Fills a reserved slot; NULL empties it. The host's colliders are processed after the avatar's own.
VRM_API vrm_result vrm_instance_set_host_collider(
    vrm_instance *instance, uint32_t slot, const vrm_host_collider_def *collider);

#endif
