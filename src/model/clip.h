// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_CLIP_H
#define VRMI_MODEL_CLIP_H

// Internals of a clip: tracks over one array of floats, in one immutable block. Rotations are converted to normalized
// ones at import. This keeps interpolation and spline tangents valid, because N = P q W^-1 is linear in q, and a player
// does not need the file's skeleton.

#include <vrm/clip.h>

#include "base/array.h"
#include "model/pose_lanes.h"

typedef enum vrmi_track_kind {
    VRMI_TRACK_ROTATION,   // target: vrm_human_bone; 4 floats
    VRMI_TRACK_HIPS,       // 3 floats, in the model space of the clip's skeleton
    VRMI_TRACK_EXPRESSION, // target: index of the clip's expression; 1 float
    VRMI_TRACK_GAZE        // 4 floats: the look-at node's rotation
} vrmi_track_kind;

typedef enum vrmi_interpolation { VRMI_STEP, VRMI_LINEAR, VRMI_CUBIC } vrmi_interpolation;

typedef struct vrmi_clip_track {
    uint32_t kind, target;
    uint32_t interpolation;
    uint32_t key_count; // never 0
    // Index of the first time and of the first value; a cubic key is in-tangent, value, out-tangent.
    uint64_t times, values;
} vrmi_clip_track;

typedef struct vrmi_clip_expression {
    uint32_t name, length; // range in the names
    int32_t preset;        // vrm_expression_preset, or -1
} vrmi_clip_expression;

typedef struct vrmi_clip_marker {
    float time;
    uint32_t name, length; // range in the names
} vrmi_clip_marker;

// The fields of a clip that are not tables.
typedef struct vrmi_clip_head {
    float duration;
    uint32_t additive;
    uint32_t name, name_length;
    vrm_vec3 hips_rest;
    // Bones of `rest`, as a bit mask; bones that the source does not have are missing. `rest` is the T-pose in model
    // space, for writing files.
    uint64_t skeleton;
    vrm_vec3 rest[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 look_offset; // offsetFromHeadBone
} vrmi_clip_head;

struct vrm_clip {
    vrm_allocator allocator;
    size_t allocated;
    uint32_t references; // atomic
    uint32_t track_count, expression_count;
    uint64_t float_count, hash;
    vrmi_clip_head head;
    uint64_t bones;
    int32_t bone_track[VRM_HUMAN_BONE_COUNT]; // index, or -1
    int32_t hips_track, gaze_track;
    const vrmi_clip_track *tracks;
    const vrmi_clip_expression *expressions;
    const vrmi_clip_marker *markers; // sorted by time
    uint32_t marker_count;
    const int32_t *expression_track; // index of the track, by expression
    const float *floats;
    // The bank is a second copy of the linear rotation tracks that share their key times, stored frame by frame for
    // kernels that sample eight bones at a time. A frame contains the groups of these bones one after the other. Each
    // key has the quaternion sign that is nearer to the previous key. In most files the bank has all tracks.
    uint64_t bank_bones;  // bones in the bank; 0: there is no bank
    uint32_t bank_track;  // a track with the shared times
    uint32_t bank_groups; // vrmi_pose_groups() of bank_bones
    const float *bank;
    const char *names;
};

static inline uint32_t vrmi_track_width(uint32_t kind)
{
    return kind == VRMI_TRACK_HIPS ? 3u : (kind == VRMI_TRACK_EXPRESSION ? 1u : 4u);
}

static inline bool vrmi_track_is_quat(uint32_t kind)
{
    return kind == VRMI_TRACK_ROTATION || kind == VRMI_TRACK_GAZE;
}

// Number of floats in one key.
static inline uint32_t vrmi_track_stride(const vrmi_clip_track *track)
{
    return vrmi_track_width(track->kind) * (track->interpolation == VRMI_CUBIC ? 3u : 1u);
}

// Returns the last key at or before `time`, or the first key if `time` is before all keys. Also returns the fraction of
// the way to the next key, from 0 to below 1.
uint32_t vrmi_clip_find_key(const vrm_clip *clip, uint32_t track, float time, uint32_t *cursor, float *out_part);
// Number of floats in one frame of the bank.
static inline uint32_t vrmi_clip_bank_stride(const vrm_clip *clip)
{
    uint32_t stride = 0;
    for (uint32_t groups = clip->bank_groups; groups != 0; groups &= groups - 1) {
        stride += VRMI_POSE_GROUP_FLOATS;
    }
    return stride;
}

// Samples a track. `cursor` (may be NULL) remembers the key, so that forward playback finds the next key at once.
void vrmi_clip_sample_track(const vrm_clip *clip, uint32_t track, float time, uint32_t *cursor, float *out);
// Computes yaw (+ left) and pitch (+ down) of a gaze rotation: intrinsic YXZ.
void vrmi_clip_gaze_angles(vrm_quat rotation, float *out_yaw, float *out_pitch);

// --- making (clip_builder.c, not in libvrm-runtime) ------------------------------------------------------------------

typedef struct vrmi_clip_builder {
    vrm_allocator allocator;
    bool out_of_memory;
    vrmi_clip_head head;
    vrmi_array tracks;      // vrmi_clip_track
    vrmi_array expressions; // vrmi_clip_expression
    vrmi_array markers;     // vrmi_clip_marker
    vrmi_array floats;
    vrmi_array names;
} vrmi_clip_builder;

void vrmi_clip_builder_init(vrmi_clip_builder *builder, const vrm_allocator *allocator);
void vrmi_clip_builder_free(vrmi_clip_builder *builder);
// Copies the text; returns its offset in the names.
uint32_t vrmi_clip_builder_name(vrmi_clip_builder *builder, const char *text, size_t length);
// Returns the index of the expression with this name, and adds the expression if it is new.
uint32_t vrmi_clip_builder_expression(vrmi_clip_builder *builder, const char *name, size_t length, int32_t preset);
// Adds a marker; a time that is negative or not finite becomes 0. Returns false if memory runs out.
bool vrmi_clip_builder_marker(vrmi_clip_builder *builder, float time, const char *name, size_t length);
// Adds a track of zeros. The pointers to its times and values are valid until the next track is added. Returns false if
// memory runs out.
bool vrmi_clip_builder_track(
    vrmi_clip_builder *builder, const vrmi_clip_track *track, float **out_times, float **out_values);
// Returns the largest set of bones whose linear tracks share the same times, as a bit mask, and one of these tracks.
// Returns 0 if a bank is not worthwhile.
uint64_t vrmi_clip_bank_bones(const vrmi_clip_builder *builder, uint32_t *out_track);
// Returns the size of the bank of these bones, in floats.
uint64_t vrmi_clip_bank_size(uint64_t bones, uint32_t keys);
// Fills the bank from the clip's tracks.
void vrmi_clip_bank_fill(const vrm_clip *clip, float *bank);
// Makes the last track valid: a key whose time does not increase is dropped, numbers become finite, rotations become
// unit quaternions. Returns the number of dropped keys. If two tracks have the same target, the clip uses the first.
uint32_t vrmi_clip_builder_finish(vrmi_clip_builder *builder);
// Packs the clip, which then has one reference. Its duration is the time of the last key, unless head.duration is
// longer.
vrm_result vrmi_clip_pack(const vrmi_clip_builder *builder, vrm_clip **out_clip);
// Copies a clip's head, expressions, markers and names, but not its tracks.
bool vrmi_clip_builder_like(vrmi_clip_builder *builder, const vrm_clip *clip);

#endif
