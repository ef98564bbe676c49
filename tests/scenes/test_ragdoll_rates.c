// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A walk under simulation is the same walk at every frame rate. A bug once moved arms away by 400 mm in frames shorter
// than the solver's steps, because of accelerations of single frames. Feet once lagged by 3 to 8 degrees at 60 frames a
// second: a knee's bending besides that about its axis had no velocity, and a frame's acceleration acted half a step late.
// In frames of 27 and 7 ms in turns joints were off by 5 degrees, in frames shorter than a step by 1 to 4: a change of
// the animation's velocity was not divided among the steps that it belongs to.

#include "motion_act.h"
#include "stagger_fixture.h"

static scene_meter *meter_of(const figure *f, double rate)
{
    const scene_meter_def def = {.avatar = f->avatar, .def = &f->def, .rate = rate};
    scene_meter *meter = scene_meter_create(&def);
    CHECK(meter != NULL);
    return meter;
}

// Returns the largest difference from the same walk without a body, after a hit that only begins the simulation.
static scene_meter_difference walk_at(const figure *f, const char *motion, double rate, bool uneven)
{
    scene_act act = {.avatar = f->avatar,
        .def = &f->def,
        .motion = motion,
        .event = SCENE_EVENT_HIT,
        .when = 0.5,
        .duration = 1.2,
        .rate = rate,
        .uneven = uneven,
        .bone = VRM_HUMAN_BONE_CHEST,
        .impulse = {0.0f, 0.0f, -0.01f},
        .drive = VRM_RAGDOLL_DRIVE_TORQUE};
    scene_meter *with = meter_of(f, rate), *without = meter_of(f, rate);
    CHECK_INT(scene_act_run(&act, with), VRM_SUCCESS);
    act.event = SCENE_EVENT_NONE;
    CHECK_INT(scene_act_run(&act, without), VRM_SUCCESS);
    scene_meter_difference out;
    scene_meter_compare(with, without, &out);
    scene_meter_destroy(with);
    scene_meter_destroy(without);
    return out;
}

static void a_walk_is_the_same_at_every_rate(void)
{
    static const double rates[] = {24.0, 60.0, 144.0, 240.0, 500.0};
    for (uint32_t seed = 0; seed < 3; ++seed) {
        figure f = figure_number(seed);
        for (size_t i = 0; i < 2 * sizeof rates / sizeof rates[0]; ++i) {
            const double rate = rates[i / 2];
            const scene_meter_difference d = walk_at(&f, "walk", rate, i % 2 == 1);
            printf("figure %u, %g frames/s%s: %.1f degrees, feet %.1f, %.1f mm per metre of height\n", seed, rate,
                i % 2 == 1 ? ", uneven" : "", d.turn, d.foot_turn, d.way / (double)f.def.height);
            CHECK(d.turn < 1.0);
            CHECK(d.foot_turn < 3.0);
            CHECK(d.way < 6.0 * (double)f.def.height);
        }
        figure_free(&f);
    }
}

static void a_walk_ahead_is_followed(void)
{
    static const char *const motions[] = {"walk-ahead", "plain-walk"};
    for (uint32_t seed = 0; seed < 4; ++seed) {
        figure f = figure_number(seed == 0 ? 0 : 10 + seed);
        for (int i = 0; i < 2; ++i) {
            const scene_meter_difference d = walk_at(&f, motions[i], 60.0, false);
            printf("figure %u, %s: %.1f degrees, feet %.1f\n", seed, motions[i], d.turn, d.foot_turn);
            CHECK(d.turn < 1.0);
            CHECK(d.foot_turn < 3.0);
        }
        figure_free(&f);
    }
}

static const test_case cases[] = {
    {"a_walk_ahead_is_followed", a_walk_ahead_is_followed},
    {"a_walk_is_the_same_at_every_rate", a_walk_is_the_same_at_every_rate},
};

RUN_TESTS(cases)
