// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_CLIP_H
#define VRMI_IMPORT_IMPORT_CLIP_H

// Loading clips from bytes: checks the def and declares the readers that clip_load.c chooses from.

#include "model/clip.h"

// Copies the caller's def, or the default if it is NULL. Returns false for an invalid def.
bool vrmi_clip_choose_def(const vrm_clip_def *def, vrm_clip_def *out);
// Reads a clip from BVH text. Results are those of vrm_clip_load().
vrm_result vrmi_clip_from_bvh(
    const vrm_clip_def *def, const char *text, size_t size, vrm_report *report, vrm_clip **out_clip);

#endif
