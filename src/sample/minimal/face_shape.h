// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MINIMAL_FACE_SHAPE_H
#define VRMI_MINIMAL_FACE_SHAPE_H

// The face as curves. Its front is a height field over (x, y); lids, brows and lips are lines on it.

#include "sample/minimal/minimal.h"

#define VRMI_MINIMAL_EYE_X 0.0405f
#define VRMI_MINIMAL_EYE_Y 1.3325f
#define VRMI_MINIMAL_EYE_RADIUS 0.090f // radius of the sphere on which the iris moves
#define VRMI_MINIMAL_MOUTH_Y 1.2735f

// Returns half of the face's width at a height.
float vrmi_minimal_face_width(float y);
// Returns a point `lift` metres in front of the face at (x, y).
vrm_vec3 vrmi_minimal_face_point(float x, float y, float lift);
vrm_vec3 vrmi_minimal_face_normal(float x, float y);

// The lids of the left eye in model space, along s: -1 is the inner corner, 1 the outer corner. The right eye is a
// mirrored left one; `side` 1 selects its entry of the face's pairs.
float vrmi_minimal_lid_x(float s);
float vrmi_minimal_lid_upper(const vrmi_minimal_face *face, int side, float s);
float vrmi_minimal_lid_lower(const vrmi_minimal_face *face, int side, float s);

// The lips along s: -1 is the right corner, 1 the left corner.
float vrmi_minimal_lip_x(const vrmi_minimal_face *face, float s);
float vrmi_minimal_lip_upper(const vrmi_minimal_face *face, float s);
float vrmi_minimal_lip_lower(const vrmi_minimal_face *face, float s);

// Writes the face at rest.
void vrmi_minimal_face_default(vrmi_minimal_face *out);

#endif
