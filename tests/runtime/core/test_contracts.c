// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Calls with NULL for their output or object are reported to the hook and have no other effect.

#include <vrm/clip.h>
#include <vrm/record.h>
#include <vrm/sample.h>
#include <vrm/vrm.h>

#include "model_fixture.h"
#include "plain_instance.h"
#include "test.h"

static int asserted;

static void count_assertion(const char *expression, const char *file, int line)
{
    asserted += expression[0] != '\0' && file[0] != '\0' && line > 0;
}

#define CHECK_ASSERTS(statement) \
    do { \
        asserted = 0; \
        vrm_set_assert_hook(count_assertion); \
        statement; \
        vrm_set_assert_hook(NULL); \
        CHECK_INT(asserted, 1); \
    } while (0)

static fixture f;

static void defaults_of_nothing(void)
{
    CHECK_ASSERTS((vrm_avatar_def_default)(NULL, 4));
    CHECK_ASSERTS((vrm_blink_params_default)(NULL, 4));
    CHECK_ASSERTS((vrm_clip_layer_params_default)(NULL, 4));
    CHECK_ASSERTS((vrm_clip_play_params_default)(NULL, 4));
    CHECK_ASSERTS((vrm_clip_player_def_default)(NULL, 4));
    CHECK_ASSERTS((vrm_gltf_def_default)(NULL, 4));
    CHECK_ASSERTS((vrm_host_collider_def_default)(NULL, 4));
    CHECK_ASSERTS((vrm_instance_def_default)(NULL, 4));
    CHECK_ASSERTS((vrm_lip_sync_params_default)(NULL, 4));
    CHECK_ASSERTS(vrm_look_bone_default(NULL));
    CHECK_ASSERTS((vrm_look_chain_def_default)(NULL, 4));
    CHECK_ASSERTS((vrm_recorder_def_default)(NULL, 4));
    CHECK_ASSERTS((vrm_report_def_default)(NULL, 4));
    CHECK_ASSERTS((vrm_sample_params_default)(NULL, 4));
    CHECK_ASSERTS((vrm_spring_params_default)(NULL, 4));
    CHECK_ASSERTS((vrm_trace_params_default)(NULL, 4));
    CHECK_ASSERTS((vrm_update_params_default)(NULL, 4));
}

static void outputs_nowhere(void)
{
    fixture_begin(&f);
    fixture_humanoid(&f);
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = plain_instance(avatar);
    CHECK_ASSERTS(vrm_instance_get_root(instance, NULL));
    CHECK_ASSERTS(vrm_instance_get_spring_params(instance, NULL));
    CHECK_ASSERTS(vrm_instance_get_outputs(instance, NULL));
    CHECK_ASSERTS(CHECK_INT(vrm_recorder_add(NULL, instance, 0.0), VRM_ERROR_INVALID_ARGUMENT));
    CHECK_ASSERTS(CHECK(vrm_avatar_get_look_curve(avatar, (vrm_look_direction)0, NULL) == NULL));
    vrm_root root;
    vrm_spring_params settings = {.struct_size = sizeof settings};
    CHECK_ASSERTS(vrm_instance_get_root(NULL, &root));
    CHECK_ASSERTS(vrm_instance_get_spring_params(NULL, &settings));
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"defaults_of_nothing", defaults_of_nothing},
    {"outputs_nowhere", outputs_nowhere},
};

RUN_TESTS(cases)
