// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Collects the data of a clip and packs it into one block.

#include <string.h>

#include "base/allocator.h"
#include "base/checks.h"
#include "math/quat.h"
#include "model/clip.h"

#define BLOCK_ALIGNMENT 64u
#define TABLE_ALIGNMENT 16u

void vrmi_clip_builder_init(vrmi_clip_builder *builder, const vrm_allocator *allocator)
{
    memset(builder, 0, sizeof *builder);
    vrmi_resolve_allocator(allocator, &builder->allocator);
    builder->tracks.item_size = sizeof(vrmi_clip_track);
    builder->expressions.item_size = sizeof(vrmi_clip_expression);
    builder->markers.item_size = sizeof(vrmi_clip_marker);
    builder->floats.item_size = sizeof(float);
    builder->names.item_size = 1;
}

void vrmi_clip_builder_free(vrmi_clip_builder *builder)
{
    vrmi_array_free(&builder->tracks, &builder->allocator);
    vrmi_array_free(&builder->expressions, &builder->allocator);
    vrmi_array_free(&builder->markers, &builder->allocator);
    vrmi_array_free(&builder->floats, &builder->allocator);
    vrmi_array_free(&builder->names, &builder->allocator);
}

uint32_t vrmi_clip_builder_name(vrmi_clip_builder *builder, const char *text, size_t length)
{
    const uint32_t at = builder->names.count;
    if (length >= UINT32_MAX || !vrmi_array_reserve(&builder->names, &builder->allocator, (uint32_t)length + 1)) {
        builder->out_of_memory = true;
        return 0;
    }
    char *to = (char *)builder->names.items + at;
    if (length != 0) {
        memcpy(to, text, length);
    }
    to[length] = '\0';
    builder->names.count += (uint32_t)length + 1;
    return at;
}

uint32_t vrmi_clip_builder_expression(vrmi_clip_builder *builder, const char *name, size_t length, int32_t preset)
{
    const vrmi_clip_expression *rows = builder->expressions.items;
    for (uint32_t i = 0; i < builder->expressions.count; ++i) {
        if (rows[i].length == length && rows[i].preset == preset &&
            memcmp((const char *)builder->names.items + rows[i].name, name, length) == 0) {
            return i;
        }
    }
    const uint32_t text = vrmi_clip_builder_name(builder, name, length);
    vrmi_clip_expression *row = vrmi_array_push(&builder->expressions, &builder->allocator);
    if (row == NULL) {
        builder->out_of_memory = true;
        return 0;
    }
    *row = (vrmi_clip_expression){text, (uint32_t)length, preset};
    return builder->expressions.count - 1;
}

bool vrmi_clip_builder_marker(vrmi_clip_builder *builder, float time, const char *name, size_t length)
{
    const uint32_t text = vrmi_clip_builder_name(builder, name, length);
    vrmi_clip_marker *rows = vrmi_array_push(&builder->markers, &builder->allocator);
    if (rows == NULL) {
        builder->out_of_memory = true;
        return false;
    }
    // Inserts the marker in order of time: there are few markers, and usually they arrive sorted.
    rows = builder->markers.items;
    uint32_t at = builder->markers.count - 1;
    time = vrmi_finite(time) && time > 0.0f ? time : 0.0f;
    for (; at > 0 && rows[at - 1].time > time; --at) {
        rows[at] = rows[at - 1];
    }
    rows[at] = (vrmi_clip_marker){time, text, (uint32_t)length};
    return !builder->out_of_memory;
}

bool vrmi_clip_builder_track(
    vrmi_clip_builder *builder, const vrmi_clip_track *track, float **out_times, float **out_values)
{
    const uint64_t more = (uint64_t)track->key_count * (1u + vrmi_track_stride(track));
    vrmi_clip_track *row = NULL;
    if (track->key_count != 0 && more <= UINT32_MAX &&
        vrmi_array_reserve(&builder->floats, &builder->allocator, (uint32_t)more)) {
        row = vrmi_array_push(&builder->tracks, &builder->allocator);
    }
    if (row == NULL) {
        builder->out_of_memory = true;
        return false;
    }
    *row = *track;
    row->times = builder->floats.count;
    row->values = row->times + track->key_count;
    float *floats = (float *)builder->floats.items + builder->floats.count;
    memset(floats, 0, (size_t)more * sizeof(float));
    builder->floats.count += (uint32_t)more;
    *out_times = floats;
    *out_values = floats + track->key_count;
    return true;
}

