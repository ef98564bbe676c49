// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The meter detects faults that people saw. The recordings are motions of the sample as `vrm simulate` wrote them before
// the fixes (commit 88e6686), cut to the times of the faults: recorded/*.vrma have its bones, recorded/*.glb its nodes.
// Each is named after the visible fault. docs/motion-meter.md has the commands.

#include <math.h>

#include <vrm/vrm.h>

#include "glb_motion.h"
#include "motion_meter.h"
#include "procedural_motion.h"
#include "sample_avatar.h"
#include "shared_path.h"
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

static void expect_in(
    const char *path, const scene_meter_report *report, scene_figure figure, double least, double most)
{
    const scene_reading *at = &report->figures[figure];
    if (!(at->known && at->value >= least && at->value <= most)) {
        printf("%s: %s is %g, expected %g to %g\n", path, scene_figure_word(figure), at->value, least, most);
    }
    CHECK(at->known && at->value >= least && at->value <= most);
}

static void expect(const recording *r, scene_figure figure, double least, double most)
{
    expect_in(r->path, &r->report, figure, least, most);
}

// Measures a recording of nodes, which are those of the sample.
static scene_meter_report play_nodes(const char *path, double rate)
{
    scene_meter_report report = {0};
    vrm_gltf *recorded = NULL;
    CHECK(prepare());
    CHECK_INT(vrm_gltf_load_file(NULL, path, NULL, &recorded), VRM_SUCCESS);
    const scene_meter_def def = {.avatar = avatar, .gltf = gltf, .def = &definition, .rate = rate};
    scene_meter *meter = scene_meter_create(&def);
    CHECK_INT(scene_glb_motion_measure(recorded, avatar, rate, meter), VRM_SUCCESS);
    scene_meter_read(meter, &(scene_meter_question){.event = -1.0}, &report);
    scene_meter_destroy(meter);
    vrm_gltf_destroy(recorded);
    return report;
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
        CHECK(r.difference.turn > 40.0 && r.difference.turn < 44.0);
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

static void a_lying_body_and_its_hair_sink_into_the_ground(void)
{
    const char *path = "tests/scenes/recorded/lying.glb";
    const scene_meter_report report = play_nodes(path, 60.0);
    expect_in(path, &report, SCENE_FIGURE_LOWEST, -60.0, -45.0);
    expect_in(path, &report, SCENE_FIGURE_LOWEST_HAIR, -390.0, -370.0);
}

static void a_pinned_hand_does_not_hold_the_body(void)
{
    const char *path = "tests/scenes/recorded/pinned_hand.glb";
    const scene_meter_report report = play_nodes(path, 60.0);
    expect_in(path, &report, SCENE_FIGURE_HEAD_WAY, 1300.0, 1430.0);
}

static void a_target_behind_the_back_whips_the_head(void)
{
    const char *path = "tests/scenes/recorded/look_behind.glb";
    const scene_meter_report report = play_nodes(path, 60.0);
    expect_in(path, &report, SCENE_FIGURE_SPEED, 690.0, 730.0);
    CHECK_INT(report.figures[SCENE_FIGURE_SPEED].bone, VRM_HUMAN_BONE_HEAD);
}

// The keys are right, but between two of them root and hips move in opposite directions.
static void root_and_hips_jump_between_two_keys(void)
{
    const char *path = "tests/scenes/recorded/root_and_hips.glb";
    scene_meter_report report = play_nodes(path, 120.0);
    expect_in(path, &report, SCENE_FIGURE_CUT_WAY, 600.0, 650.0);
    report = play_nodes(path, 60.0);
    expect_in(path, &report, SCENE_FIGURE_CUT_WAY, -1e3, 20.0);
}

static void feet_that_are_held_slide(void)
{
    const char *path = "tests/scenes/recorded/feet_held.glb";
    const scene_meter_report report = play_nodes(path, 60.0);
    expect_in(path, &report, SCENE_FIGURE_ANY_SLIDE, 21.0, 25.0);
}

// Plays a clip on the sample and returns how far planted soles slide, millimetres.
static double slide_of(vrm_clip *clip, float foot_weight)
{
    vrm_clip_player_def def;
    vrm_clip_player_def_default(&def);
    def.avatar = avatar;
    vrm_clip_player *player = NULL;
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.foot_weight = foot_weight;
    CHECK_INT(vrm_clip_player_create(&def, &player), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_set_layer(player, 0, &layer), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(player, 0, clip, NULL), VRM_SUCCESS);
    vrm_instance *instance = make_instance();
    CHECK_INT(vrm_instance_set_clip_player(instance, player), VRM_SUCCESS);
    const scene_meter_def meter_def = {.avatar = avatar, .def = &definition, .rate = 60.0};
    scene_meter *meter = scene_meter_create(&meter_def);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    for (int frame = 0; frame <= (int)(info.duration * 60.0f); ++frame) {
        vrm_update_dt(instance, frame == 0 ? 0.0f : 1.0f / 60.0f);
        CHECK(scene_meter_add(meter, instance, NULL));
    }
    scene_meter_report report;
    scene_meter_read(meter, &(scene_meter_question){.event = -1.0, .from = 0.5}, &report);
    CHECK(report.figures[SCENE_FIGURE_ANY_SLIDE].known);
    scene_meter_destroy(meter);
    vrm_instance_destroy(instance);
    vrm_clip_player_destroy(player);
    return report.figures[SCENE_FIGURE_ANY_SLIDE].value;
}

// Feet of a motion from a file stand if they are held, and slide on the sample's legs if they are not.
static void held_feet_of_an_idle_loop_stand(void)
{
    char path[512];
    vrm_clip *clip = NULL;
    CHECK(prepare());
    if (vrm_clip_load_file(NULL, shared_path("models/animations/idle_loop.vrma", path, sizeof path), NULL, &clip) !=
        VRM_SUCCESS) {
        SKIP("idle_loop.vrma of ../shared is not there");
        return;
    }
    const double held = slide_of(clip, 1.0f), free_feet = slide_of(clip, 0.0f);
    printf("idle_loop.vrma: soles slide %.1f mm if they are held, otherwise %.1f\n", held, free_feet);
    CHECK(held < 6.0 && free_feet > 20.0);
    vrm_clip_release(clip);
}

static const test_case cases[] = {
    {"a_blow_tears_the_shoulders_in_one_frame", a_blow_tears_the_shoulders_in_one_frame},
    {"a_limp_arm_takes_head_and_right_arm_along", a_limp_arm_takes_head_and_right_arm_along},
    {"getting_up_ends_in_a_cut", getting_up_ends_in_a_cut},
    {"a_hit_of_a_hundredth_spoils_a_walk", a_hit_of_a_hundredth_spoils_a_walk},
    {"a_blow_of_25_looks_like_nothing", a_blow_of_25_looks_like_nothing},
    {"a_lying_body_and_its_hair_sink_into_the_ground", a_lying_body_and_its_hair_sink_into_the_ground},
    {"a_pinned_hand_does_not_hold_the_body", a_pinned_hand_does_not_hold_the_body},
    {"a_target_behind_the_back_whips_the_head", a_target_behind_the_back_whips_the_head},
    {"root_and_hips_jump_between_two_keys", root_and_hips_jump_between_two_keys},
    {"feet_that_are_held_slide", feet_that_are_held_slide},
    {"held_feet_of_an_idle_loop_stand", held_feet_of_an_idle_loop_stand},
};

RUN_TESTS(cases)
