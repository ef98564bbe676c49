// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_CLIP_MARKERS_H
#define VRMI_IMPORT_CLIP_MARKERS_H

// Changes markers when an operation on a clip changes time.

#include "model/clip.h"

// Keeps only the markers between two times. Their new times count from `start`; if `backwards`, from `stop`.
void vrmi_clip_builder_move_markers(vrmi_clip_builder *builder, float start, float stop, bool backwards);

#endif
