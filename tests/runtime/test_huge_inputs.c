// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finite but huge numbers in every setter. They are clamped to a computable range, the status reports it, and every
// output stays finite. Numbers that are merely large are kept.

#include <vrm/active_ragdoll.h>
#include <vrm/look_chain.h>
#include <vrm/output.h>

#include "model_fixture.h"
#include "plain_instance.h"
#include "pose_of.h"
#include "ragdoll_fixture.h"
#include "sample_avatar.h"
#include "test.h"
#include "test_random.h"

static vrm_instance *make_instance(const vrm_avatar *avatar, bool hair_inputs)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.host_colliders = 4;
    def.spring_parameters = true;
    def.hair_inputs = hair_inputs;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    return instance;
}

static bool all_finite(const char *name, const void *values, size_t bytes)
{
    const float *floats = values;
    for (size_t i = 0; i < bytes / sizeof(float); ++i) {
        if (!vrmi_finite(floats[i])) {
            printf("%s: number %zu is %g\n", name, i, (double)floats[i]);
            return false;
        }
    }
    return true;
}

// Returns true if every output number of the instance is finite.
static bool outputs_finite(const vrm_instance *instance)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    bool finite = all_finite("world", out.world, out.node_count * sizeof(*out.world)) &&
                  all_finite("palette", out.palette, out.palette_joint_count * sizeof(*out.palette)) &&
                  all_finite("morphs", out.morphs, out.morph_count * sizeof(*out.morphs)) &&
                  all_finite("materials", out.materials, out.material_count * sizeof(*out.materials)) &&
                  all_finite("expressions", out.expressions, out.expression_count * sizeof(*out.expressions)) &&
                  all_finite("boxes", out.mesh_boxes, out.mesh_count * sizeof(*out.mesh_boxes)) &&
                  all_finite("box", &out.box, sizeof out.box) &&
                  all_finite("viewpoint", &out.viewpoint, sizeof out.viewpoint) && vrmi_finite(out.look_yaw) &&
                  vrmi_finite(out.look_pitch) && vrmi_finite(out.height) && vrmi_finite(out.eye_height);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(vrm_instance_get_avatar(instance), &counts);
    for (uint32_t node = 0; node < counts.nodes; ++node) {
        const vrm_transform local = pose_of(instance, node);
        finite = finite && all_finite("local", &local, sizeof local);
    }
    vrm_dvec3 now[256], before[256];
    CHECK(counts.spring_joints <= 256);
    CHECK_INT(vrm_instance_get_spring_tails(instance, now, before, counts.spring_joints), VRM_SUCCESS);
    for (uint32_t i = 0; i < counts.spring_joints; ++i) {
        finite = finite && vrmi_dvec3_finite(now[i]) && vrmi_dvec3_finite(before[i]);
    }
    return finite;
}

static float huge(test_random *r)
{
    static const float sizes[] = {0.0f, 1e-38f, 1e-20f, 1.0f, 1e3f, 1e9f, 1e20f, 1e30f, 3.4e38f};
    const float size = sizes[test_random_below(r, sizeof sizes / sizeof *sizes)];
    return test_random_below(r, 2) == 0 ? size : -size;
}

static double huge_place(test_random *r)
{
    static const double sizes[] = {0.0, 1.0, 1e9, 1e30, 1e200, 1.7e308};
    const double size = sizes[test_random_below(r, sizeof sizes / sizeof *sizes)];
    return test_random_below(r, 2) == 0 ? size : -size;
}

static vrm_vec3 huge_vector(test_random *r)
{
    return (vrm_vec3){huge(r), huge(r), huge(r)};
}

static vrm_dvec3 huge_point(test_random *r)
{
    return (vrm_dvec3){huge_place(r), huge_place(r), huge_place(r)};
}

static vrm_quat huge_quat(test_random *r)
{
    return (vrm_quat){huge(r), huge(r), huge(r), huge(r)};
}

