// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_TEST_RANDOM_H
#define TESTS_TEST_RANDOM_H

// Seeded random numbers for tests (splitmix64): the same on every machine.

#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

static inline test_random test_random_make(uint64_t seed)
{
    return (test_random){seed * 0x9E3779B97F4A7C15u + 1u};
}

static inline uint64_t test_random_bits(test_random *random)
{
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// In [low, high).
static inline float test_random_float(test_random *random, float low, float high)
{
    return low + (high - low) * ((float)(test_random_bits(random) >> 40) * (1.0f / 16777216.0f));
}

// In [0, count).
static inline uint32_t test_random_below(test_random *random, uint32_t count)
{
    return (uint32_t)(test_random_bits(random) % count);
}

#endif
