// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Tests the meter. A clean motion passes every bound, and the right figure reports each inserted fault with the right
// size.

#include <math.h>

#include <vrm/vrm.h>

#include "glb_motion.h"
#include "motion_act.h"
#include "motion_meter.h"
#include "sample_avatar.h"
#include "test.h"

enum { FRAMES = 180 };

static const double rate = 60.0;
static const float event = 1.0f; // seconds

static vrm_gltf *gltf;
static vrm_avatar *avatar;
static vrm_ragdoll_def definition = {.struct_size = sizeof definition};

static vrm_quat multiply(vrm_quat a, vrm_quat b)
{
    return (vrm_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static vrm_quat turn(float degrees, float x, float y, float z)
{
    const float half = degrees * 3.14159265f / 360.0f;
    return (vrm_quat){x * sinf(half), y * sinf(half), z * sinf(half), cosf(half)};
}

static void set(vrm_instance *instance, vrm_human_bone bone, vrm_quat rotation)
{
    CHECK_INT(vrm_instance_set_normalized_rotation(instance, bone, &rotation), VRM_SUCCESS);
}

// Adds to a bone's rotation.
static void add(vrm_instance *instance, vrm_human_bone bone, vrm_quat more)
{
    vrm_quat now;
    CHECK_INT(vrm_instance_get_normalized_rotation(instance, bone, &now), VRM_SUCCESS);
    set(instance, bone, multiply(now, more));
}

static void move_hips(vrm_instance *instance, float x, float y, float z)
{
    vrm_node hips = {.struct_size = sizeof hips};
    const int32_t node = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS);
    CHECK_INT(vrm_avatar_get_node(avatar, (uint32_t)node, &hips), VRM_SUCCESS);
    const vrm_vec3 p = {hips.rest_position.x + x, hips.rest_position.y + y, hips.rest_position.z + z};
    CHECK_INT(vrm_instance_set_hips_position(instance, &p), VRM_SUCCESS);
}

// The clean motion, which is symmetric. The avatar stands with hanging arms; after a second it bows slightly, and head
// and arms swing and come to rest.
static void move(vrm_instance *instance, float time)
{
    vrm_instance_reset_pose(instance);
    const float since = time - event;
    const float decay = since > 0.0f ? expf(-5.0f * since) * (1.0f - expf(-30.0f * since * since)) : 0.0f;
    const float swing = decay * sinf(9.0f * since), late = decay * sinf(9.0f * since - 0.8f);
    set(instance, VRM_HUMAN_BONE_SPINE, turn(20.0f * swing, 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_CHEST, turn(22.0f * swing, 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_HEAD, turn(-22.0f * late, 1, 0, 0));
    for (int side = 0; side < 2; ++side) {
        const vrm_human_bone arm = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_ARM : VRM_HUMAN_BONE_RIGHT_UPPER_ARM;
        set(instance, arm, multiply(turn(20.0f * late, 1, 0, 0), turn(side == 0 ? -62.0f : 62.0f, 0, 0, 1)));
    }
    move_hips(instance, 0.0f, 0.0f, 0.0f);
}

// --- faults --------------------------------------------------------------------------------------------------------

typedef struct moment {
    int frame;
    float time;
} moment;

static void jump_shoulder(vrm_instance *instance, moment at)
{
    if (at.frame >= 40) {
        add(instance, VRM_HUMAN_BONE_RIGHT_SHOULDER, turn(20.0f, 0, 1, 0));
    }
}

static void flick_head(vrm_instance *instance, moment at)
{
    if (at.frame == 40) {
        add(instance, VRM_HUMAN_BONE_HEAD, turn(15.0f, 0, 0, 1));
    }
}

static void jump_hips(vrm_instance *instance, moment at)
{
    move_hips(instance, 0.0f, 0.0f, at.frame >= 40 ? 0.05f : 0.0f);
}

static void flick_hips(vrm_instance *instance, moment at)
{
    move_hips(instance, 0.0f, at.frame == 40 ? 0.04f : 0.0f, 0.0f);
}

static void start_shoulder(vrm_instance *instance, moment at)
{
    const float degrees = 6.0f * (float)(at.frame < 40 ? 0 : (at.frame > 44 ? 5 : at.frame - 39));
    add(instance, VRM_HUMAN_BONE_LEFT_SHOULDER, turn(degrees, 0, 1, 0));
}

static void lift_arm(vrm_instance *instance, moment at)
{
    (void)at;
    add(instance, VRM_HUMAN_BONE_LEFT_UPPER_ARM, turn(10.0f, 0, 0, 1));
}

static void lean(vrm_instance *instance, moment at)
{
    (void)at;
    add(instance, VRM_HUMAN_BONE_SPINE, turn(-8.0f, 0, 0, 1));
}

static void sink(vrm_instance *instance, moment at)
{
    (void)at;
    move_hips(instance, 0.0f, -0.05f, 0.0f);
}

static void sink_deep(vrm_instance *instance, moment at)
{
    (void)at;
    move_hips(instance, 0.0f, -0.75f, 0.0f);
}

static void drift(vrm_instance *instance, moment at)
{
    move_hips(instance, 0.04f * at.time, 0.0f, 0.0f);
}

static void float_and_drift(vrm_instance *instance, moment at)
{
    move_hips(instance, 0.0f, 0.008f, 0.0125f * at.time);
}

// Lifts a foot, and sets it down about frame 33.
static void lift_foot(vrm_instance *instance, moment at)
{
    const float angle =
        at.frame < 10 ? 4.0f * (float)at.frame : fmaxf(40.0f - 4.0f / 3.0f * (float)(at.frame - 10), 0.0f);
    set(instance, VRM_HUMAN_BONE_LEFT_UPPER_LEG, turn(-angle, 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_LEFT_LOWER_LEG, turn(angle, 1, 0, 0));
}

static void land_on_foot(vrm_instance *instance, moment at)
{
    lift_foot(instance, at);
    set(instance, VRM_HUMAN_BONE_LEFT_FOOT, turn(at.frame >= 34 ? 15.0f : 0.0f, 0, 1, 0));
}

// The same jump, but long after the landing.
static void jump_foot(vrm_instance *instance, moment at)
{
    lift_foot(instance, at);
    set(instance, VRM_HUMAN_BONE_LEFT_FOOT, turn(at.frame >= 60 ? 15.0f : 0.0f, 0, 1, 0));
}

// Drifts while it leans so far back that it cannot stand.
static void drift_without_balance(vrm_instance *instance, moment at)
{
    const float angle = 24.0f, radians = angle * 0.01745329f;
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(avatar, &body);
    set(instance, VRM_HUMAN_BONE_HIPS, turn(-angle, 1, 0, 0));
    move_hips(instance, 0.04f * at.time, body.hips_height * (cosf(radians) - 1.0f), -body.hips_height * sinf(radians));
    set(instance, VRM_HUMAN_BONE_LEFT_FOOT, turn(angle, 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_RIGHT_FOOT, turn(angle, 1, 0, 0));
}

static void bend_ankle(vrm_instance *instance, moment at)
{
    (void)at;
    set(instance, VRM_HUMAN_BONE_LEFT_FOOT, turn(-54.0f, 1, 0, 0));
}

static void bend_knee(vrm_instance *instance, moment at)
{
    (void)at;
    set(instance, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, turn(-20.0f, 1, 0, 0));
}

static void whip_head(vrm_instance *instance, moment at)
{
    // A smooth rotation of 90 degrees, with a peak speed of 1,000 degrees a second.
    const float since = (at.time - 0.7f) * 22.2f;
    add(instance, VRM_HUMAN_BONE_NECK, turn(45.0f * tanhf(since), 0, 1, 0));
}

static void levitate(vrm_instance *instance, moment at)
{
    move_hips(instance, 0.0f, at.time < 2.0f ? 0.0f : 0.3f * (at.time - 2.0f), 0.0f);
}

// From lying, rises in a second and a half by rotating about the ankles, as stiff as a board.
static void rise_as_board(vrm_instance *instance, moment at)
{
    const float angle = at.time < 1.5f ? 80.0f - 53.0f * at.time : 0.0f, radians = angle * 0.01745329f;
    set(instance, VRM_HUMAN_BONE_HIPS, turn(-angle, 1, 0, 0));
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(avatar, &body);
    move_hips(instance, 0.0f, body.hips_height * (cosf(radians) - 1.0f), -body.hips_height * sinf(radians));
}

static void hand_in_hips(vrm_instance *instance, moment at)
{
    (void)at;
    set(instance, VRM_HUMAN_BONE_LEFT_UPPER_ARM, turn(-88.0f, 0, 0, 1));
    set(instance, VRM_HUMAN_BONE_LEFT_LOWER_ARM, turn(-40.0f, 0, 0, 1));
}

static void thigh_through_skirt(vrm_instance *instance, moment at)
{
    (void)at;
    set(instance, VRM_HUMAN_BONE_LEFT_UPPER_LEG, turn(-135.0f, 1, 0, 0)); // the cloth is at its limit above the lap
    set(instance, VRM_HUMAN_BONE_LEFT_LOWER_LEG, turn(150.0f, 1, 0, 0));
}

static void tremble(vrm_instance *instance, moment at)
{
    if (at.time > event) {
        add(instance, VRM_HUMAN_BONE_NECK, turn(2.0f * sinf(60.0f * at.time), 0, 0, 1));
    }
}

static void statue(vrm_instance *instance, moment at)
{
    (void)at;
    move(instance, 0.0f);
}

static void swing_on(vrm_instance *instance, moment at)
{
    const float since = fmaxf(at.time - event, 0.0f), swing = 10.0f * expf(-0.1f * since) * sinf(9.0f * since);
    statue(instance, at);
    set(instance, VRM_HUMAN_BONE_HEAD, turn(swing, 1, 0, 0));
    add(instance, VRM_HUMAN_BONE_LEFT_UPPER_ARM, turn(swing, 0, 0, 1));
}

// --- faults of the bodies ------------------------------------------------------------------------------------------

static void turn_all(vrm_ragdoll_state *states, int frame)
{
    (void)frame;
    states[3].rotation = multiply(states[3].rotation, turn(10.0f, 0, 0, 1));
}

static void shift_all(vrm_ragdoll_state *states, int frame)
{
    (void)frame;
    for (uint32_t i = 0; i < definition.body_count; ++i) {
        states[i].position.x += 0.03f;
    }
}

static void shake_one(vrm_ragdoll_state *states, int frame)
{
    states[5].position.y += frame % 2 == 0 ? 0.004f : -0.004f;
}

static void throw_one(vrm_ragdoll_state *states, int frame)
{
    if (frame >= 40) {
        states[6].rotation = multiply(states[6].rotation, turn(20.0f, 0, 1, 0));
    }
}

// A fault that only the shown bones have, not the ragdoll's bodies: the upper chest bends and takes head and arms along.
static void bend_upper_chest(vrm_instance *instance, moment at)
{
    const float t = at.time < 1.0f ? 0.0f : (at.time < 2.0f ? at.time - 1.0f : 1.0f);
    add(instance, VRM_HUMAN_BONE_UPPER_CHEST, turn(20.0f * t, 1, 0, 0));
}

typedef struct fault {
    const char *name;
    void (*pose)(vrm_instance *, moment);
    void (*bodies)(vrm_ragdoll_state *, int);
    bool bodies_keep; // the bodies follow the clean motion, whatever the pose is
    scene_figure figure;
    double least, most; // bounds of the expected reading
} fault;

static const fault faults[] = {
    {"a shoulder jumps by 20 degrees", jump_shoulder, NULL, false, SCENE_FIGURE_CUT_TURN, 19.5, 20.5},
    {"the head is aside for one frame", flick_head, NULL, false, SCENE_FIGURE_CUT_TURN, 14.5, 15.5},
    {"a foot jumps in its landing", land_on_foot, NULL, false, SCENE_FIGURE_LANDING_CUT_TURN, 14.5, 15.5},
    {"a foot jumps after its landing", jump_foot, NULL, false, SCENE_FIGURE_OTHER_CUT_TURN, 14.5, 15.5},
    {"the hips jump by 5 cm", jump_hips, NULL, false, SCENE_FIGURE_CUT_WAY, 49.5, 50.5},
    {"the hips are up for one frame", flick_hips, NULL, false, SCENE_FIGURE_CUT_WAY, 39.5, 40.5},
    {"a bone without a body starts to turn", start_shoulder, NULL, true, SCENE_FIGURE_BEYOND_TURN, 5.0, 7.0},
    {"a body is shaken by 4 mm, its bone is not", NULL, shake_one, false, SCENE_FIGURE_BEYOND_WAY, 7.5, 8.5},
    {"a body is shown 10 degrees beside", NULL, turn_all, false, SCENE_FIGURE_OFF_TURN, 9.9, 10.1},
    {"all bodies are shown 3 cm beside", NULL, shift_all, false, SCENE_FIGURE_OFF_WAY, 29.9, 30.1},
    {"the upper chest carries head and arms off their bodies", bend_upper_chest, NULL, true, SCENE_FIGURE_OFF_WAY, 30.0,
        300.0},
    {"a body turns by 20 degrees in a frame", NULL, throw_one, false, SCENE_FIGURE_BODY_STEP, 19.5, 20.5},
    {"one arm is lifted by 10 degrees", lift_arm, NULL, false, SCENE_FIGURE_UNEVEN_TURN, 9.9, 10.1},
    {"the trunk leans aside", lean, NULL, false, SCENE_FIGURE_UNEVEN_WAY, 40.0, 250.0},
    {"the feet are 5 cm in the ground", sink, NULL, false, SCENE_FIGURE_LOWEST, -52.0, -48.0},
    {"hair is in the ground", sink_deep, NULL, false, SCENE_FIGURE_LOWEST_HAIR, -400.0, -20.0},
    {"standing feet slide by 4 cm a second", drift, NULL, false, SCENE_FIGURE_SLIDE, 110.0, 121.0},
    {"feet that float by 8 mm drift", float_and_drift, NULL, false, SCENE_FIGURE_SLIDE, 34.0, 38.0},
    {"a figure that cannot stand slides", drift_without_balance, NULL, false, SCENE_FIGURE_ANY_SLIDE, 110.0, 121.0},
    {"an ankle is at -54 degrees", bend_ankle, NULL, false, SCENE_FIGURE_LIMIT, 25.0, 40.0},
    {"a knee bends backwards by 20 degrees", bend_knee, NULL, false, SCENE_FIGURE_LIMIT, 16.0,
        20.0}, // the knee is bent by 3 degrees at rest
    {"the head whips about", whip_head, NULL, false, SCENE_FIGURE_SPEED, 850.0, 1020.0},
    {"it levitates", levitate, NULL, false, SCENE_FIGURE_UNSUPPORTED, 0.8, 1.0},
    {"it rises as a board", rise_as_board, NULL, false, SCENE_FIGURE_UNSUPPORTED, 0.8, 1.6},
    {"a hand is in the hips", hand_in_hips, NULL, false, SCENE_FIGURE_ARM_POKE, 10.0, 200.0},
    {"a thigh is outside of the skirt", thigh_through_skirt, NULL, false, SCENE_FIGURE_SKIRT_POKE, 15.0, 200.0},
    {"the head trembles on", tremble, NULL, false, SCENE_FIGURE_QUIET, 1.9, 2.0},
    {"the head swings on", swing_on, NULL, false, SCENE_FIGURE_HEAD_AGAIN, 8.5, 10.0},
    {"the arms swing on", swing_on, NULL, false, SCENE_FIGURE_ARM_AGAIN, 8.5, 10.0},
    {"a statue's head", statue, NULL, false, SCENE_FIGURE_HEAD_WAY, 0.0, 1.0},
    {"a statue's chest", statue, NULL, false, SCENE_FIGURE_CHEST_TURN, 0.0, 0.1},
    {"a statue's arms", statue, NULL, false, SCENE_FIGURE_ARM_SWING, 0.0, 0.1},
    {"a statue's head does not overshoot", statue, NULL, false, SCENE_FIGURE_HEAD_OVER, 0.0, 0.1},
};

// The readings of the clean motion in the order of the figures: lower and upper bound.
static const struct {
    scene_figure figure;
    double least, most;
} clean[] = {
    {SCENE_FIGURE_CUT_TURN, -1e3, 1.0},
    {SCENE_FIGURE_CUT_WAY, -1e3, 3.0},
    {SCENE_FIGURE_OTHER_CUT_TURN, -1e3, 1.0},
    {SCENE_FIGURE_OTHER_CUT_WAY, -1e3, 3.0},
    {SCENE_FIGURE_BEYOND_TURN, -1e3, 0.05},
    {SCENE_FIGURE_BEYOND_WAY, -1e3, 0.05},
    {SCENE_FIGURE_OFF_TURN, 0.0, 0.05},
    {SCENE_FIGURE_OFF_WAY, 0.0, 0.05},
    {SCENE_FIGURE_BODY_STEP, 0.5, 8.0},
    {SCENE_FIGURE_UNEVEN_TURN, 0.0, 0.1},
    {SCENE_FIGURE_UNEVEN_WAY, 0.0, 0.5},
    {SCENE_FIGURE_LOWEST, -3.0, 3.0},
    {SCENE_FIGURE_LOWEST_HAIR, 300.0, 1500.0},
    {SCENE_FIGURE_SLIDE, 0.0, 0.1},
    {SCENE_FIGURE_ANY_SLIDE, 0.0, 0.1},
    {SCENE_FIGURE_LIMIT, -1e3, 2.0},
    {SCENE_FIGURE_SPEED, 50.0, 400.0},
    {SCENE_FIGURE_UNSUPPORTED, 0.0, 0.0},
    {SCENE_FIGURE_ARM_POKE, 0.0, 1.0},
    {SCENE_FIGURE_SKIRT_POKE, 0.0, 1.0},
    {SCENE_FIGURE_HEAD_WAY, 50.0, 400.0},
    {SCENE_FIGURE_HAND_WAY, 25.0, 400.0},
    {SCENE_FIGURE_CHEST_TURN, 8.0, 30.0},
    {SCENE_FIGURE_HEAD_LAG, 0.15, 0.5},
    {SCENE_FIGURE_HEAD_SWING, 4.0, 22.0},
    {SCENE_FIGURE_HEAD_OVER, 0.5, 10.0},
    {SCENE_FIGURE_HEAD_AGAIN, 0.0, 1.0},
    {SCENE_FIGURE_ARM_LAG, 0.15, 0.5},
    {SCENE_FIGURE_ARM_SWING, 4.0, 30.0},
    {SCENE_FIGURE_ARM_OVER, 0.5, 10.0},
    {SCENE_FIGURE_ARM_AGAIN, 0.0, 1.0},
    {SCENE_FIGURE_QUIET, 0.4, 1.5},
};

static bool prepare(void)
{
    if (avatar == NULL) {
        gltf = sample_document(0);
        CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
        CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &definition), VRM_SUCCESS);
    }
    return avatar != NULL;
}

// Measuring depths in the skin is the slowest part, and only two faults need it.
static scene_meter *make_meter(bool pokes)
{
    const scene_meter_def def = {.avatar = avatar, .gltf = gltf, .def = &definition, .rate = rate, .pokes = pokes};
    return scene_meter_create(&def);
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

static void measure(const fault *f, scene_meter_report *out)
{
    const bool pokes = f == NULL || f->figure == SCENE_FIGURE_ARM_POKE || f->figure == SCENE_FIGURE_SKIRT_POKE;
    scene_meter *meter = make_meter(pokes);
    vrm_instance *instance = make_instance(), *bodies = make_instance();
    for (int frame = 0; frame < (pokes ? FRAMES / 2 : FRAMES) || (f == NULL && frame < FRAMES); ++frame) {
        const moment at = {frame, (float)frame / (float)rate};
        move(instance, at.time);
        if (f != NULL && f->pose != NULL) {
            f->pose(instance, at);
        }
        vrm_update_dt(instance, frame == 0 ? 0.0f : 1.0f / (float)rate);
        scene_meter_bodies exchange = {NULL, {0.0, 0.0, 0.0}, (UINT64_C(1) << definition.body_count) - 1};
        vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
        move(bodies, at.time);
        vrm_update_dt(bodies, 0.0f);
        vrm_ragdoll_get_pose_states(&definition, f != NULL && f->bodies_keep ? bodies : instance, states);
        if (f != NULL && f->bodies != NULL) {
            f->bodies(states, frame);
        }
        exchange.states = states;
        CHECK(scene_meter_add(meter, instance, &exchange));
    }
    scene_meter_read(meter, &(scene_meter_question){.event = (double)event, .symmetric = true}, out);
    vrm_instance_destroy(instance);
    vrm_instance_destroy(bodies);
    scene_meter_destroy(meter);
}

static void expect(const char *name, const scene_reading *r, scene_figure figure, double least, double most)
{
    if (!r->known || !(r->value >= least && r->value <= most)) {
        printf("%s: %s is %g %s (known: %d), expected %g to %g\n", name, scene_figure_word(figure), r->value,
            scene_figure_unit(figure), r->known, least, most);
    }
    CHECK(r->known && r->value >= least && r->value <= most);
}

static void clean_motion_passes(void)
{
    CHECK(prepare());
    scene_meter_report report;
    measure(NULL, &report);
    CHECK_INT(sizeof clean / sizeof clean[0], SCENE_FIGURE_COUNT - 2);
    CHECK(!report.figures[SCENE_FIGURE_LANDING_CUT_TURN].known && !report.figures[SCENE_FIGURE_LANDING_CUT_WAY].known);
    for (size_t i = 0; i < sizeof clean / sizeof clean[0]; ++i) {
        expect("clean", &report.figures[clean[i].figure], clean[i].figure, clean[i].least, clean[i].most);
    }
}

static void each_fault_is_reported(void)
{
    CHECK(prepare());
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        const fault *f = &faults[i];
        scene_meter_report report;
        measure(f, &report);
        expect(f->name, &report.figures[f->figure], f->figure, f->least, f->most);
        // The clean motion's bounds must not overlap with the bounds of the fault.
        for (size_t k = 0; k < sizeof clean / sizeof clean[0]; ++k) {
            CHECK(clean[k].figure != f->figure || f->least > clean[k].most || f->most < clean[k].least);
        }
    }
}

// A cut in a landing does not count as one of another joint or moment, and a slide without balance not as one of a
// planted foot.
static void landings_and_falls_have_figures_of_their_own(void)
{
    CHECK(prepare());
    const fault landing = {"landing", land_on_foot, NULL, false, SCENE_FIGURE_OTHER_CUT_TURN, 0.0, 1.0};
    const fault falling = {"falling", drift_without_balance, NULL, false, SCENE_FIGURE_SLIDE, 0.0, 1.0};
    scene_meter_report report;
    measure(&landing, &report);
    CHECK(report.figures[SCENE_FIGURE_OTHER_CUT_TURN].value < 5.0); // its leg begins and ends to move
    CHECK(report.figures[SCENE_FIGURE_CUT_TURN].value > 14.5);
    measure(&falling, &report);
    CHECK(!report.figures[SCENE_FIGURE_SLIDE].known);
}

// In a walk on the spot the ground moves below the figure, so a foot that stands on the ground does not slide.
static void ground_moves_below_a_walk_on_the_spot(void)
{
    CHECK(prepare());
    const struct {
        double speed, least, most;
    } rows[] = {{0.0, 900.0, 1200.0}, {-1.0, 0.0, 1.0}};
    for (int row = 0; row < 2; ++row) {
        const scene_meter_def def = {
            .avatar = avatar, .gltf = gltf, .def = &definition, .rate = rate, .ground_speed = rows[row].speed};
        scene_meter *meter = scene_meter_create(&def);
        vrm_instance *instance = make_instance();
        for (int frame = 0; frame <= 60; ++frame) {
            move_hips(instance, 0.0f, 0.0f, (float)frame / 60.0f);
            vrm_update_dt(instance, 0.0f);
            CHECK(scene_meter_add(meter, instance, NULL));
        }
        scene_meter_report report;
        scene_meter_read(meter, &(scene_meter_question){.event = -1.0}, &report);
        expect("walk", &report.figures[SCENE_FIGURE_SLIDE], SCENE_FIGURE_SLIDE, rows[row].least, rows[row].most);
        CHECK(!report.figures[SCENE_FIGURE_QUIET].known);
        CHECK(!report.figures[SCENE_FIGURE_OFF_TURN].known);
        CHECK(!report.figures[SCENE_FIGURE_UNEVEN_TURN].known);
        vrm_instance_destroy(instance);
        scene_meter_destroy(meter);
    }
}

static void two_motions_are_compared(void)
{
    CHECK(prepare());
    scene_meter *meters[2] = {make_meter(false), make_meter(false)};
    vrm_instance *instance = make_instance();
    for (int which = 0; which < 2; ++which) {
        for (int frame = 0; frame < 10; ++frame) {
            move(instance, 0.0f);
            set(instance, VRM_HUMAN_BONE_LEFT_FOOT, turn(frame == 5 && which == 1 ? 9.0f : 0.0f, 1, 0, 0));
            if (frame == 6 && which == 1) {
                add(instance, VRM_HUMAN_BONE_NECK, turn(4.0f, 0, 1, 0));
            }
            vrm_update_dt(instance, 0.0f);
            CHECK(scene_meter_add(meters[which], instance, NULL));
        }
    }
    scene_meter_difference d;
    scene_meter_compare(meters[0], meters[1], &d);
    CHECK_NEAR(d.turn, 4.0, 0.01);
    CHECK_INT(d.turn_bone, VRM_HUMAN_BONE_NECK);
    CHECK_INT(d.turn_frame, 6);
    CHECK_NEAR(d.foot_turn, 9.0, 0.01);
    CHECK_INT(d.foot_bone, VRM_HUMAN_BONE_LEFT_FOOT);
    scene_meter_compare(meters[0], meters[0], &d);
    CHECK_NEAR(d.turn, 0.0, 1e-6);
    CHECK_NEAR(d.way, 0.0, 0.0);
    vrm_instance_destroy(instance);
    scene_meter_destroy(meters[0]);
    scene_meter_destroy(meters[1]);
}

// A loop of one second, and the same loop with a jump or with a change of speed at its seam.
static void seams_are_found(void)
{
    CHECK(prepare());
    const struct {
        float jump, corner; // degrees, degrees per second
        double turn, speed;
    } rows[] = {{0, 0, 0, 0}, {7, 0, 7, 0}, {0, 30, 0, 30}};
    for (int row = 0; row < 3; ++row) {
        scene_meter *meter = make_meter(false);
        vrm_instance *instance = make_instance();
        for (int frame = 0; frame <= 60; ++frame) {
            const float t = (float)frame / 60.0f;
            move_hips(instance, 0.0f, 0.0f, 1.2f * t); // moving over the ground is not a fault
            const float corner = rows[row].corner * t * (1.0f - t) * 0.5f;
            const float angle = 10.0f * sinf(6.2831853f * t) + rows[row].jump * t + corner;
            set(instance, VRM_HUMAN_BONE_CHEST, turn(angle, 0, 1, 0));
            vrm_update_dt(instance, 0.0f);
            CHECK(scene_meter_add(meter, instance, NULL));
        }
        scene_meter_seam seam;
        scene_meter_close(meter, &seam);
        CHECK_NEAR(seam.turn, rows[row].turn, 0.01);
        CHECK_NEAR(seam.speed, rows[row].speed, 1.0);
        CHECK(row != 1 || seam.turn_bone == VRM_HUMAN_BONE_CHEST);
        CHECK(row == 1 ? seam.way > 5.0 : seam.way < 0.5);
        vrm_instance_destroy(instance);
        scene_meter_destroy(meter);
    }
}

// A file written by a recorder gives the same measurements as the original motion.
static void files_are_measured_as_they_were_shown(void)
{
    CHECK(prepare());
    scene_meter *shown = make_meter(false), *written = make_meter(false);
    vrm_instance *instance = make_instance();
    vrm_gltf *document = sample_document(0), *again = NULL;
    vrm_recorder *recorder = NULL;
    CHECK_INT(vrm_recorder_create(NULL, avatar, &recorder), VRM_SUCCESS);
    for (int frame = 0; frame < 60; ++frame) {
        const moment at = {frame, (float)frame / (float)rate};
        move(instance, at.time + 0.8f);
        jump_shoulder(instance, at);
        vrm_update_dt(instance, frame == 0 ? 0.0f : 1.0f / (float)rate);
        CHECK(scene_meter_add(shown, instance, NULL));
        CHECK_INT(vrm_recorder_add(recorder, instance, (double)frame / rate), VRM_SUCCESS);
    }
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_recorder_write(recorder, document, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(document, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &again), VRM_SUCCESS);
    CHECK_INT(scene_glb_motion_measure(again, avatar, rate, written), VRM_SUCCESS);
    CHECK_INT(scene_glb_motion_measure(gltf, avatar, rate, written), VRM_ERROR_NOT_FOUND); // no animation
    scene_meter_report a, b;
    scene_meter_difference d;
    scene_meter_read(shown, &(scene_meter_question){.event = -1.0}, &a);
    scene_meter_read(written, &(scene_meter_question){.event = -1.0}, &b);
    scene_meter_compare(shown, written, &d);
    CHECK_INT(b.frames, 60);
    CHECK_NEAR(a.figures[SCENE_FIGURE_CUT_TURN].value, 20.0, 0.5);
    CHECK_NEAR(b.figures[SCENE_FIGURE_CUT_TURN].value, a.figures[SCENE_FIGURE_CUT_TURN].value, 0.05);
    CHECK_NEAR(d.turn, 0.0, 0.05);
    CHECK_NEAR(d.way, 0.0, 0.2);
    vrm_bytes_free(&bytes);
    vrm_recorder_destroy(recorder);
    vrm_gltf_destroy(document);
    vrm_gltf_destroy(again);
    vrm_instance_destroy(instance);
    scene_meter_destroy(shown);
    scene_meter_destroy(written);
}

// Compares an act with an impulse with the same act without an impulse.
static void acts_are_played(void)
{
    CHECK(prepare());
    scene_act act = {.avatar = avatar,
        .def = &definition,
        .motion = "none",
        .event = SCENE_EVENT_HIT,
        .when = 0.25,
        .duration = 1.0,
        .rate = rate,
        .bone = VRM_HUMAN_BONE_CHEST,
        .impulse = {0.0f, 0.0f, -60.0f},
        .drive = VRM_RAGDOLL_DRIVE_TORQUE};
    scene_meter *meter = make_meter(false), *without = make_meter(false);
    CHECK_INT(scene_act_run(&act, meter), VRM_SUCCESS);
    act.event = SCENE_EVENT_NONE;
    CHECK_INT(scene_act_run(&act, without), VRM_SUCCESS);
    scene_meter_report report;
    scene_meter_read(meter, &(scene_meter_question){.event = act.when, .reference = without}, &report);
    CHECK_INT(report.frames, 61);
    expect("act", &report.figures[SCENE_FIGURE_HEAD_WAY], SCENE_FIGURE_HEAD_WAY, 20.0, 400.0);
    CHECK(report.figures[SCENE_FIGURE_OFF_WAY].known);
    CHECK(report.figures[SCENE_FIGURE_HEAD_WAY].frame > 15);
    scene_meter_read(without, &(scene_meter_question){.event = act.when}, &report);
    expect("still", &report.figures[SCENE_FIGURE_HEAD_WAY], SCENE_FIGURE_HEAD_WAY, 0.0, 0.1);
    CHECK(!report.figures[SCENE_FIGURE_OFF_WAY].known);
    scene_meter_destroy(meter);
    scene_meter_destroy(without);
}

// Two scenes are compared left with right: each of them alone is lopsided.
static void mirrored_scenes_are_compared(void)
{
    CHECK(prepare());
    scene_meter *meters[2] = {make_meter(false), make_meter(false)};
    vrm_instance *instance = make_instance();
    for (int which = 0; which < 2; ++which) {
        const float out = which == 0 ? 1.0f : -1.0f;
        for (int frame = 0; frame < 10; ++frame) {
            move(instance, 0.0f);
            add(instance, which == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_ARM : VRM_HUMAN_BONE_RIGHT_UPPER_ARM,
                turn(10.0f * out, 0, 0, 1));
            move_hips(instance, 0.03f * out, 0.0f, 0.0f);
            vrm_update_dt(instance, 0.0f);
            CHECK(scene_meter_add(meters[which], instance, NULL));
        }
    }
    scene_meter_report report;
    scene_meter_question question = {.event = -1.0, .symmetric = true, .mirrored = meters[1]};
    scene_meter_read(meters[0], &question, &report);
    expect("mirrored", &report.figures[SCENE_FIGURE_UNEVEN_TURN], SCENE_FIGURE_UNEVEN_TURN, 0.0, 0.1);
    expect("mirrored", &report.figures[SCENE_FIGURE_UNEVEN_WAY], SCENE_FIGURE_UNEVEN_WAY, 0.0, 0.5);
    question.mirrored = NULL;
    scene_meter_read(meters[0], &question, &report);
    expect("itself", &report.figures[SCENE_FIGURE_UNEVEN_TURN], SCENE_FIGURE_UNEVEN_TURN, 9.9, 10.1);
    expect("itself", &report.figures[SCENE_FIGURE_UNEVEN_WAY], SCENE_FIGURE_UNEVEN_WAY, 59.0, 300.0);
    vrm_instance_destroy(instance);
    scene_meter_destroy(meters[0]);
    scene_meter_destroy(meters[1]);
}

static const test_case cases[] = {
    {"clean_motion_passes", clean_motion_passes},
    {"each_fault_is_reported", each_fault_is_reported},
    {"landings_and_falls_have_figures_of_their_own", landings_and_falls_have_figures_of_their_own},
    {"ground_moves_below_a_walk_on_the_spot", ground_moves_below_a_walk_on_the_spot},
    {"two_motions_are_compared", two_motions_are_compared},
    {"mirrored_scenes_are_compared", mirrored_scenes_are_compared},
    {"seams_are_found", seams_are_found},
    {"files_are_measured_as_they_were_shown", files_are_measured_as_they_were_shown},
    {"acts_are_played", acts_are_played},
};

RUN_TESTS(cases)
