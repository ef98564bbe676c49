// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_PROGRESS_PART_H
#define VRMI_FORMAT_PROGRESS_PART_H

#include <vrm/gltf.h>

// Maps the progress of an inner call to a range of the whole.
typedef struct vrmi_progress_part {
    vrm_progress_fn *progress;
    void *user;
    float first, share;
} vrmi_progress_part;

// A vrm_progress_fn; `user` is the part.
static inline bool vrmi_tell_part(float fraction, const char *phase, void *user)
{
    const vrmi_progress_part *part = (const vrmi_progress_part *)user;
    return part->progress(part->first + part->share * fraction, phase, part->user);
}

#endif
