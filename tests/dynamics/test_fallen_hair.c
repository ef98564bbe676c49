// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Skin, hair and skirt of a body that falls and lies on its ragdoll's ground.

#include "motion_cover_fixture.h"

enum { COUNT_OF_EVENTS = 2 };
static const double lying = 2.5, up_again = 7.0; // seconds after which a figure lies, and stands again

// Lets a figure fall by a drop or an explosion, for a time.
static scene_meter_report fall(const cover_figure *f, scene_event event, double duration)
{
    const scene_act act = {.avatar = f->avatar,
        .def = f->def,
        .motion = "idle",
        .event = event,
        .when = 0.1,
        .duration = duration,
        .rate = 60.0,
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .gltf = duration > lying ? f->gltf : NULL};
    scene_meter_report report;
    CHECK_INT(scene_act_measure(&act, f->gltf, false, &report), VRM_SUCCESS);
    return report;
}

static const scene_event events[] = {SCENE_EVENT_DROP, SCENE_EVENT_EXPLOSION};

// Measures hair and skirt while a figure falls, lies and gets up. Frees the bytes.
static void stays_above(const char *name, vrm_bytes *bytes, double least)
{
    cover_figure f;
    if (cover_figure_read(bytes, &f)) {
        for (int i = 0; i < COUNT_OF_EVENTS; ++i) {
            const scene_meter_report report = fall(&f, events[i], up_again);
            const scene_reading *low = &report.figures[SCENE_FIGURE_LOWEST_HAIR];
            printf("%s, %s: lowest vertex of hair and skirt %.1f mm, at %.2f s\n", name, i == 0 ? "drop" : "explosion",
                low->value, low->frame / 60.0);
            CHECK(low->known && low->value < 100.0); // it lay on the ground
            CHECK(low->value > least);
            CHECK(report.figures[SCENE_FIGURE_HEAD_WAY].value > 400.0);
        }
    }
    cover_figure_free(&f);
}

// A bug once let hair and skirt go through the ground: by 270 and 373 mm in the minimal sample. With
// vrm_spring_params.ground, but with the springs' hit radius only, locks beside a chain went through it by 17 to 23 mm
// in the minimal sample, 104 in the full one, 70 in Godette. What remains is a part of the skirt that starts on a seat
// that lies on the ground.
static void hair_and_skirt_that_went_through_the_ground_stay_above(void)
{
    vrm_bytes bytes = sample_bytes(0);
    stays_above("minimal sample", &bytes, -10.0);
#ifndef __SANITIZE_ADDRESS__
    for (uint32_t seed = 0; seed < 4; ++seed) {
        char name[32];
        vrm_sample_params params;
        vrm_sample_params_default(&params);
        params.seed = seed;
        params.outfit = VRM_SAMPLE_OUTFIT_UNIFORM;
        params.hair = seed == 3 ? VRM_SAMPLE_HAIR_LONG : params.hair;
        CHECK_INT(vrm_sample_create(&params, &bytes), VRM_SUCCESS);
        snprintf(name, sizeof name, "sample %u", seed);
        stays_above(name, &bytes, -25.0);
    }
    bytes = cover_bytes(2);
    stays_above("Godette, or a figure with other proportions", &bytes, -10.0);
#endif
}

static void lies_on_its_skin(const char *name, vrm_bytes *bytes)
{
    cover_figure f;
    if (cover_figure_read(bytes, &f)) {
        for (int i = 0; i < COUNT_OF_EVENTS; ++i) {
            const scene_meter_report report = fall(&f, events[i], lying);
            const scene_reading *low = &report.figures[SCENE_FIGURE_LOWEST];
            printf("%s, %s: lowest vertex %.1f mm (%s at %.2f s)\n", name, i == 0 ? "drop" : "explosion", low->value,
                vrm_human_bone_name((vrm_human_bone)low->bone), low->frame / 60.0);
            CHECK(low->known && low->value > -10.0 && low->value < 5.0);
            CHECK(report.figures[SCENE_FIGURE_HEAD_WAY].value > 400.0); // it lies
        }
    }
    cover_figure_free(&f);
}

// A bug once let a lying body sink into the ground: the head by 5 cm, the hands by 10, another avatar's feet by 25.
// Later shapes still left out what an angular pelvis has behind it, and the kneecap of a bent knee, which a helper joint
// turns: full samples sank by 19 and 16 mm.
static void lying_skin_stays_above_the_ground(void)
{
    char name[32];
    vrm_bytes bytes = {0};
    for (uint32_t figure = 0; figure < SCENE_COVER_FIGURES; ++figure) {
        bytes = cover_bytes(figure);
        snprintf(name, sizeof name, "figure %u", figure);
        lies_on_its_skin(name, &bytes);
    }
    for (uint32_t seed = 1; seed <= 2; ++seed) {
        vrm_sample_params params;
        vrm_sample_params_default(&params);
        params.seed = seed;
        CHECK_INT(vrm_sample_create(&params, &bytes), VRM_SUCCESS);
        snprintf(name, sizeof name, "full sample %u", seed);
        lies_on_its_skin(name, &bytes);
    }
}

static const test_case cases[] = {
    {"hair_and_skirt_that_went_through_the_ground_stay_above", hair_and_skirt_that_went_through_the_ground_stay_above},
    {"lying_skin_stays_above_the_ground", lying_skin_stays_above_the_ground},
};

RUN_TESTS(cases)
