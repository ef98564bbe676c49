// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_CONSTRAINT_DRAFT_H
#define VRMI_RUNTIME_CONSTRAINT_DRAFT_H

#include "runtime/core/instance.h"

// Position, rotation about chosen axes, and aim with an up vector. Writes the node's local transform and refreshes its
// subtree.
void vrmi_run_draft_constraint(vrm_instance *instance, const vrm_constraint *constraint);

#endif
