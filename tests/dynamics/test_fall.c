// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A fall with a protective motion: the targets of the bodies, and the outcome in the light solver.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fall_act.h"
#include "figure_shapes.h"
#include "plain_instance.h"
#include "sample_avatar.h"

static const double degrees = 57.29577951308232;

// The sample in its T-pose, at rest above the ground.
typedef struct stage {
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_ragdoll_def def;
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_target targets[VRM_RAGDOLL_MAX_BODIES], out[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_targets all;
    vrm_fall_params params;
    vrm_fall fall;
} stage;

static void open_stage_of(stage *s, vrm_gltf *gltf)
{
    *s = (stage){.gltf = gltf};
    CHECK_INT(vrm_avatar_import(NULL, s->gltf, NULL, &s->avatar), VRM_SUCCESS);
    vrm_ragdoll_def_default(&s->def);
    CHECK_INT(vrm_ragdoll_def_build(s->avatar, s->gltf, NULL, NULL, &s->def), VRM_SUCCESS);
    s->instance = plain_instance(s->avatar);
    vrm_update_dt(s->instance, 0.0f);
    vrm_ragdoll_get_pose_states(&s->def, s->instance, s->states);
    for (uint32_t i = 0; i < s->def.body_count; ++i) {
        s->targets[i] = (vrm_ragdoll_target){.state = s->states[i], .motion = VRM_RAGDOLL_MOTION_DYNAMIC};
    }
    s->all = (vrm_ragdoll_targets){.struct_size = sizeof s->all,
        .root = {.rotation = {0, 0, 0, 1}, .scale = 1.0f},
        .body_count = s->def.body_count,
        .bodies = s->targets,
        .active = true};
    vrm_fall_params_default(&s->params);
    s->params.def = &s->def;
    s->params.targets = &s->all;
    s->params.states = s->states;
    s->params.dt = 1.0f / 60.0f;
    s->fall.struct_size = sizeof s->fall;
}

static void open_stage(stage *s)
{
    open_stage_of(s, sample_document(0));
}

static void close_stage(stage *s)
{
    vrm_instance_destroy(s->instance);
    vrm_avatar_release(s->avatar);
    vrm_gltf_destroy(s->gltf);
}

static int32_t body_of(const stage *s, vrm_human_bone bone)
{
    for (uint32_t i = 0; i < s->def.body_count; ++i) {
        if (s->def.bodies[i].bone == bone) {
            return (int32_t)i;
        }
    }
    return -1;
}

static void advance(stage *s, int frames)
{
    for (int i = 0; i < frames; ++i) {
        CHECK_INT(vrm_fall_drive(&s->fall, &s->params, s->out), VRM_SUCCESS);
    }
}

static void begin(stage *s, float x, float z)
{
    const vrm_vec3 direction = {x, 0.0f, z};
    CHECK_INT(vrm_fall_begin(&s->fall, &s->params, &direction), VRM_SUCCESS);
}

static double angle_between(vrm_quat a, vrm_quat b)
{
    const double dot = fabs(
        (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z + (double)a.w * (double)b.w);
    return 2.0 * degrees * acos(fmin(dot, 1.0));
}

static double bend(const stage *s, vrm_human_bone bone)
{
    const vrm_quat none = {0, 0, 0, 1};
    return angle_between(s->fall.joints[body_of(s, bone)], none);
}

static void refusals(void)
{
    stage s;
    open_stage(&s);
    CHECK_INT(vrm_fall_drive(&s.fall, &s.params, s.out), VRM_ERROR_INVALID_ARGUMENT); // not begun
    CHECK_INT(vrm_fall_begin(NULL, &s.params, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_fall_begin(&s.fall, NULL, NULL), VRM_ERROR_INVALID_ARGUMENT);
    const vrm_fall_params good = s.params;
    s.params.strength = 4.1f;
    CHECK_INT(vrm_fall_begin(&s.fall, &s.params, NULL), VRM_ERROR_INVALID_ARGUMENT);
    s.params = good;
    s.params.dt = -0.1f;
    CHECK_INT(vrm_fall_begin(&s.fall, &s.params, NULL), VRM_ERROR_INVALID_ARGUMENT);
    s.params = good;
    s.params.ground = (double)NAN;
    CHECK_INT(vrm_fall_begin(&s.fall, &s.params, NULL), VRM_ERROR_INVALID_ARGUMENT);
    s.params = good;
    s.all.body_count -= 1;
    CHECK_INT(vrm_fall_begin(&s.fall, &s.params, NULL), VRM_ERROR_INVALID_ARGUMENT);
    s.all.body_count += 1;
    s.fall.struct_size = 0;
    CHECK_INT(vrm_fall_begin(&s.fall, &s.params, NULL), VRM_ERROR_INVALID_ARGUMENT);
    s.fall.struct_size = sizeof s.fall;
    CHECK_INT(vrm_fall_begin(&s.fall, &s.params, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_fall_drive(&s.fall, &s.params, NULL), VRM_ERROR_INVALID_ARGUMENT);
    advance(&s, 1);
    close_stage(&s);
}

// Each field of the params has the effect that its comment states.
static void each_parameter_counts(void)
{
    stage s;
    open_stage(&s);
    const int32_t arm = body_of(&s, VRM_HUMAN_BONE_LEFT_UPPER_ARM), knee = body_of(&s, VRM_HUMAN_BONE_LEFT_LOWER_LEG);
    begin(&s, 0.0f, 1.0f);
    advance(&s, 12);
    const float torque = s.out[arm].max_torque;
    CHECK(s.out[arm].frequency > 0.0f && torque > 0.0f && !(s.out[0].frequency > 0.0f));
    s.params.strength = 0.5f;
    advance(&s, 1);
    CHECK_NEAR(s.out[arm].max_torque, 0.5f * torque, 1e-3);
    s.params.strength = 0.0f;
    advance(&s, 1);
    CHECK_NEAR(s.out[arm].frequency, 0.0, 0.0);
    s.params.strength = 1.0f;

    // A frame of 0 seconds changes nothing, and a longer frame changes more.
    const vrm_quat before = s.fall.joints[knee];
    s.params.dt = 0.0f;
    advance(&s, 1);
    CHECK_NEAR(angle_between(before, s.fall.joints[knee]), 0.0, 1e-3);

    // With a higher ground the hips are lower above it; the feet are below its surface from the start.
    s.params.dt = 1.0f / 60.0f;
    begin(&s, 0.0f, 1.0f);
    const float high = s.fall.standing;
    s.params.ground = 0.3;
    begin(&s, 0.0f, 1.0f);
    CHECK_NEAR(high - s.fall.standing, 0.3, 1e-5);
    s.params.ground = 0.0;

    // Without states, the targets' `places` are used; without `places`, the targets themselves.
    s.params.states = NULL;
    vrm_ragdoll_state places[VRM_RAGDOLL_MAX_BODIES];
    memcpy(places, s.states, sizeof places);
    for (uint32_t i = 0; i < s.def.body_count; ++i) {
        places[i].position.y += 1.0f;
    }
    s.all.places = places;
    begin(&s, 0.0f, 1.0f);
    CHECK_NEAR(s.fall.standing - high, 1.0, 1e-5);
    close_stage(&s);
}

// A body that is pinned or driven by the host keeps its target.
static void what_is_held_stays(void)
{
    stage s;
    open_stage(&s);
    const int32_t hand = body_of(&s, VRM_HUMAN_BONE_LEFT_HAND), foot = body_of(&s, VRM_HUMAN_BONE_LEFT_FOOT);
    s.targets[hand].pin_frequency = 6.0f;
    s.targets[foot].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    begin(&s, 0.0f, 1.0f);
    advance(&s, 20);
    CHECK(memcmp(&s.out[hand], &s.targets[hand], sizeof s.out[hand]) == 0);
    CHECK(memcmp(&s.out[foot], &s.targets[foot], sizeof s.out[foot]) == 0);
    close_stage(&s);
}

// Seeds 6 and 7 form a pair. A mirrored fall with the other seed of the pair is the exact mirror image; with the same
// seed it is not.
static void mirrored_falls_mirror(void)
{
    stage s;
    open_stage(&s);
    static const vrm_human_bone pairs[][2] = {{VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_ARM},
        {VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM},
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_UPPER_LEG},
        {VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG}, {VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_HEAD}};
    double worst[2] = {0.0, 0.0};
    for (int angle = 0; angle < 360; angle += 30) {
        const float x = (float)sin(angle / degrees), z = (float)cos(angle / degrees);
        vrm_fall one, other[2];
        s.params.seed = 6;
        begin(&s, x, z);
        advance(&s, 40);
        one = s.fall;
        for (uint32_t k = 0; k < 2; ++k) {
            s.params.seed = 7 - k;
            begin(&s, -x, z);
            advance(&s, 40);
            other[k] = s.fall;
            for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
                vrm_quat q = one.joints[body_of(&s, pairs[i][0])];
                q.y = -q.y;
                q.z = -q.z;
                worst[k] = fmax(worst[k], angle_between(q, other[k].joints[body_of(&s, pairs[i][1])]));
            }
        }
    }
    CHECK_NEAR(worst[0], 0.0, 1.5); // the sample itself is symmetric to a millimetre
    CHECK(worst[1] > 3.0);
    close_stage(&s);
}

// A copy continues with the same bits.
static void copies_go_on_alike(void)
{
    stage s;
    open_stage(&s);
    begin(&s, 0.7f, -0.7f);
    advance(&s, 15);
    const vrm_fall copy = s.fall;
    advance(&s, 30);
    const vrm_fall first = s.fall;
    s.fall = copy;
    advance(&s, 30);
    CHECK(memcmp(&first, &s.fall, sizeof first) == 0);
    close_stage(&s);
}

// A figure that does not move reaches for the ground on the given side.
static void poses_by_direction(void)
{
    stage s;
    open_stage(&s);
    begin(&s, 0.0f, -1.0f);
    advance(&s, 45);
    CHECK(s.fall.ahead < -0.9f && bend(&s, VRM_HUMAN_BONE_LEFT_LOWER_LEG) > 60.0);
    CHECK(s.fall.joints[body_of(&s, VRM_HUMAN_BONE_HEAD)].x > 0.1f); // chin to the chest
    begin(&s, 0.0f, 1.0f);
    advance(&s, 45);
    CHECK(s.fall.ahead > 0.9f && s.fall.joints[body_of(&s, VRM_HUMAN_BONE_HEAD)].x < -0.1f); // head back
    begin(&s, 1.0f, 0.0f);
    advance(&s, 45);
    CHECK(s.fall.left > 0.9f);
    CHECK(bend(&s, VRM_HUMAN_BONE_RIGHT_LOWER_ARM) > bend(&s, VRM_HUMAN_BONE_LEFT_LOWER_ARM) + 10.0);
    close_stage(&s);
}

// Targets never rotate faster than 250 degrees a second. A limb's targets stop when the limb touches the ground.
static void targets_are_slow_and_stop(void)
{
    stage s;
    open_stage(&s);
    begin(&s, 0.0f, 1.0f);
    double fastest = 0.0;
    for (int frame = 0; frame < 60; ++frame) {
        const vrm_fall before = s.fall;
        advance(&s, 1);
        for (uint32_t i = 1; i < s.def.body_count; ++i) {
            fastest = fmax(fastest, 60.0 * angle_between(before.joints[i], s.fall.joints[i]));
        }
    }
    CHECK(fastest > 150.0 && fastest < 251.0);
    begin(&s, 0.0f, 1.0f);
    advance(&s, 20);
    // A hand reaches the ground while its joints are still moving.
    const int32_t hand = body_of(&s, VRM_HUMAN_BONE_LEFT_HAND), arm = body_of(&s, VRM_HUMAN_BONE_LEFT_UPPER_ARM),
                  other = body_of(&s, VRM_HUMAN_BONE_RIGHT_UPPER_ARM);
    const float free = s.out[arm].max_torque;
    s.states[hand].position.y = 0.0f;
    advance(&s, 2);
    const vrm_fall before = s.fall;
    advance(&s, 3);
    CHECK_NEAR(angle_between(before.joints[arm], s.fall.joints[arm]), 0.0, 0.05);
    CHECK(angle_between(before.joints[other], s.fall.joints[other]) > 0.2);
    CHECK(s.out[arm].max_torque < 0.5f * free);
    close_stage(&s);
}

// Angle by which a joint's target exceeds its limits, degrees.
static double beyond(const stage *s, uint32_t i)
{
    const vrm_ragdoll_joint *j = &s->def.bodies[i].joint;
    float a[3];
    vrm_ragdoll_get_joint_angles(j, (vrm_quat){0, 0, 0, 1}, s->fall.joints[i], a);
    const double y = (double)(a[1] - j->center_y), z = (double)(a[2] - j->center_z);
    const double rim = hypot(y / (double)j->swing_y, z / (double)j->swing_z);
    const double swing = j->type == VRM_RAGDOLL_JOINT_HINGE ? hypot((double)a[1], (double)a[2])
                                                            : hypot(y, z) * fmax(1.0 - 1.0 / rim, 0.0);
    return degrees * fmax(swing, fmax((double)(a[0] - j->max_angle), (double)(j->min_angle - a[0])));
}

// The ground or a clip can force joints beyond their limits. Targets must not stay there, since a target widens the
// limits.
static void targets_stay_within_limits(void)
{
    stage s;
    open_stage(&s);
    const vrm_quat far = {0.0f, 0.0f, 0.9659258f, 0.2588190f}; // 150 degrees
    for (uint32_t i = 1; i < s.def.body_count; ++i) {          // bends every joint by 150 degrees
        vrm_ragdoll_state *own = &s.states[i];
        const vrm_quat up = s.states[s.def.bodies[i].parent].rotation;
        own->rotation = (vrm_quat){up.w * far.x + up.x * far.w + up.y * far.z - up.z * far.y,
            up.w * far.y - up.x * far.z + up.y * far.w + up.z * far.x,
            up.w * far.z + up.x * far.y - up.y * far.x + up.z * far.w,
            up.w * far.w - up.x * far.x - up.y * far.y - up.z * far.z};
    }
    begin(&s, 0.0f, 1.0f);
    double first = 0.0, last = 0.0;
    for (uint32_t i = 1; i < s.def.body_count; ++i) {
        first = fmax(first, beyond(&s, i));
    }
    CHECK(first > 60.0); // the first targets do not jump to the limits
    for (int frame = 0; frame < 60; ++frame) {
        // In the air, then on the ground.
        s.states[body_of(&s, VRM_HUMAN_BONE_LEFT_HAND)].position.y = frame < 30 ? 1.0f : 0.0f;
        advance(&s, 1);
        for (uint32_t i = 1; i < s.def.body_count && frame >= 45; ++i) {
            last = fmax(last, beyond(&s, i));
        }
    }
    CHECK(last < 0.5);
    close_stage(&s);
}

// A figure is pushed over in eight directions. Its knees bend, its hands land first, its head moves slowly, and it
// comes to rest. A limp figure does not do all of this.
static void falls_protect(void)
{
    stage s;
    open_stage(&s);
    uint32_t knees[2] = {0, 0}, hands[2] = {0, 0};
    double highest = 0.0, knee = 0.0, feet_down = 0.0;
    for (int limp = 0; limp < 2; ++limp) {
        for (int side = 0; side < 8; ++side) {
            const double angle = 45.0 * side / degrees, size = 55.0;
            const scene_fall_act act = {.avatar = s.avatar,
                .gltf = s.gltf,
                .def = &s.def,
                .push = {(float)(size * sin(angle)), 0.0f, (float)(size * cos(angle))},
                .when = 0.3,
                .seed = (uint32_t)side,
                .limp = limp == 1};
            scene_fall_report r;
            CHECK_INT(scene_fall_act_run(&act, &r), VRM_SUCCESS);
            const double trunk = r.landed[SCENE_FALL_TRUNK];
            // In some falls the trunk never lands: the figure stays on hands and knees.
            knees[limp] += trunk < 0.0 || r.knees >= 30.0 ? 1 : 0;
            hands[limp] +=
                r.landed[SCENE_FALL_HAND] >= 0.0 && (trunk < 0.0 || r.landed[SCENE_FALL_HAND] <= trunk) ? 1 : 0;
            if (limp == 0) {
                CHECK(r.plank < 0.2);
                CHECK(r.head_speed < 4.0);
                CHECK(r.landed[SCENE_FALL_HEAD] < 0.0 || r.landed[SCENE_FALL_HEAD] >= r.landed[SCENE_FALL_HAND]);
                CHECK(r.asleep > 0.0 && r.asleep < 5.0);
                CHECK(r.fastest < 80.0);
                // A bug once left lower legs higher than their knees, and legs in the air.
                highest = fmax(highest, fmax(r.hand_aloft, r.foot_aloft));
                knee = fmax(knee, r.knee_aloft);
                feet_down = fmax(feet_down, r.feet_down);
            }
        }
    }
    CHECK_INT(knees[0], 8);
    CHECK(hands[0] >= 7);
    printf("hands and feet of what lies are at most %.0f mm above the ground\n", highest);
    CHECK(highest < 30.0);
    // Shanks once folded while the thighs were still up: the figure lay with raised knees, or with its thighs fallen
    // apart and its feet crossed.
    printf("knees of what lies are at most at %.2f of the height\n", knee);
    CHECK(knee < 0.15);
    // Legs once stayed in the air until the whole figure had landed.
    printf("feet are down at most %.2f s after the trunk\n", feet_down);
    CHECK(feet_down < 0.45);
    CHECK(knees[1] < 8 && hands[1] < hands[0]);
    close_stage(&s);
}

typedef struct numbered_fall {
    uint32_t figure, number; // number: index of the fall in scripts/campaign/falls.c
    double angle, push;      // angle: degrees from forward; push: N s per kg of the whole figure, for a height of 1.6 m
} numbered_fall;

// Runs a fall of scripts/campaign/falls.c. Takes the ownership of `bytes`, the figure's file.
static void run_numbered(const numbered_fall *fall, vrm_bytes *bytes, scene_fall_report *out)
{
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, bytes->data, bytes->size, NULL, &gltf), VRM_SUCCESS);
    vrm_bytes_free(bytes);
    stage s;
    open_stage_of(&s, gltf);
    double mass = 0.0;
    for (uint32_t k = 0; k < s.def.body_count; ++k) {
        mass += (double)s.def.bodies[k].mass;
    }
    const double size = fall->push * mass * sqrt((double)s.def.height / 1.6), angle = fall->angle / degrees;
    const scene_fall_act act = {.avatar = s.avatar,
        .gltf = s.gltf,
        .def = &s.def,
        .push = {(float)(size * sin(angle)), 0.0f, (float)(size * cos(angle))},
        .when = 0.3 + 0.37 * (double)(fall->number % 7),
        .seed = fall->number};
    CHECK_INT(scene_fall_act_run(&act, out), VRM_SUCCESS);
    close_stage(&s);
}

