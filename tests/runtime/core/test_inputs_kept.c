// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Updates never change the host's inputs. With random inputs and every feature on, each input has the host's value
// after each update, bit by bit.

#include "axis.h"
#include "runtime/core/instance.h"
#include "sleep_fixture.h"
#include "test_random.h"

enum { SEEDS = 6, FRAMES = 900, MOST_BYTES = 1 << 17 };

// --- the inputs of a host --------------------------------------------------------------------------------------------

typedef struct inputs {
    size_t size;
    unsigned char bytes[MOST_BYTES];
} inputs;

static void add(inputs *out, const void *value, size_t size)
{
    CHECK(out->size + size <= MOST_BYTES);
    memcpy(out->bytes + out->size, value, size);
    out->size += size;
}

#define ADD(value) add(out, &(value), sizeof(value))

static void add_pose(const vrm_instance *instance, inputs *out)
{
    const uint32_t nodes = instance->model->node_parent.count;
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    ADD(root.translation);
    ADD(root.rotation);
    ADD(root.scale);
    for (uint32_t node = 0; node < nodes; ++node) {
        vrm_transform local;
        CHECK_INT(vrm_instance_get_local(instance, node, &local), VRM_SUCCESS);
        ADD(local);
    }
    add(out, instance->input_set, (nodes + 31) / 32 * sizeof(*instance->input_set));
}

static void add_face(const vrm_instance *instance, inputs *out)
{
    const uint32_t count = instance->model->expression.count;
    const vrmi_face *face = &instance->face;
    ADD(instance->gaze.mode);
    ADD(instance->gaze.target);
    ADD(instance->gaze.yaw);
    ADD(instance->gaze.pitch);
    for (int side = 0; side < 2; ++side) {
        ADD(instance->gaze.eyes[side].active);
        ADD(instance->gaze.eyes[side].yaw);
        ADD(instance->gaze.eyes[side].pitch);
    }
    add(out, instance->layers, (size_t)count * VRM_EXPRESSION_LAYER_COUNT * sizeof(*instance->layers));
    ADD(face->modes);
    ADD(face->weights);
    ADD(face->set_counts);
    add(out, instance->expression_groups, count * sizeof(*instance->expression_groups));
    add(out, instance->host_morphs, instance->model->morph_base.count * sizeof(*instance->host_morphs));
    ADD(face->blink.params);
    ADD(face->lip_sync.params);
    ADD(face->lip_sync.heard);
}

static void add_body(const vrm_instance *instance, inputs *out)
{
    ADD(instance->look.def);
    ADD(instance->look.oriented);
    ADD(instance->look.yaw);
    ADD(instance->look.pitch);
    ADD(instance->look.roll);
    ADD(instance->ragdoll.settings);
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) {
        ADD(instance->ragdoll_rows[i].motion);
        ADD(instance->ragdoll_rows[i].from);
        ADD(instance->ragdoll_rows[i].to);
        ADD(instance->ragdoll_rows[i].duration);
    }
    vrm_spring_params settings = {.struct_size = sizeof settings};
    vrm_instance_get_spring_params(instance, &settings);
    ADD(settings);
    for (uint32_t i = 0; i < instance->model->spring_joint.count; ++i) {
        vrm_spring_joint_params params;
        CHECK_INT(vrm_instance_get_spring_joint(instance, i, &params), VRM_SUCCESS);
        ADD(params);
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        ADD(instance->spring_host[i].collider);
        ADD(instance->spring_host[i].used);
    }
    ADD(instance->lod.level);
    ADD(instance->lod.interval);
}

static void gather(const vrm_instance *instance, inputs *out)
{
    out->size = 0;
    add_pose(instance, out);
    add_face(instance, out);
    add_body(instance, out);
}

// --- actions of a host -----------------------------------------------------------------------------------------------

// Counts of events that might change an input.
typedef struct seen {
    long clip_faces, fades, asked, slept, phases[VRM_RAGDOLL_PHASE_COUNT];
} seen;

static float within(test_random *random, float low, float high)
{
    return test_random_float(random, low, high);
}

static vrm_quat any_turn(test_random *random, float size)
{
    return (vrm_quat){within(random, -size, size), within(random, -size, size), within(random, -size, size), 1.0f};
}

static vrm_root any_root(test_random *random)
{
    vrm_root root = {{0.0, 0.0, 0.0}, any_turn(random, 0.5f), within(random, 0.5f, 2.0f)};
    for (unsigned k = 0; k < 3; ++k) {
        *test_axis(&root.translation, k) = (double)within(random, -20.0f, 20.0f);
    }
    return root;
}

