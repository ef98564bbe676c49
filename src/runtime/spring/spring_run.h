// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_RUN_H
#define VRMI_RUNTIME_SPRING_RUN_H

// One step over all chains, shared by the spring stage and by what sets springs up. Time is stage_spring.c's alone.

#include "runtime/core/instance.h"

typedef enum vrmi_spring_step_kind {
    VRMI_SPRING_STEP_TICK,       // the published step; state and shown rotations change
    VRMI_SPRING_STEP_LOOK_AHEAD, // part of a step; shown rotations only
    VRMI_SPRING_STEP_STAND,      // the shown rotations as they are, without motion; state only
    VRMI_SPRING_STEP_SHOW        // the shown rotations as they are; no state changes
} vrmi_spring_step_kind;

typedef struct vrmi_spring_step {
    vrmi_spring_step_kind kind;
    float dt;   // seconds of a whole step
    float part; // LOOK_AHEAD: how much of it
    // Above 0: another step passes before, in this part of the way that everything has gone since the last tick. It is not
    // stored, and only what touches something meets anything in it.
    float lead;
    bool skims;     // LOOK_AHEAD without colliders: what touched something at the last tick slides on
    double between; // poses of the drivers: 0 those of the last update, 1 this one's
    bool shows;     // the last of this update, in its pose: what plain chains show goes to the outputs
    // From where the last tick's state is to this step's spring space, for chains without a center.
    vrm_quat turn;
    vrm_vec3 shift;
} vrmi_spring_step;

// Whether the step becomes the last tick's state.
static inline bool vrmi_spring_step_is_kept(const vrmi_spring_step *step)
{
    return step->kind == VRMI_SPRING_STEP_TICK || step->kind == VRMI_SPRING_STEP_STAND;
}

// Takes the drivers' poses of this update from the world matrices.
void vrmi_spring_refresh_drivers(vrm_instance *instance);
// What this update gave becomes what the last update gave.
void vrmi_spring_keep_drivers(vrm_instance *instance);
void vrmi_spring_run(vrm_instance *instance, const vrmi_spring_step *step);
// STAND in this update's pose, with everything that would be felt as motion forgotten.
void vrmi_spring_stand(vrm_instance *instance);
// The shown rotations become the rest rotations.
void vrmi_spring_show_rest(vrm_instance *instance);
// Moves each chain's state rigidly with what it hangs on, from the last update to `step->between`; `shift` and `turn`
// lead to the last update's spring space.
void vrmi_spring_carry_chains(vrm_instance *instance, const vrmi_spring_step *step);

// Finds carriers and the order in which drivers get their poses from them; after a driver's node has changed.
void vrmi_spring_sort_carried(vrm_instance *instance);
// Nearest of the node and its ancestors that is a spring joint: its row, or -1.
int32_t vrmi_spring_carrier(const vrm_instance *instance, int32_t node);

// How many of a chain's joints are no tips.
uint32_t vrmi_spring_first_tip(const vrmi_model *model, uint32_t chain);
// Springs follow the instance's level of detail; before a step.
void vrmi_spring_follow_level(vrm_instance *instance);
// Tips that are frozen go to their rest rotation, others come back from it, both in time.
void vrmi_spring_mix_tips(vrm_instance *instance, float dt);
// Neither goes on.
bool vrmi_spring_tips_are_still(const vrmi_spring_globals *springs);
// Frozen joints stand where they were: they move again.
void vrmi_spring_thaw(vrm_instance *instance);
// After springs.frozen and springs.thaws were restored.
void vrmi_spring_count_live(vrm_instance *instance);

#endif
