// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SPRING_PATHS_H
#define TESTS_SPRING_PATHS_H

#include "runtime/spring/spring_group.h"

// Has this build, and this processor, the path?
static inline bool spring_path_runs(uint32_t path)
{
    return path < VRMI_LANES_FOUR || (path == VRMI_LANES_FOUR && vrmi_spring_kernels_four() != NULL) ||
           (path == VRMI_LANES_AVX2 && vrmi_spring_best_path() == VRMI_LANES_AVX2);
}

#endif
