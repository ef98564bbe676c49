// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "limit.h"

#include "math/simd.h"
#include "timing.h"

enum { SIMPLE = 512, SLOW = 11, CHAINS = 12, TIMES = 20000, ROUNDS = 9 };

#if defined(__GNUC__) || defined(__clang__)
#define KEEP(x) __asm__ volatile("" : "+x"(x))
#else
#define KEEP(x) ((void)(x))
#endif

// Computes the operations of one joint in eight lanes, TIMES times. Dependent operations are so far apart that each
// result is ready when it is needed. The slow operations have their own unit and run in parallel.
static double run(vrmi_f8 *sink)
{
    vrmi_f8 c[CHAINS], slow[2] = {vrmi_f8_all(1.5f), vrmi_f8_all(2.5f)};
    const vrmi_f8 factor = vrmi_f8_all(0.999f), term = vrmi_f8_all(0.001f);
    for (int i = 0; i < CHAINS; ++i) {
        c[i] = vrmi_f8_all(1.0f + 0.1f * (float)i);
    }
    const double start = elapsed_seconds();
    for (int time = 0; time < TIMES; ++time) {
        int slow_left = SLOW;
        for (int done = 0; done < SIMPLE; done += 2 * CHAINS) {
            for (int i = 0; i < CHAINS; ++i) {
                c[i] = vrmi_f8_add(vrmi_f8_mul(c[i], factor), term);
            }
            if (slow_left > 0) {
                vrmi_f8 *x = &slow[slow_left & 1];
                *x = (slow_left & 3) == 3 ? vrmi_f8_div(factor, *x) : vrmi_f8_sqrt(*x);
                --slow_left;
            }
        }
        for (int i = 0; i < CHAINS; ++i) {
            KEEP(c[i]);
        }
        KEEP(slow[0]);
        KEEP(slow[1]);
    }
    const double seconds = elapsed_seconds() - start;
    *sink = vrmi_f8_add(slow[0], slow[1]);
    for (int i = 0; i < CHAINS; ++i) {
        *sink = vrmi_f8_add(*sink, c[i]);
    }
    return seconds;
}

double limit_ns_per_joint(limit_mix *out_mix)
{
    *out_mix = (limit_mix){SIMPLE, SLOW, "plain C"};
#if defined(__AVX2__)
    out_mix->path = "AVX2";
#elif defined(__SSE2__)
    out_mix->path = "SSE2";
#endif
    double best = 1e9;
    vrmi_f8 sink;
    for (int round = 0; round < ROUNDS; ++round) {
        const double seconds = run(&sink);
        best = seconds < best ? seconds : best;
    }
    float out[VRMI_LANES];
    vrmi_f8_store(out, sink);
    const double rounds = (SIMPLE + 2 * CHAINS - 1) / (2 * CHAINS) * (2.0 * CHAINS) / SIMPLE;
    return best * 1e9 / TIMES / VRMI_LANES / rounds + (out[0] == 12345.0f ? 1.0 : 0.0);
}
