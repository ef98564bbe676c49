// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Saves and restores the state of a player (cursor.h), and the gaze that it has set on an instance. Clips are not
// saved; a hash checks that the same clips are set.

#include "runtime/clip/clip.h"

#include "base/checks.h"
#include "base/float_environment.h"

#define SNAPSHOT_MAGIC 0x43524d56u // "VMRC"
#define SNAPSHOT_VERSION 5u

static const double longest_time = 1e15;
static const float widest_turn = 4.0f; // at most half a turn, and some room for rounding
static const float widest_gaze = 1e7f; // large at a small weight, but only angle * weight is shown
static const float most_expression =
    1e3f; // the sum of additive layers, each at most 1, and of a transition's start values

static void walk_slot(vrmi_clip_slot *slot, vrmi_cursor *cursor)
{
    const uint64_t hash = slot->clip != NULL ? slot->clip->hash : 0;
    const uint32_t low = vrmi_cursor_steer(cursor, (uint32_t)hash, UINT32_MAX);
    const uint32_t high = vrmi_cursor_steer(cursor, (uint32_t)(hash >> 32), UINT32_MAX);
    vrmi_cursor_require(cursor, low == (uint32_t)hash && high == (uint32_t)(hash >> 32));
    vrmi_cursor_double(cursor, &slot->time, -longest_time, longest_time);
    vrmi_cursor_double(cursor, &slot->earlier, -longest_time, longest_time);
    vrmi_cursor_bool(cursor, &slot->fresh);
    vrmi_cursor_bool(cursor, &slot->began);
    vrmi_cursor_float(cursor, &slot->speed, -100.0f, 100.0f);
    vrmi_cursor_u32(cursor, &slot->wrap, VRM_CLIP_WRAP_PING_PONG);
}

static void walk_layer(vrmi_player_layer *layer, vrmi_cursor *cursor)
{
    vrm_clip_layer_params *s = &layer->settings;
    walk_slot(&layer->now, cursor);
    walk_slot(&layer->before, cursor);
    vrmi_cursor_float(cursor, &layer->fade_elapsed, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &layer->fade_duration, 0.0f, 60.0f);
    vrmi_cursor_u32(cursor, &layer->transition, VRM_CLIP_TRANSITION_INERTIAL);
    vrmi_cursor_float(cursor, &s->weight, 0.0f, 1.0f);
    vrmi_cursor_float(cursor, &s->humanoid_weight, 0.0f, 1.0f);
    vrmi_cursor_float(cursor, &s->expression_weight, 0.0f, 1.0f);
    vrmi_cursor_float(cursor, &s->gaze_weight, 0.0f, 1.0f);
    vrmi_cursor_u64(cursor, &s->bones);
    vrmi_cursor_bool(cursor, &s->hips_position);
    vrmi_cursor_bool(cursor, &s->root_motion);
    vrmi_cursor_bool(cursor, &s->root_turn);
    vrmi_cursor_float(cursor, &s->foot_weight, 0.0f, 1.0f);
}

static void walk_rotation(vrm_quat *q, vrmi_cursor *cursor)
{
    vrmi_cursor_float(cursor, &q->x, -1.01f, 1.01f);
    vrmi_cursor_float(cursor, &q->y, -1.01f, 1.01f);
    vrmi_cursor_float(cursor, &q->z, -1.01f, 1.01f);
    vrmi_cursor_float(cursor, &q->w, -1.01f, 1.01f);
}

// Visits a pose that an inertial transition starts from.
static void walk_mix(vrmi_mix *mix, vrmi_cursor *cursor)
{
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        vrm_quat rotation = vrmi_pose_get(&mix->rotation, bone);
        vrmi_cursor_float(cursor, &mix->weight[bone], 0.0f, 1.001f);
        walk_rotation(&rotation, cursor);
        if (cursor->mode == VRMI_CURSOR_LOAD) {
            vrmi_pose_set(&mix->rotation, bone, rotation);
        }
    }
    vrmi_cursor_vec3(cursor, &mix->hips);
    vrmi_cursor_float(cursor, &mix->hips_weight, 0.0f, 1.001f);
    vrmi_cursor_float(cursor, &mix->yaw, -widest_gaze, widest_gaze);
    vrmi_cursor_float(cursor, &mix->pitch, -widest_gaze, widest_gaze);
    vrmi_cursor_float(cursor, &mix->gaze_weight, 0.0f, 1.001f);
}

