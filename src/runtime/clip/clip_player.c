// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creating, controlling and saving a player.

#include "runtime/clip/clip.h"

#include "base/abi.h"
#include "base/block.h"
#include "base/float_environment.h"

#include <string.h>

void(vrm_clip_player_def_default)(vrm_clip_player_def *def, size_t size)
{
    const vrm_clip_player_def own = {.struct_size = sizeof own, .layers = 1};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

void(vrm_clip_play_params_default)(vrm_clip_play_params *play, size_t size)
{
    const vrm_clip_play_params own = {.struct_size = sizeof own, .speed = 1.0f};
    vrmi_write_defaults(play, size, &own, sizeof own);
}

void(vrm_clip_layer_params_default)(vrm_clip_layer_params *layer, size_t size)
{
    const vrm_clip_layer_params own = {.struct_size = sizeof own,
        .weight = 1.0f,
        .humanoid_weight = 1.0f,
        .expression_weight = 1.0f,
        .gaze_weight = 1.0f,
        .bones = VRM_CLIP_ALL_BONES,
        .hips_position = true};
    vrmi_write_defaults(layer, size, &own, sizeof own);
}

// --- creating --------------------------------------------------------------------------------------------------------

// Reads the caller's def. Returns false if it is invalid or out of range.
static bool read_def(const vrm_clip_player_def *given, vrm_clip_player_def *def)
{
    vrm_clip_player_def_default(def);
    return given != NULL && VRMI_READ_OPTIONS(vrm_clip_player_def, def, given) && def->avatar != NULL &&
           def->layers >= 1 && def->layers <= VRMI_PLAYER_MAX_LAYERS &&
           (def->allocator.allocate == NULL) == (def->allocator.release == NULL);
}

// Returns the size of a player's block. If `player` is given, also sets its array pointers; the player is at the start
// of the block.
static size_t lay_out(const vrm_clip_player_def *def, vrm_clip_player *player)
{
    const size_t expressions = def->avatar->model->expression.count;
    size_t total = sizeof(vrm_clip_player);
    vrmi_player_layer *layers = vrmi_block_take(player, def->layers, sizeof(*layers), &total);
    uint32_t(*cursors)[VRMI_PLAYER_CURSORS] = vrmi_block_take(player, 2 * def->layers, sizeof(*cursors), &total);
    int32_t *map = vrmi_block_take(player, 2 * def->layers * expressions, sizeof(*map), &total);
    float *values = vrmi_block_take(player, expressions, sizeof(*values), &total);
    float *weights = vrmi_block_take(player, expressions, sizeof(*weights), &total);
    float *shown = vrmi_block_take(player, 2 * expressions, sizeof(*shown), &total);
    float *left = vrmi_block_take(player, 2 * expressions, sizeof(*left), &total);
    vrmi_expression_entry *said = vrmi_block_take(player, expressions, sizeof(*said), &total);
    vrmi_inertia *inertia = vrmi_block_take(player, 1, sizeof(*inertia), &total);
    vrmi_mix *shown_poses = vrmi_block_take(player, 2, sizeof(*shown_poses), &total);
    if (player != NULL) {
        player->layers = layers;
        for (uint32_t i = 0; i < def->layers; ++i) {
            layers[i].now.cursors = cursors[2 * i];
            layers[i].before.cursors = cursors[2 * i + 1];
        }
        player->expression_map = map;
        player->expression_values = values;
        player->expression_weights = weights;
        player->expression_shown = shown;
        player->expression_left = left;
        player->expressions = said;
        player->inertia = inertia;
        player->last.mix = &shown_poses[0];
        player->earlier.mix = &shown_poses[1];
    }
    return vrmi_block_size(total);
}

size_t vrm_clip_player_get_size(const vrm_clip_player_def *def)
{
    vrm_clip_player_def own;
    return read_def(def, &own) ? lay_out(&own, NULL) : 0;
}

static vrm_allocator allocator_of(const vrm_clip_player_def *def)
{
    return def->allocator.allocate != NULL ? def->allocator : def->avatar->allocator;
}

// Initialises a player in memory of sufficient size.
static vrm_clip_player *begin(const vrm_clip_player_def *def, void *memory, size_t size)
{
    memset(memory, 0, size);
    vrm_clip_player *player = memory;
    player->avatar = def->avatar;
    player->model = def->avatar->model;
    player->allocator = allocator_of(def);
    player->size = size;
    player->layer_count = def->layers;
    player->expression_count = player->model->expression.count;
    lay_out(def, player);
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        vrm_clip_layer_params_default(&player->layers[i].settings);
    }
    player->kernels = vrmi_clip_kernels_best();
    vrmi_mix_spread(player->last.mix);
    vrmi_mix_spread(player->earlier.mix);
    player->last.held = player->earlier.held = true;
    // Dropping const is safe: only the avatar's reference count changes.
    (void)vrm_avatar_retain((vrm_avatar *)def->avatar);
    return player;
}

