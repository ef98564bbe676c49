// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The constraint kernel with eight lanes in one register. Compiled for AVX2, and used if cpuid reports AVX2.

#include "runtime/core/kernel_constraint.h"

#include "math/real_eight.h"

#if !defined(VRM_LANES_SCALAR) && defined(__AVX2__)

#define VRMI_CONSTRAINT_KERNEL static void kernel

#include "runtime/core/kernel_constraint_body.h"

vrmi_constraint_kernel *vrmi_constraint_kernel_avx2(void)
{
    return kernel;
}

#else

vrmi_constraint_kernel *vrmi_constraint_kernel_avx2(void)
{
    return NULL;
}

#endif
