// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/core/hair_pose.h"

void vrmi_get_pose(const vrm_instance *instance, uint32_t node, vrm_transform *out)
{
    const vrmi_model *model = instance->model;
    const uint32_t row = vrmi_model_node_pose(model)[node];
    if (row < instance->pose_rows) {
        *out = instance->local[row];
        return;
    }
    *out = vrmi_model_node_rest(model)[node];
    const vrmi_hair_row *hair = &vrmi_model_hair(model)[row - model->head.tree_count];
    if (hair->slot >= 0 && !instance->hair_at_rest) {
        const uint32_t slot = (uint32_t)hair->slot;
        const vrm_quat shown = vrmi_lane_quat(&instance->spring_state[slot / VRMI_LANES].shown, slot % VRMI_LANES);
        out->rotation = vrmi_hair_mix(out->rotation, shown, instance->spring_weight[hair->chain]);
    }
}
