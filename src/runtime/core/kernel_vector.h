// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_VECTOR_H
#define VRMI_RUNTIME_KERNEL_VECTOR_H

// Vectors, quaternions and transforms of eight lanes, for the bodies of kernels: operation by operation vec3.h, quat.h and
// mat34.h.

#include "math/simd.h"

typedef struct v3 {
    vrmi_f8 x, y, z;
} v3;
typedef struct v4 {
    vrmi_f8 x, y, z, w;
} v4;

#define ADD vrmi_f8_add
#define SUB vrmi_f8_sub
#define MUL vrmi_f8_mul
#define DIV vrmi_f8_div
// Lanes that are finite: elsewhere x - x is NaN.
static inline vrmi_m8 is_finite(vrmi_f8 x)
{
    return vrmi_f8_eq(SUB(x, x), vrmi_f8_all(0.0f));
}
static inline v3 v3_add(v3 a, v3 b)
{
    return (v3){ADD(a.x, b.x), ADD(a.y, b.y), ADD(a.z, b.z)};
}
static inline v3 v3_sub(v3 a, v3 b)
{
    return (v3){SUB(a.x, b.x), SUB(a.y, b.y), SUB(a.z, b.z)};
}
static inline v3 v3_scale(v3 a, vrmi_f8 s)
{
    return (v3){MUL(a.x, s), MUL(a.y, s), MUL(a.z, s)};
}
static inline vrmi_f8 v3_dot(v3 a, v3 b)
{
    return ADD(ADD(MUL(a.x, b.x), MUL(a.y, b.y)), MUL(a.z, b.z));
}
static inline v3 v3_cross(v3 a, v3 b)
{
    return (v3){
        SUB(MUL(a.y, b.z), MUL(a.z, b.y)), SUB(MUL(a.z, b.x), MUL(a.x, b.z)), SUB(MUL(a.x, b.y), MUL(a.y, b.x))};
}
static inline vrmi_f8 v3_length(v3 a)
{
    return vrmi_f8_sqrt(v3_dot(a, a));
}
static inline v3 v3_select(vrmi_m8 m, v3 a, v3 b)
{
    return (v3){vrmi_f8_select(m, a.x, b.x), vrmi_f8_select(m, a.y, b.y), vrmi_f8_select(m, a.z, b.z)};
}
static inline v3 v3_all(vrm_vec3 v)
{
    return (v3){vrmi_f8_all(v.x), vrmi_f8_all(v.y), vrmi_f8_all(v.z)};
}
static inline v4 v4_select(vrmi_m8 m, v4 a, v4 b)
{
    return (v4){vrmi_f8_select(m, a.x, b.x), vrmi_f8_select(m, a.y, b.y), vrmi_f8_select(m, a.z, b.z),
        vrmi_f8_select(m, a.w, b.w)};
}
static inline v4 v4_add(v4 a, v4 b)
{
    return (v4){ADD(a.x, b.x), ADD(a.y, b.y), ADD(a.z, b.z), ADD(a.w, b.w)};
}
static inline v4 v4_scale(v4 q, vrmi_f8 s)
{
    return (v4){MUL(q.x, s), MUL(q.y, s), MUL(q.z, s), MUL(q.w, s)};
}
static inline vrmi_f8 v4_dot(v4 a, v4 b)
{
    return ADD(ADD(ADD(MUL(a.x, b.x), MUL(a.y, b.y)), MUL(a.z, b.z)), MUL(a.w, b.w));
}
static inline v4 quat_mul(v4 a, v4 b)
{
    return (v4){
        SUB(ADD(ADD(MUL(a.w, b.x), MUL(a.x, b.w)), MUL(a.y, b.z)), MUL(a.z, b.y)),
        ADD(ADD(SUB(MUL(a.w, b.y), MUL(a.x, b.z)), MUL(a.y, b.w)), MUL(a.z, b.x)),
        ADD(SUB(ADD(MUL(a.w, b.z), MUL(a.x, b.y)), MUL(a.y, b.x)), MUL(a.z, b.w)),
        SUB(SUB(SUB(MUL(a.w, b.w), MUL(a.x, b.x)), MUL(a.y, b.y)), MUL(a.z, b.z)),
    };
}
static inline v4 quat_conjugate(v4 q)
{
    return (v4){vrmi_f8_neg(q.x), vrmi_f8_neg(q.y), vrmi_f8_neg(q.z), q.w};
}
static inline v3 quat_rotate(v4 q, v3 v)
{
    const v3 axis = {q.x, q.y, q.z};
    const v3 t = v3_scale(v3_cross(axis, v), vrmi_f8_all(2.0f));
    return v3_add(v3_add(v, v3_scale(t, q.w)), v3_cross(axis, t));
}

// vrmi_mat34_from_transform()
static inline void put_transform(const vrmi_f8 t[3], v4 q, const vrmi_f8 s[3], vrmi_f8 out[3][4])
{
    const vrmi_f8 one = vrmi_f8_all(1.0f);
    const vrmi_f8 x2 = ADD(q.x, q.x), y2 = ADD(q.y, q.y), z2 = ADD(q.z, q.z);
    const vrmi_f8 xx = MUL(q.x, x2), xy = MUL(q.x, y2), xz = MUL(q.x, z2);
    const vrmi_f8 yy = MUL(q.y, y2), yz = MUL(q.y, z2), zz = MUL(q.z, z2);
    const vrmi_f8 wx = MUL(q.w, x2), wy = MUL(q.w, y2), wz = MUL(q.w, z2);
    const vrmi_f8 rows[3][4] = {
        {MUL(SUB(one, ADD(yy, zz)), s[0]), MUL(SUB(xy, wz), s[1]), MUL(ADD(xz, wy), s[2]), t[0]},
        {MUL(ADD(xy, wz), s[0]), MUL(SUB(one, ADD(xx, zz)), s[1]), MUL(SUB(yz, wx), s[2]), t[1]},
        {MUL(SUB(xz, wy), s[0]), MUL(ADD(yz, wx), s[1]), MUL(SUB(one, ADD(xx, yy)), s[2]), t[2]},
    };
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) {
            out[r][c] = rows[r][c];
        }
    }
}

#endif
