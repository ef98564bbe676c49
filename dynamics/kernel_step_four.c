// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Eight lanes in two registers of four, for every x86-64 and 64-bit ARM processor and for WebAssembly with SIMD.

#include "step.h"

#include "math/simd.h"

#if defined(VRMI_SIMD_FOUR) && !defined(VRM_LANES_FOUR)

#include "math/real_eight.h"

#define VRMI_STEP_KERNEL vrmi_step_four

#include "kernel_step_body.h"

#else

const vrmi_step_kernel vrmi_step_four = {0};

#endif
