// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Recovery steps: the effects of a push on the chest of figures of three sizes. scripts/campaign/steps.c runs the long
// sweep.

#include "figure_shapes.h"
#include "motion_act.h"
#include "shared_path.h"
#include "stage_motion.h"
#include "stagger/stagger.h"
#include "stagger_fixture.h"

#include <math.h>

static scene_stagger pushed(const figure *f, float speed, float angle)
{
    const scene_stagger_push push = {.avatar = f->avatar,
        .def = &f->def,
        .motion = "none",
        .speed = speed,
        .angle = angle,
        .assist = 1.0f,
        .rate = 60.0};
    scene_stagger out;
    CHECK_INT(scene_stagger_run(&push, &out), VRM_SUCCESS);
    return out;
}

// Pushes from four sides with four strengths, in N s/kg for a height of 1.6 m. For other heights they are proportional
// to the square root of the height. The figure sways, makes one step, makes several steps, or falls.
static void push_harder(const figure *f)
{
    const float size = sqrtf(f->def.height / 1.6f);
    const float angles[4] = {0.0f, quarter, 2.0f * quarter, -quarter};
    for (int side = 0; side < 4; ++side) {
        const bool along = side % 2 == 0;
        const scene_stagger little = pushed(f, 0.12f * size, angles[side]);
        const scene_stagger some = pushed(f, (along ? 0.5f : 0.37f) * size, angles[side]);
        const scene_stagger more = pushed(f, (along ? 0.87f : 0.61f) * size, angles[side]);
        const scene_stagger most = pushed(f, 1.3f * size, angles[side]);
        CHECK_INT(little.outcome, SCENE_STAGGER_SWAYS);
        CHECK(some.outcome == SCENE_STAGGER_ONE_STEP || (f->def.height > 1.6f && some.outcome == SCENE_STAGGER_STEPS));
        CHECK_INT(more.outcome, SCENE_STAGGER_STEPS);
        CHECK_INT(most.outcome, SCENE_STAGGER_FALLS);
        const scene_stagger *stood[3] = {&little, &some, &more};
        for (int i = 0; i < 3; ++i) {
            CHECK(stood[i]->outside < -0.02f * f->def.height);
            CHECK(stood[i]->drift < 0.01f);
            CHECK(stood[i]->away < 0.03f * f->def.height); // the root has moved with the figure
        }
        CHECK(some.went.x * sinf(angles[side]) + some.went.z * cosf(angles[side]) > 0.05f);
        CHECK(more.went.x * sinf(angles[side]) + more.went.z * cosf(angles[side]) > 0.3f);
    }
}

// Pushes from the left and from the right have mirrored effects.
static void mirrored_pushes_are_alike(void)
{
    figure sample = figure_of(sample_bytes(0)), *f = &sample;
    for (int i = 1; i < 10; ++i) {
        const scene_stagger left = pushed(f, 0.07f * (float)i, 0.8f), right = pushed(f, 0.07f * (float)i, -0.8f);
        CHECK_INT(left.outcome, right.outcome);
        CHECK_INT(left.steps, right.steps);
        CHECK_NEAR(left.went.x, -right.went.x, 0.01);
        CHECK_NEAR(left.went.z, right.went.z, 0.01);
    }
    figure_free(f);
}

// If the host keeps its root, the figure steps back to the root.
static void it_comes_back_to_a_root_that_stays(void)
{
    figure sample = figure_of(sample_bytes(0)), *f = &sample;
    const scene_stagger_push push = {.avatar = f->avatar,
        .def = &f->def,
        .motion = "none",
        .speed = 0.6f,
        .assist = 1.0f,
        .rate = 60.0,
        .keeps_root = true};
    scene_stagger out;
    CHECK_INT(scene_stagger_run(&push, &out), VRM_SUCCESS);
    CHECK_INT(out.outcome, SCENE_STAGGER_ONE_STEP);
    CHECK(out.went.z == 0.0f && out.away < 0.02f);
    figure_free(f);
}

