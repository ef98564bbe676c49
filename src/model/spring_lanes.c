// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "model/spring_lanes.h"

#include "base/checks.h"
#include "math/quat.h"
#include "model/model.h"

#include <string.h>

// Tolerance relative to a length, larger than the rounding in files and along a chain of nodes.
static const float even_tolerance = 1e-5f;
// Bones shorter than this have no direction.
static const float shortest_bone = 1e-9f;
// Vertices further away from a bone than this do not count.
static const float farthest_vertex = 1e6f;
// The smallest scale whose square and inverse are finite.
static const float shortest_scale = 1e-18f;

float vrmi_spring_even_scale(const vrm_mat34 *m)
{
    const vrm_vec3 x = {m->m[0][0], m->m[1][0], m->m[2][0]}, y = {m->m[0][1], m->m[1][1], m->m[2][1]};
    const vrm_vec3 z = {m->m[0][2], m->m[1][2], m->m[2][2]};
    const float squared = vrmi_vec3_dot(x, x), most = even_tolerance * squared;
    // Scales below 1e-10 are much smaller than anything visible, and their inverse would not be finite.
    const bool even = squared > 1e-20f && vrmi_abs(vrmi_vec3_dot(y, y) - squared) <= 2.0f * most &&
                      vrmi_abs(vrmi_vec3_dot(z, z) - squared) <= 2.0f * most && vrmi_abs(vrmi_vec3_dot(x, y)) <= most &&
                      vrmi_abs(vrmi_vec3_dot(x, z)) <= most && vrmi_abs(vrmi_vec3_dot(y, z)) <= most &&
                      vrmi_vec3_dot(vrmi_vec3_cross(x, y), z) > 0.0f;
    const float scale = vrmi_sqrt(squared);
    return !even ? 0.0f : (vrmi_abs(scale - 1.0f) < 1e-6f ? 1.0f : scale);
}

void vrmi_spring_path(const vrmi_spring_tables *tables, int32_t node, int32_t ancestor, vrm_mat34 *out)
{
    vrmi_mat34_identity(out);
    bool first = true, ends = false;
    for (int32_t n = node; !ends && n != ancestor && n >= 0; n = tables->node_parents[n]) {
        const uint32_t way = tables->ways != NULL ? tables->ways->of_node[n] : 0;
        vrm_mat34 own;
        ends = way != 0;
        if (ends) {
            own = tables->ways->matrix[way - 1];
        } else {
            vrmi_mat34_from_transform(vrmi_spring_local(tables, (uint32_t)n), &own);
        }
        if (first) {
            *out = own;
        } else {
            const vrm_mat34 below = *out;
            vrmi_mat34_mul(&own, &below, out);
        }
        first = false;
    }
}

static void scale_columns(vrm_mat34 *m, vrm_vec3 scale)
{
    for (int row = 0; row < 3; ++row) {
        m->m[row][0] *= scale.x;
        m->m[row][1] *= scale.y;
        m->m[row][2] *= scale.z;
    }
}

static void scale_rows(vrm_mat34 *m, vrm_vec3 scale)
{
    const float by[3] = {scale.x, scale.y, scale.z};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            m->m[row][column] *= by[row];
        }
    }
}

static vrm_vec3 all(float x)
{
    return (vrm_vec3){x, x, x};
}

void vrmi_spring_relative(
    const vrmi_spring_tables *tables, const vrmi_spring_anchor_row *anchor, uint32_t carrier_node, vrm_mat34 *out)
{
    vrmi_spring_path(tables, anchor->node, (int32_t)carrier_node, out);
    scale_rows(out, vrmi_vec3_scale(vrmi_spring_local(tables, carrier_node)->scale, anchor->base));
    scale_columns(out, all(1.0f / anchor->scale));
}

void vrmi_spring_fill_anchor(const vrmi_spring_tables *tables, const vrm_mat34 *rest_matrices, int32_t carrier_node,
    bool uneven_carrier, vrmi_spring_anchor_row *row)
{
    const float even = row->node >= 0 ? vrmi_spring_even_scale(&rest_matrices[row->node]) : 1.0f;
    row->uneven = even > 0.0f && !uneven_carrier ? 0 : 1;
    row->scale = row->uneven == 0 ? even : 1.0f;
    row->base = 1.0f;
    vrmi_mat34_identity(&row->relative);
    if (carrier_node >= 0) {
        if (!uneven_carrier) {
            row->base = vrmi_spring_even_scale(&rest_matrices[carrier_node]) /
                        vrmi_spring_local(tables, (uint32_t)carrier_node)->scale.x;
        }
        vrmi_spring_relative(tables, row, (uint32_t)carrier_node, &row->relative);
    }
}

