// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_RAGDOLL_H
#define VRMI_RUNTIME_RAGDOLL_H

// The ragdoll of an instance: the definition, weights with their transitions, and the states of the bodies from the
// engine.

#include <vrm/active_ragdoll.h>

#include "math/scalar.h"
#include "runtime/ragdoll/step_gait.h"
#include "runtime/ragdoll/step_plan.h"

struct vrmi_cursor;

// The most bodies that an instance's def may reserve.
#if defined(VRM_NO_RAGDOLL)
enum { VRMI_RAGDOLL_MOST_BODIES = 0 };
#else
enum { VRMI_RAGDOLL_MOST_BODIES = VRM_RAGDOLL_MAX_BODIES };
#endif

// X(field, key, unit, least, most): the numbers of vrm_ragdoll_params with their ranges, in the order of a snapshot.
// `key` and `unit` are the name and the unit in trace scripts; only files use degrees.
#define VRMI_RAGDOLL_NUMBERS(X) \
    X(frequency, "frequency", 1.0f, 0.0f, 60.0f) \
    X(damping_ratio, "dampingRatio", 1.0f, 0.0f, 10.0f) \
    X(max_torque, "maxTorque", 1.0f, 0.0f, 1e9f) \
    X(pin_frequency, "pinFrequency", 1.0f, 0.0f, 60.0f) \
    X(hit_speed, "hitSpeed", 1.0f, 1e-3f, 1e6f) \
    X(hit_spread, "hitSpread", 1.0f, 0.0f, 1.0f) \
    X(hit_recovery, "hitRecovery", 1.0f, 1e-3f, 3600.0f) \
    X(fall_height, "fallHeight", 1.0f, 0.0f, 1.0f) \
    X(fall_tilt, "fallTilt", VRMI_PI / 180.0f, 0.0f, VRMI_PI) \
    X(still_speed, "stillSpeed", 1.0f, 1e-3f, 1e6f) \
    X(still_time, "stillTime", 1.0f, 0.0f, 3600.0f) \
    X(grow_time, "growTime", 1.0f, 1e-3f, 3600.0f) \
    X(blend_time, "blendTime", 1.0f, 1e-3f, 3600.0f) \
    X(get_up_pin, "getUpPin", 1.0f, 0.0f, 1.0f) \
    X(hit_time, "hitTime", 1.0f, 0.0f, 10.0f) \
    X(hit_floor, "hitFloor", 1.0f, 0.0f, 1.0f) \
    X(foot_pin, "footPin", 1.0f, 0.0f, 1.0f) \
    X(step_assist, "stepAssist", 1.0f, 1.0f, 10.0f) \
    X(step_reaction, "stepReaction", 1.0f, 0.0f, 1.0f)
// X(field, key): the switches of vrm_ragdoll_params, in the same form.
#define VRMI_RAGDOLL_SWITCHES(X) \
    X(always, "always") \
    X(detect_fall, "detectFall") \
    X(pelvis_speed, "pelvisSpeed") \
    X(steps, "steps")

typedef struct vrmi_ragdoll_row {
    // Settings.
    vrm_ragdoll_motion motion;    // DYNAMIC or KINEMATIC, set by the host
    vrm_ragdoll_weights from, to; // start and end of the weights' transition
    double elapsed, duration;     // the transition has ended if elapsed >= duration
    // State.
    float strength_scale;                     // factor on muscle and pin after hits, 0 to 1
    vrm_vec3 last_position;                   // animated centre of mass, relative to `last_origin`
    vrm_quat last_rotation;                   // animated
    vrm_vec3 last_acceleration, last_turning; // linear and angular acceleration in the last frame alone
    vrm_ragdoll_state state;                  // state reported by the engine, relative to `state_origin`
    vrm_vec3 aside; // a foot: level vector from its animated position to the place where it stands
    bool lost;      // `state` does not come from the engine
} vrmi_ragdoll_row;

