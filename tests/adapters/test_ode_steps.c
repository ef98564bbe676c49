// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Recovery steps with ODE as the engine. The step plan gives targets for feet and hips, as any animation does. The
// bounds are a third above the measured values.

#include "motion_act.h"
#include "sample_avatar.h"
#include "scene_ode.h"

#include <math.h>

// Pushes the chest of the idling sample and checks the visible faults. Returns false if the figure lies on the ground
// at the end.
static bool stands_after(const vrm_avatar *avatar, const vrm_ragdoll_def *def, float impulse, float angle)
{
    const scene_act act = {.avatar = avatar,
        .def = def,
        .motion = "idle",
        .event = SCENE_EVENT_HIT,
        .when = 0.3,
        .duration = 3.0,
        .rate = 60.0,
        .bone = VRM_HUMAN_BONE_CHEST,
        .impulse = {impulse * sinf(angle), 0.0f, impulse * cosf(angle)},
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .steps = true,
        .engine = scene_ode_engine};
    scene_meter_report r;
    CHECK_INT(scene_act_measure(&act, NULL, false, &r), VRM_SUCCESS);
    const double turn = r.figures[SCENE_FIGURE_CUT_TURN].value, way = r.figures[SCENE_FIGURE_CUT_WAY].value,
                 off = r.figures[SCENE_FIGURE_OFF_WAY].value, slide = r.figures[SCENE_FIGURE_ANY_SLIDE].value,
                 chest = r.figures[SCENE_FIGURE_CHEST_TURN].value;
    printf("%.0f N s at %.0f degrees: cut %.1f degrees, %.1f mm, off its bodies %.1f mm, soles slide %.1f mm, chest "
           "turns by "
           "%.0f degrees\n",
        (double)impulse, (double)angle * 57.29578, turn, way, off, slide, chest);
    CHECK(turn < 2.2 && way < 14.4);
    CHECK(off < 0.1);
    CHECK(slide < 10.0);
    return chest < 31.0;
}

static void pushes_are_stepped_from(void)
{
    vrm_gltf *gltf = sample_document(0);
    vrm_avatar *avatar = NULL;
    vrm_ragdoll_def def;
    vrm_ragdoll_def_default(&def);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &def), VRM_SUCCESS);
    for (int side = 0; side < 4; ++side) {
        for (int i = 1; i <= 3; ++i) {
            CHECK(stands_after(avatar, &def, 12.0f * (float)i, 1.57079633f * (float)side));
        }
    }
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {{"pushes_are_stepped_from", pushes_are_stepped_from}};

RUN_TESTS(cases)