static void walk_inertia(vrmi_inertia *inertia, vrmi_cursor *cursor)
{
    vrmi_cursor_float(cursor, &inertia->elapsed, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &inertia->duration, 0.0f, 60.0f);
    vrmi_cursor_u64(cursor, &inertia->left);
    for (int i = 0; i <= VRM_HUMAN_BONE_COUNT; ++i) {
        vrmi_cursor_vec3(cursor, &inertia->offset[i]);
        vrmi_cursor_vec3(cursor, &inertia->speed[i]);
        vrmi_cursor_float(cursor, &inertia->weight[i], -1.001f, 1.001f);
    }
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        walk_rotation(&inertia->held[i], cursor);
    }
    vrmi_cursor_vec3(cursor, &inertia->hips);
    vrmi_cursor_float(cursor, &inertia->yaw, -widest_gaze, widest_gaze);
    vrmi_cursor_float(cursor, &inertia->pitch, -widest_gaze, widest_gaze);
    vrmi_cursor_float(cursor, &inertia->gaze_weight, -1.001f, 1.001f);
}

// Visits the last two shown poses. Saving recomputes them if they are not stored; restoring stores them.
static void walk_shown(vrm_clip_player *player, vrmi_cursor *cursor)
{
    vrmi_shown *const shown[2] = {&player->last, &player->earlier};
    for (int i = 0; i < 2; ++i) {
        vrmi_mix mix = {0};
        if (cursor->mode == VRMI_CURSOR_SAVE) {
            vrmi_player_recall(player, i == 1, &mix);
        }
        vrmi_mix_spread(&mix);
        walk_mix(&mix, cursor);
        if (cursor->mode == VRMI_CURSOR_LOAD) {
            mix.bones = VRM_CLIP_ALL_BONES;
            *shown[i]->mix = mix;
            shown[i]->held = true;
        }
    }
}

static void walk(void *state, vrmi_cursor *cursor)
{
    vrm_clip_player *player = state;
    const uint32_t expected[] = {
        SNAPSHOT_MAGIC, SNAPSHOT_VERSION, player->layer_count, player->expression_count, player->model->size};
    vrmi_cursor_header(cursor, expected, VRMI_COUNT_OF(expected));
    for (uint32_t i = 0; i < player->layer_count && !cursor->failed; ++i) {
        walk_layer(&player->layers[i], cursor);
    }
    walk_inertia(player->inertia, cursor);
    for (uint32_t i = 0; i < 2 * player->expression_count; ++i) {
        vrmi_cursor_float(cursor, &player->expression_shown[i], -most_expression, most_expression);
        vrmi_cursor_float(cursor, &player->expression_left[i], -most_expression, most_expression);
    }
    walk_shown(player, cursor);
    vrmi_cursor_u32(cursor, &player->shown_count, 2);
    vrmi_cursor_float(cursor, &player->last_dt, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_vec3(cursor, &player->root.place);
    vrmi_cursor_float(cursor, &player->root.heading, -widest_turn, widest_turn);
    vrmi_cursor_double(cursor, &player->root_round, -longest_time, longest_time);
    vrmi_cursor_vec3(cursor, &player->root_motion.place);
    vrmi_cursor_float(cursor, &player->root_motion.heading, -widest_turn, widest_turn);
    vrmi_cursor_bool(cursor, &player->root_known);
    for (int i = 0; i < 2; ++i) {
        vrmi_cursor_bool(cursor, &player->feet[i].known);
        vrmi_cursor_bool(cursor, &player->feet[i].holds);
        vrmi_cursor_float(cursor, &player->feet[i].quiet, 0.0f, 1.0f);
        vrmi_cursor_vec3(cursor, &player->feet[i].ankle);
        vrmi_cursor_vec3(cursor, &player->feet[i].offset);
    }
}

vrm_result vrm_clip_player_snapshot(const vrm_clip_player *player, void *buffer, size_t *size)
{
    if (player == NULL || size == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_clip_player *unchanged = (vrm_clip_player *)player; // counting and saving change nothing
    return vrmi_snapshot_save(walk, unchanged, buffer, size);
}

vrm_result vrm_clip_player_restore(vrm_clip_player *player, const void *buffer, size_t size)
{
    if (player == NULL || buffer == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const vrm_result result = vrmi_snapshot_load(walk, player, buffer, size);
    if (result == VRM_SUCCESS) {
        player->decays = player->inertia->duration > 0.0f;
        player->expressions_shown = true;
        vrmi_player_stir(player);
    }
    vrmi_float_leave(host);
    return result;
}

void vrmi_clip_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    // The next pose stage sets the gaze of an attached player.
    const bool applied = instance->player == NULL && instance->clip_gaze;
    const uint32_t has_clip_gaze = vrmi_cursor_steer(cursor, applied ? 1 : 0, 1);
    if (cursor->mode == VRMI_CURSOR_LOAD) {
        instance->clip_gaze = has_clip_gaze != 0;
        instance->clip_expressions = NULL;
    }
    if (has_clip_gaze != 0) {
        vrmi_cursor_float(cursor, &instance->clip_yaw, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
        vrmi_cursor_float(cursor, &instance->clip_pitch, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    }
}
