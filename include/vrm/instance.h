// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_INSTANCE_H
#define VRM_INSTANCE_H

/// @file instance.h
/// One animated copy of an avatar: its inputs and its state, in one block of memory, owned by one thread at a time.
/// Inputs keep their values until they are set again; an update never writes them. Setters return INVALID_ARGUMENT and
/// change nothing if a value is out of range or a number is not finite. A number that is not finite also sets a status
/// bit. Finite numbers that are too large to compute with are clamped, with VRM_STATUS_INPUT_CLAMPED, so that outputs
/// are always finite: the translation of a node and the position of a body to 1e9, each axis of a node's scale to 1e6,
/// positions in the world to 1e15 m, other numbers to 1e6.

#include <vrm/avatar.h>
#include <vrm/basis.h>

/// One animated copy of an avatar: its inputs, state and outputs. Owned by one thread at a time.
typedef struct vrm_instance vrm_instance;

/// Options of an instance. Memory for features that may be used at run time is reserved here.
typedef struct vrm_instance_def {
    uint32_t struct_size;
    uint32_t host_colliders; ///< Number of slots for colliders of the host; default 0.
    bool spring_parameters;  ///< True: reserves memory to change spring joints at run time; default false.
    /// True: reserves memory to move the nodes of hair (see vrm_instance_set_local()); default false.
    bool hair_inputs;
    const vrm_avatar *avatar;  ///< Required. The instance keeps a reference.
    vrm_allocator allocator;   ///< Used by vrm_instance_create(); all zero: the avatar's.
    uint32_t look_chain_bones; ///< Largest number of bones of a look chain (look_chain.h), at most 16; default 0.
    uint32_t look_chain_links; ///< Largest number of linked bones of a look chain, at most 1024; default 0.
    /// Largest number of bodies of a ragdoll (active_ragdoll.h), at most VRM_RAGDOLL_MAX_BODIES. Default 0, which is
    /// the only possible value in a library built without ragdolls.
    uint32_t ragdoll_bodies;
} vrm_instance_def;

/// Fills `def` with the defaults.
VRM_API void vrm_instance_def_default(vrm_instance_def *def, size_t size);
#define vrm_instance_def_default(def) vrm_instance_def_default(def, sizeof *(def))
/// Returns the number of bytes that vrm_instance_init() needs, aligned to 64; 0 for an invalid def.
VRM_API size_t vrm_instance_get_size(const vrm_instance_def *def);
/// Creates an instance in the caller's memory (aligned to 64, at least vrm_instance_get_size() bytes).
VRM_API vrm_result vrm_instance_init(
    const vrm_instance_def *def, void *memory, size_t size, vrm_instance **out_instance);
/// Allocates memory and creates an instance in it.
VRM_API vrm_result vrm_instance_create(const vrm_instance_def *def, vrm_instance **out_instance);
/// Drops the reference to the avatar, and frees the memory that vrm_instance_create() allocated. NULL is allowed.
VRM_API void vrm_instance_destroy(vrm_instance *instance);
/// Creates a copy of the instance, with its inputs and state, in memory allocated as by vrm_instance_create().
VRM_API vrm_result vrm_instance_clone(const vrm_instance *instance, vrm_instance **out_instance);
/// Resets the instance to the state after its creation: rest pose, no inputs, springs at rest.
VRM_API void vrm_instance_reset(vrm_instance *instance);
/// Returns the instance's avatar, which lives as long as the instance.
VRM_API const vrm_avatar *vrm_instance_get_avatar(const vrm_instance *instance);

