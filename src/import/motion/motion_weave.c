// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/motion/motion_weave.h"

#include <string.h>

#include "math/quat.h"

enum {
    MOST_PIECES = 32,
    MOST_KEYS = 200000 // above this number of keys, none are inserted; 200,000 keys are an hour at 60 Hz
};

typedef struct sample {
    vrm_quat rotation;
    vrm_vec3 position;
} sample;

typedef struct weaver {
    const vrmi_weave *weave;
    const vrmi_weave_bone *bone;
    vrm_clip file; // the builder's tracks as a clip that can be sampled
    int32_t node, above;
    bool steps; // some node has a stepped track
    vrmi_array times;
} weaver;

static int32_t parent_of(const vrmi_weave *weave, int32_t node)
{
    return weave->gltf->nodes[node].parent;
}

static int32_t track_of(const vrmi_weave *weave, int32_t node, uint32_t path)
{
    return weave->track[(size_t)node * VRMI_PATH_COUNT + path];
}

int32_t vrmi_weave_above(const vrmi_weave *weave, int32_t bone)
{
    for (int32_t above = vrm_human_bone_parent((vrm_human_bone)bone); above >= 0;
         above = vrm_human_bone_parent((vrm_human_bone)above)) {
        int32_t node = weave->bone_node[above] >= 0 ? parent_of(weave, weave->bone_node[bone]) : -1;
        while (node >= 0 && node != weave->bone_node[above]) {
            node = parent_of(weave, node);
        }
        if (node >= 0) {
            return above;
        }
    }
    return -1;
}

static int32_t node_above(const vrmi_weave *weave, int32_t bone)
{
    const int32_t above = vrmi_weave_above(weave, bone);
    return above >= 0 ? weave->bone_node[above] : -1;
}

bool vrmi_weave_is_moved(const vrmi_weave *weave, int32_t bone, bool position)
{
    const int32_t end = node_above(weave, bone);
    for (int32_t node = parent_of(weave, weave->bone_node[bone]); node >= 0 && node != end;
         node = parent_of(weave, node)) {
        if (track_of(weave, node, VRMI_PATH_ROTATION) >= 0 ||
            (position &&
                (track_of(weave, node, VRMI_PATH_TRANSLATION) >= 0 || track_of(weave, node, VRMI_PATH_SCALE) >= 0))) {
            return true;
        }
    }
    return false;
}

// --- values ----------------------------------------------------------------------------------------------------------

static vrm_transform local_at(const weaver *w, int32_t node, float time)
{
    vrm_transform local = w->weave->gltf->nodes[node].local;
    float *parts[VRMI_PATH_COUNT] = {&local.translation.x, &local.rotation.x, &local.scale.x};
    for (uint32_t path = 0; path < VRMI_PATH_COUNT; ++path) {
        const int32_t track = track_of(w->weave, node, path);
        if (track >= 0) {
            vrmi_clip_sample_track(&w->file, (uint32_t)track, time, NULL, parts[path]);
        }
    }
    local.rotation = vrmi_quat_normalize(local.rotation);
    return local;
}

static sample sample_at(const weaver *w, float time)
{
    vrm_transform local = local_at(w, w->node, time);
    vrm_quat rotation = local.rotation;
    vrm_vec3 position = local.translation;
    for (int32_t node = parent_of(w->weave, w->node); node >= 0 && node != w->above; node = parent_of(w->weave, node)) {
        local = local_at(w, node, time);
        rotation = vrmi_quat_mul(local.rotation, rotation);
        const vrm_vec3 scaled = {position.x * local.scale.x, position.y * local.scale.y, position.z * local.scale.z};
        position = vrmi_vec3_add(local.translation, vrmi_quat_rotate(local.rotation, scaled));
    }
    return (sample){vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_mul(w->bone->before, rotation), w->bone->after)),
        vrmi_quat_rotate(w->bone->basis, position)};
}

// --- times -----------------------------------------------------------------------------------------------------------

static bool push_time(vrmi_array *times, const vrm_allocator *allocator, float time)
{
    float *slot = vrmi_array_push(times, allocator);
    if (slot != NULL) {
        *slot = time;
    }
    return slot != NULL;
}

// Merges two increasing lists of times and removes duplicates.
static bool merge_times(vrmi_array *times, const vrm_allocator *allocator, const float *more, uint32_t count)
{
    vrmi_array merged = {.item_size = sizeof(float)};
    const float *own = times->items;
    uint32_t a = 0, b = 0;
    bool fits = true;
    while (fits && (a < times->count || b < count)) {
        const bool first = b >= count || (a < times->count && own[a] <= more[b]);
        const float next = first ? own[a++] : more[b++];
        if (merged.count == 0 || next > ((const float *)merged.items)[merged.count - 1]) {
            fits = push_time(&merged, allocator, next);
        }
    }
    vrmi_array_free(times, allocator);
    *times = merged;
    return fits;
}

