// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Operations on clips. They change keys if that is exact; only resampling samples the curves.

#include <string.h>

#include "base/checks.h"
#include "import/motion/clip_markers.h"
#include "math/quat.h"
#include "model/clip.h"
#include "model/names.h"

static const float *times_of(const vrm_clip *clip, const vrmi_clip_track *track)
{
    return clip->floats + track->times;
}

static const float *key_of(const vrm_clip *clip, const vrmi_clip_track *track, uint32_t key)
{
    return clip->floats + track->values + (size_t)key * vrmi_track_stride(track);
}

static vrm_result begin(vrmi_clip_builder *builder, const vrm_clip *clip)
{
    vrmi_clip_builder_init(builder, &clip->allocator);
    return vrmi_clip_builder_like(builder, clip) ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
}

static vrm_result end(vrmi_clip_builder *builder, vrm_result result, vrm_clip **out_clip)
{
    if (result == VRM_SUCCESS) {
        result = vrmi_clip_pack(builder, out_clip);
    }
    vrmi_clip_builder_free(builder);
    return result;
}

// Adds a track of the same kind as `track` with a different number of keys.
static bool add_like(
    vrmi_clip_builder *builder, const vrmi_clip_track *track, uint32_t keys, float **out_times, float **out_values)
{
    vrmi_clip_track like = *track;
    like.key_count = keys;
    return vrmi_clip_builder_track(builder, &like, out_times, out_values);
}

// --- trim ------------------------------------------------------------------------------------------------------------

// Computes a key at a given time. On a cubic track the key gets the spline's tangents there, so that the curve does not
// change.
static void cut_key(const vrm_clip *clip, const vrmi_clip_track *track, uint32_t index, float time, float *out)
{
    const uint32_t width = vrmi_track_width(track->kind);
    if (track->interpolation != VRMI_CUBIC) {
        vrmi_clip_sample_track(clip, index, time, NULL, out);
        return;
    }
    const float *times = times_of(clip, track);
    uint32_t key = 0;
    while (key + 2 < track->key_count && times[key + 1] <= time) {
        ++key;
    }
    const float *a = key_of(clip, track, key), *b = key_of(clip, track, key + 1);
    const float span = times[key + 1] - times[key], s = (time - times[key]) / span;
    for (uint32_t i = 0; i < width; ++i) {
        const float p0 = a[width + i], m0 = a[2 * width + i] * span, p1 = b[width + i], m1 = b[i] * span;
        const float c2 = 3.0f * (p1 - p0) - 2.0f * m0 - m1, c3 = 2.0f * (p0 - p1) + m0 + m1;
        const float slope = (m0 + s * (2.0f * c2 + 3.0f * s * c3)) / span;
        out[i] = out[2 * width + i] = slope;
        out[width + i] = p0 + s * (m0 + s * (c2 + s * c3));
    }
}

static bool trim_track(vrmi_clip_builder *builder, const vrm_clip *clip, uint32_t index, float start, float stop)
{
    const vrmi_clip_track *track = &clip->tracks[index];
    const float *times = times_of(clip, track);
    const uint32_t count = track->key_count, stride = vrmi_track_stride(track);
    uint32_t first = 0, last = count; // range of the keys strictly between start and stop
    while (first < count && times[first] <= start) {
        ++first;
    }
    while (last > first && times[last - 1] >= stop) {
        --last;
    }
    // Outside its keys a track is constant, so a new end key is needed only if there are keys beyond the cut.
    const bool head = first > 0, tail = last < count;
    float *to_times, *to_values;
    const uint32_t keys = last - first + (head ? 1u : 0u) + (tail ? 1u : 0u);
    if (!add_like(builder, track, keys, &to_times, &to_values)) {
        return false;
    }
    if (head) {
        *to_times++ = 0.0f;
        if (first == count) { // all keys are at or before the start
            memcpy(to_values, key_of(clip, track, count - 1), stride * sizeof(float));
        } else {
            cut_key(clip, track, index, start, to_values);
        }
        to_values += stride;
    }
    for (uint32_t key = first; key < last; ++key, to_values += stride) {
        *to_times++ = times[key] - start;
        memcpy(to_values, key_of(clip, track, key), stride * sizeof(float));
    }
    if (tail) {
        *to_times = stop - start;
        if (last == 0) { // all keys are at or after the stop
            memcpy(to_values, key_of(clip, track, 0), stride * sizeof(float));
        } else {
            cut_key(clip, track, index, stop, to_values);
        }
    }
    vrmi_clip_builder_finish(builder);
    return true;
}