// An impulse that is still being applied.
typedef struct vrmi_ragdoll_blow {
    uint32_t body;
    vrm_vec3 arm;     // point that is pushed, relative to the body's origin, in the body's axes, metres in the world
    vrm_vec3 impulse; // the whole impulse
    float loss;       // fraction of the body's muscle that the hit removes
    float elapsed;    // seconds
    float done;       // fraction already passed to the engine, 0 to 1
} vrmi_ragdoll_blow;

// X(array, type, count), as in VRMI_INSTANCE_ARRAYS.
#define VRMI_RAGDOLL_ARRAYS(X) \
    X(ragdoll_rows, vrmi_ragdoll_row, d->ragdoll_bodies) \
    X(ragdoll_targets, vrm_ragdoll_target, d->ragdoll_bodies) \
    X(ragdoll_places, vrm_ragdoll_state, d->ragdoll_bodies) \
    X(ragdoll_bodies, vrm_ragdoll_body, d->ragdoll_bodies) \
    X(ragdoll_anchors, vrm_vec3, d->ragdoll_bodies) \
    X(ragdoll_changes, vrm_ragdoll_velocity, d->ragdoll_bodies) \
    X(ragdoll_blows, vrmi_ragdoll_blow, 2 * (size_t)d->ragdoll_bodies) \
    X(ragdoll_impulses, vrm_ragdoll_impulse, 2 * (size_t)d->ragdoll_bodies) \
    /* local rotations that bones without a body have kept since the body went limp */ \
    X(ragdoll_kept, vrm_quat, d->ragdoll_bodies != 0 ? VRM_HUMAN_BONE_COUNT : 0) \
    /* the gait of the animation, if steps are enabled */ \
    X(ragdoll_gait, vrmi_gait, d->ragdoll_bodies != 0) \
    /* bit per node that a body rotates in this frame; written by the read stage */ \
    X(ragdoll_drives, uint32_t, d->ragdoll_bodies != 0 ? (m->node_parent.count + 31) / 32 : 0)

typedef struct vrmi_ragdoll {
    vrm_ragdoll_params settings;
    uint32_t body_count; // 0: no ragdoll
    float mass, height;  // `mass`: mass of all bodies; `height`: height in the definition
    // Bit mask of humanoid bones, except eyes and jaw, that have no body but move with the bone of a body.
    uint64_t bodiless;
    uint64_t carriers; // those of them that move bodies
    // State.
    vrm_ragdoll_phase phase;
    float phase_time;
    float still_time;    // seconds since the body became still
    float blend_seconds; // duration of the return to the animation
    float idle_time;     // seconds for which nothing has needed a simulation
    float shown;         // factor on the mapping of the bodies, 0 to 1: decreases during the return
    float speed;
    float deviation;
    bool has_last;            // last_position and last_rotation are from the previous frame
    bool has_velocity;        // the targets' velocities are from the previous frame, which took `last_dt` seconds
    float last_dt, last_span; // `last_span`: seconds between the middles of the two frames before this one
    bool has_states;          // the engine has stepped since the bodies were placed
    bool get_up;              // the next animated pose is to be matched to the lying body
    bool gets_up;             // gets up on hands and feet; set until the return has ended or the body is limp
    bool wants_root;          // `wanted_root` is requested until the next first half of an update, or until the root is
                              // moved otherwise
    vrm_root wanted_root;
    vrm_dvec3 last_origin, state_origin;
    float last_scale;
    uint32_t moved, placed;             // `placed`: value of `moved` for which ragdoll_places was written
    uint32_t blow_count, impulse_count; // impulse_count: impulses of this frame, from the hits
    bool keeps;                         // `ragdoll_kept` is valid
    float kept_strength;                // strength in the last frame
    vrmi_step_plan step;                // recovery steps of a body that was pushed while it stood or walked
    vrm_vec3 step_push;                 // acceleration of the pose by this frame's push, m/s^2
} vrmi_ragdoll;

