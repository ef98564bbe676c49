// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_FRAMING_H
#define RENDER_CMD_FRAMING_H

#include <vrm_render/render.h>

typedef enum framing_part { FRAMING_BODY, FRAMING_BUST, FRAMING_FACE } framing_part;

// Whom a camera sees, and how.
typedef struct framing_view {
    vrm_renderer *renderer;
    vrm_render_item item;
    double yaw, pitch;    // of the camera from the front: left and up, radians
    double field_of_view; // upright, degrees
} framing_view;

// A rectangle across the view around what is drawn of a part, metres.
typedef struct framing {
    double centre[3]; // world; as near to the camera as any of the figure, so that a camera never stands in it
    double width, height;
    double behind; // how far behind that the middle of the figure is, of bust and face the head
} framing;

// Finds the part in the instance's pose of the moment, by drawing it small. False when nothing of the figure can be seen.
// The face is what the head carries, hair as far as it stays near the head; the bust goes down to the chest; what has
// no head is seen whole.
bool framing_find(const framing_view *view, framing_part part, framing *out);
// Makes `f` go around both.
void framing_add(const framing_view *view, framing *f, const framing *other);
// How far from the centre a camera sees all of it in a picture of this shape (width over height), with some air.
double framing_distance(const framing *f, double field_of_view, double aspect);

#endif
