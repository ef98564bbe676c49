// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/clip/clip_player.h"
#include "runtime/core/hierarchy.h"
#include "runtime/stages.h"

#include <string.h>

// The input, or the rest where nobody has set one: the avatar's rest lies in the cache, this instance's input need not.
static void take_input(vrm_instance *instance)
{
    const uint32_t count = instance->model->node_parent.count;
    memcpy(instance->local, vrmi_model_node_rest(instance->model), count * sizeof(*instance->local));
    for (uint32_t first = 0; first < count; first += 32) {
        uint32_t set = instance->input_set[first / 32];
        for (uint32_t node = first; set != 0; ++node, set >>= 1) {
            if ((set & 1u) != 0) {
                instance->local[node] = instance->input[node];
            }
        }
    }
}

void vrmi_stage_pose(vrm_instance *instance, float dt)
{
    const uint32_t count = instance->model->node_parent.count;
    take_input(instance);
    if (instance->player != NULL) {
        vrm_clip_player *player = instance->player;
        const bool changed = vrmi_player_show(player, instance, dt, instance->local);
        const vrmi_expression_entry *said = player->face_said ? player->expressions : NULL;
        if (changed || said != instance->clip_expressions) {
            instance->face.inputs_changed = 1;
        }
        instance->clip_expressions = said;
    }
    vrmi_hierarchy_update(instance, 0, count);
    instance->springs.shown = false; // the tree has written over it
    instance->pose_changed = false;
}
