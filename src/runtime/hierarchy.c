// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/hierarchy.h"

void vrmi_hierarchy_update(vrm_instance *instance, uint32_t first, uint32_t end)
{
    const int32_t *parents = vrmi_model_node_parent(instance->model);
    for (uint32_t node = first; node < end; ++node) {
        const vrm_transform *local = &instance->local[node];
        const int32_t parent = parents[node];
        const vrm_mat34 *parent_world = parent >= 0 ? &instance->world[parent] : &instance->root_world;
        const vrm_quat parent_rotation = parent >= 0 ? instance->world_rotation[parent] : instance->root_rotation;
        vrm_mat34 parent_from_local;
        vrmi_mat34_from_transform(local, &parent_from_local);
        vrmi_mat34_mul(parent_world, &parent_from_local, &instance->world[node]);
        instance->world_rotation[node] = vrmi_quat_mul(parent_rotation, local->rotation);
    }
}

void vrmi_hierarchy_parent(const vrm_instance *instance, uint32_t node, vrm_mat34 *out_world, vrm_quat *out_rotation)
{
    const int32_t parent = vrmi_model_node_parent(instance->model)[node];
    *out_world = parent >= 0 ? instance->world[parent] : instance->root_world;
    *out_rotation = parent >= 0 ? instance->world_rotation[parent] : instance->root_rotation;
}

void vrmi_hierarchy_root(vrm_instance *instance)
{
    const vrm_root *root = &instance->root;
    const vrm_quat rotation = vrmi_quat_mul(root->rotation, instance->model->head.root_from_nodes);
    const vrm_transform transform = {{0.0f, 0.0f, 0.0f}, rotation, {root->scale, root->scale, root->scale}};
    vrmi_mat34_from_transform(&transform, &instance->root_world);
    instance->root_rotation = rotation;
}

vrm_quat vrmi_rest_parent_rotation(const vrmi_model *model, uint32_t node)
{
    const int32_t parent = vrmi_model_node_parent(model)[node];
    return parent >= 0 ? vrmi_model_node_rest_rotation(model)[parent] : model->head.root_from_nodes;
}
