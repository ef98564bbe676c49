// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The kernel for a single ragdoll: each row is one number.

#include "math/real_one.h"

#define VRMI_STEP_KERNEL vrmi_step_one

#include "kernel_step_body.h"