/// Parts of an instance's memory.
typedef enum vrm_instance_part {
    VRM_INSTANCE_PART_SINGLE = 0,      ///< Members that are not arrays, and alignment.
    VRM_INSTANCE_PART_NODES = 1,       ///< Input and output pose, world matrices, change bits.
    VRM_INSTANCE_PART_SPRINGS = 2,     ///< Joints, chains, their anchors, colliders.
    VRM_INSTANCE_PART_PALETTES = 3,    ///< Skin matrices.
    VRM_INSTANCE_PART_MESHES = 4,      ///< Boxes, change bits.
    VRM_INSTANCE_PART_EXPRESSIONS = 5, ///< Expressions, morph weights, material values.
    VRM_INSTANCE_PART_LOOK_CHAIN = 6,
    VRM_INSTANCE_PART_RAGDOLL = 7,
    VRM_INSTANCE_PART_COUNT = 8
} vrm_instance_part;

/// Gives the bytes of each part of an instance's memory. They add up to vrm_instance_get_size(); all are 0 for an
/// invalid def. Writes `count` entries, indexed by the numbers of the parts. Parts from `count` on are added to
/// VRM_INSTANCE_PART_SINGLE; entries without a part are 0.
VRM_API void vrm_instance_get_memory(const vrm_instance_def *def, size_t *out_bytes, uint32_t count);
/// Returns the part's name ("nodes"); NULL for an unknown part.
VRM_API const char *vrm_instance_part_name(vrm_instance_part part);

/// Saves inputs and state as plain bytes: no pointers, no derived values, little-endian. `*size` gives the room in
/// `buffer` and receives the size needed; with `buffer` NULL only the size is computed. Returns LIMIT if there is too
/// little room.
VRM_API vrm_result vrm_instance_snapshot(const vrm_instance *instance, void *buffer, size_t *size);
/// Restores a snapshot of the same avatar and def. The next update then gives the same bits as the update that followed
/// the snapshot. For bytes that are not a snapshot, INVALID_ASSET is returned and the instance is unchanged.
VRM_API vrm_result vrm_instance_restore(vrm_instance *instance, const void *buffer, size_t size);

/// Problems that updates and setters had to work around since the last vrm_instance_clear_status().
typedef enum vrm_status {
    VRM_STATUS_INPUT_NOT_FINITE = 1 << 0, ///< A setter got NaN or infinity, and the last valid value was kept.
    /// The state of a spring chain was not finite; the chain restarts from its rest shape.
    VRM_STATUS_SPRING_RESET = 1 << 1,
    VRM_STATUS_TIME_CLAMPED = 1 << 2, ///< dt was too large to simulate; the springs were moved along with the body.
    /// The engine lost a body or gave a state that is not finite; the body follows the animation.
    VRM_STATUS_RAGDOLL_LOST = 1 << 4,
    /// A direction was undefined because of a zero vector or scale; the last direction or the rest direction was used.
    VRM_STATUS_DEGENERATE = 1 << 3,
    /// A setter got a finite number that is too large to compute with, or the product of scales was too large; the
    /// number was clamped.
    VRM_STATUS_INPUT_CLAMPED = 1 << 5
} vrm_status;

/// Returns a combination of vrm_status.
VRM_API uint32_t vrm_instance_get_status(const vrm_instance *instance);
/// Clears all status bits.
VRM_API void vrm_instance_clear_status(vrm_instance *instance);

// --- pose ----------------------------------------------------------------------------------------------------------

/// Sets the root: the transform of the space above the glTF roots. Default: origin, identity, scale 1.
VRM_API vrm_result vrm_instance_set_root(vrm_instance *instance, const vrm_root *root);
/// Gives the root that was set.
VRM_API void vrm_instance_get_root(const vrm_instance *instance, vrm_root *out_root);
/// Sets a node's local transform (node order). A zero quaternion is refused; others are normalised. Nodes on and under
/// spring joints are hair, unless the chain's subtree also contains a humanoid bone or a constraint. Unless the def has
/// reserved hair_inputs, hair accepts only its rest transform, up to rounding (1e-6). This and all other setters of
/// transforms then return UNSUPPORTED for any other transform.
VRM_API vrm_result vrm_instance_set_local(vrm_instance *instance, uint32_t node, const vrm_transform *local);
/// Sets only the translation of a node's local transform.
VRM_API vrm_result vrm_instance_set_translation(vrm_instance *instance, uint32_t node, const vrm_vec3 *translation);
/// Sets only the rotation of a node's local transform. It is normalised; a zero quaternion is refused.
VRM_API vrm_result vrm_instance_set_rotation(vrm_instance *instance, uint32_t node, const vrm_quat *rotation);
/// Sets only the scale of a node's local transform.
VRM_API vrm_result vrm_instance_set_scale(vrm_instance *instance, uint32_t node, const vrm_vec3 *scale);

