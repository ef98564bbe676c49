// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_CONSTRAINT_H
#define VRMI_RUNTIME_KERNEL_CONSTRAINT_H

#include "runtime/core/instance.h"

// Computes the local rotations of at most eight nodes, by constraints of VRMC_node_constraint-1.0 that do not depend on
// each other. The square roots, divisions and series of one constraint depend on each other, but those of eight
// constraints run in parallel. All implementations give the same bits as quat.h.
typedef void vrmi_constraint_kernel(
    vrm_instance *instance, const vrmi_constraint_row *const *constraints, uint32_t count);

vrmi_constraint_kernel vrmi_constraint_kernel_scalar;
// Return NULL if the build does not have these instructions.
vrmi_constraint_kernel *vrmi_constraint_kernel_four(void);
vrmi_constraint_kernel *vrmi_constraint_kernel_avx2(void);
// Returns the kernel of a vrmi_lanes_path, or of the next lower path that the build has.
vrmi_constraint_kernel *vrmi_constraint_kernel_of(uint32_t path);

#endif
