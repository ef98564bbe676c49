// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_ANKLE_H
#define VRMI_RUNTIME_STEP_ANKLE_H

// The feet of a stepping avatar. A foot that stayed parallel to the ground under any shank would bend its ankle far
// beyond the joint's limits, so it rolls over its edge or its ball as far as the shank requires.

#include "math/hinge_leg.h"
#include "runtime/core/instance.h"
#include "runtime/ragdoll/step_plan.h"

// A foot with a flat sole, in the world. Positions are relative to the ankle.
typedef struct vrmi_step_footing {
    vrm_vec3 ankle;          // position of the ankle, relative to the root's translation
    vrm_quat body;           // rotation of the foot's body
    vrm_vec3 lateral, ahead; // unit axes of the foot; `lateral` points to the avatar's left
    vrm_vec3 ball, heel;     // middles of the lines about which the foot pitches
    vrm_vec3 sole;           // middle of the sole
    float half_width;        // of the sole
    float lift;              // height of a flat sole above the ground
    float free;              // 1: the foot may also yaw, since it is in the air; 0: it stands
} vrmi_step_footing;

// Measures a foot (0: left, 1: right) in the current pose.
vrmi_step_footing vrmi_step_measure_foot(const vrm_instance *instance, int side);
// Computes the position of a tilted foot's ankle, and the foot's rotation in the world.
void vrmi_step_tilt_foot(
    const vrmi_step_footing *footing, const vrmi_step_tilt *tilt, vrm_vec3 *ankle, vrm_quat *rotation);
// Returns the tilt nearest to `tilt` with which the ankle is within its limits. `leg` is the leg in the current pose,
// `weight` the fraction by which the leg follows the foot.
vrmi_step_tilt vrmi_step_limit_ankle(const vrm_instance *instance, int side, const vrmi_step_footing *footing,
    const vrmi_step_tilt *tilt, const vrmi_hinge_leg *leg, float weight);

#endif
