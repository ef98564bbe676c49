// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_H
#define VRM_RAGDOLL_H

/// @file ragdoll.h
/// What an active ragdoll and a physics engine exchange in each step, plain data: targets for the engine, states of its
/// bodies in return. No engine is known here. Bodies are those of ragdoll_def.h.

#include <vrm/ragdoll_def.h>

/// Position and motion of a body. Positions and velocities have the axes of the world; positions are relative to the
/// origin given beside the array.
typedef struct vrm_ragdoll_state {
    vrm_vec3 position;         ///< Of the body's origin (the bone's joint), metres.
    vrm_quat rotation;         ///< World from body, unit.
    vrm_vec3 linear_velocity;  ///< Of the centre of mass, m/s.
    vrm_vec3 angular_velocity; ///< rad/s.
} vrm_ragdoll_state;

/// How bodies are driven to their targets.
typedef enum vrm_ragdoll_drive {
    VRM_RAGDOLL_DRIVE_VELOCITY = 0, ///< As in the article: velocities that would reach the target within the step.
    VRM_RAGDOLL_DRIVE_TORQUE = 1    ///< Implicit spring and damper at every joint. The default.
} vrm_ragdoll_drive;

/// What moves a body.
typedef enum vrm_ragdoll_motion {
    VRM_RAGDOLL_MOTION_OFF = 0,       ///< Not simulated; the engine may put it at its target or leave it out.
    VRM_RAGDOLL_MOTION_KINEMATIC = 1, ///< Follows its target exactly and pushes others.
    VRM_RAGDOLL_MOTION_DYNAMIC = 2
} vrm_ragdoll_motion;

/// Target of a body for a step.
typedef struct vrm_ragdoll_target {
    vrm_ragdoll_state state; ///< This frame's animated pose and the animation's own velocities.
    vrm_ragdoll_motion motion;
    float rotation_weight;    ///< Velocity drive, 0 to 1.
    float translation_weight; ///< Velocity drive, 0 to 1.
    /// Torque drive: frequency of the joint's spring with the inertia that it moves, hertz; 0: limp. For the root body,
    /// which has no joint, of the spring that holds its rotation in the world.
    float frequency;
    float damping_ratio; ///< 1: critical.
    float max_torque;    ///< Largest torque, N m; 0: unlimited.
    float pin_frequency; ///< Frequency of the spring that holds the body's position in the world, hertz; 0: none.
    /// Torque drive: fraction of its joint's load that the drive bears before any spring, 0 to 1. The load is the
    /// torque that holds the body and everything beyond it against gravity and gives them the animation's
    /// accelerations, by inverse dynamics. For the root: the load of its pin. With 1 nothing sags, however soft the
    /// springs are. 0: none, as for a falling body.
    float load;
    vrm_vec3 linear_acceleration;  ///< Acceleration of the centre of mass in the animation, m/s^2; used for `load`.
    vrm_vec3 angular_acceleration; ///< rad/s^2.
} vrm_ragdoll_target;

/// An impulse that the engine must apply in the step that takes these targets.
typedef struct vrm_ragdoll_impulse {
    uint32_t body;    ///< Index in the definition.
    vrm_vec3 point;   ///< Axes of the world, relative to the origin.
    vrm_vec3 impulse; ///< N s.
} vrm_ragdoll_impulse;

/// All targets of a frame.
typedef struct vrm_ragdoll_targets {
    uint32_t struct_size;     ///< Set by the caller: sizeof(vrm_ragdoll_targets).
    vrm_dvec3 origin;         ///< Origin of the positions in the world: the root's translation.
    vrm_root root;            ///< World from root (the article's owner transform); its scale is the bodies' scale.
    vrm_quat root_from_model; ///< The article's mesh offset: identity, or the half turn of VRM 0.x.
    vrm_ragdoll_drive drive;
    uint32_t body_count; ///< Elements of `bodies`.
    const vrm_ragdoll_target *bodies;
    bool active;    ///< False: all bodies are OFF and nothing needs to be stepped.
    uint32_t moved; ///< Increases when bodies must be moved to `places` before the step (start, teleport).
    const vrm_ragdoll_state *places;     ///< [body_count] The new positions in that case; not needed otherwise.
    uint32_t impulse_count;              ///< Elements of `impulses`.
    const vrm_ragdoll_impulse *impulses; ///< In the order of the calls; removed in the next frame.
    /// [body_count] Position of each joint in this frame's pose: in the parent body's frame, metres before the root's
    /// scale. A bone without a body between two bodies (a shoulder, a neck) moves with the animation and takes the
    /// joint along. NULL: as in the definition.
    const vrm_vec3 *anchors;
} vrm_ragdoll_targets;

#endif
