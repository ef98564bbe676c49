// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Eight lanes in one register. The build compiles this file for AVX2; it is used only if cpuid reports AVX2.

#include "step.h"

#if !defined(VRM_LANES_SCALAR) && defined(__AVX2__)

#include "math/real_eight.h"

#define VRMI_STEP_KERNEL vrmi_step_avx2

#include "kernel_step_body.h"

#else

const vrmi_step_kernel vrmi_step_avx2 = {0};

#endif
