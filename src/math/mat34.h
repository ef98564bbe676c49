// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_MAT34_H
#define VRMI_MATH_MAT34_H

#include "math/quat.h"

void vrmi_mat34_identity(vrm_mat34 *out);
void vrmi_mat34_from_transform(const vrm_transform *transform, vrm_mat34 *out);
// out = a * b; `out` must not be `a` or `b`.
void vrmi_mat34_mul(const vrm_mat34 *a, const vrm_mat34 *b, vrm_mat34 *out);
// Returns false, and the identity, if `a` has no inverse.
bool vrmi_mat34_invert(const vrm_mat34 *a, vrm_mat34 *out);
// Decomposes a matrix into translation, rotation and scale. A negative determinant gives a negative scale x. Returns
// false if there is shear, which is dropped, or if no rotation can be computed.
bool vrmi_mat34_decompose(const vrm_mat34 *a, vrm_transform *out);

static inline vrm_vec3 vrmi_mat34_point(const vrm_mat34 *a, vrm_vec3 p)
{
    return (vrm_vec3){
        a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
        a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
        a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3],
    };
}
static inline vrm_vec3 vrmi_mat34_vector(const vrm_mat34 *a, vrm_vec3 v)
{
    return (vrm_vec3){
        a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
        a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
        a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z,
    };
}
static inline vrm_vec3 vrmi_mat34_translation(const vrm_mat34 *a)
{
    return (vrm_vec3){a->m[0][3], a->m[1][3], a->m[2][3]};
}
// Returns the length of the longest column, the largest scale along an axis.
float vrmi_mat34_max_scale(const vrm_mat34 *a);

// Largest elements that the library computes with, so that products of three elements, and squares, do not overflow.
// The product of the scales of a file and a host may exceed them.
#define VRMI_LARGEST_AXIS 1e12f
#define VRMI_LARGEST_ORIGIN 1e18f
bool vrmi_mat34_is_possible(const vrm_mat34 *m);
// Clamps each element to at most VRMI_LARGEST_AXIS (translations: VRMI_LARGEST_ORIGIN) in magnitude; NaN becomes 0.
void vrmi_mat34_make_possible(vrm_mat34 *m);

#endif
