// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MINIMAL_FACE_SHAPE_H
#define VRMI_MINIMAL_FACE_SHAPE_H

// The face as curves: its front is a height field over (x, y), and lids, brows and lips are lines drawn on it.

#include "sample/minimal/minimal.h"

#define VRMI_MINIMAL_EYE_X 0.0405f
#define VRMI_MINIMAL_EYE_Y 1.3325f
#define VRMI_MINIMAL_EYE_RADIUS 0.090f // radius of the sphere on which the iris moves
#define VRMI_MINIMAL_MOUTH_Y 1.2735f

// Half the face's width at a height.
float vrmi_minimal_face_width(float y);
// The point of the face's front at (x, y), `lift` metres in front of it.
vrm_vec3 vrmi_minimal_face_point(float x, float y, float lift);
vrm_vec3 vrmi_minimal_face_normal(float x, float y);

// Lids of the left eye, along s: -1 is the inner corner, 1 the outer one; both in model space. The right side is drawn
// as a left one and mirrored; side 1 selects the state's entry.
float vrmi_minimal_lid_x(float s);
float vrmi_minimal_lid_upper(const vrmi_minimal_face *face, int side, float s);
float vrmi_minimal_lid_lower(const vrmi_minimal_face *face, int side, float s);

// Lips along s: -1 right corner, 1 left corner.
float vrmi_minimal_lip_x(const vrmi_minimal_face *face, float s);
float vrmi_minimal_lip_upper(const vrmi_minimal_face *face, float s);
float vrmi_minimal_lip_lower(const vrmi_minimal_face *face, float s);

// The face at rest.
void vrmi_minimal_face_default(vrmi_minimal_face *out);

#endif