// Makes numbers finite and rotations unit quaternions. A spline's rotation need not be unit, because it is normalised
// after interpolation.
static void clean_key(const vrmi_clip_track *track, float *key)
{
    const uint32_t width = vrmi_track_width(track->kind), stride = vrmi_track_stride(track);
    for (uint32_t i = 0; i < stride; ++i) {
        key[i] = vrmi_finite(key[i]) ? key[i] : 0.0f;
    }
    if (!vrmi_track_is_quat(track->kind)) {
        return;
    }
    float *value = key + (stride > width ? width : 0);
    const vrm_quat q = {value[0], value[1], value[2], value[3]};
    const float squared = vrmi_quat_dot(q, q);
    if (stride == width ? !(vrmi_abs(squared - 1.0f) < 1e-6f) : !(squared > 1e-12f)) {
        const vrm_quat unit = vrmi_quat_normalize(q);
        memcpy(value, &unit, sizeof unit);
    }
}

uint32_t vrmi_clip_builder_finish(vrmi_clip_builder *builder)
{
    vrmi_clip_track *track = (vrmi_clip_track *)builder->tracks.items + builder->tracks.count - 1;
    float *times = (float *)builder->floats.items + track->times;
    float *values = (float *)builder->floats.items + track->values;
    const uint32_t stride = vrmi_track_stride(track), count = track->key_count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!vrmi_finite(times[i]) || (kept > 0 && !(times[i] > times[kept - 1]))) {
            continue;
        }
        times[kept] = times[i];
        memmove(values + (size_t)kept * stride, values + (size_t)i * stride, stride * sizeof(float));
        clean_key(track, values + (size_t)kept * stride);
        ++kept;
    }
    if (kept == 0) { // no key has a valid time: keep the first value, at time 0
        times[0] = 0.0f;
        clean_key(track, values);
        kept = 1;
    }
    track->key_count = kept;
    return count - kept;
}

// Reserves space for a table after the tables before it. Returns false if offsets overflow.
static bool place(size_t *end, size_t count, size_t item_size, size_t *out_offset)
{
    size_t bytes = 0;
    *out_offset = *end;
    return vrmi_mul_size(count, item_size, &bytes) && vrmi_add_size(*end, bytes, end) &&
           vrmi_add_size(*end, TABLE_ALIGNMENT - 1, end) && (*end &= ~(size_t)(TABLE_ALIGNMENT - 1), true);
}

static void *put(char *block, size_t offset, const vrmi_array *array)
{
    if (array->count != 0) {
        memcpy(block + offset, array->items, (size_t)array->count * array->item_size);
    }
    return block + offset;
}

// FNV-1a hash of everything that affects playback.
static uint64_t hash_of(const vrm_clip *clip)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    const unsigned char *bytes = (const unsigned char *)clip->floats;
    for (uint64_t i = 0; i < clip->float_count * sizeof(float); i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, 4);
        hash = (hash ^ word) * UINT64_C(1099511628211);
    }
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        const uint32_t words[3] = {clip->tracks[i].kind, clip->tracks[i].target, clip->tracks[i].key_count};
        for (int k = 0; k < 3; ++k) {
            hash = (hash ^ words[k]) * UINT64_C(1099511628211);
        }
    }
    return hash;
}

// Assigns tracks to their targets and computes the clip's duration. If two tracks have the same target, the first is
// used.
static void link_tracks(vrm_clip *clip, int32_t *expression_track)
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        clip->bone_track[bone] = -1;
    }
    clip->hips_track = clip->gaze_track = -1;
    for (uint32_t i = 0; i < clip->expression_count; ++i) {
        expression_track[i] = -1;
    }
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        const vrmi_clip_track *track = &clip->tracks[i];
        int32_t *slot = track->kind == VRMI_TRACK_ROTATION ? &clip->bone_track[track->target]
                        : track->kind == VRMI_TRACK_HIPS   ? &clip->hips_track
                        : track->kind == VRMI_TRACK_GAZE   ? &clip->gaze_track
                                                           : &expression_track[track->target];
        if (*slot < 0) {
            *slot = (int32_t)i;
        }
        if (track->kind == VRMI_TRACK_ROTATION) {
            clip->bones |= UINT64_C(1) << track->target;
        }
        clip->head.duration = vrmi_max(clip->head.duration, clip->floats[track->times + track->key_count - 1]);
    }
}

