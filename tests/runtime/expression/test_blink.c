// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Automatic blinking: its times and its shape, which do not depend on frame rates or other sources.

#include "model_fixture.h"
#include "runtime/core/instance.h"
#include "test.h"
#include "test_random.h"

#include <vrm/vrm.h>

#include <math.h>

static fixture f;

static vrm_blink_params default_params(void)
{
    vrm_blink_params params;
    vrm_blink_params_default(&params);
    params.enabled = true;
    return params;
}

static void start(vrmi_blink *blink, const vrm_blink_params *params)
{
    vrmi_blink_init(blink);
    vrmi_blink_set(blink, params);
}

// --- the generator's times -----------------------------------------------------------------------------------------

// Steps of 1/64 s, and random sums of such steps, are whole nanoseconds. Both runs reach the same times, and must agree
// in every bit.
static void frames_do_not_move_blinks(void)
{
    const vrm_blink_params params = default_params();
    vrmi_blink steady, jumpy;
    start(&steady, &params);
    start(&jumpy, &params);
    test_random r = test_random_make(3);
    int closed = 0;
    for (int n = 0; n < 20000; ++n) {
        const uint32_t steps = 1 + test_random_below(&r, 40);
        for (uint32_t i = 0; i < steps; ++i) {
            vrmi_blink_advance(&steady, 1.0f / 64.0f);
        }
        vrmi_blink_advance(&jumpy, (float)steps / 64.0f);
        CHECK(steady.value == jumpy.value && steady.time == jumpy.time && steady.random == jumpy.random);
        closed += steady.value > 0.5f;
    }
    CHECK(closed > 100); // 1.8 hours must contain frames with closed eyes
}

// One hour at 30, 60 and 144 Hz. The times differ at most by the accumulated rounding of frames to nanoseconds.
static void hours_do_not_drift(void)
{
    const vrm_blink_params params = default_params();
    static const int rates[] = {30, 60, 144};
    vrmi_blink runs[3];
    for (int k = 0; k < 3; ++k) {
        start(&runs[k], &params);
        for (int i = 0; i < 3600 * rates[k]; ++i) {
            vrmi_blink_advance(&runs[k], 1.0f / (float)rates[k]);
        }
    }
    for (int k = 1; k < 3; ++k) {
        CHECK(runs[k].random == runs[0].random);
        CHECK_NEAR((double)(runs[k].time - runs[0].time) * 1e-9, 0.0, 1e-3);
    }
}

typedef struct course {
    int blinks, doubles;
    double pauses, shortest_pause, longest_pause, shortest, longest;
    double first; // start of the first blink
} course;

// Observes a generator in steps of a millisecond. A blink is a range of values above 0.
static course watch(vrmi_blink *blink, double seconds)
{
    course c = {.shortest_pause = 1e9, .shortest = 1e9};
    const double dt = 0.001;
    double began = -1.0, ended = 0.0;
    int maxima = 0;
    float before = 0.0f;
    bool rising = false;
    for (double t = 0.0; t < seconds; t += dt) {
        vrmi_blink_advance(blink, (float)dt);
        const float now = blink->value;
        CHECK(now >= 0.0f && now <= 1.0f);
        if (now > before) {
            maxima += rising ? 0 : 1;
            rising = true;
        } else if (now < before) {
            rising = false;
        }
        if (began < 0.0 && now > 0.0f) {
            const double pause = t - ended;
            c.first = c.blinks == 0 ? t : c.first;
            c.pauses += pause;
            c.shortest_pause = fmin(c.shortest_pause, pause);
            c.longest_pause = fmax(c.longest_pause, pause);
            began = t;
        } else if (began >= 0.0 && now == 0.0f && blink->time < 0) { // not between the two closures of a double blink
            ++c.blinks;
            c.doubles += maxima == 2;
            CHECK(maxima == 1 || maxima == 2);
            c.shortest = fmin(c.shortest, t - began);
            c.longest = fmax(c.longest, t - began);
            began = -1.0;
            ended = t;
            maxima = 0;
            rising = false;
        }
        before = now;
    }
    return c;
}

