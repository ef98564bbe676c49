// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_H
#define VRM_RAGDOLL_H

/// @file ragdoll.h
/// The data that an active ragdoll and a physics engine exchange in each step: targets for the engine, and the states
/// of its bodies in return. Plain data that suits any engine. The bodies are those of ragdoll_def.h.

#include <vrm/ragdoll_def.h>

/// Position and motion of a body, in the world's axes. The position is relative to an origin that is given with the
/// array.
typedef struct vrm_ragdoll_state {
    vrm_vec3 position;         ///< Position of the body's origin (the bone's joint), metres.
    vrm_quat rotation;         ///< Rotation from the body's axes to the world's, unit.
    vrm_vec3 linear_velocity;  ///< Velocity of the centre of mass, m/s.
    vrm_vec3 angular_velocity; ///< rad/s.
} vrm_ragdoll_state;

/// How bodies are driven to their targets.
typedef enum vrm_ragdoll_drive {
    /// Sets velocities that would reach the target within the step, as in "How To Implement Active Ragdoll".
    VRM_RAGDOLL_DRIVE_VELOCITY = 0,
    VRM_RAGDOLL_DRIVE_TORQUE = 1 ///< An implicit spring and damper at every joint. The default.
} vrm_ragdoll_drive;

/// How a body moves.
typedef enum vrm_ragdoll_motion {
    VRM_RAGDOLL_MOTION_OFF = 0,       ///< Not simulated; the engine may put the body at its target or leave it out.
    VRM_RAGDOLL_MOTION_KINEMATIC = 1, ///< Follows its target exactly and pushes other bodies.
    VRM_RAGDOLL_MOTION_DYNAMIC = 2
} vrm_ragdoll_motion;

/// Target of a body for a step.
typedef struct vrm_ragdoll_target {
    vrm_ragdoll_state state; ///< The animated pose of this frame, and the velocities of the animation.
    vrm_ragdoll_motion motion;
    float rotation_weight;    ///< Velocity drive: weight of the angular velocity, 0 to 1.
    float translation_weight; ///< Velocity drive: weight of the linear velocity, 0 to 1.
    /// Torque drive: frequency of the joint's spring with the inertia that it moves, hertz; 0: limp. The root body has
    /// no joint; for it, the frequency of the spring that holds its rotation in the world.
    float frequency;
    float damping_ratio; ///< Damping ratio; 1: critical.
    float max_torque;    ///< Largest torque of spring and damper, N m, in addition to the load; 0: unlimited.
    float pin_frequency; ///< Frequency of the spring that holds the body's position in the world, hertz; 0: none.
    /// Torque drive: fraction of the joint's load that the drive bears without the help of springs, 0 to 1. The load is
    /// the torque, from inverse dynamics, that holds the body and everything beyond it against gravity and gives them
    /// the accelerations of the animation. For the root: the load of its pin. With 1 nothing sags, however soft the
    /// springs are. 0: none, as for a falling body.
    float load;
    vrm_vec3 linear_acceleration;  ///< Acceleration of the centre of mass in the animation, m/s^2. Used with `load`.
    vrm_vec3 angular_acceleration; ///< Angular acceleration in the animation, rad/s^2.
} vrm_ragdoll_target;

/// An impulse that the engine must apply in the step that uses these targets.
typedef struct vrm_ragdoll_impulse {
    uint32_t body;    ///< Index of the body in the definition.
    vrm_vec3 point;   ///< Position in the world's axes, relative to the origin.
    vrm_vec3 impulse; ///< N s.
} vrm_ragdoll_impulse;

/// Velocities of a body, or changes of them.
typedef struct vrm_ragdoll_velocity {
    vrm_vec3 linear;  ///< Velocity of the centre of mass, m/s.
    vrm_vec3 angular; ///< rad/s.
} vrm_ragdoll_velocity;

/// The targets of all bodies in a frame.
typedef struct vrm_ragdoll_targets {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_ragdoll_targets).
    vrm_dvec3 origin;     ///< Origin of the positions in the world: the root's translation.
    /// The root; its scale is the scale of the bodies. The article "How To Implement Active Ragdoll" calls it the owner
    /// transform.
    vrm_root root;
    /// Rotation from the model's axes to the root's axes: identity, or the half turn of VRM 0.x. The article "How To
    /// Implement Active Ragdoll" calls it the mesh offset.
    vrm_quat root_from_model;
    vrm_ragdoll_drive drive;
    uint32_t body_count; ///< Number of `bodies`.
    const vrm_ragdoll_target *bodies;
    bool active;    ///< False: all bodies are OFF, and the engine need not step.
    uint32_t moved; ///< Increases if the bodies must be moved to `places` before the step (start, teleport).
    const vrm_ragdoll_state *places;     ///< [body_count] The new positions if `moved` has increased; else unused.
    uint32_t impulse_count;              ///< Number of `impulses`.
    const vrm_ragdoll_impulse *impulses; ///< Impulses in the order of the calls; removed in the next frame.
    /// [body_count] Position of each joint in the pose of this frame: in the parent body's frame, metres before the
    /// root's scale. A bone without a body between two bodies (a shoulder, a neck) moves with the animation, and the
    /// joint with it. NULL: as in the definition.
    const vrm_vec3 *anchors;
    /// [body_count] By how much the velocities of the animation change at the beginning of this frame, without changes
    /// by impulses and by cuts in a clip. Between two frames the animation moves in a straight line. An engine whose
    /// steps are not frames adds up these changes, because `linear_acceleration` and `angular_acceleration` are means
    /// over some time. NULL: unknown; accelerations hold for the whole frame.
    const vrm_ragdoll_velocity *velocity_changes;
} vrm_ragdoll_targets;

#endif
