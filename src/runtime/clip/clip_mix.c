// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Mixes clips into one pose in the normalized humanoid.

#include "base/checks.h"
#include "runtime/clip/clip.h"

#include <string.h>

// --- time ------------------------------------------------------------------------------------------------------------

// From this number of rounds on, a double no longer distinguishes neighbouring rounds.
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

// --- sampling --------------------------------------------------------------------------------------------------------

static uint32_t *cursor_of(const vrmi_clip_slot *slot, uint32_t track)
{
    return slot->cursors != NULL && track < VRMI_PLAYER_CURSORS ? &slot->cursors[track] : NULL;
}

void vrmi_slot_sample(const vrmi_clip_slot *slot, int32_t track, float time, float *out)
{
    vrmi_clip_sample_track(slot->clip, (uint32_t)track, time, cursor_of(slot, (uint32_t)track), out);
}

float vrmi_player_scale(const vrm_clip_player *player, const vrm_clip *clip)
{
    const float own = clip->head.hips_rest.y, height = player->model->head.body.hips_height;
    return own > 1e-3f && height > 1e-3f ? height / own : 1.0f;
}

static void sample_bank(const vrm_clip_player *player, const vrmi_clip_slot *slot, float time, vrmi_pose_lanes *out)
{
    const vrm_clip *clip = slot->clip;
    const uint32_t track = clip->bank_track;
    float part;
    const uint32_t key = vrmi_clip_find_key(clip, track, time, cursor_of(slot, track), &part);
    const size_t stride = (size_t)vrmi_clip_bank_stride(clip);
    const float *a = clip->bank + key * stride;
    player->kernels->between(a, part > 0.0f ? a + stride : a, part, clip->bank_groups, out);
}

// Samples bones whose tracks have their own key times: the two keys of each bone are copied to lanes, and all lanes are
// interpolated together.
static void sample_others(
    const vrm_clip_player *player, const vrmi_clip_slot *slot, float time, uint64_t bones, vrmi_pose_lanes *out)
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

// Sets unit rotations in these groups.
static void fill_groups(vrmi_pose_lanes *pose, uint32_t groups)
{
    for (uint32_t group = 0; group < VRMI_POSE_GROUPS; ++group) {
        if ((groups >> group & 1u) != 0) {
            vrmi_pose_identity_group(pose, group);
        }
    }
}

static void sample_body(const vrm_clip_player *player, const vrmi_clip_slot *slot, float time,
    const vrm_clip_layer_params *s, vrmi_mix *out)
{
    const vrm_clip *clip = slot->clip;
    const uint64_t bones = clip->bones & s->bones, others = bones & ~clip->bank_bones;
    const float weight = s->weight * s->humanoid_weight;
    const bool banked = (clip->bank_bones & bones) != 0;
    if (!(weight > 0.0f)) {
        return;
    }
    out->bones = bones;
    out->share = weight;
    if (banked) {
        sample_bank(player, slot, time, &out->rotation);
    }
    if (others != 0) {
        fill_groups(&out->rotation, vrmi_pose_groups(others) & ~(banked ? clip->bank_groups : 0u));
        sample_others(player, slot, time, others, &out->rotation);
    }
    if (clip->hips_track >= 0 && s->hips_position && (s->bones >> VRM_HUMAN_BONE_HIPS & 1u) != 0) {
        float p[3];
        vrmi_slot_sample(slot, clip->hips_track, time, p);
        out->hips = vrmi_vec3_scale(vrmi_vec3(p[0], p[1], p[2]), vrmi_player_scale(player, clip));
        out->hips_weight = weight;
    }
}

// Empties a mix. Its arrays are filled when bones are added.
static void clear_mix(vrmi_mix *mix)
{
    mix->bones = 0;
    mix->spread = false;
    mix->share = mix->hips_weight = mix->yaw = mix->pitch = mix->gaze_weight = 0.0f;
    mix->hips = vrmi_vec3(0.0f, 0.0f, 0.0f);
}

