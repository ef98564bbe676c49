// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The matrix kernels in plain C, with eight lanes as arrays. Also selects the kernels of a path.

#define VRMI_SIMD_SCALAR
#include "math/real_eight.h"

#define VRMI_MATRIX_KERNELS const vrmi_matrix_kernels vrmi_matrix_kernels_scalar

#include "runtime/core/kernel_matrix_body.h"

#include "math/cpu.h"

uint32_t vrmi_lanes_best_path(void)
{
#if defined(VRM_LANES_ONE)
    return VRMI_LANES_ONE;
#endif
    if (vrmi_matrix_kernels_avx2() != NULL && vrmi_cpu_has_avx2()) {
        return VRMI_LANES_AVX2;
    }
    return vrmi_matrix_kernels_four() != NULL ? VRMI_LANES_FOUR : VRMI_LANES_SCALAR;
}

const vrmi_matrix_kernels *vrmi_matrix_kernels_of(uint32_t path)
{
    const vrmi_matrix_kernels *kernels = path == VRMI_LANES_AVX2 ? vrmi_matrix_kernels_avx2() : NULL;
    if (kernels == NULL && path >= VRMI_LANES_FOUR) {
        kernels = vrmi_matrix_kernels_four();
    }
    return kernels != NULL ? kernels : &vrmi_matrix_kernels_scalar;
}
