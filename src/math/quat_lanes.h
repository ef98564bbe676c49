// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_QUAT_LANES_H
#define VRMI_MATH_QUAT_LANES_H

// Eight rotations at once, each with the bits that quat.h gives it. Their roots, divisions and polynomials wait for
// themselves, not for each other: eight take little longer than one.

#include "math/lanes.h"

// vrmi_quat_conjugate(), vrmi_quat_mul(): first b, then a; `out` may be either.
void vrmi_quat_conjugate_lanes(const vrmi_quat_lanes *q, vrmi_quat_lanes *out);
void vrmi_quat_mul_lanes(const vrmi_quat_lanes *a, const vrmi_quat_lanes *b, vrmi_quat_lanes *out);
// vrmi_quat_normalize()
void vrmi_quat_normalize_lanes(vrmi_quat_lanes *q);
// The shortest turn of each unit axis to where q turns it, as vrmi_quat_from_to() gives it.
void vrmi_quat_swing_lanes(const vrmi_quat_lanes *q, const vrmi_vec3_lanes *axis, vrmi_quat_lanes *out);
// out = vrmi_quat_slerp(a, b, t), each with its own t; `out` may be either.
void vrmi_quat_slerp_lanes(
    const vrmi_quat_lanes *a, const vrmi_quat_lanes *b, const float t[VRMI_LANES], vrmi_quat_lanes *out);

#endif
