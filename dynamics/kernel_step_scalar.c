// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The kernel without SIMD: eight lanes as arrays. Also chooses the kernel for the processor.

#define VRMI_SIMD_SCALAR
#include "math/real_eight.h"

#define VRMI_STEP_KERNEL vrmi_step_scalar_lanes

#include "kernel_step_body.h"

#include "math/cpu.h"

const vrmi_step_kernel *vrmi_step_lanes(vrmi_step_path path)
{
    const vrmi_step_kernel *avx2 = vrmi_step_avx2.lanes != 0 && vrmi_cpu_has_avx2() ? &vrmi_step_avx2 : NULL;
    const vrmi_step_kernel *four = vrmi_step_four.lanes != 0 ? &vrmi_step_four : NULL;
    switch (path) {
    case VRMI_STEP_PATH_AVX2:
        return avx2;
    case VRMI_STEP_PATH_FOUR:
        return four;
    case VRMI_STEP_PATH_BEST:
        return avx2 != NULL ? avx2 : four;
    default:
        return &vrmi_step_scalar_lanes;
    }
}
