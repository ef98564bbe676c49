// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_SPRING_LANES_H
#define VRMI_MODEL_SPRING_LANES_H

// Spring joints in lanes. Chains are in groups of eight, one chain per lane. A group has a row for each depth, with the
// joints of that depth in its eight lanes. A joint's slot is row * 8 + lane, so slots increase by 8 down a chain. The
// rows in this file contain the joints' constants, shared by all instances; each instance stores the joints' state in
// rows with the same indices.
//
// Groups run in waves. A chain runs in a later wave than another chain if a joint of the other chain is its anchor or
// its center, or moves one of its colliders. Even scales of the rest pose are multiplied into offsets and lengths here.
// Only groups with an uneven or mirrored scale, in the chain or above it, apply scales during a step.

#include "math/lanes.h"
#include "math/mat34.h"
#include "model/rows.h"

enum { VRMI_SPRING_NO_CHAIN = -1, VRMI_SPRING_NONE = -1 };

// A node that moves springs or colliders: the parent of a chain's first joint, a center, a collider's node. Sorted by
// wave, then by node.
typedef struct vrmi_spring_anchor_row {
    int32_t node;    // -1: the space above the root nodes
    int32_t carrier; // slot of the joint that moves the anchor (on the node or an ancestor); -1: none
    uint32_t wave;   // the anchor's pose is computed before this wave; 0 if no joint moves it
    uint32_t top;    // the topmost anchor that this one follows, which no joint moves; may be itself
    uint32_t uneven; // 1: the scale at rest is uneven or mirrored, and `scale` is 1
    float scale;     // even scale at rest, without the root's scale
    float base;      // if a joint of an even group moves the anchor: scale of the space that contains the joint; else 1
    // If a joint moves the anchor: transform from the node's space, without `scale`, to the joint's space.
    vrm_mat34 relative;
} vrmi_spring_anchor_row;

// The groups of a wave, and the anchors and colliders that are updated before these groups.
typedef struct vrmi_spring_wave_row {
    uint32_t first_group, group_count;
    uint32_t first_anchor, anchor_count;
    uint32_t first_collider, collider_count; // range of rows in spring_wave_collider
} vrmi_spring_wave_row;

// All chains of a group are in one wave, and are either all even or all uneven. Chains with a center come after those
// without one, so that at most one group of a wave has both kinds.
typedef struct vrmi_spring_group_row {
    uint32_t first_row, row_count; // one row for each joint of the longest chain
    int32_t chains[VRMI_LANES];    // chain in each lane, filled from lane 0 on; NO_CHAIN in the other lanes
    uint32_t anchors[VRMI_LANES];  // anchors of the first joints; a lane without a chain repeats lane 0
    uint32_t centers[VRMI_LANES];  // anchor of each chain's center; unused if the chain has no center
    uint32_t chain_count;
    uint32_t centered;                       // bits: lanes whose chains have a center
    uint32_t uneven;                         // 1: the step applies scales
    uint32_t first_collider, collider_count; // range of rows in spring_group_collider
} vrmi_spring_group_row;

// A collider that some lanes of a group collide with. The colliders of every chain keep their order.
typedef struct vrmi_spring_group_collider {
    uint32_t collider;
    uint32_t lanes; // bit mask
} vrmi_spring_group_collider;

// A row of joints. A lane without a joint at this depth has harmless values. A joint that cannot rotate has length 0.
typedef struct vrmi_spring_row {
    vrmi_vec3_lanes offset;                               // position in the space of the joint or anchor above
    vrmi_quat_lanes rest;                                 // local rotation at rest
    vrmi_vec3_lanes axis;                                 // direction of the bone at rest in its parent's space, unit
    float length[VRMI_LANES], inverse_length[VRMI_LANES]; // length of the bone; 0 if it cannot rotate
    float scale[VRMI_LANES];                              // even scale of the node at rest, without the root's
    uint32_t node[VRMI_LANES];                            // a lane without a joint repeats another lane's
    uint32_t lanes;                                       // bit mask of the lanes with a joint
    int32_t between, limit;                               // rows of spring_between and spring_limit, or -1
    int32_t frame;                                        // row of spring_frame, or -1
} vrmi_spring_row;

// Used for a row with other nodes between a joint and the joint above it, or with uneven scales. The matrix transforms
// from the space of the joint's parent node to the space of the joint or anchor above; `scale` is the scale of the
// joints' nodes.
typedef struct vrmi_spring_between {
    float matrix[9][VRMI_LANES];
    vrmi_vec3_lanes scale; // used in uneven groups
} vrmi_spring_between;

// A limit of VRMC_springBone_limit, prepared for the step: rotation from the limit's space to the space of the joint's
// parent at rest, and cosines instead of angles.
typedef struct vrmi_spring_limit_row {
    float matrix[9][VRMI_LANES];
    float type[VRMI_LANES];                             // vrm_spring_limit_type
    float cos_angle[VRMI_LANES], sin_angle[VRMI_LANES]; // cosine and sine of a cone's or hinge's angle, or of a
                                                        // spherical limit's pitch
    float sin_yaw[VRMI_LANES];
} vrmi_spring_limit_row;

