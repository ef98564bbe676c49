// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Inertial transitions (Bollo, "Inertialization", GDC 2018). The new clip plays at once. Its difference from the last
// pose decays, starting with the velocity of this difference. If only the old or only the new clip moves a bone, the
// bone's weight fades in the same time. A fade that interrupts another transition starts from the shown pose in the
// same way.

#include "math/quat.h"
#include "runtime/clip/clip.h"

#include <string.h>

static vrm_quat difference(vrm_quat a, vrm_quat b)
{
    return vrmi_quat_mul(a, vrmi_quat_conjugate(b));
}

typedef struct poses {
    const vrmi_mix *earlier, *last; // shown
    const vrmi_mix *start, *later;  // mixes of the new clip, now and one step later
    float step;                     // seconds between the two poses of each pair
} poses;

static void start_bone(vrmi_inertia *inertia, const poses *p, int32_t bone)
{
    const float before = vrmi_mix_weight(p->last, bone), after = vrmi_mix_weight(p->start, bone);
    inertia->weight[bone] = before - after;
    if (!(before > 0.0f)) {
        return; // there is no earlier pose: the weight of the new clip grows
    }
    const vrm_quat last = vrmi_pose_get(&p->last->rotation, bone);
    const bool moved = vrmi_mix_weight(p->earlier, bone) > 0.0f;
    const vrm_quat way = moved ? difference(last, vrmi_pose_get(&p->earlier->rotation, bone)) : vrmi_quat_identity();
    if (!(after > 0.0f)) {
        inertia->left |= UINT64_C(1) << bone;
        inertia->held[bone] = last;
        inertia->speed[bone] = vrmi_vec3_scale(vrmi_quat_to_vector(way), 1.0f / p->step);
        return;
    }
    inertia->held[bone] = vrmi_pose_get(&p->start->rotation, bone);
    const vrm_vec3 offset = vrmi_quat_to_vector(difference(last, inertia->held[bone]));
    const vrm_vec3 next =
        vrmi_quat_to_vector(difference(vrmi_quat_mul(way, last), vrmi_pose_get(&p->later->rotation, bone)));
    inertia->offset[bone] = offset;
    inertia->speed[bone] = vrmi_vec3_scale(vrmi_vec3_sub(next, offset), 1.0f / p->step);
}

static void start_hips(vrmi_inertia *inertia, const poses *p)
{
    const int hips = VRM_HUMAN_BONE_COUNT;
    const float before = p->last->hips_weight, after = p->start->hips_weight;
    inertia->weight[hips] = before - after;
    if (!(before > 0.0f)) {
        return;
    }
    const vrm_vec3 way =
        p->earlier->hips_weight > 0.0f ? vrmi_vec3_sub(p->last->hips, p->earlier->hips) : vrmi_vec3(0.0f, 0.0f, 0.0f);
    if (!(after > 0.0f)) {
        inertia->left |= UINT64_C(1) << hips;
        // The offset is the position itself, since the new clip does not move the hips.
        inertia->offset[hips] = p->last->hips;
        inertia->speed[hips] = vrmi_vec3_scale(way, 1.0f / p->step);
        return;
    }
    inertia->hips = p->start->hips;
    const vrm_vec3 offset = vrmi_vec3_sub(p->last->hips, p->start->hips);
    const vrm_vec3 next = vrmi_vec3_sub(vrmi_vec3_add(p->last->hips, way), p->later->hips);
    inertia->offset[hips] = offset;
    inertia->speed[hips] = vrmi_vec3_scale(vrmi_vec3_sub(next, offset), 1.0f / p->step);
}

// Angles are multiplied by their weight: the product is the visible rotation.
static void start_gaze(vrmi_inertia *inertia, const poses *p)
{
    const float before = p->last->gaze_weight, after = p->start->gaze_weight;
    inertia->yaw = p->last->yaw * before - p->start->yaw * after;
    inertia->pitch = p->last->pitch * before - p->start->pitch * after;
    inertia->gaze_weight = before - after;
}

// The velocity of expressions is ignored, because it would not be visible.
static void start_expressions(vrm_clip_player *player)
{
    const uint32_t count = player->expression_count;
    for (uint32_t e = 0; e < count; ++e) {
        player->expression_left[e] = player->expression_shown[e] - player->expression_values[e];
        player->expression_left[count + e] = player->expression_shown[count + e] - player->expression_weights[e];
    }
}

// Computes the mix that would follow one step later.
static void mix_later(const vrm_clip_player *player, float step, vrmi_mixing *out)
{
    vrmi_player_layer later[VRMI_PLAYER_MAX_LAYERS];
    for (uint32_t i = 0; i < player->layer_count; ++i) {
        later[i] = player->layers[i];
        later[i].now.time += (double)(step * later[i].now.speed);
        later[i].before.time += (double)(step * later[i].before.speed);
        later[i].fade_elapsed += step;
    }
    vrmi_player_mix(player, later, out);
}

void vrmi_player_start_inertia(vrm_clip_player *player, float seconds)
{
    vrmi_inertia *inertia = player->inertia;
    const float step = player->last_dt > 0.0f ? player->last_dt : 1.0f / 60.0f;
    vrmi_mixing start, later;
    mix_later(player, step, &later);
    vrmi_player_mix(player, player->layers, &start);
    vrmi_player_mix_expressions(player);
    memset(inertia, 0, sizeof(*inertia));
    inertia->duration = seconds;
    player->decays = true;
    const vrmi_mix *last = player->last.mix, *earlier = player->shown_count > 1 ? player->earlier.mix : last;
    const poses p = {earlier, last, &start.mix, &later.mix, step};
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        start_bone(inertia, &p, bone);
    }
    start_hips(inertia, &p);
    start_gaze(inertia, &p);
    start_expressions(player);
}

