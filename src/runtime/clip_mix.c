// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Clips -> one mixed pose in the normalized humanoid -> local transforms of the avatar.

#include "base/checks.h"
#include "math/mat34.h"
#include "runtime/clip_player.h"

#include <string.h>

// --- time ------------------------------------------------------------------------------------------------------------

// Whole rounds and the rest, for times of either sign.
static double rounds(double time, double length, double *out_rest)
{
    double whole = (double)(int64_t)(time / length);
    double rest = time - whole * length;
    if (rest < 0.0) {
        rest += length;
        whole -= 1.0;
    }
    *out_rest = rest < length ? rest : 0.0;
    return whole;
}

static float wrapped(const vrmi_clip_slot *slot)
{
    const double length = (double)slot->clip->head.duration;
    double rest;
    if (!(length > 0.0)) {
        return 0.0f;
    }
    switch (slot->wrap) {
    case VRM_CLIP_WRAP_LOOP:
        (void)rounds(slot->time, length, &rest);
        return (float)rest;
    case VRM_CLIP_WRAP_PING_PONG:
        (void)rounds(slot->time, 2.0 * length, &rest);
        return (float)(rest > length ? 2.0 * length - rest : rest);
    default:
        return (float)(slot->time < 0.0 ? 0.0 : (slot->time > length ? length : slot->time));
    }
}

// Keeps the unwrapped time where doubles are fine; what wrapping gives stays the same.
static void move_slot(vrmi_clip_slot *slot, float dt)
{
    if (slot->clip != NULL) {
        slot->time += (double)dt * (double)slot->speed;
        const double length = (double)slot->clip->head.duration;
        if (slot->wrap == VRM_CLIP_WRAP_HOLD) {
            slot->time = slot->time < 0.0 ? 0.0 : (slot->time > length ? length : slot->time);
        }
    }
}

// --- sampling --------------------------------------------------------------------------------------------------------

static void sample(vrmi_clip_slot *slot, int32_t track, float time, float *out)
{
    uint32_t *cursor = track < VRMI_PLAYER_CURSORS ? &slot->cursors[track] : NULL;
    vrmi_clip_sample_track(slot->clip, (uint32_t)track, time, cursor, out);
}

// How much larger the avatar is than the clip's own skeleton, by the height of the hips.
static float hips_scale(const vrm_clip_player *player, const vrm_clip *clip)
{
    const float own = clip->head.hips_rest.y, height = player->model->head.body.hips_height;
    return own > 1e-3f && height > 1e-3f ? height / own : 1.0f;
}

static vrm_vec3 sample_hips(const vrm_clip_player *player, vrmi_clip_slot *slot, float time)
{
    float p[3];
    sample(slot, slot->clip->hips_track, time, p);
    return vrmi_vec3_scale(vrmi_vec3(p[0], p[1], p[2]), hips_scale(player, slot->clip));
}

static void sample_slot(const vrm_clip_player *player, vrmi_clip_slot *slot, const vrm_clip_layer *s, vrmi_mix *out)
{
    const vrm_clip *clip = slot->clip;
    memset(out->weight, 0, sizeof out->weight);
    out->hips_weight = out->gaze_weight = 0.0f;
    if (clip == NULL) {
        return;
    }
    const float time = wrapped(slot);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (clip->bone_track[bone] >= 0 && (s->bones >> bone & 1u) != 0) {
            float q[4];
            sample(slot, clip->bone_track[bone], time, q);
            out->rotation[bone] = (vrm_quat){q[0], q[1], q[2], q[3]};
            out->weight[bone] = s->weight * s->humanoid_weight;
        }
    }
    if (clip->hips_track >= 0 && s->hips_position && (s->bones >> VRM_HUMAN_BONE_HIPS & 1u) != 0) {
        out->hips = sample_hips(player, slot, time);
        out->hips_weight = s->weight * s->humanoid_weight;
    }
    if (clip->gaze_track >= 0) {
        float q[4];
        sample(slot, clip->gaze_track, time, q);
        vrmi_clip_gaze_angles((vrm_quat){q[0], q[1], q[2], q[3]}, &out->yaw, &out->pitch);
        out->gaze_weight = s->weight * s->gaze_weight;
    }
}

// --- mixing ----------------------------------------------------------------------------------------------------------

