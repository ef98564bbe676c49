// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The article's own chain, which names the eyes by their nodes: the right eye, the left eye linked to it, the head, the
// neck. Also the head's rotation, which must not whip around when the target passes behind the back.

#include "look_fixture.h"
#include "runtime/core/instance.h"

enum { CHAIN = 3 };

static int32_t left_eye(void)
{
    return look_node(VRM_HUMAN_BONE_LEFT_EYE);
}

static int32_t right_eye(void)
{
    return look_node(VRM_HUMAN_BONE_RIGHT_EYE);
}

static int32_t head(void)
{
    return look_node(VRM_HUMAN_BONE_HEAD);
}

static void make_own_chain(look_setup *s, vrm_look_chain_mode mode, vrm_look_link *link)
{
    const int32_t nodes[CHAIN] = {right_eye(), head(), look_node(VRM_HUMAN_BONE_NECK)};
    const double limits[CHAIN] = {12, 45, 25};
    look_setup_make(s, mode, nodes, CHAIN);
    for (int i = 0; i < CHAIN; ++i) {
        s->bones[i].limit = (float)(limits[i] * DEGREES);
    }
    *link = (vrm_look_link){.node = left_eye()};
    s->bones[0].links = link;
    s->bones[0].link_count = 1;
}

static float error_of(const vrm_instance *instance)
{
    vrm_look_chain_state state = {.struct_size = sizeof state};
    vrm_instance_get_look_chain_state(instance, &state);
    return state.error;
}

// --- the article's own chain -----------------------------------------------------------------------------------------

// The eye is shown as the chain rotates it, the head rotates by the rest, and the error is the measured angle.
static void the_articles_own_chain_looks(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        for (int mode = 0; mode < 2; ++mode) {
            vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
            vrm_instance *instance = look_instance(avatar);
            look_setup s;
            vrm_look_link link;
            make_own_chain(&s, (vrm_look_chain_mode)mode, &link);
            look_set(instance, &s);
            for (int degrees = -110; degrees <= 110; degrees += 11) {
                const ref_vec target = look_around(instance, right_eye(), degrees * DEGREES, 0.1, 3);
                look_at(instance, target);
                look_once(instance);
                const double missed = look_error(instance, right_eye(), target);
                CHECK_NEAR(error_of(instance), missed, 1e-4);
                const double wanted = acos(cos(degrees * DEGREES) * cos(0.1));
                CHECK_NEAR(look_turn(instance, right_eye()), fmin(wanted, 12 * DEGREES), 1.5 * DEGREES);
                CHECK(look_angle(look_forward(instance, right_eye()), look_forward(instance, left_eye())) < 1e-3);
                if (mode == VRM_LOOK_CHAIN_MODE_DEFAULT) {
                    CHECK(abs(degrees) > 77 || missed < 0.4 * DEGREES);
                    CHECK(abs(degrees) < 90 || missed > 4 * DEGREES);
                    CHECK(abs(degrees) < 22 || look_turn(instance, head()) > 5 * DEGREES);
                }
            }
            vrm_instance_destroy(instance);
            vrm_avatar_release(avatar);
        }
    }
}