enum { KINDS = 17 };

// Calls one setter with huge numbers. Some of these calls are refused.
static void set_something(vrm_instance *instance, const vrm_avatar_counts *counts, uint32_t kind, test_random *r)
{
    const uint32_t node = test_random_below(r, counts->nodes);
    const vrm_vec3 v = huge_vector(r);
    const vrm_quat q = huge_quat(r);
    const vrm_dvec3 place = huge_point(r);
    const vrm_transform local = {huge_vector(r), huge_quat(r), huge_vector(r)};
    const vrm_root root = {huge_point(r), huge_quat(r), test_random_below(r, 2) ? 0.01f : 100.0f};
    switch (kind) {
    case 0:
        vrm_instance_set_local(instance, node, &local);
        break;
    case 1:
        vrm_instance_set_translation(instance, node, &v);
        break;
    case 2:
        vrm_instance_set_rotation(instance, node, &q);
        break;
    case 3:
        vrm_instance_set_scale(instance, node, &v);
        break;
    case 4:
        vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)test_random_below(r, 20), &q);
        break;
    case 5:
        vrm_instance_set_hips_position(instance, &v);
        break;
    case 6:
        vrm_instance_set_root(instance, &root);
        break;
    case 7:
        vrm_instance_teleport(instance, &root);
        break;
    case 8:
        vrm_instance_warp(instance, &root);
        break;
    case 9:
        vrm_instance_set_platform(instance, &root);
        break;
    case 10:
        vrm_instance_set_look_at_target(instance, &place);
        break;
    case 11:
        vrm_instance_set_look_at_angles(instance, v.x, v.y);
        break;
    case 12:
        vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_LEFT_EYE, v.x, v.y);
        break;
    case 13:
        vrm_instance_set_morph(instance, test_random_below(r, counts->morphs), v.x);
        vrm_instance_set_expression(
            instance, VRM_EXPRESSION_LAYER_HOST, test_random_below(r, counts->expressions), v.y);
        break;
    case 14: {
        vrm_spring_params settings;
        vrm_spring_params_default(&settings);
        settings.external = v;
        settings.gravity_scale = q.x;
        settings.stiffness_scale = vrmi_abs(q.y);
        settings.ground = test_random_below(r, 2) == 1;
        settings.ground_height = place.y;
        settings.hanging = test_random_float(r, 0.0f, 1.0f);
        vrm_instance_set_spring_params(instance, &settings);
        const vrm_spring_joint_params joint = {
            vrmi_abs(q.z), vrmi_abs(q.w), vrmi_abs(local.scale.x), local.translation, 0.4f};
        vrm_instance_set_spring_joint(instance, test_random_below(r, counts->spring_joints), &joint);
        break;
    }
    case 15: {
        vrm_host_collider_def collider;
        vrm_host_collider_def_default(&collider);
        collider.shape = (vrm_collider_shape)test_random_below(r, 5);
        collider.node = test_random_below(r, 2) == 0 ? -1 : (int32_t)node;
        collider.offset = place;
        collider.tail = huge_point(r);
        collider.radius = vrmi_abs(v.x);
        vrm_instance_set_host_collider(instance, test_random_below(r, 4), &collider);
        break;
    }
    default: {
        vrm_dvec3 tails[256];
        for (uint32_t i = 0; i < counts->spring_joints; ++i) {
            tails[i] = huge_point(r);
        }
        vrm_instance_set_spring_tails(instance, test_random_below(r, 2) ? tails : NULL, tails, counts->spring_joints);
        break;
    }
    }
}

