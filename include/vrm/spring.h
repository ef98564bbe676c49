// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_SPRING_H
#define VRM_SPRING_H

/// @file spring.h
/// Static description of an avatar's spring bones (VRMC_springBone-1.0, with VRMC_springBone_extended_collider-1.0 and
/// the draft of VRMC_springBone_limit), and settings of all springs of an instance. Their motion belongs to the
/// instance.

#include <vrm/math.h>

/// The shapes of VRMC_springBone, followed by those of VRMC_springBone_extended_collider.
typedef enum vrm_collider_shape {
    VRM_COLLIDER_SPHERE = 0,
    VRM_COLLIDER_CAPSULE = 1,
    VRM_COLLIDER_INSIDE_SPHERE = 2,
    VRM_COLLIDER_INSIDE_CAPSULE = 3,
    VRM_COLLIDER_PLANE = 4
} vrm_collider_shape;

/// A collider attached to a node.
typedef struct vrm_collider {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_collider).
    vrm_collider_shape shape;
    uint32_t node;   ///< Node order.
    vrm_vec3 offset; ///< Centre of a sphere, first end of a capsule, or a point of the plane; node-local, metres.
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

/// A limit of a joint (VRMC_springBone_limit-1.0-draft). In the limit's space +Y is the rest direction of the bone.
typedef struct vrm_spring_limit {
    vrm_spring_limit_type type;
    float angle;       ///< Cone, hinge: 0 to pi. Spherical: pitch, 0 to pi.
    float yaw;         ///< Spherical: 0 to pi/2.
    vrm_quat rotation; ///< Rotation from the bone's axes to the limit's, as in the file.
} vrm_spring_limit;

/// Parameters of a joint that are set in the file and can be changed at run time.
typedef struct vrm_spring_joint_params {
    float hit_radius;     ///< Metres, >= 0; default 0.
    float stiffness;      ///< >= 0; default 1.
    float gravity_power;  ///< >= 0; default 0.
    vrm_vec3 gravity_dir; ///< Direction in the world, of any length; default [0, -1, 0].
    float drag_force;     ///< 0 to 1; default 0.5.
} vrm_spring_joint_params;

/// A simulated joint: a pair of a head, which rotates, and a tail.
typedef struct vrm_spring_joint {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_spring_joint).
    uint32_t node;        ///< Node of the head (node order).
    int32_t tail_node;    ///< Node of the tail (node order), or -1 for a virtual tail (in older dialects of VRM).
    vrm_vec3 tail;        ///< The tail's rest position in the head's local space, metres.
    uint32_t spring;      ///< Index in the file's springs array.
    uint32_t joint;       ///< Index in that spring's joints array.
    vrm_spring_joint_params params;
    vrm_spring_limit limit;
} vrm_spring_joint;

/// A spring chain: the joints of one spring, contiguous from root to tip.
typedef struct vrm_spring_chain {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_spring_chain).
    vrm_string name;
    uint32_t first_joint, joint_count;       ///< Range of the avatar's spring joints.
    uint32_t first_collider, collider_count; ///< Range of the avatar's list of collider indices.
    int32_t center;                          ///< Node of the spring's center (node order), or -1.
    uint32_t spring;                         ///< Index in the file's springs array.
} vrm_spring_chain;

/// Settings of all springs of an instance.
typedef struct vrm_spring_params {
    uint32_t struct_size;
    bool paused;       ///< True: hair is not simulated and keeps its local rotations; default false.
    float root_motion; ///< Fraction of the root's movement that affects hair, 0 to 1; default 1.
    /// Wind or another force in the world, added to every joint like gravityDir * gravityPower; default 0.
    vrm_vec3 external;
    float gravity_scale;   ///< Factor on every joint's gravityPower; default 1.
    float stiffness_scale; ///< Factor on every joint's stiffness; default 1.
    /// True: no tail, including its hit radius, goes below the plane y = ground_height of the world; default false. For
    /// hair and skirts of a falling body. Unlike a host collider of that shape, the plane needs no slot, is applied
    /// last, and rotates a bone about its head until the tail is on the plane, even if the bone is long.
    bool ground;
    double ground_height; ///< Height of the ground in the world, metres; default 0.
    /// Fraction of the stiffness that acts as weight, 0 to 1; default 0, as in the specification. Many files give hair
    /// stiffness but little gravity, so that it hangs as in the rest pose while the head is upright, but stands out
    /// from a head that lies. A joint that points straight down in the rest pose is pulled straight down by this
    /// fraction of its stiffness, instead of to its rest direction. For other joints the fraction is multiplied by the
    /// cosine of their angle from straight down; joints that point sideways or upwards are unchanged.
    float hanging;
} vrm_spring_params;

/// Fills `settings` with the defaults.
VRM_API void vrm_spring_params_default(vrm_spring_params *settings, size_t size);
#define vrm_spring_params_default(settings) vrm_spring_params_default(settings, sizeof *(settings))

#endif
