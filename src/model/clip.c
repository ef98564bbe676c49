// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Queries of a clip. They are called at run time, so no function in this file allocates.

#include "model/clip.h"

#include "base/abi.h"
#include "base/atomic.h"
#include "base/checks.h"
#include "math/quat.h"

#include <string.h>

vrm_clip *vrm_clip_retain(vrm_clip *clip)
{
    if (VRM_ASSERT(clip != NULL)) {
        vrmi_atomic_retain(&clip->references);
    }
    return clip;
}

void vrm_clip_release(vrm_clip *clip)
{
    if (clip != NULL && vrmi_atomic_release(&clip->references)) {
        const vrm_allocator allocator = clip->allocator;
        vrmi_release(&allocator, clip, clip->allocated);
    }
}

void vrm_clip_get_info(const vrm_clip *clip, vrm_clip_info *out_info)
{
    if (!VRM_ASSERT(clip != NULL && out_info != NULL)) {
        return;
    }
    uint64_t keys = 0;
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        keys += clip->tracks[i].key_count;
    }
    const vrm_clip_info info = {
        .name = {clip->names + clip->head.name, clip->head.name_length},
        .duration = clip->head.duration,
        .bones = clip->bones,
        .has_hips_position = clip->hips_track >= 0,
        .has_gaze = clip->gaze_track >= 0,
        .additive = clip->head.additive != 0,
        .expressions = clip->expression_count,
        .keys = keys,
        .hips_rest = clip->head.hips_rest,
        .markers = clip->marker_count,
    };
    (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_clip_info, out_info, &info));
}

