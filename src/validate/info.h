// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_INFO_H
#define VRMI_VALIDATE_INFO_H

#include "validate/run.h"

// Describes the file for the report, with memory from `arena`, which outlives the document. False without memory.
bool vrmi_validate_fill_info(const vrmi_run *run, vrmi_arena *arena, vrm_validate_info *out);

#endif
