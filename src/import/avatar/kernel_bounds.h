// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_KERNEL_BOUNDS_H
#define VRMI_IMPORT_KERNEL_BOUNDS_H

// SIMD code for import_bounds.c: computes a box for the vertices of each joint.

#include <stdbool.h>
#include <stdint.h>

enum { VRMI_BOUNDS_CHUNK = 128 };

// The box of the vertices that follow a joint of a palette, or the mesh node itself.
typedef struct vrmi_joint_bound {
    // Columns of a matrix. The first three rows transform a vertex to the joint's space. The fourth gives the vertex's
    // height in model space in the rest pose if only this joint moves it.
    float columns[4][4];
    float low[4], high[4]; // in the joint's space; the fourth lane is unused
} vrmi_joint_bound;

// A block of consecutive vertices.
typedef struct vrmi_bounds_chunk {
    float position[VRMI_BOUNDS_CHUNK * 3];
    float low[VRMI_BOUNDS_CHUNK * 3], high[VRMI_BOUNDS_CHUNK * 3]; // range including all that morph targets can add
    float height[VRMI_BOUNDS_CHUNK][4]; // fourth lane: height in model space, in the rest pose
    // Four influences per vertex. `influences` has the indices of those with a weight.
    uint32_t joints[VRMI_BOUNDS_CHUNK * 4];
    float weights[VRMI_BOUNDS_CHUNK * 4];
    uint16_t influences[VRMI_BOUNDS_CHUNK * 4];
} vrmi_bounds_chunk;

// Adds the range of morph targets with weights from 0 to 1: negative deltas to `low`, positive ones to `high`.
void vrmi_kernel_add_deltas(vrmi_bounds_chunk *chunk, uint32_t vertices, const float *const *deltas, uint32_t targets);
// Extends the boxes of joints by the first `count` influences, and adds to the vertices' heights. Without morph
// targets, `low` and `high` are not used.
void vrmi_kernel_include_vertices(vrmi_bounds_chunk *chunk, bool morphs, uint32_t count, vrmi_joint_bound *bounds);

#endif
