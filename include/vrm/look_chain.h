// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_LOOK_CHAIN_H
#define VRM_LOOK_CHAIN_H

/// @file look_chain.h
/// The look chain: eyes, head, neck and spine turn to a target together. The small joints turn first; when one reaches
/// its limit, the next one helps (Peyman Massoudi, "Perfect Look At"; "the article" below). The chain follows the
/// target of vrm_instance_set_look_at_target() and works on top of any pose. Angles are in radians. See
/// docs/look-chain.md.

#include <vrm/instance.h>

enum {
    /// Node of the first bone if the chain begins with the avatar's eyes, whether bones or expressions move the eyes.
    VRM_LOOK_CHAIN_EYES = -2,
    VRM_LOOK_CHAIN_MAX_BONES = 16,  ///< Largest number of bones of a chain.
    VRM_LOOK_CHAIN_PRESET_BONES = 6 ///< Largest number of bones of a preset.
};

/// The rules by which a look chain works.
typedef enum vrm_look_chain_mode {
    /// Lengths are in units of the head's height, and limits are relative to the rest pose. Up to four passes run until
    /// the error is below 0.1 degree. Limits are soft, and targets behind the back have hysteresis.
    VRM_LOOK_CHAIN_MODE_DEFAULT = 0,
    /// The rules of the article "Perfect Look At". The unit is a metre, a limit is the angle between the forward
    /// vectors of bone and parent, there is one pass, limits are hard, and vrm_look_bone.around_up blends the axis. All
    /// members of vrm_look_chain_def under "beyond the article" are ignored.
    VRM_LOOK_CHAIN_MODE_ARTICLE = 1
} vrm_look_chain_mode;

/// A bone that copies the rotation of a bone of the chain.
typedef struct vrm_look_link {
    int32_t node; ///< Node order.
    bool reset;   ///< True: the bone starts from its rest rotation instead of its pose; default false.
} vrm_look_link;

/// A bone of a look chain.
typedef struct vrm_look_bone {
    /// Node order; VRM_LOOK_CHAIN_EYES is allowed for the first bone. If an eye's node is used here or among the links,
    /// the chain controls the eye, and look-at does not move it. If expressions move the eyes, the chain's rotation of
    /// the eye is converted to their weights, and the node stays at rest.
    int32_t node;
    /// Largest angle, 0 (the bone never rotates) to pi; default pi. The eyes are limited by their range maps.
    float limit;
    /// Axis of rotation. 0 (default): the bone rotates by the shortest arc; 1: only about the up vector. For values
    /// between, the default mode blends the two rotations; article mode rotates about an axis between the two, by the
    /// angle that brings the bone nearest to the target.
    float around_up;
    bool reset;       ///< True: the bone starts from its rest rotation instead of its pose; default false.
    vrm_vec3 forward; ///< Forward vector in the bone's axes; 0 (default): the model's +Z in the rest pose.
    /// Forward vector in the parent's axes, for limits of article mode; 0 (default): the model's +Z in the rest pose.
    vrm_vec3 parent_forward;
    const vrm_look_link *links; ///< Linked bones; copied. Default none; the eyes cannot have any.
    uint32_t link_count;        ///< Number of links.
    /// True: the four limits below replace `limit`; default false. Ignored in article mode.
    bool asymmetric;
    float limit_yaw;  ///< Limit to either side, 0 to pi.
    float limit_up;   ///< Limit upwards, 0 to pi.
    float limit_down; ///< Limit downwards, 0 to pi.
    float limit_roll; ///< Limit about the forward vector, relative to the rest pose, 0 to pi; default pi.
    /// Weight of the bone when vrm_instance_set_head_orientation() is distributed to the bones, at least 0; default 0.
    float orientation_share;
} vrm_look_bone;

/// Fills `bone` with the defaults; `node` is -1.
VRM_API void vrm_look_bone_default(vrm_look_bone *bone);