vrm_result vrm_clip_get_expression(const vrm_clip *clip, uint32_t expression, vrm_string *out_name)
{
    if (clip == NULL || out_name == NULL || expression >= clip->expression_count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_clip_expression *row = &clip->expressions[expression];
    *out_name = (vrm_string){clip->names + row->name, row->length};
    return VRM_SUCCESS;
}

vrm_result vrm_clip_get_marker(const vrm_clip *clip, uint32_t marker, vrm_clip_marker *out_marker)
{
    if (clip == NULL || out_marker == NULL || marker >= clip->marker_count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_clip_marker *row = &clip->markers[marker];
    *out_marker = (vrm_clip_marker){row->time, {clip->names + row->name, row->length}};
    return VRM_SUCCESS;
}

// Returns the last key at or before `time`, or the first key if `time` is before all keys. Tries the neighbours of the
// remembered key first, since playback advances in small steps.
static uint32_t find_key(const float *times, uint32_t count, float time, uint32_t *cursor)
{
    uint32_t low = 0, high = count;
    if (cursor != NULL && *cursor < count) {
        const uint32_t at = *cursor;
        if (times[at] <= time) {
            if (at + 1 >= count || time < times[at + 1]) {
                return at;
            }
            if (at + 2 >= count || time < times[at + 2]) {
                return *cursor = at + 1;
            }
            low = at + 2;
        } else {
            high = at;
        }
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const uint32_t found = low > 0 ? low - 1 : 0;
    if (cursor != NULL) {
        *cursor = found;
    }
    return found;
}

static vrm_quat load_quat(const float *v)
{
    return (vrm_quat){v[0], v[1], v[2], v[3]};
}

// Cubic Hermite spline (glTF 2.0, appendix C.5). Each key is in-tangent, value and out-tangent; tangents are per
// second.
static void hermite(const float *a, const float *b, uint32_t width, float span, float s, float *out)
{
    const float s2 = s * s, s3 = s2 * s;
    const float from = 2.0f * s3 - 3.0f * s2 + 1.0f, leave = (s3 - 2.0f * s2 + s) * span;
    const float to = 3.0f * s2 - 2.0f * s3, arrive = (s3 - s2) * span;
    for (uint32_t i = 0; i < width; ++i) {
        out[i] = from * a[width + i] + leave * a[2 * width + i] + to * b[width + i] + arrive * b[i];
    }
}

uint32_t vrmi_clip_find_key(const vrm_clip *clip, uint32_t track, float time, uint32_t *cursor, float *out_part)
{
    const vrmi_clip_track *t = &clip->tracks[track];
    const float *times = clip->floats + t->times;
    const uint32_t key = find_key(times, t->key_count, time, cursor);
    const bool between = key + 1 < t->key_count && time > times[key] && t->interpolation != VRMI_STEP;
    *out_part = between ? (time - times[key]) / (times[key + 1] - times[key]) : 0.0f;
    return key;
}

void vrmi_clip_sample_track(const vrm_clip *clip, uint32_t track, float time, uint32_t *cursor, float *out)
{
    const vrmi_clip_track *t = &clip->tracks[track];
    const uint32_t width = vrmi_track_width(t->kind), stride = vrmi_track_stride(t);
    float s;
    const uint32_t key = vrmi_clip_find_key(clip, track, time, cursor, &s);
    const float *a = clip->floats + t->values + (size_t)key * stride, *b = a + stride;
    const bool cubic = t->interpolation == VRMI_CUBIC;
    if (!(s > 0.0f)) {
        memcpy(out, a + (cubic ? width : 0), width * sizeof(float));
    } else if (cubic) {
        const float *times = clip->floats + t->times;
        hermite(a, b, width, times[key + 1] - times[key], s, out);
    } else if (vrmi_track_is_quat(t->kind)) {
        const vrm_quat q = vrmi_quat_slerp(load_quat(a), load_quat(b), s);
        memcpy(out, &q, sizeof q);
    } else {
        for (uint32_t i = 0; i < width; ++i) {
            out[i] = vrmi_lerp(a[i], b[i], s);
        }
    }
    if (vrmi_track_is_quat(t->kind) && cubic) {
        const vrm_quat q = vrmi_quat_normalize(load_quat(out));
        memcpy(out, &q, sizeof q);
    }
}

void vrmi_clip_gaze_angles(vrm_quat q, float *out_yaw, float *out_pitch)
{
    const vrm_vec3 forward = vrmi_quat_rotate(q, vrmi_vec3(0.0f, 0.0f, 1.0f));
    *out_yaw = vrmi_atan2(forward.x, forward.z);
    *out_pitch = vrmi_asin(-forward.y);
}

void vrm_clip_sample(const vrm_clip *clip, float time, vrm_clip_pose *out_pose)
{
    if (!VRM_ASSERT(clip != NULL && out_pose != NULL)) {
        return;
    }
    vrm_clip_pose pose = {.yaw = 0.0f};
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        float q[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        if (clip->bone_track[bone] >= 0) {
            vrmi_clip_sample_track(clip, (uint32_t)clip->bone_track[bone], time, NULL, q);
        }
        pose.rotations[bone] = load_quat(q);
    }
    pose.hips = clip->head.additive ? vrmi_vec3(0.0f, 0.0f, 0.0f) : clip->head.hips_rest;
    if (clip->hips_track >= 0) {
        float p[3];
        vrmi_clip_sample_track(clip, (uint32_t)clip->hips_track, time, NULL, p);
        pose.hips = vrmi_vec3(p[0], p[1], p[2]);
    }
    if (clip->gaze_track >= 0) {
        float q[4];
        vrmi_clip_sample_track(clip, (uint32_t)clip->gaze_track, time, NULL, q);
        vrmi_clip_gaze_angles(load_quat(q), &pose.yaw, &pose.pitch);
    }
    (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_clip_pose, out_pose, &pose));
}

float vrm_clip_sample_expression(const vrm_clip *clip, uint32_t expression, float time)
{
    if (!VRM_ASSERT(clip != NULL) || expression >= clip->expression_count || clip->expression_track[expression] < 0) {
        return 0.0f;
    }
    float weight;
    vrmi_clip_sample_track(clip, (uint32_t)clip->expression_track[expression], time, NULL, &weight);
    return clip->head.additive ? vrmi_clamp(weight, -1.0f, 1.0f) : vrmi_clamp(weight, 0.0f, 1.0f);
}
