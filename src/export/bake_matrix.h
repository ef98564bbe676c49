// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_BAKE_MATRIX_H
#define VRMI_EXPORT_BAKE_MATRIX_H

// Matrices in double precision. A bake multiplies them down the whole hierarchy, and its result is permanent.

#include "math/mat34.h"

typedef struct vrmi_matrix {
    double m[3][4];
} vrmi_matrix;

static inline vrmi_matrix vrmi_matrix_identity(void)
{
    return (vrmi_matrix){{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};
}

static inline void vrmi_matrix_mul(const vrmi_matrix *a, const vrmi_matrix *b, vrmi_matrix *out)
{
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            out->m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                                  a->m[row][2] * b->m[2][column] + (column == 3 ? a->m[row][3] : 0.0);
        }
    }
}

// Builds a matrix from a unit quaternion, a scale and a translation.
static inline void vrmi_matrix_from(const double q[4], const double scale[3], const double at[3], vrmi_matrix *out)
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[3][3] = {
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
        {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
        {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)},
    };
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            out->m[row][column] = r[row][column] * scale[column];
        }
        out->m[row][3] = at[row];
    }
}

// Applies the matrix to a vector, ignoring the translation.
static inline void vrmi_matrix_vector(const vrmi_matrix *a, const double v[3], double out[3])
{
    for (int row = 0; row < 3; ++row) {
        out[row] = a->m[row][0] * v[0] + a->m[row][1] * v[1] + a->m[row][2] * v[2];
    }
}

static inline void vrmi_matrix_point(const vrmi_matrix *a, const double p[3], double out[3])
{
    vrmi_matrix_vector(a, p, out);
    for (int row = 0; row < 3; ++row) {
        out[row] += a->m[row][3];
    }
}

// Computes the cofactors of the linear part. Returns its determinant.
static inline double vrmi_matrix_cofactors(const vrmi_matrix *a, double out[3][3])
{
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out[i][j] = a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
        }
    }
    return a->m[0][0] * out[0][0] + a->m[0][1] * out[0][1] + a->m[0][2] * out[0][2];
}

// Composes rotations: first b, then a.
static inline void vrmi_rotation_mul(const double a[4], const double b[4], double out[4])
{
    const double r[4] = {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    };
    for (int i = 0; i < 4; ++i) {
        out[i] = r[i];
    }
}

static inline void vrmi_rotation_conjugate(const double q[4], double out[4])
{
    for (int i = 0; i < 4; ++i) {
        out[i] = i < 3 ? -q[i] : q[i];
    }
}

static inline void vrmi_rotation_turn(const double q[4], const double v[3], double out[3])
{
    const double one[3] = {1.0, 1.0, 1.0}, none[3] = {0.0, 0.0, 0.0};
    vrmi_matrix matrix;
    vrmi_matrix_from(q, one, none, &matrix);
    vrmi_matrix_vector(&matrix, v, out);
}

#endif
