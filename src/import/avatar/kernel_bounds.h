// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_KERNEL_BOUNDS_H
#define VRMI_IMPORT_KERNEL_BOUNDS_H

// The arithmetic of import_bounds.c: a box for the vertices of each joint.

#include <stdbool.h>
#include <stdint.h>

enum { VRMI_BOUNDS_CHUNK = 128 };

// The box of the vertices weighted to a joint of a palette (or to the node itself).
typedef struct vrmi_joint_bound {
    // Columns of a matrix: its first three rows transform a vertex to the joint's space, the fourth gives the
    // model-space height at which this joint holds the vertex in the rest pose.
    float columns[4][4];
    float low[4], high[4]; // in the joint's space; the fourth lane is unused
} vrmi_joint_bound;

// A block of consecutive vertices.
typedef struct vrmi_bounds_chunk {
    float position[VRMI_BOUNDS_CHUNK * 3];
    float low[VRMI_BOUNDS_CHUNK * 3], high[VRMI_BOUNDS_CHUNK * 3]; // including all that morph targets can add
    float height[VRMI_BOUNDS_CHUNK][4];                            // fourth lane: in model space, in the rest pose
    // Four influences for each vertex, and the indices of those with a weight.
    uint32_t joints[VRMI_BOUNDS_CHUNK * 4];
    float weights[VRMI_BOUNDS_CHUNK * 4];
    uint16_t influences[VRMI_BOUNDS_CHUNK * 4];
} vrmi_bounds_chunk;

// Adds what morph targets at weights from 0 to 1 can contribute: negative deltas to low, positive ones to high.
void vrmi_kernel_add_deltas(vrmi_bounds_chunk *chunk, uint32_t vertices, const float *const *deltas, uint32_t targets);
// Grows the boxes of the joints of the first `count` influences and adds to the heights. Without morph targets `low`
// and `high` are not read.
void vrmi_kernel_include_vertices(vrmi_bounds_chunk *chunk, bool morphs, uint32_t count, vrmi_joint_bound *bounds);

#endif
