// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_CAMERA_H
#define VIEW_CAMERA_H

// A camera that rotates around a point.

#include "figure.h"

typedef struct orbit {
    double target[3], yaw, pitch, distance; // radians and metres
    double field_of_view;                   // vertical, degrees
} orbit;

typedef enum orbit_part { ORBIT_BODY, ORBIT_BUST, ORBIT_FACE, ORBIT_PART_COUNT } orbit_part;

// Frames the drawn part of the figure (NULL: an empty stage) from the front, and rotates around its middle.
void orbit_frame(orbit *o, vrm_renderer *renderer, const figure *f, orbit_part part, double aspect);
void orbit_turn(orbit *o, double yaw, double pitch);
// Moves the camera; distances are fractions of the picture's height.
void orbit_pan(orbit *o, double right, double up);
// Steps of the wheel; nearer is positive.
void orbit_zoom(orbit *o, double steps);
void orbit_eye(const orbit *o, double eye[3]);
// Fills view and projection, and the light over the camera's left shoulder turned by `light_yaw` and `light_pitch`.
void orbit_apply(const orbit *o, vrm_render_scene *scene, double light_yaw, double light_pitch);
// The ray through a point of the picture, 0 to 1 from the left and from the top: from the eye, unit direction.
void orbit_ray(const orbit *o, double aspect, double x, double y, double direction[3]);

#endif
