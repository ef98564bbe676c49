// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_ACTIVE_RAGDOLL_H
#define VRM_ACTIVE_RAGDOLL_H

/// @file active_ragdoll.h
/// The active ragdoll of an instance: physics moves the body and the animation attracts it ("How To Implement Active
/// Ragdoll"). A frame is
///
///     vrm_update_pose(instance, &params);                  // the animated pose, and the bodies' targets
///     vrm_instance_take_requested_root(instance);          // a body that gets up requests a root
///     vrm_instance_get_ragdoll_targets(instance, &targets);
///     ... the engine steps ...
///     vrm_instance_set_ragdoll_states(instance, origin, states, count);
///     vrm_update_secondary(instance, &params);             // reads the bodies back; eyes, constraints, hair follow
/// them
///
/// so there is no frame of delay. Nothing is simulated and nothing costs time until something happens: a hit, an
/// explosion, a weight below 1. When the body is back in its animation, the simulation ends by itself.

#include <vrm/instance.h>
#include <vrm/ragdoll.h>

/// What happens when a limp body lies still.
typedef enum vrm_ragdoll_recovery {
    /// As in the article: weights grow to 1, then the animation takes over. The default.
    VRM_RAGDOLL_RECOVERY_AUTOMATIC = 0,
    VRM_RAGDOLL_RECOVERY_MANUAL = 1 ///< It lies until vrm_instance_start_get_up() or vrm_instance_recover_ragdoll().
} vrm_ragdoll_recovery;

/// How the ragdoll behaves as a whole.
typedef struct vrm_ragdoll_params {
    uint32_t struct_size;
    vrm_ragdoll_drive drive; ///< Default VRM_RAGDOLL_DRIVE_TORQUE.
    /// Frequency of every joint's spring at muscle 1, 0 to 60 Hz (2: soft, 8: firm). 0, the default: each joint's own
    /// (vrm_ragdoll_joint.drive), or 4 if it has none.
    float frequency;
    float damping_ratio; ///< Damping ratio, 0 to 10; default 1. Used for joints that have no frequency of their own.
    float max_torque;    ///< Strength of every joint, N m, not negative; 0, the default: each joint's own.
    /// Frequency of the spring that holds a body in the world at pin 1, 0 to 60 Hz; 0, the default: the hips' own
    /// frequency, else 6.
    float pin_frequency;
    bool always; ///< Simulate also when nothing has happened; default false.
    /// An impulse of this speed times the total mass takes all muscle from the body that it hits, m/s, above 0;
    /// default 1.
    float hit_speed;
    /// Each joint farther away loses this fraction of the muscle that the joint before it lost, 0 to 1; default
    /// 0.6. A loss may be above 1.
    float hit_spread;
    float hit_recovery; ///< Seconds in which muscle lost to a hit recovers completely, above 0; default 0.8.
    bool detect_fall;   ///< A body that has fallen goes limp; default true.
    /// Fraction of their animated height that the hips may sink, or (pinned) be thrown aside, before the body
    /// counts as fallen, 0 to 1; default 0.35.
    float fall_height;
    /// Angle that the hips may lean away from the animation's before the body counts as fallen, radians; default 70
    /// degrees.
    float fall_tilt;
    vrm_ragdoll_recovery recovery;
    /// True: the hips' speed decides whether the body is still. Default false: the mean speed of the mass.
    bool pelvis_speed;
    float still_speed; ///< m/s below which a body is still, above 0; default 0.15.
    float still_time;  ///< Seconds that it must be still, not negative; default 0.5.
    float grow_time;   ///< Seconds in which weights grow from 0 to 1, above 0; default 1.
    /// Seconds to blend from the body back to the animation, above 0; default 0.4. Longer if a joint has a large
    /// angle to turn (at most 3 rad/s).
    float blend_time;
    /// Minimum pin of hands and feet while it gets up, 0 to 1; default 1: hands and feet that carry weight do not
    /// slide.
    float get_up_pin;
    /// Seconds over which a hit or an explosion pushes, 0 to 10; default 0.1. The force rises and falls like half a
    /// sine wave, and the muscles of the bodies that it hits give way with it. 0: all at once, in a single step.
    float hit_time;
    /// Muscle and pin that remain after even the hardest hit, 0 to 1; default 0.3: the joint stays a spring and
    /// does not go limp.
    float hit_floor;
    /// Pin of a foot that the animation keeps in place (slower than 0.2 m/s), times the hips' pin, 0 to 1; default 1:
    /// the foot stands. The drive then bears the load, and the soles press too little on the ground for friction alone
    /// to hold them.
    float foot_pin;
    /// A standing body that is pushed out of balance takes recovery steps, or falls if those would not help; default
    /// false (`vrm simulate` and vrm-view turn it on). With VRM_RAGDOLL_DRIVE_TORQUE only. After the steps the body
    /// requests the root at its new place (vrm_instance_get_requested_root()); if the host keeps its root for a quarter
    /// of a second, the body steps back. See docs/active-ragdoll.md.
    bool steps;
    /// Assistance: pushes count as smaller by this factor when balance is judged, 1 to 10; default 1.5. 1: as in the
    /// model of stepping, in which people of 55 kg fall from pushes above some 40 N s.
    float step_assist;
    float step_reaction; ///< Seconds out of balance before the first step, 0 to 1; default 0.08.
} vrm_ragdoll_params;

