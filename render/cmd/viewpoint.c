// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "viewpoint.h"

#include <math.h>

#include "matrix.h"

// Rotates v by q.
static void turn(vrm_quat q, const double v[3], double out[3])
{
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    const double t[3] = {2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]), 2.0 * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

void viewpoint_apply(const vrm_outputs *outputs, double yaw, double pitch, vrm_render_scene *scene)
{
    const vrm_transform *viewpoint = &outputs->viewpoint;
    const double sy = sin(yaw), cy = cos(yaw), sp = sin(pitch), cp = cos(pitch);
    double eye[3], target[3], forward[3], up[3];
    turn(viewpoint->rotation, (const double[3]){sy * cp, -sp, cy * cp}, forward);
    turn(viewpoint->rotation, (const double[3]){sy * sp, cp, cy * sp}, up);
    const float *at = &viewpoint->translation.x;
    const double origin[3] = {outputs->origin.x, outputs->origin.y, outputs->origin.z};
    for (int i = 0; i < 3; ++i) {
        eye[i] = origin[i] + (double)at[i];
        target[i] = eye[i] + forward[i];
    }
    matrix_look(scene->view, eye, target, up);
    matrix_perspective(scene->projection, 60.0, (double)scene->width / scene->height, 0.02, 100.0);
}
