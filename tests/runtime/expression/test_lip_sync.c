// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Lip-sync, compared with its closed form: an exponential towards the two strongest vowels.

#include "model_fixture.h"
#include "runtime/core/instance.h"
#include "test.h"
#include "test_random.h"

#include <vrm/vrm.h>

#include <math.h>

static fixture f;

enum { AA, IH, OU, EE, OH };

static vrm_instance *make(void)
{
    fixture_begin(&f);
    fixture_node_add(&f, -1, "root", fixture_at(0, 0, 0));
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        fixture_expression(&f, (vrm_expression_preset)(VRM_EXPRESSION_PRESET_AA + v), NULL);
    }
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_avatar_release(avatar);
    return instance;
}

static void update(vrm_instance *instance, float dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    params.stages = VRM_STAGE_EXPRESSION;
    vrm_update(instance, &params);
}

static double vowel(const vrm_instance *instance, int v)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    return (double)outputs.expressions[v].applied;
}

static void check_vowels(const vrm_instance *instance, double aa, double ih, double ou, double ee, double oh)
{
    const double expected[VRMI_VOWEL_COUNT] = {aa, ih, ou, ee, oh};
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        CHECK_NEAR(vowel(instance, v), expected[v], 1e-6);
    }
}

static void at_once(vrm_instance *instance)
{
    vrm_lip_sync_params params;
    vrm_lip_sync_params_default(&params);
    params.attack = params.release = 0.0f;
    CHECK_INT(vrm_instance_set_lip_sync(instance, &params), VRM_SUCCESS);
}

// Opening follows 1 - e^(-t / attack), closing e^(-t / release), at 30, 60, 144 and 1000 Hz alike.
static void the_mouth_follows_exponentially(void)
{
    static const int rates[] = {30, 60, 144, 1000};
    for (int k = 0; k < 4; ++k) {
        vrm_instance *instance = make();
        const float dt = 1.0f / (float)rates[k];
        CHECK_INT(vrm_instance_set_loudness(instance, 0.9f), VRM_SUCCESS);
        update(instance, 0.0f);
        CHECK_NEAR(vowel(instance, AA), 0.0, 0);
        for (int i = 1; i <= rates[k]; ++i) {
            update(instance, dt);
            CHECK_NEAR(vowel(instance, AA), 0.9 * (1.0 - exp(-(double)i / rates[k] / 0.03)), 3e-5);
        }
        CHECK_NEAR(vowel(instance, AA), 0.9f, 0); // the target is reached
        vrm_instance_set_loudness(instance, 0.0f);
        for (int i = 1; i <= rates[k] * 2; ++i) {
            update(instance, dt);
            CHECK_NEAR(vowel(instance, AA), 0.9 * exp(-(double)i / rates[k] / 0.08), 3e-5);
        }
        CHECK_NEAR(vowel(instance, AA), 0.0, 0);
        CHECK_NEAR(vowel(instance, OH), 0.0, 0);
        vrm_instance_destroy(instance);
    }
}

static void two_strongest_and_at_most_one(void)
{
    vrm_instance *instance = make();
    at_once(instance);
    static const float falling[] = {0.5f, 0.4f, 0.3f, 0.2f, 0.1f};
    CHECK_INT(vrm_instance_set_vowels(instance, falling), VRM_SUCCESS);
    update(instance, 0.01f);
    check_vowels(instance, 0.5, 0.4, 0, 0, 0);
    static const float rising[] = {0.1f, 0.2f, 0.3f, 0.6f, 0.9f};
    vrm_instance_set_vowels(instance, rising);
    update(instance, 0.01f);
    check_vowels(instance, 0, 0, 0, 0.4, 0.6);
    static const float equal[] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    vrm_instance_set_vowels(instance, equal);
    update(instance, 0.01f);
    check_vowels(instance, 0.5, 0.5, 0, 0, 0);
    static const float outside[] = {-1.0f, 7.0f, -2.0f, 0.0f, 0.0f};
    vrm_instance_set_vowels(instance, outside);
    update(instance, 0.01f);
    check_vowels(instance, 0, 1, 0, 0, 0);
    vrm_lip_sync_params params;
    vrm_lip_sync_params_default(&params);
    params.attack = params.release = 0.0f;
    params.gain = 2.0f;
    vrm_instance_set_lip_sync(instance, &params); // the gain also applies to earlier input
    vrm_instance_set_loudness(instance, 0.3f);
    update(instance, 0.01f);
    check_vowels(instance, 0.6f, 0, 0, 0, 0);
    vrm_instance_destroy(instance);
}

