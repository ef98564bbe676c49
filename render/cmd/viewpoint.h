// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_VIEWPOINT_H
#define RENDER_CMD_VIEWPOINT_H

#include <vrm_render/render.h>

// Radius of the ground around the wearer in the first-person view, metres. Farther out the grid lines would be too
// close together.
static const float viewpoint_ground = 30.0f;

// Places a camera at the wearer's eyes, turned left and down from the head's direction, in radians. Sets view and
// projection. The scene's size must be set before.
void viewpoint_apply(const vrm_outputs *outputs, double yaw, double pitch, vrm_render_scene *scene);

#endif
