// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_SPRING_LANES_H
#define VRMI_MODEL_SPRING_LANES_H

// Spring joints in lanes. Chains stand in groups of eight, each in a lane of its own; a group has a row for each depth,
// with the joints of that depth in its eight lanes. Slot of a joint = row * 8 + lane, so that down a chain slots go by
// eights. What never changes about the joints lies in these rows, once for all instances; their state lies in rows of
// the same numbers in each instance.
// Groups run in waves: a chain runs in a later wave than another one if a joint of that one is its anchor or its
// center, or has one of its colliders. Even scales of the rest pose are folded into offsets and lengths here; only
// groups with an uneven or mirrored scale above or in them carry scales through the step.

#include "math/lanes.h"
#include "math/mat34.h"
#include "model/rows.h"

enum { VRMI_SPRING_NO_CHAIN = -1, VRMI_SPRING_NONE = -1 };

// A node that moves springs or colliders: the parent of a chain's first joint, a center, a collider's node. Sorted by
// wave, then by node.
typedef struct vrmi_spring_anchor_row {
    int32_t node; // -1: the space above the roots
    int32_t
        carrier;   // slot of the spring joint that moves it (on the node or its nearest ancestor), or -1: the tree does
    uint32_t wave; // the wave before which it has its pose: 0 without an anchor joint
    uint32_t top; // the anchor that the tree moves and that this one moves with in the end: itself, or of a chain above
    uint32_t uneven;    // 1: its scale at rest is uneven or mirrored, and `scale` is 1
    float scale;        // even scale at rest, without the root's
    float base;         // with an anchor joint in an even group: scale of the space that contains the joint; else 1
    vrm_mat34 relative; // with an anchor joint: the node's space, without `scale`, in that of the joint's row
} vrmi_spring_anchor_row;

// The groups of a wave, the anchors that get their poses before it and the colliders on these.
typedef struct vrmi_spring_wave_row {
    uint32_t first_group, group_count;
    uint32_t first_anchor, anchor_count;
    uint32_t first_collider, collider_count; // in spring_wave_collider
} vrmi_spring_wave_row;

// All chains of a group are of one wave, and even or not. Those with a center stand behind those without, so that at
// most one group of a wave has both.
typedef struct vrmi_spring_group_row {
    uint32_t first_row, row_count; // a row for each joint of the longest chain
    int32_t chains[VRMI_LANES];    // by lane, from lane 0 on; or NO_CHAIN
    uint32_t anchors[VRMI_LANES];  // of the first joints; where there is no chain, that of lane 0
    uint32_t centers[VRMI_LANES];  // anchors; any value if there is none
    uint32_t chain_count;
    uint32_t centered;                       // bits: lanes whose chains have a center
    uint32_t uneven;                         // 1: scales are carried through the step
    uint32_t first_collider, collider_count; // in spring_group_collider
} vrmi_spring_group_row;

// A collider that some lanes of a group collide with, in an order that is right for all of them.
typedef struct vrmi_spring_group_collider {
    uint32_t collider;
    uint32_t lanes; // bits
} vrmi_spring_group_collider;

// A row of joints. A lane without a joint at this depth holds one whose arithmetic is harmless; a joint that cannot
// turn has the length 0.
typedef struct vrmi_spring_row {
    vrmi_vec3_lanes offset;                               // of the head, in the space of the joint above or the anchor
    vrmi_quat_lanes rest;                                 // local rotation at rest
    vrmi_vec3_lanes axis;                                 // direction of the bone at rest in its parent's space, unit
    float length[VRMI_LANES], inverse_length[VRMI_LANES]; // of the bone; 0 and 0 where it cannot turn
    float scale[VRMI_LANES];                              // even scale of the node at rest, without the root's
    uint32_t node[VRMI_LANES];                            // in a lane without a joint that of another
    uint32_t lanes;                                       // bits: those with a joint
    int32_t between, limit;                               // rows of spring_between and spring_limit, or -1
    int32_t frame;                                        // row of spring_frame, or -1
} vrmi_spring_row;

// Of a row with nodes between a joint and the one above, or with uneven scales: what leads from the space above to that
// of the joint's parent (rows of a matrix), and the scale of the joints' nodes.
typedef struct vrmi_spring_between {
    float matrix[9][VRMI_LANES];
    vrmi_vec3_lanes scale; // used in uneven groups
} vrmi_spring_between;

