// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_QUAT_H
#define VRMI_MATH_QUAT_H

#include "math/vec3.h"

static inline vrm_quat vrmi_quat_identity(void)
{
    return (vrm_quat){0.0f, 0.0f, 0.0f, 1.0f};
}
static inline vrm_quat vrmi_quat_conjugate(vrm_quat q)
{
    return (vrm_quat){-q.x, -q.y, -q.z, q.w};
}
static inline bool vrmi_quat_finite(vrm_quat q)
{
    return vrmi_finite(q.x) && vrmi_finite(q.y) && vrmi_finite(q.z) && vrmi_finite(q.w);
}
// Compares the four numbers: q and -q are not the same.
static inline bool vrmi_quat_same(vrm_quat a, vrm_quat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
static inline float vrmi_quat_dot(vrm_quat a, vrm_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
// The product rotates by b first, then by a.
static inline vrm_quat vrmi_quat_mul(vrm_quat a, vrm_quat b)
{
    return (vrm_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}
static inline vrm_vec3 vrmi_quat_rotate(vrm_quat q, vrm_vec3 v)
{
    const vrm_vec3 axis = {q.x, q.y, q.z};
    const vrm_vec3 t = vrmi_vec3_scale(vrmi_vec3_cross(axis, v), 2.0f);
    return vrmi_vec3_add(vrmi_vec3_add(v, vrmi_vec3_scale(t, q.w)), vrmi_vec3_cross(axis, t));
}
// Returns the unit quaternion; the identity if q cannot be normalised.
vrm_quat vrmi_quat_normalize(vrm_quat q);
// Returns the shortest rotation of unit vector a onto unit vector b. Opposite vectors give half a turn about the
// perpendicular axis nearest to +X (to +Y if a is along X), so that the result is the same on every machine.
vrm_quat vrmi_quat_from_to(vrm_vec3 a, vrm_vec3 b);
// Interpolates the short way round; t is from 0 to 1.
vrm_quat vrmi_quat_slerp(vrm_quat a, vrm_quat b, float t);
vrm_quat vrmi_quat_nlerp(vrm_quat a, vrm_quat b, float t);
vrm_quat vrmi_quat_from_axis_angle(vrm_vec3 unit_axis, float angle);
// Convert to a rotation vector (axis times angle) the short way round, and back.
vrm_vec3 vrmi_quat_to_vector(vrm_quat q);
vrm_quat vrmi_quat_from_vector(vrm_vec3 v);
// Intrinsic YXZ without roll: yaw about Y, then pitch about the rotated X (VRMC_vrm-1.0 lookAt).
vrm_quat vrmi_quat_from_yaw_pitch(float yaw, float pitch);

#endif
