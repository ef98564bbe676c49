// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

// Measures how fast this processor could compute a spring joint if no operation waited for a result. The operations are
// counted from the formulas (docs/performance.md). They run in eight lanes, all in registers, independent of each
// other.

typedef struct limit_mix {
    int simple; // additions, products, comparisons and selections for a joint with four capsules
    int slow;   // divisions and square roots
    const char *path;
} limit_mix;

// Returns the nanoseconds per joint.
double limit_ns_per_joint(limit_mix *out_mix);

#endif
