// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_GROUP_H
#define VRMI_RUNTIME_SPRING_GROUP_H

// Plain chains, those that run in lanes. A plain chain has no limits, its joints are each other's direct parents, it has
// few colliders, and no joint of a spring moves it or is moved by it, colliders and center included: nothing depends on
// when it runs.

#include "runtime/spring/kernel_spring_lanes.h"

// The best path that build and processor have.
uint32_t vrmi_spring_best_path(void);
typedef enum vrmi_spring_which {
    VRMI_SPRING_FREE = 1, // chains without a center
    VRMI_SPRING_CENTERED = 2,
    VRMI_SPRING_ANY_CENTER = VRMI_SPRING_FREE | VRMI_SPRING_CENTERED
} vrmi_spring_which;

// Finds the plain chains; after the drivers' carriers are known.
void vrmi_spring_find_plain(vrm_instance *instance);
// Whether plain chains go in lanes in this step.
bool vrmi_spring_uses_lanes(const vrm_instance *instance, const vrmi_spring_step *step);
// Starts a chain whose state is not finite from rest.
typedef void vrmi_spring_lost(vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step);
// Runs plain chains, for which colliders are placed.
void vrmi_spring_run_plain(
    vrm_instance *instance, const vrmi_spring_step *step, vrmi_spring_which which, vrmi_spring_lost *on_lost);

#endif
