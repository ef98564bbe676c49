// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Functions are compared with libm in double, and with their algebraic properties.

#include "math/mat34.h"
#include "math/real_eight.h"
#include "math/real_vector.h" // after real_eight.h, which defines the width
#include "test.h"
#include "test_random.h"

#include <math.h>

static void sincos_equals_libm(void)
{
    test_random random = test_random_make(1);
    for (int i = 0; i < 200000; ++i) {
        const float x = test_random_float(&random, -1000.0f, 1000.0f);
        float s, c;
        vrmi_sincos(x, &s, &c);
        CHECK_NEAR(s, sin((double)x), 1e-7);
        CHECK_NEAR(c, cos((double)x), 1e-7);
    }
    float s, c;
    vrmi_sincos(NAN, &s, &c);
    CHECK(isnan(s) && isnan(c));
    vrmi_sincos(0.0f, &s, &c);
    CHECK(s == 0.0f && c == 1.0f);
}

static void arc_functions_equal_libm(void)
{
    test_random random = test_random_make(2);
    for (int i = 0; i < 200000; ++i) {
        const float y = test_random_float(&random, -2.0f, 2.0f), x = test_random_float(&random, -2.0f, 2.0f);
        CHECK_NEAR(vrmi_atan2(y, x), atan2((double)y, (double)x), 2.5e-7);
        const float u = test_random_float(&random, -1.0f, 1.0f);
        CHECK_NEAR(vrmi_acos(u), acos((double)u), 2.5e-7);
        CHECK_NEAR(vrmi_asin(u), asin((double)u), 2.5e-7);
    }
    CHECK(vrmi_atan2(0.0f, 0.0f) == 0.0f);
    CHECK_NEAR(vrmi_atan2(0.0f, -1.0f), 3.14159265358979, 1e-7);
    CHECK_NEAR(vrmi_acos(-2.0f), 3.14159265358979, 1e-7);
    CHECK_NEAR(vrmi_asin(2.0f), 1.57079632679490, 1e-7);
}

static void exp_equals_libm(void)
{
    test_random random = test_random_make(3);
    for (int i = 0; i < 100000; ++i) {
        const float x = test_random_float(&random, -80.0f, 80.0f);
        CHECK_NEAR(vrmi_exp(x) / exp((double)x), 1.0, 1e-6);
    }
    CHECK(vrmi_exp(-1000.0f) == 0.0f);
    CHECK(vrmi_exp(1000.0f) > 1e38f && isfinite(vrmi_exp(1000.0f)));
    CHECK(vrmi_exp(0.0f) == 1.0f);
}

static vrm_quat random_quat(test_random *random)
{
    return vrmi_quat_normalize((vrm_quat){test_random_float(random, -1, 1), test_random_float(random, -1, 1),
        test_random_float(random, -1, 1), test_random_float(random, -1, 1)});
}

static vrm_vec3 random_unit(test_random *random)
{
    return vrmi_quat_rotate(random_quat(random), vrmi_vec3(0, 0, 1));
}

static void check_vec3(vrm_vec3 a, vrm_vec3 b, double tolerance)
{
    CHECK_NEAR(a.x, b.x, tolerance);
    CHECK_NEAR(a.y, b.y, tolerance);
    CHECK_NEAR(a.z, b.z, tolerance);
}

