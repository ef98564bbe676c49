// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_WALK_H
#define VRMI_RUNTIME_STEP_WALK_H

// A pushed walk continues with other footholds. When a foot lands, its difference from the animation becomes the
// difference of the capture point. When both feet have the same difference, the avatar walks on a parallel path, and
// the root moves to that path.

#include "runtime/ragdoll/step_gait.h"
#include "runtime/ragdoll/step_plan.h"

// Begins a walk without a difference from the animation.
void vrmi_walk_begin(vrmi_step_plan *plan, const vrmi_step_body *body, const vrmi_gait *gait);
// Advances by one frame; the plan's body must be measured in the current animated pose. May fail (VRMI_STEP_FALL) or
// end (VRMI_STEP_OFF).
void vrmi_walk_advance(vrmi_step_plan *plan, const vrmi_gait *gait, const vrmi_step_shove *shove, float dt);
// After a rotation of the root, rotates the values in the root's axes back.
void vrmi_walk_turn(vrmi_step_plan *plan, float sine, float cosine);
// Stops the plan on its current feet, when the animation stands still.
void vrmi_walk_stop(vrmi_step_plan *plan);
// Whether the avatar walks evenly beside the animated path. If so, the root may move to that path.
bool vrmi_walk_is_even(const vrmi_step_plan *plan);

#endif
