// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_CLIP_COPY_H
#define VRMI_IMPORT_CLIP_COPY_H

// What operations on clips share.

#include "model/clip.h"

// Copies all tracks of a clip, and its duration, into a builder made like it.
bool vrmi_clip_builder_copy(vrmi_clip_builder *builder, const vrm_clip *clip);
// Keeps the markers between two times, counted from the first one, or backwards from the second one.
void vrmi_clip_builder_move_markers(vrmi_clip_builder *builder, float start, float stop, bool backwards);

#endif
