// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/core/hierarchy.h"

#include "runtime/core/kernel_matrix.h"
#include "runtime/spring/spring_show.h"

void vrmi_hierarchy_get_rows(vrm_instance *instance, vrmi_hierarchy_rows *out_rows)
{
    *out_rows = (vrmi_hierarchy_rows){vrmi_model_node_parent(instance->model), instance->local, instance->world,
        instance->world_rotation, &instance->root_world, &instance->root_rotation};
}

// All nodes, eight at a time; false where some of those that may wait do not.
static bool update_all(const vrm_instance *instance, const vrmi_hierarchy_rows *rows)
{
    const vrmi_model *model = instance->model;
    const uint32_t *nodes = vrmi_model_node_row(model);
    const uint32_t waiting = model->head.first_waiting;
    const bool deferring = instance->springs.deferring;
    if (deferring && !instance->springs.all_wait) {
        return false;
    }
    vrmi_matrix_kernels_of(instance->lanes)->nodes(rows, nodes, deferring ? waiting : model->node_row.count);
    return true;
}

void vrmi_hierarchy_update(vrm_instance *instance, uint32_t first, uint32_t end)
{
    vrmi_hierarchy_rows rows;
    vrmi_hierarchy_get_rows(instance, &rows);
    if (first == 0 && end == instance->model->node_parent.count && update_all(instance, &rows)) {
        return;
    }
    vrmi_spring_subtree range;
    while (vrmi_spring_next_range(instance, &first, end, &range)) {
        vrmi_kernel_worlds(&rows, range.first, range.end);
    }
}

void vrmi_hierarchy_parent(const vrm_instance *instance, uint32_t node, vrm_mat34 *out_world)
{
    const int32_t parent = vrmi_model_node_parent(instance->model)[node];
    *out_world = parent >= 0 ? instance->world[parent] : instance->root_world;
}

vrm_quat vrmi_hierarchy_parent_rotation(const vrm_instance *instance, uint32_t node)
{
    const int32_t parent = vrmi_model_node_parent(instance->model)[node];
    return parent >= 0 ? instance->world_rotation[parent] : instance->root_rotation;
}

void vrmi_hierarchy_root(vrm_instance *instance)
{
    const vrm_root *root = &instance->root;
    const vrm_quat rotation = vrmi_quat_mul(root->rotation, instance->model->head.root_from_nodes);
    const vrm_transform transform = {{0.0f, 0.0f, 0.0f}, rotation, {root->scale, root->scale, root->scale}};
    vrmi_mat34_from_transform(&transform, &instance->root_world);
    instance->root_rotation = rotation;
}
