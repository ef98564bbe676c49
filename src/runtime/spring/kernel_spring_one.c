// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The spring kernels with one lane, for a chain that is alone in its wave. Eight lanes take twice as long as one.

#include "runtime/spring/spring_step.h"

#include "math/real_one.h"

#if !defined(VRM_LANES_FOUR) || defined(VRM_LANES_ONE)

#define VRMI_SPRING_KERNELS static const vrmi_spring_kernels table

#include "runtime/spring/kernel_spring_body.h"
#define TABLE &table

#else
#define TABLE NULL
#endif

const vrmi_spring_kernels *vrmi_spring_kernels_one(void)
{
    return TABLE;
}
