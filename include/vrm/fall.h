// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_FALL_H
#define VRM_FALL_H

/// @file fall.h
/// A fall with a protective motion, as people do it: targets for the bodies of an active ragdoll.
/// Knees yield, hands reach for the ground on the side of the fall, the head stays away from it; parts that touch the
/// ground yield, and the body comes to rest. Muscles follow these targets, so the fall stays physics. Part of
/// libvrm-dynamics: pure functions of plain values, no allocation, for any engine. See docs/active-ragdoll.md.
///
/// Between vrm_instance_get_ragdoll_targets() and the engine's step, while the instance is LIMP or LYING:
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
    VRM_FALL_PHASE_NONE = 0,     ///< It has not begun.
    VRM_FALL_PHASE_TOTTER = 1,   ///< Arms move against the direction of the fall, the trunk bends into it.
    VRM_FALL_PHASE_GIVE_WAY = 2, ///< Knees and hips yield, the hands start.
    VRM_FALL_PHASE_BRACE = 3,    ///< Hands reach for the ground.
    VRM_FALL_PHASE_IMPACT = 4,   ///< The body touches the ground: limbs in contact yield, the others continue.
    VRM_FALL_PHASE_SETTLE = 5,   ///< The trunk is down; muscles let go.
    VRM_FALL_PHASE_LIE = 6,      ///< At rest, muscles are off.
    VRM_FALL_PHASE_COUNT = 7
} vrm_fall_phase;

enum { VRM_FALL_PARTS = 8 }; ///< Largest number of groups of a body.

/// State of a fall: a plain value without pointers. A copy continues in the same way.
typedef struct vrm_fall {
    uint32_t struct_size;
    vrm_fall_phase phase;
    float phase_time;   ///< Seconds in the current phase.
    float time;         ///< Seconds since it began.
    vrm_vec3 direction; ///< Direction of the fall: world, horizontal, unit.
    float ahead;        ///< Onto the front 1, onto the back -1.
    float left;         ///< Onto the left side 1, onto the right side -1.
    /// How much the arms protect the head instead of reaching for the ground, 0 to 1; grows with speed and height.
    float over_head;
    float air_time;   ///< Seconds without contact.
    float slow_time;  ///< Seconds in which nothing has moved faster than 0.3 m/s.
    uint64_t touched; ///< Bit per body that has touched the ground.
    /// Seconds since a group first touched the ground, -1: not yet. Feet do not count.
    float touch_time[VRM_FALL_PARTS];
    float standing;                          ///< Height of the hips above the ground at the beginning.
    vrm_quat joints[VRM_RAGDOLL_MAX_BODIES]; ///< Target of each joint: rotation of the body in its parent's.
} vrm_fall;

/// Input of a fall in a frame.
typedef struct vrm_fall_params {
    uint32_t struct_size;
    const vrm_ragdoll_def *def;         ///< It must have passed vrm_ragdoll_def_check().
    const vrm_ragdoll_targets *targets; ///< This frame's.
    /// States of the bodies from the engine, relative to the targets' origin. NULL, the default: the targets
    /// themselves.
    const vrm_ragdoll_state *states;
    float dt;       ///< Seconds of the frame, not negative.
    float strength; ///< Factor on all muscles, 0 to 4; default 1. 0 is limp.
    double ground;  ///< Height of the ground, world, metres; default 0.
    uint32_t seed;  ///< Seed of small differences between left and right; the next odd number mirrors them. Default 0.
} vrm_fall_params;

/// Fills it with the defaults; def, targets, states and dt are the caller's.
VRM_API void vrm_fall_params_default(vrm_fall_params *params, size_t size);
#define vrm_fall_params_default(params) vrm_fall_params_default(params, sizeof *(params))
/// Begins a fall. `direction` (world; its horizontal part is used): where to; NULL: as the bodies lean and move.
/// `fall->struct_size` must be set. INVALID_ARGUMENT for invalid params.
VRM_API vrm_result vrm_fall_begin(vrm_fall *fall, const vrm_fall_params *params, const vrm_vec3 *direction);
/// Advances by a frame and writes the targets of the bodies, as many as `body_count` of the targets: for the torque
/// drive. Bodies that are OFF, KINEMATIC or pinned in the targets keep those. INVALID_ARGUMENT for a fall that has not
/// begun or invalid params; `out_bodies` is not touched then.
VRM_API vrm_result vrm_fall_drive(vrm_fall *fall, const vrm_fall_params *params, vrm_ragdoll_target *out_bodies);

#endif
