// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A figure that gets up carries its weight: its mass centre is above what touches the ground, or nearly. The mass
// centre comes from the ragdoll's masses, the support from the skin near the ground. Getting up once skipped the shift
// of weight: the pelvis rose from the seat before a knee or a hand was on the ground, for up to a second.

#include "lying_figure.h"
#include "motion_meter.h"
#include "shared_path.h"

// Time in which the lying pose, which may be any, becomes the first key pose, seconds.
static const double begun = 0.6;

static scene_meter *meter_of(const figure *f, const vrm_ragdoll_def *bodies)
{
    const scene_meter_def def = {.avatar = f->avatar, .gltf = f->gltf, .def = bodies, .rate = 60};
    scene_meter *meter = scene_meter_create(&def);
    CHECK(meter != NULL);
    return meter;
}

// Lays the figure onto the ground: its lowest vertex touches it.
static void lay(const figure *f, vrm_get_up_way way, const vrm_ragdoll_def *bodies)
{
    lie(f, way, 37, 1);
    scene_meter *meter = meter_of(f, bodies);
    CHECK(scene_meter_add(meter, f->instance, NULL));
    const scene_meter_question all = {.event = -1.0};
    scene_meter_report report;
    scene_meter_read(meter, &all, &report);
    scene_meter_destroy(meter);
    const ref_vec hips = shown_place(f, BONE(HIPS));
    const vrm_vec3 place = {
        (float)hips.v[0], (float)(hips.v[1] - report.figures[SCENE_FIGURE_LOWEST].value / 1000), (float)hips.v[2]};
    CHECK_INT(vrm_instance_set_hips_position(f->instance, &place), VRM_SUCCESS);
    vrm_update_dt(f->instance, 0.0f);
}

static scene_meter_support play(const figure *f, const vrm_clip *clip, const vrm_ragdoll_def *bodies)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    scene_meter *meter = meter_of(f, bodies);
    for (int frame = 0; frame <= (int)((double)info.duration * 60); ++frame) {
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, (float)frame / 60.0f, &pose);
        show(f, &pose);
        CHECK(scene_meter_add(meter, f->instance, NULL));
    }
    const scene_meter_support out = scene_meter_read_support(meter, begun, 0.0);
    scene_meter_destroy(meter);
    return out;
}

static void check_figure(const char *name, const char *path, uint32_t made)
{
    static const char *const ways[] = {"back", "front", "left", "right", "sitting", "kneeling"};
    figure f;
    static vrm_ragdoll_def bodies;
    if (!open_figure(&f, path, made)) {
        SKIP("a figure of ../shared is not there");
        return;
    }
    build_bodies(&f, &bodies);
    for (int way = 0; way < 6; ++way) {
        vrm_get_up_way found;
        lay(&f, (vrm_get_up_way)way, &bodies);
        vrm_clip *clip = clip_of(&f, &found);
        const scene_meter_support s = play(&f, clip, &bodies);
        printf(
            "%s, %s (%s): beside the support in %.1f %% of %u frames, for at most %.2f s, by at most %.0f mm; a foot "
            "hangs for %.2f s\n",
            name, ways[way], ways[found], 100 * s.outside, s.frames, s.longest, s.largest, s.hanging);
        // In quick moments the mass centre is beside the support: a side rolls over, or a foot comes forward.
        const bool rolls = found == VRM_GET_UP_FROM_LEFT || found == VRM_GET_UP_FROM_RIGHT;
        CHECK(s.frames > 40);
        CHECK(s.outside < (rolls ? 0.32 : 0.17));
        CHECK(s.longest < (rolls ? 0.75 : found == (vrm_get_up_way)way ? 0.25 : 0.5));
        CHECK(s.hanging < (rolls ? 1.2 : 0.3));
        vrm_clip_release(clip);
    }
    close_figure(&f);
}

static void the_sample_shifts_its_weight(void)
{
    check_figure("sample", NULL, 0);
}

static void a_figure_with_a_large_head_does_too(void)
{
    char path[512];
    check_figure("Godette", shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path), 0);
}

static void made_figures_do_too(void)
{
    check_figure("figure 4", NULL, 4);
    check_figure("figure 5", NULL, 5);
    check_figure("figure 11", NULL, 11);
}

static const test_case cases[] = {
    {"the_sample_shifts_its_weight", the_sample_shifts_its_weight},
    {"a_figure_with_a_large_head_does_too", a_figure_with_a_large_head_does_too},
    {"made_figures_do_too", made_figures_do_too},
};

RUN_TESTS(cases)
