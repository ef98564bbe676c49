// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Transitions from one clip to another: fades, inertial transitions, and transitions that are interrupted.

#include "clip_fixture.h"
#include "pose_of.h"

static const double dt = 1.0 / 240.0;

// Finds a bone's largest step, and the largest change of its step, at the start of a transition, radians.
static void transition(vrm_clip_transition kind, double *out_step, double *out_bend)
{
    stage s;
    set_stage(&s, 1);
    vrm_clip *from = make_clip(6), *to = make_clip(7);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_PING_PONG;
    play.start = 0.9f;
    CHECK_INT(vrm_clip_player_play(s.player, 0, from, &play), VRM_SUCCESS);
    vrm_quat last = {0, 0, 0, 1}, earlier = last;
    *out_step = *out_bend = 0;
    for (int frame = 0; frame < 120; ++frame) {
        if (frame == 40) {
            play.seconds = 0.4f;
            play.transition = kind;
            CHECK_INT(vrm_clip_player_play(s.player, 0, to, &play), VRM_SUCCESS);
        }
        vrm_update_dt(s.instance, (float)dt);
        const vrm_quat now = shown(&s, BONE(RIGHT_LOWER_LEG)); // this bone has a linear track
        if (frame >= 40 && frame < 44) {
            *out_step = fmax(*out_step, apart(now, last));
            *out_bend = fmax(*out_bend, fabs(apart(now, last) - apart(last, earlier)));
        }
        earlier = last;
        last = now;
    }
    vrm_clip_release(from);
    vrm_clip_release(to);
    strike(&s);
}

static void transitions(void)
{
    double step, bend;
    transition(VRM_CLIP_TRANSITION_INERTIAL, &step, &bend);
    CHECK(step < 0.05);  // about the clip's own step, so there is no jump
    CHECK(bend < 0.006); // the speed does not jump, either
    transition(VRM_CLIP_TRANSITION_FADE, &step, &bend);
    CHECK(step < 0.05);
}

