// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "matrix.h"

#include <math.h>
#include <string.h>

void matrix_perspective(float m[16], double fov, double aspect, double near, double far)
{
    const double f = 1.0 / tan(fov * 3.14159265358979323846 / 360.0);
    memset(m, 0, 16 * sizeof *m);
    m[0] = (float)(f / aspect);
    m[5] = (float)f;
    m[10] = (float)((far + near) / (near - far));
    m[11] = -1.0f;
    m[14] = (float)(2.0 * far * near / (near - far));
}

bool matrix_is_regular(const double m[16])
{
    double left[4][4];
    for (int i = 0; i < 16; ++i) {
        if (!isfinite((float)m[i])) {
            return false;
        }
        left[i / 4][i % 4] = m[i];
    }
    for (int column = 0; column < 4; ++column) { // elimination
        int best = column;
        for (int row = column + 1; row < 4; ++row) {
            best = fabs(left[row][column]) > fabs(left[best][column]) ? row : best;
        }
        if (left[best][column] == 0.0) {
            return false;
        }
        for (int i = 0; i < 4; ++i) {
            const double kept = left[column][i];
            left[column][i] = left[best][i];
            left[best][i] = kept;
        }
        for (int row = column + 1; row < 4; ++row) {
            const double factor = left[row][column] / left[column][column];
            for (int i = column; i < 4; ++i) {
                left[row][i] -= factor * left[column][i];
            }
        }
    }
    return true;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; ++i) {
        v[i] /= length > 0.0 ? length : 1.0;
    }
}

void matrix_look(double m[16], const double eye[3], const double target[3], const double up_hint[3])
{
    double back[3], right[3], up[3];
    for (int i = 0; i < 3; ++i) {
        back[i] = eye[i] - target[i];
    }
    normalize(back);
    cross(up_hint, back, right);
    if (right[0] == 0.0 && right[1] == 0.0 && right[2] == 0.0) {
        right[0] = 1.0; // the camera looks straight up or down
    }
    normalize(right);
    cross(back, right, up);
    const double *rows[3] = {right, up, back};
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            m[4 * c + r] = rows[r][c];
        }
        m[12 + r] = -(rows[r][0] * eye[0] + rows[r][1] * eye[1] + rows[r][2] * eye[2]);
    }
    m[3] = m[7] = m[11] = 0.0;
    m[15] = 1.0;
}
