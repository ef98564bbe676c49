// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_SPRING_LANES_H
#define VRMI_MODEL_SPRING_LANES_H

// Spring joints in lanes. Chains are in groups of eight, each in its own lane; a group has a row for each depth, with
// the joints of that depth in its eight lanes. The slot of a joint is row * 8 + lane, so that slots increase by 8 down
// a chain. These rows hold the constants of the joints, once for all instances; each instance holds their state in rows
// with the same numbers. Groups run in waves: a chain runs in a later wave than another one if a joint of that one is
// its anchor or its center, or has one of its colliders. Even scales of the rest pose are folded into offsets and
// lengths here; only groups with an uneven or mirrored scale above or in them carry scales through the step.

#include "math/lanes.h"
#include "math/mat34.h"
#include "model/rows.h"

enum { VRMI_SPRING_NO_CHAIN = -1, VRMI_SPRING_NONE = -1 };

// A node that moves springs or colliders: the parent of a chain's first joint, a center, a collider's node. Sorted by
// wave, then by node.
typedef struct vrmi_spring_anchor_row {
    int32_t node;    // -1: the space above the roots
    int32_t carrier; // slot of the joint that moves it (on the node or an ancestor); -1: the tree does
    uint32_t wave;   // the wave before which it has its pose: 0 without an anchor joint
    uint32_t top;    // the anchor moved by the tree that this one follows in the end: itself, or one of a chain above
    uint32_t uneven; // 1: its scale at rest is uneven or mirrored, and `scale` is 1
    float scale;     // even scale at rest, without the root's
    float base;      // with an anchor joint in an even group: scale of the space that contains the joint; else 1
    vrm_mat34 relative; // with an anchor joint: the node's space, without `scale`, in that of the joint's row
} vrmi_spring_anchor_row;

// The groups of a wave, the anchors whose poses are computed before it, and the colliders on these.
typedef struct vrmi_spring_wave_row {
    uint32_t first_group, group_count;
    uint32_t first_anchor, anchor_count;
    uint32_t first_collider, collider_count; // in spring_wave_collider
} vrmi_spring_wave_row;

// All chains of a group are in one wave, and all even or all uneven. Chains with a center come after those without, so
// that at most one group of a wave has both.
typedef struct vrmi_spring_group_row {
    uint32_t first_row, row_count; // one row for each joint of the longest chain
    int32_t chains[VRMI_LANES];    // by lane, filled from lane 0; or NO_CHAIN
    uint32_t anchors[VRMI_LANES];  // anchors of the first joints; a lane without a chain repeats that of lane 0
    uint32_t centers[VRMI_LANES];  // anchors that are centers; any value if there is none
    uint32_t chain_count;
    uint32_t centered;                       // bits: lanes whose chains have a center
    uint32_t uneven;                         // 1: scales are carried through the step
    uint32_t first_collider, collider_count; // in spring_group_collider
} vrmi_spring_group_row;

// A collider that some lanes of a group collide with. The order respects that of every chain.
typedef struct vrmi_spring_group_collider {
    uint32_t collider;
    uint32_t lanes; // bit mask
} vrmi_spring_group_collider;

// A row of joints. A lane without a joint at this depth holds harmless values; a joint that cannot turn has the length
// 0.
typedef struct vrmi_spring_row {
    vrmi_vec3_lanes offset;                               // of the head, in the space of the joint above or anchor
    vrmi_quat_lanes rest;                                 // local rotation at rest
    vrmi_vec3_lanes axis;                                 // direction of the bone at rest in its parent's space, unit
    float length[VRMI_LANES], inverse_length[VRMI_LANES]; // of the bone; 0 and 0 where it cannot turn
    float scale[VRMI_LANES];                              // even scale of the node at rest, without the root's
    uint32_t node[VRMI_LANES];                            // a lane without a joint repeats that of another
    uint32_t lanes;                                       // bit mask of the lanes with a joint
    int32_t between, limit;                               // rows of spring_between and spring_limit, or -1
    int32_t frame;                                        // row of spring_frame, or -1
} vrmi_spring_row;

