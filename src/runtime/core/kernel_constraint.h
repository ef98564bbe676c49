// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_CONSTRAINT_H
#define VRMI_RUNTIME_KERNEL_CONSTRAINT_H

#include "runtime/core/instance.h"

// Rotates the nodes of at most eight constraints of VRMC_node_constraint-1.0 that do not depend on each other: local
// rotations only. Roots, divisions and series of one constraint wait for each other, those of eight run side by side.
// The bits are those of quat.h on every path.
typedef void vrmi_constraint_kernel(
    vrm_instance *instance, const vrmi_constraint_row *const *constraints, uint32_t count);

vrmi_constraint_kernel vrmi_constraint_kernel_scalar;
// NULL if the build does not have this path.
vrmi_constraint_kernel *vrmi_constraint_kernel_four(void);
vrmi_constraint_kernel *vrmi_constraint_kernel_avx2(void);
// The kernel of a vrmi_lanes_path, or of the next lower one in this build.
vrmi_constraint_kernel *vrmi_constraint_kernel_of(uint32_t path);

#endif