vrm_result vrmi_clip_pack(const vrmi_clip_builder *builder, vrm_clip **out_clip)
{
    *out_clip = NULL;
    if (builder->out_of_memory) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    size_t end = (sizeof(vrm_clip) + TABLE_ALIGNMENT - 1) & ~(size_t)(TABLE_ALIGNMENT - 1);
    size_t tracks, expressions, markers, links, floats, bank, names;
    uint32_t bank_track = 0;
    const uint64_t bank_bones = vrmi_clip_bank_bones(builder, &bank_track);
    const uint32_t bank_keys =
        bank_bones != 0 ? ((const vrmi_clip_track *)builder->tracks.items)[bank_track].key_count : 0;
    if (!place(&end, builder->tracks.count, sizeof(vrmi_clip_track), &tracks) ||
        !place(&end, builder->expressions.count, sizeof(vrmi_clip_expression), &expressions) ||
        !place(&end, builder->markers.count, sizeof(vrmi_clip_marker), &markers) ||
        !place(&end, builder->expressions.count, sizeof(int32_t), &links) ||
        !place(&end, builder->floats.count, sizeof(float), &floats) ||
        !place(&end, (size_t)vrmi_clip_bank_size(bank_bones, bank_keys), sizeof(float), &bank) ||
        !place(&end, builder->names.count + 1u, 1, &names)) {
        return VRM_ERROR_LIMIT;
    }
    char *block = vrmi_allocate(&builder->allocator, end, BLOCK_ALIGNMENT);
    if (block == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memset(block, 0, floats);
    memset(block + names, 0, end - names);
    vrm_clip *clip = (vrm_clip *)(void *)block;
    clip->allocator = builder->allocator;
    clip->allocated = end;
    clip->references = 1;
    clip->head = builder->head;
    clip->track_count = builder->tracks.count;
    clip->expression_count = builder->expressions.count;
    clip->float_count = builder->floats.count;
    clip->tracks = put(block, tracks, &builder->tracks);
    clip->expressions = put(block, expressions, &builder->expressions);
    clip->markers = put(block, markers, &builder->markers);
    clip->marker_count = builder->markers.count;
    clip->floats = put(block, floats, &builder->floats);
    clip->names = put(block, names, &builder->names);
    clip->expression_track = (int32_t *)(void *)(block + links);
    link_tracks(clip, (int32_t *)(void *)(block + links));
    clip->hash = hash_of(clip);
    clip->bank_bones = bank_bones;
    clip->bank_track = bank_track;
    clip->bank_groups = vrmi_pose_groups(bank_bones);
    clip->bank = (float *)(void *)(block + bank);
    vrmi_clip_bank_fill(clip, (float *)(void *)(block + bank));
    *out_clip = clip;
    return VRM_SUCCESS;
}

bool vrmi_clip_builder_like(vrmi_clip_builder *builder, const vrm_clip *clip)
{
    builder->head = clip->head;
    builder->head.duration = 0.0f;
    builder->head.name = vrmi_clip_builder_name(builder, clip->names + clip->head.name, clip->head.name_length);
    for (uint32_t i = 0; i < clip->expression_count; ++i) {
        const vrmi_clip_expression *row = &clip->expressions[i];
        vrmi_clip_builder_expression(builder, clip->names + row->name, row->length, row->preset);
    }
    for (uint32_t i = 0; i < clip->marker_count; ++i) {
        const vrmi_clip_marker *row = &clip->markers[i];
        vrmi_clip_builder_marker(builder, row->time, clip->names + row->name, row->length);
    }
    return !builder->out_of_memory;
}
