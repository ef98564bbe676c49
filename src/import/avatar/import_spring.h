// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_SPRING_H
#define VRMI_IMPORT_IMPORT_SPRING_H

// Springs between reading (import_spring.c) and the tables: as the file has them, then checked and sorted
// (import_spring_order.c).

#include "import/import.h"

typedef struct vrmi_read_joint {
    uint32_t json;
    uint32_t index; // in its spring; of 0.x counted through the chains of its bone group
    uint32_t node;  // node order
    vrm_spring_joint_params params;
    vrm_spring_limit limit;
} vrmi_read_joint;

typedef struct vrmi_read_spring {
    uint32_t json;
    uint32_t index;                          // in the file's springs; of 0.x in its bone groups
    uint32_t first_joint, joint_count;       // of vrmi_spring_reading.joints, the tail included
    uint32_t first_collider, collider_count; // of the chain_collider table
    int32_t center;                          // node order, or -1
    uint32_t next_piece;                     // of a spring that was cut, 0 for none
    bool dropped;
    bool virtual_tail; // 0.x: the last joint repeats the one before and stands for ...
    vrm_vec3 tail;     // ... this point in its space
} vrmi_read_spring;

typedef struct vrmi_spring_reading {
    vrmi_import *import;
    vrmi_array
        springs; // vrmi_read_spring: first those of the file in its order, behind them pieces of some that were cut
    uint32_t file_count; // of those of the file
    vrmi_array joints;   // vrmi_read_joint
    uint64_t pairs;      // of chains and colliders, lists that chains share counted each time
} vrmi_spring_reading;

// Lists of colliders grow as products, which no bytes of the file back (and which nobody could run): false, reported at
// `json`/`key` (may be NULL), when `more` pairs are too many.
bool vrmi_spring_count_pairs(vrmi_spring_reading *reading, uint32_t json, const char *key, uint32_t more);
// The `joints` of a spring, without those that cannot be read.
void vrmi_read_spring_joints(vrmi_spring_reading *reading, vrmi_read_spring *spring);
void vrmi_spring_reading_init(vrmi_spring_reading *reading, vrmi_import *import);
// Checks, sorts and writes the model's tables; frees the reading in any case.
void vrmi_spring_reading_finish(vrmi_spring_reading *reading);

// Drops joints that are not below the one before, joints that overlap another spring's, what is too short, and centers that
// are not allowed; a spring from whose middle joints go becomes several. Gives the indices of those that are left in run
// order, from scratch memory; NULL when the import has ended.
const uint32_t *vrmi_sort_springs(vrmi_spring_reading *reading, uint32_t *out_count);

#endif
