// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The spring kernels in plain C, with eight lanes as arrays. Also selects the kernels of a path.

#if defined(VRM_LANES_ONE)

#include "runtime/spring/spring_step.h"

// Small builds run one chain at a time, because the springs in eight lanes take a quarter of the runtime's bytes.
const vrmi_spring_kernels *vrmi_spring_kernels_of(uint32_t path)
{
    (void)path;
    return vrmi_spring_kernels_one();
}

#else

#define VRMI_SIMD_SCALAR
#include "math/real_eight.h"

#define VRMI_SPRING_KERNELS const vrmi_spring_kernels vrmi_spring_kernels_scalar

#include "runtime/spring/kernel_spring_body.h"

const vrmi_spring_kernels *vrmi_spring_kernels_of(uint32_t path)
{
    const vrmi_spring_kernels *kernels = path == VRMI_LANES_AVX2 ? vrmi_spring_kernels_avx2() : NULL;
    if (kernels == NULL && path >= VRMI_LANES_FOUR) {
        kernels = vrmi_spring_kernels_four();
    }
    return kernels != NULL ? kernels : &vrmi_spring_kernels_scalar;
}

#endif
