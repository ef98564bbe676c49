// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_HIERARCHY_H
#define VRMI_RUNTIME_HIERARCHY_H

#include "runtime/core/instance.h"
#include "runtime/core/kernel_matrix.h"

// Each node belongs to the tree or to the hair (node_builder.c). At the start of a frame: does anything of this
// instance read hair before the springs run? Then the tree's updates are hair's, too.
void vrmi_hierarchy_begin(vrm_instance *instance);
// World matrices and rotations of the tree's nodes in [first, end) from their local transforms; parents outside the
// range are taken as they are. A subtree is the range [node, subtree_end).
void vrmi_hierarchy_update(vrm_instance *instance, uint32_t first, uint32_t end);
// Does the node belong to the hair?
bool vrmi_hierarchy_is_hair(const vrm_instance *instance, uint32_t node);
// The same of all hair, where springs do not compute it: in the pose as it is, or in that of the input.
void vrmi_hierarchy_hair(vrm_instance *instance, bool takes_input);
// Of all nodes in [first, end), hair or not.
void vrmi_hierarchy_update_hair(vrm_instance *instance, uint32_t first, uint32_t end);
// World matrices of the nodes under springs' joints that are not joints, once the joints have theirs. The springs give
// no world rotations.
void vrmi_hierarchy_followers(vrm_instance *instance);
// World matrix, and world rotation, of the space that holds a node: its parent's, or the root's (with root_from_nodes).
void vrmi_hierarchy_parent(const vrm_instance *instance, uint32_t node, vrm_mat34 *out_world);
vrm_quat vrmi_hierarchy_parent_rotation(const vrm_instance *instance, uint32_t node);
// root_world and root_rotation from `root`.
void vrmi_hierarchy_root(vrm_instance *instance);

static inline void vrmi_hierarchy_update_subtree(vrm_instance *instance, uint32_t node)
{
    vrmi_hierarchy_update(instance, node, vrmi_model_node_subtree_end(instance->model)[node]);
}

#endif
