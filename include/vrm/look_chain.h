// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_LOOK_CHAIN_H
#define VRM_LOOK_CHAIN_H

/// @file look_chain.h
/// The look chain: eyes, head, neck and spine turn to a target together, the small joints first; when one reaches its
/// limit the next one helps (Peyman Massoudi, "Perfect Look At"; "the article" below). It follows the target of
/// vrm_instance_set_look_at_target() and works on top of any pose. Angles in radians. See docs/look-chain.md.

#include <vrm/instance.h>

enum {
    VRM_LOOK_CHAIN_EYES =
        -2, ///< Stands for the avatar's eyes, as bones or expressions, in place of the first bone's node.
    VRM_LOOK_CHAIN_MAX_BONES = 16,  ///< Largest number of bones of a chain.
    VRM_LOOK_CHAIN_PRESET_BONES = 6 ///< Largest number of bones of a preset.
};

/// The rules by which a chain works.
typedef enum vrm_look_chain_mode {
    /// Lengths are in units of the head's height and limits relative to the rest pose, up to four passes run until the
    /// error is below 0.1 degree, limits are soft, and targets behind the back have hysteresis.
    VRM_LOOK_CHAIN_MODE_DEFAULT = 0,
    /// As in the article: the unit is a metre, the limit is between the forward vectors of bone and parent, there is
    /// one pass, limits are hard, and vrm_look_bone.around_up blends the axis. All members of vrm_look_chain_def under
    /// "beyond the article" are ignored.
    VRM_LOOK_CHAIN_MODE_ARTICLE = 1
} vrm_look_chain_mode;

/// A bone that copies the rotation of a bone of the chain.
typedef struct vrm_look_link {
    int32_t node; ///< Node order.
    bool reset;   ///< It starts from its rest rotation instead of its pose; default false.
} vrm_look_link;

/// A bone of the chain.
typedef struct vrm_look_bone {
    /// Node order; VRM_LOOK_CHAIN_EYES is allowed as the first one. If the node of an eye is used here or among the
    /// links, the chain controls it and look-at leaves it alone. If expressions move the eyes, the chain's rotation of
    /// the eye becomes their weights, and the node stays at rest.
    int32_t node;
    float limit; ///< Limit, 0 (it never turns) to pi; default pi. The eyes are limited by their range maps.
    /// 0 (default): turns by the shortest arc, 1: only about the up vector. For values between, article mode turns
    /// about an axis between those of both, by the angle that brings the bone nearest to the target; the default mode
    /// blends the two rotations.
    float around_up;
    bool reset;              ///< It starts from its rest rotation instead of its pose; default false.
    vrm_vec3 forward;        ///< In its own axes; 0 (default): the model's +Z in the rest pose.
    vrm_vec3 parent_forward; ///< In its parent's axes, for limits of article mode; 0 (default): the model's +Z at rest.
    const vrm_look_link *links; ///< Linked bones; copied. Default none; the eyes cannot have any.
    uint32_t link_count;        ///< Links of the bone.
    bool asymmetric;            ///< Beyond the article: the four limits below instead of `limit`; default false.
    float limit_yaw;            ///< To either side, 0 to pi.
    float limit_up;             ///< 0 to pi.
    float limit_down;           ///< 0 to pi.
    float limit_roll;           ///< About the forward vector against the rest pose, 0 to pi; default pi.
    float orientation_share;    ///< Share of vrm_instance_set_head_orientation(), at least 0; default 0.
} vrm_look_bone;

/// Fills it with the defaults; `node` -1.
VRM_API void vrm_look_bone_default(vrm_look_bone *bone);