/// Fills it with the defaults.
VRM_API void vrm_ragdoll_params_default(vrm_ragdoll_params *settings, size_t size);
#define vrm_ragdoll_params_default(settings) vrm_ragdoll_params_default(settings, sizeof *(settings))

/// Gives the instance its ragdoll; it must have reserved the bodies (vrm_instance_def.ragdoll_bodies). The definition
/// is copied. `settings` NULL: the defaults. INVALID_ARGUMENT for a faulty definition or settings, LIMIT for too many
/// bodies, INVALID_ASSET for the definition of another avatar, UNSUPPORTED for a body on hair without the def's
/// hair_inputs; nothing changes then. Weights go to their defaults.
VRM_API vrm_result vrm_instance_set_ragdoll(
    vrm_instance *instance, const vrm_ragdoll_def *def, const vrm_ragdoll_params *settings);
/// Removes the ragdoll (the default: none); the animation is shown at once.
VRM_API void vrm_instance_clear_ragdoll(vrm_instance *instance);
/// Changes the settings. INVALID_ARGUMENT outside their ranges, UNSUPPORTED without a ragdoll (as for all below).
VRM_API vrm_result vrm_instance_set_ragdoll_params(vrm_instance *instance, const vrm_ragdoll_params *settings);
/// Gives the settings; the defaults without a ragdoll.
VRM_API void vrm_instance_get_ragdoll_params(const vrm_instance *instance, vrm_ragdoll_params *out_settings);

// --- weights -------------------------------------------------------------------------------------------------------

/// Weights of a body, 0 to 1.
typedef struct vrm_ragdoll_weights {
    float pin;     ///< How firmly the body is held at its animated position in the world. Default: hips 1, others 0.
    float muscle;  ///< How firmly the joint is held at its animated rotation. Default 1.
    float mapping; ///< Blend from the animated (0) to the simulated pose (1). Default 1.
} vrm_ragdoll_weights;

/// Moves the weights of a group to these values, linearly over `seconds` (0: at once). VRM_RAGDOLL_GROUP_ALL: all.
VRM_API vrm_result vrm_instance_set_ragdoll_weights(
    vrm_instance *instance, vrm_ragdoll_group group, const vrm_ragdoll_weights *weights, float seconds);
/// The same for one body, for example to pin a hand or a foot.
VRM_API vrm_result vrm_instance_set_ragdoll_body_weights(
    vrm_instance *instance, uint32_t body, const vrm_ragdoll_weights *weights, float seconds);
