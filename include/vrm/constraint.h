// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_CONSTRAINT_H
#define VRM_CONSTRAINT_H

/// @file constraint.h
/// Static description of an avatar's node constraints (VRMC_node_constraint-1.0, and those of its drafts), in the order
/// in which they are evaluated.

#include <vrm/math.h>

/// The types of VRMC_node_constraint, followed by those of the drafts of VRM 1.0.
typedef enum vrm_constraint_type {
    VRM_CONSTRAINT_ROLL = 0,
    VRM_CONSTRAINT_AIM = 1,
    VRM_CONSTRAINT_ROTATION = 2,
    VRM_CONSTRAINT_POSITION = 3,      ///< Drafts: moves the node by the source's offset from its rest position.
    VRM_CONSTRAINT_ROTATION_AXES = 4, ///< Drafts: copies a rotation in chosen spaces, about chosen axes.
    VRM_CONSTRAINT_AIM_UP = 5         ///< Drafts: aims by yaw and pitch about an up vector.
} vrm_constraint_type;

/// The axes in which a constraint of the drafts reads the source or writes the node.
typedef enum vrm_constraint_space {
    VRM_CONSTRAINT_SPACE_LOCAL = 0, ///< The node's own axes, as in final constraints.
    VRM_CONSTRAINT_SPACE_MODEL = 1  ///< The space of the glTF scene's root.
} vrm_constraint_space;

/// A constraint of a node.
typedef struct vrm_constraint {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_constraint).
    vrm_constraint_type type;
    uint32_t node;   ///< Destination node (node order).
    uint32_t source; ///< Source node (node order).
    vrm_vec3 axis;   ///< Roll, aim and AIM_UP: unit axis in the destination's local space; else 0.
    float weight;    ///< 0 to 1.
    vrm_constraint_space source_space, destination_space; ///< Used only by the three types of the drafts; else 0.
    bool axes[3];                                         ///< Active axes: X, Y, Z; for AIM_UP yaw and pitch.
    vrm_vec3 up; ///< AIM_UP: the axis of yaw, unit and perpendicular to `axis`.
} vrm_constraint;

#endif
