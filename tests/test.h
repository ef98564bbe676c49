// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

// The whole test harness. A test file defines functions `static void <what>(void)`, lists them in
// `static const test_case cases[] = {{"what", what}, ...};` and ends with `RUN_TESTS(cases)`. A failed check prints file:line and both values and the run goes on; the exit code is 1
// when any failed, 77 (skipped) when every case was skipped. Arguments name the cases to run.

#include <stdio.h>
#include <string.h>

static int test_failures;
static int test_skipped;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            ++test_failures; \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
        } \
    } while (0)

#define CHECK_INT(actual, expected) \
    do { \
        const long long test_a = (long long)(actual), test_b = (long long)(expected); \
        if (test_a != test_b) { \
            ++test_failures; \
            printf("%s:%d: %s is %lld, expected %lld\n", __FILE__, __LINE__, #actual, test_a, test_b); \
        } \
    } while (0)

#define CHECK_NEAR(actual, expected, tolerance) \
    do { \
        const double test_a = (double)(actual), test_b = (double)(expected), test_d = test_a - test_b; \
        if (!((test_d < 0 ? -test_d : test_d) <= (double)(tolerance))) { \
            ++test_failures; \
            printf("%s:%d: %s is %.9g, expected %.9g within %g\n", __FILE__, __LINE__, #actual, test_a, test_b, \
                (double)(tolerance)); \
        } \
    } while (0)

#define CHECK_STRING(actual, expected) \
    do { \
        const char *test_a = (actual), *test_b = (expected); \
        if (test_a == NULL || strcmp(test_a, test_b) != 0) { \
            ++test_failures; \
            printf("%s:%d: %s is \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #actual, test_a ? test_a : "(null)", \
                test_b); \
        } \
    } while (0)

// Leaves the case as skipped, with the reason.
#define SKIP(reason) \
    do { \
        ++test_skipped; \
        printf("skipped: %s: %s\n", __func__, reason); \
        return; \
    } while (0)

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;

static inline int test_main(const test_case *cases, int count, int argc, char **argv)
{
    int ran = 0;
    for (int i = 0; i < count; ++i) {
        int wanted = argc < 2;
        for (int a = 1; a < argc; ++a) {
            wanted = wanted || strcmp(argv[a], cases[i].name) == 0;
        }
        if (wanted) {
            const int before = test_failures;
            cases[i].run();
            ++ran;
            if (test_failures != before) {
                printf("FAILED %s\n", cases[i].name);
            }
        }
    }
    printf("%d cases, %d failed checks, %d skipped\n", ran, test_failures, test_skipped);
    return test_failures != 0 ? 1 : (ran != 0 && test_skipped == ran ? 77 : 0);
}

#define RUN_TESTS(cases) \
    int main(int argc, char **argv) \
    { \
        return test_main(cases, (int)(sizeof(cases) / sizeof((cases)[0])), argc, argv); \
    }

#endif
