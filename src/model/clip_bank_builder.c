// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Builds the bank of a clip: rotations that share their key times, transposed for kernels.

#include <string.h>

#include "math/quat.h"
#include "model/clip.h"

// Larger clips are sampled track by track instead of being stored twice. Every bone for an hour at 30 frames per second
// takes 96 MB.
static const uint64_t largest_bank = UINT64_C(1) << 25;

static bool is_linear_rotation(const vrmi_clip_track *track)
{
    return track->kind == VRMI_TRACK_ROTATION && (track->interpolation == VRMI_LINEAR || track->key_count == 1) &&
           track->interpolation != VRMI_CUBIC;
}

static bool same_times(const vrmi_clip_builder *builder, const vrmi_clip_track *a, const vrmi_clip_track *b)
{
    const float *floats = builder->floats.items;
    return a->key_count == b->key_count &&
           memcmp(floats + a->times, floats + b->times, (size_t)a->key_count * sizeof(float)) == 0;
}

uint64_t vrmi_clip_bank_size(uint64_t bones, uint32_t keys)
{
    uint64_t size = 0;
    for (uint32_t groups = vrmi_pose_groups(bones); groups != 0; groups &= groups - 1) {
        size += (uint64_t)keys * VRMI_POSE_GROUP_FLOATS;
    }
    return size;
}

// Lists each bone's first linear track; -1 for bones without one.
static void list_tracks(const vrmi_clip_builder *builder, int32_t out[VRM_HUMAN_BONE_COUNT])
{
    const vrmi_clip_track *tracks = builder->tracks.items;
    bool seen[VRM_HUMAN_BONE_COUNT] = {false};
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        out[bone] = -1;
    }
    for (uint32_t i = 0; i < builder->tracks.count; ++i) {
        if (tracks[i].kind == VRMI_TRACK_ROTATION && !seen[tracks[i].target]) {
            seen[tracks[i].target] = true;
            out[tracks[i].target] = is_linear_rotation(&tracks[i]) ? (int32_t)i : -1;
        }
    }
}

uint64_t vrmi_clip_bank_bones(const vrmi_clip_builder *builder, uint32_t *out_track)
{
    const vrmi_clip_track *tracks = builder->tracks.items;
    int32_t own[VRM_HUMAN_BONE_COUNT];
    list_tracks(builder, own);
    uint64_t still = 0, best = 0, taken = 0;
    uint32_t best_count = 0;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (own[bone] >= 0 && tracks[own[bone]].key_count == 1) {
            still |= UINT64_C(1) << bone;
            *out_track = best_count == 0 ? (uint32_t)own[bone] : *out_track;
        } else if (own[bone] >= 0 && (taken >> bone & 1u) == 0) {
            uint64_t bones = 0;
            uint32_t count = 0;
            for (int32_t other = bone; other < VRM_HUMAN_BONE_COUNT; ++other) {
                if (own[other] >= 0 && same_times(builder, &tracks[own[bone]], &tracks[own[other]])) {
                    bones |= UINT64_C(1) << other;
                    ++count;
                }
            }
            taken |= bones;
            best = count > best_count ? bones : best;
            *out_track = count > best_count ? (uint32_t)own[bone] : *out_track;
            best_count = count > best_count ? count : best_count;
        }
    }
    best |= still; // a track with a single key fits any bank
    return best != 0 && vrmi_clip_bank_size(best, tracks[*out_track].key_count) <= largest_bank ? best : 0;
}

static void fill_bone(const vrm_clip *clip, int32_t bone, float *group, size_t stride)
{
    const vrmi_clip_track *track = &clip->tracks[clip->bone_track[bone]];
    const float *values = clip->floats + track->values;
    const uint32_t lane = (uint32_t)bone % VRMI_POSE_GROUP, keys = clip->tracks[clip->bank_track].key_count;
    vrm_quat before = vrmi_quat_identity();
    for (uint32_t key = 0; key < keys; ++key, group += stride) {
        const float *v = values + (size_t)(track->key_count == 1 ? 0 : key) * 4;
        vrm_quat q = {v[0], v[1], v[2], v[3]};
        q = key > 0 && vrmi_quat_dot(q, before) < 0.0f ? (vrm_quat){-q.x, -q.y, -q.z, -q.w} : q;
        group[lane] = q.x;
        group[VRMI_POSE_GROUP + lane] = q.y;
        group[2 * VRMI_POSE_GROUP + lane] = q.z;
        group[3 * VRMI_POSE_GROUP + lane] = q.w;
        before = q;
    }
}

void vrmi_clip_bank_fill(const vrm_clip *clip, float *bank)
{
    if (clip->bank_bones == 0) {
        return;
    }
    const uint32_t keys = clip->tracks[clip->bank_track].key_count;
    const uint64_t size = vrmi_clip_bank_size(clip->bank_bones, keys);
    const size_t stride = (size_t)(size / keys);
    for (uint64_t w = 0; w < size; ++w) { // identity rotations for missing bones
        bank[w] = w / VRMI_POSE_GROUP % 4 == 3 ? 1.0f : 0.0f;
    }
    float *group = bank;
    for (uint32_t g = 0; g < VRMI_POSE_GROUPS; ++g) {
        for (uint32_t lane = 0; lane < VRMI_POSE_GROUP; ++lane) {
            const uint32_t bone = g * VRMI_POSE_GROUP + lane;
            if ((clip->bank_bones >> bone & 1u) != 0) {
                fill_bone(clip, (int32_t)bone, group, stride);
            }
        }
        group += (clip->bank_groups >> g & 1u) != 0 ? VRMI_POSE_GROUP_FLOATS : 0;
    }
}