// The assist takes a fraction of a push. With much assist the figure only sways under a push that otherwise makes it
// step. An external force is measured then, and none for a push that the soles alone can bear.
static void the_assist_takes_its_share(void)
{
    figure sample = figure_of(sample_bytes(0)), *f = &sample;
    scene_stagger_push push = {
        .avatar = f->avatar, .def = &f->def, .motion = "idle", .speed = 0.5f, .assist = 1.0f, .rate = 60.0};
    scene_stagger out;
    CHECK_INT(scene_stagger_run(&push, &out), VRM_SUCCESS);
    CHECK_INT(out.outcome, SCENE_STAGGER_ONE_STEP);
    push.assist = 4.0f;
    CHECK_INT(scene_stagger_run(&push, &out), VRM_SUCCESS);
    CHECK_INT(out.outcome, SCENE_STAGGER_SWAYS);
    CHECK(out.share > 0.4f && out.share < 0.9f);
    push.speed = 0.15f;
    push.assist = 1.0f;
    CHECK_INT(scene_stagger_run(&push, &out), VRM_SUCCESS);
    CHECK_INT(out.outcome, SCENE_STAGGER_SWAYS);
    CHECK(fabsf(out.share) < 0.05f);
    figure_free(f);
}

// --- one run in parts ----------------------------------------------------------------------------------------------

static void hit_ahead(stage *s)
{
    const vrm_dvec3 point = {0.0, 1.1, 0.0};
    const vrm_vec3 impulse = {0.0f, 0.0f, 45.0f};
    go_on(s, 3);
    CHECK_INT(vrm_instance_hit_ragdoll(s->instance, -1, &point, &impulse), VRM_SUCCESS);
}

// A figure is saved in the middle of a step and continues. After it is restored, it continues with the same bits.
static void a_step_survives_a_rollback(void)
{
    figure sample = figure_of(sample_bytes(0)), *f = &sample;
    static uint8_t bytes[1 << 18], solver[1 << 16];
    stage s = stage_of(f, 0.08f);
    hit_ahead(&s);
    go_on(&s, 15);
    CHECK_INT(balance_of(&s), VRM_RAGDOLL_BALANCE_STEPS);
    size_t size = sizeof bytes, solver_size = sizeof solver;
    CHECK_INT(vrm_instance_snapshot(s.instance, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_solver_snapshot(s.scene.solver, solver, &solver_size), VRM_SUCCESS);
    const scene_carried_hair hair = s.scene.hair; // the host keeps the hair's state
    go_on(&s, 60);
    const uint64_t once = hash_of(&s);
    CHECK_INT(vrm_instance_restore(s.instance, bytes, size), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_solver_restore(s.scene.solver, solver, solver_size), VRM_SUCCESS);
    s.scene.hair = hair;
    go_on(&s, 60);
    CHECK(hash_of(&s) == once);
    stage_end(&s);
    figure_free(f);
}

// At a height of 4,000 km floats are coarser than a centimetre, so no point of a sole was taken as the lowest one. A
// bug then read before the start of an array (found by the address sanitizer).
static void a_gait_far_out_is_not_read(void)
{
    figure f = figure_of(sample_bytes(0));
    stage s = stage_of(&f, 0.2f);
    for (int frame = 0; frame < 30; ++frame) {
        const vrm_vec3 hips = {0.0f, 4.0e6f, 0.0f};
        CHECK_INT(vrm_instance_set_hips_position(s.instance, &hips), VRM_SUCCESS);
        go_on(&s, 1);
    }
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s.instance, &out);
    for (uint32_t i = 0; i < out.node_count; ++i) {
        CHECK(isfinite(out.world[i].m[1][3]));
    }
    stage_end(&s);
    figure_free(&f);
}

