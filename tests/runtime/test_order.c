// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The order of a frame's stages. On this avatar, every wrong order of two dependent stages gives other numbers. All
// 5,040 orders of seven stages are run, without and with a ragdoll. Also the host's own IK between the halves.

#include "pose_of.h"
#include "runtime/stages.h"

#include "runtime/core/output.h"

#include "ragdoll_fixture.h"
#include "test.h"

static fixture fix;
static int32_t lid, hair;

// A gaze by expressions follows the head's pose, an eye rotated by its own angles has a constraint, hair is below the
// constrained node, and the palette skins the hair.
static vrm_avatar *make_avatar(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    fix.builder.head.look_at.type = VRM_LOOK_AT_EXPRESSION;
    fix.builder.head.look_at.horizontal_outer.output_scale = 1.0f;
    const int32_t head = fix.bones[VRM_HUMAN_BONE_HEAD];
    lid = fixture_node_add(&fix, head, "lid", fixture_at(0.05f, 0.1f, 0));
    fixture_constraint(
        &fix, VRM_CONSTRAINT_ROTATION, lid, fix.bones[VRM_HUMAN_BONE_LEFT_EYE], vrmi_vec3(0, 0, 0), 1.0f);
    hair = fixture_hair(&fix, lid, 5, 0.1f);
    const int32_t joints[2] = {head, hair + 3};
    fixture_mesh(&fix, fixture_node_add(&fix, 0, "body", fixture_at(0, 0, 0)), 4, joints, 2, 0.1f);
    const vrm_expression_preset presets[] = {VRM_EXPRESSION_PRESET_LOOK_UP, VRM_EXPRESSION_PRESET_LOOK_DOWN,
        VRM_EXPRESSION_PRESET_LOOK_LEFT, VRM_EXPRESSION_PRESET_LOOK_RIGHT};
    for (uint32_t i = 0; i < 4; ++i) {
        fixture_expression(&fix, presets[i], NULL);
        fixture_bind_morph(&fix, i, 1.0f);
    }
    return fixture_finish(&fix);
}

// Sets inputs that differ from the last frame's for every stage.
static void set_inputs(vrm_instance *instance, int frame)
{
    const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), 0.2f * (float)frame);
    vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &turn);
    const vrm_dvec3 target = {1, 1.2 + 0.1 * frame, 2};
    vrm_instance_set_look_at_target(instance, &target);
    vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_LEFT_EYE, 0.1f * (float)frame, 0.3f);
}

enum { POSE, LOOK_CHAIN, DRIVE, READ, LOOK_AT, EXPRESSION, CONSTRAINT, SPRING, OUTPUT, STAGES, SHUFFLED = 7 };

// An engine that returns all targets, tilted.
static void lean_bodies(vrm_instance *instance)
{
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_ragdoll_state states[RAGDOLL_BODIES];
    vrm_instance_get_ragdoll_targets(instance, &targets);
    const vrm_quat lean = vrmi_quat_from_axis_angle(vrmi_vec3(0, 0, 1), 0.2f);
    for (uint32_t i = 0; i < targets.body_count; ++i) {
        states[i] = targets.bodies[i].state;
        states[i].rotation = vrmi_quat_mul(lean, states[i].rotation);
    }
    vrm_instance_set_ragdoll_states(instance, &targets.origin, states, targets.body_count);
}

static void run_stage(vrm_instance *instance, int stage)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    switch (stage) {
    case POSE:
        vrmi_stage_pose(instance, params.dt);
        break;
    case LOOK_CHAIN:
        vrmi_stage_look_chain(instance, params.dt);
        break;
    case DRIVE:
        vrmi_stage_ragdoll_drive(instance, params.dt);
        break;
    case READ:
        lean_bodies(instance);
        vrmi_stage_ragdoll_read(instance);
        vrmi_stage_look_chain_again(instance);
        break;
    case LOOK_AT:
        vrmi_stage_look_at(instance, VRM_PROFILE_LIBVRM);
        break;
    case EXPRESSION:
        vrmi_stage_expression(instance, VRM_PROFILE_LIBVRM);
        break;
    case CONSTRAINT:
        vrmi_stage_constraint(instance);
        break;
    case SPRING:
        vrmi_stage_spring(instance, &params);
        break;
    default:
        vrmi_stage_output(instance, params.dt);
        break;
    }
}

static bool same(const vrm_instance *a, const vrm_instance *b)
{
    vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
    vrm_instance_get_outputs(a, &x);
    vrm_instance_get_outputs(b, &y);
    return same_poses(a, b) && memcmp(x.world, y.world, x.node_count * sizeof(*x.world)) == 0 &&
           memcmp(x.palette, y.palette, x.palette_joint_count * sizeof(*x.palette)) == 0 &&
           memcmp(x.mesh_boxes, y.mesh_boxes, x.mesh_count * sizeof(*x.mesh_boxes)) == 0 &&
           memcmp(x.morphs, y.morphs, x.morph_count * sizeof(*x.morphs)) == 0;
}

