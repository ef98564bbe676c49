// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Built-in motions on figures of all proportions, measured by the motion meter: limits of the built-in ragdoll, feet that do not
// slide, soles on the ground, loops that close, and enough motion.

#include <math.h>

#include <vrm/vrm.h>

#include "figure_shapes.h"
#include "motion_meter.h"
#include "sample_avatar.h"
#include "shared_path.h"
#include "stage_motion.h"
#include "test.h"

typedef struct body {
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_ragdoll_def ragdoll;
} body;

static bool take(vrm_bytes *bytes, body *out)
{
    *out = (body){.ragdoll = {.struct_size = sizeof out->ragdoll}};
    CHECK_INT(vrm_gltf_load(NULL, bytes->data, bytes->size, NULL, &out->gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, out->gltf, NULL, &out->avatar), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_def_build(out->avatar, out->gltf, NULL, NULL, &out->ragdoll), VRM_SUCCESS);
    vrm_bytes_free(bytes);
    return out->avatar != NULL;
}

static void drop(body *b)
{
    vrm_avatar_release(b->avatar);
    vrm_gltf_destroy(b->gltf);
}

static bool figure(uint32_t seed, body *out)
{
    vrm_bytes bytes = {0};
    CHECK_INT(scene_figure_create(seed, &bytes), VRM_SUCCESS);
    return take(&bytes, out);
}

// A motion by its word, `loops` times or a little longer than it takes, on the stage.
static scene_meter *play(const body *b, const char *word, bool pokes, double *out_speed)
{
    scene_stage_motion motion;
    CHECK_INT(scene_stage_motion_begin(&motion, word, b->avatar, &b->ragdoll), VRM_SUCCESS);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = b->avatar;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    *out_speed = (double)motion.speed;
    const scene_meter_def meter_def = {.avatar = b->avatar,
        .gltf = b->gltf,
        .def = &b->ragdoll,
        .rate = 60.0,
        .ground_speed = motion.ahead ? 0.0 : (double)motion.speed,
        .pokes = pokes};
    scene_meter *meter = scene_meter_create(&meter_def);
    const double seconds = motion.speed > 0.0f ? 2.0 * (double)motion.duration : (double)motion.duration;
    const int frames = (int)(seconds * 60.0 + 0.5) + 1;
    for (int frame = 0; frame < frames; ++frame) {
        scene_stage_motion_apply(&motion, instance, (double)frame / 60.0);
        vrm_update_dt(instance, frame == 0 ? 0.0f : 1.0f / 60.0f);
        CHECK(scene_meter_add(meter, instance, NULL));
    }
    scene_stage_motion_end(&motion);
    vrm_instance_destroy(instance);
    return meter;
}

static void expect(
    const char *who, const char *word, const scene_meter_report *report, scene_figure kind, double least, double most)
{
    const scene_reading *r = &report->figures[kind];
    if (!(r->known && r->value >= least && r->value <= most)) {
        printf("%s, %s: %s is %g %s (%s, frame %u), expected %g to %g\n", who, word, scene_figure_word(kind), r->value,
            scene_figure_unit(kind), r->bone >= 0 ? vrm_human_bone_name((vrm_human_bone)r->bone) : "", r->frame, least,
            most);
    }
    CHECK(r->known && r->value >= least && r->value <= most);
}

// Bounds that every motion keeps on every figure. Heights and ways are of a figure of 1.6 m.
typedef struct row {
    const char *word;
    double head, hands, chest; // it moves at least so: millimetres, millimetres, degrees
    double slide, low;         // millimetres
    bool bears;                // its feet bear it all the time
} row;