// `a` becomes a * (1 - part) + b * part, where what says nothing takes no part in the direction, only in the weight.
static void cross(vrmi_mix *a, const vrmi_mix *b, float part, float face_part)
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const float wa = a->weight[bone] * (1.0f - part), wb = b->weight[bone] * part;
        if (wb > 0.0f) {
            a->rotation[bone] =
                wa > 0.0f ? vrmi_quat_slerp(a->rotation[bone], b->rotation[bone], wb / (wa + wb)) : b->rotation[bone];
        }
        a->weight[bone] = wa + wb;
    }
    const float ha = a->hips_weight * (1.0f - part), hb = b->hips_weight * part;
    if (hb > 0.0f) {
        a->hips = ha > 0.0f ? vrmi_vec3_lerp(a->hips, b->hips, hb / (ha + hb)) : b->hips;
    }
    a->hips_weight = ha + hb;
    const float ga = a->gaze_weight * (1.0f - face_part), gb = b->gaze_weight * face_part;
    if (gb > 0.0f) {
        const float s = ga > 0.0f ? gb / (ga + gb) : 1.0f;
        a->yaw = ga > 0.0f ? vrmi_lerp(a->yaw, b->yaw, s) : b->yaw;
        a->pitch = ga > 0.0f ? vrmi_lerp(a->pitch, b->pitch, s) : b->pitch;
    }
    a->gaze_weight = ga + gb;
}

// `b` over `a`: 1 - (1 - wa)(1 - wb) of it is there afterwards.
static float over(float wa, float wb, float *out_part)
{
    const float total = wa + wb - wa * wb;
    *out_part = total > 0.0f ? wb / total : 0.0f;
    return total;
}

static void lay_over(vrmi_mix *a, const vrmi_mix *b)
{
    float part;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (b->weight[bone] > 0.0f) {
            const bool alone = !(a->weight[bone] > 0.0f);
            a->weight[bone] = over(a->weight[bone], b->weight[bone], &part);
            a->rotation[bone] =
                alone || part >= 1.0f ? b->rotation[bone] : vrmi_quat_slerp(a->rotation[bone], b->rotation[bone], part);
        }
    }
    if (b->hips_weight > 0.0f) {
        const bool alone = !(a->hips_weight > 0.0f);
        a->hips_weight = over(a->hips_weight, b->hips_weight, &part);
        a->hips = alone ? b->hips : vrmi_vec3_lerp(a->hips, b->hips, part);
    }
    if (b->gaze_weight > 0.0f) {
        const bool alone = !(a->gaze_weight > 0.0f);
        a->gaze_weight = over(a->gaze_weight, b->gaze_weight, &part);
        a->yaw = alone ? b->yaw : vrmi_lerp(a->yaw, b->yaw, part);
        a->pitch = alone ? b->pitch : vrmi_lerp(a->pitch, b->pitch, part);
    }
}