// A figure begins to step after its reaction time, and only if the settings allow steps.
static void reaction_is_a_setting(void)
{
    figure sample = figure_of(sample_bytes(0)), *f = &sample;
    stage quick = stage_of(f, 0.02f), slow = stage_of(f, 0.2f), none = stage_of(f, 0.08f);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_instance_get_ragdoll_params(none.instance, &settings);
    settings.steps = false;
    CHECK_INT(vrm_instance_set_ragdoll_params(none.instance, &settings), VRM_SUCCESS);
    hit_ahead(&quick);
    hit_ahead(&slow);
    hit_ahead(&none);
    go_on(&quick, 8);
    go_on(&slow, 8);
    go_on(&none, 8);
    CHECK_INT(balance_of(&quick), VRM_RAGDOLL_BALANCE_STEPS);
    CHECK_INT(balance_of(&slow), VRM_RAGDOLL_BALANCE_SWAYS);
    CHECK_INT(balance_of(&none), VRM_RAGDOLL_BALANCE_NONE);
    stage_end(&quick);
    stage_end(&slow);
    stage_end(&none);
    figure_free(f);
}

static void harder_pushes_come_to_more(void)
{
    for (uint32_t seed = 0; seed < 3; ++seed) {
        figure f = figure_number(seed);
        push_harder(&f);
        figure_free(&f);
    }
}

// Hits the chest of an idling figure that may make steps.
static scene_meter_report hit_while_idle(const figure *f, double when, double duration, vrm_vec3 impulse)
{
    const scene_act act = {.avatar = f->avatar,
        .def = &f->def,
        .motion = "idle",
        .event = SCENE_EVENT_HIT,
        .when = when,
        .duration = duration,
        .rate = 60.0,
        .bone = VRM_HUMAN_BONE_CHEST,
        .impulse = impulse,
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .steps = true};
    scene_meter_report report;
    CHECK_INT(scene_act_measure(&act, NULL, false, &report), VRM_SUCCESS);
    return report;
}

// Toes have no body and are bent while the heel is up. They stay bent if the figure falls from that pose.
static void what_gives_up_falls_without_a_jump(void)
{
    figure f = figure_of(sample_bytes(0));
    const scene_meter_report report = hit_while_idle(&f, 0.5, 1.5, (vrm_vec3){0.0f, 0.0f, 90.0f});
    CHECK(report.figures[SCENE_FIGURE_BEYOND_TURN].value < 1.0);
    figure_free(&f);
}

static void falls_without_a_leap(const figure *f, vrm_vec3 impulse)
{
    const scene_meter_report report = hit_while_idle(f, 0.3, 1.2, impulse);
    const double turn = report.figures[SCENE_FIGURE_CUT_TURN].value, way = report.figures[SCENE_FIGURE_CUT_WAY].value;
    printf("falls sideways with a cut of %.1f degrees and %.1f mm\n", turn, way);
    CHECK(turn < 6.0 && way < 15.0);
}

// A bug once let feet that stood too far apart draw the hips down at 6 m/s before the fall, and turned a leg over. On
// Godette, whose legs are short, the leg jumped by 17 degrees and 32 mm in a frame.
static void what_stands_too_wide_falls_at_once(void)
{
    for (uint32_t seed = 2; seed < 7; seed += 3) {
        figure f = figure_number(seed);
        falls_without_a_leap(&f, (vrm_vec3){1.6f * scene_def_mass(&f.def), 0.0f, 0.0f});
        figure_free(&f);
    }
    char path[512];
    figure f = {NULL, NULL, {0}};
    if (vrm_gltf_load_file(NULL, shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path), NULL, &f.gltf) !=
        VRM_SUCCESS) {
        SKIP("Godette of ../shared is not there");
        return;
    }
    vrm_ragdoll_def_default(&f.def);
    CHECK_INT(vrm_avatar_import(NULL, f.gltf, NULL, &f.avatar), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_def_build(f.avatar, f.gltf, NULL, NULL, &f.def), VRM_SUCCESS);
    falls_without_a_leap(&f, (vrm_vec3){80.0f, 0.0f, 0.0f});
    figure_free(&f);
}