static const row rows[] = {
    {"idle", 20.0, 3.0, 2.0, 1.0, -3.0, true},
    {"walk", 15.0, 60.0, 4.0, 10.0, -10.0, true},
    {"walk-ahead", 1000.0, 60.0, 4.0, 10.0, -10.0, true},
    {"run", 30.0, 100.0, 6.0, 10.0, -10.0, false},
    {"run-ahead", 1000.0, 100.0, 6.0, 10.0, -10.0, false},
    {"wave", 5.0, 0.0, 2.0, 1.0, -3.0, true},
    {"bow", 200.0, 5.0, 35.0, 4.0, -5.0, true},
    {"sit-down", 300.0, 100.0, 20.0, 9.0, -6.0, false},
    {"stand-up", 300.0, 100.0, 20.0, 9.0, -6.0, false},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void check_figure(const char *who, const body *b)
{
    vrm_avatar_body size = {.struct_size = sizeof size};
    vrm_avatar_get_body(b->avatar, &size);
    const double scale = fmax((double)size.height / 1.6, 0.5);
    for (int i = 0; i < ROWS; ++i) {
        double speed;
        scene_meter *meter = play(b, rows[i].word, false, &speed);
        scene_meter_report report;
        scene_meter_read(meter, &(scene_meter_question){.event = -1.0}, &report);
        expect(who, rows[i].word, &report, SCENE_FIGURE_LIMIT, -1.0, 3.0);
        expect(who, rows[i].word, &report, SCENE_FIGURE_SLIDE, -1.0, rows[i].slide * fmax(scale, 1.0));
        expect(who, rows[i].word, &report, SCENE_FIGURE_LOWEST, rows[i].low * fmax(scale, 1.0), 30.0);
        expect(who, rows[i].word, &report, SCENE_FIGURE_CUT_TURN, -1e3, 6.0);
        expect(who, rows[i].word, &report, SCENE_FIGURE_CUT_WAY, -1e3, 15.0);
        expect(who, rows[i].word, &report, SCENE_FIGURE_SPEED, 0.0, 1000.0);
        expect(who, rows[i].word, &report, SCENE_FIGURE_HEAD_WAY, 0.3 * rows[i].head * scale, 1e5);
        expect(who, rows[i].word, &report, SCENE_FIGURE_HAND_WAY, 0.3 * rows[i].hands * scale, 1e5);
        expect(who, rows[i].word, &report, SCENE_FIGURE_CHEST_TURN, 0.5 * rows[i].chest, 180.0);
        if (rows[i].bears) {
            expect(who, rows[i].word, &report, SCENE_FIGURE_UNSUPPORTED, 0.0, 0.1);
        }
        scene_meter_destroy(meter);
    }
}

static void the_sample_moves_well(void)
{
    body b;
    vrm_bytes bytes = sample_bytes(0);
    if (take(&bytes, &b)) {
        check_figure("the sample", &b);
        drop(&b);
    }
}

static void all_figures_move_well(void)
{
    for (uint32_t seed = 1; seed <= 10; ++seed) {
        char who[32];
        body b;
        snprintf(who, sizeof who, "figure %u", seed);
        if (figure(seed, &b)) {
            check_figure(who, &b);
            drop(&b);
        }
    }
}

static void files_of_others_move_well(void)
{
    char path[512];
    vrm_bytes bytes = {0};
    body b;
    if (vrm_read_file(shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path), UINT64_MAX, NULL, &bytes) !=
        VRM_SUCCESS) {
        SKIP("no ../shared");
    }
    if (take(&bytes, &b)) {
        check_figure("Godette", &b);
        drop(&b);
    }
}

// Arms are never in the sample's trunk or thighs, and standing its legs stay below the skirt.
static void nothing_of_the_sample_pokes_through(void)
{
    body b;
    vrm_bytes bytes = sample_bytes(0);
    if (!take(&bytes, &b)) {
        return;
    }
    for (int i = 0; i < ROWS; ++i) {
        double speed;
        scene_meter *meter = play(&b, rows[i].word, true, &speed);
        scene_meter_report report;
        scene_meter_read(meter, &(scene_meter_question){.event = -1.0}, &report);
        expect("the sample", rows[i].word, &report, SCENE_FIGURE_ARM_POKE, 0.0, 6.0);
        // Its skirt knows no thighs: where a thigh is lifted they come out, which is the avatar's.
        const bool stands = strcmp(rows[i].word, "idle") == 0 || strcmp(rows[i].word, "wave") == 0;
        expect("the sample", rows[i].word, &report, SCENE_FIGURE_SKIRT_POKE, 0.0, stands ? 0.5 : 70.0);
        scene_meter_destroy(meter);
    }
    drop(&b);
}

