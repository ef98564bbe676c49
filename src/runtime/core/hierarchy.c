// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/core/hierarchy.h"

#include "runtime/core/hair_pose.h"
#include "runtime/core/kernel_matrix.h"

#include <string.h>

static void get_rows(vrm_instance *instance, vrmi_hierarchy_rows *out_rows)
{
    *out_rows = (vrmi_hierarchy_rows){vrmi_model_node_parent(instance->model), vrmi_model_node_pose(instance->model),
        instance->pose_rows, instance->local, vrmi_model_node_rest(instance->model), NULL, instance->world,
        instance->world_rotation, &instance->root_world, &instance->root_rotation};
}

// Clamps world matrices. Each scale set by the host is in range, but their product down the tree may not be. If so, the
// nodes are recomputed one by one, parents first, and each is clamped before the next.
static void keep_within(
    vrm_instance *instance, const vrmi_hierarchy_rows *rows, const uint32_t *nodes, vrmi_range range)
{
    bool within = true;
    const uint32_t end = range.first + range.count;
    for (uint32_t i = range.first; i < end; ++i) {
        within &= vrmi_mat34_is_possible(&instance->world[nodes != NULL ? nodes[i] : i]);
    }
    if (within) {
        return;
    }
    instance->status |= VRM_STATUS_INPUT_CLAMPED;
    vrmi_hierarchy_rows one = *rows;
    for (uint32_t i = range.first; i < end; ++i) {
        const uint32_t node = nodes != NULL ? nodes[i] : i;
        one.given = rows->given != NULL ? rows->given + (i - range.first) : NULL;
        vrmi_kernel_worlds(&one, node, node + 1);
        vrmi_mat34_make_possible(&instance->world[node]);
    }
}

// Computes the world transforms of a list of nodes.
static void compute_nodes(
    vrm_instance *instance, const vrmi_hierarchy_rows *rows, const uint32_t *nodes, uint32_t count)
{
    vrmi_matrix_kernels_of(instance->lanes)->nodes(rows, nodes, count);
    if (instance->scaled) {
        keep_within(instance, rows, nodes, (vrmi_range){0, count});
    }
}

// Computes the world transforms of the nodes from `first` to `end` - 1.
static void compute_range(vrm_instance *instance, const vrmi_hierarchy_rows *rows, uint32_t first, uint32_t end)
{
    vrmi_kernel_worlds(rows, first, end);
    if (instance->scaled) {
        keep_within(instance, rows, NULL, (vrmi_range){first, end - first});
    }
}

static bool is_hair(const vrmi_model *model, uint32_t node)
{
    return vrmi_model_node_slot(model)[node] >= model->head.first_hair;
}

void vrmi_hierarchy_begin(vrm_instance *instance)
{
    bool early = false;
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        early |= is_hair(instance->model, instance->ragdoll_bodies[i].node);
    }
    for (uint32_t i = 0; i < instance->look.link_count; ++i) {
        early |= is_hair(instance->model, (uint32_t)instance->look_links[i].node);
    }
    instance->hair_early = early; // setters and snapshots ensure that these nodes have poses
}

void vrmi_hierarchy_update(vrm_instance *instance, uint32_t first, uint32_t end)
{
    const vrmi_model *model = instance->model;
    const vrmi_range *hair = vrmi_model_hair_range(model);
    vrmi_hierarchy_rows rows;
    get_rows(instance, &rows);
    if (first == 0 && end == model->node_parent.count) {
        const uint32_t count = instance->hair_early ? model->node_row.count : model->head.first_hair;
        compute_nodes(instance, &rows, vrmi_model_node_row(model), count);
        return;
    }
    for (uint32_t i = 0; !instance->hair_early && i < model->hair_range.count && first < end; ++i) {
        const uint32_t hair_end = hair[i].first + hair[i].count;
        if (hair_end <= first) {
            continue;
        }
        if (hair[i].first > first) {
            compute_range(instance, &rows, first, hair[i].first < end ? hair[i].first : end);
        }
        first = hair_end;
    }
    if (first < end) {
        compute_range(instance, &rows, first, end);
    }
}

