// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// An instance and its player. Either the pose stage shows the player over the instance's input, or the host copies the
// player's pose to the input.

#include "runtime/clip/clip.h"

#include "base/float_environment.h"
#include "runtime/core/hierarchy.h"
#include "runtime/stages.h"

#include <string.h>

// --- the player --------------------------------------------------------------------------------------------------------

vrm_result vrm_instance_set_clip_player(vrm_instance *instance, vrm_clip_player *player)
{
    if (instance == NULL || (player != NULL && player->avatar != instance->avatar)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (instance->player == player) {
        return VRM_SUCCESS;
    }
    vrmi_clip_detach(instance);
    if (player != NULL) {
        if (player->instance != NULL) {
            vrmi_clip_detach(player->instance);
        }
        player->instance = instance;
        instance->player = player;
        vrmi_instance_stir(instance);
    }
    return VRM_SUCCESS;
}

void vrmi_clip_init(vrm_instance *instance)
{
    instance->clip_expressions = NULL;
    instance->clip_gaze = false;
}

void vrmi_clip_detach(vrm_instance *instance)
{
    vrm_clip_player *player = instance->player;
    instance->player = NULL;
    vrmi_clip_init(instance);
    if (player != NULL) {
        player->instance = NULL;
        instance->face.inputs_changed = 1;
        vrmi_instance_stir(instance);
    }
}

// --- the stage ---------------------------------------------------------------------------------------------------------

// Copies the input, or the rest pose for nodes without input: the avatar's rest pose is in the cache, this instance's
// input may not be. Of the hair, only the joints' rotations change from frame to frame, and the springs write them.
static void take_input(vrm_instance *instance)
{
    const uint32_t count = instance->model->node_parent.count;
    vrmi_instance_rest(instance, instance->hair_stale, instance->local);
    instance->hair_stale = false;
    for (uint32_t first = 0; first < count; first += 32) {
        uint32_t set = instance->input_set[first / 32];
        for (uint32_t node = first; set != 0; ++node, set >>= 1) {
            if ((set & 1u) != 0 && vrmi_has_pose(instance, node)) {
                *vrmi_local(instance, node) = *vrmi_input(instance, node);
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
        const bool changed = vrmi_player_show(player, instance, dt, NULL, instance->local);
        const vrmi_expression_entry *given = player->expressions_set ? player->expressions : NULL;
        if (changed || given != instance->clip_expressions) {
            instance->face.inputs_changed = 1;
        }
        instance->clip_expressions = given;
    }
    vrmi_hierarchy_update(instance, 0, count);
    instance->pose_changed = false;
}

// --- applying to the input -------------------------------------------------------------------------------------------

// Sets the player's expressions in the host's CLIP layer; with `set` false, clears them there.
static void set_expressions(const vrm_clip_player *player, vrm_instance *instance, bool set)
{
    const vrm_expression_layer layer = VRM_EXPRESSION_LAYER_CLIP;
    for (uint32_t e = 0; player->expressions_set && e < player->expression_count; ++e) {
        if (player->expressions[e].set && set) {
            (void)vrm_instance_set_expression(instance, layer, e, player->expressions[e].weight);
        } else if (player->expressions[e].set) {
            (void)vrm_instance_clear_expression(instance, layer, e);
        }
    }
}

vrm_result vrm_clip_player_apply(vrm_clip_player *player, vrm_instance *instance)
{
    if (player == NULL || instance == NULL || player->avatar != instance->avatar) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    set_expressions(player, instance, false); // clears the expressions that the last call set
    // Over the rest pose, not over the input: that is the pose of the last call, to which this one would be added.
    const vrm_transform *rest = vrmi_model_node_rest(instance->model);
    if (vrmi_player_show(player, instance, 0.0f, rest, instance->input) && player->instance != NULL) {
        player->instance->face.inputs_changed = 1; // the attached instance reads the same array
    }
    set_expressions(player, instance, true);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = instance->model->head.bone_node[bone];
        if (node >= 0) {
            vrmi_instance_mark_input(instance, (uint32_t)node);
        }
    }
    vrmi_instance_stir(instance);
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}
