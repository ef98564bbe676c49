// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

// How fast this processor computes a spring joint when nothing waits for a result: the operations counted from the
// formulas (docs/performance.md), in eight lanes, all in registers, independent of each other.

typedef struct limit_mix {
    int simple; // additions, products, comparisons, selections for a joint with four capsules
    int slow;   // divisions and square roots
    const char *path;
} limit_mix;

// Nanoseconds per joint.
double limit_ns_per_joint(limit_mix *out_mix);

#endif
