// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "math/quat.h"

vrm_quat vrmi_quat_normalize(vrm_quat q)
{
    const float length = vrmi_sqrt(vrmi_quat_dot(q, q));
    if (!(length > 1e-15f) || !vrmi_finite(length)) {
        return vrmi_quat_identity();
    }
    const float s = 1.0f / length;
    return (vrm_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

vrm_quat vrmi_quat_from_to(vrm_vec3 a, vrm_vec3 b)
{
    // 1 + dot is half the squared length of a + b, and a x b is a x (a + b). Near opposite directions, the plain
    // formulas lose both values to rounding, but the sum is exact.
    const vrm_vec3 sum = vrmi_vec3_add(a, b);
    const float w = 0.5f * vrmi_vec3_dot(sum, sum);
    if (w > 1e-12f) {
        const vrm_vec3 axis = vrmi_vec3_cross(a, sum);
        return vrmi_quat_normalize((vrm_quat){axis.x, axis.y, axis.z, w});
    }
    vrm_vec3 axis = vrmi_vec3_sub(vrmi_vec3(1.0f, 0.0f, 0.0f), vrmi_vec3_scale(a, a.x));
    if (vrmi_vec3_dot(axis, axis) < 1e-6f) {
        axis = vrmi_vec3_sub(vrmi_vec3(0.0f, 1.0f, 0.0f), vrmi_vec3_scale(a, a.y));
    }
    axis = vrmi_vec3_normalize_or(axis, vrmi_vec3(1.0f, 0.0f, 0.0f));
    return (vrm_quat){axis.x, axis.y, axis.z, 0.0f};
}

// Returns b or -b, whichever is nearer to a, so that interpolation takes the short way.
static vrm_quat same_side(vrm_quat a, vrm_quat b)
{
    return vrmi_quat_dot(a, b) < 0.0f ? (vrm_quat){-b.x, -b.y, -b.z, -b.w} : b;
}

static vrm_quat blend(vrm_quat a, float wa, vrm_quat b, float wb)
{
    return vrmi_quat_normalize(
        (vrm_quat){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb});
}

vrm_quat vrmi_quat_nlerp(vrm_quat a, vrm_quat b, float t)
{
    return blend(a, 1.0f - t, same_side(a, b), t);
}

vrm_quat vrmi_quat_slerp(vrm_quat a, vrm_quat b, float t)
{
    b = same_side(a, b);
    const float cosine = vrmi_quat_dot(a, b);
    const float sine_squared = 1.0f - cosine * cosine;
    if (!(sine_squared > 1e-6f)) {
        return blend(a, 1.0f - t, b, t); // below a thousandth of a radian, slerp and this blend are equal in float
    }
    const float angle = vrmi_atan2(vrmi_sqrt(sine_squared), cosine);
    float sin_a, sin_b, unused;
    vrmi_sincos((1.0f - t) * angle, &sin_a, &unused);
    vrmi_sincos(t * angle, &sin_b, &unused);
    return blend(a, sin_a, b, sin_b);
}

vrm_quat vrmi_quat_from_axis_angle(vrm_vec3 unit_axis, float angle)
{
    float s, c;
    vrmi_sincos(0.5f * angle, &s, &c);
    return (vrm_quat){unit_axis.x * s, unit_axis.y * s, unit_axis.z * s, c};
}

vrm_vec3 vrmi_quat_to_vector(vrm_quat q)
{
    const float sign = q.w < 0.0f ? -1.0f : 1.0f;
    const vrm_vec3 v = {q.x * sign, q.y * sign, q.z * sign};
    const float square = vrmi_vec3_dot(v, v);
    if (square < 0.01f) { // the Taylor series of asin(x) / x; the omitted terms are below 1e-9
        const float factor = 1.0f + square * (1.0f / 6.0f + square * (3.0f / 40.0f + square * (15.0f / 336.0f)));
        return vrmi_vec3_scale(v, 2.0f * factor);
    }
    const float size = vrmi_sqrt(square);
    return vrmi_vec3_scale(v, 2.0f * vrmi_atan2(size, q.w * sign) / size);
}

vrm_quat vrmi_quat_from_vector(vrm_vec3 v)
{
    const float angle = vrmi_sqrt(vrmi_vec3_dot(v, v));
    float sine, cosine;
    vrmi_sincos(0.5f * angle, &sine, &cosine);
    const float factor = angle > 1e-6f ? sine / angle : 0.5f;
    return vrmi_quat_normalize((vrm_quat){v.x * factor, v.y * factor, v.z * factor, cosine});
}

vrm_quat vrmi_quat_from_yaw_pitch(float yaw, float pitch)
{
    float sy, cy, sp, cp;
    vrmi_sincos(0.5f * yaw, &sy, &cy);
    vrmi_sincos(0.5f * pitch, &sp, &cp);
    return (vrm_quat){cy * sp, sy * cp, -sy * sp, cy * cp};
}
