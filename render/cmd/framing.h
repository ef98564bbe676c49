// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_FRAMING_H
#define RENDER_CMD_FRAMING_H

#include <vrm_render/render.h>

typedef enum framing_part { FRAMING_BODY, FRAMING_BUST, FRAMING_FACE } framing_part;

// What a camera shows of whom, and from where.
typedef struct framing_view {
    vrm_renderer *renderer;
    vrm_render_item item;
    double yaw, pitch;    // of the camera from the front: left and up, radians
    double field_of_view; // upright, degrees
} framing_view;

// A rectangle across the view around what is drawn of a part, metres.
typedef struct framing {
    double centre[3]; // world; at the depth of the figure's nearest point, so that a camera is never inside it
    double width, height;
    double behind; // how far behind that plane the middle of the figure is; of the head for bust and face
} framing;

// Finds the part in the instance's current pose, by drawing it small. False when nothing of the figure can be seen. The
// face is everything that the head bone moves, with hair as far as it stays near the head; the bust goes down to the
// chest; a figure without a head is framed whole.
bool framing_find(const framing_view *view, framing_part part, framing *out);
// Makes `f` go around both.
void framing_add(const framing_view *view, framing *f, const framing *other);
// The distance from the centre at which a camera shows all of it in a picture of this shape (width over height), with
// some air.
double framing_distance(const framing *f, double field_of_view, double aspect);

#endif
