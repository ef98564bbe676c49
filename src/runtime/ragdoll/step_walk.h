// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_WALK_H
#define VRMI_RUNTIME_STEP_WALK_H

// A walk that is pushed goes on, with other footholds: each foot comes down as far from its animated place as the capture point
// then is from its animated one. What is left when both feet are so is another path, which the root takes.

#include "runtime/ragdoll/step_gait.h"
#include "runtime/ragdoll/step_plan.h"

// Begins to differ from the animation, by nothing yet.
void vrmi_walk_begin(vrmi_step_plan *plan, const vrmi_step_body *body);
// A frame: `body` as the animated pose has it now; a push as in vrmi_step_advance(). May give up (VRMI_STEP_FALL), or be over
// (VRMI_STEP_OFF).
void vrmi_walk_advance(vrmi_step_plan *plan, const vrmi_gait *gait, vrmi_flat push, float push_height, float dt);
// The root has turned: what is kept in its axes turns back.
void vrmi_walk_turn(vrmi_step_plan *plan, float sine, float cosine);
// The animation stands still: so does the plan, on feet that are where they have come to.
void vrmi_walk_stop(vrmi_step_plan *plan);
// Does it walk evenly beside the animated path? Then the root may go there.
bool vrmi_walk_is_even(const vrmi_step_plan *plan);

#endif