// Huge inputs of one kind at a time, then of all kinds. The instance survives, and after a reset it moves as a new
// instance does.
static void stay_finite(const vrm_avatar *avatar, bool hair_inputs, uint32_t rounds)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    vrm_instance *instance = make_instance(avatar, hair_inputs), *fresh = make_instance(avatar, hair_inputs);
    for (uint32_t round = 0; round < rounds; ++round) {
        test_random r = test_random_make(round + 1);
        vrm_instance_reset(instance);
        const uint32_t sets = 1 + test_random_below(&r, 12);
        for (uint32_t frame = 0; frame < 5; ++frame) {
            for (uint32_t i = 0; i < sets; ++i) {
                const uint32_t kind = round < 8 * KINDS ? round % KINDS : test_random_below(&r, KINDS);
                set_something(instance, &counts, kind, &r);
            }
            vrm_update_dt(instance, frame == 3 ? 3.0e38f : 1.0f / 60.0f);
            if (!outputs_finite(instance)) {
                printf("round %u (kind %u), frame %u\n", round, round % KINDS, frame);
                CHECK(false);
                round = rounds;
                break;
            }
        }
    }
    vrm_instance_reset(instance);
    for (int frame = 0; frame < 20; ++frame) {
        const vrm_root root = {{0.02 * frame, 0, 0}, {0, 0, 0, 1}, 1};
        vrm_instance_set_root(instance, &root);
        vrm_instance_set_root(fresh, &root);
        vrm_update_dt(instance, 1.0f / 60.0f);
        vrm_update_dt(fresh, 1.0f / 60.0f);
    }
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(instance, &a);
    vrm_instance_get_outputs(fresh, &b);
    CHECK(memcmp(a.world, b.world, a.node_count * sizeof(*a.world)) == 0);
    vrm_instance_destroy(instance);
    vrm_instance_destroy(fresh);
}

static void outputs_stay_finite(void)
{
    fixture fix;
    fixture_begin(&fix);
    fixture_everything(&fix);
    vrm_avatar *every = fixture_finish(&fix);
    vrm_avatar *sample = sample_avatar(0);
    stay_finite(every, false, 400);
    stay_finite(every, true, 400);
    stay_finite(sample, false, 200);
    stay_finite(sample, true, 200);
    vrm_avatar_release(every);
    vrm_avatar_release(sample);
}

