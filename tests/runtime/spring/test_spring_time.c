// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Spring time does not depend on the frame rate. A sample of the grid in spring_motions.h is compared with its bounds.
// scripts/campaign/spring_time.c runs the whole grid; docs/springs.md has its table.

#include "spring_motions.h"
#include "test.h"

// Coprime to the size of each dimension of the grid.
enum { SAMPLE_STEP = 13, MAX_SAMPLE = MOTION_GRID / SAMPLE_STEP + 1 };

static const int rates[] = {30, 45, 60, 72, 120, 144, 240, 0};
enum { RATES = 8 };

static motion_case sample_case[MAX_SAMPLE];
static motion_error sample[RATES][MAX_SAMPLE], peers[RATES][MAX_SAMPLE];
static int sample_count;

static void take_sample(void)
{
    static motion_stage stage;
    if (sample_count != 0) {
        return;
    }
    for (uint32_t i = 5; i < MOTION_GRID; i += SAMPLE_STEP) {
        const motion_case c = sample_case[sample_count] = motion_at(i);
        motion_stage_begin(&stage, &c);
        for (int r = 0; r < RATES; ++r) {
            sample[r][sample_count] = motion_run(&stage, &c, rates[r], VRM_SPRING_TIME_DEFAULT);
            peers[r][sample_count] = motion_run(&stage, &c, rates[r], VRM_SPRING_TIME_REFERENCE);
        }
        motion_stage_end(&stage);
        ++sample_count;
    }
}

static bool is_calm(const motion_case *c)
{
    return c->drag >= 0.4f && c->stiffness >= 1.0f;
}

// At 60 Hz, and wherever frames and ticks coincide, the springs follow the published algorithm.
static void equals_the_algorithm_at_ticks(void)
{
    take_sample();
    for (int i = 0; i < sample_count; ++i) {
        const double bound = sample_case[i].drag >= 0.4f ? 1e-4 : 1e-3; // in a long chain with little drag every joint
                                                                        // doubles the error
        for (int r = 0; r < RATES; ++r) {
            if (rates[r] == 60 || rates[r] == 120 || rates[r] == 240) {
                CHECK_NEAR(sample[r][i].common, 0, rates[r] == 60 ? bound : 5 * bound);
            }
        }
        CHECK_NEAR(sample[2][i].max, 0, bound);
    }
}

// Calm motions have a drag of at least 0.4 and a stiffness of at least 1.
static void bounds_of_calm_motion(void)
{
    take_sample();
    for (int i = 0; i < sample_count; ++i) {
        const motion_case *c = &sample_case[i];
        for (int r = 0; r < RATES && is_calm(c); ++r) {
            const int rate = rates[r];
            const double rms = rate == 0 ? 0.025 : rate == 30 ? 0.03 : rate == 45 ? 0.015 : 0.01;
            const double max = rate == 0 ? 0.08 : rate == 30 ? 0.05 : 0.03;
            const double sphere = rate == 0 ? 0.07 : rate == 30 ? 0.08 : 0.05;
            CHECK_NEAR(sample[r][i].rms, 0, c->collider ? sphere : rms);
            CHECK_NEAR(sample[r][i].max, 0, c->collider ? 2 * sphere : max);
        }
    }
}

static void bounds_of_all_motion(void)
{
    take_sample();
    double values[MAX_SAMPLE];
    for (int r = 0; r < RATES; ++r) {
        for (int i = 0; i < sample_count; ++i) {
            values[i] = sample[r][i].rms;
        }
        CHECK_NEAR(motion_percentile(values, sample_count, 0.95), 0,
            rates[r] == 0    ? 0.04
            : rates[r] == 30 ? 0.03
                             : 0.02);
    }
}

static void does_not_jitter(void)
{
    take_sample();
    double values[MAX_SAMPLE];
    int count = 0;
    for (int i = 0; i < sample_count; ++i) {
        if (sample_case[i].kind == MOTION_NOD_1) {
            values[count++] = sample[5][i].jitter;
        }
    }
    CHECK(count >= 10);
    CHECK_NEAR(motion_percentile(values, count, 0.5), 0, 1.5);
    CHECK_NEAR(motion_percentile(values, count, 0.95), 0, 2.5);
}

// This is the reason for the default time: with one step per frame the errors are many times larger.
static void beats_one_step_a_frame(void)
{
    take_sample();
    double ours = 0, theirs = 0;
    for (int i = 0; i < sample_count; ++i) {
        ours += sample[5][i].rms;
        theirs += peers[5][i].rms;
    }
    CHECK(theirs > 5 * ours);
}

// Other colliders, limits, center space, springs below springs, and scales.
static void bounds_with_everything_else(void)
{
    static motion_stage stage;
    for (int extra = 1; extra < MOTION_EXTRA_COUNT; ++extra) {
        for (uint32_t i = 0; i < 16; i += 3) {
            motion_case c = motion_with((motion_extra)extra, i);
            c.collider = extra == MOTION_CENTER;
            motion_stage_begin(&stage, &c);
            CHECK_NEAR(motion_run(&stage, &c, 60, VRM_SPRING_TIME_DEFAULT).max, 0, 2e-4);
            // Relative to the center only the hair moves, so the error is a tenth.
            const double bound = extra == MOTION_CENTER ? 0.001 : 0.01;
            CHECK_NEAR(motion_run(&stage, &c, 144, VRM_SPRING_TIME_DEFAULT).rms, 0, bound);
            CHECK_NEAR(motion_run(&stage, &c, 45, VRM_SPRING_TIME_DEFAULT).rms, 0, 0.015);
            CHECK_NEAR(motion_run(&stage, &c, 0, VRM_SPRING_TIME_DEFAULT).rms, 0, 0.025);
            motion_stage_end(&stage);
        }
    }
}

static const test_case cases[] = {
    {"equals_the_algorithm_at_ticks", equals_the_algorithm_at_ticks},
    {"bounds_of_calm_motion", bounds_of_calm_motion},
    {"bounds_of_all_motion", bounds_of_all_motion},
    {"does_not_jitter", does_not_jitter},
    {"bounds_with_everything_else", bounds_with_everything_else},
    {"beats_one_step_a_frame", beats_one_step_a_frame},
};

RUN_TESTS(cases)