// The remaining fraction of an initial offset of 1, and of an initial velocity of 1 (times the duration), after a
// fraction of the transition. Both are quintics that end at rest.
typedef struct decay_part {
    float position, speed;
} decay_part;

static decay_part left_after(float s)
{
    const float s3 = s * s * s;
    return (decay_part){1.0f + s3 * (-10.0f + s * (15.0f - 6.0f * s)), s + s3 * (-6.0f + s * (8.0f - 3.0f * s))};
}

static vrm_vec3 decayed(const vrmi_inertia *inertia, int index, decay_part left)
{
    return vrmi_vec3_add(vrmi_vec3_scale(inertia->offset[index], left.position),
        vrmi_vec3_scale(inertia->speed[index], left.speed * inertia->duration));
}

// Returns the new clips' fraction in the mix with the old pose, whose weight is `carried`.
static float own_part(float own, float carried)
{
    return own > 0.0f ? own / (own + carried) : 0.0f;
}

static void decay_bone(vrmi_inertia *inertia, int32_t bone, decay_part left, vrmi_mix *mix)
{
    const float own = mix->weight[bone], carried = inertia->weight[bone] * left.position;
    mix->weight[bone] = vrmi_clamp(own + carried, 0.0f, 1.0f);
    if (!(mix->weight[bone] > 0.0f)) {
        return;
    }
    const vrm_quat turn = vrmi_quat_from_vector(decayed(inertia, bone, left));
    vrm_quat there = vrmi_pose_get(&mix->rotation, bone);
    if ((inertia->left >> bone & 1u) == 0) {
        there = own > 0.0f ? there : inertia->held[bone];
        inertia->held[bone] = there;
        vrmi_pose_set(&mix->rotation, bone, vrmi_quat_normalize(vrmi_quat_mul(turn, there)));
        return;
    }
    // A new clip has meanwhile started to move this bone: the rotation blends to the clip's as the weights change.
    const vrm_quat held = vrmi_quat_normalize(vrmi_quat_mul(turn, inertia->held[bone]));
    const float part = own_part(own, carried);
    vrmi_pose_set(&mix->rotation, bone, part > 0.0f ? vrmi_quat_slerp(held, there, part) : held);
}

static void decay_hips(vrmi_inertia *inertia, decay_part left, vrmi_mix *mix)
{
    const int hips = VRM_HUMAN_BONE_COUNT;
    const float own = mix->hips_weight, carried = inertia->weight[hips] * left.position;
    const vrm_vec3 way = decayed(inertia, hips, left);
    mix->hips_weight = vrmi_clamp(own + carried, 0.0f, 1.0f);
    if ((inertia->left >> hips & 1u) == 0) {
        inertia->hips = own > 0.0f ? mix->hips : inertia->hips;
        mix->hips = vrmi_vec3_add(inertia->hips, way);
    } else if (mix->hips_weight > 0.0f) {
        const float part = own_part(own, carried);
        mix->hips = part > 0.0f ? vrmi_vec3_lerp(way, mix->hips, part) : way;
    }
}

static void decay_gaze(const vrmi_inertia *inertia, decay_part left, vrmi_mix *mix)
{
    if (inertia->yaw == 0.0f && inertia->pitch == 0.0f && inertia->gaze_weight == 0.0f) {
        return;
    }
    const float own = mix->gaze_weight;
    const float weight = vrmi_clamp(own + inertia->gaze_weight * left.position, 0.0f, 1.0f);
    const bool seen = weight > 1e-6f; // with a smaller weight the division would give meaningless angles
    mix->yaw = seen ? (mix->yaw * own + inertia->yaw * left.position) / weight : 0.0f;
    mix->pitch = seen ? (mix->pitch * own + inertia->pitch * left.position) / weight : 0.0f;
    mix->gaze_weight = seen ? weight : 0.0f;
}

static void decay_expressions(vrm_clip_player *player, decay_part left)
{
    const uint32_t count = player->expression_count;
    for (uint32_t e = 0; e < count; ++e) {
        const float weight = player->expression_weights[e] + player->expression_left[count + e] * left.position;
        player->expression_values[e] += player->expression_left[e] * left.position;
        player->expression_weights[e] = vrmi_clamp(weight, 0.0f, 1.0f);
    }
    player->expressions_mixed = true;
}

void vrmi_player_decay(vrm_clip_player *player, float dt, vrmi_mix *mix)
{
    vrmi_inertia *inertia = player->inertia;
    inertia->elapsed += dt;
    if (!(inertia->elapsed < inertia->duration)) {
        inertia->duration = 0.0f;
        player->decays = false;
        return;
    }
    const decay_part left = left_after(inertia->elapsed / inertia->duration);
    vrmi_mix_spread(mix);
    mix->bones = VRM_CLIP_ALL_BONES;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        decay_bone(inertia, bone, left, mix);
    }
    decay_hips(inertia, left, mix);
    decay_gaze(inertia, left, mix);
    decay_expressions(player, left);
}