static void add_difference(vrm_clip_player *player, const vrmi_mix *b)
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (b->weight[bone] > 0.0f) {
            const vrm_quat part = vrmi_quat_slerp(vrmi_quat_identity(), b->rotation[bone], b->weight[bone]);
            player->added[bone] = vrmi_quat_mul(player->added[bone], part);
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

static void mix_expressions(vrm_clip_player *player, uint32_t index, const vrmi_player_layer *layer, float part)
{
    const float most = layer->settings.weight * layer->settings.expression_weight;
    const vrmi_clip_slot *slots[2] = {&layer->before, &layer->now};
    const float parts[2] = {1.0f - part, part};
    for (uint32_t e = 0; e < player->expression_count; ++e) {
        float value = 0.0f, weight = 0.0f, share;
        bool additive = false;
        for (uint32_t s = 0; s < 2; ++s) {
            const int32_t own = player->expression_map[(index * 2 + s) * player->expression_count + e];
            if (slots[s]->clip == NULL || own < 0) {
                continue;
            }
            value += parts[s] * vrm_clip_sample_expression(slots[s]->clip, (uint32_t)own, wrapped(slots[s]));
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
    const float part = faded(layer);
    const bool inertial = layer->transition == VRM_CLIP_TRANSITION_INERTIAL && layer->now.clip != NULL;
    vrmi_mix a, b;
    if (layer->now.clip == NULL && layer->before.clip == NULL) {
        return;
    }
    sample_slot(player, &layer->before, &layer->settings, &a);
    sample_slot(player, &layer->now, &layer->settings, &b);
    cross(&a, &b, inertial ? 1.0f : part, part);
    const vrm_clip *clip = layer->now.clip != NULL ? layer->now.clip : layer->before.clip;
    if (clip->head.additive) {
        add_difference(player, &a);
    } else {
        lay_over(&player->mix, &a);
    }
    mix_expressions(player, index, layer, part);
}

// The way over the ground as if the clip had no end: rounds of a loop add up.
static vrm_vec3 place_on_ground(const vrm_clip_player *player, vrmi_clip_slot *slot)
{
    vrm_vec3 place = sample_hips(player, slot, wrapped(slot));
    const double length = (double)slot->clip->head.duration;
    if (slot->wrap == VRM_CLIP_WRAP_LOOP && length > 0.0) {
        double rest;
        const float whole = (float)rounds(slot->time, length, &rest);
        const vrm_vec3 end = sample_hips(player, slot, slot->clip->head.duration);
        place = vrmi_vec3_add(place, vrmi_vec3_scale(vrmi_vec3_sub(end, sample_hips(player, slot, 0.0f)), whole));
    }
    return vrmi_vec3(place.x, 0.0f, place.z);
}

static void take_root_motion(vrm_clip_player *player)
{
    vrmi_player_layer *layer = &player->layers[0];
    player->root_motion = vrmi_vec3(0.0f, 0.0f, 0.0f);
    const int32_t hips = player->model->head.bone_node[VRM_HUMAN_BONE_HIPS];
    if (!layer->settings.root_motion || layer->now.clip == NULL || layer->now.clip->hips_track < 0 || hips < 0) {
        player->root_known = false;
        return;
    }
    const vrm_vec3 place = place_on_ground(player, &layer->now);
    if (player->root_known) {
        player->root_motion = vrmi_vec3_sub(place, player->root_place);
    }
    player->root_place = place;
    player->root_known = true;
    const vrm_vec3 rest = vrmi_mat34_translation(&vrmi_model_node_rest_matrix(player->model)[hips]);
    player->mix.hips.x = rest.x;
    player->mix.hips.z = rest.z;
}

void vrmi_player_mix(vrm_clip_player *player)
{
    memset(player->mix.weight, 0, sizeof player->mix.weight);
    player->mix.hips_weight = player->mix.gaze_weight = 0.0f;
    player->mix.yaw = player->mix.pitch = 0.0f;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        player->added[bone] = vrmi_quat_identity();
    }
    player->adds = 0;
    player->hips_added = vrmi_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t e = 0; e < player->expression_count; ++e) {
        player->expression_values[e] = player->expression_weights[e] = 0.0f;
    }
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        mix_layer(player, i);
    }
}

// --- inertia ---------------------------------------------------------------------------------------------------------

// The quintic from (x, v, 0) at 0 to (0, 0, 0) at `duration` (Bollo, "Inertialization", GDC 2018), per axis.
static vrm_vec3 decayed(vrm_vec3 x, vrm_vec3 v, float t, float duration)
{
    const float s = t / duration, s3 = s * s * s;
    // Hermite basis of order 5 for position and velocity at the start.
    const float h0 = 1.0f + s3 * (-10.0f + s * (15.0f - 6.0f * s));
    const float h1 = s + s3 * (-6.0f + s * (8.0f - 3.0f * s));
    return vrmi_vec3_add(vrmi_vec3_scale(x, h0), vrmi_vec3_scale(v, h1 * duration));
}

static vrm_quat rotation_from_vector(vrm_vec3 v)
{
    const float angle = vrmi_vec3_length(v);
    if (!(angle > 1e-9f)) {
        return vrmi_quat_identity();
    }
    return vrmi_quat_from_axis_angle(vrmi_vec3_scale(v, 1.0f / angle), angle);
}

