// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_CLIP_MARKERS_H
#define VRMI_IMPORT_CLIP_MARKERS_H

// What operations on clips make of their markers.

#include "model/clip.h"

// Keeps the markers between two times, counted from the first one, or backwards from the second one.
void vrmi_clip_builder_move_markers(vrmi_clip_builder *builder, float start, float stop, bool backwards);

#endif
