// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// vrm_clip_player_apply() writes the pose into the input. The same pose may be written any number of times, and the host
// may change it in between: an applied pose never adds to the one before it.

#include "clip_fixture.h"
#include "minimal_sample.h"

static const double neck_turn = 0.5, head_turn = 0.8, change = 1.1;

static vrm_clip *make_turn(vrm_human_bone bone, double angle)
{
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    b.head.hips_rest = (vrm_vec3){0.0f, 0.9f, 0.0f};
    const vrm_quat turned = about(0, 1, 0, angle);
    const float place[3] = {0.0f, 0.6f, 0.45f};
    hold(&b, (vrmi_clip_track){.kind = VRMI_TRACK_ROTATION, .target = (uint32_t)bone}, &turned.x);
    hold(&b, (vrmi_clip_track){.kind = VRMI_TRACK_HIPS}, place);
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// Sets an instance of the sample without a neck, and a player that is not attached.
static void set_neckless(stage *s)
{
    vrm_bytes bytes, less;
    CHECK_INT(scene_minimal_sample(0, &bytes), VRM_SUCCESS);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_remove_json(gltf, "/extensions/VRMC_vrm/humanoid/humanBones/neck"), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(gltf, &less), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_load(NULL, less.data, less.size, NULL, &s->avatar), VRM_SUCCESS);
    CHECK(vrm_avatar_get_bone_node(s->avatar, BONE(NECK)) < 0);
    furnish(s, 2);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&less);
    vrm_bytes_free(&bytes);
}

// Applies the player's pose and returns the head's rotation.
static vrm_quat applied(const stage *s)
{
    CHECK_INT(vrm_clip_player_apply(s->player, s->instance), VRM_SUCCESS);
    vrm_update_dt(s->instance, 0.0f);
    return shown(s, BONE(HEAD));
}

static vrm_vec3 hips_of(const stage *s)
{
    return pose_of(s->instance, vrm_avatar_get_bone_node(s->avatar, BONE(HIPS))).translation;
}

// Applies again and again, also after the host has changed the head.
static void expect_the_same(const stage *s, vrm_quat head)
{
    const vrm_vec3 hips = hips_of(s);
    for (int i = 0; i < 6; ++i) {
        if (i >= 3) {
            const vrm_quat looks_away = about(1, 0, 0, change);
            CHECK_INT(vrm_instance_set_normalized_rotation(s->instance, BONE(HEAD), &looks_away), VRM_SUCCESS);
        }
        CHECK_NEAR(apart(applied(s), head), 0, 1e-6);
        CHECK_NEAR(hips_of(s).y, hips.y, 0);
        CHECK_NEAR(hips_of(s).z, hips.z, 0);
    }
}

// The head takes over the missing neck's rotation, as in the specification of VRM animations.
static void a_missing_bone_is_applied_once(void)
{
    stage s;
    set_neckless(&s);
    vrm_clip *clip = make_turn(BONE(NECK), neck_turn);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
    const vrm_quat head = applied(&s);
    CHECK_NEAR(apart(head, about(0, 1, 0, neck_turn)), 0, 1e-5);
    expect_the_same(&s, head);
    vrm_clip_release(clip);
    strike(&s);
}

// Half of a pose is half way from the rest pose.
static void a_part_of_a_pose_is_applied_once(void)
{
    stage s;
    set_neckless(&s);
    vrm_clip *clip = make_turn(BONE(HEAD), head_turn);
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.weight = 0.5f;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
    const vrm_vec3 rest = hips_of(&s);
    const vrm_quat head = applied(&s);
    CHECK_NEAR(apart(head, about(0, 1, 0, head_turn / 2)), 0, 1e-5);
    const vrm_vec3 half = hips_of(&s);
    expect_the_same(&s, head);
    layer.weight = 1.0f;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
    (void)applied(&s);
    CHECK_NEAR(hips_of(&s).y - rest.y, 2.0f * (half.y - rest.y), 1e-5);
    CHECK_NEAR(hips_of(&s).z - rest.z, 2.0f * (half.z - rest.z), 1e-5);
    CHECK((double)(half.z - rest.z) > 0.1);
    vrm_clip_release(clip);
    strike(&s);
}

static void an_additive_clip_is_applied_once(void)
{
    stage s;
    set_neckless(&s);
    vrm_clip *clip = make_turn(BONE(HEAD), head_turn), *none = make_turn(BONE(HEAD), 0.0), *added = NULL;
    CHECK_INT(vrm_clip_make_additive(clip, none, 0.0f, &added), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(s.player, 1, added, NULL), VRM_SUCCESS);
    const vrm_quat head = applied(&s);
    CHECK_NEAR(apart(head, about(0, 1, 0, head_turn)), 0, 1e-5);
    expect_the_same(&s, head);
    vrm_clip_release(added);
    vrm_clip_release(none);
    vrm_clip_release(clip);
    strike(&s);
}

static void bones_that_the_player_does_not_move_stay_the_hosts(void)
{
    stage s;
    set_neckless(&s);
    const vrm_quat arm = about(0, 0, 1, change);
    CHECK_INT(vrm_instance_set_normalized_rotation(s.instance, BONE(LEFT_UPPER_ARM), &arm), VRM_SUCCESS);
    vrm_clip *clip = make_turn(BONE(NECK), neck_turn);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
    (void)applied(&s);
    (void)applied(&s);
    CHECK_NEAR(apart(shown(&s, BONE(LEFT_UPPER_ARM)), arm), 0, 1e-5);
    vrm_clip_release(clip);
    strike(&s);
}

static const test_case cases[] = {
    {"a_missing_bone_is_applied_once", a_missing_bone_is_applied_once},
    {"a_part_of_a_pose_is_applied_once", a_part_of_a_pose_is_applied_once},
    {"an_additive_clip_is_applied_once", an_additive_clip_is_applied_once},
    {"bones_that_the_player_does_not_move_stay_the_hosts", bones_that_the_player_does_not_move_stay_the_hosts},
};

RUN_TESTS(cases)