static void sample_slot(const vrm_clip_player *player, const vrmi_clip_slot *slot, float time,
    const vrm_clip_layer_params *s, bool body, vrmi_mix *out)
{
    const vrm_clip *clip = slot->clip;
    clear_mix(out);
    if (clip != NULL && body) {
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

// Computes the weight of `b` laid over `a`, 1 - (1 - wa)(1 - wb). `*out_part` is the fraction of b in the result's
// rotation: 1 if a has no weight.
static float over(float wa, float wb, float *out_part)
{
    const float total = wa + wb - wa * wb;
    *out_part = wb > 0.0f ? (wa > 0.0f ? wb / total : 1.0f) : 0.0f;
    return total;
}

// Computes the weight of a blend from a to b, wa * (1 - part) + wb * part. `*out_part` is the fraction of b in the
// result's rotation. A side without weight affects only the weight, not the rotation.
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

void vrmi_mix_spread(vrmi_mix *mix)
{
    if (mix->spread) {
        return;
    }
    for (uint32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
        mix->weight[bone] = (mix->bones >> bone & 1u) != 0 ? mix->share : 0.0f;
    }
    fill_groups(&mix->rotation, ALL_GROUPS & ~vrmi_pose_groups(mix->bones));
    mix->spread = true;
}

static void cross(const vrm_clip_player *player, vrmi_mix *a, vrmi_mix *b, float part, float face_part)
{
    float parts[VRMI_POSE_LANES], share;
    vrmi_mix_spread(a);
    vrmi_mix_spread(b);
    for (uint32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
        a->weight[bone] = across(a->weight[bone], b->weight[bone], part, &parts[bone]);
    }
    a->bones |= b->bones;
    player->kernels->blend(&a->rotation, &b->rotation, parts, ALL_GROUPS);
    a->hips_weight = across(a->hips_weight, b->hips_weight, part, &share);
    a->hips = lerp_exact(a->hips, b->hips, share);
    a->gaze_weight = across(a->gaze_weight, b->gaze_weight, face_part, &share);
    mix_gaze(a, b, share);
}

static void lay_over(const vrm_clip_player *player, vrmi_mix *a, vrmi_mix *b)
{
    float parts[VRMI_POSE_LANES], share;
    vrmi_mix_spread(a);
    vrmi_mix_spread(b);
    for (uint32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
        a->weight[bone] = over(a->weight[bone], b->weight[bone], &parts[bone]);
    }
    a->bones |= b->bones;
    player->kernels->blend(&a->rotation, &b->rotation, parts, ALL_GROUPS);
    a->hips_weight = over(a->hips_weight, b->hips_weight, &share);
    a->hips = lerp_exact(a->hips, b->hips, share);
    a->gaze_weight = over(a->gaze_weight, b->gaze_weight, &share);
    mix_gaze(a, b, share);
}

static void add_difference(vrmi_mixing *mixing, const vrmi_mix *b)
{
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const float weight = vrmi_mix_weight(b, bone);
        if (weight > 0.0f) {
            const vrm_quat part = vrmi_quat_slerp(vrmi_quat_identity(), vrmi_pose_get(&b->rotation, bone), weight);
            const bool first = (mixing->adds >> bone & 1u) == 0;
            mixing->added[bone] = first ? part : vrmi_quat_mul(mixing->added[bone], part);
            mixing->adds |= UINT64_C(1) << bone;
        }
    }
    if (b->hips_weight > 0.0f) {
        mixing->hips_added = vrmi_vec3_add(mixing->hips_added, vrmi_vec3_scale(b->hips, b->hips_weight));
    }
}

// Returns the completed fraction of a transition, 0 to 1, smooth at both ends.
static float faded(const vrmi_player_layer *layer)
{
    if (!(layer->fade_elapsed < layer->fade_duration)) {
        return 1.0f;
    }
    const float s = layer->fade_elapsed / layer->fade_duration;
    return s * s * (3.0f - 2.0f * s);
}

// Computes the wrapped times of the layer's two slots.
static void times_of(const vrmi_player_layer *layer, float out[2])
{
    out[0] = layer->before.clip != NULL ? vrmi_slot_time(&layer->before) : 0.0f;
    out[1] = layer->now.clip != NULL ? vrmi_slot_time(&layer->now) : 0.0f;
}

static void mix_layer(const vrm_clip_player *player, const vrmi_player_layer *layer, vrmi_mixing *out)
{
    const vrm_clip *clip = layer->now.clip != NULL ? layer->now.clip : layer->before.clip;
    if (clip == NULL) {
        return;
    }
    const float part = faded(layer);
    const bool inertial = layer->transition == VRM_CLIP_TRANSITION_INERTIAL && layer->now.clip != NULL;
    const bool alone = layer->before.clip == NULL && part >= 1.0f;
    float times[2];
    times_of(layer, times);
    // The first layer that contributes is sampled directly into the result.
    const bool first = !out->mixed && clip->head.additive == 0;
    vrmi_mix *a = first ? &out->mix : &out->sampled[0];
    if (alone) {
        sample_slot(player, &layer->now, times[1], &layer->settings, true, a);
    } else {
        sample_slot(player, &layer->before, times[0], &layer->settings, !inertial, a);
        sample_slot(player, &layer->now, times[1], &layer->settings, true, &out->sampled[1]);
        cross(player, a, &out->sampled[1], inertial ? 1.0f : part, part);
    }
    if (clip->head.additive) {
        add_difference(out, a);
    } else if (!first) {
        lay_over(player, &out->mix, a);
    }
    out->mixed = out->mixed || first;
}

void vrmi_player_mix(const vrm_clip_player *player, const vrmi_player_layer *layers, vrmi_mixing *out)
{
    clear_mix(&out->mix);
    out->mixed = false;
    out->adds = 0;
    out->hips_added = vrmi_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        mix_layer(player, &layers[i], out);
    }
    out->pose = &out->mix.rotation;
    out->hips = out->mix.hips;
}

