// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_VIEW_OPTIONS_H
#define CLI_VIEW_OPTIONS_H

// The options of `vrm view`. `vrm` knows them for help, man page and completion, and checks them; the work is done by
// vrm-view, a program of its own, so that `vrm` needs no window system.

#include "cli.h"

typedef struct view_options {
    cli_dialect dialect;
    int64_t width, height, samples;
    const char *screenshots; // folder; NULL: the current one
    const char *font;
    bool control;
} view_options;

#endif
