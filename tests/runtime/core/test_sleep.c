// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Sleep: a still avatar needs no work, and neither falling asleep nor waking is visible. Also update intervals.

#include "hash.h"
#include "sleep_fixture.h"

static void turn_head(vrm_instance *instance, float angle)
{
    const uint32_t head = (uint32_t)vrm_avatar_get_bone_node(stage_avatar(), VRM_HUMAN_BONE_HEAD);
    const vrm_quat q = about(1, 0, 0, (double)angle);
    CHECK_INT(vrm_instance_set_rotation(instance, head, &q), VRM_SUCCESS);
}

static void look_at(vrm_instance *instance)
{
    const vrm_dvec3 target = {0.3, 1.4, 2.0};
    CHECK_INT(vrm_instance_set_look_at_target(instance, &target), VRM_SUCCESS);
}

static void move_aside(vrm_instance *instance)
{
    const vrm_root root = {{0.3, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
}

static uint64_t hash_of(const vrm_instance *instance)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    return hash_more(HASH_OF_NOTHING, out.world, out.node_count * sizeof *out.world);
}

// --- sleeping --------------------------------------------------------------------------------------------------------

static void outputs_stay(void)
{
    vrm_instance *a = make_sleeper(), *b = make_sleeper();
    CHECK_INT(vrm_instance_set_lod(b, VRM_LOD_FULL), VRM_SUCCESS); // the same avatar without sleep
    int asleep_at = -1;
    double farthest = 0;
    for (int i = 0; i < FOUR_SECONDS; ++i) {
        vrm_update_dt(a, frame);
        vrm_update_dt(b, frame);
        vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        vrm_instance_get_outputs(a, &x);
        vrm_instance_get_outputs(b, &y);
        for (uint32_t n = 0; n < x.node_count; ++n) {
            for (int k = 0; k < 3; ++k) {
                farthest = fmax(farthest, fabs((double)(x.world[n].m[k][3] - y.world[n].m[k][3])));
            }
        }
        if (vrm_instance_is_asleep(a) && asleep_at < 0) {
            asleep_at = i;
        } else if (asleep_at >= 0) {
            uint32_t bits = 0;
            for (uint32_t n = 0; n < (x.node_count + 31) / 32; ++n) {
                bits |= x.node_changes.bits[n];
            }
            CHECK_INT(bits, 0);
        }
    }
    printf("asleep after %d frames, at most %.3g m from what goes on awake\n", asleep_at, farthest);
    CHECK(asleep_at > 0);
    CHECK(farthest < 0.001);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
}

static void only_from_its_level_on(void)
{
    for (int level = 0; level < VRM_LOD_SLEEP; ++level) {
        vrm_instance *instance = make_sleeper();
        CHECK_INT(vrm_instance_set_lod(instance, (vrm_lod)level), VRM_SUCCESS);
        CHECK_INT(vrm_instance_get_lod(instance), level);
        CHECK_INT(fall_asleep(instance, FOUR_SECONDS), -1);
        vrm_instance_destroy(instance);
    }
    CHECK_INT(vrm_instance_set_lod(NULL, VRM_LOD_FULL), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance *instance = make_sleeper();
    CHECK_INT(vrm_instance_set_lod(instance, VRM_LOD_COUNT), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_lod(instance), VRM_LOD_SLEEP);
    vrm_instance_destroy(instance);
}

// A sleeping avatar blinks at the same times as an avatar that is awake.
static void blinks_through_sleep(void)
{
    vrm_instance *a = make_sleeper(), *b = make_sleeper();
    CHECK_INT(vrm_instance_set_lod(b, VRM_LOD_FULL), VRM_SUCCESS);
    vrm_blink_params params;
    vrm_blink_params_default(&params);
    params.enabled = true;
    CHECK_INT(vrm_instance_set_blink(a, &params), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_blink(b, &params), VRM_SUCCESS);
    const int32_t blinking = vrm_avatar_find_preset(stage_avatar(), VRM_EXPRESSION_PRESET_BLINK);
    CHECK(blinking >= 0);
    int blinks = 0, asleep = 0;
    for (int i = 0; i < 30 * 60; ++i) {
        vrm_update_dt(a, frame);
        vrm_update_dt(b, frame);
        vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        vrm_instance_get_outputs(a, &x);
        vrm_instance_get_outputs(b, &y);
        CHECK(x.expressions[blinking].applied == y.expressions[blinking].applied);
        blinks += x.expressions[blinking].applied > 0.9f;
        asleep += vrm_instance_is_asleep(a);
    }
    CHECK(blinks > 5);
    CHECK(asleep > 15 * 60);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
}

static void what_moves_does_not_sleep(void)
{
    CHECK_INT(vrm_ragdoll_def_build(stage_avatar(), NULL, NULL, NULL, &doll), VRM_SUCCESS);
    vrm_instance *fresh = make_sleeper();
    bed b = make_bed(fresh);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    play.speed = 0.001f; // the clip hardly moves
    CHECK_INT(vrm_clip_player_play(b.player, 0, b.clip, &play), VRM_SUCCESS);
    CHECK_INT(fall_asleep(b.instance, FOUR_SECONDS), -1);
    // A clip that holds its end pose does not move.
    play.wrap = VRM_CLIP_WRAP_HOLD;
    play.speed = 1.0f;
    CHECK_INT(vrm_clip_player_play(b.player, 0, b.clip, &play), VRM_SUCCESS);
    CHECK(fall_asleep(b.instance, 2 * FOUR_SECONDS) > 60);
    CHECK_INT(vrm_instance_drop_ragdoll(b.instance), VRM_SUCCESS);
    CHECK_INT(fall_asleep(b.instance, FOUR_SECONDS), -1);
    unmake_bed(&b);
    // Without the output stage it is unknown whether the avatar moves.
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = frame;
    params.stages &= ~(uint32_t)VRM_STAGE_OUTPUT;
    for (int i = 0; i < FOUR_SECONDS; ++i) {
        vrm_update(fresh, &params);
    }
    CHECK(!vrm_instance_is_asleep(fresh));
    // A frame with another mask of stages is a different frame and wakes the avatar.
    CHECK(fall_asleep(fresh, FOUR_SECONDS) >= 0);
    params.stages = VRM_STAGE_ALL & ~(uint32_t)VRM_STAGE_LOOK_AT;
    vrm_update(fresh, &params);
    CHECK(!vrm_instance_is_asleep(fresh));
    vrm_instance_destroy(fresh);
}

// If the first half of a frame had nothing to do, an input between the halves gives the same as an input before the
// frame.
static void wakes_between_halves(void)
{
    vrm_instance *a = make_sleeper(), *b = make_sleeper();
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = frame;
    CHECK(fall_asleep(a, FOUR_SECONDS) >= 0);
    CHECK(fall_asleep(b, FOUR_SECONDS) >= 0);
    for (int i = 0; i < 30; ++i) {
        vrm_update_pose(a, &params);
        if (i == 0) {
            look_at(a);
            look_at(b);
        }
        vrm_update_secondary(a, &params);
        vrm_update(b, &params);
        CHECK(hash_of(a) == hash_of(b));
        CHECK(!vrm_instance_is_asleep(a));
    }
    CHECK(fall_asleep(a, FOUR_SECONDS) >= 0);
    // A pose that the host sets between the halves replaces the frame's pose, as it does when the avatar is awake.
    vrm_instance *c = NULL;
    CHECK_INT(vrm_instance_clone(a, &c), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_lod(c, VRM_LOD_FULL), VRM_SUCCESS);
    vrm_update_pose(a, &params);
    vrm_update_pose(c, &params);
    const uint32_t head = (uint32_t)vrm_avatar_get_bone_node(stage_avatar(), VRM_HUMAN_BONE_HEAD);
    vrm_transform local;
    CHECK_INT(vrm_instance_get_local(a, head, &local), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_pose(a, head, &local), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_pose(c, head, &local), VRM_SUCCESS);
    vrm_update_secondary(a, &params);
    vrm_update_secondary(c, &params);
    CHECK(hash_of(a) == hash_of(c));
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_instance_destroy(c);
}

// Sleep is part of the state. A restored instance continues with the same bits, and has its outputs although it sleeps.
static void restores_asleep(void)
{
    vrm_instance *a = make_sleeper(), *b = make_sleeper();
    turn_head(a, 0.3f);
    look_at(a);
    CHECK(fall_asleep(a, FOUR_SECONDS) >= 0);
    char bytes[65536];
    size_t size = sizeof bytes;
    CHECK_INT(vrm_instance_snapshot(a, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_SUCCESS);
    for (int i = 0; i < 60; ++i) {
        if (i == 20) {
            move_aside(a);
            move_aside(b);
        }
        vrm_update_dt(a, frame);
        vrm_update_dt(b, frame);
        CHECK(hash_of(a) == hash_of(b));
        CHECK_INT(vrm_instance_is_asleep(b), vrm_instance_is_asleep(a));
    }
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
}

// Waking is not visible. When a hand touches the shoulder, no node of a sleeping avatar moves further than on an avatar
// that is awake.
static void wakes_without_a_jump(void)
{
    vrm_instance *a = make_sleeper();
    CHECK(fall_asleep(a, FOUR_SECONDS) >= 0);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(a, &out);
    const uint32_t nodes = out.node_count;
    vrm_mat34 *before = malloc(nodes * sizeof *before);
    memcpy(before, out.world, nodes * sizeof *before);
    // An expression wakes the avatar and moves no node.
    CHECK_INT(vrm_instance_set_expression(a, VRM_EXPRESSION_LAYER_HOST, 0, 0.3f), VRM_SUCCESS);
    double farthest = 0;
    for (int i = 0; i < 60; ++i) {
        vrm_update_dt(a, frame);
        vrm_instance_get_outputs(a, &out);
        for (uint32_t n = 0; n < nodes; ++n) {
            for (int k = 0; k < 3; ++k) {
                farthest = fmax(farthest, fabs((double)(out.world[n].m[k][3] - before[n].m[k][3])));
            }
        }
    }
    printf("a second after waking nothing has gone farther than %.3g m\n", farthest);
    CHECK(farthest < 0.001);
    free(before);
    vrm_instance_destroy(a);
}

// --- intervals -------------------------------------------------------------------------------------------------------

// The first update comes after the fraction (1 - phase) of the interval, the next updates each after a whole interval.
static void phases_spread_a_crowd(void)
{
    enum { FRAMES = 6 };
    for (int phase = 0; phase <= FRAMES; ++phase) {
        vrm_instance *a = make_sleeper();
        CHECK_INT(vrm_instance_set_lod(a, VRM_LOD_FULL), VRM_SUCCESS);
        vrm_update_dt(a, frame);
        const float part = (float)phase / (float)FRAMES;
        CHECK_INT(vrm_instance_set_update_interval(a, (float)FRAMES * frame, part), VRM_SUCCESS);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(a, &out);
        for (int i = 1; i <= 4 * FRAMES; ++i) {
            const uint32_t counter = out.node_changes.counter;
            turn_head(a, sinf(0.1f * (float)i));
            vrm_update_dt(a, frame);
            vrm_instance_get_outputs(a, &out);
            const bool due = (i + phase) % FRAMES == 0 || (i == 1 && phase == FRAMES);
            CHECK_INT(out.node_changes.counter != counter, due);
        }
        vrm_instance_destroy(a);
    }
}

static void intervals_hold(void)
{
    vrm_instance *a = make_sleeper(), *b = make_sleeper();
    CHECK_INT(vrm_instance_set_lod(a, VRM_LOD_FULL), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_lod(b, VRM_LOD_FULL), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_update_interval(a, 1.0f / 30.0f, 0.0f), VRM_SUCCESS);
    uint32_t runs = 0, counter = 0;
    for (int i = 0; i < 120; ++i) {
        turn_head(a, sinf(0.1f * (float)i));
        turn_head(b, sinf(0.1f * (float)i));
        vrm_update_dt(a, frame);
        if (i == 0) {
            vrm_update_dt(b, 0.0f); // the first update shows the pose, even with dt 0
        } else if (i % 2 == 1) {
            vrm_update_dt(b, 2.0f * frame);
            CHECK(hash_of(a) == hash_of(b));
        }
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(a, &out);
        runs += out.node_changes.counter != counter;
        counter = out.node_changes.counter;
    }
    CHECK_INT(runs, 61);
    // When the interval is turned off, no accumulated time is lost: both instances are at frame 121.
    vrm_update_dt(a, frame);
    CHECK_INT(vrm_instance_set_update_interval(a, 0.0f, 0.0f), VRM_SUCCESS);
    vrm_update_dt(a, frame);
    vrm_update_dt(b, 2.0f * frame);
    CHECK(hash_of(a) == hash_of(b));
    // An instance that is restored within an interval shows its outputs at once, and continues as the saved instance
    // does.
    CHECK_INT(vrm_instance_set_update_interval(a, 0.05f, 0.0f), VRM_SUCCESS);
    vrm_update_dt(a, frame);
    char bytes[65536];
    size_t size = sizeof bytes;
    CHECK_INT(vrm_instance_snapshot(a, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_SUCCESS);
    vrm_update_dt(a, frame);
    vrm_update_dt(b, frame);
    vrm_outputs shown = {.struct_size = sizeof shown};
    vrm_instance_get_outputs(b, &shown);
    CHECK((shown.node_changes.bits[0] & 1u) != 0);
    for (int i = 0; i < 20; ++i) {
        vrm_update_dt(a, frame);
        vrm_update_dt(b, frame);
        CHECK(hash_of(a) == hash_of(b));
    }
    CHECK_INT(vrm_instance_set_update_interval(a, -0.1f, 0.0f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_update_interval(a, 1.1f, 0.0f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_update_interval(a, 0.1f, 1.1f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_update_interval(a, NAN, 0.0f), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_update_interval(NULL, 0.1f, 0.0f), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
}

static const test_case cases[] = {
    {"outputs_stay", outputs_stay},
    {"only_from_its_level_on", only_from_its_level_on},
    {"blinks_through_sleep", blinks_through_sleep},
    {"what_moves_does_not_sleep", what_moves_does_not_sleep},
    {"wakes_between_halves", wakes_between_halves},
    {"restores_asleep", restores_asleep},
    {"wakes_without_a_jump", wakes_without_a_jump},
    {"phases_spread_a_crowd", phases_spread_a_crowd},
    {"intervals_hold", intervals_hold},
};
RUN_TESTS(cases)