// The full sample's skirt follows the thighs: it hides them in a walk over the ground, and all but a fold of them when it sits.
static void the_full_sample_wears_its_skirt(void)
{
    static const struct {
        const char *word;
        double most; // millimetres
    } moves[] = {{"walk-ahead", 1.0}, {"sit-down", 8.0}};
    body b;
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_sample_create(NULL, &bytes), VRM_SUCCESS);
    if (!take(&bytes, &b)) {
        return;
    }
    for (size_t i = 0; i < sizeof moves / sizeof *moves; ++i) {
        double speed;
        scene_meter *meter = play(&b, moves[i].word, true, &speed);
        scene_meter_report report;
        scene_meter_read(meter, &(scene_meter_question){.event = -1.0}, &report);
        expect("the full sample", moves[i].word, &report, SCENE_FIGURE_SKIRT_POKE, 0.0, moves[i].most);
        scene_meter_destroy(meter);
    }
    drop(&b);
}

// --- the clip ------------------------------------------------------------------------------------------------------

static vrm_clip *make(const vrm_motion_def *def)
{
    vrm_clip *clip = NULL;
    CHECK_INT(vrm_motion_create(def, &clip), VRM_SUCCESS);
    return clip;
}

static double degrees_between(vrm_quat a, vrm_quat b)
{
    // By the chord, which knows small angles; of q and -q the nearer one.
    double near = 0.0, far = 0.0;
    const float *p = &a.x, *q = &b.x;
    for (int i = 0; i < 4; ++i) {
        near += ((double)p[i] - (double)q[i]) * ((double)p[i] - (double)q[i]);
        far += ((double)p[i] + (double)q[i]) * ((double)p[i] + (double)q[i]);
    }
    return 4.0 * asin(fmin(sqrt(fmin(near, far)) / 2.0, 1.0)) * 57.2957795;
}

// How far a bone turns from one sixtieth of a loop to the next one.
static double step_of(const vrm_clip *clip, float duration, int bone, int step)
{
    vrm_clip_pose from = {.struct_size = sizeof from}, to = {.struct_size = sizeof to};
    const int begin = (step + 60) % 60;
    vrm_clip_sample(clip, duration * (float)begin / 60.0f, &from);
    vrm_clip_sample(clip, duration * (float)(begin + 1) / 60.0f, &to);
    return degrees_between(from.rotations[bone], to.rotations[bone]);
}

// Ends as it begins, and its speed changes no more at the seam than it does elsewhere.
static void loops_close(void)
{
    body b;
    if (!figure(4, &b)) {
        return;
    }
    vrm_motion_def def;
    vrm_motion_def_default(&def);
    def.avatar = b.avatar;
    for (int kind = 0; kind < VRM_MOTION_COUNT; ++kind) {
        def.motion = (vrm_motion)kind;
        if (!vrm_motion_is_loop(def.motion)) {
            continue;
        }
        vrm_clip *clip = make(&def);
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_get_info(clip, &info);
        vrm_clip_pose first = {.struct_size = sizeof first}, last = {.struct_size = sizeof last};
        vrm_clip_sample(clip, 0.0f, &first);
        vrm_clip_sample(clip, info.duration, &last);
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            CHECK_NEAR(degrees_between(first.rotations[bone], last.rotations[bone]), 0.0, 0.001);
            const double seam = fabs(step_of(clip, info.duration, bone, 0) - step_of(clip, info.duration, bone, -1));
            double elsewhere = 0.02;
            for (int step = 1; step < 60; ++step) {
                const double change =
                    step_of(clip, info.duration, bone, step) - step_of(clip, info.duration, bone, step - 1);
                elsewhere = fmax(elsewhere, fabs(change));
            }
            CHECK(seam <= 1.5 * elsewhere);
        }
        const double went = (double)(last.hips.z - first.hips.z);
        CHECK_NEAR(went, (double)(vrm_motion_get_speed(&def) * info.duration), 1e-4);
        CHECK_NEAR(last.hips.y, first.hips.y, 1e-5);
        CHECK_NEAR(last.hips.x, first.hips.x, 1e-5);
        vrm_clip_release(clip);
    }
    drop(&b);
}