static void disturb_pose(test_random *random, vrm_instance *instance)
{
    const uint32_t node = test_random_below(random, instance->model->node_parent.count);
    const vrm_quat turn = any_turn(random, 0.4f);
    const vrm_vec3 place = {within(random, -0.1f, 0.1f), within(random, 0.6f, 1.0f), within(random, -0.1f, 0.1f)};
    const vrm_root root = any_root(random);
    switch (test_random_below(random, 6)) {
    case 0:
        (void)vrm_instance_set_rotation(instance, node, &turn);
        break;
    case 1:
        (void)vrm_instance_set_normalized_rotation(
            instance, (vrm_human_bone)test_random_below(random, VRM_HUMAN_BONE_COUNT), &turn);
        break;
    case 2:
        (void)vrm_instance_set_hips_position(instance, &place);
        break;
    case 3:
        (void)vrm_instance_set_root(instance, &root);
        break;
    case 4:
        (void)vrm_instance_teleport(instance, &root);
        break;
    default:
        vrm_instance_reset_pose(instance);
        break;
    }
}

static void disturb_face(test_random *random, vrm_instance *instance)
{
    const uint32_t expression = test_random_below(random, instance->model->expression.count);
    const float weight = within(random, 0.0f, 1.0f);
    const vrm_dvec3 target = {(double)within(random, -5, 5), 1.5, (double)within(random, -5, 5)};
    vrm_blink_params blink;
    vrm_blink_params_default(&blink);
    blink.enabled = test_random_below(random, 2) != 0;
    blink.interval_min = blink.interval_max = 0.2f;
    switch (test_random_below(random, 8)) {
    case 0:
        (void)vrm_instance_set_expression(
            instance, (vrm_expression_layer)test_random_below(random, VRM_EXPRESSION_LAYER_COUNT), expression, weight);
        break;
    case 1:
        (void)vrm_instance_clear_expression(
            instance, (vrm_expression_layer)test_random_below(random, VRM_EXPRESSION_LAYER_COUNT), expression);
        break;
    case 2:
        (void)vrm_instance_fade_emotion(instance, (int32_t)expression, weight, within(random, 0.0f, 1.0f));
        break;
    case 3:
        (void)vrm_instance_set_blink(instance, &blink);
        break;
    case 4:
        (void)vrm_instance_set_loudness(instance, weight);
        break;
    case 5:
        vrm_instance_clear_lip_sync(instance);
        break;
    case 6:
        (void)vrm_instance_set_look_at_target(instance, &target);
        break;
    default:
        vrm_instance_clear_look_at(instance);
        break;
    }
}

static void disturb_body(test_random *random, bed *b)
{
    const vrm_ragdoll_weights weights = {within(random, 0, 1), within(random, 0, 1), within(random, 0, 1)};
    const vrm_vec3 impulse = {within(random, -40, 40), 0.0f, within(random, -40, 40)};
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(b->instance, &out);
    const vrm_dvec3 at = {out.origin.x, out.origin.y + 1.0, out.origin.z};
    vrm_host_collider_def collider;
    vrm_host_collider_def_default(&collider);
    collider.radius = 0.2f;
    memcpy(&collider.offset, &at, sizeof at);
    switch (test_random_below(random, 8)) {
    case 0:
        (void)vrm_instance_set_ragdoll_weights(b->instance,
            (vrm_ragdoll_group)test_random_below(random, VRM_RAGDOLL_GROUP_COUNT), &weights, within(random, 0, 1));
        break;
    case 1:
        (void)vrm_instance_hit_ragdoll(b->instance, -1, &at, &impulse);
        break;
    case 2:
        (void)vrm_instance_drop_ragdoll(b->instance);
        break;
    case 3:
        (void)vrm_instance_set_host_collider(b->instance, test_random_below(random, 2), &collider);
        break;
    case 4:
        (void)vrm_clip_player_play(b->player, 0, test_random_below(random, 3) != 0 ? b->clip : NULL, NULL);
        break;
    case 5:
        (void)vrm_instance_set_clip_player(b->instance, test_random_below(random, 4) != 0 ? b->player : NULL);
        break;
    case 6:
        (void)vrm_instance_set_head_orientation(b->instance, within(random, -1, 1), 0.1f, 0.1f);
        break;
    default:
        (void)vrm_instance_settle_springs(b->instance, 0.1f);
        break;
    }
}

