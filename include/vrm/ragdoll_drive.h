// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_DRIVE_H
#define VRM_RAGDOLL_DRIVE_H

/// @file ragdoll_drive.h
/// Drives that move simulated bodies to their animated targets, for the host's engine: velocities to set, or torques to
/// apply. Pure functions of definition, states and targets; no allocation, nothing kept. Part of libvrm-dynamics. The
/// light solver (ragdoll_solver.h) has the same drives inside.
/// All arrays hold `body_count` items in the order of the definition. States and targets are relative to the same
/// origin, with the axes of the world. The def must have passed vrm_ragdoll_def_check(); only bodies whose target has
/// the motion DYNAMIC are driven, others are not changed, nor are bodies with states that are not finite.

#include <vrm/ragdoll.h>

/// The point of a body that the velocity drive moves to its target.
typedef enum vrm_ragdoll_velocity_mode {
    /// The centre of mass moves to the target's centre of mass, so that a body with both weights 1 reaches its target
    /// whatever its rotation.
    VRM_RAGDOLL_VELOCITY_MODE_DEFAULT = 0,
    /// As in the article's listing ("How To Implement Active Ragdoll"): the velocity follows from the displacement of
    /// the bone's origin, but engines apply it to the centre of mass. A body that rotates by q meanwhile misses its
    /// target by c - q * c, where c points from the origin to the centre of mass. Without rotation there is no error.
    VRM_RAGDOLL_VELOCITY_MODE_ARTICLE = 1
} vrm_ragdoll_velocity_mode;

/// Input of the functions below.
typedef struct vrm_ragdoll_drive_params {
    uint32_t struct_size;
    const vrm_ragdoll_def *def;
    const vrm_ragdoll_state *states;   ///< Where the engine's bodies are.
    const vrm_ragdoll_target *targets; ///< States that the bodies should have at the end of the step.
    float scale;                       ///< The root's scale, by which lengths of the def are multiplied. Default 1.
    float dt;                          ///< Seconds of the engine's step (of a sub-step, if it makes several), above 0.
    /// Gravity, world, m/s^2, which vrm_ragdoll_drive_torques() takes into account. Default (0, -9.81, 0).
    vrm_vec3 gravity;
    vrm_ragdoll_velocity_mode velocity_mode; ///< Default VRM_RAGDOLL_VELOCITY_MODE_DEFAULT.
} vrm_ragdoll_drive_params;

/// Fills it with the defaults; def, states, targets and dt are the caller's.
VRM_API void vrm_ragdoll_drive_params_default(vrm_ragdoll_drive_params *input, size_t size);
#define vrm_ragdoll_drive_params_default(input) vrm_ragdoll_drive_params_default(input, sizeof *(input))

/// Velocities to set on a body before the step.
typedef struct vrm_ragdoll_velocity {
    vrm_vec3 linear;  ///< Of the centre of mass, m/s.
    vrm_vec3 angular; ///< rad/s.
} vrm_ragdoll_velocity;

/// The velocity drive exactly as in the article: angular = rotation_weight * axis * angle / dt of the shortest arc from
/// the body's rotation to its target's, linear = translation_weight * (target - position) / dt, with the positions that
/// `velocity_mode` selects; a weight of 0 leaves that velocity unchanged. Joints then have to correct linear velocities
/// that do not suit the angular ones, which costs accuracy: prefer vrm_ragdoll_drive_velocities().
VRM_API void vrm_ragdoll_drive_velocities_plain(const vrm_ragdoll_drive_params *input, vrm_ragdoll_velocity *out);

/// A consistent velocity drive, the default: angular velocities as above; if the translation weight is 0, the linear
/// velocities follow from the root outwards so that both bodies of every joint agree on its anchor's velocity, and all
/// of them are shifted equally to keep the linear momentum. A positive translation weight blends from that velocity to
/// the plain one: lerp(consistent, (target - position) / dt, weight).
VRM_API void vrm_ragdoll_drive_velocities(const vrm_ragdoll_drive_params *input, vrm_ragdoll_velocity *out);

/// Torque and force to apply on a body during the whole step.
typedef struct vrm_ragdoll_wrench {
    vrm_vec3 torque; ///< N m, world, on the body: of its own joint, minus those of its children's joints.
    vrm_vec3 force;  ///< N, world, at the centre of mass: of the pin (its moment is in the torque).
} vrm_ragdoll_wrench;

/// The torque drive, the default: an implicit spring and damper at every joint, relative to the animation's own
/// velocity (Featherstone's articulated-body algorithm with the springs at the end of the step: "stable PD"). Its gains
/// follow from the inertia that the joint moves, so that `frequency` and `damping_ratio` are sufficient parameters;
/// max_torque limits it; each joint's reaction acts on its parent. Stable at any frequency that makes sense (2 to 20 Hz
/// at 1/60 s). The torque accounts for gravity and joints within the step; impulses and contacts take effect in the
/// next one. Needs about 90 KB of stack.
VRM_API void vrm_ragdoll_drive_torques(const vrm_ragdoll_drive_params *input, vrm_ragdoll_wrench *out);

/// Bytes of scratch, aligned to 64, that vrm_ragdoll_drive_torques_many() needs for ragdolls with this number of
/// bodies.
VRM_API size_t vrm_ragdoll_drive_get_scratch_size(uint32_t body_count);

/// vrm_ragdoll_drive_torques() of many ragdolls: consecutive inputs with the same def (the pointer) and scale are
/// processed eight at a time, with the same bits as one by one. `out[i]` receives the torques of input i. Without
/// `scratch`, with one that is not aligned or too small, or on a processor without lanes, they are processed one by
/// one.
VRM_API void vrm_ragdoll_drive_torques_many(
    const vrm_ragdoll_drive_params *const *inputs, vrm_ragdoll_wrench *const *out, uint32_t count, vrm_scratch scratch);

/// The two readings of the article's formula in vrm_ragdoll_drive_torques_explicit().
typedef enum vrm_ragdoll_explicit {
    /// k * axis - m * angular velocity: without the angle it is bang-bang, and chatters.
    VRM_RAGDOLL_EXPLICIT_PRINTED = 0,
    VRM_RAGDOLL_EXPLICIT_MEANT = 1 ///< k * axis * angle - m * angular velocity.
} vrm_ragdoll_explicit;

/// The torque drive as the article prints it: per body, from the shortest arc to the target in the world, with fixed
/// gains `k` (N m, MEANT: N m/rad) and `m` (N m s), no reaction on the parent, no angular velocity of the animation.
/// Warning: explicit springs are unstable as soon as k * dt^2 or m * dt come near the body's inertia, which for hands
/// and feet happens at once. It is provided so that the article can be followed and its problem be seen.
VRM_API void vrm_ragdoll_drive_torques_explicit(
    const vrm_ragdoll_drive_params *input, vrm_ragdoll_explicit kind, float k, float m, vrm_ragdoll_wrench *out);

#endif
