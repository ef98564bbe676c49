// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs ODE's half of the covering set of impulses (tests/scenes/test_motion_cover.c), then falls.

#include "motion_cover_fixture.h"
#include "scene_ode.h"

// The bounds are a third above the measured values.
static void blows_are_shown_as_they_are(void)
{
    static const cover_bound bounds[] = {
        {SCENE_FIGURE_OFF_WAY, 0.0, 0.1, COVER_ALL},
        {SCENE_FIGURE_OFF_TURN, 0.0, 0.05, COVER_ALL},
        {SCENE_FIGURE_BEYOND_TURN, -1e3, 1.0, COVER_ALL},
        {SCENE_FIGURE_BEYOND_WAY, -1e3, 0.1, COVER_ALL},
        {SCENE_FIGURE_CUT_TURN, -1e3, 6.0, COVER_ALL},
        {SCENE_FIGURE_CUT_WAY, -1e3, 9.0, COVER_ALL},
        {SCENE_FIGURE_BODY_STEP, 0.0, 24.0, COVER_ALL},
        {SCENE_FIGURE_LIMIT, -1e3, 3.1, COVER_ALL},
        {SCENE_FIGURE_LOWEST, -7.9, 50.0, COVER_ALL},
        {SCENE_FIGURE_HEAD_WAY, 2.5, 1e4, COVER_PER_HIT},
        {SCENE_FIGURE_HEAD_WAY, 25.0, 1e4, COVER_PER_SWAY},
        {SCENE_FIGURE_HAND_WAY, 10.0, 1e4, COVER_PER_SWAY},
    };
    cover_run(1, scene_ode_engine, bounds, (int)(sizeof bounds / sizeof bounds[0]));
}

static void measure_fall(const cover_figure *f, scene_event event, scene_meter_report *out)
{
    const scene_act act = {.avatar = f->avatar,
        .def = f->def,
        .motion = "idle",
        .event = event,
        .when = 0.5,
        .duration = 3.0, // until a figure begins to get up
        .rate = 60.0,
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .engine = scene_ode_engine};
    CHECK_INT(scene_act_measure(&act, f->gltf, false, out), VRM_SUCCESS);
}

// Explosions, drops and limp bodies on a pinned hand. When joints and contacts acted only after limits and the ground
// were passed, a joint turned by up to 38 degrees in a frame, bones were 37 mm off their bodies, and a vertex 48 mm below
// the ground.
static void falls_are_soft_and_shown_as_they_are(void)
{
    static const cover_bound bounds[] = {
        {SCENE_FIGURE_OFF_WAY, 0.0, 0.1, COVER_ALL},
        {SCENE_FIGURE_OFF_TURN, 0.0, 0.05, COVER_ALL},
        {SCENE_FIGURE_BEYOND_WAY, -1e3, 0.1, COVER_ALL},
        {SCENE_FIGURE_OTHER_CUT_TURN, -1e3, 7.0, COVER_ALL},
        {SCENE_FIGURE_OTHER_CUT_WAY, -1e3, 15.0, COVER_ALL},
        {SCENE_FIGURE_LANDING_CUT_TURN, -1e3, 6.4, COVER_ALL},
        {SCENE_FIGURE_LANDING_CUT_WAY, -1e3, 12.3, COVER_ALL},
        {SCENE_FIGURE_LIMIT, -1e3, 16.0, COVER_ALL},
        {SCENE_FIGURE_LOWEST, -12.4, 50.0, COVER_ALL},
    };
    static const scene_event events[] = {SCENE_EVENT_EXPLOSION, SCENE_EVENT_DROP, SCENE_EVENT_PIN};
    for (uint32_t figure = 0; figure < SCENE_COVER_FIGURES; figure += 2) {
        cover_figure f;
        if (!cover_figure_make(figure, &f)) {
            return;
        }
        for (uint32_t i = 0; i < sizeof events / sizeof events[0]; ++i) {
            scene_meter_report report;
            measure_fall(&f, events[i], &report);
            printf("figure %u, event %u:", figure, i);
            for (uint32_t k = 0; k < sizeof bounds / sizeof bounds[0]; ++k) {
                const scene_reading *r = &report.figures[bounds[k].figure];
                printf(" %s %.1f,", scene_figure_word(bounds[k].figure), r->value);
                CHECK(!r->known || (r->value >= bounds[k].least && r->value <= bounds[k].most));
            }
            printf("\n");
        }
        cover_figure_free(&f);
    }
}