// VRMC_springBone_limit, ready to use: the limit's space in that of the joint's parent at rest, and no angles any more.
typedef struct vrmi_spring_limit_row {
    float matrix[9][VRMI_LANES];
    float type[VRMI_LANES];                             // vrm_spring_limit_type
    float cos_angle[VRMI_LANES], sin_angle[VRMI_LANES]; // cone, hinge; spherical: pitch
    float sin_yaw[VRMI_LANES];
} vrmi_spring_limit_row;

// vrm_spring_joint_params in lanes; an instance may have its own.
typedef struct vrmi_spring_param_lanes {
    vrmi_vec3_lanes gravity_dir;
    float gravity_power[VRMI_LANES], stiffness[VRMI_LANES], drag_force[VRMI_LANES], hit_radius[VRMI_LANES];
} vrmi_spring_param_lanes;

// Ways from spring joints down to some of the nodes below them, in the space of the joint's node: a longer one begins
// with the nearest of these. Of nodes under the same joint alone.
typedef struct vrmi_spring_ways {
    uint32_t *of_node; // row of `matrix`, plus 1; 0: none ends here
    vrm_mat34 *matrix;
} vrmi_spring_ways;

// The input for making rows: tables of a model, or of one under construction, and the pose: the rest, or `posed`, where
// a node has a row in it. Rotations of joints that turn are always those at rest.
typedef struct vrmi_spring_tables {
    const struct vrmi_chain_row *chains;
    const vrmi_joint_row *joints;
    const int32_t *node_parents;
    const vrm_transform *node_rest;
    const vrmi_spring_anchor_row *anchors;
    const vrmi_spring_ways *ways; // NULL, or what paths to the nearest joint above may use
    const vrm_transform *posed;   // NULL: the rest pose
    const uint32_t *posed_row;    // by node: its row there
    uint32_t posed_count;         // from this index on there are none
} vrmi_spring_tables;

static inline const vrm_transform *vrmi_spring_local(const vrmi_spring_tables *tables, uint32_t node)
{
    const bool posed = tables->posed != NULL && tables->posed_row[node] < tables->posed_count;
    return posed ? &tables->posed[tables->posed_row[node]] : &tables->node_rest[node];
}

// The even scale of a matrix, exactly 1 where it is nearly that; 0 where its scale is uneven or mirrored.
float vrmi_spring_even_scale(const vrm_mat34 *matrix);
// The space of a node (with its rotation and scale) in that of an ancestor; -1: the space above the roots.
void vrmi_spring_path(const vrmi_spring_tables *tables, int32_t node, int32_t ancestor, vrm_mat34 *out);
// An anchor's `relative`, for the joint on `carrier_node`.
void vrmi_spring_relative(
    const vrmi_spring_tables *tables, const vrmi_spring_anchor_row *anchor, uint32_t carrier_node, vrm_mat34 *out);
// Fills in what follows from an anchor's node and from the joint that carries it: on `carrier_node` (-1: none), in an
// uneven group or not.
void vrmi_spring_fill_anchor(const vrmi_spring_tables *tables, const vrm_mat34 *rest_matrices, int32_t carrier_node,
    bool uneven_carrier, vrmi_spring_anchor_row *row);
struct vrmi_model;
// The anchor that a node of a finished model is; `index` is the number that it gets.
void vrmi_spring_find_anchor(
    const struct vrmi_model *model, int32_t node, uint32_t index, vrmi_spring_anchor_row *out_row);
// Writes the row that stands `depth` below the group's first; `above` is the row before it, NULL at depth 0. Returns
// whether it needs `out_between`. The indices of the row's own tables are left -1.
bool vrmi_spring_fill_row(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    const vrmi_spring_row *above, vrmi_spring_row *out_row, vrmi_spring_between *out_between);
// The parameters of that row, and its limits; false where no joint of it has one.
void vrmi_spring_fill_params(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_param_lanes *out_params);
bool vrmi_spring_fill_limits(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_limit_row *out_limits);

vrm_spring_joint_params vrmi_spring_lane_params(const vrmi_spring_param_lanes *row, uint32_t lane);
void vrmi_spring_set_lane_params(vrmi_spring_param_lanes *row, uint32_t lane, const vrm_spring_joint_params *params);

#endif