// In falls forward, hands and forearms get between trunk and ground. A bug once rotated such a hand by up to 37 degrees
// in a frame.
static void hands_below_the_trunk_do_not_leap(void)
{
    static const numbered_fall falls[] = {
        {4, 151, 315.0, 1.75}, {4, 25, 0.0, 1.5}, {7, 280, 45.0, 2.0}, {7, 118, 0.0, 1.75}};
    for (size_t i = 0; i < sizeof falls / sizeof falls[0]; i += TEST_SHARE) {
        vrm_bytes bytes = {0};
        CHECK_INT(scene_figure_create(falls[i].figure, &bytes), VRM_SUCCESS);
        scene_fall_report r;
        run_numbered(&falls[i], &bytes, &r);
        printf("figure %u: cut %.1f degrees, %.1f mm; landing %.1f degrees, %.1f mm\n", falls[i].figure, r.cut,
            r.cut_way, r.limb_cut, r.limb_cut_way);
        CHECK(r.cut < 6.0 && r.cut_way < 15.0);
        CHECK(r.limb_cut < 20.0 && r.limb_cut_way < 25.0);
    }
}

// A figure that rolls over its shoulders lies with a thigh above the belly. The thigh once sank onto the trunk, and its
// foot stayed 177 mm above the ground.
static void a_thigh_above_the_belly_sinks_beside_it(void)
{
    const numbered_fall fall = {.number = 200, .angle = 225.0, .push = 2.0};
    vrm_bytes bytes = sample_bytes(2);
    scene_fall_report r;
    run_numbered(&fall, &bytes, &r);
    printf("the higher foot lies %.0f mm above the ground, asleep after %.2f s\n", r.foot_aloft, r.asleep);
    CHECK(r.asleep >= 0.0 && r.asleep < 4.0);
    CHECK(r.foot_aloft < 20.0 && r.feet_down < 1.5);
}

static const test_case cases[] = {{"refusals", refusals}, {"each_parameter_counts", each_parameter_counts},
    {"what_is_held_stays", what_is_held_stays}, {"mirrored_falls_mirror", mirrored_falls_mirror},
    {"copies_go_on_alike", copies_go_on_alike}, {"poses_by_direction", poses_by_direction},
    {"targets_are_slow_and_stop", targets_are_slow_and_stop},
    {"targets_stay_within_limits", targets_stay_within_limits}, {"falls_protect", falls_protect},
    {"hands_below_the_trunk_do_not_leap", hands_below_the_trunk_do_not_leap},
    {"a_thigh_above_the_belly_sinks_beside_it", a_thigh_above_the_belly_sinks_beside_it}};

RUN_TESTS(cases)