// Makes a clip of a bone that swings about an axis, finely sampled: the angle is amplitude * sin(rate * t + phase).
static vrm_clip *make_swing(vrm_human_bone bone, vrm_vec3 axis, double rate, double phase)
{
    enum { COUNT = 481 };
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    b.head.hips_rest = (vrm_vec3){0.0f, 0.9f, 0.0f};
    const vrmi_clip_track track = {
        .kind = VRMI_TRACK_ROTATION, .target = (uint32_t)bone, .interpolation = VRMI_LINEAR, .key_count = COUNT};
    float *t, *v;
    CHECK(vrmi_clip_builder_track(&b, &track, &t, &v));
    for (int key = 0; key < COUNT; ++key) {
        t[key] = (float)(key * dt);
        const vrm_quat q = about((double)axis.x, (double)axis.y, (double)axis.z, 0.6 * sin(rate * key * dt + phase));
        memcpy(v + (size_t)key * 4, &q, sizeof q);
    }
    CHECK_INT(vrmi_clip_builder_finish(&b), 0);
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// One clip moves the head, the other clip the arm. Neither may jump, nor may its speed.
static void one_sided(void)
{
    stage s;
    set_stage(&s, 1);
    vrm_clip *head = make_swing(BONE(HEAD), (vrm_vec3){0, 1, 0}, 5.0, 0.0);
    vrm_clip *arm = make_swing(BONE(LEFT_UPPER_ARM), (vrm_vec3){0, 0, 1}, 5.0, 1.2);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    CHECK_INT(vrm_clip_player_play(s.player, 0, head, &play), VRM_SUCCESS);
    static const vrm_human_bone bones[2] = {BONE(HEAD), BONE(LEFT_UPPER_ARM)};
    vrm_quat last[2] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
    double speed[2] = {0}, jump = 0, bend = 0;
    for (int frame = 0; frame < 200; ++frame) {
        if (frame == 50) { // at this time the head moves fast
            play.seconds = 0.4f;
            play.transition = VRM_CLIP_TRANSITION_INERTIAL;
            CHECK_INT(vrm_clip_player_play(s.player, 0, arm, &play), VRM_SUCCESS);
        }
        vrm_update_dt(s.instance, (float)dt);
        for (int i = 0; i < 2; ++i) {
            const vrm_quat now = shown(&s, bones[i]);
            const double step = apart(now, last[i]);
            if (frame > 1) {
                jump = fmax(jump, step);
                bend = fmax(bend, fabs(step - speed[i]));
            }
            speed[i] = step;
            last[i] = now;
        }
    }
    // The clips contribute at most 3 rad/s, and a bone fades in by 0.6 rad in 0.4 s.
    CHECK(jump < 6.0 * dt);
    CHECK(bend < 0.3 * dt); // if the speed jumped, this would be about 3 dt
    CHECK_NEAR(shown(&s, BONE(HEAD)).w, 1, 1e-6);
    vrm_clip_pose pose = {.struct_size = sizeof pose};
    vrm_clip_sample(arm, (float)(150 * dt), &pose);
    CHECK_NEAR(apart(shown(&s, BONE(LEFT_UPPER_ARM)), pose.rotations[BONE(LEFT_UPPER_ARM)]), 0, 1e-4);
    vrm_clip_release(head);
    vrm_clip_release(arm);
    strike(&s);
}

// --- broken off ------------------------------------------------------------------------------------------------------

// Everything that a clip can move, in smooth motion: some bones, the hips, a face, the gaze. A clip may have only some
// of these parts.
enum { BODY = 1, HIPS = 2, FACE = 4, GAZE = 8, ALL = 15 };

static const int limbs[] = {BONE(HIPS), BONE(SPINE), BONE(HEAD), BONE(LEFT_UPPER_ARM), BONE(RIGHT_UPPER_LEG)};
enum { LIMBS = sizeof limbs / sizeof *limbs, MOMENTS = 241 };

static void add_smooth(vrmi_clip_builder *b, uint32_t kind, uint32_t target, uint32_t *seed)
{
    const vrmi_clip_track track = {.kind = kind, .target = target, .interpolation = VRMI_LINEAR, .key_count = MOMENTS};
    const double x = noise(seed) - 0.5, y = noise(seed) - 0.5, phase = 6.0 * noise(seed);
    float *t, *v;
    CHECK(vrmi_clip_builder_track(b, &track, &t, &v));
    for (int key = 0; key < MOMENTS; ++key) {
        t[key] = (float)key / 120.0f;
        const double s = sin(3.0 * key / 120.0 + phase);
        const vrm_quat q = kind == VRMI_TRACK_GAZE ? about(0, 1, 0, 0.3 * s + 0.6 * x) : about(x, y, 0.3, 1.2 * s);
        const float hips[3] = {(float)(0.2 * s), (float)(0.9 + 0.3 * x), (float)(0.4 * y)};
        if (kind == VRMI_TRACK_EXPRESSION) {
            v[key] = (float)(0.5 + 0.3 * s + 0.3 * x);
        } else if (kind == VRMI_TRACK_HIPS) {
            memcpy(v + (size_t)key * 3, hips, sizeof hips);
        } else {
            memcpy(v + (size_t)key * 4, &q, sizeof q);
        }
    }
    CHECK_INT(vrmi_clip_builder_finish(b), 0);
}

static vrm_clip *make_smooth(int parts, uint32_t seed)
{
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    b.head.hips_rest = (vrm_vec3){0.0f, 0.9f, 0.0f};
    for (int limb = 0; limb < LIMBS && (parts & BODY) != 0; ++limb) {
        add_smooth(&b, VRMI_TRACK_ROTATION, (uint32_t)limbs[limb], &seed);
    }
    if ((parts & HIPS) != 0) {
        add_smooth(&b, VRMI_TRACK_HIPS, 0, &seed);
    }
    if ((parts & FACE) != 0) {
        add_smooth(&b, VRMI_TRACK_EXPRESSION, vrmi_clip_builder_expression(&b, "happy", 5, VRM_EXPRESSION_PRESET_HAPPY),
            &seed);
    }
    if ((parts & GAZE) != 0) {
        add_smooth(&b, VRMI_TRACK_GAZE, 0, &seed);
    }
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// All visible values of a pose.
typedef struct sight {
    vrm_quat limb[LIMBS];
    vrm_vec3 hips;
    float happy, yaw;
} sight;

static sight look(const stage *s)
{
    sight now;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s->instance, &out);
    for (int i = 0; i < LIMBS; ++i) {
        now.limb[i] = shown(s, (vrm_human_bone)limbs[i]);
    }
    now.hips = pose_of(s->instance, vrm_avatar_get_bone_node(s->avatar, BONE(HIPS))).translation;
    now.happy = out.expressions[vrm_avatar_find_preset(s->avatar, VRM_EXPRESSION_PRESET_HAPPY)].applied;
    now.yaw = out.look_yaw;
    return now;
}

static double far_apart(const sight *a, const sight *b)
{
    double most = fabs((double)(a->happy - b->happy));
    most = fmax(most, fabs((double)(a->yaw - b->yaw)));
    most = fmax(most, fabs((double)(a->hips.x - b->hips.x)));
    most = fmax(most, fabs((double)(a->hips.y - b->hips.y)));
    most = fmax(most, fabs((double)(a->hips.z - b->hips.z)));
    for (int i = 0; i < LIMBS; ++i) {
        most = fmax(most, apart(a->limb[i], b->limb[i]));
    }
    return most;
}

typedef struct step_of_story {
    int frame, parts; // parts -1: stops the layer
    vrm_clip_transition kind;
    uint32_t layer;
} step_of_story;

enum { STEPS = 5, FRAMES = 200 };

// Plays the steps of a story. Returns the largest change of a visible value from one frame to the next.
static double tell(const step_of_story *story, vrm_clip *const clips[16], vrm_clip *const others[2])
{
    stage s;
    set_stage(&s, 2);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_PING_PONG;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clips[ALL], &play), VRM_SUCCESS);
    play.seconds = 0.4f;
    vrm_update_dt(s.instance, (float)dt);
    sight last = look(&s);
    double most = 0;
    for (int frame = 1, next = 0; frame < FRAMES; ++frame) {
        for (; next < STEPS && story[next].frame == frame; ++next) {
            const int parts = story[next].parts;
            play.transition = story[next].kind;
            CHECK_INT(vrm_clip_player_play(s.player, story[next].layer,
                          parts < 0      ? NULL
                          : parts == ALL ? others[next % 2]
                                         : clips[parts],
                          &play),
                VRM_SUCCESS);
        }
        vrm_update_dt(s.instance, (float)dt);
        const sight now = look(&s);
        most = fmax(most, far_apart(&now, &last));
        last = now;
    }
    strike(&s);
    return most;
}

