// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGGER_LIMITS_H
#define SCENES_STAGGER_LIMITS_H

// Computes, without a simulation, the largest pushes at the chest that a figure of any proportions can withstand. The
// capture point of the linear inverted pendulum is solved in closed form for each phase of a step, and compared with
// the figure's own soles and its longest step. The computation is independent of the runtime's plan of steps, so that
// it can judge that plan. For figures of average proportions it agrees with the limits of the prototype
// (tests/scenes/test_stagger_limits.c).

#include "stagger/stagger_body.h"

// Returns the largest push from which a standing figure recovers with at most `steps` steps and without step assist, N
// s/kg. With 0 steps the figure only sways. `angle` is defined as in scene_stagger_push.
double scene_stagger_limit(const scene_stagger_body *body, double angle, uint32_t steps);

// Returns the largest push after which a walking figure walks on without step assist, N s/kg. `part` is the time of the
// push, as a fraction of the step that begins with the left foot's touch-down.
double scene_stagger_walk_limit(
    const scene_stagger_body *body, const scene_stagger_gait *gait, double angle, double part);

#endif