// Pairs of stages whose order has an effect on this avatar: the second stage uses the results of the first. In VRM 1.0
// no later stage uses the results of expressions (morphs, materials).
static const int depends[][2] = {{POSE, LOOK_CHAIN}, {LOOK_CHAIN, DRIVE}, {DRIVE, READ}, {READ, LOOK_AT},
    {LOOK_CHAIN, LOOK_AT}, {LOOK_AT, EXPRESSION}, {LOOK_AT, CONSTRAINT}, {CONSTRAINT, SPRING}, {SPRING, OUTPUT}};

static bool right_order(const int *order)
{
    int place[STAGES];
    for (int i = 0; i < STAGES; ++i) {
        place[i] = -1; // the stage is not shuffled
    }
    for (int i = 0; i < SHUFFLED; ++i) {
        place[order[i]] = i;
    }
    for (size_t i = 0; i < sizeof(depends) / sizeof(depends[0]); ++i) {
        const int first = place[depends[i][0]], second = place[depends[i][1]];
        if (first >= 0 && second >= 0 && first > second) {
            return false;
        }
    }
    return true;
}

// Computes the n-th permutation of `stages`.
static void nth_order(int n, const int *stages, int *order)
{
    int left[SHUFFLED];
    memcpy(left, stages, sizeof(left));
    int radix = 720;
    for (int i = 0; i < SHUFFLED; ++i) {
        const int pick = n / radix;
        order[i] = left[pick];
        for (int j = pick; j + 1 < SHUFFLED - i; ++j) {
            left[j] = left[j + 1];
        }
        n %= radix;
        radix = i < SHUFFLED - 1 ? radix / (SHUFFLED - 1 - i) : 1;
    }
}

static void set_chain(vrm_instance *instance)
{
    const int32_t nodes[2] = {vrm_avatar_get_bone_node(vrm_instance_get_avatar(instance), VRM_HUMAN_BONE_HEAD),
        vrm_avatar_get_bone_node(vrm_instance_get_avatar(instance), VRM_HUMAN_BONE_NECK)};
    look_setup setup;
    look_setup_make(&setup, VRM_LOOK_CHAIN_MODE_DEFAULT, nodes, 2);
    setup.bones[0].limit = 0.15f;
    look_set(instance, &setup);
}

// Runs one frame by the library's own functions.
typedef void whole_frame(vrm_instance *instance);

static void plain_frame(vrm_instance *instance)
{
    vrm_update_dt(instance, 1.0f / 60.0f);
}

static void ragdoll_frame_whole(vrm_instance *instance)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    vrm_update_pose(instance, &params);
    lean_bodies(instance);
    vrm_update_secondary(instance, &params);
}

// Runs every order of `stages`, followed by `last`. An order may give the same as `frame` if and only if right_order()
// allows it. Returns the number of orders that are allowed.
static int try_orders(vrm_instance *before, whole_frame *frame, const int *stages, const int *last, int last_count)
{
    vrm_instance *expected = NULL;
    for (int i = 0; i < 10; ++i) {
        set_inputs(before, i);
        frame(before);
    }
    set_inputs(before, 12);
    vrm_instance_clone(before, &expected);
    frame(expected);
    int right = 0;
    for (int n = 0; n < 5040; ++n) {
        int order[SHUFFLED];
        nth_order(n, stages, order);
        vrm_instance *instance = NULL;
        vrm_instance_clone(before, &instance);
        vrmi_outputs_begin(instance);
        vrmi_expression_merge(instance, 1.0f / 60.0f);
        for (int i = 0; i < SHUFFLED; ++i) {
            run_stage(instance, order[i]);
        }
        for (int i = 0; i < last_count; ++i) {
            run_stage(instance, last[i]);
        }
        const bool equal = same(instance, expected);
        CHECK_INT(equal, right_order(order));
        right += right_order(order);
        vrm_instance_destroy(instance);
    }
    vrm_instance_destroy(expected);
    return right;
}

