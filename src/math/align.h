// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_ALIGN_H
#define VRMI_MATH_ALIGN_H

// Directions perpendicular to an axis, angles between directions, and a bone's rotation from two directions. Used to
// pose limbs.

#include "math/vec3.h"

// Returns the component of `v` that is perpendicular to the unit vector `unit`.
vrm_vec3 vrmi_vec3_across(vrm_vec3 v, vrm_vec3 unit);
// Returns the angle from one vector to another about `axis`, a unit vector perpendicular to both.
float vrmi_angle_about(vrm_vec3 axis, vrm_vec3 from, vrm_vec3 to);
// Returns the rotation that takes `from` to `to` and brings `hinge` as near to `to_hinge` as possible. All are unit
// vectors.
vrm_quat vrmi_align(vrm_vec3 from, vrm_vec3 hinge, vrm_vec3 to, vrm_vec3 to_hinge);

#endif