// --- expressions -----------------------------------------------------------------------------------------------------

static float sample_expression(const vrmi_clip_slot *slot, uint32_t expression, float time)
{
    const bool additive = slot->clip->head.additive != 0;
    float weight;
    vrmi_slot_sample(slot, slot->clip->expression_track[expression], time, &weight);
    return vrmi_clamp(weight, additive ? -1.0f : 0.0f, 1.0f);
}

static bool has_expressions(const vrmi_player_layer *layer)
{
    return (layer->before.clip != NULL && layer->expressions[0] != 0) ||
           (layer->now.clip != NULL && layer->expressions[1] != 0);
}

static void mix_expressions(vrm_clip_player *player, uint32_t index)
{
    const vrmi_player_layer *layer = &player->layers[index];
    const float most = layer->settings.weight * layer->settings.expression_weight;
    const float part = faded(layer), parts[2] = {1.0f - part, part}; // weights of the earlier and of the current clip
    const vrmi_clip_slot *const slots[2] = {&layer->before, &layer->now};
    const int32_t *map = player->expression_map + (size_t)index * 2 * player->expression_count;
    float times[2];
    times_of(layer, times);
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

void vrmi_player_mix_expressions(vrm_clip_player *player)
{
    bool any = false;
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        any = any || has_expressions(&player->layers[i]);
    }
    if (!any && !player->expressions_mixed) {
        return; // the values are 0 already
    }
    for (uint32_t e = 0; e < player->expression_count; ++e) {
        player->expression_values[e] = player->expression_weights[e] = 0.0f;
    }
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        if (has_expressions(&player->layers[i])) {
            mix_expressions(player, i);
        }
    }
    player->expressions_mixed = any;
}

float vrm_clip_player_get_time(const vrm_clip_player *player, uint32_t layer)
{
    if (!VRM_ASSERT(player != NULL) || layer >= player->layer_count || player->layers[layer].now.clip == NULL) {
        return 0.0f;
    }
    return vrmi_slot_time(&player->layers[layer].now);
}
