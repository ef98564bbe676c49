// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_SPRING_STEP_H
#define VRMI_RUNTIME_SPRING_SPRING_STEP_H

// One step over all chains, shared by the spring stage and by what sets springs up. Time is stage_spring.c's alone.

#include "runtime/spring/kernel_spring.h"

// Whether the step becomes the last tick's state.
static inline bool vrmi_spring_step_is_kept(const vrmi_spring_step *step)
{
    return step->kind == VRMI_SPRING_STEP_TICK || step->kind == VRMI_SPRING_STEP_STAND;
}

// Runs it, wave after wave.
void vrmi_spring_run(vrm_instance *instance, const vrmi_spring_step *step);
// STAND in this update's pose, with everything that would be felt as motion forgotten.
void vrmi_spring_stand(vrm_instance *instance);
// The shown rotations become the rest rotations.
void vrmi_spring_show_rest(vrm_instance *instance);
// Moves each chain's state rigidly with what it hangs on, from the last update to `step->between`; `shift` and `turn`
// lead to the last update's spring space.
void vrmi_spring_carry_chains(vrm_instance *instance, const vrmi_spring_step *step);

#endif