// Returns the joint on a node or on its nearest ancestor with a joint, -1 if there is none. Of the joints whose subtree
// contains the node, this is the last in node order.
static int32_t find_owner(const vrmi_model *model, int32_t node)
{
    const vrmi_joint_row *joints = vrmi_model_spring_joint(model);
    const uint32_t *mask = vrmi_model_spring_mask(model), *ends = vrmi_model_node_subtree_end(model);
    int32_t owner = -1;
    if (node < 0 || model->spring_mask.count == 0 || (mask[node / 32] >> node % 32 & 1u) == 0) {
        return owner;
    }
    for (uint32_t j = 0; j < model->spring_joint.count; ++j) {
        const uint32_t n = joints[j].node;
        if (n <= (uint32_t)node && (uint32_t)node < ends[n] && (owner < 0 || n > joints[owner].node)) {
            owner = (int32_t)j;
        }
    }
    return owner;
}

// Finds the group that contains a row, and the group's wave.
static const vrmi_spring_group_row *find_group(const vrmi_model *model, uint32_t at, uint32_t *out_wave)
{
    uint32_t index = 0;
    const vrmi_spring_group_row *groups = vrmi_model_spring_group(model);
    while (at >= groups[index].first_row + groups[index].row_count) {
        ++index;
    }
    const vrmi_spring_wave_row *waves = vrmi_model_spring_wave(model);
    *out_wave = 0;
    while (
        index < waves[*out_wave].first_group || index >= waves[*out_wave].first_group + waves[*out_wave].group_count) {
        ++*out_wave;
    }
    return &groups[index];
}

void vrmi_spring_find_anchor(
    const struct vrmi_model *model, int32_t node, uint32_t index, vrmi_spring_anchor_row *out_row)
{
    const vrmi_spring_tables tables = vrmi_model_spring_tables(model);
    const int32_t owner = find_owner(model, node);
    int32_t carrier = -1;
    bool uneven = false;
    *out_row = (vrmi_spring_anchor_row){.node = node, .carrier = VRMI_SPRING_NONE, .top = index};
    if (owner >= 0) {
        const uint32_t slot = vrmi_model_spring_slot(model)[owner];
        const vrmi_spring_group_row *group = find_group(model, slot / VRMI_LANES, &out_row->wave);
        ++out_row->wave;
        out_row->carrier = (int32_t)slot;
        out_row->top = vrmi_model_spring_anchor(model)[group->anchors[slot % VRMI_LANES]].top;
        uneven = group->uneven != 0;
        carrier = (int32_t)tables.joints[owner].node;
    }
    vrmi_spring_fill_anchor(&tables, vrmi_model_node_rest_matrix(model), carrier, uneven, out_row);
}

// --- rows ----------------------------------------------------------------------------------------------------------

// Returns the joint in a lane, NULL for an empty lane.
static const vrmi_joint_row *joint_in(
    const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth, uint32_t lane)
{
    if (group->chains[lane] == VRMI_SPRING_NO_CHAIN) {
        return NULL;
    }
    const vrmi_chain_row *chain = &tables->chains[group->chains[lane]];
    return depth < chain->joint_count ? &tables->joints[chain->first_joint + depth] : NULL;
}

static void set_matrix(float planes[9][VRMI_LANES], uint32_t lane, const vrm_mat34 *m)
{
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            planes[3 * row + column][lane] = m->m[row][column];
        }
    }
}

static void fill_nothing(uint32_t lane, vrmi_spring_row *out_row, vrmi_spring_between *out_between)
{
    vrm_mat34 identity;
    vrmi_mat34_identity(&identity);
    vrmi_lane_set_vec3(&out_row->offset, lane, all(0.0f));
    vrmi_lane_set_quat(&out_row->rest, lane, vrmi_quat_identity());
    vrmi_lane_set_vec3(&out_row->axis, lane, (vrm_vec3){0.0f, 1.0f, 0.0f});
    out_row->length[lane] = out_row->inverse_length[lane] = out_row->scale[lane] = 1.0f;
    set_matrix(out_between->matrix, lane, &identity);
    vrmi_lane_set_vec3(&out_between->scale, lane, all(1.0f));
}

