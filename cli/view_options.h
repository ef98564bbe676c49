// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_VIEW_OPTIONS_H
#define CLI_VIEW_OPTIONS_H

// The options of `vrm view`. `vrm` itself checks the options, and needs them for help, man page and completion. The
// work is done by vrm-view, a separate program, so that `vrm` needs no window system.

#include "cli.h"

typedef struct view_options {
    cli_dialect dialect;
    int64_t width, height, samples;
    const char *screenshots; // folder for screenshots; NULL: the current folder
    const char *font;
    bool control;
} view_options;

#endif
