// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_SPRING_H
#define VRM_SPRING_H

/// @file spring.h
/// Spring bones of an avatar: VRMC_springBone-1.0 with VRMC_springBone_extended_collider-1.0 and the draft of
/// VRMC_springBone_limit. Static description, and how the springs of an instance behave as a whole; their
/// motion belongs to an instance.

#include <vrm/math.h>

/// VRMC_springBone's shapes, then those of VRMC_springBone_extended_collider.
typedef enum vrm_collider_shape {
    VRM_COLLIDER_SPHERE = 0,
    VRM_COLLIDER_CAPSULE = 1,
    VRM_COLLIDER_INSIDE_SPHERE = 2,
    VRM_COLLIDER_INSIDE_CAPSULE = 3,
    VRM_COLLIDER_PLANE = 4
} vrm_collider_shape;

/// A collider fixed to a node.
typedef struct vrm_collider {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_collider).
    vrm_collider_shape shape;
    uint32_t node;   ///< Node order.
    vrm_vec3 offset; ///< Node-local centre, capsule's first end, or a point of the plane; metres.
    vrm_vec3 tail;   ///< Capsule: second end, node-local. Plane: unit normal, node-local.
    float radius;    ///< Metres, >= 0; unused for a plane.
} vrm_collider;

/// The limits of VRMC_springBone_limit.
typedef enum vrm_spring_limit_type {
    VRM_SPRING_LIMIT_NONE = 0,
    VRM_SPRING_LIMIT_CONE = 1,
    VRM_SPRING_LIMIT_HINGE = 2,
    VRM_SPRING_LIMIT_SPHERICAL = 3
} vrm_spring_limit_type;

/// VRMC_springBone_limit-1.0-draft. In limit space +Y is the bone's rest direction.
typedef struct vrm_spring_limit {
    vrm_spring_limit_type type;
    float angle;       ///< Cone, hinge: 0 to pi. Spherical: pitch, 0 to pi.
    float yaw;         ///< Spherical: 0 to pi/2.
    vrm_quat rotation; ///< Of the limit space against the bone's, as the file says.
} vrm_spring_limit;

/// What may be tuned on a joint, in the file and at run time.
typedef struct vrm_spring_joint_params {
    float hit_radius;     ///< Metres, >= 0; default 0.
    float stiffness;      ///< >= 0; default 1.
    float gravity_power;  ///< >= 0; default 0.
    vrm_vec3 gravity_dir; ///< World direction, need not be unit; default [0, -1, 0].
    float drag_force;     ///< 0 to 1; default 0.5.
} vrm_spring_joint_params;

/// A simulated joint: the pair of a head, which turns, and a tail.
typedef struct vrm_spring_joint {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_spring_joint).
    uint32_t node;        ///< Head, node order.
    int32_t tail_node;    ///< Node order, or -1 for a virtual tail (older dialects).
    vrm_vec3 tail;        ///< The tail's rest position in the head's local space, metres.
    uint32_t spring;      ///< Index in the file's springs array.
    uint32_t joint;       ///< Index in that spring's joints array.
    vrm_spring_joint_params params;
    vrm_spring_limit limit;
} vrm_spring_joint;

/// A chain: the joints of one spring, contiguous from root to tip.
typedef struct vrm_spring_chain {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_spring_chain).
    vrm_string name;
    uint32_t first_joint, joint_count;       ///< Range of joints.
    uint32_t first_collider, collider_count; ///< Range of the avatar's list of collider indices.
    int32_t center;                          ///< Node order, or -1.
    uint32_t spring;                         ///< Index in the file's springs array.
} vrm_spring_chain;

/// How an instance's springs behave as a whole.
typedef struct vrm_spring_params {
    uint32_t struct_size;
    bool paused;       ///< Hair keeps its local rotations; default false.
    float root_motion; ///< How much of the root's own travel hair feels, 0 to 1; default 1.
    vrm_vec3
        external; ///< Wind or another force, world, added to every joint like gravityDir * gravityPower; default 0.
    float gravity_scale;   ///< Multiplies every joint's gravityPower; default 1.
    float stiffness_scale; ///< Multiplies every joint's stiffness; default 1.
    /// No tail goes below a plane y = ground_height of the world, its hit radius included; default false. For hair and
    /// skirts of a body that falls. Unlike a host's collider of that shape it needs no slot, is met last, and turns a bone
    /// about its head until the tail is on the plane, however long that is.
    bool ground;
    double ground_height; ///< World, metres; default 0.
    /// Fraction of the stiffness that acts as weight, 0 to 1; default 0, as in the specification. Many files give hair
    /// stiffness but little gravity, so that it hangs as in the rest pose while the head is upright, but stands out
    /// from a head that lies. A joint that points straight down in the rest pose is pulled straight down by this
    /// fraction of its stiffness, instead of to its rest direction. For other joints the fraction is multiplied by the
    /// cosine of their angle from straight down; joints that point sideways or upwards are unchanged.
    float hanging;
} vrm_spring_params;

/// Fills it with the defaults.
VRM_API void vrm_spring_params_default(vrm_spring_params *settings, size_t size);
#define vrm_spring_params_default(settings) vrm_spring_params_default(settings, sizeof *(settings))

#endif