static void fill_bone(const vrmi_spring_tables *tables, const vrmi_joint_row *joint, vrm_vec3 scale, uint32_t lane,
    vrmi_spring_row *out_row)
{
    const vrm_vec3 tail = vrmi_vec3_mul(scale, joint->tail);
    const float length = vrmi_vec3_length(tail);
    const bool turns = length > shortest_bone && vrmi_finite(length);
    const vrm_vec3 own = turns ? vrmi_vec3_scale(tail, 1.0f / length) : (vrm_vec3){0.0f, 1.0f, 0.0f};
    const vrm_quat rest = (turns ? &tables->node_rest[joint->node] : vrmi_spring_local(tables, joint->node))->rotation;
    vrmi_lane_set_quat(&out_row->rest, lane, rest);
    // A joint that cannot rotate keeps its rest rotation exactly: the rotation from an axis to itself is the identity.
    vrmi_lane_set_vec3(&out_row->axis, lane, turns ? vrmi_quat_rotate(rest, own) : own);
    out_row->length[lane] = turns ? length : 0.0f;
    out_row->inverse_length[lane] = turns ? 1.0f / length : 0.0f;
}

// Fills in the path from the node above to the joint in a lane. At depth 0 the node above is an anchor, whose scale is
// included; otherwise it is a joint. Returns true if other nodes or scales are in between.
static bool fill_lane(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    uint32_t lane, const vrmi_spring_row *above, vrmi_spring_row *out_row, vrmi_spring_between *out_between)
{
    const vrmi_joint_row *joint = joint_in(tables, group, depth, lane);
    const vrmi_spring_anchor_row *anchor = &tables->anchors[group->anchors[lane]];
    const bool uneven = group->uneven != 0;
    const int32_t node = (int32_t)joint->node;
    const int32_t node_above = depth == 0 ? anchor->node : (int32_t)joint[-1].node;
    const vrm_transform *local = vrmi_spring_local(tables, joint->node);
    float scale_above = depth == 0 ? anchor->scale : above->scale[lane];
    vrm_mat34 path;
    vrmi_spring_path(tables, tables->node_parents[node], node_above, &path);
    vrm_vec3 offset = vrmi_mat34_point(&path, local->translation);
    const bool is_child = tables->node_parents[node] == node_above;
    if (uneven) {
        const vrm_vec3 own = depth == 0 ? all(1.0f) : vrmi_spring_local(tables, (uint32_t)node_above)->scale;
        scale_rows(&path, own);
        offset = vrmi_vec3_mul(own, offset);
        set_matrix(out_between->matrix, lane, &path);
        vrmi_lane_set_vec3(&out_between->scale, lane, local->scale);
        vrmi_lane_set_vec3(&out_row->offset, lane, offset);
        out_row->scale[lane] = 1.0f;
        fill_bone(tables, joint, local->scale, lane, out_row);
        return true;
    }
    vrmi_lane_set_vec3(&out_row->offset, lane, vrmi_vec3_scale(offset, scale_above));
    if (!is_child) {
        // The path is even; otherwise the group would be uneven. But relative scales may be tiny even if the model's
        // scales are not.
        const float even = vrmi_spring_even_scale(&path);
        const float longest = vrmi_mat34_max_scale(&path);
        const float between = even > 0.0f ? even : (longest > shortest_scale ? longest : 1.0f);
        scale_columns(&path, all(1.0f / between));
        scale_above *= between;
    }
    set_matrix(out_between->matrix, lane, &path);
    vrmi_lane_set_vec3(&out_between->scale, lane, all(1.0f));
    out_row->scale[lane] = scale_above * local->scale.x;
    fill_bone(tables, joint, all(out_row->scale[lane]), lane, out_row);
    return !is_child;
}

