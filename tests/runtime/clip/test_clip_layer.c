// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The effect of each field of a layer and of a play on a constant clip: the shown fractions of bones, hips, face and
// gaze, and the start of the next clip.

#include "clip_fixture.h"
#include "pose_of.h"

static const double head_turn = 0.8, happy = 0.75, gaze_yaw = 0.4, gaze_pitch = -0.2;
static const double hips_turn = 0.3;

static vrm_clip *make_still(void)
{
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    b.head.hips_rest = (vrm_vec3){0.0f, 0.9f, 0.0f};
    const vrm_quat head = about(0, 1, 0, head_turn), hips = about(0, 1, 0, hips_turn);
    const vrm_quat gaze = times(about(0, 1, 0, gaze_yaw), about(1, 0, 0, gaze_pitch));
    const float place[3] = {0.0f, 0.6f, 0.45f}, weight = (float)happy;
    hold(&b, (vrmi_clip_track){.kind = VRMI_TRACK_ROTATION, .target = BONE(HEAD)}, &head.x);
    hold(&b, (vrmi_clip_track){.kind = VRMI_TRACK_ROTATION, .target = BONE(HIPS)}, &hips.x);
    hold(&b, (vrmi_clip_track){.kind = VRMI_TRACK_HIPS}, place);
    const uint32_t expression = vrmi_clip_builder_expression(&b, "happy", 5, VRM_EXPRESSION_PRESET_HAPPY);
    hold(&b, (vrmi_clip_track){.kind = VRMI_TRACK_EXPRESSION, .target = expression}, &weight);
    hold(&b, (vrmi_clip_track){.kind = VRMI_TRACK_GAZE}, &gaze.x);
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

typedef struct seen {
    double head, hips, way, happy, yaw, pitch; // fractions of the clip's values; way: the hips' displacement
} seen;

// Returns the values after a first update with the layer. NULL: full weights.
static seen show(const vrm_clip_layer_params *layer)
{
    stage s;
    set_stage(&s, 1);
    vrm_clip *clip = make_still();
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
    if (layer != NULL) {
        CHECK_INT(vrm_clip_player_set_layer(s.player, 0, layer), VRM_SUCCESS);
    }
    vrm_update_dt(s.instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s.instance, &out);
    const vrm_quat none = {0, 0, 0, 1};
    const int32_t hips = vrm_avatar_get_bone_node(s.avatar, BONE(HIPS));
    vrm_node node = {.struct_size = sizeof node};
    CHECK_INT(vrm_avatar_get_node(s.avatar, (uint32_t)hips, &node), VRM_SUCCESS);
    seen is = {.yaw = (double)out.look_yaw, .pitch = (double)out.look_pitch};
    is.head = apart(shown(&s, BONE(HEAD)), none);
    is.hips = apart(shown(&s, BONE(HIPS)), none);
    const vrm_vec3 at = pose_of(s.instance, hips).translation, rest = node.rest.translation;
    is.way = sqrt(pow((double)(at.x - rest.x), 2) + pow((double)(at.y - rest.y), 2) + pow((double)(at.z - rest.z), 2));
    for (uint32_t e = 0; e < out.expression_count; ++e) {
        vrm_expression row = {.struct_size = sizeof row};
        CHECK_INT(vrm_avatar_get_expression(s.avatar, e, &row), VRM_SUCCESS);
        is.happy = row.preset == VRM_EXPRESSION_PRESET_HAPPY ? (double)out.expressions[e].input : is.happy;
    }
    vrm_clip_release(clip);
    strike(&s);
    return is;
}

static void each_weight_shows_its_part(void)
{
    const seen whole = show(NULL);
    CHECK_NEAR(whole.head, head_turn, 0.03); // measured as a chord
    CHECK_NEAR(whole.happy, happy, 1e-5);
    CHECK_NEAR(whole.yaw, gaze_yaw, 1e-4);
    CHECK_NEAR(whole.pitch, gaze_pitch, 1e-4);
    CHECK(whole.way > 0.2);
    for (int i = 0; i < 16; ++i) {
        vrm_clip_layer_params layer;
        vrm_clip_layer_params_default(&layer);
        layer.weight = (i & 1) != 0 ? 0.5f : 1.0f;
        layer.humanoid_weight = (i & 2) != 0 ? 0.25f : 1.0f;
        layer.expression_weight = (i & 4) != 0 ? 0.4f : 1.0f;
        layer.gaze_weight = (i & 8) != 0 ? 0.6f : 1.0f;
        const seen is = show(&layer);
        const double weight = (double)layer.weight, body = weight * (double)layer.humanoid_weight;
        CHECK_NEAR(is.head, 2 * 2 * sin(head_turn * body / 4), 1e-3);
        CHECK_NEAR(is.way, whole.way * body, 1e-3);
        CHECK_NEAR(is.happy, happy * weight * (double)layer.expression_weight, 1e-5);
        CHECK_NEAR(is.yaw, gaze_yaw * weight * (double)layer.gaze_weight, 1e-3);
        CHECK_NEAR(is.pitch, gaze_pitch * weight * (double)layer.gaze_weight, 1e-3);
    }
}

// Bones that are masked out do not move. The hips' position moves only if its own mask and the mask of the hips' bone
// allow it.
static void bones_move_by_leave(void)
{
    for (int i = 0; i < 8; ++i) {
        vrm_clip_layer_params layer;
        vrm_clip_layer_params_default(&layer);
        layer.bones &= ~((i & 1) != 0 ? UINT64_C(1) << BONE(HEAD) : 0);
        layer.bones &= ~((i & 2) != 0 ? UINT64_C(1) << BONE(HIPS) : 0);
        layer.hips_position = (i & 4) == 0;
        const seen is = show(&layer);
        CHECK((is.head > 0.1) == ((i & 1) == 0));
        CHECK((is.hips > 0.1) == ((i & 2) == 0));
        CHECK((is.way > 0.1) == ((i & 6) == 0));
    }
}

// The next clip begins at `start`, or at the old clip's fraction of its duration.
static void aligned_clips_begin_where_the_old_one_is(void)
{
    for (int align = 0; align < 2; ++align) {
        stage s;
        set_stage(&s, 1);
        vrm_clip *first = make_clip(1), *second = make_still();
        vrm_clip_info a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        vrm_clip_get_info(first, &a);
        vrm_clip_get_info(second, &b);
        vrm_clip_play_params play;
        vrm_clip_play_params_default(&play);
        CHECK_INT(vrm_clip_player_play(s.player, 0, first, &play), VRM_SUCCESS);
        CHECK_INT(vrm_clip_player_set_time(s.player, 0, 0.3 * (double)a.duration), VRM_SUCCESS);
        play.start = 0.2f;
        play.align = align != 0;
        CHECK_INT(vrm_clip_player_play(s.player, 0, second, &play), VRM_SUCCESS);
        CHECK_NEAR(vrm_clip_player_get_time(s.player, 0), align ? 0.3f * b.duration : 0.2f, 1e-5);
        vrm_clip_release(first);
        vrm_clip_release(second);
        strike(&s);
    }
}

static const test_case cases[] = {
    {"each_weight_shows_its_part", each_weight_shows_its_part},
    {"bones_move_by_leave", bones_move_by_leave},
    {"aligned_clips_begin_where_the_old_one_is", aligned_clips_begin_where_the_old_one_is},
};

RUN_TESTS(cases)