// A bug once let the look-at stage write the eyes after the chain: with a target 22.9 degrees aside, the eye turned by
// 1.7 degrees, the head by 0, and the reported error was 0. Now the eye turns up to its limit and the head by the rest.
static void a_target_23_degrees_aside_is_looked_at(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    look_setup s;
    vrm_look_link link;
    make_own_chain(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &link);
    look_set(instance, &s);
    const ref_vec target = look_around(instance, right_eye(), 22.9 * DEGREES, 0, 3);
    look_at(instance, target);
    look_once(instance);
    const double eye = look_turn(instance, right_eye()), by_head = look_turn(instance, head());
    printf("22.9 degrees aside: the eye turns by %.1f degrees, the head by %.1f, the error is %.2f\n", eye / DEGREES,
        by_head / DEGREES, (double)error_of(instance) / DEGREES);
    CHECK_NEAR(eye, 12 * DEGREES, 0.1 * DEGREES);
    CHECK(by_head > 5 * DEGREES && by_head < 12 * DEGREES);
    CHECK(look_error(instance, right_eye(), target) < 0.4 * DEGREES);
    CHECK_NEAR(error_of(instance), look_error(instance, right_eye(), target), 1e-4);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// If expressions move the eyes, the eye's rotation becomes their weights, up to their limit, and the eye's node stays
// at rest.
static void it_looks_by_expressions_too(void)
{
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_EXPRESSION);
        vrm_instance *instance = look_instance(avatar);
        vrm_look_at maps = {.struct_size = sizeof maps};
        vrm_avatar_get_look_at(avatar, &maps);
        look_setup s;
        vrm_look_link link;
        make_own_chain(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &link);
        s.bones[0].limit = (float)(40 * DEGREES); // beyond the range of the expressions
        look_set(instance, &s);
        const double most =
            fmin(1, (double)maps.horizontal_outer.output_scale) * 15; // in degrees, by the default calibration
        for (int degrees = -60; degrees <= 60; degrees += 5) {
            const double yaw = degrees * DEGREES;
            look_once(instance);
            const ref_vec a = look_position(instance, left_eye()), b = look_position(instance, right_eye());
            const ref_vec middle = ref_scale(ref_add(a, b), 0.5);
            const ref_vec target = ref_add(middle, ref_v(60 * sin(yaw), 0, 60 * cos(yaw)));
            look_at(instance, target);
            look_once(instance);
            const float *w = instance->look_weights;
            const double eyes = 15 * (double)(w[VRMI_LOOK_LEFT] - w[VRMI_LOOK_RIGHT]);
            const ref_vec ahead = look_forward(instance, head());
            const double shown = atan2(ahead.v[0], ahead.v[2]) / DEGREES + eyes;
            CHECK(fabs(eyes) <= most + 1e-3);
            CHECK_NEAR(shown, degrees, 0.3);
            CHECK_NEAR((double)error_of(instance) / DEGREES, fabs(shown - degrees), 0.25);
            CHECK(look_turn(instance, right_eye()) < 1e-4 && look_turn(instance, left_eye()) < 1e-4);
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// Half the weight gives the rotation half way between look-at and the chain; weight 0 gives look-at only. The host's
// own angles for an eye replace both.
static void look_at_takes_part(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    look_setup s;
    vrm_look_link link;
    make_own_chain(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &link);
    s.def.bone_count = 1; // without the head, the gaze is the same for all weights
    const ref_vec target = look_around(instance, right_eye(), 0.3, -0.1, 2);
    look_at(instance, target);
    ref_quat shown[2][3];
    for (int i = 0; i < 3; ++i) {
        s.def.weight = 0.5f * (float)i;
        look_set(instance, &s);
        look_once(instance);
        shown[0][i] = ref_quat_of(pose_of(instance, left_eye()).rotation);
        shown[1][i] = ref_quat_of(pose_of(instance, right_eye()).rotation);
    }
    for (int side = 0; side < 2; ++side) {
        CHECK(ref_angle(shown[side][0], shown[side][2]) > 4 * DEGREES);
        CHECK(ref_angle(shown[side][1], ref_slerp(shown[side][0], shown[side][2], 0.5)) < 1e-4);
    }
    CHECK_INT(vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_RIGHT_EYE, -0.2f, 0.0f), VRM_SUCCESS);
    look_once(instance);
    CHECK_NEAR(look_turn(instance, right_eye()), 0.2, 1e-4);
    CHECK_NEAR(error_of(instance), look_error(instance, right_eye(), target), 1e-4);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// The chain also controls eyes that are not among its bones but linked to one of them (here the head). Look-at does not
// rotate such eyes.
static void eyes_in_any_position_are_the_chains(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    look_setup s;
    const int32_t node = head();
    const vrm_look_link links[2] = {{.node = left_eye()}, {.node = right_eye()}};
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &node, 1);
    s.bones[0].limit = (float)(10 * DEGREES);
    s.bones[0].links = links;
    s.bones[0].link_count = 2;
    look_set(instance, &s);
    look_at(instance, look_around(instance, node, 0.6, 0, 3));
    look_once(instance);
    CHECK_NEAR(look_turn(instance, head()), 10 * DEGREES, 1e-4);
    CHECK_NEAR(look_turn(instance, left_eye()), 10 * DEGREES, 1e-4);
    CHECK_NEAR(look_turn(instance, right_eye()), 10 * DEGREES, 1e-4);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// An eye may also be a later bone of the chain, below a node that the eye itself carries (here its pupil). Look-at does
// not rotate such an eye either: the eye bends by its own limit at most, and the error is the measured angle.
static void an_eye_below_another_bone_of_the_chain_is_the_chains(void)
{
    fixture *f = &look_fix;
    fixture_begin(f);
    fixture_humanoid(f);
    const int32_t added =
        fixture_node_add(f, f->bones[VRM_HUMAN_BONE_RIGHT_EYE], "pupil", fixture_at(0.0f, 0.0f, 0.01f));
    f->builder.head.look_at.type = VRM_LOOK_AT_BONE;
    vrm_avatar *avatar = fixture_finish(f);
    vrm_instance *instance = look_instance(avatar);
    const int32_t pupil = f->order[added];
    const int32_t nodes[] = {pupil, right_eye(), head(), look_node(VRM_HUMAN_BONE_NECK)};
    const double limits[] = {3, 6, 45, 25};
    look_setup s;
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, nodes, 4);
    for (int i = 0; i < 4; ++i) {
        s.bones[i].limit = (float)(limits[i] * DEGREES);
    }
    const vrm_look_link link = {.node = left_eye()};
    s.bones[1].links = &link;
    s.bones[1].link_count = 1;
    look_set(instance, &s);
    for (int degrees = -70; degrees <= 70; degrees += 10) {
        const ref_vec target = look_around(instance, pupil, degrees * DEGREES, 0.1, 3);
        look_at(instance, target);
        look_once(instance);
        CHECK_NEAR(error_of(instance), look_error(instance, pupil, target), 1e-4);
        CHECK(look_error(instance, pupil, target) < 0.4 * DEGREES);
        CHECK(look_bend(instance, pupil) < 3.1 * DEGREES);
        CHECK(look_bend(instance, right_eye()) < 6.1 * DEGREES);
        CHECK(abs(degrees) < 20 || look_bend(instance, right_eye()) > 5 * DEGREES);
        CHECK_NEAR(look_turn(instance, left_eye()), look_turn(instance, right_eye()), 1e-4);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// --- the turn of the head --------------------------------------------------------------------------------------------

typedef struct turn_meter {
    bool has_before;
    ref_quat before;
    ref_vec speed;
    double fastest, hardest; // fastest: degrees per second; hardest: degrees per second squared
} turn_meter;

static void measure_turn(turn_meter *m, const vrm_instance *instance, double dt)
{
    ref_mat matrix;
    ref_quat now;
    look_world(instance, head(), &matrix, &now);
    if (m->has_before) {
        const ref_quat d = ref_mul(now, ref_inverse(m->before));
        const ref_vec v = ref_scale(ref_v(d.q[0], d.q[1], d.q[2]), d.q[3] < 0 ? -1 : 1);
        const double sine = ref_length(v), angle = 2 * atan2(sine, fabs(d.q[3])) / DEGREES / dt;
        const ref_vec speed = ref_scale(v, sine > 1e-12 ? angle / sine : 0);
        m->fastest = fmax(m->fastest, angle);
        m->hardest = fmax(m->hardest, ref_length(ref_sub(speed, m->speed)) / dt);
        m->speed = speed;
    }
    m->before = now;
    m->has_before = true;
}

// The target circles, also behind the back, jumps, or comes and goes. The head accelerates and brakes smoothly, and
// never exceeds 250 degrees per second. (A bug once rotated it at 700 from the first frame.)
static void a_target_behind_the_back_does_not_whip_the_head(void)
{
    const int rates[] = {30, 60, 144};
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        vrm_avatar *avatar = look_avatar((look_rig)rig, rig == 1 ? VRM_LOOK_AT_EXPRESSION : VRM_LOOK_AT_BONE);
        for (int r = 0; r < 3; ++r) {
            vrm_instance *instance = look_instance(avatar);
            vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
            vrm_look_chain_def def = {.struct_size = sizeof def};
            CHECK_INT(vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE, &def, bones), VRM_SUCCESS);
            CHECK_INT(vrm_instance_set_look_chain(instance, &def, NULL), VRM_SUCCESS);
            turn_meter meter = {0};
            double left = 0, right = 0;
            for (int frame = 0; frame < 12 * rates[r]; ++frame) {
                const double time = (double)frame / rates[r];
                const double jumps = (int)(time / 1.5) % 2 == 0 ? 1.3 : -1.4;
                const double yaw = time < 6 ? 1.5 * time : jumps;
                if (time > 9 && (int)time % 2 == 0) {
                    vrm_instance_clear_look_at(instance);
                } else {
                    look_at(instance, ref_v(3 * sin(yaw), 1.4 + 0.3 * sin(time), 3 * cos(yaw)));
                }
                vrm_update_dt(instance, frame == 0 ? 0.0f : (float)(1.0 / rates[r]));
                measure_turn(&meter, instance, 1.0 / rates[r]);
                const ref_vec forward = look_forward(instance, head());
                left = fmax(left, atan2(forward.v[0], forward.v[2]));
                right = fmin(right, atan2(forward.v[0], forward.v[2]));
            }
            if (r == 1) {
                printf("head at most %.0f degrees/s, %.0f degrees/s2\n", meter.fastest, meter.hardest);
            }
            CHECK(meter.fastest < 250.0);
            CHECK(meter.hardest < 1500 * 1.02);
            CHECK(left > 60 * DEGREES && right < -60 * DEGREES); // the head has changed sides
            vrm_instance_destroy(instance);
        }
        vrm_avatar_release(avatar);
    }
}

// Targets that come, jump and go at any moment, also while the pose fades in or out, keep the limits at any frame rate.
// (While bones and fade rotated the head together, it once accelerated with 1.3 times the limit, and with 4 times where
// the fade could not stop in time.)
static void targets_that_come_and_go_keep_the_limits(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    test_random random = {11};
    double fastest = 0.0, hardest = 0.0;
    for (int run = 0; run < 40; ++run) {
        vrm_instance *instance = look_instance(avatar);
        vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
        vrm_look_chain_def def = {.struct_size = sizeof def};
        const vrm_look_chain_preset preset =
            run % 2 == 0 ? VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE : VRM_LOOK_CHAIN_PRESET_EYES_HEAD;
        CHECK_INT(vrm_look_chain_preset_def(avatar, preset, &def, bones), VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_look_chain(instance, &def, NULL), VRM_SUCCESS);
        turn_meter meter = {0};
        const int rate = run % 3 == 0 ? 30 : run % 3 == 1 ? 60 : 144;
        const float dt = 1.0f / (float)rate;
        float next = 0.0f;
        for (int frame = 0; frame < 10 * rate; ++frame) {
            if ((float)frame * dt >= next) {
                next += test_random_float(&random, 0.1f, 1);
                const double yaw = (double)test_random_float(&random, -3, 3);
                look_at(instance, ref_v(3 * sin(yaw), 1.4 + (double)test_random_float(&random, -1, 1), 3 * cos(yaw)));
                if (test_random_float(&random, 0, 1) < 0.4f) {
                    vrm_instance_clear_look_at(instance);
                }
            }
            vrm_update_dt(instance, frame == 0 ? 0.0f : dt);
            measure_turn(&meter, instance, (double)dt);
        }
        fastest = fmax(fastest, meter.fastest);
        hardest = fmax(hardest, meter.hardest);
        vrm_instance_destroy(instance);
    }
    printf("targets come and go: head at most %.0f degrees/s, %.0f degrees/s2\n", fastest, hardest);
    CHECK(fastest < 250.0 * 1.02);
    CHECK(hardest < 1500.0 * 1.02);
    CHECK(fastest > 100.0 && hardest > 1000.0);
    vrm_avatar_release(avatar);
}

// A snapshot taken during a rotation of the head contains its speed: the restored instance continues with the same
// bits.
static void a_turn_goes_on_from_a_snapshot(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *a = look_instance(avatar), *b = look_instance(avatar);
    look_setup s;
    vrm_look_link link;
    make_own_chain(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &link);
    s.def.blend_speed = 8.0f;
    look_set(a, &s);
    look_at(a, ref_v(2, 1.5, 1));
    look_once(a);
    static uint8_t buffer[1 << 16];
    for (int round = 0; round < 3; ++round) { // a rotation, a fade, or both
        if (round == 1) {
            vrm_instance_clear_look_at(a);
        } else {
            look_at(a, ref_v(round == 0 ? -2 : 2, 1.5, 1));
        }
        for (int i = 0; i < 12; ++i) {
            vrm_update_dt(a, 0.016f);
        }
        size_t size = sizeof(buffer);
        CHECK_INT(vrm_instance_snapshot(a, buffer, &size), VRM_SUCCESS);
        CHECK_INT(vrm_instance_restore(b, buffer, size), VRM_SUCCESS);
        for (int i = 0; i < 8; ++i) {
            vrm_update_dt(a, 0.016f);
            vrm_update_dt(b, 0.016f);
            const vrm_transform pa = pose_of(a, head()), pb = pose_of(b, head());
            CHECK(memcmp(&pa, &pb, sizeof pa) == 0);
            const vrm_transform ea = pose_of(a, left_eye()), eb = pose_of(b, left_eye());
            CHECK(memcmp(&ea, &eb, sizeof ea) == 0);
            CHECK(error_of(a) == error_of(b));
        }
    }
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"the_articles_own_chain_looks", the_articles_own_chain_looks},
    {"a_target_23_degrees_aside_is_looked_at", a_target_23_degrees_aside_is_looked_at},
    {"it_looks_by_expressions_too", it_looks_by_expressions_too},
    {"look_at_takes_part", look_at_takes_part},
    {"eyes_in_any_position_are_the_chains", eyes_in_any_position_are_the_chains},
    {"an_eye_below_another_bone_of_the_chain_is_the_chains", an_eye_below_another_bone_of_the_chain_is_the_chains},
    {"a_target_behind_the_back_does_not_whip_the_head", a_target_behind_the_back_does_not_whip_the_head},
    {"targets_that_come_and_go_keep_the_limits", targets_that_come_and_go_keep_the_limits},
    {"a_turn_goes_on_from_a_snapshot", a_turn_goes_on_from_a_snapshot},
};

RUN_TESTS(cases)