bool vrmi_spring_fill_row(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    const vrmi_spring_row *above, vrmi_spring_row *out_row, vrmi_spring_between *out_between)
{
    bool between = false;
    uint32_t some_node = 0;
    out_row->lanes = 0;
    out_row->between = out_row->limit = out_row->frame = VRMI_SPRING_NONE;
    for (uint32_t lane = VRMI_LANES; lane-- > 0;) {
        const vrmi_joint_row *joint = joint_in(tables, group, depth, lane);
        if (joint == NULL) {
            fill_nothing(lane, out_row, out_between);
            continue;
        }
        between |= fill_lane(tables, group, depth, lane, above, out_row, out_between);
        out_row->lanes |= 1u << lane;
        some_node = joint->node;
    }
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const vrmi_joint_row *joint = joint_in(tables, group, depth, lane);
        out_row->node[lane] = joint != NULL ? joint->node : some_node;
    }
    return between;
}

void vrmi_spring_fill_params(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_param_lanes *out_params)
{
    const vrm_spring_joint_params none = {.gravity_power = 0.0f};
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const vrmi_joint_row *joint = joint_in(tables, group, depth, lane);
        vrmi_spring_set_lane_params(out_params, lane, joint != NULL ? &joint->params : &none);
    }
}

void vrmi_spring_fill_down(const vrmi_spring_tables *tables, const vrm_mat34 *rest_matrices,
    const vrmi_spring_group_row *group, uint32_t depth, vrmi_spring_down *out_down)
{
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const vrmi_joint_row *joint = joint_in(tables, group, depth, lane);
        vrm_vec3 direction = {0.0f, 1.0f, 0.0f};
        if (joint != NULL) {
            direction = vrmi_vec3_normalize_or(vrmi_mat34_vector(&rest_matrices[joint->node], joint->tail), direction);
        }
        out_down->cosine[lane] = vrmi_clamp(-direction.y, 0.0f, 1.0f);
    }
}

// Returns the vector that a matrix transforms to `v`; 0 if the matrix has no inverse.
static vrm_vec3 before(const vrm_mat34 *m, vrm_vec3 v)
{
    const vrm_vec3 x = {m->m[0][0], m->m[1][0], m->m[2][0]}, y = {m->m[0][1], m->m[1][1], m->m[2][1]};
    const vrm_vec3 z = {m->m[0][2], m->m[1][2], m->m[2][2]}, across = vrmi_vec3_cross(y, z);
    const float volume = vrmi_vec3_dot(x, across);
    if (!(vrmi_abs(volume) > shortest_scale)) {
        return all(0.0f);
    }
    const vrm_vec3 by = {
        vrmi_vec3_dot(v, across), vrmi_vec3_dot(v, vrmi_vec3_cross(z, x)), vrmi_vec3_dot(v, vrmi_vec3_cross(x, y))};
    return vrmi_vec3_scale(by, 1.0f / volume);
}

// Converts a vector of model space to the space of the joint's parent, as fill_bone() does with the bone.
static vrm_vec3 reach_in_parent(const vrm_transform *local, const vrm_mat34 *rest, bool uneven, vrm_vec3 v)
{
    const vrm_vec3 scale = uneven ? local->scale : all(vrmi_spring_even_scale(rest));
    return vrmi_quat_rotate(local->rotation, vrmi_vec3_mul(scale, before(rest, v)));
}

static void fill_lane_reach(const vrmi_spring_tables *tables, const vrmi_joint_reach_row *reaches,
    const vrm_mat34 *rest_matrices, const vrmi_joint_row *joint, bool uneven, uint32_t lane, vrmi_spring_reach *out)
{
    const vrmi_joint_reach_row *reach = &reaches[joint - tables->joints];
    const vrm_transform *local = &tables->node_rest[joint->node];
    const vrm_mat34 *rest = &rest_matrices[joint->node];
    const vrm_vec3 center = reach_in_parent(local, rest, uneven, reach->center);
    const vrm_vec3 half[2] = {
        reach_in_parent(local, rest, uneven, reach->half[0]), reach_in_parent(local, rest, uneven, reach->half[1])};
    const float most = vrmi_vec3_length(center) + vrmi_vec3_length(half[0]) + vrmi_vec3_length(half[1]) + reach->beyond;
    const bool known = most < farthest_vertex;
    vrmi_lane_set_vec3(&out->center, lane, known ? center : all(0.0f));
    vrmi_lane_set_vec3(&out->half[0], lane, known ? half[0] : all(0.0f));
    vrmi_lane_set_vec3(&out->half[1], lane, known ? half[1] : all(0.0f));
    // The space of an uneven group is stretched, so that the circle is none.
    out->radius[lane] = known && !uneven ? reach->radius : farthest_vertex;
    out->beyond[lane] = known ? reach->beyond : 0.0f;
    out->shoulder[lane] = reach->shoulder;
    out->tip[lane] = reach->tip;
    out->most[lane] = known ? most : 0.0f;
}

