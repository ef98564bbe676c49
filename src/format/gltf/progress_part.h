// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_PROGRESS_PART_H
#define VRMI_FORMAT_PROGRESS_PART_H

#include <vrm/gltf.h>

// Maps the progress of an inner call from 0..1 to a part of the caller's range.
typedef struct vrmi_progress_part {
    vrm_progress_fn *progress;
    void *user;
    float first, share;
} vrmi_progress_part;

// A vrm_progress_fn for the inner call. `user` is the vrmi_progress_part.
static inline bool vrmi_tell_part(float fraction, const char *phase, void *user)
{
    const vrmi_progress_part *part = (const vrmi_progress_part *)user;
    return part->progress(part->first + part->share * fraction, phase, part->user);
}

#endif