// A bug once snapped a nearly straight knee of short legs by 8 to 24 degrees in a frame when the foot came down. The
// plan did not know where the hip joints are while the pelvis leans.
static void a_foot_that_comes_down_snaps_no_knee(void)
{
    static const struct row {
        uint32_t seed;
        float speed, angle;
    } rows[] = {{4, 1.05f, 3.14159265f}, {4, 1.05f, 0.0f}, {0, 1.1f, 0.0f}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        vrm_bytes bytes = {0};
        char path[512];
        if (rows[i].seed > 0) {
            CHECK_INT(scene_figure_create(rows[i].seed, &bytes), VRM_SUCCESS);
        } else if (vrm_read_file(shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path), UINT64_MAX, NULL,
                       &bytes) != VRM_SUCCESS) {
            continue; // the figure of ../shared is missing
        }
        figure f = figure_of(bytes);
        const float push = rows[i].speed * scene_def_mass(&f.def);
        const scene_meter_report report =
            hit_while_idle(&f, 0.3, 0.9, (vrm_vec3){push * sinf(rows[i].angle), 0.0f, push * cosf(rows[i].angle)});
        const double turn = report.figures[SCENE_FIGURE_CUT_TURN].value,
                     way = report.figures[SCENE_FIGURE_CUT_WAY].value;
        printf("steps with a cut of %.1f degrees and %.1f mm\n", turn, way);
        CHECK(turn < 6.0 && way < 15.0);
        figure_free(&f);
    }
}

typedef struct sole_hit {
    const char *motion;
    float speed, angle; // impulse per kilogram, N s/kg, and its direction
    bool steps;
    vrm_ragdoll_drive drive;
} sole_hit;

static scene_meter_report report_after(const figure *f, const sole_hit *hit)
{
    const float mass = scene_def_mass(&f->def);
    const scene_act act = {.avatar = f->avatar,
        .def = &f->def,
        .motion = hit->motion,
        .event = SCENE_EVENT_HIT,
        .when = 0.3,
        .duration = 2.5,
        .rate = 60.0,
        .bone = VRM_HUMAN_BONE_CHEST,
        .impulse = {hit->speed * mass * sinf(hit->angle), 0.0f, hit->speed * mass * cosf(hit->angle)},
        .drive = hit->drive,
        .steps = hit->steps};
    scene_meter_report report;
    CHECK_INT(scene_act_measure(&act, f->gltf, false, &report), VRM_SUCCESS);
    return report;
}

// When the figure is hit, soles that stand do not slide, whatever its proportions are, with and without toes and an
// upper chest. Returns how far they slide, millimetres.
static double slide_after(const figure *f, const sole_hit *hit)
{
    return report_after(f, hit).figures[SCENE_FIGURE_ANY_SLIDE].value;
}

static void planted_soles_stay(void)
{
    for (uint32_t seed = 0; seed < 5; ++seed) {
        figure f = figure_number(seed);
        const sole_hit hits[] = {{"none", 0.8f, quarter, true, VRM_RAGDOLL_DRIVE_TORQUE},
            {"none", 1.0f, 2.0f * quarter, true, VRM_RAGDOLL_DRIVE_TORQUE},
            {"idle", 0.7f, -0.5f * quarter, true, VRM_RAGDOLL_DRIVE_TORQUE}};
        for (int i = 0; i < 3; ++i) {
            const double slide = slide_after(&f, &hits[i]);
            CHECK(slide > 0.0 && slide < 10.0);
        }
        figure_free(&f);
    }
}

