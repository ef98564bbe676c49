// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_NAMES_H
#define VRMI_MODEL_NAMES_H

#include <vrm/expression.h>

// The preset of a name in the file (case matters), or -1.
int32_t vrmi_preset_from_name(const char *name, size_t length);
// The kind a preset belongs to; NONE for customs.
vrm_expression_group vrmi_preset_group(vrm_expression_preset preset);

#endif