static void from_to_turns_one_onto_the_other(void)
{
    test_random random = test_random_make(4);
    for (int i = 0; i < 20000; ++i) {
        const vrm_vec3 a = random_unit(&random);
        vrm_vec3 b = random_unit(&random);
        if (i % 4 == 0) { // nearly opposite vectors, where rounding matters
            b = vrmi_vec3_normalize_or(
                vrmi_vec3_add(vrmi_vec3_scale(a, -1.0f), vrmi_vec3_scale(b, 1e-4f)), vrmi_vec3(1, 0, 0));
        }
        check_vec3(vrmi_quat_rotate(vrmi_quat_from_to(a, b), a), b, 1e-5);
    }
    const vrm_quat flip = vrmi_quat_from_to(vrmi_vec3(0, 1, 0), vrmi_vec3(0, -1, 0));
    CHECK(flip.x == 1.0f && flip.y == 0.0f && flip.z == 0.0f && flip.w == 0.0f);
    check_vec3(vrmi_quat_rotate(vrmi_quat_from_to(vrmi_vec3(1, 0, 0), vrmi_vec3(-1, 0, 0)), vrmi_vec3(1, 0, 0)),
        vrmi_vec3(-1, 0, 0), 1e-6);
}

static void slerp_turns_evenly(void)
{
    test_random random = test_random_make(5);
    for (int i = 0; i < 20000; ++i) {
        const vrm_vec3 axis = random_unit(&random);
        const vrm_quat start = random_quat(&random);
        const float angle = test_random_float(&random, 0.0f, 3.1f), t = test_random_float(&random, 0.0f, 1.0f);
        vrm_quat end = vrmi_quat_mul(vrmi_quat_from_axis_angle(axis, angle), start);
        if (i % 2 == 0) {
            // The negated quaternion is the same rotation, so slerp must still take the shorter way.
            end = (vrm_quat){-end.x, -end.y, -end.z, -end.w};
        }
        const vrm_quat expected = vrmi_quat_mul(vrmi_quat_from_axis_angle(axis, angle * t), start);
        CHECK_NEAR(fabs((double)vrmi_quat_dot(vrmi_quat_slerp(start, end, t), expected)), 1.0, 1e-6);
    }
}

static q4 gather(const vrm_quat q[WIDTH])
{
    const float *places[WIDTH];
    for (int i = 0; i < WIDTH; ++i) {
        places[i] = &q[i].x;
    }
    return load_rows(places, 0);
}

static void check_lanes(q4 got, const vrm_quat expected[WIDTH])
{
    vrm_quat lanes[WIDTH];
    float *places[WIDTH];
    for (int i = 0; i < WIDTH; ++i) {
        places[i] = &lanes[i].x;
    }
    store_rows(places, 0, got);
    CHECK(memcmp(lanes, expected, sizeof lanes) == 0);
}

// Lanes give the same bits as quat.h, whatever the other lanes contain: also for invalid rotations and half turns.
static void lanes_are_quats(void)
{
    test_random random = test_random_make(6);
    for (int n = 0; n < 4000; ++n) {
        vrm_quat a[WIDTH], b[WIDTH], turns[WIDTH], units[WIDTH], products[WIDTH], swings[WIDTH];
        float axes[3 * WIDTH];
        for (int i = 0; i < WIDTH; ++i) {
            const float kind = test_random_float(&random, 0.0f, 1.0f), size = kind < 0.9f ? 3.0f : 1e19f;
            a[i] = random_quat(&random);
            b[i] = kind < 0.1f ? (vrm_quat){0, 0, 0, 0} : (kind < 0.2f ? (vrm_quat){0, 1, 0, 0} : random_quat(&random));
            b[i] = (vrm_quat){b[i].x * size, b[i].y * size, b[i].z * size, kind > 0.3f && kind < 0.32f ? NAN : b[i].w};
            const vrm_vec3 axis = kind < 0.3f ? vrmi_vec3(1, 0, 0) : random_unit(&random);
            vrm_quat turn = kind < 0.2f ? (vrm_quat){0, 1, 0, 0} : a[i];
            turn.y = kind > 0.99f ? NAN : turn.y;
            const vrm_vec3 to = vrmi_vec3_normalize_or(vrmi_quat_rotate(turn, axis), axis);
            for (int k = 0; k < 3; ++k) {
                axes[k * WIDTH + i] = (&axis.x)[k];
            }
            units[i] = vrmi_quat_normalize(b[i]);
            products[i] = vrmi_quat_mul(vrmi_quat_conjugate(a[i]), units[i]);
            swings[i] = vrmi_quat_from_to(axis, to);
            turns[i] = turn;
        }
        const v3 axis = load3(axes);
        check_lanes(q4_normalize(gather(b)), units);
        check_lanes(q4_mul(q4_conjugate(gather(a)), gather(units)), products);
        check_lanes(q4_from_to(axis, v3_normalize_or(q4_rotate(gather(turns), axis), axis)), swings);
    }
}