// Pushes of a walk from the side and from behind, then hits of an arm and a hand. When feet had only the friction of the
// force with which they press on the ground, they slid by up to 18 mm. When a limb that is hit was stopped by its limits
// within one step, a hand turned by 7.6 degrees more in a frame than in the next ones.
static void feet_of_pushed_walks_stay_and_hit_limbs_are_braked(void)
{
    for (uint32_t figure = 1; figure < SCENE_COVER_FIGURES; figure += 2) {
        const vrm_vec3 aside = {-0.15f, 0.0f, 0.0f}, ahead = {0.0f, 0.0f, 0.5f}, arm = {0.0f, 0.0f, 0.72f},
                       hand = {0.0f, 0.0f, 0.12f};
        cover_figure f;
        scene_meter_report walks[2], hits[2];
        if (!cover_figure_make(figure, &f)) {
            return;
        }
        cover_hit(&f, scene_ode_engine, VRM_RAGDOLL_DRIVE_TORQUE, "walk-ahead", VRM_HUMAN_BONE_CHEST, aside, &walks[0]);
        cover_hit(&f, scene_ode_engine, VRM_RAGDOLL_DRIVE_TORQUE, "walk-ahead", VRM_HUMAN_BONE_CHEST, ahead, &walks[1]);
        cover_hit(&f, scene_ode_engine, VRM_RAGDOLL_DRIVE_TORQUE, "idle", VRM_HUMAN_BONE_LEFT_UPPER_ARM, arm, &hits[0]);
        cover_hit(&f, scene_ode_engine, VRM_RAGDOLL_DRIVE_TORQUE, "idle", VRM_HUMAN_BONE_RIGHT_HAND, hand, &hits[1]);
        for (uint32_t i = 0; i < 2; ++i) {
            const double slide = walks[i].figures[SCENE_FIGURE_SLIDE].value,
                         turn = hits[i].figures[SCENE_FIGURE_CUT_TURN].value,
                         way = hits[i].figures[SCENE_FIGURE_CUT_WAY].value;
            printf("figure %u: slide %.1f mm, cut %.1f degrees, %.1f mm\n", figure, slide, turn, way);
            CHECK(slide < 12.0);
            CHECK(turn < 6.0 && way < 15.0);
        }
        cover_figure_free(&f);
    }
}

// Both hands of this figure's walk are up to 27 mm within its hips' box. When contacts pushed limbs apart that follow
// the animation, a hand was thrown off by 75 mm in a frame with the velocity drive.
static void hands_that_swing_through_the_hips_are_not_thrown_off(void)
{
    cover_figure f;
    scene_meter_report r;
    if (!cover_figure_make(1, &f)) {
        return;
    }
    const vrm_vec3 impulse = {0.0f, 0.0f, 0.2f};
    cover_hit(&f, scene_ode_engine, VRM_RAGDOLL_DRIVE_VELOCITY, "walk-ahead", VRM_HUMAN_BONE_HEAD, impulse, &r);
    printf(
        "cut %.1f degrees, %.1f mm\n", r.figures[SCENE_FIGURE_CUT_TURN].value, r.figures[SCENE_FIGURE_CUT_WAY].value);
    CHECK(r.figures[SCENE_FIGURE_CUT_TURN].value < 6.0 && r.figures[SCENE_FIGURE_CUT_WAY].value < 15.0);
    cover_figure_free(&f);
}

static const test_case cases[] = {{"blows_are_shown_as_they_are", blows_are_shown_as_they_are},
    {"falls_are_soft_and_shown_as_they_are", falls_are_soft_and_shown_as_they_are},
    {"feet_of_pushed_walks_stay_and_hit_limbs_are_braked", feet_of_pushed_walks_stay_and_hit_limbs_are_braked},
    {"hands_that_swing_through_the_hips_are_not_thrown_off", hands_that_swing_through_the_hips_are_not_thrown_off}};

RUN_TESTS(cases)