// vrm_spring_joint_params in lanes. An instance may have its own copy.
typedef struct vrmi_spring_param_lanes {
    vrmi_vec3_lanes gravity_dir;
    float gravity_power[VRMI_LANES], stiffness[VRMI_LANES], drag_force[VRMI_LANES], hit_radius[VRMI_LANES];
} vrmi_spring_param_lanes;

// Cosines of the angles between the joints' bones in the rest pose and straight down, 0 above a right angle. Used for
// vrm_spring_params.hanging.
typedef struct vrmi_spring_down {
    float cosine[VRMI_LANES];
} vrmi_spring_down;

// vrmi_joint_reach_row in lanes, in the space of the joints' parents at rest, in the units of vrmi_spring_row.
typedef struct vrmi_spring_reach {
    vrmi_vec3_lanes center, half[2];
    float radius[VRMI_LANES], beyond[VRMI_LANES], shoulder[VRMI_LANES], tip[VRMI_LANES];
    float most[VRMI_LANES]; // no vertex is further below the tail, however the bone is turned
} vrmi_spring_reach;

// Precomputed transforms from the nodes below spring joints to the space of the joint's node, for some of these nodes.
// A longer path is composed with the nearest of these transforms under the same joint.
typedef struct vrmi_spring_ways {
    uint32_t *of_node; // indexed by node: row of `matrix` plus 1; 0 if the node has no transform
    vrm_mat34 *matrix;
} vrmi_spring_ways;

// The input for computing rows: the tables of a model, finished or under construction, and a pose. The pose is the rest
// pose, except for nodes that have a row in `posed`. Joints that can rotate always have their rest rotation.
typedef struct vrmi_spring_tables {
    const struct vrmi_chain_row *chains;
    const vrmi_joint_row *joints;
    const int32_t *node_parents;
    const vrm_transform *node_rest;
    const vrmi_spring_anchor_row *anchors;
    const vrmi_spring_ways *ways; // precomputed paths to the nearest joint above, or NULL
    const vrm_transform *posed;   // NULL for the rest pose
    const uint32_t *posed_row;    // indexed by node: index into `posed`
    uint32_t posed_count;         // nodes with a `posed_row` from this number on are at rest
} vrmi_spring_tables;

static inline const vrm_transform *vrmi_spring_local(const vrmi_spring_tables *tables, uint32_t node)
{
    const bool posed = tables->posed != NULL && tables->posed_row[node] < tables->posed_count;
    return posed ? &tables->posed[tables->posed_row[node]] : &tables->node_rest[node];
}

// Returns the even scale of a matrix, exactly 1 if it is close to 1; 0 if the scale is uneven or mirrored.
float vrmi_spring_even_scale(const vrm_mat34 *matrix);
// Computes the transform from a node's space (with its rotation and scale) to the space of an ancestor. -1: the space
// above the root nodes.
void vrmi_spring_path(const vrmi_spring_tables *tables, int32_t node, int32_t ancestor, vrm_mat34 *out);
// Computes an anchor's `relative`, for the joint on `carrier_node`.
void vrmi_spring_relative(
    const vrmi_spring_tables *tables, const vrmi_spring_anchor_row *anchor, uint32_t carrier_node, vrm_mat34 *out);
// Fills in the values of an anchor that depend on its node and on the joint that moves it. `carrier_node` is the
// joint's node, -1 without a joint; `uneven_carrier` is true if the joint's group is uneven.
void vrmi_spring_fill_anchor(const vrmi_spring_tables *tables, const vrm_mat34 *rest_matrices, int32_t carrier_node,
    bool uneven_carrier, vrmi_spring_anchor_row *row);
struct vrmi_model;
// Computes the anchor of a node in a finished model; `index` is the anchor's index.
void vrmi_spring_find_anchor(
    const struct vrmi_model *model, int32_t node, uint32_t index, vrmi_spring_anchor_row *out_row);
// Writes the row at `depth` in a group. `above` is the row before it, NULL at depth 0. Returns true if the row needs
// `out_between`. The row's indices into other tables are set to -1.
bool vrmi_spring_fill_row(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    const vrmi_spring_row *above, vrmi_spring_row *out_row, vrmi_spring_between *out_between);
// Write the parameters, the cosines, the reach and the limits of the row at `depth`. vrmi_spring_fill_limits() returns
// false if no joint of the row has a limit.
void vrmi_spring_fill_params(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_param_lanes *out_params);
void vrmi_spring_fill_down(const vrmi_spring_tables *tables, const vrm_mat34 *rest_matrices,
    const vrmi_spring_group_row *group, uint32_t depth, vrmi_spring_down *out_down);
void vrmi_spring_fill_reach(const vrmi_spring_tables *tables, const vrmi_joint_reach_row *reaches,
    const vrm_mat34 *rest_matrices, const vrmi_spring_group_row *group, uint32_t depth, vrmi_spring_reach *out_reach);
bool vrmi_spring_fill_limits(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_limit_row *out_limits);

vrm_spring_joint_params vrmi_spring_lane_params(const vrmi_spring_param_lanes *row, uint32_t lane);
void vrmi_spring_set_lane_params(vrmi_spring_param_lanes *row, uint32_t lane, const vrm_spring_joint_params *params);

#endif
