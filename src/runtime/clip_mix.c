// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Clips -> one mixed pose in the normalized humanoid.

#include "base/checks.h"
#include "runtime/clip_player.h"

#include <string.h>

// --- time ------------------------------------------------------------------------------------------------------------

// More rounds than that are no longer told apart.
static const double most_rounds = 4503599627370496.0;

double vrmi_slot_rounds(double time, double length, double *out_rest)
{
    const double rounds = time / length;
    if (!(rounds > -most_rounds && rounds < most_rounds)) {
        *out_rest = 0.0;
        return 0.0;
    }
    double whole = (double)(int64_t)rounds;
    double rest = time - whole * length;
    if (rest < 0.0) {
        rest += length;
        whole -= 1.0;
    }
    *out_rest = rest < length ? rest : 0.0;
    return whole;
}

float vrmi_slot_time(const vrmi_clip_slot *slot)
{
    const double length = (double)slot->clip->head.duration;
    double rest;
    if (!(length > 0.0)) {
        return 0.0f;
    }
    switch (slot->wrap) {
    case VRM_CLIP_WRAP_LOOP:
        (void)vrmi_slot_rounds(slot->time, length, &rest);
        return (float)rest;
    case VRM_CLIP_WRAP_PING_PONG:
        (void)vrmi_slot_rounds(slot->time, 2.0 * length, &rest);
        return (float)(rest > length ? 2.0 * length - rest : rest);
    default:
        return (float)(slot->time < 0.0 ? 0.0 : (slot->time > length ? length : slot->time));
    }
}

// Keeps the unwrapped time where doubles are fine; what wrapping gives stays the same.
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

// --- sampling --------------------------------------------------------------------------------------------------------

static uint32_t *cursor_of(vrmi_clip_slot *slot, uint32_t track)
{
    return track < VRMI_PLAYER_CURSORS ? &slot->cursors[track] : NULL;
}

void vrmi_slot_sample(vrmi_clip_slot *slot, int32_t track, float time, float *out)
{
    vrmi_clip_sample_track(slot->clip, (uint32_t)track, time, cursor_of(slot, (uint32_t)track), out);
}

float vrmi_player_scale(const vrm_clip_player *player, const vrm_clip *clip)
{
    const float own = clip->head.hips_rest.y, height = player->model->head.body.hips_height;
    return own > 1e-3f && height > 1e-3f ? height / own : 1.0f;
}

static void sample_bank(const vrm_clip_player *player, vrmi_clip_slot *slot, float time, vrmi_pose_lanes *out)
{
    const vrm_clip *clip = slot->clip;
    const uint32_t track = clip->bank_track;
    float part;
    const uint32_t key = vrmi_clip_find_key(clip, track, time, cursor_of(slot, track), &part);
    const size_t stride = (size_t)vrmi_clip_bank_stride(clip);
    const float *a = clip->bank + key * stride;
    player->kernels->between(a, part > 0.0f ? a + stride : a, part, clip->bank_groups, out);
}

// Bones whose tracks have times of their own: their two keys go into lanes, and are slerped there.
static void sample_others(
    const vrm_clip_player *player, vrmi_clip_slot *slot, float time, uint64_t bones, vrmi_pose_lanes *out)
{
    const vrm_clip *clip = slot->clip;
    vrmi_pose_lanes next = *out;
    float parts[VRMI_POSE_LANES] = {0.0f};
    for (int32_t bone = 0; bones >> bone != 0; ++bone) {
        if ((bones >> bone & 1u) == 0) {
            continue;
        }
        const uint32_t index = (uint32_t)clip->bone_track[bone];
        const vrmi_clip_track *track = &clip->tracks[index];
        float q[4];
        if (track->interpolation == VRMI_LINEAR) {
            const uint32_t key = vrmi_clip_find_key(clip, index, time, cursor_of(slot, index), &parts[bone]);
            const float *a = clip->floats + track->values + (size_t)key * 4;
            const float *b = parts[bone] > 0.0f ? a + 4 : a;
            vrmi_pose_set(&next, bone, (vrm_quat){b[0], b[1], b[2], b[3]});
            memcpy(q, a, sizeof q);
        } else {
            vrmi_slot_sample(slot, (int32_t)index, time, q);
            vrmi_pose_set(&next, bone, (vrm_quat){q[0], q[1], q[2], q[3]});
        }
        vrmi_pose_set(out, bone, (vrm_quat){q[0], q[1], q[2], q[3]});
    }
    player->kernels->blend(out, &next, parts, vrmi_pose_groups(bones));
}

