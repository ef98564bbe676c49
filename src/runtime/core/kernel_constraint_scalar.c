// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The constraint kernel in plain C: eight lanes as arrays, or with VRM_LANES=ONE one constraint after the other. Also
// selects the kernel of a path.

#if defined(VRM_LANES_ONE)
#include "math/real_one.h"
#else
#define VRMI_SIMD_SCALAR
#include "math/real_eight.h"
#endif

#define VRMI_CONSTRAINT_KERNEL void vrmi_constraint_kernel_scalar

#include "runtime/core/kernel_constraint_body.h"

vrmi_constraint_kernel *vrmi_constraint_kernel_of(uint32_t path)
{
    vrmi_constraint_kernel *kernel = path == VRMI_LANES_AVX2 ? vrmi_constraint_kernel_avx2() : NULL;
    if (kernel == NULL && path >= VRMI_LANES_FOUR) {
        kernel = vrmi_constraint_kernel_four();
    }
    return kernel != NULL ? kernel : vrmi_constraint_kernel_scalar;
}
