// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_MATRIX_H
#define VRMI_RUNTIME_KERNEL_MATRIX_H

// World matrices and palettes, a row of four in one register: the bits of vrmi_mat34_from_transform(),
// vrmi_mat34_mul() and vrmi_quat_mul(), which are the plain twins.

#include "math/mat34.h"
#include "model/model.h"

typedef struct vrmi_hierarchy_rows {
    const int32_t *parents; // node order; -1: a root
    const vrm_transform *local;
    vrm_mat34 *world;
    vrm_quat *world_rotation;
    const vrm_mat34 *root_world;
    vrm_quat root_rotation;
} vrmi_hierarchy_rows;

// World of the nodes first to end - 1, parents before children.
void vrmi_kernel_worlds(const vrmi_hierarchy_rows *rows, uint32_t first, uint32_t end);
// out = world of the joint's node * inverse bind, for joints whose node has its bit set; true when there was one.
bool vrmi_kernel_palette(const vrm_mat34 *world, const uint32_t *nodes, const uint32_t *changed_bits,
    const vrm_mat34 *inverse_binds, uint32_t count, vrm_mat34 *out);
// Is there a scale other than 1?
bool vrmi_kernel_has_scale(const vrm_transform *transforms, uint32_t count);
// Grows a box by the boxes of nodes, seen through their worlds; boxes that are inside out hold nothing.
void vrmi_kernel_grow_box(const vrm_mat34 *world, const vrmi_bound_row *bounds, uint32_t count, vrm_box *box);

#endif
