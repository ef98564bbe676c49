// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_LOAD_PHASES_H
#define SCENES_LOAD_PHASES_H

// Loads a file and times each phase, from the progress reports.

#include <vrm/avatar.h>

enum { SCENE_MAX_PHASES = 32 };

typedef struct scene_load {
    vrm_avatar *avatar;
    double document, import; // seconds for loading the document and importing the avatar
    const char *names[SCENE_MAX_PHASES];
    double seconds[SCENE_MAX_PHASES];
    int count;
    double last; // time of the last progress report, seconds
    size_t json; // bytes of JSON text
} scene_load;

// Loads bytes into a document, which borrows them, and imports an avatar, also from plain glTF. The caller releases the
// avatar.
vrm_result scene_load_run(
    scene_load *load, const void *bytes, size_t size, const vrm_allocator *allocator, const vrm_limits *limits);
double scene_load_seconds(const scene_load *load);
// Returns the megabytes per second of the phase "json", which includes all parsing.
double scene_load_json_rate(const scene_load *load);

#endif
