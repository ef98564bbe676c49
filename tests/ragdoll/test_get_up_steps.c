// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What people saw in pictures of figures that get up: the foot that steps between the hands was lifted high, the rear
// foot hung in the air while the figure rose, a figure with a large head leaned far forward, and an elbow changed sides.

#include <math.h>

#include "lying_figure.h"
#include "motion_meter.h"
#include "shared_path.h"

// Returns the distance from the ankle to the tip of the shoe, by the lowest vertex of a figure that stands with a foot
// turned down.
static double shoe_length(const figure *f)
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const vrm_quat none = {0, 0, 0, 1};
        (void)vrm_instance_set_normalized_rotation(f->instance, (vrm_human_bone)bone, &none);
    }
    turn(f, BONE(LEFT_FOOT), about(1, 0, 0, 90));
    const vrm_vec3 hips = rest_of(f, BONE(HIPS));
    CHECK_INT(vrm_instance_set_hips_position(f->instance, &hips), VRM_SUCCESS);
    vrm_update_dt(f->instance, 0.0f);
    const scene_meter_def def = {.avatar = f->avatar, .gltf = f->gltf, .rate = 60};
    scene_meter *meter = scene_meter_create(&def);
    CHECK(meter != NULL && scene_meter_add(meter, f->instance, NULL));
    const scene_meter_question all = {.event = -1.0};
    scene_meter_report report;
    scene_meter_read(meter, &all, &report);
    scene_meter_destroy(meter);
    return (double)rest_of(f, BONE(LEFT_FOOT)).y - report.figures[SCENE_FIGURE_LOWEST].value / 1000;
}

// Returns the height of a shoe above the ground: the lower one of its heel and its tip.
static double shoe_height(const figure *f, int bone, double length)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(f->instance, &out);
    const int32_t node = vrm_avatar_get_bone_node(f->avatar, (vrm_human_bone)bone);
    const vrm_world *w = &out.world[node];
    vrm_node info = {.struct_size = sizeof info};
    CHECK_INT(vrm_avatar_get_node(f->avatar, (uint32_t)node, &info), VRM_SUCCESS);
    const ref_quat rest = ref_quat_of(info.rest_rotation);
    double low = 9;
    for (int end = 0; end < 2; ++end) {
        const ref_vec shoe = ref_v(0, -(double)info.rest_position.y, (end == 0 ? -0.3 : 1.0) * length);
        const ref_vec local = ref_rotate(ref_inverse(rest), shoe);
        low = fmin(low, out.origin.y + (double)w->m[1][3] + (double)w->m[1][0] * local.v[0] +
                            (double)w->m[1][1] * local.v[1] + (double)w->m[1][2] * local.v[2]);
    }
    return low;
}

typedef struct seen {
    double shoe, shoe_time; // largest height of a shoe, in heights of the figure, and when
    double lean;            // largest pitch of the chest in the last second, degrees
    double seconds;
} seen;

static seen play(const figure *f, vrm_get_up_way way)
{
    seen out = {0};
    const double length = shoe_length(f);
    lie(f, way, 37, 1);
    vrm_clip *clip = clip_of(f, NULL);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    out.seconds = (double)info.duration;
    // In the first part of the clip the lying pose fades out, and the figure rolls over.
    const double begun = (way == VRM_GET_UP_FROM_KNEELING ? 0.55 : 0.4) * out.seconds;
    for (double time = begun; time < out.seconds; time += 1.0 / 60) {
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, (float)time, &pose);
        show(f, &pose);
        for (int side = 0; side < 2; ++side) {
            const double height = shoe_height(f, side == 0 ? BONE(LEFT_FOOT) : BONE(RIGHT_FOOT), length) / f->height;
            out.shoe_time = height > out.shoe ? time : out.shoe_time;
            out.shoe = fmax(out.shoe, height);
        }
        const ref_vec trunk = ref_sub(shown_place(f, BONE(HEAD)), shown_place(f, BONE(HIPS)));
        if (time > out.seconds - 1.0) {
            out.lean = fmax(out.lean, acos(trunk.v[1] / ref_length(trunk)) / DEGREES);
        }
    }
    vrm_clip_release(clip);
    return out;
}

static void check_figure(const char *name, const char *path, uint32_t made, double most_rise, double most_lean)
{
    figure f;
    if (!open_figure(&f, path, made)) {
        SKIP("a figure of ../shared is not there");
        return;
    }
    for (int way = 0; way < 6; ++way) {
        const seen s = play(&f, (vrm_get_up_way)way);
        printf("%s, way %d: a shoe rises by %.3f of the height (at %.2f of %.2f s), the trunk leans by %.0f degrees\n",
            name, way, s.shoe, s.shoe_time, s.seconds, s.lean);
        CHECK(s.shoe < most_rise);
        CHECK(s.lean < most_lean);
    }
    close_figure(&f);
}

static void feet_step_low(void)
{
    check_figure("sample", NULL, 0, 0.05, 60);
    check_figure("figure 4", NULL, 4, 0.09, 60);
    check_figure("figure 5", NULL, 5, 0.04, 60);
    check_figure("figure 11", NULL, 11, 0.04, 60);
}

// The trunk leans until the mass centre is above the front foot. With a large head on short legs this is less.
static void a_large_head_leans_less(void)
{
    char path[512];
    check_figure("Godette", shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path), 0, 0.08, 40);
}

static const test_case cases[] = {
    {"feet_step_low", feet_step_low},
    {"a_large_head_leans_less", a_large_head_leans_less},
};

RUN_TESTS(cases)