/// Many transforms at once, read from the host's own arrays.
typedef struct vrm_local_array {
    uint32_t struct_size;   ///< Set by the caller: sizeof(vrm_local_array).
    const void *transforms; ///< Address of the first vrm_transform.
    size_t stride;          ///< Bytes from one transform to the next; 0: sizeof(vrm_transform).
    const uint32_t *nodes;  ///< Node (node order) of each transform; NULL: 0, 1, 2, ...
    uint32_t count;         ///< Number of transforms.
    const vrm_basis *basis; ///< Axes and unit of the transforms; NULL: libvrm's own.
} vrm_local_array;

/// Sets all transforms of the array, or none. Errors: INVALID_ARGUMENT (a node out of range, or an invalid basis),
/// UNSUPPORTED (moved hair without the def's hair_inputs). A transform that is not finite is skipped, and
/// VRM_STATUS_INPUT_NOT_FINITE is set.
VRM_API vrm_result vrm_instance_set_locals(vrm_instance *instance, const vrm_local_array *array);
/// Gives the local transform of a node in the input pose.
VRM_API vrm_result vrm_instance_get_local(const vrm_instance *instance, uint32_t node, vrm_transform *out_local);

/// Sets a bone's rotation in the normalized humanoid: the identity is the T-pose, whatever the rest rotations are, and
/// the axes are the model's (+X left, +Y up, +Z forward). Returns NOT_FOUND if the avatar lacks the bone.
VRM_API vrm_result vrm_instance_set_normalized_rotation(
    vrm_instance *instance, vrm_human_bone bone, const vrm_quat *rotation);
/// Gives a bone's input rotation in the normalized humanoid.
VRM_API vrm_result vrm_instance_get_normalized_rotation(
    const vrm_instance *instance, vrm_human_bone bone, vrm_quat *out_rotation);
/// Sets the position of the hips in model space, metres. Their rest position is that of the T-pose.
VRM_API vrm_result vrm_instance_set_hips_position(vrm_instance *instance, const vrm_vec3 *position);
/// Resets all nodes of the input pose to their rest transforms.
VRM_API void vrm_instance_reset_pose(vrm_instance *instance);

// --- gaze ----------------------------------------------------------------------------------------------------------

/// Lets the eyes follow a point in the world (metres).
VRM_API vrm_result vrm_instance_set_look_at_target(vrm_instance *instance, const vrm_dvec3 *target_world);
/// Lets the eyes look in a direction given by angles in LookAt space: yaw + left, pitch + down, radians.
VRM_API vrm_result vrm_instance_set_look_at_angles(vrm_instance *instance, float yaw, float pitch);
/// Removes the gaze: the eyes keep their input pose, and look expressions keep their input weights. The default.
VRM_API void vrm_instance_clear_look_at(vrm_instance *instance);
/// Rotates one eye (VRM_HUMAN_BONE_LEFT_EYE or RIGHT_EYE) by exactly these angles, without range maps. The other eye
/// keeps following the gaze.
VRM_API vrm_result vrm_instance_set_eye_angles(vrm_instance *instance, vrm_human_bone eye, float yaw, float pitch);
/// Lets the eye follow the gaze again.
VRM_API vrm_result vrm_instance_clear_eye_angles(vrm_instance *instance, vrm_human_bone eye);

