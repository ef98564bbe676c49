// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_SPRING_LANES_H
#define VRMI_MODEL_SPRING_LANES_H

// Spring joints in lanes. Chains stand in groups of eight, each in a lane of its own; a group has a row for each depth,
// with the joints of that depth in its eight lanes. Slot of a joint = row * 8 + lane, so that down a chain slots go by
// eights. What never changes about the joints lies in these rows here, once for all instances; their state lies in rows
// of the same numbers in each instance.

#include <vrm/spring.h>

#include "math/lanes.h"

enum { VRMI_SPRING_NO_CHAIN = -1, VRMI_SPRING_MAX_GROUP_COLLIDERS = 64 };

typedef struct vrmi_spring_group_row {
    uint32_t first_row, row_count;           // a row for each joint of the longest chain
    int32_t chains[VRMI_LANES];              // by lane, from lane 0 on; or NO_CHAIN
    uint32_t lanes;                          // bits of the lanes whose chains may run in lockstep, if nothing of an
                                             // instance is against it: simple ones, with few colliders
    uint32_t first_collider, collider_count; // in spring_group_collider
} vrmi_spring_group_row;

// A collider that some lanes of a group meet, in an order that is right for all of them.
typedef struct vrmi_spring_group_collider {
    uint32_t collider;
    uint32_t lanes; // bits
} vrmi_spring_group_collider;

// The bones of a row. Where a lane has no joint at this depth, or one that cannot turn, some bone whose arithmetic is
// harmless.
typedef struct vrmi_spring_bone_lanes {
    vrmi_quat_lanes rest;                                 // local rotation at rest
    vrmi_vec3_lanes axis;                                 // direction of the bone in the joint's own space, unit
    float length[VRMI_LANES], inverse_length[VRMI_LANES]; // of the bone, without scale
    uint32_t node[VRMI_LANES];                            // in any lane one that there is
} vrmi_spring_bone_lanes;

// vrm_spring_joint_params in lanes; an instance may have its own.
typedef struct vrmi_spring_param_lanes {
    vrmi_vec3_lanes gravity_dir;
    float gravity_power[VRMI_LANES], stiffness[VRMI_LANES], drag_force[VRMI_LANES], hit_radius[VRMI_LANES];
} vrmi_spring_param_lanes;

// What rows are made from: tables of a model, or of one under construction.
typedef struct vrmi_spring_tables {
    const struct vrmi_chain_row *chains;
    const vrm_spring_joint *joints;
    const int32_t *node_parents;
    const vrm_transform *node_rest;
} vrmi_spring_tables;

// A joint whose tail lies on its head cannot turn.
bool vrmi_spring_turns(const vrm_spring_joint *joint);
// All joints turn, have no limit, and each is the child of the one before.
bool vrmi_spring_chain_is_simple(const vrmi_spring_tables *tables, uint32_t chain);
// Writes the row that stands `depth` below the group's first.
void vrmi_spring_fill_row(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_bone_lanes *out_bones, vrmi_spring_param_lanes *out_params);

vrm_spring_joint_params vrmi_spring_lane_params(const vrmi_spring_param_lanes *row, uint32_t lane);
void vrmi_spring_set_lane_params(vrmi_spring_param_lanes *row, uint32_t lane, const vrm_spring_joint_params *params);

#endif
