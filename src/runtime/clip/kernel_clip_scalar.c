// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The clip kernels in plain C, with eight lanes as arrays. Also selects the kernels for the processor.

#define VRMI_SIMD_SCALAR
#include "math/real_eight.h"

#define VRMI_CLIP_KERNELS const vrmi_clip_kernels vrmi_clip_kernels_scalar

#include "runtime/clip/kernel_clip_body.h"

#include "math/cpu.h"

const vrmi_clip_kernels *vrmi_clip_kernels_best(void)
{
    if (vrmi_clip_kernels_avx2() != NULL && vrmi_cpu_has_avx2()) {
        return vrmi_clip_kernels_avx2();
    }
    return vrmi_clip_kernels_four() != NULL ? vrmi_clip_kernels_four() : &vrmi_clip_kernels_scalar;
}