// A figure that must not step is leant far over. Its feet stay where they are, and the feet of a walk that was pushed
// aside where they come down. They were once pulled over the ground to their animated positions.
static void soles_of_figures_that_must_not_step_stay(void)
{
    static const sole_hit hits[] = {{"idle", 1.2f, 2.0f * quarter, false, VRM_RAGDOLL_DRIVE_TORQUE},
        {"none", 2.0f, quarter, false, VRM_RAGDOLL_DRIVE_VELOCITY},
        {"idle", 2.0f, 2.0f * quarter, false, VRM_RAGDOLL_DRIVE_VELOCITY},
        {"walk-ahead", 0.8f, quarter, false, VRM_RAGDOLL_DRIVE_TORQUE},
        {"walk-ahead", 0.8f, -quarter, false, VRM_RAGDOLL_DRIVE_TORQUE},
        {"walk-ahead", 0.5f, quarter, false, VRM_RAGDOLL_DRIVE_VELOCITY}};
    double most[6] = {0};
    for (uint32_t seed = 0; seed < 5; seed += TEST_SHARE) {
        figure f = figure_number(seed);
        for (int i = 0; i < 6; ++i) {
            most[i] = fmax(most[i], slide_after(&f, &hits[i]));
        }
        figure_free(&f);
    }
    for (int i = 0; i < 6; ++i) {
        printf("%s, %.1f N s/kg, drive %d: soles slide by at most %.1f mm\n", hits[i].motion, (double)hits[i].speed,
            (int)hits[i].drive, most[i]);
        CHECK(most[i] < 10.0);
    }
}

// A bug once kept the feet of stepping figures parallel to the ground, in the air and under leaning shanks. Ankles bent
// by up to 47 degrees beyond their limits.
static void no_ankle_bends_beyond_its_limit(void)
{
    for (uint32_t seed = 0; seed < 5; seed += TEST_SHARE) {
        figure f = figure_number(seed);
        const float size = sqrtf(f.def.height / 1.6f);
        double limit = 0.0, speed = 0.0, slide = 0.0, turn = 0.0, way = 0.0, lowest = 0.0;
        for (int i = 0; i < 16; i += 1 + TEST_SHARE / 3) {
            const float push = (i % 2 == 0 ? 0.5f : 0.85f) * size; // half of the directions are oblique
            const sole_hit hit = {"idle", push, 0.5f * quarter * (float)(i / 2), true, VRM_RAGDOLL_DRIVE_TORQUE};
            const scene_meter_report report = report_after(&f, &hit);
            limit = fmax(limit, report.figures[SCENE_FIGURE_LIMIT].value);
            speed = fmax(speed, report.figures[SCENE_FIGURE_SPEED].value * (double)size);
            slide = fmax(slide, report.figures[SCENE_FIGURE_ANY_SLIDE].value);
            turn = fmax(turn, report.figures[SCENE_FIGURE_CUT_TURN].value);
            way = fmax(way, report.figures[SCENE_FIGURE_CUT_WAY].value);
            lowest = fmin(lowest, report.figures[SCENE_FIGURE_LOWEST].value);
        }
        printf("seed %u: %.1f degrees beyond a limit, %.0f degrees/s at 1.6 m, slide %.1f mm, cut %.1f degrees and "
               "%.1f mm, lowest %.1f mm\n",
            seed, limit, speed, slide, turn, way, lowest);
        CHECK(limit < 3.0 && speed < 600.0); // people's fast steps reach 400 to 600
        CHECK(slide < 10.0 && turn < 6.0 && way < 15.0 && lowest > -10.0);
        figure_free(&f);
    }
}

static vrm_vec3 place_of(const stage *s, const vrm_outputs *outputs, vrm_human_bone bone)
{
    const vrm_avatar *avatar = vrm_instance_get_avatar(s->instance);
    const vrm_world *m = &outputs->world[vrm_avatar_get_bone_node(avatar, bone)];
    return (vrm_vec3){m->m[0][3], m->m[1][3], m->m[2][3]};
}

// Puts a low slab before the figure, whose top is `height` above the ground.
static void lay_slab(stage *s, const figure *f, double height)
{
    scene_ragdoll_end(&s->scene);
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.steps = true;
    vrm_ragdoll_solver_def solver;
    vrm_ragdoll_solver_def_default(&solver);
    solver.shape_slots = 1;
    CHECK_INT(scene_ragdoll_begin(&s->scene, s->instance, &f->def, &settings, &solver), VRM_SUCCESS);
    vrm_ragdoll_world_shape_def slab;
    vrm_ragdoll_world_shape_def_default(&slab);
    slab.half_extents = (vrm_vec3){2.0f, 0.5f, 1.0f};
    slab.center = (vrm_dvec3){0.0, height - 0.5, 1.22};
    CHECK_INT(vrm_ragdoll_solver_set_shape(s->scene.solver, 0, &slab), VRM_SUCCESS);
}

