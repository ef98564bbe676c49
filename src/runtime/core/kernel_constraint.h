// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_CONSTRAINT_H
#define VRMI_RUNTIME_KERNEL_CONSTRAINT_H

#include "runtime/core/instance.h"

// Turns the nodes of at most eight constraints of VRMC_node_constraint-1.0, none of which depends on another: local
// rotations only. Roots, divisions and series of one wait for each other, those of eight do not. The bits are those of
// quat.h on every path.
typedef void vrmi_constraint_kernel(
    vrm_instance *instance, const vrmi_constraint_row *const *constraints, uint32_t count);

vrmi_constraint_kernel vrmi_constraint_kernel_scalar;
// NULL where the build has no such path.
vrmi_constraint_kernel *vrmi_constraint_kernel_four(void);
vrmi_constraint_kernel *vrmi_constraint_kernel_avx2(void);
// That of a vrmi_lanes_path, or of the next lower one that the build has.
vrmi_constraint_kernel *vrmi_constraint_kernel_of(uint32_t path);

#endif
