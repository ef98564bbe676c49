// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_MATRIX_H
#define RENDER_CMD_MATRIX_H

#include <stdbool.h>

// The two matrices of a camera, column-major, in OpenGL's conventions.

// `fov` is the vertical angle in degrees.
void matrix_perspective(float m[16], double fov, double aspect, double near, double far);
// Returns false if a camera with this matrix shows nothing: the matrix has no inverse or exceeds single precision.
bool matrix_is_regular(const double m[16]);
void matrix_look(double m[16], const double eye[3], const double target[3], const double up_hint[3]);

#endif
