// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_FRAMING_H
#define RENDER_CMD_FRAMING_H

#include <vrm_render/render.h>

typedef enum framing_part { FRAMING_BODY, FRAMING_BUST, FRAMING_FACE } framing_part;

// The subject of a camera, and its direction.
typedef struct framing_view {
    vrm_renderer *renderer;
    vrm_render_item item;
    double yaw, pitch;    // of the camera from the front: left and up, radians
    double field_of_view; // vertical, degrees
} framing_view;

// A rectangle perpendicular to the view that contains the drawn part, in metres.
typedef struct framing {
    double centre[3]; // world; at the depth of the figure's nearest point, so that a camera is never inside it
    double width, height;
    double behind; // distance of the figure's middle behind that plane; of the head for bust and face
} framing;

// Finds the part in the instance's current pose, by drawing it small. False if nothing of the figure is visible. The
// face is everything that the head bone moves, including hair near the head; the bust extends down to the chest; a
// figure without a head is framed completely.
bool framing_find(const framing_view *view, framing_part part, framing *out);
// Extends `f` to contain both.
void framing_add(const framing_view *view, framing *f, const framing *other);
// The distance from the centre at which a camera sees the whole frame in a picture of this aspect (width over height),
// with some margin.
double framing_distance(const framing *f, double field_of_view, double aspect);

#endif
