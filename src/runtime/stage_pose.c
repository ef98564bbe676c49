// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/clip_player.h"
#include "runtime/hierarchy.h"
#include "runtime/stages.h"

#include <string.h>

void vrmi_stage_pose(vrm_instance *instance, float dt)
{
    const uint32_t count = instance->model->node_parent.count;
    memcpy(instance->local, instance->input, count * sizeof(*instance->local));
    if (instance->player != NULL) {
        vrmi_player_show(instance->player, instance, dt, instance->local);
    }
    vrmi_hierarchy_update(instance, 0, count);
    instance->pose_changed = false;
}