/// A chain and how it moves.
typedef struct vrm_look_chain_def {
    uint32_t struct_size;
    vrm_look_chain_mode mode; ///< Default VRM_LOOK_CHAIN_MODE_DEFAULT.
    const vrm_look_bone
        *bones; ///< The first bone is the one that looks; each further one is an ancestor of the one before. Copied.
    uint32_t bone_count; ///< 1 to VRM_LOOK_CHAIN_MAX_BONES, and at most what the instance has reserved.
    vrm_vec3 up;         ///< The axis of yaw, in the root's axes; default +Y.
    /// Speed at which the look-at pose approaches its goal: the difference decays by exp(-blend_speed * t), 1/s; 0: at
    /// once. Default 8.
    float blend_speed;
    float weight;    ///< Weight after the chain was set: 0 (the animation) to 1 (default).
    bool draw_debug; ///< Lines in vrm_outputs.debug_lines: targets red, forward vectors green; default false.
    /// True: the eyes' angle goes through the range maps of the file, so they usually turn less than the chain assumes;
    /// vrm_look_chain_state reports the error. Default false: the maps are inverted.
    bool map_as_authored;
    /// Angle that weight 1 of lookLeft and lookRight turns the eyes by, above 0; default 15 degrees.
    float expression_yaw;
    float expression_pitch; ///< The same for lookUp and lookDown; default 10 degrees.

    // Beyond the article:
    /// Fraction of a limit, at its end, over which the bone slows down: 0 (hard stop) to 0.9; default 0.2.
    float soft_limit;
    /// While the target is behind the back, the side is kept until the target is this far across, and a target out of
    /// reach is followed over the shoulder; 0 (off) to pi/2; default 20 degrees.
    float behind_margin;
    bool vergence;           ///< Each eye looks at the target from its own position; default false.
    bool saccade;            ///< When a target jumps, the eyes follow first, then the head; default false.
    float saccade_threshold; ///< Smallest jump between two updates, default 5 degrees.
    float saccade_speed;     ///< Of the eyes, radians per second, above 0; default 500 degrees per second.
    float head_delay;        ///< Seconds until the head follows, default 0.1.
    /// Highest speed of the head (minimum jerk), radians per second, above 0; default 150 degrees per second.
    float head_speed;
    bool idle;               ///< Micro-saccades, and blinks with large changes of gaze; default false.
    uint32_t idle_seed;      ///< Default 1.
    float idle_angle;        ///< Largest micro-saccade, 0 to 0.2; default 0.5 degrees.
    float idle_interval_min; ///< Seconds between micro-saccades, 0.05 to 3600; default 0.4.
    float idle_interval_max; ///< idle_interval_min to 3600; default 1.6.
    float blink_angle;       ///< Changes of gaze of at least this angle come with a blink; default 35 degrees.
    /// If blend_speed is not 0: how fast all bones except the eyes may turn together, radians per second, above 0;
    /// default 250 degrees per second. Does not limit a weight that the host changes, nor the head during a saccade,
    /// which has head_speed.
    float turn_speed;
    /// How fast that speed may change, radians per second squared, above 0; default 1500 degrees.
    float turn_acceleration;
} vrm_look_chain_def;

/// Fills it with the defaults; no bones.
VRM_API void vrm_look_chain_def_default(vrm_look_chain_def *def, size_t size);
#define vrm_look_chain_def_default(def) vrm_look_chain_def_default(def, sizeof *(def))

/// Ready-made chains of the humanoid. Bones that the avatar lacks are left out; if nothing moves the eyes, the chain
/// begins with the head.
typedef enum vrm_look_chain_preset {
    VRM_LOOK_CHAIN_PRESET_EYES = 0,
    VRM_LOOK_CHAIN_PRESET_EYES_HEAD = 1,   ///< Eyes, head.
    VRM_LOOK_CHAIN_PRESET_UPPER_BODY = 2,  ///< Eyes, head, neck, upper chest, chest.
    VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE = 3, ///< Eyes, head, neck, upper chest, chest, spine.
    VRM_LOOK_CHAIN_PRESET_COUNT = 4
} vrm_look_chain_preset;

/// Fills `def` (the caller sets its struct_size) with the defaults and the preset's chain; `def->bones` becomes
/// `bones`, room for VRM_LOOK_CHAIN_PRESET_BONES. Limits: head 45, neck 25, upper chest and chest 12, spine 15 degrees;
/// around_up 0, from the upper chest down 0.1, 0.2 and 0.7. Returns VRM_ERROR_NOT_FOUND if the avatar has none of the
/// bones.
VRM_API vrm_result vrm_look_chain_preset_def(
    const vrm_avatar *avatar, vrm_look_chain_preset preset, vrm_look_chain_def *def, vrm_look_bone *bones);

/// X(name, number, sentence): why a chain was refused.
#define VRM_LOOK_CHAIN_FAULTS(X) \
    X(NONE, 0, "nothing is wrong") \
    X(EMPTY, 1, "the chain has no bones") \
    X(TOO_LONG, 2, "the instance has not reserved that many bones") \
    X(TOO_MANY_LINKS, 3, "the instance has not reserved that many linked bones") \
    X(BONE_MISSING, 4, "an entry is not a node") \
    X(BONE_REPEATED, 5, "a node occurs twice in the chain") \
    X(BONE_NOT_ANCESTOR, 6, "a bone is not an ancestor of the one before it") \
    X(EYES_NOT_FIRST, 7, "the eyes are not the first entry") \
    X(EYES_MISSING, 8, "the avatar has nothing that moves its eyes") \
    X(BONE_VALUE, 9, "a number of a bone is outside its range") \
    X(LINK_MISSING, 10, "a linked bone is not a node") \
    X(LINK_REPEATED, 11, "a linked bone is in the chain or linked twice") \
    X(HAIR, 12, "a bone or linked bone is hair, and the instance has not reserved hair_inputs") \
    X(VALUE, 13, "a number of the chain is outside its range")

