// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A limp figure that hangs by a pinned hand, and a figure with a limp arm, measured by the meter in every frame.

#include "motion_act.h"
#include "stagger_fixture.h"

static const double event_at = 0.5;

// Plays an event while the figure idles.
static scene_meter *play(const figure *f, scene_event event)
{
    const scene_meter_def def = {.avatar = f->avatar, .gltf = f->gltf, .def = &f->def, .rate = 60.0};
    scene_meter *meter = scene_meter_create(&def);
    const scene_act act = {.avatar = f->avatar,
        .def = &f->def,
        .motion = "idle",
        .event = event,
        .when = event_at,
        .duration = 4.0,
        .rate = 60.0};
    CHECK_INT(scene_act_run(&act, meter), VRM_SUCCESS);
    return meter;
}

// Measures an event beside the same motion without it.
static scene_meter_report measure(const figure *f, scene_event event)
{
    scene_meter *meter = play(f, event), *without = play(f, SCENE_EVENT_NONE);
    scene_meter_report report;
    scene_meter_read(meter, &(scene_meter_question){.event = event_at, .reference = without}, &report);
    scene_meter_destroy(meter);
    scene_meter_destroy(without);
    return report;
}

// Nothing jumps, and the figure is shown where its bodies are and above the ground.
static void is_seen_well(const char *what, uint32_t number, const scene_meter_report *r, double lowest)
{
    const scene_reading *figures = r->figures;
    printf("%s, figure %u: cut %.1f degrees and %.1f mm, lowest %.1f mm, head %.0f mm, arm %.0f degrees\n", what,
        number, figures[SCENE_FIGURE_CUT_TURN].value, figures[SCENE_FIGURE_CUT_WAY].value,
        figures[SCENE_FIGURE_LOWEST].value, figures[SCENE_FIGURE_HEAD_WAY].value,
        figures[SCENE_FIGURE_ARM_SWING].value);
    CHECK(figures[SCENE_FIGURE_OFF_TURN].known && figures[SCENE_FIGURE_LOWEST].known);
    CHECK(figures[SCENE_FIGURE_OFF_TURN].value < 0.1 && figures[SCENE_FIGURE_OFF_WAY].value < 1.0);
    CHECK(figures[SCENE_FIGURE_BEYOND_TURN].value < 1.0 && figures[SCENE_FIGURE_BEYOND_WAY].value < 5.0);
    CHECK(figures[SCENE_FIGURE_CUT_TURN].value < 6.0 && figures[SCENE_FIGURE_CUT_WAY].value < 15.0);
    CHECK(figures[SCENE_FIGURE_LOWEST].value > lowest);
}

static void pinned_hands_and_limp_arms(void)
{
    for (uint32_t number = 0; number < 6; ++number) {
        figure f = figure_number(number);
        // The sample's skin sinks by 13.6 mm where it hangs on the ground.
        const scene_meter_report pinned = measure(&f, SCENE_EVENT_PIN);
        is_seen_well("pinned hand", number, &pinned, number == 0 ? -15.0 : -10.0);
        CHECK(pinned.figures[SCENE_FIGURE_HEAD_WAY].value > 50.0);
        const scene_meter_report limp = measure(&f, SCENE_EVENT_LIMP_ARM);
        is_seen_well("limp arm", number, &limp, -10.0);
        CHECK(limp.figures[SCENE_FIGURE_HEAD_WAY].value < 1.0); // the arm takes nothing along
        CHECK(limp.figures[SCENE_FIGURE_ARM_SWING].value > 8.0);
        figure_free(&f);
    }
}

static const test_case cases[] = {{"pinned_hands_and_limp_arms", pinned_hands_and_limp_arms}};

RUN_TESTS(cases)
