// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_ACTIVE_RAGDOLL_H
#define VRM_ACTIVE_RAGDOLL_H

/// @file active_ragdoll.h
/// The active ragdoll of an instance: physics moves the body while drives pull it towards the animation ("How To
/// Implement Active Ragdoll"). A frame is
///
///     vrm_update_pose(instance, &params);                  // the animated pose, and the bodies' targets
///     vrm_instance_take_requested_root(instance);          // a body that gets up requests a root
///     vrm_instance_get_ragdoll_targets(instance, &targets);
///     ... the engine steps ...
///     vrm_instance_set_ragdoll_states(instance, origin, states, count);
///     vrm_update_secondary(instance, &params);             // reads the bodies; eyes, constraints and hair follow them
///
/// so that there is no frame of delay. Nothing is simulated and nothing costs time until something happens: a hit, an
/// explosion, a weight below 1. When the body is back in its animation, the simulation ends by itself.

#include <vrm/instance.h>
#include <vrm/ragdoll.h>

/// Behaviour after a limp body has come to rest.
typedef enum vrm_ragdoll_recovery {
    /// The weights grow to 1, then the animation takes over, as in the article named above. The default.
    VRM_RAGDOLL_RECOVERY_AUTOMATIC = 0,
    /// The body lies until vrm_instance_start_get_up() or vrm_instance_recover_ragdoll().
    VRM_RAGDOLL_RECOVERY_MANUAL = 1
} vrm_ragdoll_recovery;

/// Settings of an active ragdoll as a whole.
typedef struct vrm_ragdoll_params {
    uint32_t struct_size;
    vrm_ragdoll_drive drive; ///< Default VRM_RAGDOLL_DRIVE_TORQUE.
    /// Frequency of every joint's spring at muscle 1, 0 to 60 Hz (2: soft, 8: firm). 0, the default: each joint's own
    /// frequency (vrm_ragdoll_joint.drive), or 4 Hz if it has none.
    float frequency;
    float damping_ratio; ///< Damping ratio, 0 to 10; default 1. Used for joints that have no frequency of their own.
    float max_torque;    ///< As vrm_ragdoll_target.max_torque, of every joint; 0, the default: each joint's own.
    /// Frequency of the spring that holds a body in the world at pin 1, 0 to 60 Hz. 0, the default: the hips' own
    /// frequency, or 6 Hz if they have none.
    float pin_frequency;
    bool always; ///< True: the body is simulated even if nothing has happened; default false.
    /// Reference speed for hits, m/s, above 0; default 1: an impulse of this speed times the total mass takes all
    /// muscle from the body that it hits.
    float hit_speed;
    /// Spread of a hit, 0 to 1; default 0.6. Each joint loses this fraction of the muscle that the next joint towards
    /// the hit loses. A loss may be above 1.
    float hit_spread;
    float hit_recovery; ///< Seconds after which muscle lost to a hit has fully recovered, above 0; default 0.8.
    bool detect_fall;   ///< True: a body that has fallen goes limp; default true.
    /// Fraction of the hips' animated height by which the hips may sink before the body counts as fallen, 0 to 1;
    /// default 0.35. Pinned hips may also be thrown aside by this distance.
    float fall_height;
    /// Angle by which the hips may lean away from the animated hips before the body counts as fallen, radians; default
    /// 70 degrees.
    float fall_tilt;
    vrm_ragdoll_recovery recovery;
    /// True: the hips' speed decides whether the body is still. Default false: the mean speed of all mass decides.
    bool pelvis_speed;
    float still_speed; ///< Speed below which the body is still, m/s, above 0; default 0.15.
    /// Seconds for which the body must be still before it counts as lying, not negative; default 0.5.
    float still_time;
    float grow_time; ///< Seconds in which the weights grow from 0 to 1, above 0; default 1.
    /// Seconds for the blend from the body back to the animation, above 0; default 0.4. The blend takes longer if a
    /// joint has to rotate by a large angle, because joints rotate by at most 3 rad/s on average.
    float blend_time;
    /// Smallest pin of hands and feet while the body gets up, 0 to 1; default 1: hands and feet that bear weight do not
    /// slide.
    float get_up_pin;
    /// Seconds over which a hit or an explosion pushes, 0 to 10; default 0.1. The force rises and falls like half a
    /// sine wave, and the muscles of the hit bodies weaken with it. 0: the whole impulse acts in a single step.
    float hit_time;
    /// Fraction of muscle and pin that remains after even the hardest hit, 0 to 1; default 0.3: the joint stays a
    /// spring and does not go limp.
    float hit_floor;
    /// Pin of a foot that stands in the animation (slower than 0.2 m/s), as a fraction of the hips' pin, 0 to 1;
    /// default 1: the foot stays in place. Friction alone would not hold it, because the drive bears the load and the
    /// soles press too little on the ground.
    float foot_pin;
    /// True: a standing body that is pushed out of balance takes recovery steps, or falls if steps would not help;
    /// default false (`vrm simulate` and vrm-view turn it on). Works only with VRM_RAGDOLL_DRIVE_TORQUE. After the
    /// steps the body requests a root at its new position (vrm_instance_get_requested_root()). If the host does not
    /// move the root within a quarter of a second, the body steps back. See docs/active-ragdoll.md.
    bool steps;
    /// Assistance in keeping balance, 1 to 10; default 1.5. When balance is judged, pushes are divided by this factor.
    /// With 1, a person of 55 kg falls from a push above about 40 N s, as the stepping model predicts.
    float step_assist;
    float step_reaction; ///< Seconds out of balance before the first step, 0 to 1; default 0.08.
} vrm_ragdoll_params;