static void sample_body(
    const vrm_clip_player *player, vrmi_clip_slot *slot, float time, const vrm_clip_layer *s, vrmi_mix *out)
{
    const vrm_clip *clip = slot->clip;
    const uint64_t bones = clip->bones & s->bones;
    const float weight = s->weight * s->humanoid_weight;
    for (uint32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
        out->weight[bone] = (bones >> bone & 1u) != 0 ? weight : 0.0f;
    }
    if ((clip->bank_bones & bones) != 0) {
        sample_bank(player, slot, time, &out->rotation);
    }
    if ((bones & ~clip->bank_bones) != 0) {
        sample_others(player, slot, time, bones & ~clip->bank_bones, &out->rotation);
    }
    if (clip->hips_track >= 0 && s->hips_position && (s->bones >> VRM_HUMAN_BONE_HIPS & 1u) != 0) {
        float p[3];
        vrmi_slot_sample(slot, clip->hips_track, time, p);
        out->hips = vrmi_vec3_scale(vrmi_vec3(p[0], p[1], p[2]), vrmi_player_scale(player, clip));
        out->hips_weight = weight;
    }
}

static void sample_slot(const vrm_clip_player *player, vrmi_clip_slot *slot, float time, const vrm_clip_layer *s,
    bool body, vrmi_mix *out)
{
    const vrm_clip *clip = slot->clip;
    out->hips_weight = out->gaze_weight = 0.0f;
    if (clip == NULL || !body) {
        memset(out->weight, 0, sizeof out->weight);
    } else {
        sample_body(player, slot, time, s, out);
    }
    if (clip != NULL && clip->gaze_track >= 0) {
        float q[4];
        vrmi_slot_sample(slot, clip->gaze_track, time, q);
        vrmi_clip_gaze_angles((vrm_quat){q[0], q[1], q[2], q[3]}, &out->yaw, &out->pitch);
        out->gaze_weight = s->weight * s->gaze_weight;
    }
}

// --- mixing ----------------------------------------------------------------------------------------------------------

enum { ALL_GROUPS = (1 << VRMI_POSE_GROUPS) - 1 };

// `b` over `a`: 1 - (1 - wa)(1 - wb) of it is there afterwards. Gives b's part of the direction: all of it where a says nothing.
static float over(float wa, float wb, float *out_part)
{
    const float total = wa + wb - wa * wb;
    *out_part = wb > 0.0f ? (wa > 0.0f ? wb / total : 1.0f) : 0.0f;
    return total;
}

// `a` becomes a * (1 - part) + b * part, where what says nothing takes no part in the direction, only in the weight.
static float across(float wa, float wb, float part, float *out_part)
{
    wa *= 1.0f - part;
    wb *= part;
    *out_part = wb > 0.0f ? (wa > 0.0f ? wb / (wa + wb) : 1.0f) : 0.0f;
    return wa + wb;
}

static vrm_vec3 lerp_exact(vrm_vec3 a, vrm_vec3 b, float part)
{
    return part <= 0.0f ? a : (part >= 1.0f ? b : vrmi_vec3_lerp(a, b, part));
}

