// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts built-in motions to clips: each is sampled for the bones that the avatar has, with a key at every sample.

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "model/clip.h"
#include "motion/motions.h"

static const char *const names[VRM_MOTION_COUNT] = {"idle", "walk", "run", "wave", "bow", "sit-down", "stand-up"};

// Keys per second: gaits are fast, and planted feet need dense keys; gestures are slow.
static const float gait_rate = 60.0f, gesture_rate = 30.0f;

const char *vrm_motion_name(vrm_motion motion)
{
    return (unsigned)motion < VRM_MOTION_COUNT ? names[motion] : "";
}

int32_t vrm_motion_from_name(const char *name, size_t length)
{
    for (int32_t i = 0; i < VRM_MOTION_COUNT; ++i) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
            return i;
        }
    }
    return -1;
}

static bool is_gait(vrm_motion motion)
{
    return motion == VRM_MOTION_WALK || motion == VRM_MOTION_RUN;
}

bool vrm_motion_is_loop(vrm_motion motion)
{
    return is_gait(motion) || motion == VRM_MOTION_IDLE;
}

void(vrm_motion_def_default)(vrm_motion_def *def, size_t size)
{
    const vrm_motion_def own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

// The motion being sampled.
typedef struct making {
    vrmi_figure figure;
    vrmi_gait gait;
    vrm_motion motion;
    bool in_place;
    float duration;
    uint32_t keys;
} making;

static bool choose(const vrm_motion_def *given, vrm_motion_def *def, making *out)
{
    vrm_motion_def_default(def);
    if (given == NULL || !VRMI_READ_OPTIONS(vrm_motion_def, def, given) || def->avatar == NULL ||
        (unsigned)def->motion >= VRM_MOTION_COUNT || !vrmi_finite(def->speed) ||
        !vrmi_figure_init(&out->figure, def->avatar, def->ragdoll)) {
        return false;
    }
    out->motion = def->motion;
    out->in_place = def->in_place;
    void (*const gait)(const vrmi_figure *, float, vrmi_gait *) =
        def->motion == VRM_MOTION_RUN ? vrmi_gait_run : vrmi_gait_walk;
    if (is_gait(def->motion)) {
        gait(&out->figure, 0.0f, &out->gait);
        const float part = def->speed / out->gait.speed;
        if (def->speed != 0.0f) {
            if (!(part >= 0.2f && part <= 3.0f)) {
                return false;
            }
            gait(&out->figure, def->speed, &out->gait);
        }
    }
    return true;
}

static void pose_at(const making *m, float time, vrmi_figure_pose *out)
{
    switch (m->motion) {
    case VRM_MOTION_WALK:
    case VRM_MOTION_RUN: {
        const float part = time / m->gait.period;
        vrmi_gait_pose(&m->figure, &m->gait, part < 1.0f ? part : 0.0f, out);
        out->hips.z += m->in_place ? 0.0f : m->gait.speed * time;
        break;
    }
    case VRM_MOTION_WAVE:
        vrmi_wave_pose(&m->figure, time, out);
        break;
    case VRM_MOTION_BOW:
        vrmi_bow_pose(&m->figure, time, out);
        break;
    case VRM_MOTION_SIT_DOWN:
        vrmi_sit_pose(&m->figure, time, out);
        break;
    case VRM_MOTION_STAND_UP:
        vrmi_sit_pose(&m->figure, m->duration - time, out);
        break;
    default:
        vrmi_idle_pose(&m->figure, time < m->duration ? time : 0.0f, out);
        break;
    }
}

static float duration_of(const making *m)
{
    switch (m->motion) {
    case VRM_MOTION_WALK:
    case VRM_MOTION_RUN:
        return m->gait.period;
    case VRM_MOTION_WAVE:
        return vrmi_wave_seconds;
    case VRM_MOTION_BOW:
        return vrmi_bow_seconds;
    case VRM_MOTION_SIT_DOWN:
    case VRM_MOTION_STAND_UP:
        return vrmi_sit_seconds;
    default:
        return vrmi_idle_seconds;
    }
}

// Clips do not rotate the eyes or the jaw, which follow the gaze and the mouth.
static bool is_moved(const vrmi_figure *figure, int bone)
{
    return figure->there[bone] && bone != VRM_HUMAN_BONE_LEFT_EYE && bone != VRM_HUMAN_BONE_RIGHT_EYE &&
           bone != VRM_HUMAN_BONE_JAW;
}

static void fill_head(const making *m, vrmi_clip_builder *builder)
{
    vrmi_clip_head *head = &builder->head;
    const char *name = names[m->motion];
    head->duration = m->duration;
    head->name = vrmi_clip_builder_name(builder, name, strlen(name));
    head->name_length = (uint32_t)strlen(name);
    head->hips_rest = m->figure.rest[VRM_HUMAN_BONE_HIPS];
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (m->figure.there[bone]) {
            head->skeleton |= UINT64_C(1) << bone;
            head->rest[bone] = m->figure.rest[bone];
        }
    }
    if (is_gait(m->motion)) {
        (void)vrmi_clip_builder_marker(builder, 0.0f, "left", 4);
        (void)vrmi_clip_builder_marker(builder, 0.5f * m->duration, "right", 5);
    }
}

