// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "math/mat34.h"

void vrmi_mat34_identity(vrm_mat34 *out)
{
    *out = (vrm_mat34){{{1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}};
}

void vrmi_mat34_from_transform(const vrm_transform *transform, vrm_mat34 *out)
{
    const vrm_quat q = transform->rotation;
    const vrm_vec3 s = transform->scale;
    const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const float xx = q.x * x2, xy = q.x * y2, xz = q.x * z2;
    const float yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
    const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    out->m[0][0] = (1.0f - (yy + zz)) * s.x;
    out->m[1][0] = (xy + wz) * s.x;
    out->m[2][0] = (xz - wy) * s.x;
    out->m[0][1] = (xy - wz) * s.y;
    out->m[1][1] = (1.0f - (xx + zz)) * s.y;
    out->m[2][1] = (yz + wx) * s.y;
    out->m[0][2] = (xz + wy) * s.z;
    out->m[1][2] = (yz - wx) * s.z;
    out->m[2][2] = (1.0f - (xx + yy)) * s.z;
    out->m[0][3] = transform->translation.x;
    out->m[1][3] = transform->translation.y;
    out->m[2][3] = transform->translation.z;
}

void vrmi_mat34_mul(const vrm_mat34 *a, const vrm_mat34 *b, vrm_mat34 *out)
{
    for (int row = 0; row < 3; ++row) {
        const float a0 = a->m[row][0], a1 = a->m[row][1], a2 = a->m[row][2];
        for (int column = 0; column < 4; ++column) {
            out->m[row][column] = a0 * b->m[0][column] + a1 * b->m[1][column] + a2 * b->m[2][column];
        }
        out->m[row][3] += a->m[row][3];
    }
}

bool vrmi_mat34_invert(const vrm_mat34 *a, vrm_mat34 *out)
{
    double c[3][3]; // cofactors; in double, because differences of products lose digits
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = (double)a->m[i1][j1] * (double)a->m[i2][j2] - (double)a->m[i1][j2] * (double)a->m[i2][j1];
        }
    }
    const double determinant =
        (double)a->m[0][0] * c[0][0] + (double)a->m[0][1] * c[0][1] + (double)a->m[0][2] * c[0][2];
    if (!(determinant > 1e-30 || determinant < -1e-30)) {
        vrmi_mat34_identity(out);
        return false;
    }
    const double s = 1.0 / determinant;
    const double t[3] = {(double)a->m[0][3], (double)a->m[1][3], (double)a->m[2][3]};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            out->m[row][column] = (float)(c[column][row] * s);
        }
        out->m[row][3] = (float)(-(c[0][row] * t[0] + c[1][row] * t[1] + c[2][row] * t[2]) * s);
    }
    return true;
}

static vrm_vec3 column_of(const vrm_mat34 *a, int column)
{
    return (vrm_vec3){a->m[0][column], a->m[1][column], a->m[2][column]};
}

// Converts three orthonormal columns to a quaternion, in the branch of its largest component, to avoid division by a
// small number.
static vrm_quat quat_from_axes(vrm_vec3 x, vrm_vec3 y, vrm_vec3 z)
{
    const float trace = x.x + y.y + z.z;
    vrm_quat q;
    if (trace > 0.0f) {
        q = (vrm_quat){y.z - z.y, z.x - x.z, x.y - y.x, 1.0f + trace};
    } else if (x.x > y.y && x.x > z.z) {
        q = (vrm_quat){1.0f + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y};
    } else if (y.y > z.z) {
        q = (vrm_quat){y.x + x.y, 1.0f + y.y - x.x - z.z, z.y + y.z, z.x - x.z};
    } else {
        q = (vrm_quat){z.x + x.z, z.y + y.z, 1.0f + z.z - x.x - y.y, x.y - y.x};
    }
    return vrmi_quat_normalize(q);
}

bool vrmi_mat34_decompose(const vrm_mat34 *a, vrm_transform *out)
{
    const vrm_vec3 cx = column_of(a, 0), cy = column_of(a, 1), cz = column_of(a, 2);
    const bool mirrored = vrmi_vec3_dot(vrmi_vec3_cross(cx, cy), cz) < 0.0f;
    out->translation = vrmi_mat34_translation(a);
    out->scale = vrmi_vec3(vrmi_vec3_length(cx), vrmi_vec3_length(cy), vrmi_vec3_length(cz));
    const vrm_vec3 x =
        vrmi_vec3_scale(vrmi_vec3_normalize_or(cx, vrmi_vec3(1.0f, 0.0f, 0.0f)), mirrored ? -1.0f : 1.0f);
    const vrm_vec3 y_raw = vrmi_vec3_normalize_or(cy, vrmi_vec3(0.0f, 1.0f, 0.0f));
    const vrm_vec3 z_raw = vrmi_vec3_normalize_or(cz, vrmi_vec3(0.0f, 0.0f, 1.0f));
    // Gram-Schmidt. With shear, x keeps its direction, y is made perpendicular to x, and z is their cross product.
    const vrm_vec3 y = vrmi_vec3_normalize_or(
        vrmi_vec3_sub(y_raw, vrmi_vec3_scale(x, vrmi_vec3_dot(x, y_raw))), vrmi_vec3(0.0f, 1.0f, 0.0f));
    const vrm_vec3 z = vrmi_vec3_cross(x, y);
    out->rotation = quat_from_axes(x, y, z);
    if (mirrored) {
        out->scale.x = -out->scale.x;
    }
    const float shear = vrmi_abs(vrmi_vec3_dot(x, y_raw)) + vrmi_vec3_length(vrmi_vec3_sub(z, z_raw));
    const bool flat = !(vrmi_abs(out->scale.x) > 1e-18f && out->scale.y > 1e-18f && out->scale.z > 1e-18f);
    return !flat && shear < 1e-3f;
}

float vrmi_mat34_max_scale(const vrm_mat34 *a)
{
    float largest = 0.0f;
    for (int column = 0; column < 3; ++column) {
        const vrm_vec3 v = column_of(a, column);
        largest = vrmi_max(largest, vrmi_vec3_dot(v, v));
    }
    return vrmi_sqrt(largest);
}

static float largest(int column)
{
    return column == 3 ? VRMI_LARGEST_ORIGIN : VRMI_LARGEST_AXIS;
}

bool vrmi_mat34_is_possible(const vrm_mat34 *m)
{
    bool possible = true;
    for (int i = 0; i < 12; ++i) {
        possible &= vrmi_abs(m->m[i / 4][i % 4]) <= largest(i % 4); // false for NaN
    }
    return possible;
}

void vrmi_mat34_make_possible(vrm_mat34 *m)
{
    for (int i = 0; i < 12; ++i) {
        float *x = &m->m[i / 4][i % 4];
        *x = *x == *x ? vrmi_clamp(*x, -largest(i % 4), largest(i % 4)) : 0.0f;
    }
}
