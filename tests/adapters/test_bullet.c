// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures examples/ragdoll_host by the motion meter: Bullet, which uses only the public exchange, shows the same
// motion as the light solver. Prints the table of docs/active-ragdoll.md.

#include "bullet_ragdoll.h"
#include "motion_cover_fixture.h"
#ifdef BESIDE_ODE
#include "scene_ode.h"
#endif

static void step(void *self, const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states)
{
    bullet_ragdoll_step(self, targets, dt, out_states);
}

static void end(void *self)
{
    bullet_ragdoll_destroy(self);
}

static vrm_result bullet_engine(const scene_engine_params *params, scene_engine *out)
{
    *out = (scene_engine){bullet_ragdoll_create(params->def, params->ground), step, end};
    return VRM_SUCCESS;
}

static const scene_figure figures[] = {SCENE_FIGURE_CUT_TURN, SCENE_FIGURE_CUT_WAY, SCENE_FIGURE_OFF_TURN,
    SCENE_FIGURE_OFF_WAY, SCENE_FIGURE_BODY_STEP, SCENE_FIGURE_LIMIT, SCENE_FIGURE_LOWEST, SCENE_FIGURE_ANY_SLIDE,
    SCENE_FIGURE_HEAD_WAY, SCENE_FIGURE_CHEST_TURN, SCENE_FIGURE_QUIET, SCENE_FIGURE_COUNT};

static void measure(const char *name, scene_act act, scene_meter_report *out, scene_meter_difference *out_difference)
{
    static cover_figure sample;
    if (sample.avatar == NULL && !cover_figure_make(0, &sample)) {
        return;
    }
    act.avatar = sample.avatar;
    act.def = sample.def;
    act.motion = "idle";
    act.when = 1.0;
    act.rate = 60.0;
    act.drive = VRM_RAGDOLL_DRIVE_TORQUE;
    const scene_meter_def def = {.avatar = sample.avatar, .gltf = sample.gltf, .def = sample.def, .rate = act.rate};
    scene_meter *meter = scene_meter_create(&def), *without = scene_meter_create(&def);
    CHECK_INT(scene_act_run(&act, meter), VRM_SUCCESS);
    act.event = SCENE_EVENT_NONE;
    CHECK_INT(scene_act_run(&act, without), VRM_SUCCESS);
    scene_meter_read(meter, &(scene_meter_question){.event = act.when, .reference = without}, out);
    scene_meter_compare(meter, without, out_difference);
    scene_meter_print_row(name, out, figures);
    scene_meter_destroy(meter);
    scene_meter_destroy(without);
}

enum { NONE, TOUCH, HIT, FALL, ACTS };

static const char *const words[ACTS] = {"", "touched, 0.01 N s", "hit on the chest, 60 N s", "thrown over"};

static const scene_act acts[ACTS] = {
    [TOUCH] = {.event = SCENE_EVENT_HIT,
        .duration = 2.5,
        .bone = VRM_HUMAN_BONE_CHEST,
        .impulse = {0.0f, 0.0f, -0.01f}},
    [HIT] = {.event = SCENE_EVENT_HIT, .duration = 3.5, .bone = VRM_HUMAN_BONE_CHEST, .impulse = {0.0f, 0.0f, -60.0f}},
    [FALL] = {.event = SCENE_EVENT_EXPLOSION, .duration = 2.4}, // until the figure begins to get up
};

// Prints the rows of the other engines, to compare with Bullet's.
static void others(int which)
{
    char name[64];
    scene_meter_report report;
    scene_meter_difference difference;
    scene_act act = acts[which];
    scene_meter_print_head(figures);
    snprintf(name, sizeof name, "%s, light", words[which]);
    measure(name, act, &report, &difference);
#ifdef BESIDE_ODE
    act.engine = scene_ode_engine;
    snprintf(name, sizeof name, "%s, ODE", words[which]);
    measure(name, act, &report, &difference);
#endif
}

static void run(int which, scene_meter_report *report, scene_meter_difference *difference)
{
    char name[64];
    scene_act act = acts[which];
    others(which);
    act.engine = bullet_engine;
    snprintf(name, sizeof name, "%s, Bullet", words[which]);
    measure(name, act, report, difference);
}

