// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_DRIVE_H
#define VRM_RAGDOLL_DRIVE_H

/// @file ragdoll_drive.h
/// Drives that move simulated bodies to their animated targets, for the host's engine: velocities to set, or torques to
/// apply. They are pure functions of definition, states and targets, without allocation. Part of libvrm-dynamics. The
/// light solver (ragdoll_solver.h) contains the same drives.
///
/// All arrays have `body_count` items in the order of the definition. States and targets are relative to the same
/// origin, in the world's axes. The definition must have passed vrm_ragdoll_def_check(). Only bodies whose target has
/// the motion DYNAMIC are driven. Other bodies are not changed, nor are bodies whose state is not finite.

#include <vrm/ragdoll.h>

/// The point of a body that the velocity drive moves to its target.
typedef enum vrm_ragdoll_velocity_mode {
    /// The centre of mass moves to the target's centre of mass, so that a body with both weights 1 reaches its target
    /// whatever its rotation is.
    VRM_RAGDOLL_VELOCITY_MODE_DEFAULT = 0,
    /// As in the article's listing ("How To Implement Active Ragdoll"): the velocity is computed from the displacement
    /// of the bone's origin, but engines apply it to the centre of mass. A body that also rotates by q misses its
    /// target by c - q * c, where c points from the origin to the centre of mass. Without rotation there is no error.
    VRM_RAGDOLL_VELOCITY_MODE_ARTICLE = 1
} vrm_ragdoll_velocity_mode;

/// Input of the functions below.
typedef struct vrm_ragdoll_drive_params {
    uint32_t struct_size;
    const vrm_ragdoll_def *def;
    const vrm_ragdoll_state *states;   ///< Current states of the engine's bodies.
    const vrm_ragdoll_target *targets; ///< Targets that the bodies should reach at the end of the step.
    float scale;                       ///< Scale of the root, which multiplies the lengths of the def. Default 1.
    float dt;                          ///< Seconds of the engine's step (of a substep, if there are several), above 0.
    /// Gravity in the world, m/s^2, which vrm_ragdoll_drive_torques() takes into account. Default (0, -9.81, 0).
    vrm_vec3 gravity;
    vrm_ragdoll_velocity_mode velocity_mode; ///< Default VRM_RAGDOLL_VELOCITY_MODE_DEFAULT.
} vrm_ragdoll_drive_params;

/// Fills `input` with the defaults, except def, states, targets and dt, which the caller sets.
VRM_API void vrm_ragdoll_drive_params_default(vrm_ragdoll_drive_params *input, size_t size);
#define vrm_ragdoll_drive_params_default(input) vrm_ragdoll_drive_params_default(input, sizeof *(input))

/// The velocity drive exactly as in the article "How To Implement Active Ragdoll": angular = rotation_weight * axis *
/// angle / dt of the shortest arc from the body's rotation to its target's; linear = translation_weight * (target -
/// position) / dt, with the positions that `velocity_mode` selects. A weight of 0 leaves that velocity unchanged. The
/// joints then have to correct linear velocities that do not fit the angular ones, which costs accuracy: prefer
/// vrm_ragdoll_drive_velocities().
VRM_API void vrm_ragdoll_drive_velocities_plain(const vrm_ragdoll_drive_params *input, vrm_ragdoll_velocity *out);

/// The consistent velocity drive. Angular velocities are those of vrm_ragdoll_drive_velocities_plain(). If the
/// translation weight is 0, the linear velocities are computed from the root outwards, so that both bodies of every
/// joint agree on the velocity of its anchor; then all are shifted equally to keep the linear momentum. A positive
/// translation weight blends from that velocity to that of the plain drive: lerp(consistent, (target - position) / dt,
/// weight).
VRM_API void vrm_ragdoll_drive_velocities(const vrm_ragdoll_drive_params *input, vrm_ragdoll_velocity *out);

/// Torque and force to apply to a body during the whole step.
typedef struct vrm_ragdoll_wrench {
    vrm_vec3 torque; ///< N m, world: the torque of the body's own joint, minus the torques of its children's joints.
    vrm_vec3 force;  ///< N, world, at the centre of mass: the force of the pin, whose moment is in `torque`.
} vrm_ragdoll_wrench;

/// The torque drive, the default: an implicit spring and damper at every joint, relative to the velocity of the
/// animation (Featherstone's articulated-body algorithm with the springs at the end of the step: "stable PD"). The
/// gains follow from the inertia that the joint moves, so that `frequency` and `damping_ratio` are enough as
/// parameters; max_torque limits the torque of spring and damper. The reaction of each joint acts on its parent. Stable
/// at any sensible frequency (2 to 20 Hz at 1/60 s). The torque accounts for gravity and joints within the step;
/// impulses and contacts take effect in the next step. Needs about 90 KB of stack.
VRM_API void vrm_ragdoll_drive_torques(const vrm_ragdoll_drive_params *input, vrm_ragdoll_wrench *out);

/// Returns the bytes of scratch, aligned to 64, that vrm_ragdoll_drive_torques_many() needs for ragdolls with this
/// number of bodies.
VRM_API size_t vrm_ragdoll_drive_get_scratch_size(uint32_t body_count);

/// vrm_ragdoll_drive_torques() for many ragdolls. Consecutive inputs with the same def (the same pointer) and scale are
/// processed eight at a time in SIMD lanes, with the same bits as one by one. `out[i]` receives the torques of input i.
/// They are processed one by one if the processor has no such lanes, or if `scratch` is missing, too small or not
/// aligned.
VRM_API void vrm_ragdoll_drive_torques_many(
    const vrm_ragdoll_drive_params *const *inputs, vrm_ragdoll_wrench *const *out, uint32_t count, vrm_scratch scratch);

/// The two readings of the torque formula in "How To Implement Active Ragdoll", for
/// vrm_ragdoll_drive_torques_explicit().
typedef enum vrm_ragdoll_explicit {
    /// As printed: k * axis - m * angular velocity. Without the angle the torque switches between two extremes, and
    /// chatters.
    VRM_RAGDOLL_EXPLICIT_PRINTED = 0,
    VRM_RAGDOLL_EXPLICIT_MEANT = 1 ///< As probably meant: k * axis * angle - m * angular velocity.
} vrm_ragdoll_explicit;

/// The torque drive as the article "How To Implement Active Ragdoll" prints it: for each body, from the shortest arc to
/// the target in the world, with fixed gains `k` (N m; MEANT: N m/rad) and `m` (N m s). It has no reaction on the
/// parent and ignores the angular velocity of the animation. Warning: explicit springs become unstable when k * dt^2 or
/// m * dt come near the body's inertia, which happens at once for hands and feet. The function exists so that readers
/// can follow the article and see this problem.
VRM_API void vrm_ragdoll_drive_torques_explicit(
    const vrm_ragdoll_drive_params *input, vrm_ragdoll_explicit kind, float k, float m, vrm_ragdoll_wrench *out);

#endif