// --- expressions ---------------------------------------------------------------------------------------------------

/// The source of a weight. Layers are merged in this order, before overrides are applied. The sum over several layers
/// is limited: blink plus blinkLeft (or blinkRight) to 1 for each eye, the five vowels to 1. So a blink, a clip and a
/// tracker together do not close the eyes twice, and a clip and lip-sync do not open the mouth twice. To reach the
/// limit, blinkLeft and blinkRight are reduced and blink is kept; vowels are scaled by the same factor. If a single
/// layer sets more than 1, its sum is the limit instead, so that the weights of a single source never change.
typedef enum vrm_expression_layer {
    VRM_EXPRESSION_LAYER_CLIP = 0,       ///< Animation.
    VRM_EXPRESSION_LAYER_EMOTION = 1,    ///< Emotions; see vrm_instance_fade_emotion().
    VRM_EXPRESSION_LAYER_PROCEDURAL = 2, ///< Automatic blinking and lip-sync.
    VRM_EXPRESSION_LAYER_TRACKER = 3,    ///< Face tracking.
    VRM_EXPRESSION_LAYER_HOST = 4,       ///< Final adjustments by the host.
    VRM_EXPRESSION_LAYER_COUNT = 5
} vrm_expression_layer;

/// How a layer is combined with the layers before it. Only expressions that the layer has set take part.
typedef enum vrm_expression_mode {
    VRM_EXPRESSION_MODE_REPLACE = 0, ///< lerp(before, value, layer weight). The default of CLIP, TRACKER and HOST.
    VRM_EXPRESSION_MODE_MAX = 1,     ///< max(before, value * layer weight). The default of EMOTION and PROCEDURAL.
    VRM_EXPRESSION_MODE_ADD = 2      ///< before + value * layer weight.
} vrm_expression_mode;

/// Sets a layer's mode and weight (0 to 1, default 1).
VRM_API vrm_result vrm_instance_set_expression_layer(
    vrm_instance *instance, vrm_expression_layer layer, vrm_expression_mode mode, float weight);
/// Sets an expression's weight in a layer, limited to +-1,000,000. The merged weight is clamped to [0, 1], so that a
/// layer with ADD may subtract.
VRM_API vrm_result vrm_instance_set_expression(
    vrm_instance *instance, vrm_expression_layer layer, uint32_t expression, float weight);
/// Removes the layer's weight for the expression.
VRM_API vrm_result vrm_instance_clear_expression(
    vrm_instance *instance, vrm_expression_layer layer, uint32_t expression);
/// Removes all weights of the layer.
VRM_API vrm_result vrm_instance_clear_expressions(vrm_instance *instance, vrm_expression_layer layer);
/// Fades the EMOTION layer: `expression` to `weight` and all other expressions of the layer to 0, linearly in `seconds`
/// (0: at once), each from its current weight. `expression` -1: all fade to 0. vrm_instance_set_expression() in that
/// layer ends the fade of its expression.
VRM_API vrm_result vrm_instance_fade_emotion(vrm_instance *instance, int32_t expression, float weight, float seconds);
/// Assigns a custom expression to the blink, look-at or mouth group, or to no group with NONE. Returns INVALID_ARGUMENT
/// for presets.
VRM_API vrm_result vrm_instance_set_expression_group(
    vrm_instance *instance, uint32_t expression, vrm_expression_group group);
/// Sets a morph weight directly (index as in vrm_mesh_node). It is added to the weight that expressions give. Default
/// 0.
VRM_API vrm_result vrm_instance_set_morph(vrm_instance *instance, uint32_t morph, float weight);

