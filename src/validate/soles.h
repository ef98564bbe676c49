// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_SOLES_H
#define VRMI_VALIDATE_SOLES_H

#include "model/model.h"
#include "validate/run.h"

// For each foot the height of the lowest vertex in the rest pose, in model space, that has most of its weight on the
// foot's node (node order) or below it. VRMI_NO_SOLE if there is none, or none can be read.
#define VRMI_NO_SOLE 3.4e38f
void vrmi_find_soles(vrmi_run *run, const vrmi_model *model, const int32_t feet[2], float out_heights[2]);

#endif