static void pauses_and_lengths_are_as_asked(void)
{
    vrm_blink_params params = default_params();
    params.double_chance = 0.25f;
    vrmi_blink blink;
    start(&blink, &params);
    const course c = watch(&blink, 4000.0);
    CHECK(c.blinks > 900 && c.blinks < 1050);
    CHECK(c.shortest_pause > 2.0 - 0.003 && c.longest_pause < 6.0 + 0.003);
    CHECK(c.shortest_pause < 2.1 && c.longest_pause > 5.9);
    CHECK_NEAR(c.pauses / c.blinks, 4.0, 0.12);           // uniformly distributed: deviation 1.15 / sqrt(950) = 0.04
    CHECK_NEAR((double)c.doubles / c.blinks, 0.25, 0.05); // deviation sqrt(0.19 / 950) = 0.014
    CHECK_NEAR(c.shortest, 0.22, 0.003);
    CHECK_NEAR(c.longest, 0.44, 0.003);
    params.double_chance = 0.0f;
    start(&blink, &params);
    CHECK_INT(watch(&blink, 400.0).doubles, 0);
    params.double_chance = 1.0f;
    start(&blink, &params);
    const course twice = watch(&blink, 400.0);
    CHECK_INT(twice.doubles, twice.blinks);
}

// For any interval, no pause is outside of it, and many pauses come close to both of its ends.
static void pauses_lie_within_the_interval(void)
{
    const float intervals[3][2] = {{0.5f, 0.8f}, {0.5f, 6.0f}, {5.0f, 6.0f}};
    for (int i = 0; i < 3; ++i) {
        vrm_blink_params params = default_params();
        params.interval_min = intervals[i][0];
        params.interval_max = intervals[i][1];
        vrmi_blink blink;
        start(&blink, &params);
        const course c = watch(&blink, 600.0);
        const double low = (double)intervals[i][0], high = (double)intervals[i][1], edge = 0.1 * (high - low) + 0.01;
        CHECK(c.shortest_pause >= low - 0.01 && c.shortest_pause < low + edge);
        CHECK(c.longest_pause <= high + 0.01 && c.longest_pause > high - edge);
    }
}

static float most_closed(vrmi_blink *blink, int hundredths)
{
    float most = 0.0f;
    for (int i = 0; i < hundredths; ++i) {
        vrmi_blink_advance(blink, 0.01f);
        most = fmaxf(most, blink->value);
    }
    return most;
}

// With any other settings, an avatar with blinking off does not blink, and a blink that has begun ends.
static void off_is_off(void)
{
    vrm_blink_params params = default_params();
    vrmi_blink blink;
    params.enabled = false;
    params.interval_max = 3.0f;
    start(&blink, &params);
    CHECK_NEAR(most_closed(&blink, 6000), 0, 0);
    params.enabled = true;
    vrmi_blink_set(&blink, &params);
    CHECK(watch(&blink, 60.0).blinks > 15);
    params.enabled = false;
    vrmi_blink_set(&blink, &params);
    vrmi_blink_advance(&blink, 1.0f); // ends a blink that has begun
    CHECK_NEAR(most_closed(&blink, 6000), 0, 0);
}

// The closed form: smoothstep down in close_time, closed for hold_time, smoothstep up in open_time.
static void lids_move_smoothly(void)
{
    vrmi_blink blink;
    vrmi_blink_init(&blink);
    vrmi_blink_now(&blink); // blinking is off: this is a single blink, at once
    for (int i = 1; i <= 250; ++i) {
        vrmi_blink_advance(&blink, 0.001f);
        const double t = i * 0.001;
        const double s = t < 0.06 ? t / 0.06 : (t < 0.1 ? 1.0 : fmax(0.0, 1.0 - (t - 0.1) / 0.12));
        CHECK_NEAR(blink.value, s * s * (3.0 - 2.0 * s), 1e-4);
    }
    CHECK_INT(blink.pending, 0);
}

static void seeds_decide(void)
{
    double firsts[8];
    for (uint32_t seed = 0; seed < 8; ++seed) {
        vrm_blink_params params = default_params();
        params.seed = seed;
        vrmi_blink blink;
        start(&blink, &params);
        firsts[seed] = watch(&blink, 7.0).first;
        start(&blink, &params);
        CHECK_NEAR(watch(&blink, 7.0).first, firsts[seed], 0);
        for (uint32_t other = 0; other < seed; ++other) {
            CHECK(fabs(firsts[seed] - firsts[other]) > 0.001);
        }
    }
    // Setting other parameters with the same seed does not restart the generator. It restarts if blinking was off or
    // the seed has changed.
    vrm_blink_params params = default_params();
    vrmi_blink blink;
    start(&blink, &params);
    const uint64_t random = blink.random;
    params.enabled = false;
    vrmi_blink_set(&blink, &params);
    params.enabled = true;
    vrmi_blink_set(&blink, &params);
    CHECK(blink.random == random);
}

// If a host sets the parameters in every frame, the avatar still blinks.
static void setting_again_does_not_start_again(void)
{
    const vrm_blink_params params = default_params();
    vrmi_blink once, always;
    start(&once, &params);
    start(&always, &params);
    for (int i = 0; i < 3000; ++i) {
        vrmi_blink_set(&always, &params);
        vrmi_blink_advance(&always, 1.0f / 60.0f);
        vrmi_blink_advance(&once, 1.0f / 60.0f);
        CHECK(once.value == always.value);
    }
}