/// Gives the current weights of a body, before losses from hits and explosions.
VRM_API vrm_result vrm_instance_get_ragdoll_body_weights(
    const vrm_instance *instance, uint32_t body, vrm_ragdoll_weights *out_weights);
/// Sets how a body's joint is driven from now on, instead of by the definition: a stiff neck, a trembling hand.
/// INVALID_ARGUMENT outside the ranges of vrm_ragdoll_joint_drive.
VRM_API vrm_result vrm_instance_set_ragdoll_joint_drive(
    vrm_instance *instance, uint32_t body, const vrm_ragdoll_joint_drive *drive);
/// A group that is KINEMATIC follows the animation and pushes others (partial ragdoll); DYNAMIC is the default.
/// OFF is not allowed here. VRM_RAGDOLL_GROUP_ALL: all.
VRM_API vrm_result vrm_instance_set_ragdoll_motion(
    vrm_instance *instance, vrm_ragdoll_group group, vrm_ragdoll_motion motion);

// --- events --------------------------------------------------------------------------------------------------------

/// A hit: the engine gets the impulse (N s, world) at the point (world, metres; from then on it moves with the body),
/// in shares with the targets of the next `hit_time` seconds, and muscle and pin of the body and of its neighbours give
/// way. A body that has just begun to get up and still lies becomes limp. `body` -1: the one nearest to the point.
/// LIMIT while twice as many hits as the reserved bodies are still pushing.
VRM_API vrm_result vrm_instance_hit_ragdoll(
    vrm_instance *instance, int32_t body, const vrm_dvec3 *point, const vrm_vec3 *impulse);
/// An explosion: bodies within `radius` (metres) of `center` (world) are pushed away, each by `impulse` (N s) times its
/// share of the total mass times 1 - distance / radius; all weights drop to 0.
VRM_API vrm_result vrm_instance_explode_ragdoll(
    vrm_instance *instance, const vrm_dvec3 *center, float impulse, float radius);
/// All weights drop to 0 without a push.
VRM_API vrm_result vrm_instance_drop_ragdoll(vrm_instance *instance);
/// A limp or lying body: weights grow to 1 now, then back to the animation.
VRM_API vrm_result vrm_instance_recover_ragdoll(vrm_instance *instance);
/// The same with a clip that begins in the pose in which the body lies: the next vrm_update_pose() requests a root
/// (vrm_instance_get_requested_root()) with which hips and spine of that frame's animated pose are where the body's
/// are. Start the clip in the same frame. Until it is back in the animation, or falls again, hands and feet are pinned
/// by `get_up_pin`. If the host does not apply the root, the body returns to the animation at its old place.
VRM_API vrm_result vrm_instance_start_get_up(vrm_instance *instance);
/// The root requested for getting up: moved over the ground and turned about the world's up axis. NOT_FOUND if none is
/// requested. Valid until the next vrm_update_pose(); a teleport, a fall and the end of the simulation withdraw it. An
/// update never sets the root, which belongs to the host.
VRM_API vrm_result vrm_instance_get_requested_root(const vrm_instance *instance, vrm_root *out_root);
/// Sets the requested root without a jump: between the halves of the frame the targets are computed anew (get them
/// after this), and the change of place causes no velocity. NOT_FOUND, and nothing happens, if none is requested: call
/// it in every frame.
VRM_API vrm_result vrm_instance_take_requested_root(vrm_instance *instance);
/// Ends the simulation; the animation shows at once.
VRM_API vrm_result vrm_instance_stop_ragdoll(vrm_instance *instance);