/// Automatic blinking in the PROCEDURAL layer: the preset blink, or blinkLeft and blinkRight if there is no blink.
/// Blinks have their own random generator: the same seed gives blinks at the same times after blinking was enabled, at
/// every frame rate.
typedef struct vrm_blink_params {
    uint32_t struct_size;
    bool enabled;  ///< Default false.
    uint32_t seed; ///< Default 1.
    /// Shortest pause from the end of a blink to the beginning of the next, seconds, 0.1 to 3600; default 2.
    float interval_min;
    float interval_max;  ///< Longest pause, seconds, interval_min to 3600; default 6.
    float close_time;    ///< Seconds in which the eyes close, 0 to 4; default 0.06.
    float hold_time;     ///< Seconds for which the eyes stay closed, 0 to 4; default 0.04.
    float open_time;     ///< Seconds in which the eyes open, 0 to 4; default 0.12.
    float double_chance; ///< Probability that a second blink follows at once, 0 to 1; default 0.1.
} vrm_blink_params;

/// Fills `params` with the defaults.
VRM_API void vrm_blink_params_default(vrm_blink_params *params, size_t size);
#define vrm_blink_params_default(params) vrm_blink_params_default(params, sizeof *(params))
/// Sets how the avatar blinks; takes effect at the next update. The random generator restarts if blinking was off or
/// the seed is different. A blink that is in progress ends as it began. Setting the same values again changes nothing.
VRM_API vrm_result vrm_instance_set_blink(vrm_instance *instance, const vrm_blink_params *params);
/// Starts a blink now, whether automatic blinking is on or not. Does nothing during a blink.
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

/// Lip-sync in the PROCEDURAL layer. The two strongest vowels of the sound are the target of the mouth, with a sum of
/// at most 1. The mouth follows exponentially, in the same way at every frame rate. A sound lasts until the next call.
typedef struct vrm_lip_sync_params {
    uint32_t struct_size;
    float attack;  ///< Seconds in which the mouth opens by 63 %, not negative; default 0.03.
    float release; ///< Seconds in which the mouth closes by 63 %, not negative; default 0.08.
    float gain;    ///< Factor on every vowel before the two strongest are chosen, not negative; default 1.
} vrm_lip_sync_params;

/// Fills `params` with the defaults.
VRM_API void vrm_lip_sync_params_default(vrm_lip_sync_params *params, size_t size);
#define vrm_lip_sync_params_default(params) vrm_lip_sync_params_default(params, sizeof *(params))
/// Sets how the mouth follows the sound.
VRM_API vrm_result vrm_instance_set_lip_sync(vrm_instance *instance, const vrm_lip_sync_params *params);
/// Sets the weights of the first `count` visemes, clamped to [0, 1]; the other visemes are silent. AA, E, IH, OH and OU
/// are the vowels aa, ee, ih, oh and ou. Consonants open the mouth a little: FF 0.15 ou, TH 0.25 ee, DD 0.25 ih, KK
/// 0.25 ee, CH 0.4 ou, SS 0.35 ih, NN 0.2 ih, RR 0.3 ou. PP and SIL close the mouth.
VRM_API vrm_result vrm_instance_set_visemes(vrm_instance *instance, const float *weights, uint32_t count);
/// Sets the weights of the vowels aa, ih, ou, ee, oh, in this order, clamped to [0, 1].
VRM_API vrm_result vrm_instance_set_vowels(vrm_instance *instance, const float weights[5]);
/// Sets the loudness of the voice, clamped to [0, 1], as the weight of the vowel aa. The other vowels become 0.
VRM_API vrm_result vrm_instance_set_loudness(vrm_instance *instance, float loudness);
/// Ends lip-sync: the mouth closes with `release`, then lip-sync sets no weights any more.
VRM_API void vrm_instance_clear_lip_sync(vrm_instance *instance);

// --- springs -------------------------------------------------------------------------------------------------------

