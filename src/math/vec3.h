// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_VEC3_H
#define VRMI_MATH_VEC3_H

#include "math/scalar.h"

static inline vrm_vec3 vrmi_vec3(float x, float y, float z)
{
    return (vrm_vec3){x, y, z};
}
static inline vrm_vec3 vrmi_vec3_add(vrm_vec3 a, vrm_vec3 b)
{
    return (vrm_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vrm_vec3 vrmi_vec3_sub(vrm_vec3 a, vrm_vec3 b)
{
    return (vrm_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vrm_vec3 vrmi_vec3_mul(vrm_vec3 a, vrm_vec3 b)
{
    return (vrm_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline vrm_vec3 vrmi_vec3_scale(vrm_vec3 a, float s)
{
    return (vrm_vec3){a.x * s, a.y * s, a.z * s};
}
static inline vrm_vec3 vrmi_vec3_lerp(vrm_vec3 a, vrm_vec3 b, float t)
{
    return (vrm_vec3){vrmi_lerp(a.x, b.x, t), vrmi_lerp(a.y, b.y, t), vrmi_lerp(a.z, b.z, t)};
}
static inline float vrmi_vec3_dot(vrm_vec3 a, vrm_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vrm_vec3 vrmi_vec3_cross(vrm_vec3 a, vrm_vec3 b)
{
    return (vrm_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float vrmi_vec3_length(vrm_vec3 a)
{
    return vrmi_sqrt(vrmi_vec3_dot(a, a));
}
static inline bool vrmi_vec3_same(vrm_vec3 a, vrm_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
static inline bool vrmi_vec3_finite(vrm_vec3 a)
{
    return vrmi_finite(a.x) && vrmi_finite(a.y) && vrmi_finite(a.z);
}
// Returns the unit vector, or `fallback` if the length is too small or not finite.
static inline vrm_vec3 vrmi_vec3_normalize_or(vrm_vec3 a, vrm_vec3 fallback)
{
    const float length = vrmi_vec3_length(a);
    return length > 1e-18f ? vrmi_vec3_scale(a, 1.0f / length) : fallback;
}
static inline bool vrmi_dvec3_finite(vrm_dvec3 a)
{
    return vrmi_finite_double(a.x) && vrmi_finite_double(a.y) && vrmi_finite_double(a.z);
}
static inline vrm_dvec3 vrmi_dvec3_from(vrm_vec3 a)
{
    return (vrm_dvec3){(double)a.x, (double)a.y, (double)a.z};
}
static inline vrm_vec3 vrmi_vec3_from(vrm_dvec3 a)
{
    return (vrm_vec3){(float)a.x, (float)a.y, (float)a.z};
}
static inline vrm_dvec3 vrmi_dvec3_add(vrm_dvec3 a, vrm_dvec3 b)
{
    return (vrm_dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vrm_dvec3 vrmi_dvec3_sub(vrm_dvec3 a, vrm_dvec3 b)
{
    return (vrm_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vrm_dvec3 vrmi_dvec3_scale(vrm_dvec3 a, double s)
{
    return (vrm_dvec3){a.x * s, a.y * s, a.z * s};
}
static inline vrm_dvec3 vrmi_dvec3_lerp(vrm_dvec3 a, vrm_dvec3 b, double t)
{
    return vrmi_dvec3_add(a, vrmi_dvec3_scale(vrmi_dvec3_sub(b, a), t));
}
// Returns a pointer to a component, for code that reads and writes components one by one.
static inline double *vrmi_dvec3_axis(vrm_dvec3 *a, uint32_t axis)
{
    return axis == 0 ? &a->x : (axis == 1 ? &a->y : &a->z);
}
// Returns the vector between two positions in the world. Far from the origin a float cannot represent a position, but
// it can represent the difference of two nearby ones.
static inline vrm_vec3 vrmi_vec3_between(vrm_dvec3 from, vrm_dvec3 to)
{
    return vrmi_vec3_from(vrmi_dvec3_sub(to, from));
}

#endif