// No frame has a larger step than motion and fading can cause, even if a transition is interrupted.
static void broken_off(void)
{
    const vrm_clip_transition fade = VRM_CLIP_TRANSITION_FADE, inertial = VRM_CLIP_TRANSITION_INERTIAL;
    const step_of_story stories[][STEPS] = {
        {{20, ALL, fade, 0}, {60, ALL, fade, 0}},
        {{20, ALL, fade, 0}, {60, ALL, fade, 0}, {65, ALL, fade, 0}, {66, ALL, fade, 0}},
        {{20, ALL, fade, 0}, {60, ALL, inertial, 0}, {90, ALL, fade, 0}},
        {{20, ALL, inertial, 0}, {60, ALL, inertial, 0}, {100, ALL, inertial, 0}},
        {{20, ALL, inertial, 0}, {60, ALL, fade, 0}, {100, -1, fade, 0}},
        {{20, BODY | GAZE, fade, 0}, {60, HIPS | FACE, fade, 0}, {80, ALL, fade, 0}},
        {{20, HIPS | FACE, inertial, 0}, {60, BODY | GAZE, inertial, 0}, {80, HIPS, fade, 0}, {100, ALL, inertial, 0}},
        {{20, -1, fade, 0}, {60, ALL, fade, 0}, {80, -1, fade, 0}, {100, ALL, inertial, 0}},
        {{20, ALL, fade, 0}, {60, -1, fade, 0}, {60, ALL, fade, 0}}, // two changes in one frame
        {{20, HIPS, inertial, 0}, {50, ALL, fade, 1}, {70, BODY, fade, 1}, {90, -1, fade, 1}},
    };
    vrm_clip *clips[16] = {NULL}, *others[2] = {make_smooth(ALL, 77), make_smooth(ALL, 78)};
    for (int parts = 1; parts < 16; ++parts) {
        clips[parts] = make_smooth(parts, (uint32_t)parts);
    }
    for (size_t i = 0; i < sizeof stories / sizeof stories[0]; ++i) {
        // The clips rotate by up to 3.6 rad/s. They are 2.4 rad apart and fade in 0.4 s, at up to 1.5 times the mean
        // speed. A jump would be at least 0.3.
        CHECK_NEAR(tell(stories[i], clips, others), 0, 14.0 * dt);
    }
    for (int parts = 0; parts < 16; ++parts) {
        vrm_clip_release(clips[parts]);
    }
    vrm_clip_release(others[0]);
    vrm_clip_release(others[1]);
}

