// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_LOAD_PHASES_H
#define SCENES_LOAD_PHASES_H

// A load timed by phase, from its progress reports.

#include <vrm/avatar.h>

enum { SCENE_MAX_PHASES = 32 };

typedef struct scene_load {
    vrm_avatar *avatar;
    double document, import; // seconds on the clock
    const char *names[SCENE_MAX_PHASES];
    double seconds[SCENE_MAX_PHASES];
    int count;
    double last; // time of the last progress report
    size_t json; // bytes of JSON text
} scene_load;

// Loads bytes into a document (borrowed) and an avatar, plain glTF too; the caller releases the avatar.
vrm_result scene_load_run(
    scene_load *load, const void *bytes, size_t size, const vrm_allocator *allocator, const vrm_limits *limits);
double scene_load_seconds(const scene_load *load);
// Megabytes per second of the phase "json", which includes all parsing.
double scene_load_json_rate(const scene_load *load);

#endif
