// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_SPRING_H
#define VRMI_IMPORT_IMPORT_SPRING_H

// Springs between reading (import_spring.c) and the tables: as the file has them, then checked and sorted
// (import_spring_order.c).

#include "import/import.h"

typedef struct vrmi_read_joint {
    uint32_t json;
    uint32_t node; // node order
    vrm_spring_joint_params params;
    vrm_spring_limit limit;
} vrmi_read_joint;

typedef struct vrmi_read_spring {
    uint32_t json;
    uint32_t index;                          // in the file's springs; of 0.x in its bone groups
    uint32_t first_index;                    // of its first joint in that spring
    uint32_t first_joint, joint_count;       // of vrmi_spring_reading.joints, the tail included
    uint32_t first_collider, collider_count; // of the chain_collider table
    int32_t center;                          // node order, or -1
    bool dropped;
    bool virtual_tail; // 0.x: the last joint repeats the one before and stands for ...
    vrm_vec3 tail;     // ... this point in its space
} vrmi_read_spring;

typedef struct vrmi_spring_reading {
    vrmi_import *import;
    vrmi_array springs; // vrmi_read_spring, file order
    vrmi_array joints;  // vrmi_read_joint
} vrmi_spring_reading;

// The `joints` of a spring; what cannot be read drops it.
void vrmi_read_spring_joints(vrmi_spring_reading *reading, vrmi_read_spring *spring);
void vrmi_spring_reading_init(vrmi_spring_reading *reading, vrmi_import *import);
// Checks, sorts and writes the model's tables; frees the reading in any case.
void vrmi_spring_reading_finish(vrmi_spring_reading *reading);

// Drops what overlaps or is too short, and centers that are not allowed; gives the others' indices in run order.
// `out_order` holds as many as there are springs; returns how many are left.
uint32_t vrmi_sort_springs(vrmi_spring_reading *reading, uint32_t *out_order);

#endif
