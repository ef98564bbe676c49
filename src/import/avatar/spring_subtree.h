// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_SPRING_SUBTREE_H
#define VRMI_IMPORT_SPRING_SUBTREE_H

// Springs of dialects that name only their roots (VRM 0.x, the drafts before March 2021): everything below a root
// moves. A chain follows the first children; other children begin chains of their own; a leaf gets a tail 7 cm further
// in its own direction.

#include "import/avatar/import_spring.h"

typedef struct vrmi_spring_subtrees {
    vrmi_import *import;
    vrmi_spring_reading reading;
    uint32_t *marks; // by collider: 1 + the last list that has it
    uint32_t lists;
    uint32_t *owner; // by node: JSON of the entry that moves it, 0 for none
} vrmi_spring_subtrees;

// Shared by all chains of a group of roots.
typedef struct vrmi_spring_group {
    uint32_t json, index;
    uint32_t joints; // number of joints so far
    uint32_t first_collider, collider_count;
    int32_t center;
    vrm_spring_joint_params params;
} vrmi_spring_group;

// Call it after the colliders have been read; ends with vrmi_spring_reading_finish().
void vrmi_spring_subtrees_init(vrmi_spring_subtrees *subtrees, vrmi_import *import);
// Begins a group's list of colliders, adds a range of them, each once, and ends it.
void vrmi_spring_group_begin(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group);
void vrmi_spring_group_colliders(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group, vrmi_range colliders);
// Adds the chains below a root (node order); `entry` is the JSON that names it.
void vrmi_spring_group_root(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group, uint32_t root, uint32_t entry);

#endif
