// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The plain twin: eight lanes as arrays.

#define VRMI_SIMD_SCALAR
#define VRMI_SPRING_GROUP vrmi_spring_group_scalar
#define VRMI_SPRING_DRIVERS vrmi_spring_drivers_scalar
#define VRMI_SPRING_COLLIDERS vrmi_spring_colliders_scalar

#include "runtime/kernel_place_body.h"
#include "runtime/kernel_spring_body.h"
