// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A step of step.h. This file is included once for each kernel, after real_one.h or real_eight.h, with the kernel's
// name in VRMI_STEP_KERNEL. Each of the files below uses the ones before it.

#include "step.h"

#include "math/real_vector.h"

#define VRMI_ART_KERNEL solve

#include "math/articulated_body.h"

#include "kernel_prepare_body.h"

#include "kernel_bound_body.h"

#include "kernel_integrate_body.h"

const vrmi_step_kernel VRMI_STEP_KERNEL = {
    WIDTH, admit, aim, spin, prepare, bound, remember, meet, overlap, solve, integrate};
