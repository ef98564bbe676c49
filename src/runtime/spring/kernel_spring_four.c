// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The spring kernels with eight lanes as two registers of four. Available on every x86-64 and 64-bit ARM processor, and
// in WebAssembly built for SIMD.

#include "runtime/spring/spring_step.h"

#include "math/real_eight.h"

#if defined(VRMI_SIMD_FOUR) && !defined(VRM_LANES_FOUR)

#define VRMI_SPRING_KERNELS static const vrmi_spring_kernels table

#include "runtime/spring/kernel_spring_body.h"
#define TABLE &table

#else
#define TABLE NULL
#endif

const vrmi_spring_kernels *vrmi_spring_kernels_four(void)
{
    return TABLE;
}
