// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_CLIP_H
#define VRMI_IMPORT_IMPORT_CLIP_H

// Clips from bytes: the definition, and what clip_load.c chooses between.

#include "model/clip.h"

// The caller's def or the default; false for one that no reader takes.
bool vrmi_clip_choose_def(const vrm_clip_def *def, vrm_clip_def *out);
// BVH text. Results as vrm_clip_load().
vrm_result vrmi_clip_from_bvh(
    const vrm_clip_def *def, const char *text, size_t size, vrm_report *report, vrm_clip **out_clip);

#endif
