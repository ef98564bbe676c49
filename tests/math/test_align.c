// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Rotates a bone by two directions: the bone points in the requested direction, and its hinge is as close as possible
// to the requested hinge.

#include "math/align.h"
#include "math/quat.h"
#include "test.h"
#include "test_random.h"

static vrm_vec3 any_unit(test_random *random)
{
    const vrm_vec3 v = {test_random_float(random, -1.0f, 1.0f), test_random_float(random, -1.0f, 1.0f),
        test_random_float(random, -1.0f, 1.0f)};
    return vrmi_vec3_normalize_or(v, vrmi_vec3(0.0f, 1.0f, 0.0f));
}

static void an_aligned_bone_points_and_bends_as_asked(void)
{
    test_random random = {7};
    for (int i = 0; i < 500; ++i) {
        const vrm_vec3 from = any_unit(&random), to = any_unit(&random), asked = any_unit(&random);
        const vrm_vec3 hinge =
            vrmi_vec3_normalize_or(vrmi_vec3_across(any_unit(&random), from), vrmi_vec3(1.0f, 0.0f, 0.0f));
        const vrm_quat turn = vrmi_align(from, hinge, to, asked);
        CHECK_NEAR(vrmi_vec3_dot(vrmi_quat_rotate(turn, from), to), 1.0, 1e-4);
        // A hinge perpendicular to the bone stays perpendicular, in the direction nearest to `asked`.
        const vrm_vec3 nearest = vrmi_vec3_across(asked, to);
        const double left = (double)vrmi_vec3_length(nearest);
        if (left > 0.05) {
            CHECK_NEAR((double)vrmi_vec3_dot(vrmi_quat_rotate(turn, hinge), nearest) / left, 1.0, 1e-3);
        }
    }
}

static void an_angle_about_an_axis_is_what_turns_one_vector_to_the_other(void)
{
    test_random random = {8};
    for (int i = 0; i < 500; ++i) {
        const vrm_vec3 axis = any_unit(&random), from = vrmi_vec3_across(any_unit(&random), axis);
        const float angle = test_random_float(&random, -3.0f, 3.0f);
        const vrm_vec3 to = vrmi_quat_rotate(vrmi_quat_from_axis_angle(axis, angle), from);
        CHECK_NEAR(vrmi_vec3_dot(from, axis), 0.0, 1e-6);
        if (vrmi_vec3_length(from) > 0.05f) {
            CHECK_NEAR(vrmi_angle_about(axis, from, to), angle, 1e-4);
        }
    }
}

static const test_case cases[] = {
    {"an_aligned_bone_points_and_bends_as_asked", an_aligned_bone_points_and_bends_as_asked},
    {"an_angle_about_an_axis_is_what_turns_one_vector_to_the_other",
        an_angle_about_an_axis_is_what_turns_one_vector_to_the_other},
};

RUN_TESTS(cases)
