// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The skirt of the full sample while the figure takes recovery steps. A thigh once came out of it: by 14 to 45 mm in the
// step after a push from behind, by 47 to 64 mm in a step to the side. The skirt hung on twelve chains, none of them
// exactly at the side, where a lifted thigh pushed two of them apart.

#include "motion_cover_fixture.h"

typedef struct push {
    uint32_t seed;
    vrm_vec3 impulse; // N s
    double most;      // mm
} push;

static void thighs_stay_in_the_skirt(void)
{
    static const push pushes[] = {{0, {45.0f, 0.0f, 0.0f}, 25.0}, {1, {0.0f, 0.0f, 60.0f}, 5.0},
        {0, {0.0f, 0.0f, 60.0f}, 5.0}, {3, {-45.0f, 0.0f, 0.0f}, 25.0}, {0, {0.0f, 0.0f, -45.0f}, 5.0}};
#ifdef __SANITIZE_ADDRESS__
    const size_t count = 1;
#else
    const size_t count = sizeof pushes / sizeof pushes[0];
#endif
    for (size_t i = 0; i < count; ++i) {
        cover_figure f;
        vrm_sample_params params;
        vrm_sample_params_default(&params);
        params.seed = pushes[i].seed;
        params.outfit = VRM_SAMPLE_OUTFIT_UNIFORM;
        vrm_bytes bytes = {0};
        CHECK_INT(vrm_sample_create(&params, &bytes), VRM_SUCCESS);
        if (!cover_figure_read(&bytes, &f)) {
            return;
        }
        const scene_act act = {.avatar = f.avatar,
            .def = f.def,
            .motion = "idle",
            .event = SCENE_EVENT_HIT,
            .bone = VRM_HUMAN_BONE_CHEST,
            .impulse = pushes[i].impulse,
            .when = 0.2,
            .duration = 2.5,
            .rate = 30.0,
            .drive = VRM_RAGDOLL_DRIVE_TORQUE,
            .steps = true,
            .gltf = f.gltf};
        const scene_meter_def def = {.avatar = f.avatar, .gltf = f.gltf, .def = f.def, .rate = act.rate, .pokes = true};
        scene_meter *meter = scene_meter_create(&def);
        CHECK_INT(scene_act_run(&act, meter), VRM_SUCCESS);
        scene_meter_report report;
        scene_meter_read(meter, &(scene_meter_question){.event = act.when}, &report);
        const scene_reading *poke = &report.figures[SCENE_FIGURE_SKIRT_POKE];
        printf("sample %u, push (%.0f, %.0f): head moves by %.0f mm, skirt poke %.1f mm\n", pushes[i].seed,
            (double)pushes[i].impulse.x, (double)pushes[i].impulse.z, report.figures[SCENE_FIGURE_HEAD_WAY].value,
            poke->known ? poke->value : 0.0);
        CHECK(
            report.figures[SCENE_FIGURE_HEAD_WAY].value > 50.0 && report.figures[SCENE_FIGURE_HEAD_WAY].value < 600.0);
        CHECK(!poke->known || poke->value < pushes[i].most);
        scene_meter_destroy(meter);
        cover_figure_free(&f);
    }
}

static const test_case cases[] = {
    {"thighs_stay_in_the_skirt", thighs_stay_in_the_skirt},
};

RUN_TESTS(cases)
