// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_REACH_H
#define VRMI_IMPORT_IMPORT_REACH_H

// Measures how far the vertices on each spring joint are from its bone (vrmi_joint_reach_row), while import_bounds.c
// reads the vertices.

#include "import/avatar/kernel_bounds.h"
#include "import/import.h"

// Directions perpendicular to a bone, over half a circle.
enum { VRMI_REACH_WAYS = 8 };

// The vertices on a joint. All positions are in model space, in the rest pose.
typedef struct vrmi_reach_box {
    vrm_vec3 head, along, side[2]; // `along` to the tail, `side` perpendicular; unit vectors
    float length;                  // 0: no box is measured
    bool first;                    // joint of its chain
    float low[VRMI_REACH_WAYS], high[VRMI_REACH_WAYS];
    float beside, beyond, sum; // largest distances from the bone's line and beyond the tail, and largest sum of both
} vrmi_reach_box;

typedef struct vrmi_reach {
    vrmi_import *import;
    vrmi_reach_box *boxes; // indexed by spring joint
    uint32_t *owner;       // indexed by node: 1 + the joint on it or on the nearest ancestor with a joint; 0: none
    // Indexed by joint of the palette, for the mesh that is read.
    uint32_t *box_of; // 1 + spring joint; 0: none
    vrm_mat34 *model_from_vertex;
    bool any; // the mesh has vertices on springs
} vrmi_reach;

// Call this after the springs have been read. `joints`: the largest number of joints of a palette.
void vrmi_reach_init(vrmi_reach *reach, vrmi_import *import, uint32_t joints);
void vrmi_reach_begin_mesh(vrmi_reach *reach);
// Call this before the first vertex of a joint of the palette, or of a node with a mesh without a skin.
void vrmi_reach_begin_joint(vrmi_reach *reach, uint32_t joint, uint32_t node, const vrm_mat34 *model_from_vertex);
// Adds `count` vertices with four influences each.
void vrmi_reach_include(vrmi_reach *reach, const vrmi_bounds_chunk *chunk, uint32_t count, uint32_t joint_count);
// Writes the model's table.
void vrmi_reach_finish(vrmi_reach *reach);

#endif
