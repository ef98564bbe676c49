// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_HAIR_POSE_H
#define VRMI_RUNTIME_HAIR_POSE_H

// The output pose of any node. Hair has rows in it only if the def asks for them. Otherwise the springs' state has the
// shown rotations, and everything else about hair is as at rest.

#include "runtime/core/instance.h"

// A joint's rotation between input and simulation, by its chain's weight.
static inline vrm_quat vrmi_hair_mix(vrm_quat input, vrm_quat shown, float weight)
{
    return weight >= 1.0f ? shown : (weight <= 0.0f ? input : vrmi_quat_slerp(input, shown, weight));
}

// A node's local transform after the last update. Call it in the library's float environment.
void vrmi_get_pose(const vrm_instance *instance, uint32_t node, vrm_transform *out);

// The same as a pointer; to `room` if the transform is not stored anywhere.
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
