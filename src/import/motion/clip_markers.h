// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_CLIP_MARKERS_H
#define VRMI_IMPORT_CLIP_MARKERS_H

// How operations on clips transform markers.

#include "model/clip.h"

// Keeps the markers between two times. Their new times count from `start`, or backwards from `stop`.
void vrmi_clip_builder_move_markers(vrmi_clip_builder *builder, float start, float stop, bool backwards);

#endif
