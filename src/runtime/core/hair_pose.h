// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_HAIR_POSE_H
#define VRMI_RUNTIME_HAIR_POSE_H

// The output pose of any node. Hair nodes have rows in the pose only if the def asks for them. Without rows, the shown
// rotations are in the state of the springs, and all other values of hair are those of the rest pose.

#include "runtime/core/instance.h"

// Blends a joint's rotation from the input to the simulation by the weight of its chain.
static inline vrm_quat vrmi_hair_mix(vrm_quat input, vrm_quat shown, float weight)
{
    return weight >= 1.0f ? shown : (weight <= 0.0f ? input : vrmi_quat_slerp(input, shown, weight));
}

// Computes a node's local transform after the last update. Call it in the library's float environment.
void vrmi_get_pose(const vrm_instance *instance, uint32_t node, vrm_transform *out);

// Returns a pointer to a node's local transform after the last update: if the transform is not stored, it is computed
// into `room`.
static inline const vrm_transform *vrmi_pose_at(const vrm_instance *instance, uint32_t node, vrm_transform *room)
{
    const uint32_t row = vrmi_model_node_pose(instance->model)[node];
    if (row < instance->pose_rows) {
        return &instance->local[row];
    }
    if (vrmi_model_hair(instance->model)[row - instance->model->head.tree_count].slot < 0) {
        return &vrmi_model_node_rest(instance->model)[node];
    }
    vrmi_get_pose(instance, node, room);
    return room;
}

#endif
