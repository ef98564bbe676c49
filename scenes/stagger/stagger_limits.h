// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGGER_LIMITS_H
#define SCENES_STAGGER_LIMITS_H

// The pushes at the chest that a figure of any proportions can bear, without a simulation: the capture point of the
// linear inverted pendulum, solved in closed form for each phase of a step, compared with the figure's own soles and
// its longest step. Independent of the runtime's plan, which it judges. Figures of average proportions agree with the
// published prototype's limits (tests/scenes/test_stagger_limits.c).

#include "stagger/stagger_body.h"

// The largest push of a standing figure, N s/kg, that needs at most so many steps; 0: it only sways. The angle is that
// of scene_stagger_push. Without the assist.
double scene_stagger_limit(const scene_stagger_body *body, double angle, uint32_t steps);

// The largest push that a walking figure bears at a fraction of the step after the left foot's touch-down, N s/kg.
// Without the assist.
double scene_stagger_walk_limit(
    const scene_stagger_body *body, const scene_stagger_gait *gait, double angle, double part);

#endif
