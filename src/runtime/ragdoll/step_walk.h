// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_WALK_H
#define VRMI_RUNTIME_STEP_WALK_H

// A pushed walk continues with other footholds: when a foot comes down, its difference from the animation is that of
// the capture point. When both feet have the same difference, it is another path, and the root moves there.

#include "runtime/ragdoll/step_gait.h"
#include "runtime/ragdoll/step_plan.h"

// Begins with no difference from the animation.
void vrmi_walk_begin(vrmi_step_plan *plan, const vrmi_step_body *body, const vrmi_gait *gait);
// Advances by a frame; the plan's body is from the current animated pose. May fail (VRMI_STEP_FALL), or end
// (VRMI_STEP_OFF).
void vrmi_walk_advance(vrmi_step_plan *plan, const vrmi_gait *gait, const vrmi_step_shove *shove, float dt);
// After a rotation of the root: rotates the values in its axes back.
void vrmi_walk_turn(vrmi_step_plan *plan, float sine, float cosine);
// The animation stands still: the plan stops, too, on its current feet.
void vrmi_walk_stop(vrmi_step_plan *plan);
// Whether it walks evenly beside the animated path. Then the root may move there.
bool vrmi_walk_is_even(const vrmi_step_plan *plan);

#endif
