// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Makes a clip loop without a jump.

#include <string.h>

#include "math/quat.h"
#include "model/clip.h"

// Returns the fraction of the correction at a time. It starts and ends smoothly.
static float share_at(float time, float start, float seconds)
{
    const float s = vrmi_clamp((time - start) / seconds, 0.0f, 1.0f);
    return s * s * (3.0f - 2.0f * s);
}

static vrm_quat quat_at(const float *v)
{
    return (vrm_quat){v[0], v[1], v[2], v[3]};
}

// Moves a key by a fraction of the correction after which the last key equals the first.
static void meet(uint32_t kind, const float *first, const float *last, float share, float *key)
{
    if (vrmi_track_is_quat(kind)) {
        const vrm_quat turn = vrmi_quat_mul(quat_at(first), vrmi_quat_conjugate(quat_at(last)));
        const vrm_quat q = vrmi_quat_mul(vrmi_quat_slerp(vrmi_quat_identity(), turn, share), quat_at(key));
        memcpy(key, &q, sizeof q);
    } else if (kind == VRMI_TRACK_HIPS) {
        key[1] += share * (first[1] - last[1]); // root motion handles horizontal movement
    } else {
        key[0] += share * (first[0] - last[0]);
    }
}

static bool add_track(vrmi_clip_builder *builder, const vrm_clip *clip, const vrmi_clip_track *track, float seconds)
{
    const float *times = clip->floats + track->times, *values = clip->floats + track->values;
    const uint32_t width = vrmi_track_width(track->kind), count = track->key_count;
    const float *first = values, *last = values + (size_t)(count - 1) * width;
    float *to_times, *to_values;
    if (!vrmi_clip_builder_track(builder, track, &to_times, &to_values)) {
        return false;
    }
    memcpy(to_times, times, count * sizeof(float));
    memcpy(to_values, values, (size_t)count * width * sizeof(float));
    for (uint32_t key = 0; key < count; ++key) {
        const float share = share_at(times[key], clip->head.duration - seconds, seconds);
        if (share > 0.0f) {
            meet(track->kind, first, last, share, to_values + (size_t)key * width);
        }
    }
    vrmi_clip_builder_finish(builder);
    return true;
}

vrm_result vrm_clip_make_loop(const vrm_clip *clip, float seconds, float rate, vrm_clip **out_clip)
{
    if (clip == NULL || out_clip == NULL || !(seconds > 0.0f) || !(seconds <= clip->head.duration)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_clip *baked = NULL;
    vrm_result result = vrm_clip_resample(clip, rate, &baked);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrmi_clip_builder builder;
    vrmi_clip_builder_init(&builder, &clip->allocator);
    bool good = vrmi_clip_builder_like(&builder, baked);
    builder.head.duration = baked->head.duration;
    for (uint32_t i = 0; i < baked->track_count && good; ++i) {
        good = add_track(&builder, baked, &baked->tracks[i], seconds);
    }
    result = good ? vrmi_clip_pack(&builder, out_clip) : VRM_ERROR_OUT_OF_MEMORY;
    vrmi_clip_builder_free(&builder);
    vrm_clip_release(baked);
    return result;
}
