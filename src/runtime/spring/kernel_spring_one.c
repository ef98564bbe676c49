// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The spring kernels with one lane, for a chain that is alone in its wave. Eight lanes take twice as long as one.

#include "math/real_one.h"

#define VRMI_SPRING_KERNELS const vrmi_spring_kernels vrmi_spring_kernels_one

#include "runtime/spring/kernel_spring_body.h"
