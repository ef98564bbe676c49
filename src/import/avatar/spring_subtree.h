// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_SPRING_SUBTREE_H
#define VRMI_IMPORT_SPRING_SUBTREE_H

// Springs that a dialect says by their roots (VRM 0.x, the drafts before March 2021): everything below a root swings. A
// node swings towards its first child; its other children begin chains of their own; a leaf swings towards a point 7 cm
// on in its own direction.

#include "import/avatar/import_spring.h"

typedef struct vrmi_spring_subtrees {
    vrmi_import *import;
    vrmi_spring_reading reading;
    uint32_t *marks; // by collider: last list that has it, plus 1
    uint32_t lists;
    uint32_t *owner; // by node: JSON of the entry that swings it, 0 for none
} vrmi_spring_subtrees;

// What all chains of a group of roots share.
typedef struct vrmi_spring_group {
    uint32_t json, index;
    uint32_t joints; // so far
    uint32_t first_collider, collider_count;
    int32_t center;
    vrm_spring_joint_params params;
} vrmi_spring_group;

// After the colliders have been read; ends with vrmi_spring_reading_finish().
void vrmi_spring_subtrees_init(vrmi_spring_subtrees *subtrees, vrmi_import *import);
// A group's list of colliders: begins, takes a range of them, each once, and ends.
void vrmi_spring_group_begin(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group);
void vrmi_spring_group_colliders(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group, vrmi_range colliders);
// The chains below a root (node order); `entry` is the JSON that names it.
void vrmi_spring_group_root(vrmi_spring_subtrees *subtrees, vrmi_spring_group *group, uint32_t root, uint32_t entry);

#endif