static void parameters_may_change_in_mid_blink(void)
{
    vrm_blink_params params = default_params();
    vrmi_blink blink, other;
    start(&blink, &params);
    while (blink.value < 0.5f) {
        vrmi_blink_advance(&blink, 0.01f);
    }
    other = blink;
    params.close_time = 1.0f;
    params.open_time = 2.0f;
    params.enabled = false;
    vrmi_blink_set(&other, &params);
    for (int i = 0; i < 30; ++i) {
        vrmi_blink_advance(&blink, 0.01f);
        vrmi_blink_advance(&other, 0.01f);
        CHECK(blink.value == other.value); // a blink that has begun keeps its parameters
    }
    CHECK_INT(other.pending, 0);
    CHECK_INT(blink.pending, 1);
}

// A request during a blink changes nothing. A request between two blinks causes a blink at once, and the next blink
// keeps its distance.
static void blinks_on_demand(void)
{
    const vrm_blink_params params = default_params();
    vrmi_blink blink, other;
    start(&blink, &params);
    while (blink.value < 0.5f) {
        vrmi_blink_advance(&blink, 0.01f);
    }
    other = blink;
    vrmi_blink_now(&other);
    CHECK(memcmp(&blink, &other, sizeof(blink)) == 0);
    for (int i = 0; i < 60; ++i) {
        vrmi_blink_advance(&blink, 0.01f);
    }
    CHECK_NEAR(blink.value, 0.0, 0);
    vrmi_blink_now(&blink);
    vrmi_blink_advance(&blink, 0.03f);
    CHECK_NEAR(blink.value, 0.5, 1e-4);
    vrmi_blink_advance(&blink, 0.19f); // open again
    CHECK_NEAR(blink.value, 0.0, 0);
    const course c = watch(&blink, 100.0);
    CHECK(c.shortest_pause > 2.0 - 0.003);
}

static void long_pauses_end(void)
{
    vrm_blink_params params = default_params();
    params.interval_min = params.interval_max = 0.1f;
    params.close_time = params.hold_time = params.open_time = 0.0f;
    vrmi_blink blink;
    start(&blink, &params);
    for (int i = 0; i < 100; ++i) {
        vrmi_blink_advance(&blink, 60.0f);
        CHECK_NEAR(blink.value, 0.0, 0);
    }
}

// --- on an avatar --------------------------------------------------------------------------------------------------

static vrm_instance *make(bool both_eyes_only, bool sides)
{
    fixture_begin(&f);
    fixture_node_add(&f, -1, "root", fixture_at(0, 0, 0));
    if (both_eyes_only) {
        fixture_expression(&f, VRM_EXPRESSION_PRESET_BLINK, NULL);
    }
    if (sides) {
        fixture_expression(&f, VRM_EXPRESSION_PRESET_BLINK_LEFT, NULL);
        fixture_expression(&f, VRM_EXPRESSION_PRESET_BLINK_RIGHT, NULL);
    }
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_avatar_release(avatar);
    return instance;
}

static float applied(const vrm_instance *instance, vrm_expression_preset preset)
{
    const int32_t e = vrm_avatar_find_preset(vrm_instance_get_avatar(instance), preset);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    return e < 0 ? 0.0f : outputs.expressions[e].applied;
}

static void update(vrm_instance *instance, float dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    params.stages = VRM_STAGE_EXPRESSION;
    vrm_update(instance, &params);
}

// With blink, tracker and clip together, each eye closes by at most its full value in every frame.
static void sources_never_close_an_eye_twice(void)
{
    vrm_instance *instance = make(true, true);
    vrm_blink_params params = default_params();
    params.interval_min = 0.1f;
    params.interval_max = 0.5f;
    CHECK_INT(vrm_instance_set_blink(instance, &params), VRM_SUCCESS);
    test_random r = test_random_make(11);
    float highest = 0.0f;
    for (int i = 0; i < 3000; ++i) {
        vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_CLIP, 0, test_random_float(&r, 0.0f, 0.7f));
        vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_TRACKER, 1, test_random_float(&r, 0.0f, 1.0f));
        vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_TRACKER, 2, test_random_float(&r, 0.0f, 1.0f));
        update(instance, 1.0f / 60.0f);
        const float blink = applied(instance, VRM_EXPRESSION_PRESET_BLINK);
        CHECK(blink + applied(instance, VRM_EXPRESSION_PRESET_BLINK_LEFT) <= 1.0f);
        CHECK(blink + applied(instance, VRM_EXPRESSION_PRESET_BLINK_RIGHT) <= 1.0f);
        highest = blink > highest ? blink : highest;
    }
    CHECK_NEAR(highest, 1.0, 0);
    vrm_instance_destroy(instance);
}

