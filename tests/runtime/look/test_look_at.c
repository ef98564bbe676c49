// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Gaze: LookAt space, range maps, eyes with rest rotations, and the expression type. Compared with the specification's
// pseudocode in double precision.

#include <vrm/output.h>

#include "axis.h"
#include "model_fixture.h"
#include "pose_of.h"
#include "reference_math.h"
#include "test.h"
#include "test_random.h"

static fixture fix;
static const double degree = REF_PI / 180.0;

static uint32_t node_of(int bone)
{
    return (uint32_t)fix.order[fix.bones[bone]];
}

static vrm_range_map map_of(double max_degrees, double scale)
{
    return (vrm_range_map){(float)(max_degrees * degree), (float)scale};
}

// Sets four different maps, so that a test detects the use of the wrong map.
static void set_bone_maps(fixture *f)
{
    vrmi_look_at_row *look = &f->builder.head.look_at;
    look->horizontal_inner = map_of(90, 8 * degree);
    look->horizontal_outer = map_of(60, 12 * degree);
    look->vertical_down = map_of(80, 10 * degree);
    look->vertical_up = map_of(45, 7 * degree);
}

static double mapped(vrm_range_map map, double v)
{
    return fmin(fabs(v), (double)map.input_max) / (double)map.input_max * (double)map.output_scale;
}

// Computes yaw and pitch by the specification: the target's direction in the head's LookAt space.
static void reference_angles(
    ref_mat head_world, ref_quat head_rotation, ref_quat head_rest, ref_vec offset, ref_vec target, double *out)
{
    const ref_vec origin = ref_point(head_world, offset);
    const ref_quat space = ref_mul(head_rotation, ref_inverse(head_rest));
    const ref_vec p = ref_rotate(ref_inverse(space), ref_sub(target, origin));
    out[0] = atan2(p.v[0], p.v[2]);
    out[1] = atan2(-p.v[1], sqrt(p.v[0] * p.v[0] + p.v[2] * p.v[2]));
}

// Computes an eye's rotation in the axes of the rotated head, independently of the rest rotations.
static ref_quat eye_turn(const vrm_avatar *avatar, const vrm_instance *instance, int eye, ref_quat head_turn)
{
    vrm_node rest = {.struct_size = sizeof rest};
    vrm_avatar_get_node(avatar, node_of(eye), &rest);
    ref_quat world = {{0, 0, 0, 1}};
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    for (int32_t node = (int32_t)node_of(eye); node >= 0;) {
        vrm_node row = {.struct_size = sizeof row};
        vrm_avatar_get_node(avatar, (uint32_t)node, &row);
        world = ref_mul(ref_quat_of(pose_of(instance, node).rotation), world);
        node = row.parent;
    }
    world = ref_mul(ref_quat_of(root.rotation), world);
    return ref_mul(ref_inverse(head_turn), ref_mul(world, ref_inverse(ref_quat_of(rest.rest_rotation))));
}