// For any input and irregular frames, the sum of the vowels never exceeds 1, and no vowel jumps.
static void never_wider_than_one_mouth(void)
{
    vrm_instance *instance = make();
    test_random r = test_random_make(5);
    double before[VRMI_VOWEL_COUNT] = {0};
    for (int i = 0; i < 5000; ++i) {
        float heard[VRMI_VOWEL_COUNT] = {0};
        heard[test_random_below(&r, VRMI_VOWEL_COUNT)] = 1.0f;
        heard[test_random_below(&r, VRMI_VOWEL_COUNT)] = test_random_float(&r, 0.0f, 1.0f);
        if (test_random_below(&r, 5) == 0) {
            vrm_instance_set_vowels(instance, heard);
        }
        const float dt = test_random_float(&r, 0.0f, 0.002f);
        update(instance, dt);
        double sum = 0.0;
        for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
            sum += vowel(instance, v);
            CHECK(vowel(instance, v) >= 0.0);
            // The steepest possible slope is 1 / attack, doubled by the scaling of the sum.
            CHECK(fabs(vowel(instance, v) - before[v]) <= 2.0 * (double)dt / 0.03 + 2e-5);
            before[v] = vowel(instance, v);
        }
        CHECK(sum <= 1.0 + 1e-6);
    }
    vrm_instance_destroy(instance);
}

static void visemes_become_vowels(void)
{
    vrm_instance *instance = make();
    at_once(instance);
    static const struct {
        vrm_viseme viseme;
        int vowel;
    } same[] = {{VRM_VISEME_AA, AA}, {VRM_VISEME_E, EE}, {VRM_VISEME_IH, IH}, {VRM_VISEME_OH, OH}, {VRM_VISEME_OU, OU}};
    for (int i = 0; i < 5; ++i) {
        float visemes[VRM_VISEME_COUNT] = {0};
        visemes[same[i].viseme] = 1.0f;
        CHECK_INT(vrm_instance_set_visemes(instance, visemes, VRM_VISEME_COUNT), VRM_SUCCESS);
        update(instance, 0.01f);
        for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
            CHECK_NEAR(vowel(instance, v), v == same[i].vowel ? 1.0 : 0.0, 0);
        }
    }
    for (int i = 0; i < VRM_VISEME_COUNT; ++i) {
        float visemes[VRM_VISEME_COUNT] = {0};
        visemes[i] = 1.0f;
        vrm_instance_set_visemes(instance, visemes, VRM_VISEME_COUNT);
        update(instance, 0.01f);
        double sum = 0.0;
        for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
            sum += vowel(instance, v);
        }
        const bool shut = i == VRM_VISEME_SIL || i == VRM_VISEME_PP;
        CHECK(shut ? sum == 0.0 : (i >= VRM_VISEME_AA ? sum == 1.0 : sum > 0.1 && sum < 0.5));
    }
    // A mixture as analysers return it: 0.6 aa, 0.2 oh, 0.1 SS.
    float mixture[VRM_VISEME_COUNT] = {0};
    mixture[VRM_VISEME_AA] = 0.6f;
    mixture[VRM_VISEME_OH] = 0.2f;
    mixture[VRM_VISEME_SS] = 0.1f;
    vrm_instance_set_visemes(instance, mixture, VRM_VISEME_COUNT);
    update(instance, 0.01f);
    check_vowels(instance, 0.6f, 0, 0, 0, 0.2f);
    vrm_instance_destroy(instance);
}