// A foot that comes down on ground that is 10 or 20 mm higher than the model's stands where it meets it, earlier than
// planned: it stays at that height, does not slide, and the figure stands at the end.
static void a_foot_stands_where_it_meets_the_ground(void)
{
    figure f = figure_of(sample_bytes(0));
    float flat = 0.0f;
    for (int i = 0; i <= 2; ++i) {
        stage s = stage_of(&f, 0.08f);
        if (i > 0) {
            lay_slab(&s, &f, 0.01 * i);
        }
        hit_ahead(&s);
        vrm_vec3 first = {0.0f, 0.0f, 0.0f}, last = first;
        float slide = 0.0f, quickest = 0.0f;
        bool swung = false;
        for (int frame = 0; frame < 60; ++frame) {
            go_on(&s, 1);
            vrm_outputs outputs = {.struct_size = sizeof outputs};
            vrm_instance_get_outputs(s.instance, &outputs);
            const vrm_vec3 ankle = place_of(&s, &outputs, VRM_HUMAN_BONE_RIGHT_FOOT);
            swung = swung || balance_of(&s) == VRM_RAGDOLL_BALANCE_STEPS;
            if (frame == 35) { // the foot is down, and the other has not come beside it yet
                first = ankle;
            }
            if (frame > 35 && frame < 50) {
                slide = fmaxf(slide, hypotf(ankle.x - first.x, ankle.z - first.z));
                quickest = fmaxf(quickest, fabsf(ankle.y - last.y));
            }
            last = ankle;
        }
        flat = i == 0 ? first.y : flat;
        printf("ground %d mm higher: the ankle is %.1f mm higher, slides by %.1f mm and moves by %.1f mm upright\n",
            10 * i, (double)(1000.0f * (first.y - flat)), (double)(1000.0f * slide), (double)(1000.0f * quickest));
        CHECK(swung && first.z > 0.2f);
        CHECK_NEAR(first.y - flat, 0.01 * i, 0.003);
        CHECK(slide < 0.01f && quickest < 0.003f);
        go_on(&s, 300);
        CHECK(balance_of(&s) != VRM_RAGDOLL_BALANCE_GAVE_UP);
        stage_end(&s);
    }
    figure_free(&f);
}

// Returns the height of a hip joint above its ankle at rest.
static double leg_of(const figure *f)
{
    stage s = stage_of(f, 0.08f);
    go_on(&s, 1);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(s.instance, &outputs);
    const vrm_vec3 hip = place_of(&s, &outputs, VRM_HUMAN_BONE_LEFT_UPPER_LEG);
    const vrm_vec3 ankle = place_of(&s, &outputs, VRM_HUMAN_BONE_LEFT_FOOT);
    stage_end(&s);
    return (double)(hip.y - ankle.y);
}

// Hard pushes come to several wide steps, or to a fall after steps. Feet were once lifted with straight knees, which
// then turned fast. The bound is that of a leg of 0.75 m, for others in proportion to the root of its length.
static void hard_steps_turn_no_knee_too_fast(void)
{
    for (uint32_t number = 0; number <= 6; number += TEST_SHARE) {
        figure f;
        if (!figure_or_godette(number, &f)) {
            continue; // ../shared is missing
        }
        double speed = 0.0;
        const float size = sqrtf(f.def.height / 1.6f);
        for (int i = 0; i < 10; ++i) {
            const float push = (i % 2 == 0 ? 1.0f : 1.15f) * size;
            const sole_hit hit = {"idle", push, 0.5f * quarter * (float)(i / 2), true, VRM_RAGDOLL_DRIVE_TORQUE};
            speed = fmax(speed, report_after(&f, &hit).figures[SCENE_FIGURE_SPEED].value);
        }
        const double pace = sqrt(leg_of(&f) / 0.75);
        printf("figure %u: %.0f degrees/s, %.0f at a leg of 0.75 m\n", number, speed, speed * pace);
        CHECK(speed * pace < 660.0);
        figure_free(&f);
    }
}

