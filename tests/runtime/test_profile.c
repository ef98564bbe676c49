// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Profiles (vrm/update.h). Each has an effect, the specification's profile equals reference time, and a restored
// instance continues with the same bits. tests/compare/test_profiles.mjs compares the results with three-vrm and with
// UniVRM's formulas.

#include <vrm/output.h>
#include <vrm/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample_avatar.h"
#include "test.h"

enum { FRAMES = 40 };

static vrm_instance *make_instance(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    return instance;
}

static void live(vrm_instance *instance, int frame, vrm_profile profile, vrm_spring_time time)
{
    const float angle = 0.4f * sinf(0.2f * (float)frame);
    const vrm_quat turn = {0.0f, sinf(0.5f * angle), 0.0f, cosf(0.5f * angle)};
    const vrm_root root = {{0.02 * frame, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
    const vrm_dvec3 target = {1.0, 1.8, 2.0};
    (void)vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &turn);
    (void)vrm_instance_set_root(instance, &root);
    (void)vrm_instance_set_look_at_target(instance, &target);
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 50.0f;
    params.profile = profile;
    params.spring_time = time;
    vrm_update(instance, &params);
}

// Returns all local transforms after FRAMES frames.
static vrm_transform *run(const vrm_avatar *avatar, vrm_profile profile, vrm_spring_time time, uint32_t *out_count)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    vrm_transform *pose = malloc(counts.nodes * sizeof *pose);
    vrm_instance *instance = make_instance(avatar);
    for (int frame = 0; frame < FRAMES; ++frame) {
        live(instance, frame, profile, time);
    }
    CHECK_INT(vrm_instance_write_locals(instance, 0, counts.nodes, pose), VRM_SUCCESS);
    vrm_instance_destroy(instance);
    *out_count = counts.nodes;
    return pose;
}

static void test_each(const vrm_avatar *avatar)
{
    uint32_t count = 0;
    vrm_transform *plain = run(avatar, VRM_PROFILE_LIBVRM, VRM_SPRING_TIME_DEFAULT, &count);
    vrm_transform *reference = run(avatar, VRM_PROFILE_LIBVRM, VRM_SPRING_TIME_REFERENCE, &count);
    vrm_transform *spec = run(avatar, VRM_PROFILE_SPEC, VRM_SPRING_TIME_DEFAULT, &count);
    vrm_transform *univrm = run(avatar, VRM_PROFILE_UNIVRM, VRM_SPRING_TIME_DEFAULT, &count);
    vrm_transform *three = run(avatar, VRM_PROFILE_THREE_VRM, VRM_SPRING_TIME_DEFAULT, &count);
    vrm_transform *none = run(avatar, VRM_PROFILE_COUNT, VRM_SPRING_TIME_DEFAULT, &count);
    const size_t size = count * sizeof *plain;
    CHECK(memcmp(spec, reference, size) == 0);
    CHECK(memcmp(none, plain, size) == 0);
    CHECK(memcmp(spec, plain, size) != 0);
    CHECK(memcmp(univrm, spec, size) != 0);
    CHECK(memcmp(three, spec, size) != 0);
    CHECK(memcmp(three, univrm, size) != 0);
    free(plain);
    free(reference);
    free(spec);
    free(univrm);
    free(three);
    free(none);
}

// With the profile three-vrm, a snapshot contains the head's pose of the last frame.
static void test_snapshot(const vrm_avatar *avatar)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    vrm_instance *a = make_instance(avatar), *b = make_instance(avatar);
    for (int frame = 0; frame < FRAMES; ++frame) {
        live(a, frame, VRM_PROFILE_THREE_VRM, VRM_SPRING_TIME_DEFAULT);
    }
    size_t size = 0;
    CHECK_INT(vrm_instance_snapshot(a, NULL, &size), VRM_SUCCESS);
    void *bytes = malloc(size);
    CHECK_INT(vrm_instance_snapshot(a, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_SUCCESS);
    vrm_transform *poses[2] = {malloc(counts.nodes * sizeof **poses), malloc(counts.nodes * sizeof **poses)};
    for (int frame = FRAMES; frame < FRAMES + 3; ++frame) {
        live(a, frame, VRM_PROFILE_THREE_VRM, VRM_SPRING_TIME_DEFAULT);
        live(b, frame, VRM_PROFILE_THREE_VRM, VRM_SPRING_TIME_DEFAULT);
        CHECK_INT(vrm_instance_write_locals(a, 0, counts.nodes, poses[0]), VRM_SUCCESS);
        CHECK_INT(vrm_instance_write_locals(b, 0, counts.nodes, poses[1]), VRM_SUCCESS);
        CHECK(memcmp(poses[0], poses[1], counts.nodes * sizeof **poses) == 0);
    }
    free(poses[0]);
    free(poses[1]);
    free(bytes);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
}

static void test_trace(const vrm_avatar *avatar)
{
    static const char script[] = "{\"frames\":6,\"events\":[{\"frame\":1,\"root\":{\"translation\":[0.2,0,0]}},{"
                                 "\"frame\":2,\"root\":{\"translation\":[0,0,0]}}]}";
    const vrm_string text = {script, sizeof script - 1};
    vrm_bytes out[2] = {{0}, {0}};
    for (int i = 0; i < 2; ++i) {
        vrm_trace_params params;
        vrm_trace_params_default(&params);
        params.profile = i == 0 ? VRM_PROFILE_SPEC : VRM_PROFILE_THREE_VRM;
        CHECK_INT(vrm_trace_run(&params, avatar, text, NULL, &out[i]), VRM_SUCCESS);
    }
    CHECK(out[0].size != out[1].size || memcmp(out[0].data, out[1].data, out[0].size) != 0);
    vrm_bytes_free(&out[0]);
    vrm_bytes_free(&out[1]);
}

static void do_what_they_say(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    test_each(avatar);
    vrm_avatar_release(avatar);
}

static void go_on_after_a_snapshot(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    test_snapshot(avatar);
    vrm_avatar_release(avatar);
}

static void in_traces(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    test_trace(avatar);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {{"do_what_they_say", do_what_they_say},
    {"go_on_after_a_snapshot", go_on_after_a_snapshot}, {"in_traces", in_traces}};

RUN_TESTS(cases)
