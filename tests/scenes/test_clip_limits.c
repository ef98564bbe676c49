// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Clips of other authors bend joints farther than the built-in limits allow. While it is simulated, a figure still
// follows such a clip, because limits are widened to the target pose.

#include <math.h>

#include "model/clip.h"
#include "motion_act.h"
#include "shared_path.h"
#include "stagger_fixture.h"
#include "test.h"

// The largest values of a clip: how far it goes beyond a limit without a ragdoll and with it, and how far the simulated
// figure is from it.
typedef struct course {
    scene_reading beyond, simulated;
    scene_meter_difference off;
    scene_reading body_step; // known if anything was simulated
} course;

static course play(const figure *f, vrm_clip *clip, double duration)
{
    scene_act act = {.avatar = f->avatar,
        .def = &f->def,
        .clip = clip,
        .event = SCENE_EVENT_HIT,
        .when = 0.5,
        .duration = duration,
        .rate = 60.0,
        .bone = VRM_HUMAN_BONE_CHEST,
        .impulse = {0.0f, 0.0f, -0.01f},
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .always = true};
    const scene_meter_def def = {.avatar = f->avatar, .def = &f->def, .rate = act.rate};
    scene_meter *with = scene_meter_create(&def), *without = scene_meter_create(&def);
    CHECK_INT(scene_act_run(&act, with), VRM_SUCCESS);
    act.event = SCENE_EVENT_NONE;
    CHECK_INT(scene_act_run(&act, without), VRM_SUCCESS);
    scene_meter_report report;
    course out;
    scene_meter_read(without, &(scene_meter_question){.event = -1.0}, &report);
    out.beyond = report.figures[SCENE_FIGURE_LIMIT];
    scene_meter_read(with, &(scene_meter_question){.event = -1.0}, &report);
    out.simulated = report.figures[SCENE_FIGURE_LIMIT];
    out.body_step = report.figures[SCENE_FIGURE_BODY_STEP];
    scene_meter_compare(with, without, &out.off);
    scene_meter_destroy(with);
    scene_meter_destroy(without);
    return out;
}

static void print(const char *who, const char *what, const course *c)
{
    const scene_meter_difference *d = &c->off;
    printf("%s, %s: %.1f degrees beyond the limit (%s), simulated %.1f; off by %.2f degrees (%s, %.2f s), feet by %.2f "
           "(%s, %.2f s), %.1f mm\n",
        who, what, c->beyond.value, vrm_human_bone_name((vrm_human_bone)c->beyond.bone), c->simulated.value, d->turn,
        vrm_human_bone_name((vrm_human_bone)d->turn_bone), d->turn_frame / 60.0, d->foot_turn,
        vrm_human_bone_name((vrm_human_bone)d->foot_bone), d->foot_frame / 60.0, d->way);
}

// A joint that bends in half a second, stays for half a second and bends back, about an axis of the model.
typedef struct bend {
    vrm_human_bone bone;
    vrm_vec3 axis;
    float degrees;
} bend;

static void add_bend(vrmi_clip_builder *b, const bend *joint)
{
    enum { KEYS = 91 };
    const vrmi_clip_track track = {
        .kind = VRMI_TRACK_ROTATION, .target = (uint32_t)joint->bone, .interpolation = VRMI_LINEAR, .key_count = KEYS};
    float *times, *values;
    CHECK(vrmi_clip_builder_track(b, &track, &times, &values));
    for (int key = 0; key < KEYS; ++key) {
        const double seconds = key / 60.0, from_ends = fmin(1.0, 2.0 * fmin(seconds, 1.5 - seconds));
        const double half =
            0.5 * (double)joint->degrees / 57.29577951308232 * 0.5 * (1.0 - cos(3.14159265 * from_ends));
        times[key] = (float)seconds;
        values[4 * key] = joint->axis.x * (float)sin(half);
        values[4 * key + 1] = joint->axis.y * (float)sin(half);
        values[4 * key + 2] = joint->axis.z * (float)sin(half);
        values[4 * key + 3] = (float)cos(half);
    }
    CHECK_INT(vrmi_clip_builder_finish(b), 0);
}

static vrm_clip *clip_of(const bend *joint)
{
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    add_bend(&b, joint);
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// Each kind of limit: a hinge's angle, a cone's swing, a cone's twist.
static void a_joint_25_degrees_beyond_its_limit_follows_the_clip(void)
{
    static const bend bends[] = {
        {VRM_HUMAN_BONE_LEFT_LOWER_ARM, {0.0f, 1.0f, 0.0f}, 25.0f}, // straight is its limit
        {VRM_HUMAN_BONE_RIGHT_FOOT, {-1.0f, 0.0f, 0.0f}, 45.0f},    // toes up; limit 20
        {VRM_HUMAN_BONE_HEAD, {0.0f, 1.0f, 0.0f}, 85.0f},           // aside; limit 60 with the neck
    };
    for (uint32_t number = 0; number < 2; ++number) {
        figure f = figure_number(number);
        for (size_t i = 0; i < sizeof bends / sizeof *bends; ++i) {
            vrm_clip *clip = clip_of(&bends[i]);
            const course c = play(&f, clip, 1.5);
            print(number == 0 ? "sample" : "figure 1", vrm_human_bone_name(bends[i].bone), &c);
            CHECK_INT(c.beyond.bone, bends[i].bone);
            CHECK_NEAR(c.beyond.value, 25.0, 1.0);
            CHECK_NEAR(c.simulated.value, c.beyond.value, 0.5);
            CHECK(c.body_step.known);
            CHECK(c.off.turn < 1.0);
            CHECK(c.off.foot_turn < 1.0);
            vrm_clip_release(clip);
        }
        figure_free(&f);
    }
}

// One clip goes beyond a limit. test.vrma moves an arm with linear keys: its speed jumps from 180 degrees/s to -180. Such
// a jump once counted as a cut in the clip, and the arm was 29 degrees off.
static void clips_of_files_are_followed(void)
{
    static const struct {
        const char *name;
        double turn; // bound of the difference, degrees
    } rows[] = {{"idle_loop.vrma", 1.0}, {"original_01.vrma", 1.0}, {"test.vrma", 1.0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char path[512], local[128];
        snprintf(local, sizeof local, "models/animations/%s", rows[i].name);
        vrm_clip *clip = NULL;
        if (vrm_clip_load_file(NULL, shared_path(local, path, sizeof path), NULL, &clip) != VRM_SUCCESS) {
            SKIP("no ../shared");
            return;
        }
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_get_info(clip, &info);
        for (uint32_t number = 0; number < 2; ++number) {
            figure f = figure_number(number);
            const course c = play(&f, clip, (double)info.duration);
            print(number == 0 ? "sample" : "figure 1", rows[i].name, &c);
            CHECK(c.body_step.known);
            CHECK(c.beyond.value < 3.0);
            CHECK(c.off.turn < rows[i].turn);
            CHECK(c.off.foot_turn < 1.0);
            figure_free(&f);
        }
        vrm_clip_release(clip);
    }
}

static const test_case cases[] = {
    {"a_joint_25_degrees_beyond_its_limit_follows_the_clip", a_joint_25_degrees_beyond_its_limit_follows_the_clip},
    {"clips_of_files_are_followed", clips_of_files_are_followed},
};

RUN_TESTS(cases)
