// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The constraint kernel with eight lanes as two registers of four. Available on every x86-64 and 64-bit ARM processor,
// and in WebAssembly built for SIMD.

#include "runtime/core/kernel_constraint.h"

#include "math/real_eight.h"

#if defined(VRMI_SIMD_FOUR) && !defined(VRM_LANES_FOUR)

#define VRMI_CONSTRAINT_KERNEL static void kernel

#include "runtime/core/kernel_constraint_body.h"

vrmi_constraint_kernel *vrmi_constraint_kernel_four(void)
{
    return kernel;
}

#else

vrmi_constraint_kernel *vrmi_constraint_kernel_four(void)
{
    return NULL;
}

#endif
