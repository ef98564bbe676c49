// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Inertial transitions (Bollo, "Inertialization", GDC 2018): the new clip plays at once, and what the last pose was apart from it
// dies away with the speed that it had. What only one of the two moves keeps or gains its weight in the same time.

#include "math/quat.h"
#include "runtime/clip_player.h"

#include <string.h>

static vrm_quat difference(vrm_quat a, vrm_quat b)
{
    return vrmi_quat_mul(a, vrmi_quat_conjugate(b));
}

typedef struct poses {
    const vrmi_mix *earlier, *last; // shown
    const vrmi_mix *start, *later;  // of the new clip
    float step;                     // seconds between each two
} poses;

static void start_bone(vrmi_inertia *inertia, const poses *p, int32_t bone)
{
    const float before = p->last->weight[bone], after = p->start->weight[bone];
    inertia->weight[bone] = before - after;
    if (!(before > 0.0f)) {
        return; // there is nothing to come from: the new clip's weight grows
    }
    const vrm_quat last = vrmi_pose_get(&p->last->rotation, bone);
    const bool moved = p->earlier->weight[bone] > 0.0f;
    const vrm_quat way =
        moved ? difference(last, vrmi_pose_get(&p->earlier->rotation, bone)) : vrmi_quat_identity();
    if (!(after > 0.0f)) {
        inertia->left |= UINT64_C(1) << bone;
        inertia->held[bone] = last;
        inertia->speed[bone] = vrmi_vec3_scale(vrmi_quat_to_vector(way), 1.0f / p->step);
        return;
    }
    const vrm_vec3 offset = vrmi_quat_to_vector(difference(last, vrmi_pose_get(&p->start->rotation, bone)));
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
    const vrm_vec3 way = p->earlier->hips_weight > 0.0f ? vrmi_vec3_sub(p->last->hips, p->earlier->hips)
                                                         : vrmi_vec3(0.0f, 0.0f, 0.0f);
    if (!(after > 0.0f)) {
        inertia->offset[hips] = p->last->hips; // from the origin, where nothing stands against it
        inertia->speed[hips] = vrmi_vec3_scale(way, 1.0f / p->step);
        return;
    }
    const vrm_vec3 offset = vrmi_vec3_sub(p->last->hips, p->start->hips);
    const vrm_vec3 next = vrmi_vec3_sub(vrmi_vec3_add(p->last->hips, way), p->later->hips);
    inertia->offset[hips] = offset;
    inertia->speed[hips] = vrmi_vec3_scale(vrmi_vec3_sub(next, offset), 1.0f / p->step);
}

void vrmi_player_start_inertia(vrm_clip_player *player, uint32_t layer, float seconds)
{
    vrmi_inertia *inertia = &player->inertia;
    vrmi_clip_slot *now = &player->layers[layer].now;
    const float step = player->last_dt > 0.0f ? player->last_dt : 1.0f / 60.0f;
    vrmi_player_mix(player);
    const vrmi_mix start = *player->mix;
    const double time = now->time;
    now->time += (double)(step * now->speed);
    vrmi_player_mix(player);
    now->time = time;
    memset(inertia, 0, sizeof(*inertia));
    inertia->duration = seconds;
    const poses p = {player->shown > 1 ? player->earlier : player->last, player->last, &start, player->mix, step};
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        start_bone(inertia, &p, bone);
    }
    start_hips(inertia, &p);
    *player->mix = start;
}

// What is left of position 1 and of speed 1 (times the duration) after a part of the transition: the quintic that ends in rest.
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

static void decay_hips(const vrmi_inertia *inertia, decay_part left, vrmi_mix *mix)
{
    const int hips = VRM_HUMAN_BONE_COUNT;
    const float weight = vrmi_clamp(mix->hips_weight + inertia->weight[hips] * left.position, 0.0f, 1.0f);
    if (mix->hips_weight > 0.0f) {
        mix->hips = vrmi_vec3_add(mix->hips, decayed(inertia, hips, left));
    } else if (weight > 0.0f) {
        mix->hips = vrmi_vec3_add(inertia->offset[hips],
            vrmi_vec3_scale(inertia->speed[hips], left.speed * inertia->duration));
    }
    mix->hips_weight = weight;
}

void vrmi_player_decay(vrm_clip_player *player, float dt)
{
    vrmi_inertia *inertia = &player->inertia;
    vrmi_mix *mix = player->mix;
    inertia->elapsed += dt;
    if (!(inertia->elapsed < inertia->duration)) {
        inertia->duration = 0.0f;
        return;
    }
    const decay_part left = left_after(inertia->elapsed / inertia->duration);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const float own = mix->weight[bone];
        const float weight = vrmi_clamp(own + inertia->weight[bone] * left.position, 0.0f, 1.0f);
        const bool held = (inertia->left >> bone & 1u) != 0;
        mix->weight[bone] = weight;
        if (!(weight > 0.0f) || (held && own > 0.0f)) {
            continue; // a bone that another layer has taken up since is that layer's
        }
        const vrm_quat base = held ? inertia->held[bone] : vrmi_pose_get(&mix->rotation, bone);
        const vrm_quat turn = vrmi_quat_from_vector(decayed(inertia, bone, left));
        vrmi_pose_set(&mix->rotation, bone, vrmi_quat_normalize(vrmi_quat_mul(turn, base)));
    }
    decay_hips(inertia, left, mix);
    player->hips = mix->hips;
}
