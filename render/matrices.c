// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include <string.h>

void vrmr_matrices(const vrm_render_scene *scene, const vrm_dvec3 *origin, float view[16], float clip[16])
{
    double v[16];
    memcpy(v, scene->view, sizeof v);
    for (int r = 0; r < 3; ++r) {
        v[12 + r] += v[r] * origin->x + v[4 + r] * origin->y + v[8 + r] * origin->z;
    }
    for (int i = 0; i < 16; ++i) {
        view[i] = (float)v[i];
    }
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) {
                sum += (double)scene->projection[4 * k + r] * v[4 * c + k];
            }
            clip[4 * c + r] = (float)sum;
        }
    }
}
