// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_CAMERA_H
#define VIEW_CAMERA_H

// A camera that rotates around a point.

#include "figure.h"

typedef struct orbit {
    double target[3], yaw, pitch, distance; // radians and metres
    double field_of_view;                   // vertical angle, degrees
} orbit;

typedef enum orbit_part { ORBIT_BODY, ORBIT_BUST, ORBIT_FACE, ORBIT_PART_COUNT } orbit_part;

// Frames the drawn part of the figure from the front; the camera then rotates around the middle of that part. `f` is
// NULL for an empty stage.
void orbit_frame(orbit *o, vrm_renderer *renderer, const figure *f, orbit_part part, double aspect);
void orbit_turn(orbit *o, double yaw, double pitch);
// Moves the camera; distances are fractions of the picture's height.
void orbit_pan(orbit *o, double right, double up);
// Zooms by steps of the mouse wheel; positive steps move the camera nearer.
void orbit_zoom(orbit *o, double steps);
void orbit_eye(const orbit *o, double eye[3]);
// Sets view and projection. The light comes over the camera's left shoulder, turned by `light_yaw` and `light_pitch`.
void orbit_apply(const orbit *o, vrm_render_scene *scene, double light_yaw, double light_pitch);
// Returns the unit direction from the eye through a point of the picture. The point runs from 0 to 1, from the left and
// from the top.
void orbit_ray(const orbit *o, double aspect, double x, double y, double direction[3]);

#endif
