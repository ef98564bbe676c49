// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_FEET_H
#define VRMI_RUNTIME_STEP_FEET_H

// Paths of the feet, and of the hips between them, for any sequence of footholds.

#include "runtime/ragdoll/step_plan.h"

// Advances a coordinate along the minimum-jerk quintic that comes to rest at the target after `left` seconds. The
// target may change from call to call.
void vrmi_step_swing_axis(float *x, float *v, float *a, float target, float left);
// Advances heels, hips and arms: heels rise if the hips are far ahead of them, hips sink as far as the legs require,
// and arms spread to the sides.
void vrmi_step_move_hips(vrmi_step_plan *plan);

#endif
