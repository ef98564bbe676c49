// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_SPRING_H
#define VRMI_IMPORT_IMPORT_SPRING_H

// Springs between reading (import_spring.c) and the tables: first as in the file, then checked and sorted
// (import_spring_order.c).

#include "import/import.h"

typedef struct vrmi_read_joint {
    uint32_t json;
    uint32_t index; // in its spring; in 0.x counted through the chains of its bone group
    uint32_t node;  // in node order
    vrm_spring_joint_params params;
    vrm_spring_limit limit;
} vrmi_read_joint;

typedef struct vrmi_read_spring {
    uint32_t json;
    uint32_t index;                          // in the file's springs; in 0.x in its bone groups
    uint32_t first_joint, joint_count;       // range of vrmi_spring_reading.joints, the tail included
    uint32_t first_collider, collider_count; // range of the chain_collider table
    int32_t center;                          // node order, or -1
    uint32_t next_piece;                     // next piece of a spring that was cut, 0 for none
    bool dropped;
    bool virtual_tail; // 0.x: the last joint repeats the one before and its tail is ...
    vrm_vec3 tail;     // ... this point in its space
} vrmi_read_spring;

typedef struct vrmi_spring_reading {
    vrmi_import *import;
    vrmi_array springs; // vrmi_read_spring: the file's springs in its order, then further pieces of those that were cut
    uint32_t file_count; // number of springs in the file
    vrmi_array joints;   // vrmi_read_joint
    uint64_t pairs;      // number of pairs of chain and collider, shared lists counted each time
} vrmi_spring_reading;

// Limits pairs of chain and collider: their number is a product, which a small file can make too large to simulate.
// Returns false, reported at `json`/`key` (may be NULL), when `more` pairs are too many.
bool vrmi_spring_count_pairs(vrmi_spring_reading *reading, uint32_t json, const char *key, uint32_t more);
// Reads the `joints` of a spring, skipping those that cannot be read.
void vrmi_read_spring_joints(vrmi_spring_reading *reading, vrmi_read_spring *spring);
void vrmi_spring_reading_init(vrmi_spring_reading *reading, vrmi_import *import);
// Checks, sorts and writes the model's tables; frees the reading in any case.
void vrmi_spring_reading_finish(vrmi_spring_reading *reading);

// Drops joints that are not below the one before, joints that overlap another spring's, chains that are too short, and
// centers that are not allowed. A spring that loses joints in its middle is split. Returns the indices of the remaining
// springs in run order, in scratch memory; NULL when the import has ended.
const uint32_t *vrmi_sort_springs(vrmi_spring_reading *reading, uint32_t *out_count);

#endif