vrm_result vrm_clip_player_init(const vrm_clip_player_def *def, void *memory, size_t size, vrm_clip_player **out_player)
{
    if (out_player == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_player = NULL;
    vrm_clip_player_def own;
    const size_t needed = read_def(def, &own) ? lay_out(&own, NULL) : 0;
    if (!vrmi_block_fits(memory, size, needed)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_player = begin(&own, memory, needed);
    return VRM_SUCCESS;
}

vrm_result vrm_clip_player_create(const vrm_clip_player_def *def, vrm_clip_player **out_player)
{
    if (out_player == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_player = NULL;
    vrm_clip_player_def own;
    if (!read_def(def, &own)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const size_t size = lay_out(&own, NULL);
    const vrm_allocator allocator = allocator_of(&own);
    void *memory = vrmi_block_allocate(&allocator, size);
    if (memory == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *out_player = begin(&own, memory, size);
    (*out_player)->allocated = true;
    return VRM_SUCCESS;
}

void vrm_clip_player_destroy(vrm_clip_player *player)
{
    if (player == NULL) {
        return;
    }
    if (player->instance != NULL) {
        (void)vrm_instance_set_clip_player(player->instance, NULL);
    }
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        vrm_clip_release(player->layers[i].now.clip);
        vrm_clip_release(player->layers[i].before.clip);
        vrm_clip_release(player->layers[i].retired);
    }
    const vrm_allocator allocator = player->allocator;
    vrm_avatar *avatar = (vrm_avatar *)player->avatar;
    const size_t size = player->size;
    if (player->allocated) {
        vrmi_release(&allocator, player, size);
    }
    vrm_avatar_release(avatar);
}

// --- controlling -----------------------------------------------------------------------------------------------------

static int32_t *map_of(vrm_clip_player *player, uint32_t layer, uint32_t slot)
{
    return player->expression_map + (size_t)(layer * 2 + slot) * player->expression_count;
}

static int32_t find_expression(const vrm_clip *clip, const vrmi_model *model, const vrmi_expression_row *row)
{
    const vrm_string name = vrmi_model_text(model, row->name);
    for (uint32_t i = 0; i < clip->expression_count; ++i) {
        const vrmi_clip_expression *own = &clip->expressions[i];
        const bool preset = row->preset < VRM_EXPRESSION_PRESET_COUNT;
        if (clip->expression_track[i] >= 0 &&
            (preset ? own->preset == (int32_t)row->preset
                    : own->preset < 0 && own->length == name.length &&
                          memcmp(clip->names + own->name, name.data, name.length) == 0)) {
            return (int32_t)i;
        }
    }
    return -1;
}

static void map_expressions(vrm_clip_player *player, uint32_t layer, const vrm_clip *clip)
{
    const vrmi_expression_row *rows = vrmi_model_expression(player->model);
    uint32_t *counts = player->layers[layer].expressions;
    int32_t *map = map_of(player, layer, 1);
    if (player->expression_count != 0) {
        memcpy(map_of(player, layer, 0), map, player->expression_count * sizeof(*map));
    }
    counts[0] = counts[1];
    counts[1] = 0;
    for (uint32_t e = 0; e < player->expression_count; ++e) {
        map[e] = clip != NULL ? find_expression(clip, player->model, &rows[e]) : -1;
        counts[1] += map[e] >= 0 ? 1u : 0u;
    }
}

static bool is_valid_play(const vrm_clip_play_params *play)
{
    return (uint32_t)play->wrap <= VRM_CLIP_WRAP_PING_PONG && play->speed >= -100.0f && play->speed <= 100.0f &&
           play->start >= 0.0f && play->start <= 1e9f && play->seconds >= 0.0f && play->seconds <= 60.0f &&
           (uint32_t)play->transition <= VRM_CLIP_TRANSITION_INERTIAL;
}

vrm_result vrm_clip_player_play(
    vrm_clip_player *player, uint32_t layer, vrm_clip *clip, const vrm_clip_play_params *play)
{
    vrm_clip_play_params chosen;
    vrm_clip_play_params_default(&chosen);
    if (!VRMI_READ_OPTIONS(vrm_clip_play_params, &chosen, play) || player == NULL || layer >= player->layer_count ||
        !is_valid_play(&chosen)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_player_layer *row = &player->layers[layer];
    const double part = row->now.clip != NULL && row->now.clip->head.duration > 0.0f
                            ? (double)(vrm_clip_player_get_time(player, layer) / row->now.clip->head.duration)
                            : 0.0;
    vrm_clip *old = row->before.clip, *retired = row->retired;
    // A pose in the middle of a transition belongs to neither clip and would be lost at once, so its offset is kept.
    const bool broken_off = row->fade_elapsed < row->fade_duration;
    vrmi_player_stir(player);
    vrmi_player_hold_shown(player);
    row->retired = NULL;
    uint32_t *cursors = row->before.cursors; // the cursors are from another clip, but a search may start at any cursor
    row->before = row->now;
    const double start = chosen.align && clip != NULL ? part * (double)clip->head.duration : (double)chosen.start;
    row->now = (vrmi_clip_slot){.clip = clip != NULL ? vrm_clip_retain(clip) : NULL,
        .time = start,
        .earlier = start,
        .cursors = cursors,
        .speed = chosen.speed,
        .wrap = (uint32_t)chosen.wrap,
        .fresh = true};
    row->transition = (uint32_t)chosen.transition;
    row->fade_elapsed = 0.0f;
    row->fade_duration = chosen.seconds;
    map_expressions(player, layer, clip);
    if (!(chosen.seconds > 0.0f)) {
        row->retired = row->before.clip;
        row->before.clip = NULL;
    }
    player->root_known = player->root_known && layer != 0;
    const bool inertial = chosen.transition == VRM_CLIP_TRANSITION_INERTIAL && clip != NULL;
    if (chosen.seconds > 0.0f && (inertial || broken_off) && player->shown_count > 0) {
        vrmi_player_start_inertia(player, chosen.seconds);
    }
    vrmi_float_leave(host);
    vrm_clip_release(old);
    vrm_clip_release(retired);
    return VRM_SUCCESS;
}

static bool is_share(float x)
{
    return x >= 0.0f && x <= 1.0f;
}

// Compares member by member, because the padding between members is undefined.
static bool same_layer(const vrm_clip_layer_params *a, const vrm_clip_layer_params *b)
{
    return a->weight == b->weight && a->humanoid_weight == b->humanoid_weight &&
           a->expression_weight == b->expression_weight && a->gaze_weight == b->gaze_weight && a->bones == b->bones &&
           a->hips_position == b->hips_position && a->root_motion == b->root_motion && a->root_turn == b->root_turn &&
           a->foot_weight == b->foot_weight;
}

vrm_result vrm_clip_player_set_layer(vrm_clip_player *player, uint32_t layer, const vrm_clip_layer_params *settings)
{
    vrm_clip_layer_params own;
    vrm_clip_layer_params_default(&own);
    if (player == NULL || settings == NULL || layer >= player->layer_count ||
        !VRMI_READ_OPTIONS(vrm_clip_layer_params, &own, settings) || !is_share(own.weight) ||
        !is_share(own.humanoid_weight) || !is_share(own.expression_weight) || !is_share(own.gaze_weight) ||
        !is_share(own.foot_weight)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    settings = &own;
    if (!same_layer(&player->layers[layer].settings, settings)) {
        const vrmi_float_environment host = vrmi_float_enter();
        vrmi_player_hold_shown(player);
        vrmi_float_leave(host);
        player->layers[layer].settings = *settings;
        vrmi_player_stir(player);
    }
    return VRM_SUCCESS;
}

vrm_result vrm_clip_player_set_time(vrm_clip_player *player, uint32_t layer, double time)
{
    if (player == NULL || layer >= player->layer_count || !(time >= -1e12 && time <= 1e12)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (player->layers[layer].now.clip == NULL) {
        return VRM_ERROR_NOT_FOUND;
    }
    vrmi_player_stir(player);
    player->layers[layer].now.time = player->layers[layer].now.earlier = time;
    player->layers[layer].now.fresh = true;
    player->layers[layer].now.began = false;
    player->root_known = player->root_known && layer != 0;
    return VRM_SUCCESS;
}

bool vrm_clip_player_is_finished(const vrm_clip_player *player, uint32_t layer)
{
    if (!VRM_ASSERT(player != NULL) || layer >= player->layer_count || player->layers[layer].now.clip == NULL) {
        return true;
    }
    const vrmi_clip_slot *slot = &player->layers[layer].now;
    const double length = (double)slot->clip->head.duration;
    return slot->wrap == VRM_CLIP_WRAP_HOLD && (slot->speed < 0.0f ? slot->time <= 0.0 : slot->time >= length);
}

bool vrmi_clip_is_still(const vrm_instance *instance)
{
    const vrm_clip_player *player = instance->player;
    for (uint32_t i = 0; player != NULL && i < player->layer_count; ++i) {
        const vrmi_player_layer *layer = &player->layers[i];
        const bool plays =
            layer->now.clip != NULL && layer->now.speed != 0.0f && !vrm_clip_player_is_finished(player, i);
        const bool begins = layer->now.clip != NULL && layer->now.fresh;
        if (plays || begins || layer->before.clip != NULL || layer->fade_elapsed < layer->fade_duration) {
            return false;
        }
    }
    return player == NULL || !player->decays;
}

void vrm_clip_player_get_root_motion(const vrm_clip_player *player, vrm_vec3 *out_way)
{
    if (VRM_ASSERT(player != NULL && out_way != NULL)) {
        *out_way = player->root_motion.place;
    }
}

float vrm_clip_player_get_root_turn(const vrm_clip_player *player)
{
    return VRM_ASSERT(player != NULL) ? player->root_motion.heading : 0.0f;
}
