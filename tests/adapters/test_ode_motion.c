// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs ODE's half of the covering set of impulses (tests/scenes/test_motion_cover.c).

#include "motion_cover_fixture.h"
#include "scene_ode.h"

// The first bound allows for ODE's joints, which separate; bones do not, so the figure differs from its bodies. The
// bounds are a third above the measured values.
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
        {SCENE_FIGURE_HEAD_WAY, 0.1, 1e3, COVER_ALL},
    };
    cover_run(1, scene_ode_engine, bounds, (int)(sizeof bounds / sizeof bounds[0]));
}

static const test_case cases[] = {{"blows_are_shown_as_they_are", blows_are_shown_as_they_are}};

RUN_TESTS(cases)
