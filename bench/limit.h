// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

// How fast this processor does the arithmetic of a spring joint when nothing waits for anything: the operations counted
// from the formulas (docs/performance.md), eight lanes, all from registers, independent of each other.

typedef struct limit_mix {
    int simple; // additions, products, comparisons, selections of a joint with four capsules
    int slow;   // divisions and square roots
    const char *path;
} limit_mix;

// Nanoseconds a joint.
double limit_ns_per_joint(limit_mix *out_mix);

#endif