bool vrmi_hierarchy_is_hair(const vrm_instance *instance, uint32_t node)
{
    return is_hair(instance->model, node);
}

// Computes, eight at a time, nodes without rows in the poses, from the state of the springs or from the rest pose. If
// `nodes` is NULL, the nodes are [first, end); otherwise they are nodes[first] to nodes[end - 1].
static void update_given(vrm_instance *instance, const uint32_t *nodes, uint32_t first, uint32_t end)
{
    vrm_transform given[VRMI_LANES];
    vrmi_hierarchy_rows rows;
    get_rows(instance, &rows);
    rows.given = given;
    for (; first < end; first += VRMI_LANES) {
        const uint32_t count = end - first < VRMI_LANES ? end - first : VRMI_LANES;
        for (uint32_t i = 0; i < count; ++i) {
            vrmi_get_pose(instance, nodes != NULL ? nodes[first + i] : first + i, &given[i]);
        }
        if (nodes != NULL) {
            compute_nodes(instance, &rows, nodes + first, count);
        } else {
            compute_range(instance, &rows, first, first + count);
        }
    }
}

void vrmi_hierarchy_hair(vrm_instance *instance, bool takes_input)
{
    const vrmi_model *model = instance->model;
    const uint32_t first = model->head.first_hair;
    const uint32_t tree = model->head.tree_count, hair = instance->pose_rows - tree;
    if (takes_input && hair != 0) {
        memcpy(instance->local + tree, instance->input + tree, hair * sizeof(*instance->local));
    }
    instance->hair_at_rest |= takes_input;
    const uint32_t *nodes = vrmi_model_node_row(model) + first, count = model->node_row.count - first;
    if (hair != 0) {
        vrmi_hierarchy_rows rows;
        get_rows(instance, &rows);
        compute_nodes(instance, &rows, nodes, count);
    } else {
        update_given(instance, nodes, 0, count);
    }
}

void vrmi_hierarchy_update_hair(vrm_instance *instance, uint32_t first, uint32_t end)
{
    if (vrmi_has_pose(instance, first)) {
        vrmi_hierarchy_rows rows;
        get_rows(instance, &rows);
        compute_range(instance, &rows, first, end);
    } else {
        update_given(instance, NULL, first, end);
    }
}

void vrmi_hierarchy_followers(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    vrmi_hierarchy_rows rows;
    get_rows(instance, &rows);
    for (uint32_t i = 0; instance->scaled && i < model->spring_joint.count; ++i) {
        vrm_mat34 *world = &instance->world[vrmi_model_spring_joint(model)[i].node];
        if (!vrmi_mat34_is_possible(world)) {
            vrmi_mat34_make_possible(world);
            instance->status |= VRM_STATUS_INPUT_CLAMPED;
        }
    }
    compute_nodes(instance, &rows, vrmi_model_hair_follower(model), model->hair_follower.count);
}

void vrmi_hierarchy_parent(const vrm_instance *instance, uint32_t node, vrm_mat34 *out_world)
{
    const int32_t parent = vrmi_model_node_parent(instance->model)[node];
    *out_world = parent >= 0 ? instance->world[parent] : instance->root_world;
}

vrm_quat vrmi_hierarchy_parent_rotation(const vrm_instance *instance, uint32_t node)
{
    const int32_t parent = vrmi_model_node_parent(instance->model)[node];
    return parent >= 0 ? *vrmi_world_rotation(instance, parent) : instance->root_rotation;
}

void vrmi_hierarchy_root(vrm_instance *instance)
{
    const vrm_root *root = &instance->root;
    const vrm_quat rotation = vrmi_quat_mul(root->rotation, instance->model->head.root_from_nodes);
    const vrm_transform transform = {{0.0f, 0.0f, 0.0f}, rotation, {root->scale, root->scale, root->scale}};
    vrmi_mat34_from_transform(&transform, &instance->root_world);
    instance->root_rotation = rotation;
}