/// A look chain and how it moves.
typedef struct vrm_look_chain_def {
    uint32_t struct_size;
    vrm_look_chain_mode mode; ///< Default VRM_LOOK_CHAIN_MODE_DEFAULT.
    /// Bones of the chain; copied. The first bone looks at the target; each further bone is an ancestor of the bone
    /// before it.
    const vrm_look_bone *bones;
    /// Number of bones, 1 to VRM_LOOK_CHAIN_MAX_BONES, and at most the number that the instance has reserved.
    uint32_t bone_count;
    vrm_vec3 up; ///< The axis of yaw, in the root's axes; default +Y.
    /// Speed at which the pose approaches its goal, 1/s; default 8. The difference decays by exp(-blend_speed * t). 0:
    /// at once.
    float blend_speed;
    float weight; ///< Weight when the chain is set: 0 (the animation) to 1 (default).
    /// True: draws lines in vrm_outputs.debug_lines, targets red and forward vectors green; default false.
    bool draw_debug;
    /// True: the eyes' angle passes through the range maps of the file, so that the eyes usually turn less than the
    /// chain assumes; vrm_look_chain_state reports the error. Default false: the maps are inverted.
    bool map_as_authored;
    /// Angle by which weight 1 of lookLeft or lookRight turns the eyes, above 0; default 15 degrees.
    float expression_yaw;
    /// Angle by which weight 1 of lookUp or lookDown turns the eyes, above 0; default 10 degrees.
    float expression_pitch;

    // Beyond the article:
    /// Fraction at the end of a limit over which the bone slows down, 0 (hard stop) to 0.9; default 0.2.
    float soft_limit;
    /// Hysteresis for targets behind the back, 0 (off) to pi/2; default 20 degrees. The chain stays on its side until
    /// the target is on the other side by this angle. A target out of reach is followed over the shoulder.
    float behind_margin;
    bool vergence; ///< True: each eye looks at the target from its own position; default false.
    bool saccade;  ///< True: if the target jumps, the eyes follow first, then the head; default false.
    /// Smallest jump of the target between two updates that starts a saccade; default 5 degrees.
    float saccade_threshold;
    /// Speed of the eyes in a saccade, radians per second, above 0; default 500 degrees per second.
    float saccade_speed;
    float head_delay; ///< Seconds until the head follows the eyes; default 0.1.
    /// Highest speed of the head in a saccade (minimum jerk), radians per second, above 0; default 150 degrees per
    /// second.
    float head_speed;
    bool idle;               ///< True: micro-saccades, and blinks with large changes of gaze; default false.
    uint32_t idle_seed;      ///< Seed of the micro-saccades; default 1.
    float idle_angle;        ///< Largest micro-saccade, 0 to 0.2 radians; default 0.5 degrees.
    float idle_interval_min; ///< Shortest time between micro-saccades, seconds, 0.05 to 3600; default 0.4.
    float idle_interval_max; ///< Longest time between micro-saccades, seconds, idle_interval_min to 3600; default 1.6.
    float blink_angle;       ///< Smallest change of gaze that comes with a blink; default 35 degrees.
    /// Highest speed of all bones together, except the eyes, if blend_speed is not 0. Radians per second, above 0;
    /// default 250 degrees per second. A weight that the host changes is not limited, nor is the head during a saccade,
    /// which has head_speed.
    float turn_speed;
    /// Highest acceleration of all bones together, except the eyes, radians per second squared, above 0; default 1500
    /// degrees per second squared.
    float turn_acceleration;
} vrm_look_chain_def;

/// Fills `def` with the defaults and no bones.
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

/// Fills `def`, whose struct_size the caller sets, with the defaults and the preset's chain. `def->bones` becomes
/// `bones`, which must have room for VRM_LOOK_CHAIN_PRESET_BONES. Limits: head 45, neck 25, upper chest and chest 12,
/// spine 15 degrees. around_up: 0.1 for the upper chest, 0.2 for the chest, 0.7 for the spine, 0 for the others.
/// Returns NOT_FOUND if the avatar has none of the bones.
VRM_API vrm_result vrm_look_chain_preset_def(
    const vrm_avatar *avatar, vrm_look_chain_preset preset, vrm_look_chain_def *def, vrm_look_bone *bones);

/// X(name, number, sentence): every reason for which a chain is refused.
#define VRM_LOOK_CHAIN_FAULTS(X) \
    X(NONE, 0, "nothing is wrong") \
    X(EMPTY, 1, "the chain has no bones") \
    X(TOO_LONG, 2, "the instance has not reserved that many bones") \
    X(TOO_MANY_LINKS, 3, "the instance has not reserved that many linked bones") \
    X(BONE_MISSING, 4, "an entry is not a node") \
    X(BONE_REPEATED, 5, "a node occurs twice in the chain") \
    X(BONE_NOT_ANCESTOR, 6, "a bone is not an ancestor of the bone before it") \
    X(EYES_NOT_FIRST, 7, "the eyes are not the first entry") \
    X(EYES_MISSING, 8, "the avatar has nothing that moves its eyes") \
    X(BONE_VALUE, 9, "a number of a bone is outside its range") \
    X(LINK_MISSING, 10, "a linked bone is not a node") \
    X(LINK_REPEATED, 11, "a linked bone is in the chain or linked twice") \
    X(HAIR, 12, "a bone or linked bone is hair, and the instance has not reserved hair_inputs") \
    X(VALUE, 13, "a number of the chain is outside its range")

/// Reason why a chain was refused. VRM_LOOK_CHAIN_FAULTS has a sentence for each.
typedef enum vrm_look_chain_fault {
#define VRM_LOOK_CHAIN_FAULT_ENUM(name, number, sentence) VRM_LOOK_CHAIN_FAULT_##name = (number),
    VRM_LOOK_CHAIN_FAULTS(VRM_LOOK_CHAIN_FAULT_ENUM)
#undef VRM_LOOK_CHAIN_FAULT_ENUM
        VRM_LOOK_CHAIN_FAULT_COUNT = 14
} vrm_look_chain_fault;