static double value(const scene_meter_report *report, scene_figure figure)
{
    CHECK(report->figures[figure].known);
    return report->figures[figure].value;
}

static void a_touch_changes_nothing(void)
{
    scene_meter_report report;
    scene_meter_difference difference;
    run(TOUCH, &report, &difference);
    CHECK(difference.turn < 1.0 && difference.foot_turn < 1.0 && difference.way < 5.0);
}

static void a_hit_sways_and_comes_back(void)
{
    scene_meter_report report;
    scene_meter_difference difference;
    run(HIT, &report, &difference);
    CHECK(value(&report, SCENE_FIGURE_HEAD_WAY) > 80.0 && value(&report, SCENE_FIGURE_HEAD_WAY) < 160.0);
    CHECK(value(&report, SCENE_FIGURE_CHEST_TURN) > 10.0);
    CHECK(value(&report, SCENE_FIGURE_CUT_TURN) < 2.0 && value(&report, SCENE_FIGURE_CUT_WAY) < 5.0);
    CHECK(value(&report, SCENE_FIGURE_OFF_WAY) < 1.0 && value(&report, SCENE_FIGURE_OFF_TURN) < 0.1);
    CHECK(value(&report, SCENE_FIGURE_BODY_STEP) < 8.0 && value(&report, SCENE_FIGURE_LIMIT) < 1.0);
    CHECK(value(&report, SCENE_FIGURE_LOWEST) > -2.0 && value(&report, SCENE_FIGURE_ANY_SLIDE) < 10.0);
    CHECK(value(&report, SCENE_FIGURE_QUIET) < 1.5);
}

static void a_fall_stays_together(void)
{
    scene_meter_report report;
    scene_meter_difference difference;
    run(FALL, &report, &difference);
    CHECK(value(&report, SCENE_FIGURE_HEAD_WAY) > 1000.0);
    // Limbs that hit the ground are cut.
    CHECK(value(&report, SCENE_FIGURE_CUT_TURN) < 20.0 && value(&report, SCENE_FIGURE_CUT_WAY) < 25.0);
    CHECK(value(&report, SCENE_FIGURE_OFF_WAY) < 10.0 && value(&report, SCENE_FIGURE_OFF_TURN) < 0.1);
    CHECK(value(&report, SCENE_FIGURE_LIMIT) < 10.0 && value(&report, SCENE_FIGURE_LOWEST) > -15.0);
}

// The bounds are a third above the measured values.
static void blows_are_shown_as_they_are(void)
{
    static const cover_bound bounds[] = {
        {SCENE_FIGURE_OFF_WAY, 0.0, 1.0, COVER_ALL},
        {SCENE_FIGURE_OFF_TURN, 0.0, 0.05, COVER_ALL},
        {SCENE_FIGURE_BEYOND_TURN, -1e3, 1.5, COVER_ALL},
        {SCENE_FIGURE_BEYOND_WAY, -1e3, 1.0, COVER_ALL},
        {SCENE_FIGURE_CUT_TURN, -1e3, 6.0, COVER_ALL},
        {SCENE_FIGURE_CUT_WAY, -1e3, 13.0, COVER_ALL},
        {SCENE_FIGURE_BODY_STEP, 0.0, 56.0, COVER_ALL},
        {SCENE_FIGURE_LIMIT, -1e3, 1.0, COVER_ALL},
        {SCENE_FIGURE_LOWEST, -10.0, 50.0, COVER_ALL},
        {SCENE_FIGURE_HEAD_WAY, 1.2, 1e4, COVER_PER_HIT},
        {SCENE_FIGURE_HEAD_WAY, 25.0, 1e4, COVER_PER_SWAY},
        {SCENE_FIGURE_HAND_WAY, 10.0, 1e4, COVER_PER_SWAY},
    };
    cover_run(1, bullet_engine, bounds, (int)(sizeof bounds / sizeof bounds[0]));
}

static const test_case cases[] = {
    {"a_touch_changes_nothing", a_touch_changes_nothing},
    {"a_hit_sways_and_comes_back", a_hit_sways_and_comes_back},
    {"a_fall_stays_together", a_fall_stays_together},
    {"blows_are_shown_as_they_are", blows_are_shown_as_they_are},
};

RUN_TESTS(cases)
