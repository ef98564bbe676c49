// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_KERNEL_BOUNDS_H
#define VRMI_IMPORT_KERNEL_BOUNDS_H

// The arithmetic of import_bounds.c: boxes of what each joint carries.

#include <stdbool.h>
#include <stdint.h>

enum { VRMI_BOUNDS_CHUNK = 128 };

// What a joint of a palette (or the node itself) carries.
typedef struct vrmi_joint_bound {
    // Columns of a matrix: its first three rows carry a vertex to the joint's space, the fourth gives the model-space
    // height at which this joint holds the vertex in the rest pose.
    float columns[4][4];
    float low[4], high[4]; // in the joint's space; the fourth lane is of no use
} vrmi_joint_bound;

// Some vertices in a row.
typedef struct vrmi_bounds_chunk {
    float position[VRMI_BOUNDS_CHUNK * 3];
    float low[VRMI_BOUNDS_CHUNK * 3], high[VRMI_BOUNDS_CHUNK * 3]; // with all that morph targets can add
    float height[VRMI_BOUNDS_CHUNK][4];                            // the fourth lane: in model space, in the rest pose
    // A set of influences, four for each vertex, and the indices of those that count.
    uint32_t joints[VRMI_BOUNDS_CHUNK * 4];
    float weights[VRMI_BOUNDS_CHUNK * 4];
    uint16_t influences[VRMI_BOUNDS_CHUNK * 4];
} vrmi_bounds_chunk;

// What morph targets at weights from 0 to 1 add: to low what is negative, to high what is positive.
void vrmi_kernel_add_deltas(vrmi_bounds_chunk *chunk, uint32_t vertices, const float *const *deltas, uint32_t targets);
// Grows the joints' boxes by the first `count` influences' vertices and adds to the heights. Without morph targets `low` and
// `high` are not read.
void vrmi_kernel_include_vertices(vrmi_bounds_chunk *chunk, bool morphs, uint32_t count, vrmi_joint_bound *bounds);

#endif
