// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The clip kernels with eight lanes as two registers of four. Available on every x86-64 and 64-bit ARM processor, and
// in WebAssembly built for SIMD.

#include "runtime/clip/kernel_clip.h"

#include "math/real_eight.h"

#if defined(VRMI_SIMD_FOUR) && !defined(VRM_LANES_FOUR)

#define VRMI_CLIP_KERNELS static const vrmi_clip_kernels table

#include "runtime/clip/kernel_clip_body.h"
#define TABLE &table

#else
#define TABLE NULL
#endif

const vrmi_clip_kernels *vrmi_clip_kernels_four(void)
{
    return TABLE;
}