static void gestures_begin_as_idle_begins(void)
{
    body b;
    if (!figure(2, &b)) {
        return;
    }
    vrm_motion_def def;
    vrm_motion_def_default(&def);
    def.avatar = b.avatar;
    vrm_clip *idle = make(&def);
    vrm_clip_pose start = {.struct_size = sizeof start};
    vrm_clip_sample(idle, 0.0f, &start);
    const struct {
        vrm_motion motion;
        bool begins, ends;
    } gestures[] = {{VRM_MOTION_WAVE, true, true}, {VRM_MOTION_BOW, true, true}, {VRM_MOTION_SIT_DOWN, true, false},
        {VRM_MOTION_STAND_UP, false, true}};
    for (int i = 0; i < 4; ++i) {
        def.motion = gestures[i].motion;
        vrm_clip *clip = make(&def);
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_get_info(clip, &info);
        for (int end = 0; end < 2; ++end) {
            vrm_clip_sample(clip, end == 0 ? 0.0f : info.duration, &pose);
            double most = 0.0;
            for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
                most = fmax(most, degrees_between(pose.rotations[bone], start.rotations[bone]));
            }
            const bool like = end == 0 ? gestures[i].begins : gestures[i].ends;
            CHECK(like ? most < 3.0 : most > 30.0);
        }
        vrm_clip_release(clip);
    }
    vrm_clip_release(idle);
    drop(&b);
}

// Twice the speed gets twice as far; in place it gets nowhere; steps are marked where the heel comes down.
static void gaits_go_as_fast_as_told(void)
{
    body b;
    if (!figure(1, &b)) {
        return;
    }
    vrm_motion_def def;
    vrm_motion_def_default(&def);
    def.avatar = b.avatar;
    def.motion = VRM_MOTION_WALK;
    const float usual = vrm_motion_get_speed(&def);
    CHECK(usual > 0.3f && usual < 2.0f);
    const float factors[] = {0.5f, 1.0f, 1.6f};
    for (int i = 0; i < 3; ++i) {
        def.speed = factors[i] * usual;
        CHECK_NEAR(vrm_motion_get_speed(&def), def.speed, 1e-6);
        vrm_clip *clip = make(&def);
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_get_info(clip, &info);
        vrm_clip_sample(clip, info.duration, &pose);
        CHECK_NEAR((double)(pose.hips.z - info.hips_rest.z), (double)(def.speed * info.duration), 0.01);
        CHECK_INT(info.markers, 2);
        vrm_clip_marker marker;
        CHECK_INT(vrm_clip_get_marker(clip, 1, &marker), VRM_SUCCESS);
        CHECK_NEAR(marker.time, 0.5 * (double)info.duration, 1e-6);
        CHECK(marker.name.length == 5 && memcmp(marker.name.data, "right", 5) == 0);
        vrm_clip_release(clip);
    }
    def.in_place = true;
    vrm_clip *clip = make(&def);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_pose pose = {.struct_size = sizeof pose};
    vrm_clip_get_info(clip, &info);
    vrm_clip_sample(clip, info.duration, &pose);
    CHECK_NEAR((double)pose.hips.z, (double)info.hips_rest.z, 0.02);
    vrm_clip_release(clip);
    // A body tells how long the soles are, so the roll over them is another one.
    vrm_clip_pose without = {.struct_size = sizeof without}, with = {.struct_size = sizeof with};
    vrm_clip *plain = make(&def);
    def.ragdoll = &b.ragdoll;
    vrm_clip *known = make(&def);
    vrm_clip_sample(plain, 0.03f, &without);
    vrm_clip_sample(known, 0.03f, &with);
    CHECK(degrees_between(
              without.rotations[VRM_HUMAN_BONE_LEFT_UPPER_LEG], with.rotations[VRM_HUMAN_BONE_LEFT_UPPER_LEG]) > 0.05);
    vrm_clip_release(plain);
    vrm_clip_release(known);
    drop(&b);
}

