// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_CLIP_DAMAGE_H
#define TESTS_CLIP_DAMAGE_H

// Random damage to motions, .vrma and BVH, and what must come of it: a report, or a clip that plays and gives finite numbers.
// The suite takes a few hundred seeds, scripts/campaign/clips.c ten thousand for each file.

#include "clip_fixture.h"
#include "damage.h"

// Damage of a text, which has no chunks: cut off, bytes and digits changed, pieces moved.
static inline size_t damage_text(test_random *random, uint8_t *bytes, size_t size)
{
    static const char letters[] = "0123456789-.eE{}\n XYZROTMnai";
    const uint32_t times_more = test_random_below(random, 8) + 1;
    const uint32_t kind = test_random_below(random, 4);
    if (kind == 0) {
        return test_random_below(random, (uint32_t)size + 1);
    }
    for (uint32_t i = 0; i < times_more; ++i) {
        const size_t at = test_random_below(random, (uint32_t)size);
        if (kind == 1) {
            bytes[at] ^= (uint8_t)(1u << test_random_below(random, 8));
        } else if (kind == 2) {
            bytes[at] = (uint8_t)letters[test_random_below(random, sizeof letters - 1)];
        } else {
            const size_t from = test_random_below(random, (uint32_t)size), length = test_random_below(random, 40);
            const size_t most = size - (from > at ? from : at);
            memmove(bytes + at, bytes + from, length < most ? length : most);
        }
    }
    return size;
}

static inline bool finite_quat(vrm_quat q)
{
    const float sum = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return sum > 0.98f && sum < 1.02f;
}

// Every operation and both writers; what they make is released.
static inline void clip_damage_edit(const vrm_clip *clip, const vrm_clip_info *info)
{
    vrm_clip *made[6] = {NULL};
    (void)vrm_clip_trim(clip, 0.0f, 0.5f * info->duration, &made[0]);
    (void)vrm_clip_mirror(clip, &made[1]);
    (void)vrm_clip_reverse(clip, &made[2]);
    (void)vrm_clip_make_additive(clip, NULL, 0.1f, &made[3]);
    if (info->duration < 100.0f) { // what damage made long is not resampled
        (void)vrm_clip_resample(clip, 10.0f, &made[4]);
        (void)vrm_clip_reduce(clip, 0.01f, &made[5]);
        vrm_clip_write_def def;
        vrm_clip_write_def_default(&def);
        vrm_bytes bytes = {0};
        if (vrm_clip_write_bvh(&def, clip, &bytes) == VRM_SUCCESS) {
            vrm_bytes_free(&bytes);
        }
        if (vrm_clip_write_vrma(&def, clip, &bytes) == VRM_SUCCESS) {
            vrm_bytes_free(&bytes);
        }
    }
    for (int i = 0; i < 6; ++i) {
        vrm_clip_release(made[i]);
    }
}

// Plays forth and back on an avatar; what comes out is finite.
static inline void clip_damage_play(const stage *s, vrm_clip *clip, const vrm_clip_info *info)
{
    vrm_clip_play play;
    vrm_clip_play_default(&play);
    play.wrap = VRM_CLIP_WRAP_PING_PONG;
    play.seconds = 0.1f;
    play.transition = VRM_CLIP_TRANSITION_INERTIAL;
    CHECK_INT(vrm_clip_player_play(s->player, 0, clip, &play), VRM_SUCCESS);
    for (int frame = 0; frame < 30; ++frame) {
        if (frame % 10 == 5) {
            (void)vrm_clip_player_set_time(s->player, 0, (double)info->duration * frame / 30.0);
        }
        vrm_update_dt(s->instance, 1.0f / 30.0f);
    }
    vrm_outputs outputs;
    vrm_instance_get_outputs(s->instance, &outputs);
    for (uint32_t i = 0; i < outputs.node_count; ++i) {
        CHECK(finite_quat(outputs.local[i].rotation));
    }
    vrm_clip_pose pose;
    vrm_clip_sample(clip, 0.3f * info->duration, &pose);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        CHECK(finite_quat(pose.rotations[bone]));
    }
    CHECK_INT(vrm_clip_player_play(s->player, 0, NULL, NULL), VRM_SUCCESS);
    vrm_update_dt(s->instance, 0.0f);
}

// Loads and plays, or finds. Returns the load's result.
static inline vrm_result clip_damage_survive(const stage *s, const uint8_t *bytes, size_t size)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_clip *clip = NULL;
    const vrm_result result = vrm_clip_load(NULL, bytes, size, report, &clip);
    if (result == VRM_SUCCESS) {
        vrm_clip_info info;
        vrm_clip_get_info(clip, &info);
        clip_damage_edit(clip, &info);
        clip_damage_play(s, clip, &info);
    } else {
        CHECK(vrm_report_count_severity(report, VRM_SEVERITY_ERROR) != 0);
        CHECK(clip == NULL);
    }
    vrm_clip_release(clip);
    vrm_report_destroy(report);
    return result;
}

// One seed on a copy of a file's bytes.
static inline vrm_result clip_damage_seed(const stage *s, const vrm_bytes *file, uint8_t *copy, uint64_t seed)
{
    test_random random = test_random_make(seed);
    memcpy(copy, file->data, file->size);
    const size_t json_end = damage_json_end(file->data, file->size);
    const size_t left =
        json_end != 0 ? damage(&random, copy, file->size, json_end) : damage_text(&random, copy, file->size);
    return left == 0 ? VRM_ERROR_NOT_GLTF : clip_damage_survive(s, copy, left);
}

#endif