void vrmi_spring_fill_reach(const vrmi_spring_tables *tables, const vrmi_joint_reach_row *reaches,
    const vrm_mat34 *rest_matrices, const vrmi_spring_group_row *group, uint32_t depth, vrmi_spring_reach *out_reach)
{
    memset(out_reach, 0, sizeof(*out_reach));
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const vrmi_joint_row *joint = joint_in(tables, group, depth, lane);
        const vrmi_joint_row *next = joint_in(tables, group, depth + 1, lane);
        if (next != NULL) {
            fill_lane_reach(tables, reaches, rest_matrices, next, group->uneven != 0, lane, out_reach);
        }
        const float below = out_reach->most[lane];
        if (joint != NULL) {
            fill_lane_reach(tables, reaches, rest_matrices, joint, group->uneven != 0, lane, out_reach);
            out_reach->most[lane] = vrmi_max(out_reach->most[lane], below);
        }
    }
}

static void fill_limit(const vrm_spring_limit *limit, const vrmi_joint_row *joint, const vrm_transform *local,
    uint32_t lane, vrmi_spring_limit_row *out)
{
    const vrm_vec3 up = {0.0f, 1.0f, 0.0f};
    const vrm_vec3 axis = vrmi_vec3_normalize_or(vrmi_vec3_mul(local->scale, joint->tail), up);
    // For a bone along -Y the specification requires half a turn about X, which from_to() returns.
    const vrm_quat rotation = vrmi_quat_mul(vrmi_quat_from_to(up, axis), vrmi_quat_normalize(limit->rotation));
    const vrm_transform space = {{0.0f, 0.0f, 0.0f}, vrmi_quat_mul(local->rotation, rotation), {1.0f, 1.0f, 1.0f}};
    vrm_mat34 matrix;
    float unused;
    vrmi_mat34_from_transform(&space, &matrix);
    set_matrix(out->matrix, lane, &matrix);
    out->type[lane] = (float)limit->type;
    vrmi_sincos(vrmi_clamp(limit->angle, 0.0f, VRMI_PI), &out->sin_angle[lane], &out->cos_angle[lane]);
    vrmi_sincos(vrmi_clamp(limit->yaw, 0.0f, 0.5f * VRMI_PI), &out->sin_yaw[lane], &unused);
    if (limit->angle >= VRMI_PI) {
        out->cos_angle[lane] = -2.0f; // the cosine of every direction is above -2, so there is no limit
    }
}

bool vrmi_spring_fill_limits(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_limit_row *out_limits)
{
    bool any = false;
    vrm_mat34 identity;
    vrmi_mat34_identity(&identity);
    memset(out_limits, 0, sizeof(*out_limits));
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const vrmi_joint_row *joint = joint_in(tables, group, depth, lane);
        set_matrix(out_limits->matrix, lane, &identity);
        if (joint != NULL && joint->limit.type != VRM_SPRING_LIMIT_NONE) {
            fill_limit(&joint->limit, joint, &tables->node_rest[joint->node], lane, out_limits);
            any = true;
        }
    }
    return any;
}

// --- parameters ----------------------------------------------------------------------------------------------------

vrm_spring_joint_params vrmi_spring_lane_params(const vrmi_spring_param_lanes *row, uint32_t lane)
{
    return (vrm_spring_joint_params){row->hit_radius[lane], row->stiffness[lane], row->gravity_power[lane],
        vrmi_lane_vec3(&row->gravity_dir, lane), row->drag_force[lane]};
}

void vrmi_spring_set_lane_params(vrmi_spring_param_lanes *row, uint32_t lane, const vrm_spring_joint_params *params)
{
    vrmi_lane_set_vec3(&row->gravity_dir, lane, params->gravity_dir);
    row->gravity_power[lane] = params->gravity_power;
    row->stiffness[lane] = params->stiffness;
    row->drag_force[lane] = params->drag_force;
    row->hit_radius[lane] = params->hit_radius;
}