static void gaze_against_double(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    set_bone_maps(&fix);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_avatar_get_look_at(avatar, &look);
    vrm_node head = {.struct_size = sizeof head};
    vrm_avatar_get_node(avatar, node_of(VRM_HUMAN_BONE_HEAD), &head);
    test_random random = test_random_make(11);
    for (int round = 0; round < 200; ++round) {
        const double far = round % 4 == 0 ? 1e5 : 0.0;
        vrm_root root = {{far, 0, -far}, vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), (float)round), 1.0f};
        root.scale = round % 3 == 0 ? 3.0f : 1.0f;
        vrm_instance_set_root(instance, &root);
        const ref_quat n = ref_axis_angle(
            ref_v((double)test_random_float(&random, -1, 1), 1, (double)test_random_float(&random, -1, 1)),
            (double)test_random_float(&random, -1.5f, 1.5f));
        const vrm_quat turn = {(float)n.q[0], (float)n.q[1], (float)n.q[2], (float)n.q[3]};
        vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &turn);
        vrm_dvec3 target;
        for (unsigned i = 0; i < 3; ++i) {
            *test_axis(&target, i) = *test_axis(&root.translation, i) + (double)test_random_float(&random, -4, 4);
        }
        CHECK_INT(vrm_instance_set_look_at_target(instance, &target), VRM_SUCCESS);
        vrm_update_dt(instance, 0.016f);

        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        const vrm_mat34 *w = &out.world[node_of(VRM_HUMAN_BONE_HEAD)];
        ref_mat head_world;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 4; ++column) {
                head_world.m[row][column] = (double)w->m[row][column];
            }
        }
        const ref_quat head_rotation = ref_mul(ref_quat_of(root.rotation), ref_mul(n, ref_quat_of(head.rest_rotation)));
        const ref_vec relative =
            ref_v(target.x - root.translation.x, target.y - root.translation.y, target.z - root.translation.z);
        double angles[2];
        reference_angles(head_world, head_rotation, ref_quat_of(head.rest_rotation),
            ref_vec_of(look.offset_from_head_bone), relative, angles);
        CHECK_NEAR(out.look_yaw, angles[0], 5e-5);
        CHECK_NEAR(out.look_pitch, angles[1], 5e-5);

        const double pitch =
            angles[1] > 0 ? mapped(look.vertical_down, angles[1]) : -mapped(look.vertical_up, angles[1]);
        for (int side = 0; side < 2; ++side) {
            const bool outward = (angles[0] > 0) == (side == 0);
            const double yaw =
                (angles[0] > 0 ? 1 : -1) * mapped(outward ? look.horizontal_outer : look.horizontal_inner, angles[0]);
            const ref_quat expected =
                ref_mul(ref_axis_angle(ref_v(0, 1, 0), yaw), ref_axis_angle(ref_v(1, 0, 0), pitch));
            const int eye = side == 0 ? VRM_HUMAN_BONE_LEFT_EYE : VRM_HUMAN_BONE_RIGHT_EYE;
            const ref_quat seen = eye_turn(avatar, instance, eye, ref_mul(ref_quat_of(root.rotation), n));
            CHECK(ref_angle(expected, seen) < 3e-5);
        }
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// +X is left. Targets above the eyes have a negative pitch.
static void signs(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_update_dt(instance, 0);
    vrm_instance_get_outputs(instance, &out);
    const vrm_vec3 eye = out.viewpoint.translation;
    CHECK(fabs(ref_angle(ref_quat_of(out.viewpoint.rotation), (ref_quat){{0, 0, 0, 1}})) < 1e-6);
    const struct {
        double x, y, z, yaw, pitch;
    } table[] = {{1, 0, 1, 45, 0}, {-1, 0, 1, -45, 0}, {0, 1, 1, 0, -45}, {0, -1, 1, 0, 45}, {0, 0, 1, 0, 0},
        {1, 0, 0, 90, 0}, {0, 0, -1, 180, 0}, {0, 5, 0, 0, -90}, {0, 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); ++i) {
        const vrm_dvec3 target = {(double)eye.x + table[i].x, (double)eye.y + table[i].y, (double)eye.z + table[i].z};
        vrm_instance_set_look_at_target(instance, &target);
        vrm_update_dt(instance, 0);
        vrm_instance_get_outputs(instance, &out);
        if (i < 6) {
            CHECK_NEAR(out.look_yaw, table[i].yaw * degree, 1e-5);
        }
        if (i == 6) { // straight behind, left and right are both valid
            CHECK_NEAR(fabsf(out.look_yaw), REF_PI, 1e-5);
        }
        if (i == 7) {
            CHECK_NEAR(out.look_pitch, -REF_PI / 2, 1e-5);
        } else if (i < 7) {
            CHECK_NEAR(out.look_pitch, table[i].pitch * degree, 1e-5);
        }
        CHECK(out.look_yaw - out.look_yaw == 0.0f && out.look_pitch - out.look_pitch == 0.0f);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Mirrored targets give mirrored rotations of the eyes.
static void mirror(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    // The plain humanoid's head has an oblique rest rotation and an offset; this head is symmetric.
    fix.nodes[fix.bones[VRM_HUMAN_BONE_HEAD]].rest = fixture_at(0, 0.08f, 0);
    fix.nodes[fix.nodes[fix.bones[VRM_HUMAN_BONE_LEFT_EYE]].parent].rest = fixture_at(0, 0.02f, 0.03f);
    set_bone_maps(&fix);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *a = fixture_instance(avatar), *b = fixture_instance(avatar);
    test_random random = test_random_make(5);
    for (int round = 0; round < 50; ++round) {
        const vrm_dvec3 target = {(double)test_random_float(&random, -3, 3), (double)test_random_float(&random, 0, 3),
            (double)test_random_float(&random, -1, 3)};
        const vrm_dvec3 mirrored = {-target.x, target.y, target.z};
        vrm_instance_set_look_at_target(a, &target);
        vrm_instance_set_look_at_target(b, &mirrored);
        vrm_update_dt(a, 0.01f);
        vrm_update_dt(b, 0.01f);
        vrm_outputs oa = {.struct_size = sizeof oa}, ob = {.struct_size = sizeof ob};
        vrm_instance_get_outputs(a, &oa);
        vrm_instance_get_outputs(b, &ob);
        const vrm_quat left = pose_of(a, node_of(VRM_HUMAN_BONE_LEFT_EYE)).rotation;
        const vrm_quat right = pose_of(b, node_of(VRM_HUMAN_BONE_RIGHT_EYE)).rotation;
        const ref_quat flipped = {{(double)right.x, -(double)right.y, -(double)right.z, (double)right.w}};
        CHECK(ref_angle(ref_quat_of(left), flipped) < 2e-6);
    }
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_avatar_release(avatar);
}

static void angles_zero_rule_and_own_eyes(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    vrmi_look_at_row *look = &fix.builder.head.look_at;
    look->horizontal_inner = map_of(0, 5 * degree); // an output of 0 at 0, and the full output for any other input
    look->horizontal_outer = map_of(30, 10 * degree);
    look->vertical_down = look->vertical_up = map_of(90, 10 * degree);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const ref_quat none = {{0, 0, 0, 1}};
    CHECK_INT(vrm_instance_set_look_at_angles(instance, 0.0f, 0.0f), VRM_SUCCESS);
    vrm_update_dt(instance, 0.0f);
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_RIGHT_EYE, none), none) < 1e-6);
    CHECK_INT(vrm_instance_set_look_at_angles(instance, (float)(15 * degree), 0.0f), VRM_SUCCESS);
    vrm_update_dt(instance, 0.0f);
    const ref_quat five = ref_axis_angle(ref_v(0, 1, 0), 5 * degree);
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_RIGHT_EYE, none), five) < 2e-6); // inner: all
    // The outer map: half of 10 degrees.
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_LEFT_EYE, none), five) < 2e-6);
    // One eye gets angles of its own, which are not mapped. The other eye still follows the gaze.
    CHECK_INT(vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_LEFT_EYE, -0.3f, 0.2f), VRM_SUCCESS);
    vrm_update_dt(instance, 0.0f);
    const ref_quat own = ref_mul(ref_axis_angle(ref_v(0, 1, 0), -0.3), ref_axis_angle(ref_v(1, 0, 0), 0.2));
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_LEFT_EYE, none), own) < 2e-6);
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_RIGHT_EYE, none), five) < 2e-6);
    // An eye's own angles also apply without a gaze.
    vrm_instance_clear_look_at(instance);
    vrm_update_dt(instance, 0.0f);
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_LEFT_EYE, none), own) < 2e-6);
    // The other eye has its input pose.
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_RIGHT_EYE, none), none) < 2e-6);
    CHECK_INT(vrm_instance_clear_eye_angles(instance, VRM_HUMAN_BONE_LEFT_EYE), VRM_SUCCESS);
    vrm_update_dt(instance, 0.0f);
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_LEFT_EYE, none), none) < 2e-6);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Targets up to the range of doubles: only their direction has an effect.
static void far_targets(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const double sizes[] = {1e6, 1e12, 1e30, 1e200, 1.7e308};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        const vrm_dvec3 target = {sizes[i], -sizes[i], sizes[i]};
        vrm_outputs out = {.struct_size = sizeof out};
        CHECK_INT(vrm_instance_set_look_at_target(instance, &target), VRM_SUCCESS);
        vrm_update_dt(instance, 0.01f);
        vrm_instance_get_outputs(instance, &out);
        CHECK_NEAR(out.look_yaw, REF_PI / 4, 1e-5);
        CHECK_NEAR(out.look_pitch, atan2(1, sqrt(2)), 1e-5);
        // The avatar is as far away on the other side.
        const vrm_root root = {{-sizes[i], sizes[i], -sizes[i]}, {0, 0, 0, 1}, 1.0f};
        vrm_instance_set_root(instance, &root);
        vrm_update_dt(instance, 0.01f);
        vrm_instance_get_outputs(instance, &out);
        CHECK_NEAR(out.look_yaw, REF_PI / 4, 1e-5);
        vrm_instance_reset(instance);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void refused(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const vrm_dvec3 good = {1, 1, 1}, bad = {0, NAN, 0};
    vrm_instance_set_look_at_target(instance, &good);
    vrm_update_dt(instance, 0.01f);
    vrm_outputs before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    vrm_instance_get_outputs(instance, &before);
    CHECK_INT(vrm_instance_set_look_at_target(instance, &bad), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_clear_status(instance);
    CHECK_INT(vrm_instance_set_look_at_angles(instance, INFINITY, 0), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    CHECK_INT(vrm_instance_set_look_at_target(instance, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_look_at_target(NULL, &good), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_HEAD, 0, 0), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_LEFT_EYE, NAN, 0), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_clear_eye_angles(instance, VRM_HUMAN_BONE_HIPS), VRM_ERROR_INVALID_ARGUMENT);
    vrm_update_dt(instance, 0.01f);
    vrm_instance_get_outputs(instance, &after);
    CHECK(before.look_yaw == after.look_yaw && before.look_pitch == after.look_pitch); // the last valid gaze is kept
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);

    // On an avatar without eye bones, angles for a single eye are refused, and the gaze rotates nothing.
    fixture_begin(&fix);
    const int32_t root = fixture_node_add(&fix, -1, "root", fixture_at(0, 0, 0));
    fixture_bone(&fix, VRM_HUMAN_BONE_HEAD, root, fixture_at(0, 1.5f, 0));
    avatar = fixture_finish(&fix);
    instance = fixture_instance(avatar);
    CHECK_INT(vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_LEFT_EYE, 0, 0), VRM_ERROR_NOT_FOUND);
    vrm_instance_set_look_at_target(instance, &good);
    vrm_update_dt(instance, 0.01f);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Expression type: the outer map applies to both sides, and the opposite expression is 0.
static void expression_type(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    const uint32_t up = fixture_expression(&fix, VRM_EXPRESSION_PRESET_LOOK_UP, NULL);
    const uint32_t down = fixture_expression(&fix, VRM_EXPRESSION_PRESET_LOOK_DOWN, NULL);
    const uint32_t left = fixture_expression(&fix, VRM_EXPRESSION_PRESET_LOOK_LEFT, NULL);
    const uint32_t right = fixture_expression(&fix, VRM_EXPRESSION_PRESET_LOOK_RIGHT, NULL);
    vrmi_look_at_row *look = &fix.builder.head.look_at;
    look->type = VRM_LOOK_AT_EXPRESSION;
    look->horizontal_inner = map_of(90, 0.1);
    look->horizontal_outer = map_of(60, 1.0);
    look->vertical_down = map_of(30, 0.8);
    look->vertical_up = map_of(40, 0.5);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const struct {
        double yaw, pitch, up, down, left, right;
    } table[] = {
        {30, 0, 0, 0, 0.5, 0}, {-30, 0, 0, 0, 0, 0.5}, {-90, 15, 0, 0.4, 0, 1}, {10, -20, 0.25, 0, 1.0 / 6, 0}};
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); ++i) {
        vrm_instance_set_look_at_angles(instance, (float)(table[i].yaw * degree), (float)(table[i].pitch * degree));
        vrm_update_dt(instance, 0.01f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        CHECK_NEAR(out.expressions[up].applied, table[i].up, 1e-6);
        CHECK_NEAR(out.expressions[down].applied, table[i].down, 1e-6);
        CHECK_NEAR(out.expressions[left].applied, table[i].left, 1e-6);
        CHECK_NEAR(out.expressions[right].applied, table[i].right, 1e-6);
        vrm_node eye = {.struct_size = sizeof eye};
        vrm_avatar_get_node(avatar, node_of(VRM_HUMAN_BONE_LEFT_EYE), &eye);
        const vrm_transform shown = pose_of(instance, node_of(VRM_HUMAN_BONE_LEFT_EYE));
        CHECK(memcmp(&shown, &eye.rest, sizeof(shown)) == 0);
    }
    vrm_instance_clear_look_at(instance);
    vrm_update_dt(instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    CHECK(out.expressions[left].applied == 0.0f && out.expressions[up].applied == 0.0f);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// overrideLookAt also reduces a gaze by bones in the same frame.
static void overridden_gaze(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    const uint32_t happy = fixture_expression(&fix, VRM_EXPRESSION_PRESET_HAPPY, NULL);
    fixture_last_expression(&fix)->overrides[VRM_EXPRESSION_GROUP_LOOK_AT] = VRM_EXPRESSION_OVERRIDE_BLEND;
    const uint32_t angry = fixture_expression(&fix, VRM_EXPRESSION_PRESET_ANGRY, NULL);
    fixture_last_expression(&fix)->overrides[VRM_EXPRESSION_GROUP_LOOK_AT] = VRM_EXPRESSION_OVERRIDE_BLOCK;
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const ref_quat none = {{0, 0, 0, 1}};
    vrm_instance_set_look_at_angles(instance, (float)(45 * degree), 0.0f); // 45 of 90 degrees give 5 degrees
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, happy, 0.6f);
    vrm_update_dt(instance, 0.01f);
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_LEFT_EYE, none),
              ref_axis_angle(ref_v(0, 1, 0), 0.4 * 5 * degree)) < 2e-6);
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, angry, 0.01f);
    vrm_update_dt(instance, 0.01f);
    CHECK(ref_angle(eye_turn(avatar, instance, VRM_HUMAN_BONE_LEFT_EYE, none), none) < 2e-6);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    CHECK_NEAR(out.look_yaw, 45 * degree, 1e-6); // the reported gaze does not change
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {{"gaze_against_double", gaze_against_double}, {"signs", signs}, {"mirror", mirror},
    {"angles_zero_rule_and_own_eyes", angles_zero_rule_and_own_eyes}, {"far_targets", far_targets},
    {"refused", refused}, {"expression_type", expression_type}, {"overridden_gaze", overridden_gaze}};

RUN_TESTS(cases)
