// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_INFO_H
#define VRMI_VALIDATE_INFO_H

#include "validate/run.h"

// Fills in the description of the file. The memory is from `arena`, which outlives the document. Returns false if
// memory runs out.
bool vrmi_validate_fill_info(const vrmi_run *run, vrmi_arena *arena, vrm_validate_info *out);

#endif
