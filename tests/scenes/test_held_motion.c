// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A limp figure that hangs by a pinned hand, and a figure with a limp arm, measured by the meter in every frame.

#include "motion_act.h"
#include "stagger_fixture.h"

// Measures an event of an idling figure, beside the same motion without it or alone.
static scene_meter_report measure(const figure *f, scene_event event, vrm_ragdoll_drive drive, bool beside)
{
    const scene_act act = {.avatar = f->avatar,
        .def = &f->def,
        .motion = "idle",
        .event = event,
        .when = 0.5,
        .duration = 4.0,
        .rate = 60.0,
        .drive = drive};
    scene_meter_report report;
    CHECK_INT(scene_act_measure(&act, f->gltf, beside, &report), VRM_SUCCESS);
    return report;
}

// Nothing jumps, and the figure is shown where its bodies are and above the ground.
static void is_seen_well(const char *what, uint32_t number, const scene_meter_report *r)
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
    CHECK(figures[SCENE_FIGURE_LOWEST].value > -10.0); // fingers and the sample's thigh once sank by 14.5 mm
}

static void hold(const figure *f, uint32_t number, vrm_ragdoll_drive drive)
{
    const scene_meter_report pinned = measure(f, SCENE_EVENT_PIN, drive, true);
    is_seen_well("pinned hand", number, &pinned);
    CHECK(pinned.figures[SCENE_FIGURE_HEAD_WAY].value > 50.0);
    const scene_meter_report limp = measure(f, SCENE_EVENT_LIMP_ARM, drive, true);
    is_seen_well("limp arm", number, &limp);
    CHECK(limp.figures[SCENE_FIGURE_HEAD_WAY].value < 1.0); // the arm takes nothing along
    CHECK(limp.figures[SCENE_FIGURE_ARM_SWING].value > 8.0);
}

static void pinned_hands_and_limp_arms(void)
{
    for (uint32_t number = 0; number < 6; ++number) {
        figure f = figure_number(number);
        hold(&f, number, VRM_RAGDOLL_DRIVE_TORQUE);
        hold(&f, number, VRM_RAGDOLL_DRIVE_VELOCITY);
        figure_free(&f);
    }
}

// The joints of these figures once stopped within a step at their limits, and limbs had cuts of 11 and 12 degrees.
static void a_limp_figure_hangs_without_jerks(void)
{
    static const uint32_t numbers[] = {1, 9};
    for (int i = 0; i < 2; ++i) {
        figure f = figure_number(numbers[i]);
        const scene_meter_report report = measure(&f, SCENE_EVENT_PIN, VRM_RAGDOLL_DRIVE_TORQUE, false);
        const double cut = report.figures[SCENE_FIGURE_OTHER_CUT_TURN].value;
        printf("figure %u hangs with cuts of at most %.1f degrees\n", numbers[i], cut);
        CHECK(cut < 6.0);
        figure_free(&f);
    }
}

static const test_case cases[] = {
    {"a_limp_figure_hangs_without_jerks", a_limp_figure_hangs_without_jerks},
    {"pinned_hands_and_limp_arms", pinned_hands_and_limp_arms},
};

RUN_TESTS(cases)
