// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_DECOMPOSE_H
#define VRMI_FORMAT_DECOMPOSE_H

#include <vrm/math.h>

// Decomposes a column-major 4x4 matrix into translation, rotation and scale. A mirrored matrix gets a negative x scale.
// Returns false if the result only approximates the matrix (shear, perspective): its error exceeds about 1e-4 of the
// matrix's size.
bool vrmi_decompose(const float matrix[16], vrm_transform *out);

#endif
