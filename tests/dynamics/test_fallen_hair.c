// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Hair and skirt of a body that falls and lies on its ragdoll's ground.

#include "motion_act.h"
#include "sample_avatar.h"
#include "test.h"

#include <vrm/spring.h>

#include <stdlib.h>

// Without vrm_spring_params.ground the sample's hair is 270 and 373 mm below the ground. With it, only the edges of
// locks remain below: springs keep joints above the ground, but never rotate a lock about its own axis.
static void hair_and_skirt_go_through_the_ground(void)
{
    vrm_gltf *gltf = sample_document(0);
    vrm_avatar *avatar = NULL;
    vrm_ragdoll_def *def = malloc(sizeof *def);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    vrm_ragdoll_def_default(def);
    CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, def), VRM_SUCCESS);
    const scene_event events[] = {SCENE_EVENT_DROP, SCENE_EVENT_EXPLOSION};
    for (int i = 0; i < 2; ++i) {
        const scene_act act = {.avatar = avatar,
            .def = def,
            .motion = "idle",
            .event = events[i],
            .when = 0.1,
            .duration = 2.5,
            .rate = 60.0,
            .drive = VRM_RAGDOLL_DRIVE_TORQUE};
        const scene_meter_def meter_def = {.avatar = avatar, .gltf = gltf, .def = def, .rate = 60.0};
        scene_meter *meter = scene_meter_create(&meter_def);
        CHECK_INT(scene_act_run(&act, meter), VRM_SUCCESS);
        scene_meter_report report;
        scene_meter_read(meter, &(scene_meter_question){.event = act.when}, &report);
        CHECK(report.figures[SCENE_FIGURE_LOWEST_HAIR].value < 100.0); // it lies
        CHECK(report.figures[SCENE_FIGURE_LOWEST_HAIR].value > -40.0);
        scene_meter_destroy(meter);
    }
    free(def);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"hair_and_skirt_go_through_the_ground", hair_and_skirt_go_through_the_ground},
};

RUN_TESTS(cases)