static void mix_gaze(vrmi_mix *a, const vrmi_mix *b, float part)
{
    a->yaw = part >= 1.0f ? b->yaw : vrmi_lerp(a->yaw, b->yaw, part);
    a->pitch = part >= 1.0f ? b->pitch : vrmi_lerp(a->pitch, b->pitch, part);
}

static void cross(const vrm_clip_player *player, vrmi_mix *a, const vrmi_mix *b, float part, float face_part)
{
    float parts[VRMI_POSE_LANES], share;
    for (uint32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
        a->weight[bone] = across(a->weight[bone], b->weight[bone], part, &parts[bone]);
    }
    player->kernels->blend(&a->rotation, &b->rotation, parts, ALL_GROUPS);
    a->hips_weight = across(a->hips_weight, b->hips_weight, part, &share);
    a->hips = lerp_exact(a->hips, b->hips, share);
    a->gaze_weight = across(a->gaze_weight, b->gaze_weight, face_part, &share);
    mix_gaze(a, b, share);
}

static void lay_over(const vrm_clip_player *player, vrmi_mix *a, const vrmi_mix *b)
{
    float parts[VRMI_POSE_LANES], share;
    for (uint32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
        a->weight[bone] = over(a->weight[bone], b->weight[bone], &parts[bone]);
    }
    player->kernels->blend(&a->rotation, &b->rotation, parts, ALL_GROUPS);
    a->hips_weight = over(a->hips_weight, b->hips_weight, &share);
    a->hips = lerp_exact(a->hips, b->hips, share);
    a->gaze_weight = over(a->gaze_weight, b->gaze_weight, &share);
    mix_gaze(a, b, share);
}

static void add_difference(vrm_clip_player *player, const vrmi_mix *b)
{
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (b->weight[bone] > 0.0f) {
            const vrm_quat part =
                vrmi_quat_slerp(vrmi_quat_identity(), vrmi_pose_get(&b->rotation, bone), b->weight[bone]);
            const bool first = (player->adds >> bone & 1u) == 0;
            player->added[bone] = first ? part : vrmi_quat_mul(player->added[bone], part);
            player->adds |= UINT64_C(1) << bone;
        }
    }
    if (b->hips_weight > 0.0f) {
        player->hips_added = vrmi_vec3_add(player->hips_added, vrmi_vec3_scale(b->hips, b->hips_weight));
    }
}

// Part of a transition that is over, 0 to 1; smooth at both ends.
static float faded(const vrmi_player_layer *layer)
{
    if (!(layer->fade_elapsed < layer->fade_duration)) {
        return 1.0f;
    }
    const float s = layer->fade_elapsed / layer->fade_duration;
    return s * s * (3.0f - 2.0f * s);
}

static float sample_expression(vrmi_clip_slot *slot, uint32_t expression, float time)
{
    const bool additive = slot->clip->head.additive != 0;
    float weight;
    vrmi_slot_sample(slot, slot->clip->expression_track[expression], time, &weight);
    return vrmi_clamp(weight, additive ? -1.0f : 0.0f, 1.0f);
}

// `times` and `parts` of the slot before and the one now.
static void mix_expressions(vrm_clip_player *player, uint32_t index, const float times[2], const float parts[2])
{
    vrmi_player_layer *layer = &player->layers[index];
    const float most = layer->settings.weight * layer->settings.expression_weight;
    vrmi_clip_slot *const slots[2] = {&layer->before, &layer->now};
    const int32_t *map = player->expression_map + (size_t)index * 2 * player->expression_count;
    for (uint32_t e = 0; e < player->expression_count; ++e) {
        float value = 0.0f, weight = 0.0f, share;
        bool additive = false;
        for (uint32_t s = 0; s < 2; ++s) {
            const int32_t own = map[s * player->expression_count + e];
            if (slots[s]->clip == NULL || own < 0) {
                continue;
            }
            value += parts[s] * sample_expression(slots[s], (uint32_t)own, times[s]);
            weight += parts[s];
            additive = slots[s]->clip->head.additive != 0;
        }
        if (additive) {
            player->expression_values[e] += value * most;
            player->expression_weights[e] = vrmi_max(player->expression_weights[e], weight * most);
        } else if (weight > 0.0f) {
            const float total = over(player->expression_weights[e], weight * most, &share);
            player->expression_values[e] = player->expression_values[e] * (1.0f - weight * most) + value * most;
            player->expression_weights[e] = total;
        }
    }
}

