// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A leg whose knee is a hinge: the ankle's position and the shank's axis, computed by plain geometry.

#include "math/hinge_leg.h"
#include "math/quat.h"
#include "test.h"
#include "test_random.h"

static vrm_vec3 any(test_random *random, float size)
{
    return vrmi_vec3(test_random_float(random, -size, size), test_random_float(random, -size, size),
        test_random_float(random, -size, size));
}

// Returns a leg bent by 2 to 60 degrees, whose axis is up to a tenth off the perpendicular.
static vrmi_hinge_leg leg_of(test_random *random)
{
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f};
    vrmi_hinge_leg leg = {.hip = any(random, 1.0f)};
    const vrm_quat turn = vrmi_quat_from_vector(any(random, 0.3f));
    leg.axis = vrmi_vec3_normalize_or(vrmi_quat_rotate(turn, vrmi_vec3_add(x, any(random, 0.1f))), x);
    leg.knee = vrmi_vec3_add(leg.hip, vrmi_quat_rotate(turn, vrmi_vec3(0.0f, -0.42f, 0.0f)));
    const vrm_quat bent = vrmi_quat_from_axis_angle(x, test_random_float(random, 0.04f, 1.05f));
    const vrm_vec3 shank = vrmi_quat_rotate(bent, vrmi_vec3(0.0f, -0.4f, 0.0f));
    leg.ankle = vrmi_vec3_add(leg.knee, vrmi_quat_rotate(turn, shank));
    return leg;
}

static void place(const vrmi_hinge_leg *leg, vrm_vec3 *knee, vrm_vec3 *ankle, vrm_quat *bend)
{
    vrm_quat whole;
    vrmi_hinge_leg_solve(leg, bend, &whole);
    const vrm_vec3 thigh = vrmi_vec3_sub(leg->knee, leg->hip), shank = vrmi_vec3_sub(leg->ankle, leg->knee);
    *knee = vrmi_vec3_add(leg->hip, vrmi_quat_rotate(whole, thigh));
    *ankle = vrmi_vec3_add(*knee, vrmi_quat_rotate(whole, vrmi_quat_rotate(*bend, shank)));
}

static void the_ankle_meets_the_target_and_the_knee_turns_as_a_hinge(void)
{
    test_random random = test_random_make(7);
    for (int i = 0; i < 300; ++i) {
        vrmi_hinge_leg leg = leg_of(&random);
        const vrm_vec3 down = {test_random_float(&random, -0.35f, 0.35f), test_random_float(&random, -0.7f, -0.4f),
            test_random_float(&random, -0.35f, 0.35f)};
        leg.target = vrmi_vec3_add(leg.hip, down);
        vrm_vec3 knee, ankle;
        vrm_quat bend;
        place(&leg, &knee, &ankle, &bend);
        const float far = vrmi_vec3_length(down);
        if (far < 0.78f) {
            CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(ankle, leg.target)), 0.0, 1e-4);
        }
        const vrm_vec3 about = vrmi_quat_to_vector(bend);
        CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_cross(about, leg.axis)), 0.0, 1e-5);
        // The knee is in front of the line from hip to ankle, on the side that the axis gives.
        const vrm_vec3 ahead = vrmi_vec3_cross(leg.axis, vrmi_vec3_scale(down, -1.0f));
        CHECK(far > 0.78f || vrmi_vec3_dot(vrmi_vec3_sub(knee, leg.hip), ahead) > 0.0f);
    }
}

static void a_target_in_place_turns_nothing(void)
{
    test_random random = test_random_make(8);
    for (int i = 0; i < 100; ++i) {
        vrmi_hinge_leg leg = leg_of(&random);
        leg.target = leg.ankle;
        vrm_quat bend, whole;
        vrmi_hinge_leg_solve(&leg, &bend, &whole);
        CHECK_NEAR(vrmi_vec3_length(vrmi_quat_to_vector(bend)), 0.0, 2e-3);
        CHECK_NEAR(vrmi_vec3_length(vrmi_quat_to_vector(whole)), 0.0, 2e-3);
    }
}

static void a_target_out_of_reach_is_pointed_at(void)
{
    test_random random = test_random_make(9);
    for (int i = 0; i < 100; ++i) {
        vrmi_hinge_leg leg = leg_of(&random);
        const vrm_vec3 way = {test_random_float(&random, -1.0f, 1.0f), -1.5f, test_random_float(&random, -1.0f, 1.0f)};
        leg.target = vrmi_vec3_add(leg.hip, way);
        vrm_vec3 knee, ankle;
        vrm_quat bend;
        place(&leg, &knee, &ankle, &bend);
        const vrm_vec3 got = vrmi_vec3_sub(ankle, leg.hip);
        CHECK(vrmi_vec3_length(got) > 0.81f);
        CHECK_NEAR(vrmi_vec3_dot(got, way) / (vrmi_vec3_length(got) * vrmi_vec3_length(way)), 1.0, 1e-5);
    }
}

static const test_case cases[] = {
    {"the_ankle_meets_the_target_and_the_knee_turns_as_a_hinge",
        the_ankle_meets_the_target_and_the_knee_turns_as_a_hinge},
    {"a_target_in_place_turns_nothing", a_target_in_place_turns_nothing},
    {"a_target_out_of_reach_is_pointed_at", a_target_out_of_reach_is_pointed_at},
};

RUN_TESTS(cases)
