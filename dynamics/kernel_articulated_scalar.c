// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The plain twin: eight lanes as arrays. And the choice between the paths.

#define VRMI_SIMD_SCALAR
#define VRMI_ART_KERNEL vrmi_articulated_scalar_lanes

#include "kernel_articulated.h"
#include "math/cpu.h"

#include "kernel_articulated_body.h"

vrmi_articulated_kernel *vrmi_articulated_lanes(vrmi_art_path path)
{
    const bool avx2 = vrmi_articulated_has_avx2() && vrmi_cpu_has_avx2();
    switch (path) {
    case VRMI_ART_PATH_AVX2:
        return avx2 ? vrmi_articulated_avx2 : NULL;
    case VRMI_ART_PATH_FOUR:
        return vrmi_articulated_has_four() ? vrmi_articulated_four : NULL;
    case VRMI_ART_PATH_BEST:
        return avx2 ? vrmi_articulated_avx2 : vrmi_articulated_has_four() ? vrmi_articulated_four : NULL;
    default:
        return vrmi_articulated_scalar_lanes;
    }
}
