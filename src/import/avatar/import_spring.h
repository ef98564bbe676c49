// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_SPRING_H
#define VRMI_IMPORT_IMPORT_SPRING_H

// Springs on the way from JSON to the model's tables. They are first stored as in the file (import_spring.c), then
// checked and sorted (import_spring_order.c).

#include "import/import.h"

typedef struct vrmi_read_joint {
    uint32_t json;
    uint32_t index; // index in its spring; in 0.x, counted over all chains of its bone group
    uint32_t node;  // in node order
    vrm_spring_joint_params params;
    vrm_spring_limit limit;
} vrmi_read_joint;

typedef struct vrmi_read_spring {
    uint32_t json;
    uint32_t index;                          // index among the file's springs; in 0.x, among its bone groups
    uint32_t first_joint, joint_count;       // range of vrmi_spring_reading.joints, including the tail
    uint32_t first_collider, collider_count; // range of the chain_collider table
    int32_t center;                          // in node order; -1: none
    uint32_t next_piece;                     // index of the next piece of a spring that was split; 0: none
    bool dropped;
    bool virtual_tail; // 0.x: the last joint only represents the tail; it is on the previous joint's node
    vrm_vec3 tail;     // the virtual tail's position in the space of the last joint's node
} vrmi_read_spring;

typedef struct vrmi_spring_reading {
    vrmi_import *import;
    vrmi_array springs;  // vrmi_read_spring: the file's springs in order, then further pieces of split springs
    uint32_t file_count; // number of springs in the file
    vrmi_array joints;   // vrmi_read_joint
    uint64_t pairs;      // number of pairs of chain and collider; shared lists count for each chain
} vrmi_spring_reading;

// Counts `more` pairs of chain and collider. Their number is a product, so that a small file could have too many to
// simulate. Returns false if there are too many, with a finding at `json`/`key` (`key` may be NULL), or if the import
// has ended.
bool vrmi_spring_count_pairs(vrmi_spring_reading *reading, uint32_t json, const char *key, uint32_t more);
// Reads the `joints` of a spring. Joints that cannot be read are skipped.
void vrmi_read_spring_joints(vrmi_spring_reading *reading, vrmi_read_spring *spring);
void vrmi_spring_reading_init(vrmi_spring_reading *reading, vrmi_import *import);
// Checks and sorts the springs and writes the model's tables. Frees the reading in any case.
void vrmi_spring_reading_finish(vrmi_spring_reading *reading);

// Drops joints that are not below the previous joint, joints that overlap another spring, chains that are too short,
// and invalid centers. A spring that loses joints in its middle is split. Returns the indices of the remaining springs
// in run order, in scratch memory; NULL if the import has ended.
const uint32_t *vrmi_sort_springs(vrmi_spring_reading *reading, uint32_t *out_count);

#endif
