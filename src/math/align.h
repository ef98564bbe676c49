// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_ALIGN_H
#define VRMI_MATH_ALIGN_H

// Directions across an axis, the angle between them, and a bone's rotation from two directions: how limbs are posed.

#include "math/vec3.h"

// What of `v` is across `unit`, a unit vector.
vrm_vec3 vrmi_vec3_across(vrm_vec3 v, vrm_vec3 unit);
// Angle from one vector to another about `axis`, a unit vector that both are across.
float vrmi_angle_about(vrm_vec3 axis, vrm_vec3 from, vrm_vec3 to);
// The rotation that takes `from` to `to` and `hinge` as near to `to_hinge` as that allows; unit vectors.
vrm_quat vrmi_align(vrm_vec3 from, vrm_vec3 hinge, vrm_vec3 to, vrm_vec3 to_hinge);

#endif