/// Fills `settings` with the defaults.
VRM_API void vrm_ragdoll_params_default(vrm_ragdoll_params *settings, size_t size);
#define vrm_ragdoll_params_default(settings) vrm_ragdoll_params_default(settings, sizeof *(settings))

/// Gives the instance a ragdoll. The instance must have reserved the bodies (vrm_instance_def.ragdoll_bodies). The
/// definition is copied. `settings` NULL: the defaults. All weights are set to their defaults. Errors: INVALID_ARGUMENT
/// (a faulty definition or settings), LIMIT (too many bodies), INVALID_ASSET (the definition of another avatar),
/// UNSUPPORTED (a body on hair without the def's hair_inputs); nothing changes then.
VRM_API vrm_result vrm_instance_set_ragdoll(
    vrm_instance *instance, const vrm_ragdoll_def *def, const vrm_ragdoll_params *settings);
/// Removes the ragdoll; the animation is shown at once. By default an instance has no ragdoll.
VRM_API void vrm_instance_clear_ragdoll(vrm_instance *instance);
/// Changes the ragdoll's settings. Errors: INVALID_ARGUMENT (a value out of range), UNSUPPORTED (there is no ragdoll).
/// The functions below also return UNSUPPORTED without a ragdoll.
VRM_API vrm_result vrm_instance_set_ragdoll_params(vrm_instance *instance, const vrm_ragdoll_params *settings);
/// Gives the ragdoll's settings; the defaults if there is no ragdoll.
VRM_API void vrm_instance_get_ragdoll_params(const vrm_instance *instance, vrm_ragdoll_params *out_settings);

// --- weights -------------------------------------------------------------------------------------------------------

/// Weights of a body, 0 to 1.
typedef struct vrm_ragdoll_weights {
    /// How firmly the body is held at its animated position in the world. Default: 1 for the hips, 0 for others.
    float pin;
    float muscle;  ///< How firmly the joint is held at its animated rotation. Default 1.
    float mapping; ///< Blend from the animated (0) to the simulated pose (1). Default 1.
} vrm_ragdoll_weights;

/// Changes the weights of a group's bodies to these values, linearly over `seconds` (0: at once).
/// VRM_RAGDOLL_GROUP_ALL: all bodies.
VRM_API vrm_result vrm_instance_set_ragdoll_weights(
    vrm_instance *instance, vrm_ragdoll_group group, const vrm_ragdoll_weights *weights, float seconds);
/// Changes the weights of one body to these values, linearly over `seconds`, for example to pin a hand or a foot.
VRM_API vrm_result vrm_instance_set_ragdoll_body_weights(
    vrm_instance *instance, uint32_t body, const vrm_ragdoll_weights *weights, float seconds);
