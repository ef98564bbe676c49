// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdlib.h>
#include <time.h>

#include "base/platform.h"

// Reads the monotonic clock, which takes 30 ns. Reading the process's own time would take 800 ns: it enters the
// operating system, and leaves caches and branch predictors colder than in a host's frame.
static inline double elapsed_seconds(void)
{
    return vrmi_platform_seconds();
}

// Returns the process time of all threads together.
static inline double process_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static inline int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Returns the median, and sorts the values.
static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

#endif