static void mix_layer(vrm_clip_player *player, uint32_t index)
{
    vrmi_player_layer *layer = &player->layers[index];
    const vrm_clip *clip = layer->now.clip != NULL ? layer->now.clip : layer->before.clip;
    if (clip == NULL) {
        return;
    }
    const float part = faded(layer), parts[2] = {1.0f - part, part};
    const bool inertial = layer->transition == VRM_CLIP_TRANSITION_INERTIAL && layer->now.clip != NULL;
    const bool alone = layer->before.clip == NULL && part >= 1.0f;
    const float times[2] = {layer->before.clip != NULL ? vrmi_slot_time(&layer->before) : 0.0f,
        layer->now.clip != NULL ? vrmi_slot_time(&layer->now) : 0.0f};
    // What is said first needs no mixing.
    const bool first = !player->mixed && clip->head.additive == 0;
    vrmi_mix *a = first ? player->mix : &player->sampled[0];
    if (alone) {
        sample_slot(player, &layer->now, times[1], &layer->settings, true, a);
    } else {
        sample_slot(player, &layer->before, times[0], &layer->settings, !inertial, a);
        sample_slot(player, &layer->now, times[1], &layer->settings, true, &player->sampled[1]);
        cross(player, a, &player->sampled[1], inertial ? 1.0f : part, part);
    }
    if (clip->head.additive) {
        add_difference(player, a);
    } else if (!first) {
        lay_over(player, player->mix, a);
    }
    player->mixed = player->mixed || first;
    mix_expressions(player, index, times, parts);
}

void vrmi_player_mix(vrm_clip_player *player)
{
    for (uint32_t i = 0; i < 3; ++i) {
        if (&player->mixes[i] != player->last && &player->mixes[i] != player->earlier) {
            player->mix = &player->mixes[i];
        }
    }
    vrmi_mix *mix = player->mix;
    player->mixed = false;
    player->adds = 0;
    player->hips_added = vrmi_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t e = 0; e < player->expression_count; ++e) {
        player->expression_values[e] = player->expression_weights[e] = 0.0f;
    }
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        mix_layer(player, i);
    }
    if (!player->mixed) {
        memset(mix->weight, 0, sizeof mix->weight);
        mix->hips_weight = mix->gaze_weight = mix->yaw = mix->pitch = 0.0f;
    }
    player->pose = &mix->rotation;
    player->hips = mix->hips;
}

void vrmi_player_advance(vrm_clip_player *player, float dt)
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
    vrmi_player_mix(player);
    if (player->inertia.duration > 0.0f) {
        vrmi_player_decay(player, dt);
    }
    if (dt > 0.0f || player->shown == 0) {
        player->earlier = player->last;
        player->last = player->mix;
        player->last_dt = dt;
        player->shown += player->shown < 2 ? 1u : 0u;
        for (uint32_t e = 0; e < player->expression_count; ++e) {
            player->expression_shown[e] = player->expression_values[e];
            player->expression_shown[player->expression_count + e] = player->expression_weights[e];
        }
    }
    vrmi_player_root(player);
    vrmi_player_plant_feet(player);
}

float vrm_clip_player_time(const vrm_clip_player *player, uint32_t layer)
{
    if (!VRM_ASSERT(player != NULL) || layer >= player->layer_count || player->layers[layer].now.clip == NULL) {
        return 0.0f;
    }
    return vrmi_slot_time(&player->layers[layer].now);
}
