// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The spring kernels with eight lanes in one register. Compiled for AVX2, and used if cpuid reports AVX2.

#include "runtime/spring/spring_step.h"

#include "math/real_eight.h"

#if !defined(VRM_LANES_SCALAR) && defined(__AVX2__)

#define VRMI_SPRING_KERNELS static const vrmi_spring_kernels table

#include "runtime/spring/kernel_spring_body.h"
#define TABLE &table

#else
#define TABLE NULL
#endif

const vrmi_spring_kernels *vrmi_spring_kernels_avx2(void)
{
    return TABLE;
}
