// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The meter detects faults that people saw. The recordings (recorded/*.vrma) are motions of the sample as `vrm
// simulate` wrote them before the fixes (commit 88e6686), cut to the times of the faults. Each is named after the
// visible fault.

#include <math.h>

#include <vrm/vrm.h>

#include "motion_meter.h"
#include "procedural_motion.h"
#include "sample_avatar.h"
#include "test.h"

static vrm_gltf *gltf;
static vrm_avatar *avatar;
static vrm_ragdoll_def definition;

static bool prepare(void)
{
    if (avatar == NULL) {
        gltf = sample_document(0);
        CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
        vrm_ragdoll_def_default(&definition);
        CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &definition), VRM_SUCCESS);
    }
    return avatar != NULL;
}

static vrm_instance *make_instance(void)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    return instance;
}

// A recording, and the formula of the same motion without the event, for comparison.
typedef struct recording {
    const char *path;
    double from; // start of the cut in the original motion
    scene_motion motion;
    scene_meter *shown, *without;
    scene_meter_report report;
    scene_meter_difference difference;
} recording;

static bool play(recording *r, double event)
{
    if (!prepare()) {
        return false;
    }
    vrm_clip *clip = NULL;
    CHECK_INT(vrm_clip_load_file(NULL, r->path, NULL, &clip), VRM_SUCCESS);
    vrm_clip_player_def def;
    vrm_clip_player_def_default(&def);
    def.avatar = avatar;
    vrm_clip_player *player = NULL;
    CHECK_INT(vrm_clip_player_create(&def, &player), VRM_SUCCESS);
    if (clip == NULL || player == NULL) {
        return false;
    }
    CHECK_INT(vrm_clip_player_play(player, 0, clip, NULL), VRM_SUCCESS);
    const scene_meter_def meter = {.avatar = avatar, .gltf = gltf, .def = &definition, .rate = 60.0};
    r->shown = scene_meter_create(&meter);
    r->without = scene_meter_create(&meter);
    vrm_instance *instance = make_instance(), *other = make_instance();
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    const int frames = (int)(info.duration * 60.0f + 0.5f) + 1;
    for (int frame = 0; frame < frames; ++frame) {
        (void)vrm_clip_player_set_time(player, 0, (double)frame / 60.0);
        CHECK_INT(vrm_clip_player_apply(player, instance), VRM_SUCCESS);
        vrm_update_dt(instance, 0.0f);
        CHECK(scene_meter_add(r->shown, instance, NULL));
        scene_motion_apply(other, r->motion, r->from + (double)frame / 60.0);
        vrm_update_dt(other, 0.0f);
        CHECK(scene_meter_add(r->without, other, NULL));
    }
    scene_meter_read(r->shown, &(scene_meter_question){.event = event, .reference = r->without}, &r->report);
    scene_meter_compare(r->shown, r->without, &r->difference);
    vrm_instance_destroy(instance);
    vrm_instance_destroy(other);
    vrm_clip_player_destroy(player);
    vrm_clip_release(clip);
    return true;
}

static void end(recording *r)
{
    scene_meter_destroy(r->shown);
    scene_meter_destroy(r->without);
}

static void expect(const recording *r, scene_figure figure, double least, double most)
{
    const scene_reading *at = &r->report.figures[figure];
    if (!(at->known && at->value >= least && at->value <= most)) {
        printf("%s: %s is %g, expected %g to %g\n", r->path, scene_figure_word(figure), at->value, least, most);
    }
    CHECK(at->known && at->value >= least && at->value <= most);
}

static void a_blow_tears_the_shoulders_in_one_frame(void)
{
    recording r = {.path = "tests/scenes/recorded/blow_80.vrma", .from = 0.95, .motion = SCENE_MOTION_IDLE};
    if (play(&r, 0.05)) {
        expect(&r, SCENE_FIGURE_CUT_TURN, 40.0, 50.0);
        expect(&r, SCENE_FIGURE_CUT_WAY, 60.0, 90.0);
        CHECK_INT(r.report.figures[SCENE_FIGURE_CUT_TURN].bone, VRM_HUMAN_BONE_RIGHT_UPPER_ARM);
        expect(&r, SCENE_FIGURE_SPEED, 2000.0, 4000.0);
    }
    end(&r);
}

static void a_limp_arm_takes_head_and_right_arm_along(void)
{
    recording r = {.path = "tests/scenes/recorded/limp_arm.vrma", .from = 0.1, .motion = SCENE_MOTION_IDLE};
    if (play(&r, 0.1)) {
        printf("limp arm: %.1f degrees (%s), head %.0f mm\n", r.difference.turn,
            vrm_human_bone_name((vrm_human_bone)r.difference.turn_bone), r.report.figures[SCENE_FIGURE_HEAD_WAY].value);
        expect(&r, SCENE_FIGURE_HEAD_WAY, 20.0, 200.0);
    }
    end(&r);
}

static void getting_up_ends_in_a_cut(void)
{
    recording r = {.path = "tests/scenes/recorded/end_of_get_up.vrma", .from = 5.8, .motion = SCENE_MOTION_IDLE};
    if (play(&r, -1.0)) {
        // Fingers that were straight bend from one frame to the next.
        expect(&r, SCENE_FIGURE_CUT_TURN, 15.0, 60.0);
        CHECK(r.report.figures[SCENE_FIGURE_CUT_TURN].bone >= VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL);
    }
    end(&r);
}

static void a_hit_of_a_hundredth_spoils_a_walk(void)
{
    recording r = {.path = "tests/scenes/recorded/walk_touched.vrma", .from = 0.9, .motion = SCENE_MOTION_WALK};
    if (play(&r, 0.1)) {
        printf("walk: %.1f degrees, feet %.1f, %.0f mm\n", r.difference.turn, r.difference.foot_turn, r.difference.way);
        CHECK(r.difference.foot_turn > 30.0 && r.difference.foot_turn < 80.0);
        CHECK(r.difference.turn > 10.0);
        expect(&r, SCENE_FIGURE_LIMIT, 1.0, 60.0);
    }
    end(&r);
}

static void a_blow_of_25_looks_like_nothing(void)
{
    recording r = {.path = "tests/scenes/recorded/blow_25.vrma", .from = 0.9, .motion = SCENE_MOTION_IDLE};
    if (play(&r, 0.1)) {
        expect(&r, SCENE_FIGURE_HEAD_WAY, 10.0, 40.0);
        expect(&r, SCENE_FIGURE_HEAD_OVER, 0.0, 1.5);
        expect(&r, SCENE_FIGURE_ARM_OVER, 0.0, 1.5);
    }
    end(&r);
}

static const test_case cases[] = {
    {"a_blow_tears_the_shoulders_in_one_frame", a_blow_tears_the_shoulders_in_one_frame},
    {"a_limp_arm_takes_head_and_right_arm_along", a_limp_arm_takes_head_and_right_arm_along},
    {"getting_up_ends_in_a_cut", getting_up_ends_in_a_cut},
    {"a_hit_of_a_hundredth_spoils_a_walk", a_hit_of_a_hundredth_spoils_a_walk},
    {"a_blow_of_25_looks_like_nothing", a_blow_of_25_looks_like_nothing},
};

RUN_TESTS(cases)
