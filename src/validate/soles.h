// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_SOLES_H
#define VRMI_VALIDATE_SOLES_H

#include "model/model.h"
#include "validate/run.h"

// Finds for each foot the height of its lowest vertex in the rest pose, in model space. A vertex belongs to a foot if
// the foot's node and the nodes below it have more than half of its weight. The result is VRMI_NO_SOLE if there is no
// such vertex or none can be read.
#define VRMI_NO_SOLE 3.4e38f
void vrmi_find_soles(vrmi_run *run, const vrmi_model *model, const int32_t feet[2], float out_heights[2]);

#endif
