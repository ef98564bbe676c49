// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_FALL_H
#define VRM_FALL_H

/// @file fall.h
/// A fall with protective motions, as people make them: targets for the bodies of an active ragdoll. The knees yield,
/// the hands reach for the ground on the side of the fall, and the head stays away from the ground. Parts that touch
/// the ground yield, and the body comes to rest. Muscles follow these targets, so that the fall stays physical. Part of
/// libvrm-dynamics: pure functions of plain values without allocation, for any engine. See docs/active-ragdoll.md.
///
/// Call the functions between vrm_instance_get_ragdoll_targets() and the engine's step, while the instance is LIMP or
/// LYING:
///
///     if (!falls) { vrm_fall_begin(&fall, &params, NULL); }
///     vrm_fall_drive(&fall, &params, bodies);
///     targets.bodies = bodies;
///     targets.drive = VRM_RAGDOLL_DRIVE_TORQUE;
///
/// A host that rolls back copies its vrm_fall with the instance's snapshot.

#include <vrm/ragdoll.h>

/// The phases of a fall.
typedef enum vrm_fall_phase {
    VRM_FALL_PHASE_NONE = 0,     ///< The fall has not begun.
    VRM_FALL_PHASE_TOTTER = 1,   ///< The arms move against the direction of the fall, and the trunk bends into it.
    VRM_FALL_PHASE_GIVE_WAY = 2, ///< Knees and hips yield, and the hands begin to move.
    VRM_FALL_PHASE_BRACE = 3,    ///< The hands reach for the ground.
    VRM_FALL_PHASE_IMPACT = 4,   ///< The body touches the ground: limbs in contact yield, the others continue.
    VRM_FALL_PHASE_SETTLE = 5,   ///< The trunk is on the ground, and the muscles relax.
    VRM_FALL_PHASE_LIE = 6,      ///< At rest; the muscles are off.
    VRM_FALL_PHASE_COUNT = 7
} vrm_fall_phase;

enum { VRM_FALL_PARTS = 8 }; ///< Largest number of groups of bodies in a ragdoll.

/// State of a fall: a plain value without pointers. A copy of it continues the fall in the same way.
typedef struct vrm_fall {
    uint32_t struct_size;
    vrm_fall_phase phase;
    float phase_time;   ///< Seconds in the current phase.
    float time;         ///< Seconds since the fall began.
    vrm_vec3 direction; ///< Direction of the fall: world, horizontal, unit.
    float ahead;        ///< Direction of the fall: 1 onto the front, -1 onto the back.
    float left;         ///< Direction of the fall: 1 onto the left side, -1 onto the right side.
    /// How much the arms protect the head instead of reaching for the ground, 0 to 1; grows with speed and height.
    float over_head;
    float air_time;   ///< Seconds without contact.
    float slow_time;  ///< Seconds in which nothing has moved faster than 0.3 m/s.
    uint64_t touched; ///< One bit per body that has touched the ground.
    /// Seconds since each group first touched the ground; -1: not yet. Feet do not count.
    float touch_time[VRM_FALL_PARTS];
    float standing;                          ///< Height of the hips above the ground when the fall began.
    vrm_quat joints[VRM_RAGDOLL_MAX_BODIES]; ///< Target of each joint: the body's rotation relative to its parent.
} vrm_fall;

/// Input for one frame of a fall.
typedef struct vrm_fall_params {
    uint32_t struct_size;
    const vrm_ragdoll_def *def;         ///< Must have passed vrm_ragdoll_def_check().
    const vrm_ragdoll_targets *targets; ///< The targets of this frame.
    /// States of the bodies from the engine, relative to the targets' origin. NULL, the default: the targets
    /// themselves.
    const vrm_ragdoll_state *states;
    float dt;       ///< Seconds of the frame, not negative.
    float strength; ///< Factor on all muscles, 0 to 4; default 1. 0 is limp.
    double ground;  ///< Height of the ground, world, metres; default 0.
    /// Seed of small differences between left and right; each odd seed mirrors the even one before it. Default 0.
    uint32_t seed;
} vrm_fall_params;

/// Fills `params` with the defaults, except def, targets, states and dt, which the caller sets.
VRM_API void vrm_fall_params_default(vrm_fall_params *params, size_t size);
#define vrm_fall_params_default(params) vrm_fall_params_default(params, sizeof *(params))
/// Begins a fall in `direction` (world; only its horizontal part is used). NULL: in the direction in which the bodies
/// lean and move. `fall->struct_size` must be set. Returns INVALID_ARGUMENT for invalid params.
VRM_API vrm_result vrm_fall_begin(vrm_fall *fall, const vrm_fall_params *params, const vrm_vec3 *direction);
/// Advances the fall by a frame and writes the bodies' targets for the torque drive, one for each body. Bodies that are
/// OFF, KINEMATIC or pinned keep their targets. Returns INVALID_ARGUMENT for invalid params or a fall that has not
/// begun; `out_bodies` is then unchanged.
VRM_API vrm_result vrm_fall_drive(vrm_fall *fall, const vrm_fall_params *params, vrm_ragdoll_target *out_bodies);

#endif
