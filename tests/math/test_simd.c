// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares simd.h on this build's processor with C's operators, in every lane: also for NaN, infinities, zeros of both
// signs and denormals.

#include "math/simd.h"

#include "test.h"

#include <math.h>

static const float values[] = {
    0.0f, -0.0f, 1.0f, -1.0f, 0.1f, -3.7e5f, 1e-39f, -1e-39f, 1e38f, -1e38f, 1.17549435e-38f, INFINITY, -INFINITY, NAN};
enum { VALUES = sizeof(values) / sizeof(values[0]) };

// Returns true if both have the same bits, or if both are NaN, whose bits differ between processors.
static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void check(const char *what, vrmi_f8 result, const float a[8], const float b[8], const float expected[8])
{
    float lanes[8];
    vrmi_f8_store(lanes, result);
    for (int i = 0; i < 8; ++i) {
        if (!same(lanes[i], expected[i])) {
            printf("%s of %g and %g\n", what, (double)a[i], (double)b[i]);
        }
        CHECK(same(lanes[i], expected[i]));
    }
}

static void eight_at(const float a[8], const float b[8])
{
    const vrmi_f8 x = vrmi_f8_load(a), y = vrmi_f8_load(b);
    float add[8], sub[8], mul[8], quotient[8], least[8], most[8], root[8], negated[8], chosen[8];
    uint32_t less = 0, equal = 0;
    for (int i = 0; i < 8; ++i) {
        // volatile keeps the compiler from computing the result itself
        volatile float p = a[i], q = b[i];
        add[i] = p + q;
        sub[i] = p - q;
        mul[i] = p * q;
        quotient[i] = p / q;
        least[i] = p < q ? p : q;
        most[i] = p > q ? p : q;
        root[i] = sqrtf(p);
        negated[i] = -p;
        chosen[i] = p < q ? q : p;
        less |= (p < q ? 1u : 0u) << i;
        equal |= (p == q ? 1u : 0u) << i;
    }
    check("sum", vrmi_f8_add(x, y), a, b, add);
    check("difference", vrmi_f8_sub(x, y), a, b, sub);
    check("product", vrmi_f8_mul(x, y), a, b, mul);
    check("quotient", vrmi_f8_div(x, y), a, b, quotient);
    check("min", vrmi_f8_min(x, y), a, b, least);
    check("max", vrmi_f8_max(x, y), a, b, most);
    check("root", vrmi_f8_sqrt(x), a, b, root);
    check("negative", vrmi_f8_neg(x), a, b, negated);
    check("choice", vrmi_f8_select(vrmi_f8_lt(x, y), y, x), a, b, chosen);
    CHECK_INT(vrmi_m8_bits(vrmi_f8_lt(x, y)), less);
    CHECK_INT(vrmi_m8_bits(vrmi_f8_eq(x, y)), equal);
    CHECK_INT(vrmi_m8_bits(vrmi_m8_and(vrmi_f8_lt(x, y), vrmi_f8_eq(x, x))), less);
    CHECK_INT(vrmi_m8_bits(vrmi_m8_or(vrmi_f8_lt(x, y), vrmi_f8_eq(x, y))), less | equal);
}

static void operations(void)
{
    for (int i = 0; i < VALUES; ++i) {
        for (int k = 0; k < VALUES; ++k) {
            float a[8], b[8];
            for (int lane = 0; lane < 8; ++lane) { // each lane has another pair
                a[lane] = values[(i + lane) % VALUES];
                b[lane] = values[(k + 3 * lane) % VALUES];
            }
            eight_at(a, b);
        }
    }
}

static void lanes_in_order(void)
{
    const float expected[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    check("set", vrmi_f8_set(1, 2, 3, 4, 5, 6, 7, 8), expected, expected, expected);
    const float all[8] = {3, 3, 3, 3, 3, 3, 3, 3};
    check("all", vrmi_f8_all(3.0f), all, all, all);
    float four[4];
    vrmi_f4_store(four, vrmi_f4_add(vrmi_f4_mul(vrmi_f4_set(1, 2, 3, 4), vrmi_f4_all(2.0f)), vrmi_f4_load(expected)));
    CHECK(four[0] == 3.0f && four[1] == 6.0f && four[2] == 9.0f && four[3] == 12.0f);
#if defined(VRMI_SIMD_FOUR)
    printf("four lanes here: %s\n", VRMI_SIMD_FOUR);
#endif
}

static void rows_and_bits(void)
{
    float places[VRMI_LANES][5], back[VRMI_LANES][4], expected[4][VRMI_LANES];
    const float *from[VRMI_LANES];
    float *to[VRMI_LANES];
    for (int i = 0; i < VRMI_LANES; ++i) {
        for (int k = 0; k < 5; ++k) {
            places[i][k] = (float)(10 * i + k);
        }
        for (int k = 0; k < 4; ++k) {
            expected[k][i] = places[i][k + 1];
        }
        from[i] = places[i];
        to[i] = back[i];
    }
    vrmi_f8 columns[4];
    vrmi_f8_load_rows(from, 1, columns);
    for (int k = 0; k < 4; ++k) {
        check("rows", columns[k], expected[k], expected[k], expected[k]);
    }
    vrmi_f8_store_rows(to, 0, columns);
    for (int i = 0; i < VRMI_LANES; ++i) {
        CHECK(memcmp(back[i], places[i] + 1, sizeof back[i]) == 0);
    }
    for (uint32_t bits = 0; bits < 256; ++bits) {
        const vrmi_m8 mask = vrmi_m8_from_bits(bits);
        CHECK_INT(vrmi_m8_bits(mask), bits);
        float chosen[VRMI_LANES];
        vrmi_f8_store(chosen, vrmi_f8_select(mask, vrmi_f8_all(1.0f), vrmi_f8_all(0.0f)));
        for (uint32_t i = 0; i < VRMI_LANES; ++i) {
            CHECK(chosen[i] == (float)(bits >> i & 1u));
        }
    }
}

static const test_case cases[] = {
    {"operations", operations}, {"lanes_in_order", lanes_in_order}, {"rows_and_bits", rows_and_bits}};
RUN_TESTS(cases)
