// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_CONSTRAINT_H
#define VRM_CONSTRAINT_H

/// @file constraint.h
/// Node constraints of an avatar (VRMC_node_constraint-1.0): static description, in the order they run.

#include <vrm/math.h>

typedef enum vrm_constraint_type { VRM_CONSTRAINT_ROLL, VRM_CONSTRAINT_AIM, VRM_CONSTRAINT_ROTATION } vrm_constraint_type;

typedef struct vrm_constraint {
    vrm_constraint_type type;
    uint32_t node;   ///< Destination, node order.
    uint32_t source; ///< Node order.
    vrm_vec3 axis;   ///< Roll and aim: unit axis in the destination's local space; else 0.
    float weight;    ///< 0 to 1.
} vrm_constraint;

#endif