static bool collect_times(weaver *w, const vrm_allocator *allocator)
{
    for (int32_t node = w->node; node >= 0 && node != w->above; node = parent_of(w->weave, node)) {
        for (uint32_t path = 0; path < VRMI_PATH_COUNT; ++path) {
            const int32_t track = track_of(w->weave, node, path);
            if (track < 0 || (!w->bone->position && path != VRMI_PATH_ROTATION)) {
                continue;
            }
            const vrmi_clip_track *row = &w->file.tracks[track];
            w->steps = w->steps || row->interpolation == VRMI_STEP;
            if (!merge_times(&w->times, allocator, w->file.floats + row->times, row->key_count)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_near(const weaver *w, sample a, sample b)
{
    if (w->bone->position) {
        return vrmi_vec3_length(vrmi_vec3_sub(a.position, b.position)) < 1e-4f;
    }
    const vrm_quat p = a.rotation, q = b.rotation;
    const float side = vrmi_quat_dot(p, q) < 0.0f ? -1.0f : 1.0f;
    const vrm_quat off = {p.x - side * q.x, p.y - side * q.y, p.z - side * q.z, p.w - side * q.w};
    return vrmi_quat_dot(off, off) < 2.6e-4f * 2.6e-4f; // half of 0.03 degrees in radians
}

static float between(float from, float to, uint32_t part, uint32_t parts)
{
    return from + (to - from) * ((float)part / (float)parts);
}

// Returns the number of equal pieces between two keys that make linear interpolation accurate enough.
static uint32_t pieces_of(const weaver *w, float from, float to)
{
    for (uint32_t pieces = 1; pieces < MOST_PIECES; pieces *= 2) {
        bool near = true;
        sample start = sample_at(w, from);
        for (uint32_t i = 0; i < pieces && near; ++i) {
            const float begin = between(from, to, i, pieces), end = between(from, to, i + 1, pieces);
            const sample stop = sample_at(w, end);
            const sample line = {vrmi_quat_slerp(start.rotation, stop.rotation, 0.5f),
                vrmi_vec3_lerp(start.position, stop.position, 0.5f)};
            near = is_near(w, line, sample_at(w, begin + 0.5f * (end - begin)));
            start = stop;
        }
        if (near) {
            return pieces;
        }
    }
    return MOST_PIECES;
}

static bool refine_times(weaver *w, const vrm_allocator *allocator)
{
    vrmi_array fine = {.item_size = sizeof(float)};
    const float *times = w->times.items;
    bool fits = true;
    for (uint32_t i = 0; fits && i < w->times.count; ++i) {
        fits = push_time(&fine, allocator, times[i]);
        if (i + 1 == w->times.count || fine.count > MOST_KEYS) {
            continue;
        }
        // With stepped tracks, the jump at a key takes the last thousandth of the interval before it.
        const float end = w->steps ? times[i + 1] - 1e-3f * (times[i + 1] - times[i]) : times[i + 1];
        const uint32_t pieces = pieces_of(w, times[i], end);
        for (uint32_t p = 1; fits && p < pieces; ++p) {
            fits = push_time(&fine, allocator, between(times[i], end, p, pieces));
        }
        fits = fits && (!w->steps || push_time(&fine, allocator, end));
    }
    vrmi_array_free(&w->times, allocator);
    w->times = fine;
    return fits;
}

// --- the track -------------------------------------------------------------------------------------------------------

static vrm_result write_track(const weaver *w, vrmi_clip_builder *builder)
{
    const vrmi_clip_track track = {.kind = w->bone->position ? VRMI_TRACK_HIPS : VRMI_TRACK_ROTATION,
        .target = w->bone->bone,
        .interpolation = VRMI_LINEAR,
        .key_count = w->times.count};
    float *times, *values;
    if (!vrmi_clip_builder_track(builder, &track, &times, &values)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < track.key_count; ++i) {
        times[i] = ((const float *)w->times.items)[i];
        const sample s = sample_at(w, times[i]);
        if (w->bone->position) {
            memcpy(values + (size_t)i * 3, &s.position, sizeof s.position);
        } else {
            memcpy(values + (size_t)i * 4, &s.rotation, sizeof s.rotation);
        }
    }
    (void)vrmi_clip_builder_finish(builder);
    return VRM_SUCCESS;
}

vrm_result vrmi_weave_add(const vrmi_weave *weave, const vrmi_weave_bone *bone, vrmi_clip_builder *builder)
{
    weaver w = {.weave = weave,
        .bone = bone,
        .file = {.track_count = weave->file.tracks.count,
            .tracks = weave->file.tracks.items,
            .floats = weave->file.floats.items},
        .node = weave->bone_node[bone->bone],
        .above = node_above(weave, (int32_t)bone->bone),
        .times = {.item_size = sizeof(float)}};
    const vrm_allocator *allocator = &builder->allocator;
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    if (collect_times(&w, allocator) && refine_times(&w, allocator)) {
        result = write_track(&w, builder);
    }
    vrmi_array_free(&w.times, allocator);
    return result;
}