static void decay(vrm_clip_player *player, float dt)
{
    vrmi_inertia *inertia = &player->inertia;
    inertia->elapsed += dt;
    if (!(inertia->elapsed < inertia->duration)) {
        inertia->duration = 0.0f;
        return;
    }
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (player->mix.weight[bone] > 0.0f) {
            const vrm_vec3 v = decayed(inertia->offset[bone], inertia->speed[bone], inertia->elapsed, inertia->duration);
            player->mix.rotation[bone] =
                vrmi_quat_normalize(vrmi_quat_mul(rotation_from_vector(v), player->mix.rotation[bone]));
        }
    }
    const int hips = VRM_HUMAN_BONE_COUNT;
    player->mix.hips = vrmi_vec3_add(player->mix.hips,
        decayed(inertia->offset[hips], inertia->speed[hips], inertia->elapsed, inertia->duration));
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
        decay(player, dt);
    }
    if (dt > 0.0f || player->shown == 0) {
        player->earlier = player->last;
        player->last = player->mix;
        player->last_dt = dt;
        player->shown += player->shown < 2 ? 1u : 0u;
    }
    take_root_motion(player);
}

// --- retargeting -----------------------------------------------------------------------------------------------------

// What the bones between this one and the avatar's next bone above turn: the avatar lacks them, so this one turns for them
// (upperChest -> neck and shoulders). False when there is nothing.
static bool fold_missing(const vrm_clip_player *player, int32_t bone, vrm_quat *out)
{
    bool any = false;
    *out = vrmi_quat_identity();
    int32_t above = vrm_human_bone_parent((vrm_human_bone)bone);
    for (; above >= 0 && player->fit[above].node < 0; above = vrm_human_bone_parent((vrm_human_bone)above)) {
        const float weight = player->mix.weight[above];
        if (weight > 0.0f || (player->adds >> above & 1u) != 0) {
            vrm_quat own = vrmi_quat_identity();
            if (weight > 0.0f) {
                own = weight >= 1.0f ? player->mix.rotation[above]
                                     : vrmi_quat_slerp(own, player->mix.rotation[above], weight);
            }
            *out = vrmi_quat_mul(vrmi_quat_mul(own, player->added[above]), *out);
            any = true;
        }
    }
    return any;
}

static void overlay_bone(const vrm_clip_player *player, int32_t bone, vrm_quat *rotation)
{
    const vrmi_bone_fit *fit = &player->fit[bone];
    const float weight = player->mix.weight[bone];
    bool touched = weight > 0.0f;
    vrm_quat raw = *rotation;
    if (touched) {
        const vrm_quat own = vrmi_quat_mul(vrmi_quat_mul(fit->before, player->mix.rotation[bone]), fit->after);
        raw = weight >= 1.0f ? own : vrmi_quat_slerp(raw, own, weight);
    }
    if ((player->adds >> bone & 1u) != 0) {
        const vrm_quat own = vrmi_quat_mul(vrmi_quat_conjugate(fit->after), player->added[bone]);
        raw = vrmi_quat_mul(raw, vrmi_quat_mul(own, fit->after));
        touched = true;
    }
    vrm_quat folded;
    if (fold_missing(player, bone, &folded)) {
        const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(fit->before, folded), vrmi_quat_conjugate(fit->before));
        raw = vrmi_quat_mul(in_parent, raw);
        touched = true;
    }
    if (touched) {
        *rotation = vrmi_quat_normalize(raw);
    }
}

void vrmi_player_overlay(const vrm_clip_player *player, vrm_transform *locals)
{
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (player->fit[bone].node >= 0) {
            overlay_bone(player, bone, &locals[player->fit[bone].node].rotation);
        }
    }
    const int32_t hips = player->fit[VRM_HUMAN_BONE_HIPS].node;
    if (hips < 0) {
        return;
    }
    vrm_vec3 *place = &locals[hips].translation;
    if (player->mix.hips_weight > 0.0f) {
        const vrm_vec3 own = vrmi_mat34_point(&player->hips_from_model, player->mix.hips);
        *place = player->mix.hips_weight >= 1.0f ? own : vrmi_vec3_lerp(*place, own, player->mix.hips_weight);
    }
    if (vrmi_vec3_dot(player->hips_added, player->hips_added) > 0.0f) {
        *place = vrmi_vec3_add(*place, vrmi_mat34_vector(&player->hips_from_model, player->hips_added));
    }
}

float vrm_clip_player_time(const vrm_clip_player *player, uint32_t layer)
{
    if (!VRM_ASSERT(player != NULL) || layer >= player->layer_count || player->layers[layer].now.clip == NULL) {
        return 0.0f;
    }
    return wrapped(&player->layers[layer].now);
}