/// Where a ragdoll is between animation and physics, in the usual order.
typedef enum vrm_ragdoll_phase {
    VRM_RAGDOLL_PHASE_OFF = 0,        ///< The animation is shown, nothing is simulated.
    VRM_RAGDOLL_PHASE_ACTIVE = 1,     ///< Simulated and driven by the weights.
    VRM_RAGDOLL_PHASE_LIMP = 2,       ///< Simulated, all weights 0.
    VRM_RAGDOLL_PHASE_LYING = 3,      ///< As LIMP, and at rest.
    VRM_RAGDOLL_PHASE_RECOVERING = 4, ///< Weights grow.
    VRM_RAGDOLL_PHASE_BLENDING = 5,   ///< Blends back to the animation.
    VRM_RAGDOLL_PHASE_COUNT = 6
} vrm_ragdoll_phase;

/// The side on which the hips lie.
typedef enum vrm_ragdoll_lying {
    VRM_RAGDOLL_LYING_NOT = 0, ///< The hips are upright rather than lying.
    VRM_RAGDOLL_LYING_BACK = 1,
    VRM_RAGDOLL_LYING_FRONT = 2,
    VRM_RAGDOLL_LYING_LEFT_SIDE = 3,
    VRM_RAGDOLL_LYING_RIGHT_SIDE = 4
} vrm_ragdoll_lying;

/// How a standing body keeps its balance (vrm_ragdoll_params.steps).
typedef enum vrm_ragdoll_balance {
    VRM_RAGDOLL_BALANCE_NONE = 0,    ///< Nothing has pushed it, or it neither stands nor walks.
    VRM_RAGDOLL_BALANCE_SWAYS = 1,   ///< On both feet.
    VRM_RAGDOLL_BALANCE_STEPS = 2,   ///< A foot is in the air.
    VRM_RAGDOLL_BALANCE_GATHERS = 3, ///< The other foot is moved beside the one that has stepped.
    VRM_RAGDOLL_BALANCE_STANDS = 4,  ///< In balance again; requests the root at its new place.
    VRM_RAGDOLL_BALANCE_GAVE_UP = 5, ///< Steps would not help: it falls.
    VRM_RAGDOLL_BALANCE_STAGGERS =
        6, ///< Walks on with other footholds than the animation's, until the root has taken their way.
    VRM_RAGDOLL_BALANCE_COUNT = 7
} vrm_ragdoll_balance;

/// The current state of an active ragdoll.
typedef struct vrm_ragdoll_info {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_ragdoll_info).
    vrm_ragdoll_phase phase;
    float phase_time;            ///< Seconds in it.
    vrm_ragdoll_lying lying;     ///< Of the bodies as read last; NOT while the ragdoll is OFF.
    float speed;                 ///< The speed that decides whether the body is still, m/s.
    float deviation;             ///< Largest angle between a body's simulated and animated joint rotation, radians.
    uint32_t body_count;         ///< 0 without a ragdoll.
    vrm_ragdoll_balance balance; ///< Of the last push; GAVE_UP until the body is back in its animation.
    uint32_t step_count;         ///< Steps taken since then, not counting those that bring the feet together.
} vrm_ragdoll_info;

/// Gives the state of the ragdoll.
VRM_API void vrm_instance_get_ragdoll_info(const vrm_instance *instance, vrm_ragdoll_info *out_info);

// --- exchange ------------------------------------------------------------------------------------------------------

/// Gives the targets that vrm_update_pose() has computed for the bodies; valid until the next one.
VRM_API vrm_result vrm_instance_get_ragdoll_targets(const vrm_instance *instance, vrm_ragdoll_targets *out_targets);
/// The states that the engine has computed, `count` of them in the order of the definition, positions relative to
/// `origin` (world; NULL: the world's own). Read by the next vrm_update_secondary(). INVALID_ARGUMENT for another
/// count. A body whose state is not finite, and all of them with `states` NULL (the engine lost them), falls back to
/// the animated pose, and VRM_STATUS_RAGDOLL_LOST is set. Kept until set again.
VRM_API vrm_result vrm_instance_set_ragdoll_states(
    vrm_instance *instance, const vrm_dvec3 *origin, const vrm_ragdoll_state *states, uint32_t count);

#endif
