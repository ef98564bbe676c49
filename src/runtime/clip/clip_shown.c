// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The last two shown poses, from which transitions start. Transitions are rare, and storing a pose would cost each
// player of a crowd 1.2 KB per frame. So while each layer plays one clip, only the clips' times are stored. The poses
// are recomputed from these times when they are needed, or before something changes that they depend on.

#include "runtime/clip/clip.h"

#include <string.h>

// Returns true if the mix depends only on the layers' times.
static bool follows_from_times(const vrm_clip_player *player)
{
    bool follows = !player->decays;
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        const vrmi_player_layer *layer = &player->layers[i];
        follows = follows && layer->before.clip == NULL && !(layer->fade_elapsed < layer->fade_duration);
    }
    return follows;
}

static void keep_expressions(vrm_clip_player *player)
{
    const size_t size = player->expression_count * sizeof(float);
    if (player->expressions_mixed) {
        memcpy(player->expression_shown, player->expression_values, size);
        memcpy(player->expression_shown + player->expression_count, player->expression_weights, size);
    } else if (player->expressions_shown) {
        memset(player->expression_shown, 0, 2 * size);
    }
    player->expressions_shown = player->expressions_mixed;
}

void vrmi_player_keep_shown(vrm_clip_player *player, vrmi_mix *mix, float dt)
{
    if (!(dt > 0.0f) && player->shown_count > 0) {
        return;
    }
    const vrmi_shown oldest = player->earlier;
    player->earlier = player->last;
    player->last = (vrmi_shown){oldest.mix, !follows_from_times(player)};
    if (player->last.held) {
        vrmi_mix_spread(mix);
        *player->last.mix = *mix;
    }
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        vrmi_player_layer *layer = &player->layers[i];
        layer->shown_earlier = layer->shown;
        layer->shown = layer->now.time;
    }
    player->last_dt = dt;
    player->shown_count += player->shown_count < 2 ? 1u : 0u;
    keep_expressions(player);
}

void vrmi_player_recall(const vrm_clip_player *player, bool earlier, vrmi_mix *out)
{
    const vrmi_shown *shown = earlier ? &player->earlier : &player->last;
    if (shown->held) {
        *out = *shown->mix;
        return;
    }
    vrmi_player_layer then[VRMI_PLAYER_MAX_LAYERS];
    vrmi_mixing mixing;
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        then[i] = player->layers[i];
        then[i].now.time = earlier ? then[i].shown_earlier : then[i].shown;
        then[i].now.cursors = NULL; // the cursors belong to the current playback
    }
    vrmi_player_mix(player, then, &mixing);
    vrmi_mix_spread(&mixing.mix);
    *out = mixing.mix;
}

void vrmi_player_hold_shown(vrm_clip_player *player)
{
    vrmi_shown *const shown[2] = {&player->last, &player->earlier};
    for (int i = 0; i < 2; ++i) {
        if (!shown[i]->held) {
            vrmi_player_recall(player, i == 1, shown[i]->mix);
            shown[i]->held = true;
        }
    }
}
