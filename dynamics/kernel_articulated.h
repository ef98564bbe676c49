// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_DYNAMICS_KERNEL_ARTICULATED_H
#define VRMI_DYNAMICS_KERNEL_ARTICULATED_H

// The articulated-body algorithm (math/articulated.h) for eight ragdolls in lockstep.

#include "math/articulated.h"

enum { VRMI_ART_LANES = 8 };

typedef enum vrmi_art_path {
    VRMI_ART_PATH_SCALAR, // eight lanes as arrays: the twin of the others
    VRMI_ART_PATH_FOUR,
    VRMI_ART_PATH_AVX2,
    VRMI_ART_PATH_BEST // that the processor has; none where only the twin is left, which is slower than one by one
} vrmi_art_path;

vrmi_articulated_kernel vrmi_articulated_scalar_lanes;
vrmi_articulated_kernel vrmi_articulated_four;
vrmi_articulated_kernel vrmi_articulated_avx2;
// NULL where build or processor lack it.
vrmi_articulated_kernel *vrmi_articulated_lanes(vrmi_art_path path);
// False where the build has no such path.
bool vrmi_articulated_has_four(void);
bool vrmi_articulated_has_avx2(void);

#endif