static float key_time(const making *m, uint32_t key)
{
    return m->duration * (float)key / (float)(m->keys - 1);
}

// Adds a track for the rotation of a bone, or for the position of the hips (`bone` -1). `poses` are the samples.
static bool add_track(const making *m, const vrmi_figure_pose *poses, int bone, vrmi_clip_builder *builder)
{
    const vrmi_clip_track track = {.kind = (uint32_t)(bone < 0 ? VRMI_TRACK_HIPS : VRMI_TRACK_ROTATION),
        .target = bone < 0 ? 0 : (uint32_t)bone,
        .interpolation = VRMI_LINEAR,
        .key_count = m->keys};
    const size_t width = bone < 0 ? 3 : 4;
    float *times, *values;
    if (!vrmi_clip_builder_track(builder, &track, &times, &values)) {
        return false;
    }
    for (uint32_t key = 0; key < m->keys; ++key) {
        const void *from = bone < 0 ? (const void *)&poses[key].hips : (const void *)&poses[key].turns[bone];
        times[key] = key_time(m, key);
        memcpy(values + (size_t)key * width, from, width * sizeof(float));
    }
    vrmi_clip_builder_finish(builder);
    return true;
}

static vrm_result build(const making *m, vrmi_clip_builder *builder, vrm_clip **out_clip)
{
    const size_t size = (size_t)m->keys * sizeof(vrmi_figure_pose);
    vrmi_figure_pose *poses = vrmi_allocate(&builder->allocator, size, 16);
    if (poses == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t key = 0; key < m->keys; ++key) {
        pose_at(m, key_time(m, key), &poses[key]);
    }
    fill_head(m, builder);
    bool done = add_track(m, poses, -1, builder);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT && done; ++bone) {
        done = !is_moved(&m->figure, bone) || add_track(m, poses, bone, builder);
    }
    vrmi_release(&builder->allocator, poses, size);
    return done && !builder->out_of_memory ? vrmi_clip_pack(builder, out_clip) : VRM_ERROR_OUT_OF_MEMORY;
}

vrm_result vrm_motion_create(const vrm_motion_def *given, vrm_clip **out_clip)
{
    if (out_clip == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_clip = NULL;
    vrm_motion_def def;
    making m = {0};
    if (!choose(given, &def, &m)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    m.duration = duration_of(&m);
    m.keys = (uint32_t)(m.duration * (is_gait(m.motion) ? gait_rate : gesture_rate) + 0.5f) + 1;
    m.keys = m.keys > 1 ? m.keys : 2;
    vrmi_clip_builder builder;
    vrmi_clip_builder_init(&builder, &def.allocator);
    const vrm_result result = build(&m, &builder, out_clip);
    vrmi_clip_builder_free(&builder);
    return result;
}

float vrm_motion_get_speed(const vrm_motion_def *given)
{
    vrm_motion_def def;
    making m = {0};
    return choose(given, &def, &m) && is_gait(def.motion) ? m.gait.speed : 0.0f;
}
