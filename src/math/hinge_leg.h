// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_HINGE_LEG_H
#define VRMI_MATH_HINGE_LEG_H

// A leg whose knee is a hinge: the shank turns about the knee's axis alone, then the whole leg about the hip.
// vrm_two_bone_ik() turns each bone the shortest way, which twists the shank against the thigh by up to 20 degrees in a
// step to the side; a simulated knee cannot twist like that, so the sole would slide.

#include <vrm/math.h>

typedef struct vrmi_hinge_leg {
    vrm_vec3 hip, knee, ankle, target; // world, metres
    vrm_vec3 axis;                     // of the knee, unit: to the left of a figure that looks ahead
} vrmi_hinge_leg;

// Two rotations in the world: `bend` of the shank about the knee, then `whole` of the leg about the hip. The knee stays
// on its side. If the target is out of reach, the straight leg points at it. If the ankle is already there, both are
// the identity.
void vrmi_hinge_leg_solve(const vrmi_hinge_leg *leg, vrm_quat *bend, vrm_quat *whole);

#endif
