// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The clip kernels with eight lanes in one register. Compiled for AVX2, and used if cpuid reports AVX2.

#include "runtime/clip/kernel_clip.h"

#include "math/real_eight.h"

#if !defined(VRM_LANES_SCALAR) && defined(__AVX2__)

#define VRMI_CLIP_KERNELS static const vrmi_clip_kernels table

#include "runtime/clip/kernel_clip_body.h"
#define TABLE &table

#else
#define TABLE NULL
#endif

const vrmi_clip_kernels *vrmi_clip_kernels_avx2(void)
{
    return TABLE;
}
