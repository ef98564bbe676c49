// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// One ragdoll: a row is one number.

#include "math/real_one.h"

#define VRMI_STEP_KERNEL vrmi_step_one

#include "kernel_step_body.h"