vrm_result vrm_clip_trim(const vrm_clip *clip, float start, float stop, vrm_clip **out_clip)
{
    if (clip == NULL || out_clip == NULL || !(start >= 0.0f) || !(start < stop) || !(start < clip->head.duration)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    stop = vrmi_min(stop, clip->head.duration);
    vrmi_clip_builder builder;
    vrm_result result = begin(&builder, clip);
    builder.head.duration = stop - start;
    vrmi_clip_builder_move_markers(&builder, start, stop, false);
    for (uint32_t i = 0; i < clip->track_count && result == VRM_SUCCESS; ++i) {
        result = trim_track(&builder, clip, i, start, stop) ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    }
    return end(&builder, result, out_clip);
}

// --- resample --------------------------------------------------------------------------------------------------------

vrm_result vrm_clip_resample(const vrm_clip *clip, float rate, vrm_clip **out_clip)
{
    if (clip == NULL || out_clip == NULL || !(rate >= 1.0f && rate <= 1000.0f)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const float frames = clip->head.duration * rate;
    if (!(frames < 16777216.0f)) {
        return VRM_ERROR_LIMIT;
    }
    const bool whole = (float)(uint32_t)frames == frames;
    const uint32_t keys = (uint32_t)frames + (whole ? 1u : 2u);
    vrmi_clip_builder builder;
    vrm_result result = begin(&builder, clip);
    for (uint32_t i = 0; i < clip->track_count && result == VRM_SUCCESS; ++i) {
        vrmi_clip_track track = clip->tracks[i];
        track.interpolation = VRMI_LINEAR;
        float *times, *values;
        if (!add_like(&builder, &track, keys, &times, &values)) {
            result = VRM_ERROR_OUT_OF_MEMORY;
            break;
        }
        uint32_t cursor = 0;
        for (uint32_t key = 0; key < keys; ++key) {
            times[key] = key + 1 == keys ? clip->head.duration : (float)((double)key / (double)rate);
            vrmi_clip_sample_track(clip, i, times[key], &cursor, values + (size_t)key * vrmi_track_width(track.kind));
        }
        vrmi_clip_builder_finish(&builder);
    }
    return end(&builder, result, out_clip);
}

// --- mirror, reverse -------------------------------------------------------------------------------------------------

static int32_t other_preset(int32_t preset)
{
    static const int32_t pairs[][2] = {{VRM_EXPRESSION_PRESET_BLINK_LEFT, VRM_EXPRESSION_PRESET_BLINK_RIGHT},
        {VRM_EXPRESSION_PRESET_LOOK_LEFT, VRM_EXPRESSION_PRESET_LOOK_RIGHT}};
    for (size_t i = 0; i < VRMI_COUNT_OF(pairs); ++i) {
        if (preset == pairs[i][0] || preset == pairs[i][1]) {
            return preset == pairs[i][0] ? pairs[i][1] : pairs[i][0];
        }
    }
    return preset;
}

// Mirrors the value or a tangent of a key by x -> -x.
static void mirror_part(uint32_t kind, float *v)
{
    if (vrmi_track_is_quat(kind)) {
        v[1] = -v[1];
        v[2] = -v[2];
    } else if (kind == VRMI_TRACK_HIPS) {
        v[0] = -v[0];
    }
}

static void mirror_head(vrmi_clip_builder *builder)
{
    vrmi_clip_head *head = &builder->head;
    const vrmi_clip_head old = *head;
    head->skeleton = 0;
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const uint32_t from = (uint32_t)vrmi_human_bone_mirror((vrm_human_bone)bone);
        head->rest[bone] = vrmi_vec3(-old.rest[from].x, old.rest[from].y, old.rest[from].z);
        head->skeleton |= (old.skeleton >> from & 1u) << bone;
    }
    head->hips_rest.x = -old.hips_rest.x;
    head->look_offset.x = -old.look_offset.x;
    vrmi_clip_expression *rows = builder->expressions.items;
    for (uint32_t i = 0; i < builder->expressions.count; ++i) {
        const int32_t other = other_preset(rows[i].preset);
        if (other != rows[i].preset) {
            const char *name = vrm_expression_preset_name((vrm_expression_preset)other);
            rows[i].preset = other;
            rows[i].length = (uint32_t)strlen(name);
            rows[i].name = vrmi_clip_builder_name(builder, name, rows[i].length);
        }
    }
}

vrm_result vrm_clip_mirror(const vrm_clip *clip, vrm_clip **out_clip)
{
    if (clip == NULL || out_clip == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_clip_builder builder;
    vrm_result result = begin(&builder, clip);
    builder.head.duration = clip->head.duration;
    mirror_head(&builder);
    for (uint32_t i = 0; i < clip->track_count && result == VRM_SUCCESS; ++i) {
        vrmi_clip_track track = clip->tracks[i];
        if (track.kind == VRMI_TRACK_ROTATION) {
            track.target = (uint32_t)vrmi_human_bone_mirror((vrm_human_bone)track.target);
        }
        float *times, *values;
        if (!add_like(&builder, &track, track.key_count, &times, &values)) {
            result = VRM_ERROR_OUT_OF_MEMORY;
            break;
        }
        const uint32_t width = vrmi_track_width(track.kind), stride = vrmi_track_stride(&track);
        memcpy(times, times_of(clip, &clip->tracks[i]), track.key_count * sizeof(float));
        memcpy(values, key_of(clip, &clip->tracks[i], 0), (size_t)track.key_count * stride * sizeof(float));
        for (size_t k = 0; k < (size_t)track.key_count * stride; k += width) {
            mirror_part(track.kind, values + k);
        }
        vrmi_clip_builder_finish(&builder);
    }
    return end(&builder, result, out_clip);
}

// Reverses a stepped track. A stepped value lasts until the next key; backwards, it begins at the next key's time.
static bool reverse_steps(vrmi_clip_builder *builder, const vrm_clip *clip, const vrmi_clip_track *track)
{
    const float *from = times_of(clip, track), duration = clip->head.duration;
    const uint32_t count = track->key_count, width = vrmi_track_width(track->kind);
    const bool held = count == 1 || from[count - 1] < duration; // the last value lasts until the end of the clip
    float *times, *values;
    if (!add_like(builder, track, count - 1 + (held ? 1u : 0u), &times, &values)) {
        return false;
    }
    if (held) {
        *times++ = 0.0f;
        memcpy(values, key_of(clip, track, count - 1), width * sizeof(float));
        values += width;
    }
    for (uint32_t key = count - 1; key > 0; --key, values += width) {
        *times++ = duration - from[key];
        memcpy(values, key_of(clip, track, key - 1), width * sizeof(float));
    }
    vrmi_clip_builder_finish(builder);
    return true;
}

static bool reverse_track(vrmi_clip_builder *builder, const vrm_clip *clip, const vrmi_clip_track *track)
{
    if (track->interpolation == VRMI_STEP) {
        return reverse_steps(builder, clip, track);
    }
    const uint32_t count = track->key_count, stride = vrmi_track_stride(track), width = vrmi_track_width(track->kind);
    float *times, *values;
    if (!add_like(builder, track, count, &times, &values)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i, values += stride) {
        const float *key = key_of(clip, track, count - 1 - i);
        times[i] = clip->head.duration - times_of(clip, track)[count - 1 - i];
        memcpy(values, key, stride * sizeof(float));
        for (uint32_t k = 0; k < width && stride > width; ++k) {
            values[k] = -key[2 * width + k];
            values[2 * width + k] = -key[k];
        }
    }
    vrmi_clip_builder_finish(builder);
    return true;
}

vrm_result vrm_clip_reverse(const vrm_clip *clip, vrm_clip **out_clip)
{
    if (clip == NULL || out_clip == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_clip_builder builder;
    vrm_result result = begin(&builder, clip);
    builder.head.duration = clip->head.duration;
    vrmi_clip_builder_move_markers(&builder, 0.0f, clip->head.duration, true);
    for (uint32_t i = 0; i < clip->track_count && result == VRM_SUCCESS; ++i) {
        result = reverse_track(&builder, clip, &clip->tracks[i]) ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    }
    return end(&builder, result, out_clip);
}

// --- additive --------------------------------------------------------------------------------------------------------

// Subtracts the reference from the value or a tangent of a key. The reference is constant, so tangents are transformed
// in the same way.
static void subtract_part(uint32_t kind, const float *reference, bool tangent, float *v)
{
    if (kind == VRMI_TRACK_ROTATION) {
        const vrm_quat inverse = {-reference[0], -reference[1], -reference[2], reference[3]};
        const vrm_quat q = vrmi_quat_mul(inverse, (vrm_quat){v[0], v[1], v[2], v[3]});
        memcpy(v, &q, sizeof q);
        return;
    }
    for (uint32_t i = 0; i < vrmi_track_width(kind) && !tangent; ++i) {
        v[i] -= reference[i];
    }
}

// Samples the reference clip for the target of a track. Returns false if the reference has no such track.
static bool reference_of(
    const vrm_clip *clip, const vrmi_clip_track *track, const vrm_clip *reference, float time, float scale, float *out)
{
    int32_t found = -1;
    if (track->kind == VRMI_TRACK_ROTATION) {
        found = reference->bone_track[track->target];
    } else if (track->kind == VRMI_TRACK_HIPS) {
        found = reference->hips_track;
    } else {
        const vrmi_clip_expression *own = &clip->expressions[track->target];
        for (uint32_t i = 0; i < reference->expression_count; ++i) {
            const vrmi_clip_expression *other = &reference->expressions[i];
            if (other->length == own->length &&
                memcmp(reference->names + other->name, clip->names + own->name, own->length) == 0) {
                found = reference->expression_track[i];
            }
        }
    }
    if (found >= 0) {
        vrmi_clip_sample_track(reference, (uint32_t)found, time, NULL, out);
    }
    for (uint32_t i = 0; i < 3 && found >= 0 && track->kind == VRMI_TRACK_HIPS; ++i) {
        out[i] *= scale;
    }
    return found >= 0;
}

vrm_result vrm_clip_make_additive(const vrm_clip *clip, const vrm_clip *reference, float time, vrm_clip **out_clip)
{
    reference = reference != NULL ? reference : clip;
    if (clip == NULL || out_clip == NULL || !vrmi_finite(time) || clip->head.additive || reference->head.additive) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    // The two skeletons may differ in size, so the reference's positions are scaled to the clip's skeleton.
    const float other = reference->head.hips_rest.y, own = clip->head.hips_rest.y;
    const float scale = other > 1e-3f && own > 1e-3f ? own / other : 1.0f;
    vrmi_clip_builder builder;
    vrm_result result = begin(&builder, clip);
    builder.head.duration = clip->head.duration;
    builder.head.additive = 1;
    for (uint32_t i = 0; i < clip->track_count && result == VRM_SUCCESS; ++i) {
        const vrmi_clip_track *track = &clip->tracks[i];
        float rest[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        if (track->kind == VRMI_TRACK_GAZE) {
            continue; // gaze is not additive
        }
        if (track->kind == VRMI_TRACK_HIPS) {
            memcpy(rest, &clip->head.hips_rest, sizeof clip->head.hips_rest);
        } else if (track->kind == VRMI_TRACK_EXPRESSION) {
            rest[0] = 0.0f;
        }
        (void)reference_of(clip, track, reference, time, scale, rest);
        float *times, *values;
        if (!add_like(&builder, track, track->key_count, &times, &values)) {
            result = VRM_ERROR_OUT_OF_MEMORY;
            break;
        }
        const uint32_t width = vrmi_track_width(track->kind), stride = vrmi_track_stride(track);
        const uint32_t parts = stride / width;
        memcpy(times, times_of(clip, track), track->key_count * sizeof(float));
        memcpy(values, key_of(clip, track, 0), (size_t)track->key_count * stride * sizeof(float));
        for (size_t k = 0; k < (size_t)track->key_count * parts; ++k) {
            subtract_part(track->kind, rest, parts == 3 && k % 3 != 1, values + k * width);
        }
        vrmi_clip_builder_finish(&builder);
    }
    return end(&builder, result, out_clip);
}

// --- reduce ----------------------------------------------------------------------------------------------------------

// Computes the distance from a bone to the end of its limb, and the number of animated bones along the limb, which
// share the error.
static void reach_of(const vrm_clip *clip, uint32_t bone, float *out_length, uint32_t *out_shares)
{
    *out_length = 0.0f;
    *out_shares = 1;
    for (int32_t tip = 0; tip < VRM_HUMAN_BONE_COUNT; ++tip) {
        if ((clip->head.skeleton >> tip & 1u) == 0) {
            continue;
        }
        uint32_t shares = 0;
        bool below = false;
        for (int32_t above = tip; above >= 0; above = vrm_human_bone_parent((vrm_human_bone)above)) {
            below = below || above == (int32_t)bone;
            shares += clip->bone_track[above] >= 0 ? 1u : 0u;
        }
        if (below) {
            const float length = vrmi_vec3_length(vrmi_vec3_sub(clip->head.rest[tip], clip->head.rest[bone]));
            *out_length = vrmi_max(*out_length, length);
            *out_shares = shares > *out_shares ? shares : *out_shares;
        }
    }
}

static float distance_of(uint32_t kind, const float *a, const float *b)
{
    float plus = 0.0f, minus = 0.0f;
    for (uint32_t i = 0; i < vrmi_track_width(kind); ++i) {
        minus += (a[i] - b[i]) * (a[i] - b[i]);
        plus += (a[i] + b[i]) * (a[i] + b[i]);
    }
    // The angle between two rotations is about twice the distance of their quaternions, using the nearer sign.
    return vrmi_track_is_quat(kind) ? 2.0f * vrmi_sqrt(vrmi_min(plus, minus)) : vrmi_sqrt(minus);
}

static bool replaces(const vrm_clip *clip, const vrmi_clip_track *track, uint32_t from, uint32_t to, float tolerance)
{
    const float *times = times_of(clip, track), *a = key_of(clip, track, from), *b = key_of(clip, track, to);
    for (uint32_t key = from + 1; key < to; ++key) {
        const float s = (times[key] - times[from]) / (times[to] - times[from]);
        float between[4];
        if (vrmi_track_is_quat(track->kind)) {
            const vrm_quat q =
                vrmi_quat_slerp((vrm_quat){a[0], a[1], a[2], a[3]}, (vrm_quat){b[0], b[1], b[2], b[3]}, s);
            memcpy(between, &q, sizeof q);
        } else {
            for (uint32_t i = 0; i < vrmi_track_width(track->kind); ++i) {
                between[i] = vrmi_lerp(a[i], b[i], s);
            }
        }
        if (!(distance_of(track->kind, between, key_of(clip, track, key)) <= tolerance)) {
            return false;
        }
    }
    return true;
}

static float tolerance_of(const vrm_clip *clip, const vrmi_clip_track *track, float error)
{
    const float height = clip->head.hips_rest.y > 1e-3f ? clip->head.hips_rest.y : 1.0f;
    if (track->kind == VRMI_TRACK_EXPRESSION) {
        return error;
    }
    float length = 0.0f;
    uint32_t shares = 1;
    reach_of(clip, track->kind == VRMI_TRACK_ROTATION ? track->target : VRM_HUMAN_BONE_HIPS, &length, &shares);
    const float share = error * height / (float)(shares + 1); // + 1 for the hips' position
    return track->kind == VRMI_TRACK_ROTATION ? share / (length + 0.1f * height)
                                              : (track->kind == VRMI_TRACK_GAZE ? error : share);
}

static bool reduce_track(vrmi_clip_builder *builder, const vrm_clip *clip, const vrmi_clip_track *track, float error)
{
    enum { WINDOW = 256 }; // limits the number of keys to check for each kept key
    const uint32_t count = track->key_count, stride = vrmi_track_stride(track);
    const float tolerance = tolerance_of(clip, track, error);
    float *times, *values;
    if (!add_like(builder, track, count, &times, &values)) {
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t key = 0; key < count;) {
        times[kept] = times_of(clip, track)[key];
        memcpy(values + (size_t)kept++ * stride, key_of(clip, track, key), stride * sizeof(float));
        uint32_t next = key + 1;
        while (track->interpolation == VRMI_LINEAR && next + 1 < count && next + 1 - key < WINDOW &&
               replaces(clip, track, key, next + 1, tolerance)) {
            ++next;
        }
        key = next;
    }
    // A constant track needs only one key.
    if (kept == 2 && track->interpolation == VRMI_LINEAR &&
        distance_of(track->kind, values, values + stride) <= 0.5f * tolerance) {
        kept = 1;
    }
    ((vrmi_clip_track *)builder->tracks.items)[builder->tracks.count - 1].key_count = kept;
    vrmi_clip_builder_finish(builder);
    return true;
}

vrm_result vrm_clip_reduce(const vrm_clip *clip, float error, vrm_clip **out_clip)
{
    if (clip == NULL || out_clip == NULL || !(error > 0.0f) || !vrmi_finite(error)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_clip_builder builder;
    vrm_result result = begin(&builder, clip);
    builder.head.duration = clip->head.duration;
    for (uint32_t i = 0; i < clip->track_count && result == VRM_SUCCESS; ++i) {
        result = reduce_track(&builder, clip, &clip->tracks[i], error) ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    }
    return end(&builder, result, out_clip);
}