static void yaw_pitch_is_intrinsic_yxz(void)
{
    test_random random = test_random_make(6);
    for (int i = 0; i < 1000; ++i) {
        const float yaw = test_random_float(&random, -3, 3), pitch = test_random_float(&random, -1.5f, 1.5f);
        const vrm_quat expected = vrmi_quat_mul(
            vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), yaw), vrmi_quat_from_axis_angle(vrmi_vec3(1, 0, 0), pitch));
        CHECK_NEAR(vrmi_quat_dot(vrmi_quat_from_yaw_pitch(yaw, pitch), expected), 1.0, 1e-6);
    }
}

static void matrices_agree_with_transforms(void)
{
    test_random random = test_random_make(7);
    for (int i = 0; i < 5000; ++i) {
        vrm_transform t = {vrmi_vec3(test_random_float(&random, -5, 5), test_random_float(&random, -5, 5),
                               test_random_float(&random, -5, 5)),
            random_quat(&random),
            vrmi_vec3(test_random_float(&random, 0.2f, 3), test_random_float(&random, 0.2f, 3),
                test_random_float(&random, 0.2f, 3))};
        if (i % 3 == 0) {
            t.scale.x = -t.scale.x;
        }
        vrm_mat34 m, inverse, product;
        vrmi_mat34_from_transform(&t, &m);
        const vrm_vec3 p = random_unit(&random);
        const vrm_vec3 expected = vrmi_vec3_add(vrmi_quat_rotate(t.rotation, vrmi_vec3_mul(t.scale, p)), t.translation);
        check_vec3(vrmi_mat34_point(&m, p), expected, 2e-6);

        CHECK(vrmi_mat34_invert(&m, &inverse));
        vrmi_mat34_mul(&m, &inverse, &product);
        check_vec3(vrmi_mat34_point(&product, p), p, 2e-5);

        vrm_transform back;
        CHECK(vrmi_mat34_decompose(&m, &back));
        vrm_mat34 again;
        vrmi_mat34_from_transform(&back, &again);
        check_vec3(vrmi_mat34_point(&again, p), expected, 2e-5);
        const float largest = vrmi_max(vrmi_abs(t.scale.x), vrmi_max(t.scale.y, t.scale.z));
        CHECK_NEAR(vrmi_mat34_max_scale(&m), largest, 1e-5);
    }
    const vrm_mat34 flat = {{{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}}};
    const vrm_mat34 sheared = {{{1, 0.5f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    vrm_mat34 inverse;
    vrm_transform t;
    CHECK(!vrmi_mat34_invert(&flat, &inverse));
    CHECK(!vrmi_mat34_decompose(&flat, &t));
    CHECK(!vrmi_mat34_decompose(&sheared, &t));
}

static const test_case cases[] = {
    {"sincos_equals_libm", sincos_equals_libm},
    {"arc_functions_equal_libm", arc_functions_equal_libm},
    {"exp_equals_libm", exp_equals_libm},
    {"from_to_turns_one_onto_the_other", from_to_turns_one_onto_the_other},
    {"slerp_turns_evenly", slerp_turns_evenly},
    {"lanes_are_quats", lanes_are_quats},
    {"yaw_pitch_is_intrinsic_yxz", yaw_pitch_is_intrinsic_yxz},
    {"matrices_agree_with_transforms", matrices_agree_with_transforms},
};
RUN_TESTS(cases)
