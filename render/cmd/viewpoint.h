// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_VIEWPOINT_H
#define RENDER_CMD_VIEWPOINT_H

#include <vrm_render/render.h>

// Metres of ground around the wearer in the first-person view: to where the grid lines get too close together.
static const float viewpoint_ground = 30.0f;

// A camera where the wearer's eyes are, turned to the left and down from where the head looks, radians: fills view and
// projection. The scene has its size.
void viewpoint_apply(const vrm_outputs *outputs, double yaw, double pitch, vrm_render_scene *scene);

#endif