// A ground that is higher or lower than anything else, set and restored: hair stays finite, and the number is clamped.
static void the_ground_may_be_anywhere(void)
{
    static const double heights[] = {1e15, -1e15, 1e16, -1e300, 1.7e308};
    vrm_avatar *avatar = sample_avatar(0);
    for (uint32_t i = 0; i < sizeof heights / sizeof *heights; ++i) {
        vrm_instance *instance = make_instance(avatar, false);
        vrm_spring_params settings, held;
        vrm_spring_params_default(&settings);
        vrm_spring_params_default(&held);
        settings.ground = true;
        settings.ground_height = heights[i];
        CHECK_INT(vrm_instance_set_spring_params(instance, &settings), VRM_SUCCESS);
        CHECK_INT(vrm_instance_get_status(instance), i < 2 ? 0 : VRM_STATUS_INPUT_CLAMPED);
        vrm_instance_get_spring_params(instance, &held);
        CHECK_NEAR(held.ground_height, heights[i] < 0 ? -1e15 : 1e15, 0);
        for (int frame = 0; frame < 4; ++frame) {
            vrm_update_dt(instance, 1.0f / 60.0f);
            CHECK(outputs_finite(instance));
        }
        vrm_instance_destroy(instance);
    }
    // A snapshot may contain any bytes. With any ground in it, all outputs stay finite.
    vrm_instance *instance = make_instance(avatar, false);
    vrm_spring_params settings;
    vrm_spring_params_default(&settings);
    settings.ground = true;
    settings.ground_height = 123456.789;
    CHECK_INT(vrm_instance_set_spring_params(instance, &settings), VRM_SUCCESS);
    static uint8_t bytes[1 << 20];
    size_t size = sizeof bytes;
    CHECK_INT(vrm_instance_snapshot(instance, bytes, &size), VRM_SUCCESS);
    uint32_t found = 0;
    for (size_t at = 0; at + sizeof(double) <= size; ++at) {
        if (memcmp(bytes + at, &settings.ground_height, sizeof(double)) == 0) {
            const double far_away = 1.7e308;
            memcpy(bytes + at, &far_away, sizeof far_away);
            ++found;
        }
    }
    CHECK_INT(found, 1);
    if (vrm_instance_restore(instance, bytes, size) == VRM_SUCCESS) {
        vrm_update_dt(instance, 1.0f / 60.0f);
        CHECK(outputs_finite(instance));
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// The status has the bit if and only if a number was clamped. The stored value is the clamped number.
static void the_status_says_what_was_clamped(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance *instance = make_instance(avatar, false);
    const vrm_vec3 large = {1e9f, -1e9f, 5e8f}, beyond = {1e30f, -1e30f, 1.0f};
    vrm_transform held;
    CHECK_INT(vrm_instance_set_translation(instance, 0, &large), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_status(instance), 0);
    CHECK_INT(vrm_instance_set_translation(instance, 0, &beyond), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_CLAMPED);
    CHECK_INT(vrm_instance_get_local(instance, 0, &held), VRM_SUCCESS);
    CHECK_NEAR(held.translation.x, 1e9, 0);
    CHECK_NEAR(held.translation.y, -1e9, 0);
    CHECK_NEAR(held.translation.z, 1, 0);
    vrm_instance_clear_status(instance);
    const vrm_vec3 size = {1e6f, 1e-38f, 0.0f}, giant = {1e7f, 2.0f, -3e38f};
    CHECK_INT(vrm_instance_set_scale(instance, 0, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_status(instance), 0);
    CHECK_INT(vrm_instance_set_scale(instance, 0, &giant), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_CLAMPED);
    CHECK_INT(vrm_instance_get_local(instance, 0, &held), VRM_SUCCESS);
    CHECK_NEAR(held.scale.x, 1e6, 0);
    CHECK_NEAR(held.scale.z, -1e6, 0);
    vrm_instance_clear_status(instance);
    // A quaternion of any length is accepted as a rotation.
    const vrm_quat turn = {0.0f, 3e38f, 0.0f, 3e38f}, tiny = {0.0f, 1e-30f, 0.0f, 1e-30f};
    CHECK_INT(vrm_instance_set_rotation(instance, 0, &turn), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_local(instance, 0, &held), VRM_SUCCESS);
    CHECK_NEAR(held.rotation.y, 0.70710678, 1e-6);
    CHECK_NEAR(held.rotation.w, 0.70710678, 1e-6);
    CHECK_INT(vrm_instance_get_status(instance), 0);
    CHECK_INT(vrm_instance_set_rotation(instance, 0, &tiny), VRM_ERROR_INVALID_ARGUMENT);
    vrm_root root = {{1e15, 0, -1e15}, {0, 0, 0, 1}, 1}, seen;
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_status(instance), 0);
    root.translation.y = -1e300;
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_CLAMPED);
    vrm_instance_get_root(instance, &seen);
    CHECK_NEAR(seen.translation.y, -1e15, 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Each scale is within the limit, but scales multiply down the tree. The world matrices are clamped, and the status
// reports it.
static void scales_that_multiply_are_clamped(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance *instance = make_instance(avatar, true);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    const vrm_vec3 giant = {1e6f, -1e6f, 1e6f}, one = {1.0f, 1.0f, 1.0f};
    for (uint32_t node = 0; node < counts.nodes; ++node) {
        CHECK_INT(vrm_instance_set_scale(instance, node, &giant), VRM_SUCCESS);
    }
    CHECK_INT(vrm_instance_get_status(instance), 0);
    vrm_update_dt(instance, 1.0f / 60.0f);
    CHECK(outputs_finite(instance));
    CHECK((vrm_instance_get_status(instance) & VRM_STATUS_INPUT_CLAMPED) != 0);
    for (uint32_t node = 0; node < counts.nodes; ++node) {
        CHECK_INT(vrm_instance_set_scale(instance, node, &one), VRM_SUCCESS);
    }
    vrm_instance_reset_springs(instance);
    vrm_instance_clear_status(instance);
    vrm_update_dt(instance, 1.0f / 60.0f);
    CHECK_INT(vrm_instance_get_status(instance), 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void ragdolls_take_huge_states_and_hits(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    for (uint32_t round = 0; round < 200; ++round) {
        test_random r = test_random_make(round + 1);
        vrm_ragdoll_params settings;
        vrm_ragdoll_params_default(&settings);
        settings.steps = round % 2 == 1;
        settings.step_assist = test_random_float(&r, 1, 10);
        settings.step_reaction = test_random_float(&r, 0, 1);
        vrm_instance *instance = ragdoll_instance(avatar, &settings);
        ragdoll_frame(instance, RAGDOLL_FRAME, ragdoll_follow, NULL);
        bool finite = true;
        for (int frame = 0; frame < 6 && finite; ++frame) {
            const vrm_dvec3 place = huge_point(&r);
            const vrm_vec3 impulse = huge_vector(&r);
            vrm_instance_hit_ragdoll(instance, (int32_t)test_random_below(&r, RAGDOLL_BODIES) - 1, &place, &impulse);
            vrm_instance_explode_ragdoll(instance, &place, vrmi_abs(huge(&r)), vrmi_abs(huge(&r)));
            vrm_root root = {huge_point(&r), {0, 0, 0, 1}, 1};
            vrm_instance_set_root(instance, &root); // recovery steps request a root near the body
            if (vrm_instance_get_requested_root(instance, &root) == VRM_SUCCESS) {
                finite = finite && vrmi_finite((float)root.translation.x) && vrmi_finite((float)root.translation.z);
            }
            vrm_ragdoll_state states[RAGDOLL_BODIES];
            for (uint32_t i = 0; i < RAGDOLL_BODIES; ++i) {
                states[i] = (vrm_ragdoll_state){huge_vector(&r), huge_quat(&r), huge_vector(&r), huge_vector(&r)};
            }
            vrm_update_params params;
            vrm_update_params_default(&params);
            params.dt = 1.0f / 60.0f;
            vrm_update_pose(instance, &params);
            vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
            vrm_instance_get_ragdoll_targets(instance, &targets);
            for (uint32_t i = 0; i < targets.impulse_count; ++i) {
                finite = finite && all_finite("impulse", &targets.impulses[i].impulse, sizeof(vrm_vec3));
            }
            for (uint32_t i = 0; targets.active && i < RAGDOLL_BODIES; ++i) {
                finite = finite && all_finite("target", &targets.bodies[i].state, sizeof(vrm_ragdoll_state));
            }
            vrm_instance_set_ragdoll_states(instance, &place, states, RAGDOLL_BODIES);
            vrm_update_secondary(instance, &params);
            vrm_outputs out = {.struct_size = sizeof out};
            vrm_instance_get_outputs(instance, &out);
            vrm_ragdoll_info info = {.struct_size = sizeof info};
            vrm_instance_get_ragdoll_info(instance, &info);
            finite = finite && all_finite("world", out.world, out.node_count * sizeof(*out.world)) &&
                     vrmi_finite(info.speed) && vrmi_finite(info.deviation);
        }
        if (!finite) {
            printf("ragdoll, round %u\n", round);
            CHECK(false);
        }
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {{"the_status_says_what_was_clamped", the_status_says_what_was_clamped},
    {"the_ground_may_be_anywhere", the_ground_may_be_anywhere},
    {"scales_that_multiply_are_clamped", scales_that_multiply_are_clamped},
    {"outputs_stay_finite", outputs_stay_finite},
    {"ragdolls_take_huge_states_and_hits", ragdolls_take_huge_states_and_hits}};

RUN_TESTS(cases)