static void names_and_refusals(void)
{
    for (int32_t kind = 0; kind < VRM_MOTION_COUNT; ++kind) {
        const char *name = vrm_motion_name((vrm_motion)kind);
        CHECK(name[0] != '\0');
        CHECK_INT(vrm_motion_from_name(name, strlen(name)), kind);
        CHECK(scene_stage_find_word(name) >= 0);
    }
    CHECK_STRING(vrm_motion_name(VRM_MOTION_COUNT), "");
    CHECK_INT(vrm_motion_from_name("fly", 3), -1);
    body b;
    if (!figure(3, &b)) {
        return;
    }
    vrm_clip *clip = NULL;
    vrm_motion_def def;
    vrm_motion_def_default(&def);
    CHECK_INT(vrm_motion_create(&def, &clip), VRM_ERROR_INVALID_ARGUMENT); // no avatar
    CHECK_INT(vrm_motion_create(NULL, &clip), VRM_ERROR_INVALID_ARGUMENT);
    def.avatar = b.avatar;
    def.motion = VRM_MOTION_COUNT;
    CHECK_INT(vrm_motion_create(&def, &clip), VRM_ERROR_INVALID_ARGUMENT);
    def.motion = VRM_MOTION_RUN;
    const float speeds[] = {-1.0f, 0.01f, 50.0f, NAN, INFINITY};
    for (int i = 0; i < 5; ++i) {
        def.speed = speeds[i];
        CHECK_INT(vrm_motion_create(&def, &clip), VRM_ERROR_INVALID_ARGUMENT);
        CHECK_NEAR(vrm_motion_get_speed(&def), 0.0, 0.0);
    }
    def.speed = 0.0f;
    def.struct_size = 0;
    CHECK_INT(vrm_motion_create(&def, &clip), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(clip == NULL);
    drop(&b);
    // A glTF without a humanoid has no legs to walk with.
    static const char plain[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"scenes\":[{\"nodes\":[0]}],\"scene\":0}";
    vrm_avatar_def plain_def;
    vrm_avatar_def_default(&plain_def);
    plain_def.allow_plain_gltf = true;
    vrm_avatar *stone = NULL;
    CHECK_INT(vrm_avatar_load(&plain_def, plain, sizeof plain - 1, NULL, &stone), VRM_SUCCESS);
    vrm_motion_def_default(&def);
    def.avatar = stone;
    CHECK_INT(vrm_motion_create(&def, &clip), VRM_ERROR_INVALID_ARGUMENT);
    vrm_avatar_release(stone);
}

static const test_case cases[] = {
    {"the_sample_moves_well", the_sample_moves_well},
    {"all_figures_move_well", all_figures_move_well},
    {"files_of_others_move_well", files_of_others_move_well},
    {"nothing_of_the_sample_pokes_through", nothing_of_the_sample_pokes_through},
    {"the_full_sample_wears_its_skirt", the_full_sample_wears_its_skirt},
    {"loops_close", loops_close},
    {"gestures_begin_as_idle_begins", gestures_begin_as_idle_begins},
    {"gaits_go_as_fast_as_told", gaits_go_as_fast_as_told},
    {"names_and_refusals", names_and_refusals},
};

RUN_TESTS(cases)