/// Sets how all springs behave. Returns INVALID_ARGUMENT for values outside the ranges of vrm_spring_params.
VRM_API vrm_result vrm_instance_set_spring_params(vrm_instance *instance, const vrm_spring_params *settings);
/// Gives the settings of all springs.
VRM_API void vrm_instance_get_spring_params(const vrm_instance *instance, vrm_spring_params *out_settings);
/// Sets the blend of a spring chain from the input pose (0) to its simulated motion (1, the default). The simulation
/// itself continues.
VRM_API vrm_result vrm_instance_set_chain_weight(vrm_instance *instance, uint32_t chain, float weight);
/// Changes the parameters of a spring joint. Returns UNSUPPORTED unless the def has reserved spring_parameters.
VRM_API vrm_result vrm_instance_set_spring_joint(
    vrm_instance *instance, uint32_t joint, const vrm_spring_joint_params *params);
/// Gives a spring joint's parameters: those set with vrm_instance_set_spring_joint(), else those of the avatar.
VRM_API vrm_result vrm_instance_get_spring_joint(
    const vrm_instance *instance, uint32_t joint, vrm_spring_joint_params *out_params);
/// Lets the next update restart all springs from the rest shape in the pose of that update.
VRM_API void vrm_instance_reset_springs(vrm_instance *instance);
/// Lets the next update first simulate `seconds` (at most 10) in the pose of that update, so that hair hangs down at
/// once.
VRM_API vrm_result vrm_instance_settle_springs(vrm_instance *instance, float seconds);
/// Sets the root without an effect on hair: tails move along, and their velocities become 0. Use it for scene changes.
VRM_API vrm_result vrm_instance_teleport(vrm_instance *instance, const vrm_root *root);
/// Sets the root without an effect on hair: tails move along, and their velocities are kept (and rotated). Use it for
/// shifts of the world's origin and for portals.
VRM_API vrm_result vrm_instance_warp(vrm_instance *instance, const vrm_root *root);
/// Sets the transform of the moving ground on which the avatar stands (a lift, a train). Its motion has no effect on
/// hair. NULL, the default: the ground is fixed.
VRM_API vrm_result vrm_instance_set_platform(vrm_instance *instance, const vrm_root *platform);
/// Gives the spring tails of the last two ticks in world space, in the order of the file's springs and joints. Either
/// array may be NULL. `count` must be the number of spring joints.
VRM_API vrm_result vrm_instance_get_spring_tails(
    const vrm_instance *instance, vrm_dvec3 *current, vrm_dvec3 *previous, uint32_t count);
/// Sets the spring tails of the last two ticks, in the order and space of vrm_instance_get_spring_tails().
VRM_API vrm_result vrm_instance_set_spring_tails(
    vrm_instance *instance, const vrm_dvec3 *current, const vrm_dvec3 *previous, uint32_t count);

/// A spring collider that the host adds.
typedef struct vrm_host_collider_def {
    uint32_t struct_size;
    bool enabled;             ///< Default true.
    vrm_collider_shape shape; ///< Default sphere.
    /// Node (node order) to which the collider is fixed; positions are then node-local. -1 (default): fixed to the
    /// world.
    int32_t node;
    vrm_dvec3 offset; ///< Centre of a sphere, first end of a capsule, or a point of the plane.
    vrm_dvec3 tail;   ///< Capsule: second end. Plane: normal, which is normalised.
    float radius;     ///< Metres.
    int32_t chain;    ///< The only spring chain that collides with this collider; -1 (default): all chains.
} vrm_host_collider_def;

/// Fills `collider` with the defaults.
VRM_API void vrm_host_collider_def_default(vrm_host_collider_def *collider, size_t size);
#define vrm_host_collider_def_default(collider) vrm_host_collider_def_default(collider, sizeof *(collider))
/// Sets the collider of a reserved slot; NULL empties the slot. The host's colliders are processed after the avatar's
/// own.
VRM_API vrm_result vrm_instance_set_host_collider(
    vrm_instance *instance, uint32_t slot, const vrm_host_collider_def *collider);

#endif