/// Gives the current weights of a body, before losses from hits and explosions.
VRM_API vrm_result vrm_instance_get_ragdoll_body_weights(
    const vrm_instance *instance, uint32_t body, vrm_ragdoll_weights *out_weights);
/// Replaces the drive that the definition gives a body's joint, for example for a stiff neck or a trembling hand.
/// Returns INVALID_ARGUMENT for values outside the ranges of vrm_ragdoll_joint_drive.
VRM_API vrm_result vrm_instance_set_ragdoll_joint_drive(
    vrm_instance *instance, uint32_t body, const vrm_ragdoll_joint_drive *drive);
/// Sets what moves the bodies of a group. KINEMATIC bodies follow the animation and push others (a partial ragdoll);
/// DYNAMIC is the default; OFF is not allowed. VRM_RAGDOLL_GROUP_ALL: all bodies.
VRM_API vrm_result vrm_instance_set_ragdoll_motion(
    vrm_instance *instance, vrm_ragdoll_group group, vrm_ragdoll_motion motion);

// --- events --------------------------------------------------------------------------------------------------------

/// Hits a body at a point (world, metres). The targets of the next `hit_time` seconds give the impulse (N s, world) to
/// the engine in parts, and the point moves with the body. Muscle and pin of the body and of its neighbours weaken. A
/// body that has just begun to get up and still lies becomes limp. `body` -1: the body nearest to the point. Returns
/// LIMIT while twice as many hits as reserved bodies are still pushing.
VRM_API vrm_result vrm_instance_hit_ragdoll(
    vrm_instance *instance, int32_t body, const vrm_dvec3 *point, const vrm_vec3 *impulse);
/// Pushes all bodies within `radius` (metres) away from `center` (world), each by `impulse` (N s) times the body's
/// fraction of the total mass times 1 - distance / radius. All weights drop to 0.
VRM_API vrm_result vrm_instance_explode_ragdoll(
    vrm_instance *instance, const vrm_dvec3 *center, float impulse, float radius);
/// Lets the body go limp without a push: all weights become 0.
VRM_API vrm_result vrm_instance_drop_ragdoll(vrm_instance *instance);
/// Starts the recovery of a limp or lying body: its weights grow to 1, then it blends back to the animation.
VRM_API vrm_result vrm_instance_recover_ragdoll(vrm_instance *instance);
/// Starts the recovery of a limp or lying body with a clip that begins in the pose in which the body lies. Start the
/// clip in the same frame. The next vrm_update_pose() requests a root (vrm_instance_get_requested_root()) that puts
/// hips and spine of the animated pose where those of the body are. If the host does not apply the root, the body
/// returns to the animation at its old position. Until the body is back in its animation, or falls again, hands and
/// feet are pinned by `get_up_pin`.
VRM_API vrm_result vrm_instance_start_get_up(vrm_instance *instance);
/// Gives the root that the body requests, for example to get up. It differs from the current root by a movement over
/// the ground and a rotation about the world's up axis. Returns NOT_FOUND if none is requested. Valid until the next
/// vrm_update_pose(). A teleport, a fall and the end of the simulation cancel the request. An update never sets the
/// root, which belongs to the host.
VRM_API vrm_result vrm_instance_get_requested_root(const vrm_instance *instance, vrm_root *out_root);
/// Sets the requested root without a jump: the change of position causes no velocity. Between the halves of a frame,
/// this call computes the targets again, so get the targets after it. Call it in every frame: it returns NOT_FOUND and
/// does nothing if no root is requested.
VRM_API vrm_result vrm_instance_take_requested_root(vrm_instance *instance);
/// Ends the simulation; the animation is shown at once.
VRM_API vrm_result vrm_instance_stop_ragdoll(vrm_instance *instance);