static void sides_blink_where_there_is_no_blink(void)
{
    vrm_instance *instance = make(false, true);
    vrm_instance_blink(instance);
    update(instance, 0.03f);
    CHECK_NEAR(applied(instance, VRM_EXPRESSION_PRESET_BLINK_LEFT), 0.5, 1e-4);
    CHECK_NEAR(applied(instance, VRM_EXPRESSION_PRESET_BLINK_RIGHT), 0.5, 1e-4);
    update(instance, 1.0f);
    CHECK_NEAR(applied(instance, VRM_EXPRESSION_PRESET_BLINK_LEFT), 0.0, 0);
    vrm_instance_destroy(instance);
    instance = make(true, true);
    vrm_instance_blink(instance);
    update(instance, 0.08f);
    CHECK_NEAR(applied(instance, VRM_EXPRESSION_PRESET_BLINK), 1.0, 0);
    CHECK_NEAR(applied(instance, VRM_EXPRESSION_PRESET_BLINK_LEFT), 0.0, 0);
    update(instance, 0.0f); // no time passes
    CHECK_NEAR(applied(instance, VRM_EXPRESSION_PRESET_BLINK), 1.0, 0);
    vrm_instance_destroy(instance);
    instance = make(false, false); // the avatar has no expression to blink with
    vrm_instance_blink(instance);
    update(instance, 0.03f);
    vrm_instance_destroy(instance);
}

static void setter_refuses(void)
{
    vrm_instance *instance = make(true, true);
    const vrm_blink_params good = default_params();
    CHECK_INT(vrm_instance_set_blink(instance, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_blink(NULL, &good), VRM_ERROR_INVALID_ARGUMENT);
    static const struct {
        size_t field;
        float bad;
    } broken[] = {
        {offsetof(vrm_blink_params, interval_min), 0.0f},
        {offsetof(vrm_blink_params, interval_min), 7.0f},
        {offsetof(vrm_blink_params, interval_max), 1.0f},
        {offsetof(vrm_blink_params, interval_max), 4000.0f},
        {offsetof(vrm_blink_params, close_time), -0.1f},
        {offsetof(vrm_blink_params, close_time), 5.0f},
        {offsetof(vrm_blink_params, hold_time), -0.1f},
        {offsetof(vrm_blink_params, hold_time), 5.0f},
        {offsetof(vrm_blink_params, open_time), -0.1f},
        {offsetof(vrm_blink_params, open_time), 5.0f},
        {offsetof(vrm_blink_params, double_chance), -0.1f},
        {offsetof(vrm_blink_params, double_chance), 1.1f},
    };
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); ++i) {
        vrm_blink_params params = good;
        memcpy((char *)&params + broken[i].field, &broken[i].bad, sizeof(float));
        CHECK_INT(vrm_instance_set_blink(instance, &params), VRM_ERROR_INVALID_ARGUMENT);
        CHECK_INT(vrm_instance_get_status(instance), 0);
        const float nan = NAN;
        memcpy((char *)&params + broken[i].field, &nan, sizeof(float));
        CHECK_INT(vrm_instance_set_blink(instance, &params), VRM_ERROR_INVALID_ARGUMENT);
        CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
        vrm_instance_clear_status(instance);
    }
    vrm_blink_params unfilled = good;
    unfilled.struct_size = 0;
    CHECK_INT(vrm_instance_set_blink(instance, &unfilled), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(!instance->face.blink.params.enabled);
    vrm_instance_destroy(instance);
}

static const test_case cases[] = {
    {"frames_do_not_move_blinks", frames_do_not_move_blinks},
    {"hours_do_not_drift", hours_do_not_drift},
    {"pauses_and_lengths_are_as_asked", pauses_and_lengths_are_as_asked},
    {"pauses_lie_within_the_interval", pauses_lie_within_the_interval},
    {"off_is_off", off_is_off},
    {"lids_move_smoothly", lids_move_smoothly},
    {"seeds_decide", seeds_decide},
    {"setting_again_does_not_start_again", setting_again_does_not_start_again},
    {"parameters_may_change_in_mid_blink", parameters_may_change_in_mid_blink},
    {"blinks_on_demand", blinks_on_demand},
    {"long_pauses_end", long_pauses_end},
    {"sources_never_close_an_eye_twice", sources_never_close_an_eye_twice},
    {"sides_blink_where_there_is_no_blink", sides_blink_where_there_is_no_blink},
    {"setter_refuses", setter_refuses},
};

RUN_TESTS(cases)
