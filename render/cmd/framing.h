// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_FRAMING_H
#define RENDER_CMD_FRAMING_H

#include <vrm_render/render.h>

typedef enum framing_part { FRAMING_BODY, FRAMING_BUST, FRAMING_FACE } framing_part;

// A camera's subject and direction.
typedef struct framing_view {
    vrm_renderer *renderer;
    vrm_render_item item;
    // Angles from the figure's front to the camera, in radians: yaw towards the figure's left, pitch upwards.
    double yaw, pitch;
    double field_of_view; // vertical angle, degrees
} framing_view;

// A rectangle perpendicular to the view direction that contains the drawn part, in metres.
typedef struct framing {
    double centre[3]; // in the world; at the depth of the figure's nearest point, so that no camera is inside
    double width, height;
    double behind; // distance from that plane back to the middle of the figure; for bust and face, to the head
} framing;

// Finds the part in the instance's current pose by drawing small pictures. The face is everything that the head bone
// moves, including hair near the head; the bust extends down to the chest; a figure without a head is framed
// completely. Returns false if nothing of the figure is visible.
bool framing_find(const framing_view *view, framing_part part, framing *out);
// Extends `f` so that it contains both frames.
void framing_add(const framing_view *view, framing *f, const framing *other);
// Returns the distance from the centre at which a camera sees the whole frame, with some margin, in a picture of this
// aspect ratio (width over height).
double framing_distance(const framing *f, double field_of_view, double aspect);

#endif
