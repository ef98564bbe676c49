// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The matrix kernels with eight lanes in one register. Compiled for AVX2, and used if cpuid reports AVX2.

#include "runtime/core/kernel_matrix.h"

#include "math/real_eight.h"

#if !defined(VRM_LANES_SCALAR) && defined(__AVX2__)

#define VRMI_MATRIX_KERNELS static const vrmi_matrix_kernels table

#include "runtime/core/kernel_matrix_body.h"
#define TABLE &table

#else
#define TABLE NULL
#endif

const vrmi_matrix_kernels *vrmi_matrix_kernels_avx2(void)
{
    return TABLE;
}