// A snapshot is taken and restored during a transition that has interrupted another one, before and after the next
// update.
static void saved_when_broken_off(void)
{
    vrm_clip *clips[3] = {make_smooth(ALL, 1), make_smooth(FACE | GAZE | BODY, 2), make_smooth(ALL, 3)};
    for (int late = 0; late < 2; ++late) {
        stage s, t;
        set_stage(&s, 1);
        set_stage(&t, 1);
        vrm_clip_play_params play;
        vrm_clip_play_params_default(&play);
        play.seconds = 0.5f;
        for (int i = 0; i < 3; ++i) {
            CHECK_INT(vrm_clip_player_play(s.player, 0, clips[i], &play), VRM_SUCCESS);
            for (int frame = 0; frame < 7 && (i < 2 || late > 0); ++frame) {
                vrm_update_dt(s.instance, 0.02f);
            }
        }
        CHECK_INT(vrm_clip_player_play(t.player, 0, clips[1], &play), VRM_SUCCESS);
        CHECK_INT(vrm_clip_player_play(t.player, 0, clips[2], &play), VRM_SUCCESS);
        size_t size = 0;
        CHECK_INT(vrm_clip_player_snapshot(s.player, NULL, &size), VRM_SUCCESS);
        unsigned char *bytes = malloc(size);
        CHECK_INT(vrm_clip_player_snapshot(s.player, bytes, &size), VRM_SUCCESS);
        CHECK_INT(vrm_clip_player_restore(t.player, bytes, size), VRM_SUCCESS);
        for (int frame = 0; frame < 30; ++frame) {
            if (frame == 5) { // this transition is interrupted, too
                CHECK_INT(vrm_clip_player_play(s.player, 0, clips[0], &play), VRM_SUCCESS);
                CHECK_INT(vrm_clip_player_play(t.player, 0, clips[0], &play), VRM_SUCCESS);
            }
            vrm_update_dt(s.instance, 0.02f);
            vrm_update_dt(t.instance, 0.02f);
            const sight a = look(&s), b = look(&t);
            CHECK(memcmp(&a, &b, sizeof a) == 0);
        }
        free(bytes);
        strike(&s);
        strike(&t);
    }
    for (int i = 0; i < 3; ++i) {
        vrm_clip_release(clips[i]);
    }
}