// For a row with nodes between a joint and the one above, or with uneven scales: the transform from the joint's parent
// to the space above (rows of a matrix), and the scale of the joints' nodes.
typedef struct vrmi_spring_between {
    float matrix[9][VRMI_LANES];
    vrmi_vec3_lanes scale; // used in uneven groups
} vrmi_spring_between;

// VRMC_springBone_limit, ready for use: the limit's space in that of the joint's parent at rest, and cosines instead of
// angles.
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

// Transforms from spring joints down to some of the nodes below them, in the space of the joint's node. A longer path
// starts from the nearest of these, if it is under the same joint.
typedef struct vrmi_spring_ways {
    uint32_t *of_node; // 1 + row of `matrix`; 0: none ends here
    vrm_mat34 *matrix;
} vrmi_spring_ways;

// The input for making rows: tables of a model, or of one under construction, and the pose: the rest pose, or `posed`
// for nodes that have a row in it. Rotations of joints that can turn are always those at rest.
typedef struct vrmi_spring_tables {
    const struct vrmi_chain_row *chains;
    const vrmi_joint_row *joints;
    const int32_t *node_parents;
    const vrm_transform *node_rest;
    const vrmi_spring_anchor_row *anchors;
    const vrmi_spring_ways *ways; // NULL, or precomputed paths to the nearest joint above
    const vrm_transform *posed;   // NULL: the rest pose
    const uint32_t *posed_row;    // by node: its row in `posed`
    uint32_t posed_count;         // nodes from this index on have no row
} vrmi_spring_tables;

static inline const vrm_transform *vrmi_spring_local(const vrmi_spring_tables *tables, uint32_t node)
{
    const bool posed = tables->posed != NULL && tables->posed_row[node] < tables->posed_count;
    return posed ? &tables->posed[tables->posed_row[node]] : &tables->node_rest[node];
}

// The even scale of a matrix, exactly 1 if it is close to 1; 0 if its scale is uneven or mirrored.
float vrmi_spring_even_scale(const vrm_mat34 *matrix);
// The space of a node (with its rotation and scale) in that of an ancestor; -1: the space above the roots.
void vrmi_spring_path(const vrmi_spring_tables *tables, int32_t node, int32_t ancestor, vrm_mat34 *out);
// An anchor's `relative`, for the joint on `carrier_node`.
void vrmi_spring_relative(
    const vrmi_spring_tables *tables, const vrmi_spring_anchor_row *anchor, uint32_t carrier_node, vrm_mat34 *out);
// Fills in the values that follow from an anchor's node and from the joint that carries it: on `carrier_node` (-1:
// none), in an uneven group or not.
void vrmi_spring_fill_anchor(const vrmi_spring_tables *tables, const vrm_mat34 *rest_matrices, int32_t carrier_node,
    bool uneven_carrier, vrmi_spring_anchor_row *row);
struct vrmi_model;
// Computes the anchor of a node in a finished model; `index` is its number.
void vrmi_spring_find_anchor(
    const struct vrmi_model *model, int32_t node, uint32_t index, vrmi_spring_anchor_row *out_row);
// Writes the row at `depth` in a group; `above` is the row before it, NULL at depth 0. Returns whether it needs
// `out_between`. The indices of the row's own tables are left -1.
bool vrmi_spring_fill_row(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    const vrmi_spring_row *above, vrmi_spring_row *out_row, vrmi_spring_between *out_between);
// Writes the parameters of that row, and its limits; false if no joint of it has a limit.
void vrmi_spring_fill_params(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_param_lanes *out_params);
bool vrmi_spring_fill_limits(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_limit_row *out_limits);

vrm_spring_joint_params vrmi_spring_lane_params(const vrmi_spring_param_lanes *row, uint32_t lane);
void vrmi_spring_set_lane_params(vrmi_spring_param_lanes *row, uint32_t lane, const vrm_spring_joint_params *params);

#endif
