// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_HINGE_LEG_H
#define VRMI_MATH_HINGE_LEG_H

// A leg whose knee is a hinge: the shank rotates only about the knee's axis, then the whole leg rotates about the hip.
// vrm_two_bone_ik() instead gives each bone its shortest rotation, which twists the shank against the thigh by up to 20
// degrees in a sideways step. A simulated knee cannot twist like that, so the sole would slide.

#include <vrm/math.h>

typedef struct vrmi_hinge_leg {
    vrm_vec3 hip, knee, ankle, target; // world positions, metres
    vrm_vec3 axis;                     // axis of the knee, unit; points to the avatar's left
} vrmi_hinge_leg;

// Computes two rotations in the world: `bend` of the shank about the knee, then `whole` of the leg about the hip. The
// knee does not change its side. If the target is out of reach, the straight leg points at the target. If the ankle is
// already at the target, both rotations are the identity.
void vrmi_hinge_leg_solve(const vrmi_hinge_leg *leg, vrm_quat *bend, vrm_quat *whole);

#endif
