// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Figures that lie a metre off their root get up although the host does not move the root. They return to their motion
// at the old root, within the bounds of getting up. (The step from the motion before to the clip of getting up once
// counted as a velocity of the clip, and turned hands and feet by up to 51 degrees in the first frame.)

#include "fall_act.h"
#include "motion_cover_fixture.h"

static void figures_get_up_although_their_root_stays(void)
{
    for (uint32_t figure = 0; figure < 6; figure += 2) {
        cover_figure f;
        if (!cover_figure_make(figure, &f)) {
            return;
        }
        const float mass = scene_def_mass(f.def);
        for (int thrown = 0; thrown < 2; ++thrown) {
            const scene_fall_act act = {.avatar = f.avatar,
                .gltf = f.gltf,
                .def = f.def,
                .gets_up = true,
                .push = {0.0f, 0.0f, -1.2f * mass},
                .when = 0.5,
                .seed = 3,
                .thrown = thrown == 1,
                .keeps_root = true};
            scene_fall_report r;
            CHECK_INT(scene_fall_act_run(&act, &r), VRM_SUCCESS);
            const scene_reading *rise = r.rise.figures;
            printf(
                "figure %u, %s: gets up in %.2f s, cut %.1f degrees, %.1f mm, body step %.1f degrees, any slide %.1f "
                "mm, lowest %.1f mm, the head moves by %.0f mm\n",
                figure, thrown == 1 ? "thrown" : "pushed", r.seconds, rise[SCENE_FIGURE_CUT_TURN].value,
                rise[SCENE_FIGURE_CUT_WAY].value, rise[SCENE_FIGURE_BODY_STEP].value,
                rise[SCENE_FIGURE_ANY_SLIDE].value, rise[SCENE_FIGURE_LOWEST].value, rise[SCENE_FIGURE_HEAD_WAY].value);
            CHECK(r.stands); // hips and fingers are the motion's again
            CHECK(rise[SCENE_FIGURE_CUT_TURN].value < 6.0 && rise[SCENE_FIGURE_CUT_WAY].value < 15.0);
            CHECK(rise[SCENE_FIGURE_BODY_STEP].value < 20.0);
            CHECK(rise[SCENE_FIGURE_ANY_SLIDE].value < 10.0);
            CHECK(rise[SCENE_FIGURE_LOWEST].value > -10.0);
            CHECK(rise[SCENE_FIGURE_OFF_WAY].value < 0.1 && rise[SCENE_FIGURE_BEYOND_TURN].value < 0.1);
            CHECK(rise[SCENE_FIGURE_HEAD_WAY].value > 800.0 * (double)f.def->height);
        }
        cover_figure_free(&f);
    }
}

static const test_case cases[] = {
    {"figures_get_up_although_their_root_stays", figures_get_up_although_their_root_stays},
};

RUN_TESTS(cases)