// After lip-sync is cleared, the mouth closes with `release`. Then lip-sync has no effect, which shows in a layer that
// replaces.
static void clearing_closes_and_lets_go(void)
{
    vrm_instance *instance = make();
    vrm_instance_set_expression_layer(instance, VRM_EXPRESSION_LAYER_PROCEDURAL, VRM_EXPRESSION_MODE_REPLACE, 1.0f);
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_CLIP, OH, 0.5f);
    update(instance, 0.1f);
    CHECK_NEAR(vowel(instance, OH), 0.5, 0);
    vrm_instance_set_loudness(instance, 1.0f);
    update(instance, 10.0f);
    check_vowels(instance, 1, 0, 0, 0, 0); // replaces the clip's oh
    vrm_instance_clear_lip_sync(instance);
    update(instance, 0.08f);
    check_vowels(instance, exp(-1.0), 0, 0, 0, 0);
    update(instance, 10.0f);
    update(instance, 0.01f);
    check_vowels(instance, 0, 0, 0, 0, 0.5);
    vrm_instance_clear_lip_sync(instance); // there is nothing to clear
    update(instance, 0.01f);
    check_vowels(instance, 0, 0, 0, 0, 0.5);
    vrm_instance_destroy(instance);
}

// By default, lip-sync and a clip share the mouth.
static void a_clip_and_the_voice_share_the_mouth(void)
{
    vrm_instance *instance = make();
    at_once(instance);
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_CLIP, OH, 1.0f);
    vrm_instance_set_loudness(instance, 1.0f);
    update(instance, 0.01f);
    check_vowels(instance, 0.5, 0, 0, 0, 0.5);
    // If the host's own value in the procedural layer is larger, it is used.
    vrm_instance_clear_expressions(instance, VRM_EXPRESSION_LAYER_CLIP);
    vrm_instance_set_loudness(instance, 0.25f);
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_PROCEDURAL, AA, 0.5f);
    update(instance, 0.01f);
    check_vowels(instance, 0.5, 0, 0, 0, 0);
    vrm_instance_destroy(instance);
}

static void setters_refuse(void)
{
    vrm_instance *instance = make();
    at_once(instance);
    vrm_instance_set_loudness(instance, 0.5f);
    float visemes[VRM_VISEME_COUNT] = {0}, vowels[VRMI_VOWEL_COUNT] = {0};
    visemes[VRM_VISEME_OU] = NAN;
    vowels[OH] = INFINITY;
    vrm_instance_set_visemes(instance, visemes, VRM_VISEME_COUNT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_clear_status(instance);
    vrm_instance_set_vowels(instance, vowels);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_clear_status(instance);
    vrm_instance_set_loudness(instance, NAN);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_clear_status(instance);
    update(instance, 0.01f);
    check_vowels(instance, 0.5, 0, 0, 0, 0);
    const vrm_result bad = VRM_ERROR_INVALID_ARGUMENT;
    CHECK_INT(vrm_instance_set_visemes(instance, NULL, VRM_VISEME_COUNT), bad);
    CHECK_INT(vrm_instance_set_vowels(instance, NULL), bad);
    CHECK_INT(vrm_instance_set_lip_sync(instance, NULL), bad);
    CHECK_INT(vrm_instance_set_loudness(NULL, 0.0f), bad);
    for (int field = 0; field < 3; ++field) {
        vrm_lip_sync_params params;
        vrm_lip_sync_params_default(&params);
        float *fields[] = {&params.attack, &params.release, &params.gain};
        *fields[field] = -0.1f;
        CHECK_INT(vrm_instance_set_lip_sync(instance, &params), bad);
        CHECK_INT(vrm_instance_get_status(instance), 0);
        *fields[field] = NAN;
        CHECK_INT(vrm_instance_set_lip_sync(instance, &params), bad);
        CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
        vrm_instance_clear_status(instance);
        vrm_lip_sync_params_default(&params);
        params.struct_size = 1;
        CHECK_INT(vrm_instance_set_lip_sync(instance, &params), bad);
    }
    vrm_instance_destroy(instance);
}

static const test_case cases[] = {
    {"the_mouth_follows_exponentially", the_mouth_follows_exponentially},
    {"two_strongest_and_at_most_one", two_strongest_and_at_most_one},
    {"never_wider_than_one_mouth", never_wider_than_one_mouth},
    {"visemes_become_vowels", visemes_become_vowels},
    {"clearing_closes_and_lets_go", clearing_closes_and_lets_go},
    {"a_clip_and_the_voice_share_the_mouth", a_clip_and_the_voice_share_the_mouth},
    {"setters_refuse", setters_refuse},
};

RUN_TESTS(cases)