// Runs a frame with an engine. If `lies`, its bodies lie on the ground, a quarter turn from the animation and lower.
static void step(vrm_instance *instance, bool lies)
{
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    if (vrm_instance_get_ragdoll_targets(instance, &targets) != VRM_SUCCESS || !targets.active) {
        return;
    }
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    const vrm_quat back = vrmi_quat_from_axis_angle(vrmi_vec3(1, 0, 0), -1.4f);
    for (uint32_t i = 0; i < targets.body_count; ++i) {
        states[i] = targets.bodies[i].state;
        if (lies) {
            states[i].rotation = vrmi_quat_mul(back, states[i].rotation);
            states[i].position = vrmi_quat_rotate(back, states[i].position);
            states[i].linear_velocity = states[i].angular_velocity = vrmi_vec3(0, 0, 0);
        }
    }
    (void)vrm_instance_set_ragdoll_states(instance, &targets.origin, states, targets.body_count);
}

// --- the promise -----------------------------------------------------------------------------------------------------

static bool same(const inputs *a, const inputs *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static void run_frame(test_random *random, vrm_instance *instance, bool quiet, bool takes, seen *out)
{
    static inputs before, after;
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = within(random, 0.0f, 0.04f);
    params.stages =
        !quiet && test_random_below(random, 8) == 0 ? test_random_below(random, VRM_STAGE_ALL) : VRM_STAGE_ALL;
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(instance, &info);
    const bool down = info.phase == VRM_RAGDOLL_PHASE_LIMP || info.phase == VRM_RAGDOLL_PHASE_LYING;
    gather(instance, &before);
    if (test_random_below(random, 4) == 0) {
        vrm_update(instance, &params);
    } else {
        vrm_root root;
        vrm_update_pose(instance, &params);
        gather(instance, &after);
        CHECK(same(&before, &after));
        const bool asked = vrm_instance_get_requested_root(instance, &root) == VRM_SUCCESS;
        out->asked += asked;
        if (asked && takes) {
            CHECK_INT(vrm_instance_take_requested_root(instance), VRM_SUCCESS);
            vrm_root taken;
            vrm_instance_get_root(instance, &taken);
            CHECK(memcmp(&taken.translation, &root.translation, sizeof root.translation) == 0);
            gather(instance, &before);
        }
        step(instance, down);
        vrm_update_secondary(instance, &params);
    }
    gather(instance, &after);
    CHECK(same(&before, &after));
    out->clip_faces += instance->clip_expressions != NULL;
    out->fades += instance->face.fading;
    out->slept += vrm_instance_is_asleep(instance);
}

static void inputs_are_what_was_set(void)
{
    CHECK_INT(vrm_ragdoll_def_build(stage_avatar(), NULL, NULL, NULL, &doll), VRM_SUCCESS);
    seen found = {0};
    for (uint32_t seed = 0; seed < SEEDS; ++seed) {
        test_random random = test_random_make(seed + 1);
        vrm_instance *fresh = make_sleeper();
        bed b = make_bed(fresh);
        vrm_ragdoll_params settings = {.struct_size = sizeof settings};
        vrm_ragdoll_params_default(&settings);
        settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
        settings.still_time = 0.1f;
        settings.grow_time = 0.2f;
        CHECK_INT(vrm_instance_set_ragdoll_params(b.instance, &settings), VRM_SUCCESS);
        for (int i = 0; i < FRAMES; ++i) {
            // In each round the avatar is first disturbed, then left alone long enough to lie still, get up and fall
            // asleep.
            const int moment = i % 450;
            if (moment == 150) {
                const vrm_ragdoll_weights whole = {1.0f, 1.0f, 1.0f};
                (void)vrm_instance_set_ragdoll_weights(b.instance, VRM_RAGDOLL_GROUP_ALL, &whole, 0.1f);
                (void)vrm_instance_drop_ragdoll(b.instance);
                vrm_blink_params blink;
                vrm_blink_params_default(&blink);
                (void)vrm_instance_set_blink(b.instance, &blink);
            }
            if (moment < 150 && test_random_below(&random, 3) == 0) {
                disturb_pose(&random, b.instance);
                disturb_face(&random, b.instance);
                disturb_body(&random, &b);
            }
            vrm_ragdoll_info info = {.struct_size = sizeof info};
            vrm_instance_get_ragdoll_info(b.instance, &info);
            ++found.phases[info.phase];
            if (info.phase == VRM_RAGDOLL_PHASE_LYING) {
                (void)vrm_instance_start_get_up(b.instance);
            }
            run_frame(&random, b.instance, moment >= 150, seed % 2 == 0, &found);
        }
        unmake_bed(&b);
        vrm_instance_destroy(fresh);
    }
    // Each feature that might change an input must have run.
    CHECK(found.clip_faces > 100 && found.fades > 100 && found.asked > 3 && found.slept > 10);
    for (int phase = 0; phase < VRM_RAGDOLL_PHASE_COUNT; ++phase) {
        CHECK(found.phases[phase] > 0);
    }
}

// --- clips and the host's values -------------------------------------------------------------------------------------

static float merged(const vrm_instance *instance, uint32_t expression)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    return out.expressions[expression].input;
}

