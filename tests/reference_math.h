// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_REFERENCE_MATH_H
#define TESTS_REFERENCE_MATH_H

// Double-precision vectors, quaternions and affine matrices, written from the textbook for comparison; nothing of the
// library's own arithmetic is used.

#include <vrm/math.h>

#include <math.h>

#define REF_PI 3.14159265358979323846

typedef struct ref_vec {
    double v[3];
} ref_vec;

typedef struct ref_quat {
    double q[4]; // xyzw
} ref_quat;

typedef struct ref_mat {
    double m[3][4];
} ref_mat;

static inline ref_vec ref_v(double x, double y, double z)
{
    return (ref_vec){{x, y, z}};
}
static inline ref_vec ref_vec_of(vrm_vec3 a)
{
    return ref_v((double)a.x, (double)a.y, (double)a.z);
}
static inline ref_quat ref_quat_of(vrm_quat a)
{
    return (ref_quat){{(double)a.x, (double)a.y, (double)a.z, (double)a.w}};
}
static inline ref_vec ref_add(ref_vec a, ref_vec b)
{
    return ref_v(a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]);
}
static inline ref_vec ref_sub(ref_vec a, ref_vec b)
{
    return ref_v(a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]);
}
static inline ref_vec ref_scale(ref_vec a, double s)
{
    return ref_v(a.v[0] * s, a.v[1] * s, a.v[2] * s);
}
static inline double ref_dot(ref_vec a, ref_vec b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}
static inline double ref_length(ref_vec a)
{
    return sqrt(ref_dot(a, a));
}
static inline ref_vec ref_unit(ref_vec a)
{
    return ref_scale(a, 1.0 / ref_length(a));
}
static inline ref_vec ref_cross(ref_vec a, ref_vec b)
{
    return ref_v(
        a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]);
}

static inline ref_quat ref_axis_angle(ref_vec axis, double angle)
{
    const ref_vec u = ref_scale(ref_unit(axis), sin(angle / 2));
    return (ref_quat){{u.v[0], u.v[1], u.v[2], cos(angle / 2)}};
}
static inline ref_quat ref_mul(ref_quat a, ref_quat b)
{
    const ref_vec av = ref_v(a.q[0], a.q[1], a.q[2]), bv = ref_v(b.q[0], b.q[1], b.q[2]);
    const ref_vec v = ref_add(ref_add(ref_scale(bv, a.q[3]), ref_scale(av, b.q[3])), ref_cross(av, bv));
    return (ref_quat){{v.v[0], v.v[1], v.v[2], a.q[3] * b.q[3] - ref_dot(av, bv)}};
}
static inline ref_quat ref_inverse(ref_quat a)
{
    return (ref_quat){{-a.q[0], -a.q[1], -a.q[2], a.q[3]}};
}
static inline ref_quat ref_normalized(ref_quat a)
{
    const double n = sqrt(a.q[0] * a.q[0] + a.q[1] * a.q[1] + a.q[2] * a.q[2] + a.q[3] * a.q[3]);
    return (ref_quat){{a.q[0] / n, a.q[1] / n, a.q[2] / n, a.q[3] / n}};
}
static inline ref_vec ref_rotate(ref_quat a, ref_vec v)
{
    const ref_quat p = ref_mul(ref_mul(a, (ref_quat){{v.v[0], v.v[1], v.v[2], 0}}), ref_inverse(a));
    return ref_v(p.q[0], p.q[1], p.q[2]);
}
// Shortest rotation of one unit vector onto another that is not its opposite.
static inline ref_quat ref_from_to(ref_vec a, ref_vec b)
{
    const ref_vec axis = ref_cross(a, b);
    return ref_normalized((ref_quat){{axis.v[0], axis.v[1], axis.v[2], 1 + ref_dot(a, b)}});
}
static inline ref_quat ref_slerp(ref_quat a, ref_quat b, double t)
{
    double c = a.q[0] * b.q[0] + a.q[1] * b.q[1] + a.q[2] * b.q[2] + a.q[3] * b.q[3];
    const double side = c < 0 ? -1.0 : 1.0;
    c = fmin(1.0, c * side);
    const double angle = acos(c), s = sin(angle);
    const double wa = s < 1e-9 ? 1 - t : sin((1 - t) * angle) / s, wb = side * (s < 1e-9 ? t : sin(t * angle) / s);
    return ref_normalized((ref_quat){
        {wa * a.q[0] + wb * b.q[0], wa * a.q[1] + wb * b.q[1], wa * a.q[2] + wb * b.q[2], wa * a.q[3] + wb * b.q[3]}});
}
// Angle between two rotations, whatever the signs of the quaternions. By the difference, exact for small angles.
static inline double ref_angle(ref_quat a, ref_quat b)
{
    const ref_quat d = ref_mul(ref_inverse(ref_normalized(a)), ref_normalized(b));
    return 2 * atan2(sqrt(d.q[0] * d.q[0] + d.q[1] * d.q[1] + d.q[2] * d.q[2]), fabs(d.q[3]));
}

static inline ref_mat ref_trs(ref_vec t, ref_quat r, ref_vec s)
{
    ref_mat out;
    for (int column = 0; column < 3; ++column) {
        ref_vec axis = ref_v(column == 0, column == 1, column == 2);
        axis = ref_scale(ref_rotate(r, axis), s.v[column]);
        for (int row = 0; row < 3; ++row) {
            out.m[row][column] = axis.v[row];
        }
    }
    for (int row = 0; row < 3; ++row) {
        out.m[row][3] = t.v[row];
    }
    return out;
}
static inline ref_mat ref_trs_of(const vrm_transform *t)
{
    return ref_trs(ref_vec_of(t->translation), ref_quat_of(t->rotation), ref_vec_of(t->scale));
}
static inline ref_mat ref_mat_mul(ref_mat a, ref_mat b)
{
    ref_mat out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            out.m[row][column] = column == 3 ? a.m[row][3] : 0.0;
            for (int k = 0; k < 3; ++k) {
                out.m[row][column] += a.m[row][k] * b.m[k][column];
            }
        }
    }
    return out;
}
static inline ref_vec ref_point(ref_mat a, ref_vec p)
{
    ref_vec out;
    for (int row = 0; row < 3; ++row) {
        out.v[row] = a.m[row][0] * p.v[0] + a.m[row][1] * p.v[1] + a.m[row][2] * p.v[2] + a.m[row][3];
    }
    return out;
}
// Largest difference of two matrices' elements.
static inline double ref_mat_distance(ref_mat a, const vrm_mat34 *b)
{
    double largest = 0;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            largest = fmax(largest, fabs(a.m[row][column] - (double)b->m[row][column]));
        }
    }
    return largest;
}

#endif