/// Returns the enumerator's short name ("BONE_REPEATED"); "UNKNOWN" for a value outside the enum. The string is static.
VRM_API const char *vrm_look_chain_fault_name(vrm_look_chain_fault fault);
/// Returns the fault's sentence in VRM_LOOK_CHAIN_FAULTS. The string is static.
VRM_API const char *vrm_look_chain_fault_sentence(vrm_look_chain_fault fault);

/// Reason why a chain was refused, and the entry at fault.
typedef struct vrm_look_chain_error {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_look_chain_error).
    vrm_look_chain_fault fault;
    int32_t bone; ///< Index of the bone in the chain; -1: the chain as a whole.
    int32_t link; ///< Index of the link in the bone's links, or -1.
} vrm_look_chain_error;

/// Sets the look chain; the instance must have reserved its bones and links (vrm_instance_def). The next update shows
/// the chain's look without a blend, and a transition of the weight ends. On INVALID_ARGUMENT nothing is changed, and
/// `*out_error` (may be NULL) receives the reason.
VRM_API vrm_result vrm_instance_set_look_chain(
    vrm_instance *instance, const vrm_look_chain_def *def, vrm_look_chain_error *out_error);
/// Removes the look chain: the bones keep their pose, and only the eyes follow the target. By default there is no
/// chain.
VRM_API void vrm_instance_clear_look_chain(vrm_instance *instance);

/// Sets the chain's weight, 0 to 1, and cancels a transition (SetLookAtWeight in the article "Perfect Look At").
VRM_API vrm_result vrm_instance_set_look_chain_weight(vrm_instance *instance, float weight);
/// Returns the chain's current weight; 0 without a chain.
VRM_API float vrm_instance_get_look_chain_weight(const vrm_instance *instance);

/// Options of a transition of the weight.
typedef enum vrm_transition_flag {
    /// The call is ignored during a transition (like cancelCurrentTransition false in the article "Perfect Look At").
    /// Without this flag, the call cancels the transition, and the weight continues from its current value.
    VRM_TRANSITION_KEEP = 1 << 0
} vrm_transition_flag;

/// Changes the chain's weight to 1 in `seconds` (not negative), linearly. `flags`: combination of vrm_transition_flag.
VRM_API vrm_result vrm_instance_enable_look_chain(vrm_instance *instance, float seconds, uint32_t flags);
/// Changes the chain's weight to 0 in `seconds`, linearly, with the same flags.
VRM_API vrm_result vrm_instance_disable_look_chain(vrm_instance *instance, float seconds, uint32_t flags);
/// Returns true while a transition of the weight is running.
VRM_API bool vrm_instance_is_look_chain_in_transition(const vrm_instance *instance);
/// Returns the seconds until the end of the transition; 0 without a transition.
VRM_API float vrm_instance_get_look_chain_transition_time_left(const vrm_instance *instance);

/// Sets an orientation by which the bones other than the eyes turn instead of following the target, for example from a
/// head tracker. It is in the model's axes, relative to the bones' pose: yaw + left, pitch + down, then roll + to the
/// avatar's right shoulder, -pi to pi. vrm_look_bone.orientation_share distributes it. The eyes still follow the
/// target.
VRM_API vrm_result vrm_instance_set_head_orientation(vrm_instance *instance, float yaw, float pitch, float roll);
/// Lets the bones follow the target again. The default.
VRM_API void vrm_instance_clear_head_orientation(vrm_instance *instance);

/// Directions in which the eyes' range maps cannot be inverted. In these directions the chain does not control the
/// eyes, which move as authored.
typedef enum vrm_look_map {
    VRM_LOOK_MAP_HORIZONTAL = 1 << 0, ///< The horizontal inner or outer map.
    VRM_LOOK_MAP_UP = 1 << 1,
    VRM_LOOK_MAP_DOWN = 1 << 2
} vrm_look_map;

/// State of a look chain after the last update.
typedef struct vrm_look_chain_state {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_look_chain_state).
    bool aiming;          ///< There is a chain, and it has a target.
    /// Angle between the first bone's line of sight and the target in the output, radians: after blending, weight,
    /// range maps, expressions that override the gaze and the host's own angles. If bones move the eyes, the larger
    /// error of the two eyes; if expressions move them, the error at the middle between the eyes.
    float error;
    uint32_t passes;     ///< Passes of the solver, 0 to 4.
    uint32_t at_limit;   ///< Bit i: bone i is at its limit.
    float eye_yaw;       ///< Yaw that the chain gives the eyes, + left, radians; with vergence, the mean of both eyes.
    float eye_pitch;     ///< Pitch that the chain gives the eyes, + down, radians.
    uint32_t fixed_maps; ///< Combination of vrm_look_map.
    float map_error;     ///< Error of the eyes that map_as_authored or fixed maps cause, radians.
} vrm_look_chain_state;

/// Gives the state of the look chain; zeros without a chain.
VRM_API void vrm_instance_get_look_chain_state(const vrm_instance *instance, vrm_look_chain_state *out_state);

#endif
