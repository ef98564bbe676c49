// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_RANDOM_H
#define VRMI_MATH_RANDOM_H

// PCG32 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms"). Its 64 bits of
// state fit into a snapshot, and neighbouring seeds give unrelated sequences.

#include <stdint.h>

static inline uint32_t vrmi_random_next(uint64_t *state)
{
    const uint64_t old = *state;
    *state = old * 6364136223846793005u + 1442695040888963407u;
    const uint32_t mixed = (uint32_t)(((old >> 18u) ^ old) >> 27u);
    const uint32_t turn = (uint32_t)(old >> 59u);
    return (mixed >> turn) | (mixed << ((32u - turn) & 31u));
}

static inline uint64_t vrmi_random_seeded(uint32_t seed)
{
    uint64_t state = 0;
    vrmi_random_next(&state);
    state += seed;
    vrmi_random_next(&state);
    return state;
}

// In [0, 1).
static inline float vrmi_random_unit(uint64_t *state)
{
    return (float)(vrmi_random_next(state) >> 8) * (1.0f / 16777216.0f);
}

#endif