// A clip's expressions replace the host's values in the same layer. The host's values return when the clip is removed.
static void a_clip_lends_its_layer(void)
{
    stage s;
    set_stage(&s, 1);
    const int32_t blink = vrm_avatar_find_preset(s.avatar, VRM_EXPRESSION_PRESET_BLINK_LEFT);
    CHECK(blink >= 0);
    vrm_clip *clip = make_clip(3);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.speed = 0.0f;
    const uint32_t expression = (uint32_t)blink;
    CHECK_INT(vrm_instance_set_expression(s.instance, VRM_EXPRESSION_LAYER_CLIP, expression, 0.375f), VRM_SUCCESS);
    vrm_update_dt(s.instance, frame);
    CHECK_NEAR(merged(s.instance, expression), 0.375, 0);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    vrm_update_dt(s.instance, frame);
    const float shown_by_clip = merged(s.instance, expression);
    CHECK(shown_by_clip != 0.375f);
    vrm_instance *copy = NULL; // a clone has no player and none of the clip's values
    CHECK_INT(vrm_instance_clone(s.instance, &copy), VRM_SUCCESS);
    vrm_update_dt(copy, frame);
    CHECK_NEAR(merged(copy, expression), 0.375, 0);
    CHECK_INT(vrm_clip_player_play(s.player, 0, NULL, NULL), VRM_SUCCESS);
    vrm_update_dt(s.instance, frame);
    CHECK_NEAR(merged(s.instance, expression), 0.375, 0);
    // When the player is attached again, the clip's values are back at once.
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    vrm_update_dt(s.instance, frame);
    CHECK_INT(vrm_instance_set_clip_player(copy, s.player), VRM_SUCCESS);
    vrm_update_dt(copy, frame);
    vrm_update_dt(s.instance, frame);
    CHECK_NEAR(merged(copy, expression), shown_by_clip, 0);
    CHECK_NEAR(merged(s.instance, expression), 0.375, 0);
    vrm_instance_destroy(copy);
    vrm_clip_release(clip);
    strike(&s);
}

// vrm_clip_player_apply() is a setter. Its values are inputs, including the gaze, and a snapshot contains them.
static void an_applied_pose_is_saved(void)
{
    stage s;
    set_stage(&s, 1);
    vrm_clip *clip = make_clip(5);
    CHECK_INT(vrm_instance_set_clip_player(s.instance, NULL), VRM_SUCCESS);
    vrm_instance *other = NULL;
    CHECK_INT(vrm_instance_clone(s.instance, &other), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_set_time(s.player, 0, 0.4), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_apply(s.player, s.instance), VRM_SUCCESS);
    static unsigned char bytes[MOST_BYTES];
    size_t size = sizeof bytes;
    CHECK_INT(vrm_instance_snapshot(s.instance, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_restore(other, bytes, size), VRM_SUCCESS);
    vrm_update_dt(s.instance, frame);
    vrm_update_dt(other, frame);
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(s.instance, &a);
    vrm_instance_get_outputs(other, &b);
    CHECK(a.look_yaw != 0.0f);
    CHECK_NEAR(b.look_yaw, a.look_yaw, 0);
    CHECK(memcmp(a.world, b.world, a.node_count * sizeof *a.world) == 0);
    CHECK(memcmp(a.morphs, b.morphs, a.morph_count * sizeof *a.morphs) == 0);
    vrm_instance_destroy(other);
    vrm_clip_release(clip);
    strike(&s);
}

static const test_case cases[] = {
    {"inputs_are_what_was_set", inputs_are_what_was_set},
    {"a_clip_lends_its_layer", a_clip_lends_its_layer},
    {"an_applied_pose_is_saved", an_applied_pose_is_saved},
};

RUN_TESTS(cases)
