// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// One frame of a player: advances time, mixes the clips, and converts the mix to a pose, a gaze and expressions.

#include "runtime/clip/clip.h"

// Advances the slot's unwrapped time. With wrap mode HOLD the time stays within the clip.
static void move_slot(vrmi_clip_slot *slot, float dt)
{
    if (slot->clip != NULL) {
        slot->earlier = slot->time;
        slot->began = slot->fresh;
        slot->fresh = false;
        slot->time += (double)dt * (double)slot->speed;
        const double length = (double)slot->clip->head.duration;
        if (slot->wrap == VRM_CLIP_WRAP_HOLD) {
            slot->time = slot->time < 0.0 ? 0.0 : (slot->time > length ? length : slot->time);
        }
    }
}

static void move_on(vrm_clip_player *player, float dt)
{
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        vrmi_player_layer *layer = &player->layers[i];
        move_slot(&layer->now, dt);
        move_slot(&layer->before, dt);
        layer->fade_elapsed += dt;
        if (!(layer->fade_elapsed < layer->fade_duration)) {
            layer->fade_elapsed = layer->fade_duration;
            layer->retired = layer->before.clip != NULL ? layer->before.clip : layer->retired;
            layer->before.clip = NULL;
        }
    }
}

static void give_gaze(const vrmi_mix *mix, vrm_instance *instance)
{
    instance->clip_gaze = mix->gaze_weight > 0.0f;
    instance->clip_yaw = mix->yaw * mix->gaze_weight;
    instance->clip_pitch = mix->pitch * mix->gaze_weight;
}

// Writes the mixed expressions to the player's `expressions`. Returns true if any has changed.
static bool give_expressions(vrm_clip_player *player)
{
    bool changed = false, any = false;
    for (uint32_t e = 0; e < player->expression_count && (player->expressions_mixed || player->expressions_set); ++e) {
        vrmi_expression_entry now = {0};
        if (player->expression_weights[e] > 0.0f) {
            now = (vrmi_expression_entry){.weight = player->expression_values[e], .set = 1};
            any = true;
        }
        changed = changed || now.set != player->expressions[e].set || now.weight != player->expressions[e].weight;
        player->expressions[e] = now;
    }
    player->expressions_set = any;
    return changed;
}

bool vrmi_player_show(
    vrm_clip_player *player, vrm_instance *instance, float dt, const vrm_transform *rest, vrm_transform *locals)
{
    vrmi_mixing mixing;
    move_on(player, dt);
    vrmi_player_mix(player, player->layers, &mixing);
    vrmi_player_mix_expressions(player);
    if (player->decays) {
        vrmi_player_decay(player, dt, &mixing.mix);
        mixing.hips = mixing.mix.hips;
    }
    vrmi_player_keep_shown(player, &mixing.mix, dt);
    vrmi_player_root(player, &mixing);
    vrmi_player_plant_feet(player, &mixing, dt);
    vrmi_player_overlay(player, &mixing, rest, locals);
    give_gaze(&mixing.mix, instance);
    return give_expressions(player);
}
