// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The matrix kernels with eight lanes as two registers of four. Available on every x86-64 and 64-bit ARM processor, and
// in WebAssembly built for SIMD.

#include "runtime/core/kernel_matrix.h"

#include "math/real_eight.h"

#if defined(VRMI_SIMD_FOUR) && !defined(VRM_LANES_FOUR)

#define VRMI_MATRIX_KERNELS static const vrmi_matrix_kernels table

#include "runtime/core/kernel_matrix_body.h"
#define TABLE &table

#else
#define TABLE NULL
#endif

const vrmi_matrix_kernels *vrmi_matrix_kernels_four(void)
{
    return TABLE;
}
