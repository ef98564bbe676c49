// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_MATRIX_H
#define VRMI_RUNTIME_KERNEL_MATRIX_H

// World matrices, palettes and boxes. The kernels give the same bits as their plain C versions
// vrmi_mat34_from_transform(), vrmi_mat34_mul() and vrmi_quat_mul().

#include "math/mat34.h"
#include "model/model.h"

// The instruction sets that kernels are compiled for. An instance uses the best one of the processor; all give the same
// bits.
typedef enum vrmi_lanes_path {
    VRMI_LANES_ONE, // springs are computed one chain at a time, everything else in plain C
    VRMI_LANES_SCALAR,
    VRMI_LANES_FOUR,
    VRMI_LANES_AVX2,
    VRMI_LANES_PATH_COUNT
} vrmi_lanes_path;

typedef struct vrmi_hierarchy_rows {
    const int32_t *parents; // indexed by node; -1 for a root
    const uint32_t *pose;   // indexed by node: row in `local` and `world_rotation`
    uint32_t pose_rows;     // number of rows; a node whose `pose` is not below this number has no row
    const vrm_transform *local;
    const vrm_transform *rest;  // indexed by node; used for nodes without rows, unless `given` is set
    const vrm_transform *given; // if not NULL, replaces `local` and `rest`; in the order of the computed nodes
    vrm_mat34 *world;
    vrm_quat *world_rotation;
    const vrm_mat34 *root_world;
    const vrm_quat *root_rotation;
} vrmi_hierarchy_rows;

// Returns the world rotation of a node's parent, or the root's rotation for a node without a parent. Hair without rows
// stores no rotations: nodes below it also get the root's rotation, and nothing reads their rotations.
static inline const vrm_quat *vrmi_hierarchy_rotation_above(const vrmi_hierarchy_rows *rows, int32_t parent)
{
    const bool has = parent >= 0 && rows->pose[parent] < rows->pose_rows;
    return has ? &rows->world_rotation[rows->pose[parent]] : rows->root_rotation;
}

// Returns the local transform of a node; `at` is the node's position among the computed nodes.
static inline const vrm_transform *vrmi_hierarchy_local(const vrmi_hierarchy_rows *rows, uint32_t node, uint32_t at)
{
    const uint32_t pose = rows->pose[node];
    const vrm_transform *own = pose < rows->pose_rows ? &rows->local[pose] : &rows->rest[node];
    return rows->given != NULL ? &rows->given[at] : own;
}

// Kernels that compute eight lanes at a time.
typedef struct vrmi_matrix_kernels {
    // Computes world transforms, eight nodes at a time. None of eight nodes may be a descendant of another.
    void (*nodes)(const vrmi_hierarchy_rows *rows, const uint32_t *nodes, uint32_t count);
    // Computes out = world matrix of the joint's node * inverse bind, for joints whose node has its bit set. Returns
    // true if any bit was set.
    bool (*palette)(const vrm_mat34 *world, const uint32_t *nodes, const uint32_t *changed_bits,
        const vrm_mat34 *inverse_binds, uint32_t count, vrm_mat34 *out);
    // Grows a box by the boxes of nodes, transformed by the nodes' world matrices. Inverted boxes are empty.
    void (*grow_box)(const vrm_mat34 *world, const vrmi_bound_row *bounds, uint32_t count, vrm_box *box);
} vrmi_matrix_kernels;

// Returns the best path that the build has and the processor supports.
uint32_t vrmi_lanes_best_path(void);
// Returns the kernels of a vrmi_lanes_path, or of the next lower path that the build has.
const vrmi_matrix_kernels *vrmi_matrix_kernels_of(uint32_t path);

extern const vrmi_matrix_kernels vrmi_matrix_kernels_scalar;
// Return NULL if the build does not have these instructions.
const vrmi_matrix_kernels *vrmi_matrix_kernels_four(void);
const vrmi_matrix_kernels *vrmi_matrix_kernels_avx2(void);

// Computes the world transforms of the nodes from `first` to `end` - 1 one by one, parents before children.
void vrmi_kernel_worlds(const vrmi_hierarchy_rows *rows, uint32_t first, uint32_t end);

#endif
