// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_HIERARCHY_H
#define VRMI_RUNTIME_HIERARCHY_H

#include "runtime/core/instance.h"
#include "runtime/core/kernel_matrix.h"

// Call at the start of a frame. Finds out whether anything of this instance reads hair before the springs run; if so,
// updates of the tree include the hair. Each node belongs either to the tree or to the hair (node_builder.c).
void vrmi_hierarchy_begin(vrm_instance *instance);
// Computes world matrices and rotations of the tree's nodes in [first, end) from their local transforms. Parents
// outside the range must be up to date. A subtree is the range [node, subtree_end).
void vrmi_hierarchy_update(vrm_instance *instance, uint32_t first, uint32_t end);
// Whether the node belongs to the hair.
bool vrmi_hierarchy_is_hair(const vrm_instance *instance, uint32_t node);
// Updates all hair nodes if the springs do not compute them. `takes_input`: from the input; otherwise from the current
// pose.
void vrmi_hierarchy_hair(vrm_instance *instance, bool takes_input);
// Updates all nodes in [first, end), hair or not.
void vrmi_hierarchy_update_hair(vrm_instance *instance, uint32_t first, uint32_t end);
// Computes the world matrices of nodes under spring joints that are not joints themselves, after the joints have their
// matrices. The springs do not compute world rotations.
void vrmi_hierarchy_followers(vrm_instance *instance);
// Compute the world matrix and the world rotation of the space that contains a node: its parent's, or the root's (with
// root_from_nodes).
void vrmi_hierarchy_parent(const vrm_instance *instance, uint32_t node, vrm_mat34 *out_world);
vrm_quat vrmi_hierarchy_parent_rotation(const vrm_instance *instance, uint32_t node);
// Computes root_world and root_rotation from `root`.
void vrmi_hierarchy_root(vrm_instance *instance);

static inline void vrmi_hierarchy_update_subtree(vrm_instance *instance, uint32_t node)
{
    vrmi_hierarchy_update(instance, node, vrmi_model_node_subtree_end(instance->model)[node]);
}

#endif