// First check of a public function on a ragdoll. Returns INVALID_ARGUMENT without an instance, UNSUPPORTED without a
// ragdoll.
vrm_result vrmi_ragdoll_require(const vrm_instance *instance);
// Removes the ragdoll. `moved` continues to count (from 0 in a new instance), so that an engine notices the change.
void vrmi_ragdoll_init(vrm_instance *instance);
// Call before anything that may start a simulation. Stores the shown pose, in which the bodies will start in the next
// frame, with the animation's own velocities. (If the bodies started at rest at the end of that frame, a walk would be
// 12 degrees off at once.)
void vrmi_ragdoll_note_pose(vrm_instance *instance);
// Advances phases and weights by dt, before the targets are written.
void vrmi_ragdoll_advance(vrm_instance *instance, float dt);
// Adds a push at a position relative to the root's translation. Returns false if there is no room for another push.
bool vrmi_ragdoll_blow_add(vrm_instance *instance, const vrmi_ragdoll_blow *blow, vrm_vec3 at);
// Applies the fractions of the hits that act in this frame: writes impulses for the engine, and reduces the bodies'
// strength.
void vrmi_ragdoll_blow_advance(vrm_instance *instance, float dt);
// Returns the last reported origin and rotation of a body, or those of its bone if nothing is simulated. The origin is
// relative to the root's translation.
void vrmi_ragdoll_get_place(const vrm_instance *instance, uint32_t body, vrm_vec3 *position, vrm_quat *rotation);
// Keeps the pose of bones without a body while the body lies, whatever the animation does; as the strength grows, they
// return to the animation. Call it before the targets are written.
void vrmi_ragdoll_keep(vrm_instance *instance);
// Stretches the kept fingers of a limp body during a frame.
void vrmi_ragdoll_stretch_fingers(vrm_instance *instance, float dt);
// Returns the host's weights for a body, after phase and hits.
vrm_ragdoll_weights vrmi_ragdoll_weights(const vrm_instance *instance, uint32_t body);
// Returns the fraction of the load that a body's drive bears, 0 if nothing holds the hips. Hits do not reduce this
// fraction; otherwise a stunned arm would sink.
float vrmi_ragdoll_load(const vrm_instance *instance, uint32_t body);
// Returns the factor on muscle and pin in the current phase, 0 to 1.
float vrmi_ragdoll_strength(const vrmi_ragdoll *ragdoll);
// Whether anything is simulated.
static inline bool vrmi_ragdoll_runs(const vrmi_ragdoll *ragdoll)
{
    return ragdoll->body_count > 0 && ragdoll->phase != VRM_RAGDOLL_PHASE_OFF;
}
void vrmi_ragdoll_enter(vrmi_ragdoll *ragdoll, vrm_ragdoll_phase phase);
// Whether nothing changes by itself. Also true for a resting body, although the engine may push it.
bool vrmi_ragdoll_is_still(const vrm_instance *instance);
// Moves the bodies along after the root has jumped from `before`, with or without their velocities.
void vrmi_ragdoll_carry(vrm_instance *instance, const vrm_root *before, bool keep_velocities);
// Returns a body's rotation in the animated pose, computed from the current `world_rotation`.
vrm_quat vrmi_ragdoll_animated(const vrm_instance *instance, uint32_t body);
// Returns a body's centre of mass for a position and rotation of the body, relative to the same point as the position.
vrm_vec3 vrmi_ragdoll_center(const vrm_instance *instance, uint32_t body, vrm_vec3 position, vrm_quat rotation);
// Advances recovery steps: passes this frame's pushes to the plan, and changes the animated pose before the targets are
// written. May end in a fall.
void vrmi_ragdoll_step(vrm_instance *instance, float dt);
static inline bool vrmi_ragdoll_steps(const vrmi_ragdoll *ragdoll)
{
    return ragdoll->step.phase != VRMI_STEP_OFF && ragdoll->step.phase != VRMI_STEP_FALL;
}
// Rotates the plan after a rotation of the root from `before`.
void vrmi_ragdoll_step_turn(vrm_instance *instance, vrm_quat before);
// Call after the root has moved by the distance of the steps. Moves the pose of this frame back by the same distance.
void vrmi_ragdoll_step_take(vrm_instance *instance);
void vrmi_ragdoll_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

#endif