// Returns the highest angle of a hand above its shoulder, degrees, within two seconds from a push while the figure
// idles.
static double highest_arm(const figure *f, float speed, float angle)
{
    static const vrm_human_bone bones[2][2] = {{VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_HAND},
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_HAND}};
    stage s = stage_of(f, 0.08f);
    scene_stage_motion motion;
    CHECK_INT(scene_stage_motion_begin(&motion, "idle", f->avatar, &f->def), VRM_SUCCESS);
    double highest = -90.0;
    for (int i = 0; i < 150; ++i) {
        scene_stage_motion_apply(&motion, s.instance, i / 60.0);
        if (i == 30) {
            const vrm_dvec3 chest = {0.0, 0.73 * (double)f->def.height, 0.0};
            const float push = speed * scene_def_mass(&f->def);
            const vrm_vec3 impulse = {push * sinf(angle), 0.0f, push * cosf(angle)};
            CHECK_INT(vrm_instance_hit_ragdoll(s.instance, -1, &chest, &impulse), VRM_SUCCESS);
        }
        go_on(&s, 1);
        CHECK(balance_of(&s) != VRM_RAGDOLL_BALANCE_GAVE_UP);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(s.instance, &outputs);
        for (int side = 0; side < 2; ++side) {
            const vrm_vec3 from = place_of(&s, &outputs, bones[side][0]), to = place_of(&s, &outputs, bones[side][1]);
            const double over = hypot((double)(to.x - from.x), (double)(to.z - from.z));
            highest = fmax(highest, atan2((double)(to.y - from.y), over) * 57.29578);
        }
    }
    scene_stage_motion_end(&motion);
    stage_end(&s);
    return highest;
}

// A bug once swung an arm up to the horizontal in each stagger, because the arm was soft and the trunk leaned.
static void no_arm_is_flung_out_level(void)
{
    for (uint32_t seed = 0; seed < 4; seed += TEST_SHARE) {
        figure f = figure_number(seed);
        for (int side = -1; side <= 4; ++side) {
            const double highest = highest_arm(&f, 0.75f, 0.5f * quarter * (float)side);
            printf("seed %u, side %d: a hand is %.0f degrees below its shoulder\n", seed, side, -highest);
            CHECK(highest < -15.0);
        }
        figure_free(&f);
    }
}

static const test_case cases[] = {
    {"a_foot_stands_where_it_meets_the_ground", a_foot_stands_where_it_meets_the_ground},
    {"hard_steps_turn_no_knee_too_fast", hard_steps_turn_no_knee_too_fast},
    {"planted_soles_stay", planted_soles_stay},
    {"no_ankle_bends_beyond_its_limit", no_ankle_bends_beyond_its_limit},
    {"soles_of_figures_that_must_not_step_stay", soles_of_figures_that_must_not_step_stay},
    {"no_arm_is_flung_out_level", no_arm_is_flung_out_level},
    {"a_foot_that_comes_down_snaps_no_knee", a_foot_that_comes_down_snaps_no_knee},
    {"what_gives_up_falls_without_a_jump", what_gives_up_falls_without_a_jump},
    {"what_stands_too_wide_falls_at_once", what_stands_too_wide_falls_at_once},
    {"harder_pushes_come_to_more", harder_pushes_come_to_more},
    {"mirrored_pushes_are_alike", mirrored_pushes_are_alike},
    {"it_comes_back_to_a_root_that_stays", it_comes_back_to_a_root_that_stays},
    {"the_assist_takes_its_share", the_assist_takes_its_share},
    {"a_step_survives_a_rollback", a_step_survives_a_rollback},
    {"reaction_is_a_setting", reaction_is_a_setting},
    {"a_gait_far_out_is_not_read", a_gait_far_out_is_not_read},
};

RUN_TESTS(cases)
