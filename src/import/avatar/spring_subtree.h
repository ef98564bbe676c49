// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_SPRING_SUBTREE_H
#define VRMI_IMPORT_SPRING_SUBTREE_H

// Springs of dialects that give only root nodes: VRM 0.x and the drafts before March 2021. All nodes below a root move.
// A chain follows the first child of each node; other children begin chains of their own. A leaf gets a virtual tail 7
// cm away, in the direction from its parent.

#include "import/avatar/import_spring.h"

typedef struct vrmi_spring_subtrees {
    vrmi_import *import;
    vrmi_spring_reading reading;
    uint32_t *marks; // indexed by collider: 1 + the last list that contains it
    uint32_t lists;
    uint32_t *owner; // indexed by node: JSON of the entry whose chain moves it; 0: none
} vrmi_spring_subtrees;

// Values shared by all chains of a group of roots.
typedef struct vrmi_spring_group {
    uint32_t json, index;
    uint32_t joints; // number of joints so far
    uint32_t first_collider, collider_count;
    int32_t center;
    vrm_spring_joint_params params;
} vrmi_spring_group;

// Call this after the colliders have been read. vrmi_spring_reading_finish() ends the reading.
void vrmi_spring_subtrees_init(vrmi_spring_subtrees *subtrees, vrmi_import *import);
// vrmi_spring_group_begin() starts a group's list of colliders; vrmi_spring_group_colliders() adds a range, each
// collider once.
void vrmi_spring_group_begin(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group);
void vrmi_spring_group_colliders(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group, vrmi_range colliders);
// Adds the chains below a root, given in node order. `entry` is the JSON that names the root.
void vrmi_spring_group_root(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group, uint32_t root, uint32_t entry);

#endif
