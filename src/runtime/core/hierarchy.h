// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_HIERARCHY_H
#define VRMI_RUNTIME_HIERARCHY_H

#include "runtime/core/instance.h"
#include "runtime/core/kernel_matrix.h"

// World matrices and rotations of nodes [first, end) from their local transforms; parents outside the range are
// taken as they are. A subtree is the range [node, subtree_end). Leaves out what waits for springs (spring_show.h).
void vrmi_hierarchy_update(vrm_instance *instance, uint32_t first, uint32_t end);
// What the kernels walk over.
void vrmi_hierarchy_get_rows(vrm_instance *instance, vrmi_hierarchy_rows *out_rows);
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
