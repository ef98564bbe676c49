// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_SOLES_H
#define VRMI_RUNTIME_STEP_SOLES_H

// The soles of a balancing avatar, as outlines on the ground.

#include "runtime/ragdoll/step_plan.h"

typedef struct vrmi_hull {
    uint32_t count;
    vrmi_flat points[8]; // counter-clockwise, with x to the right and z up
} vrmi_hull;

// Whether the foot is on the ground.
bool vrmi_step_stands(const vrmi_step_plan *plan, uint32_t foot);
// Returns the convex hull of the feet on the ground.
vrmi_hull vrmi_step_support(const vrmi_step_plan *plan);
// Returns the outline of a foot's sole, scaled by `size`.
vrmi_hull vrmi_step_sole(const vrmi_step_plan *plan, uint32_t foot, float size);
// Returns the signed distance of a point from a hull, negative inside. `nearest` receives the nearest point of the
// hull, or the point itself if it is inside.
float vrmi_hull_distance(const vrmi_hull *hull, vrmi_flat point, vrmi_flat *nearest);
// Returns the distance of the capture point from the hull of the soles on the ground, negative inside.
float vrmi_step_outside(const vrmi_step_plan *plan);

#endif