static void every_wrong_order_shows(void)
{
    static const int stages[SHUFFLED] = {POSE, LOOK_CHAIN, LOOK_AT, EXPRESSION, CONSTRAINT, SPRING, OUTPUT};
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = look_instance(avatar);
    set_chain(instance);
    // Expressions may run at any point after look-at. That is 4 positions in the only valid order of the other six
    // stages.
    CHECK_INT(try_orders(instance, plain_frame, stages, NULL, 0), 4);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void every_wrong_order_with_a_ragdoll_shows(void)
{
    static const int stages[SHUFFLED] = {POSE, LOOK_CHAIN, DRIVE, READ, LOOK_AT, CONSTRAINT, SPRING};
    static const int last[2] = {EXPRESSION, OUTPUT};
    vrm_avatar *avatar = make_avatar();
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.always = true;
    vrm_instance *instance = ragdoll_instance(avatar, &settings);
    set_chain(instance);
    CHECK_INT(try_orders(instance, ragdoll_frame_whole, stages, last, 2), 1);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Overrides of the gaze are merged before the eyes rotate. So an expression that is set in a frame reduces their
// rotation in that frame.
static void overrides_do_not_lag(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    const uint32_t happy = fixture_expression(&fix, VRM_EXPRESSION_PRESET_HAPPY, NULL);
    fixture_last_expression(&fix)->overrides[VRM_EXPRESSION_GROUP_LOOK_AT] = VRM_EXPRESSION_OVERRIDE_BLOCK;
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const uint32_t eye = (uint32_t)fix.order[fix.bones[VRM_HUMAN_BONE_LEFT_EYE]];
    vrm_instance_set_look_at_angles(instance, 1.0f, 0.0f);
    vrm_update_dt(instance, 0.01f);
    vrm_node node = {.struct_size = sizeof node};
    vrm_avatar_get_node(avatar, eye, &node);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    CHECK(ref_angle(ref_quat_of(pose_of(instance, eye).rotation), ref_quat_of(node.rest.rotation)) > 0.05);
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, happy, 1.0f);
    vrm_update_dt(instance, 0.01f);
    vrm_instance_get_outputs(instance, &out);
    CHECK(ref_angle(ref_quat_of(pose_of(instance, eye).rotation), ref_quat_of(node.rest.rotation)) < 1e-6);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// After the first half, the host reads the world and bends the neck by its own IK. Everything then follows as if the
// pose had been an input.
static void host_ik_is_kept_and_hair_follows(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *by_input = fixture_instance(avatar), *by_ik = fixture_instance(avatar);
    const uint32_t neck = (uint32_t)fix.order[fix.bones[VRM_HUMAN_BONE_NECK]];
    const uint32_t tip = (uint32_t)fix.order[hair + 4];
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_vec3 still = {0, 0, 0};
    for (int frame = 0; frame < 120; ++frame) {
        set_inputs(by_input, 3);
        set_inputs(by_ik, 3);
        vrm_transform bent;
        vrm_instance_get_local(by_ik, neck, &bent);
        bent.rotation = vrmi_quat_from_axis_angle(vrmi_vec3(0, 0, 1), frame < 60 ? 0.0f : 0.8f);
        vrm_instance_set_local(by_input, neck, &bent);
        vrm_update(by_input, &params);
        vrm_update_pose(by_ik, &params);
        vrm_instance_get_outputs(by_ik, &out);
        CHECK(out.world[neck].m[1][3] > 1.0f); // world matrices can be read here
        CHECK_INT(vrm_instance_set_pose(by_ik, neck, &bent), VRM_SUCCESS);
        vrm_update_secondary(by_ik, &params);
        CHECK(same(by_input, by_ik));
        vrm_instance_get_outputs(by_ik, &out);
        if (frame == 59) {
            still = vrmi_mat34_translation(&out.world[tip]);
        }
    }
    const vrm_vec3 moved = vrmi_mat34_translation(&out.world[tip]);
    CHECK(vrmi_vec3_length(vrmi_vec3_sub(moved, still)) > 0.05f);
    vrm_transform input;
    vrm_instance_get_local(by_ik, neck, &input); // the input has not changed
    CHECK_NEAR(input.rotation.w, 1.0, 0);
    vrm_instance_destroy(by_input);
    vrm_instance_destroy(by_ik);
    vrm_avatar_release(avatar);
}

// A mask runs only its own stages, in the same order.
static void masks(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *whole = fixture_instance(avatar), *parts = fixture_instance(avatar);
    for (int frame = 0; frame < 10; ++frame) {
        set_inputs(whole, frame);
        set_inputs(parts, frame);
        vrm_update_dt(whole, 1.0f / 60.0f);
        for (uint32_t stage = VRM_STAGE_POSE; stage < VRM_STAGE_ALL; stage <<= 1) {
            vrm_update_params params;
            vrm_update_params_default(&params);
            params.dt = 1.0f / 60.0f;
            params.stages = stage == VRM_STAGE_LOOK_AT ? VRM_STAGE_LOOK_AT | VRM_STAGE_EXPRESSION : stage;
            if (stage != VRM_STAGE_EXPRESSION) {
                vrm_update(parts, &params);
            }
        }
        CHECK(same(whole, parts));
    }
    vrm_instance_destroy(whole);
    vrm_instance_destroy(parts);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"every_wrong_order_shows", every_wrong_order_shows},
    {"every_wrong_order_with_a_ragdoll_shows", every_wrong_order_with_a_ragdoll_shows},
    {"overrides_do_not_lag", overrides_do_not_lag},
    {"host_ik_is_kept_and_hair_follows", host_ik_is_kept_and_hair_follows},
    {"masks", masks},
};

RUN_TESTS(cases)
