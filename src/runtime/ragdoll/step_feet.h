// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_FEET_H
#define VRMI_RUNTIME_STEP_FEET_H

// Ways of the feet and of the hips between them, whatever decides where the feet go.

#include "runtime/ragdoll/step_plan.h"

// A step of the quintic that goes from here to the target, at rest there after `left` seconds: minimum jerk, and the target
// may move.
void vrmi_step_swing_axis(float *x, float *v, float *a, float target, float left);
// Heels rise where the hips are far ahead of them, hips sink as far as the legs need it, arms go out: a step of the model.
void vrmi_step_move_hips(vrmi_step_plan *plan);

#endif