static void copy_player(const stage *from, stage *to)
{
    static unsigned char bytes[16384];
    size_t size = sizeof bytes;
    CHECK_INT(vrm_clip_player_snapshot(from->player, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_restore(to->player, bytes, size), VRM_SUCCESS);
}

// The start pose of a transition is either recomputed from the clips' times or stored. A player that is restored in
// every frame has only the stored pose, and must show the same. Before the transition, time jumps or stops, and layers
// change.
static void found_again(void)
{
    vrm_clip *clips[3] = {make_smooth(ALL, 1), make_smooth(FACE | GAZE | BODY, 2), make_smooth(ALL, 3)};
    for (int story = 0; story < 8; ++story) {
        stage s, t;
        set_stage(&s, 2);
        set_stage(&t, 2);
        vrm_clip_play_params play;
        vrm_clip_play_params_default(&play);
        for (uint32_t layer = 0; layer < 2; ++layer) {
            CHECK_INT(vrm_clip_player_play(s.player, layer, clips[layer], &play), VRM_SUCCESS);
            CHECK_INT(vrm_clip_player_play(t.player, layer, clips[layer], &play), VRM_SUCCESS);
        }
        vrm_clip_layer_params half;
        vrm_clip_layer_params_default(&half);
        half.weight = 0.5f;
        play.seconds = 0.3f;
        play.transition = VRM_CLIP_TRANSITION_INERTIAL;
        for (int frame = 0; frame < 40; ++frame) {
            copy_player(&s, &t);
            stage *const both[2] = {&s, &t};
            for (int i = 0; i < 2; ++i) {
                vrm_clip_player *player = both[i]->player;
                if (frame == 8 && (story & 1) != 0) {
                    CHECK_INT(vrm_clip_player_set_time(player, 0, 0.7), VRM_SUCCESS);
                }
                if (frame == 9 && (story & 2) != 0) {
                    CHECK_INT(vrm_clip_player_set_layer(player, 1, &half), VRM_SUCCESS);
                }
                if (frame == 10) {
                    CHECK_INT(vrm_clip_player_play(player, 0, clips[2], &play), VRM_SUCCESS);
                }
                const bool stands = frame == 9 && (story & 4) != 0;
                vrm_update_dt(both[i]->instance, stands ? 0.0f : 0.01f + 0.001f * (float)(frame % 3));
            }
            const sight a = look(&s), b = look(&t);
            CHECK(memcmp(&a, &b, sizeof a) == 0);
        }
        strike(&s);
        strike(&t);
    }
    for (int i = 0; i < 3; ++i) {
        vrm_clip_release(clips[i]);
    }
}

// If a clip is stopped during an inertial transition, its last shown pose is kept.
static void taken_away(void)
{
    vrm_clip *from = make_smooth(ALL, 1), *to = make_smooth(BODY | HIPS, 2);
    stage s;
    set_stage(&s, 1);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    CHECK_INT(vrm_clip_player_play(s.player, 0, from, &play), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.01f);
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.humanoid_weight = 0.4f; // the old clip has more weight than the new one
    play.seconds = 10.0f;
    play.transition = VRM_CLIP_TRANSITION_INERTIAL;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(s.player, 0, to, &play), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.001f);
    const sight before = look(&s);
    layer.humanoid_weight = 0.0f;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.001f);
    const sight after = look(&s);
    // The bone is on the arc between its last shown pose and the input pose.
    const vrm_quat rest = {0, 0, 0, 1};
    for (int i = 0; i < LIMBS; ++i) {
        const double whole = apart(before.limb[i], rest), back = apart(before.limb[i], after.limb[i]);
        CHECK_NEAR(back + apart(after.limb[i], rest), whole, 0.02);
        CHECK_NEAR(apart(after.limb[i], rest), 0.6 * whole, 0.05);
    }
    vrm_clip_release(from);
    vrm_clip_release(to);
    strike(&s);
}

static const test_case cases[] = {
    {"transitions", transitions},
    {"one_sided", one_sided},
    {"broken_off", broken_off},
    {"saved_when_broken_off", saved_when_broken_off},
    {"found_again", found_again},
    {"taken_away", taken_away},
};

RUN_TESTS(cases)
