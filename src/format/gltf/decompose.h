// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_DECOMPOSE_H
#define VRMI_FORMAT_DECOMPOSE_H

#include <vrm/math.h>

// Translation, rotation and scale of a column-major 4x4. A mirrored matrix gets a negative x scale. Returns false when
// they do not reproduce the matrix (shear, perspective) within about 1e-4 of its size; then they are an approximation.
bool vrmi_decompose(const float matrix[16], vrm_transform *out);

#endif