/// Phase of a ragdoll between animation and physics, in the usual order.
typedef enum vrm_ragdoll_phase {
    VRM_RAGDOLL_PHASE_OFF = 0,        ///< The animation is shown; nothing is simulated.
    VRM_RAGDOLL_PHASE_ACTIVE = 1,     ///< Simulated and driven by the weights.
    VRM_RAGDOLL_PHASE_LIMP = 2,       ///< Simulated with all weights 0.
    VRM_RAGDOLL_PHASE_LYING = 3,      ///< Limp and at rest.
    VRM_RAGDOLL_PHASE_RECOVERING = 4, ///< The weights grow.
    VRM_RAGDOLL_PHASE_BLENDING = 5,   ///< The pose blends back to the animation.
    VRM_RAGDOLL_PHASE_COUNT = 6
} vrm_ragdoll_phase;

/// The side on which the body lies, judged by the hips.
typedef enum vrm_ragdoll_lying {
    VRM_RAGDOLL_LYING_NOT = 0, ///< The hips are upright rather than lying.
    VRM_RAGDOLL_LYING_BACK = 1,
    VRM_RAGDOLL_LYING_FRONT = 2,
    VRM_RAGDOLL_LYING_LEFT_SIDE = 3,
    VRM_RAGDOLL_LYING_RIGHT_SIDE = 4
} vrm_ragdoll_lying;

/// How a standing body keeps its balance (vrm_ragdoll_params.steps).
typedef enum vrm_ragdoll_balance {
    VRM_RAGDOLL_BALANCE_NONE = 0,    ///< Nothing has pushed the body, or it neither stands nor walks.
    VRM_RAGDOLL_BALANCE_SWAYS = 1,   ///< Keeps its balance on both feet.
    VRM_RAGDOLL_BALANCE_STEPS = 2,   ///< A foot is in the air.
    VRM_RAGDOLL_BALANCE_GATHERS = 3, ///< The other foot is moved beside the foot that has stepped.
    VRM_RAGDOLL_BALANCE_STANDS = 4,  ///< In balance again; the body requests a root at its new position.
    VRM_RAGDOLL_BALANCE_GAVE_UP = 5, ///< Steps would not help; the body falls.
    /// Walks on with footholds beside the animation's, until the root has moved to the new path.
    VRM_RAGDOLL_BALANCE_STAGGERS = 6,
    VRM_RAGDOLL_BALANCE_COUNT = 7
} vrm_ragdoll_balance;

/// The current state of an active ragdoll.
typedef struct vrm_ragdoll_info {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_ragdoll_info).
    vrm_ragdoll_phase phase;
    float phase_time; ///< Seconds in the current phase.
    /// Side on which the body lies, from its last states; VRM_RAGDOLL_LYING_NOT in the phase OFF.
    vrm_ragdoll_lying lying;
    float speed;         ///< Speed that decides whether the body is still, m/s.
    float deviation;     ///< Largest angle between a joint's simulated and animated rotation, radians.
    uint32_t body_count; ///< Number of bodies; 0 without a ragdoll.
    /// Balance since the last push. GAVE_UP stays until the body is back in its animation.
    vrm_ragdoll_balance balance;
    uint32_t step_count; ///< Steps since the last push, not counting those that bring the feet together.
} vrm_ragdoll_info;

/// Gives the current state of the ragdoll.
VRM_API void vrm_instance_get_ragdoll_info(const vrm_instance *instance, vrm_ragdoll_info *out_info);

// --- exchange ------------------------------------------------------------------------------------------------------

/// Gives the bodies' targets from the last vrm_update_pose(); valid until the next one.
VRM_API vrm_result vrm_instance_get_ragdoll_targets(const vrm_instance *instance, vrm_ragdoll_targets *out_targets);
/// Sets the states that the engine has computed: `count` states in the order of the definition, with positions relative
/// to `origin` (world; NULL: the world's origin). The next vrm_update_secondary() reads them; they are kept until set
/// again. If a state is not finite, the body falls back to the animated pose and VRM_STATUS_RAGDOLL_LOST is set.
/// `states` NULL: the engine has lost all bodies, and all fall back in this way. Returns INVALID_ARGUMENT for another
/// count.
VRM_API vrm_result vrm_instance_set_ragdoll_states(
    vrm_instance *instance, const vrm_dvec3 *origin, const vrm_ragdoll_state *states, uint32_t count);

#endif
