// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/gltf/decompose.h"

#include <math.h>

typedef struct axes {
    double column[3][3];
} axes;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalize(double v[3])
{
    const double length = sqrt(dot(v, v));
    if (!(length > 1e-30)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        v[i] /= length;
    }
    return true;
}

// Returns any unit vector that is perpendicular to the unit vector v.
static void any_perpendicular(const double v[3], double out[3])
{
    const double x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]);
    const double axis[3] = {x <= y && x <= z ? 1.0 : 0.0, y < x && y <= z ? 1.0 : 0.0, z < x && z < y ? 1.0 : 0.0};
    cross(v, axis, out);
    normalize(out);
}

// Computes right-handed unit axes near the matrix's columns by Gram-Schmidt. A column of length 0 gets an arbitrary
// direction.
static void orthonormal(const axes *m, axes *out)
{
    double(*c)[3] = out->column;
    *out = *m;
    if (!normalize(c[0])) {
        // The x column has length 0: compute it from y and z.
        double y[3] = {c[1][0], c[1][1], c[1][2]}, z[3] = {c[2][0], c[2][1], c[2][2]};
        const bool has_y = normalize(y), has_z = normalize(z);
        cross(y, z, c[0]);
        if (!has_y || !has_z || !normalize(c[0])) {
            const double up[3] = {0, 1, 0};
            any_perpendicular(has_y ? y : has_z ? z : up, c[0]);
        }
    }
    const double along = dot(c[1], c[0]);
    for (int i = 0; i < 3; ++i) {
        c[1][i] -= along * c[0][i];
    }
    if (!normalize(c[1])) {
        double z[3] = {c[2][0], c[2][1], c[2][2]};
        cross(z, c[0], c[1]);
        if (!normalize(c[1])) {
            any_perpendicular(c[0], c[1]);
        }
    }
    cross(c[0], c[1], c[2]);
}

static void to_quat(const axes *r, vrm_quat *out)
{
    const double(*c)[3] = r->column;
    const double trace = c[0][0] + c[1][1] + c[2][2];
    double q[4];
    if (trace > 0.0) {
        const double s = 2.0 * sqrt(trace + 1.0);
        q[0] = (c[1][2] - c[2][1]) / s;
        q[1] = (c[2][0] - c[0][2]) / s;
        q[2] = (c[0][1] - c[1][0]) / s;
        q[3] = 0.25 * s;
    } else {
        const int i = c[1][1] > c[0][0] ? (c[2][2] > c[1][1] ? 2 : 1) : (c[2][2] > c[0][0] ? 2 : 0);
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double s = 2.0 * sqrt(1.0 + c[i][i] - c[j][j] - c[k][k]);
        q[i] = 0.25 * s;
        q[j] = (c[i][j] + c[j][i]) / s;
        q[k] = (c[i][k] + c[k][i]) / s;
        q[3] = (c[j][k] - c[k][j]) / s;
    }
    *out = (vrm_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

bool vrmi_decompose(const float matrix[16], vrm_transform *out)
{
    axes m, r;
    double size = 0.0;
    for (int c = 0; c < 3; ++c) {
        for (int i = 0; i < 3; ++i) {
            m.column[c][i] = (double)matrix[4 * c + i];
            size = fabs(m.column[c][i]) > size ? fabs(m.column[c][i]) : size;
        }
    }
    double z[3];
    cross(m.column[0], m.column[1], z);
    const bool mirrored = dot(z, m.column[2]) < 0.0;
    for (int i = 0; i < 3 && mirrored; ++i) {
        m.column[0][i] = -m.column[0][i];
    }
    orthonormal(&m, &r);
    double scale[3], error = 0.0;
    for (int c = 0; c < 3; ++c) {
        scale[c] = dot(m.column[c], r.column[c]);
        for (int i = 0; i < 3; ++i) {
            const double off = fabs(m.column[c][i] - scale[c] * r.column[c][i]);
            error = off > error ? off : error;
        }
    }
    to_quat(&r, &out->rotation);
    out->translation = (vrm_vec3){matrix[12], matrix[13], matrix[14]};
    out->scale = (vrm_vec3){(float)(mirrored ? -scale[0] : scale[0]), (float)scale[1], (float)scale[2]};
    const double row =
        fabs((double)matrix[3]) + fabs((double)matrix[7]) + fabs((double)matrix[11]) + fabs((double)matrix[15] - 1.0);
    return error <= 1e-4 * size && row <= 1e-4;
}
