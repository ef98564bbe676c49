// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Markers of clips: sets them, and moves them when an operation changes time.

#include "import/motion/clip_markers.h"

#include <string.h>

void vrmi_clip_builder_move_markers(vrmi_clip_builder *builder, float start, float stop, bool backwards)
{
    vrmi_clip_marker *rows = builder->markers.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < builder->markers.count; ++i) {
        if (rows[i].time >= start && rows[i].time <= stop) {
            rows[kept] = rows[i];
            rows[kept++].time = backwards ? stop - rows[i].time : rows[i].time - start;
        }
    }
    builder->markers.count = kept;
    for (uint32_t i = 0; backwards && i < kept / 2; ++i) {
        const vrmi_clip_marker row = rows[i];
        rows[i] = rows[kept - 1 - i];
        rows[kept - 1 - i] = row;
    }
}

// Copies the duration and all tracks of a clip into a builder that vrmi_clip_builder_like() has prepared.
static bool copy_tracks(vrmi_clip_builder *builder, const vrm_clip *clip)
{
    builder->head.duration = clip->head.duration;
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        const vrmi_clip_track *track = &clip->tracks[i];
        float *times, *values;
        if (!vrmi_clip_builder_track(builder, track, &times, &values)) {
            return false;
        }
        memcpy(times, clip->floats + track->times, track->key_count * sizeof(float));
        memcpy(
            values, clip->floats + track->values, (size_t)track->key_count * vrmi_track_stride(track) * sizeof(float));
    }
    return true;
}

vrm_result vrm_clip_set_markers(
    const vrm_clip *clip, const vrm_clip_marker *markers, uint32_t count, vrm_clip **out_clip)
{
    if (clip == NULL || out_clip == NULL || (markers == NULL && count != 0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!(markers[i].time >= 0.0f && markers[i].time <= clip->head.duration) ||
            (markers[i].name.data == NULL && markers[i].name.length != 0)) {
            return VRM_ERROR_INVALID_ARGUMENT;
        }
    }
    vrmi_clip_builder builder;
    vrmi_clip_builder_init(&builder, &clip->allocator);
    bool good = vrmi_clip_builder_like(&builder, clip) && copy_tracks(&builder, clip);
    builder.markers.count = 0;
    for (uint32_t i = 0; i < count && good; ++i) {
        good = vrmi_clip_builder_marker(&builder, markers[i].time, markers[i].name.data, markers[i].name.length);
    }
    const vrm_result result = good ? vrmi_clip_pack(&builder, out_clip) : VRM_ERROR_OUT_OF_MEMORY;
    vrmi_clip_builder_free(&builder);
    return result;
}