/// Why a chain was refused; VRM_LOOK_CHAIN_FAULTS has a sentence for each.
typedef enum vrm_look_chain_fault {
#define VRM_LOOK_CHAIN_FAULT_ENUM(name, number, sentence) VRM_LOOK_CHAIN_FAULT_##name = (number),
    VRM_LOOK_CHAIN_FAULTS(VRM_LOOK_CHAIN_FAULT_ENUM)
#undef VRM_LOOK_CHAIN_FAULT_ENUM
        VRM_LOOK_CHAIN_FAULT_COUNT = 14
} vrm_look_chain_fault;

/// The enumerator's short name ("BONE_REPEATED"); "UNKNOWN" outside the enum. Static.
VRM_API const char *vrm_look_chain_fault_name(vrm_look_chain_fault fault);
/// The sentence of the table above. Static.
VRM_API const char *vrm_look_chain_fault_sentence(vrm_look_chain_fault fault);

/// What is wrong and where.
typedef struct vrm_look_chain_error {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_look_chain_error).
    vrm_look_chain_fault fault;
    int32_t bone; ///< Index in the chain, -1: the chain as a whole.
    int32_t link; ///< Index in that bone's links, or -1.
} vrm_look_chain_error;

/// Sets the chain; the instance must have reserved its bones and links (vrm_instance_def). The pose starts with the
/// chain's look; setting a chain ends a transition. INVALID_ARGUMENT: nothing is changed, and `*out_error` (may be
/// NULL) gives the reason.
VRM_API vrm_result vrm_instance_set_look_chain(
    vrm_instance *instance, const vrm_look_chain_def *def, vrm_look_chain_error *out_error);
/// Removes the chain: bones keep their pose, the eyes follow alone. The default.
VRM_API void vrm_instance_clear_look_chain(vrm_instance *instance);

/// Sets the weight, 0 to 1, and cancels a transition (the article's SetLookAtWeight).
VRM_API vrm_result vrm_instance_set_look_chain_weight(vrm_instance *instance, float weight);
/// The current weight; 0 without a chain.
VRM_API float vrm_instance_get_look_chain_weight(const vrm_instance *instance);

/// Options of a transition of the weight.
typedef enum vrm_transition_flag {
    /// The call is ignored during a transition (as with the article's cancelCurrentTransition false). Without this flag
    /// the running transition is cancelled and the weight continues from its current value.
    VRM_TRANSITION_KEEP = 1 << 0
} vrm_transition_flag;

/// Moves the weight to 1 in `seconds` (not negative), linearly. `flags`: combination of vrm_transition_flag.
VRM_API vrm_result vrm_instance_enable_look_chain(vrm_instance *instance, float seconds, uint32_t flags);
/// Moves the weight to 0 in `seconds`.
VRM_API vrm_result vrm_instance_disable_look_chain(vrm_instance *instance, float seconds, uint32_t flags);
/// Whether a transition of the weight is running.
VRM_API bool vrm_instance_is_look_chain_in_transition(const vrm_instance *instance);
/// Seconds until the end of the transition; 0 without one.
VRM_API float vrm_instance_get_look_chain_transition_time_left(const vrm_instance *instance);

/// Instead of following the target, the bones other than the eyes turn by this orientation (for example from a head
/// tracker), in the model's axes relative to their pose: yaw + left, pitch + down, then roll + to the avatar's right
/// shoulder, -pi to pi. vrm_look_bone.orientation_share distributes it. The eyes still follow the target.
VRM_API vrm_result vrm_instance_set_head_orientation(vrm_instance *instance, float yaw, float pitch, float roll);
/// The bones follow the target again. The default.
VRM_API void vrm_instance_clear_head_orientation(vrm_instance *instance);

/// Range maps of the eyes that cannot be inverted: in these directions the chain does not control the eyes, which move
/// as authored.
typedef enum vrm_look_map {
    VRM_LOOK_MAP_HORIZONTAL = 1 << 0, ///< horizontal inner or outer.
    VRM_LOOK_MAP_UP = 1 << 1,
    VRM_LOOK_MAP_DOWN = 1 << 2
} vrm_look_map;

/// State of the chain after the last update.
typedef struct vrm_look_chain_state {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_look_chain_state).
    bool aiming;          ///< There is a target and a chain.
    /// Angle between the first bone's line of sight and the target in the output, that is, after blending, weight,
    /// range maps, expressions that override the gaze and the host's own angles. Radians. For bone eyes the larger
    /// error of the two, for expression eyes the middle between them.
    float error;
    uint32_t passes;     ///< Passes of the solver, 0 to 4.
    uint32_t at_limit;   ///< Bit i: bone i is at its limit.
    float eye_yaw;       ///< Yaw that the chain wants for the eyes, + left; with vergence, the mean of both eyes.
    float eye_pitch;     ///< + down.
    uint32_t fixed_maps; ///< Combination of vrm_look_map.
    float map_error;     ///< The eyes' error caused by map_as_authored or fixed maps, radians.
} vrm_look_chain_state;

/// Gives the state; zeros without a chain.
VRM_API void vrm_instance_get_look_chain_state(const vrm_instance *instance, vrm_look_chain_state *out_state);

#endif
