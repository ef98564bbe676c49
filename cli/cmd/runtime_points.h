// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_CMD_RUNTIME_POINTS_H
#define CLI_CMD_RUNTIME_POINTS_H

#include "cli.h"

// A known difference between runtimes (docs/profiles.md). `count` returns the number of this file's objects that the
// difference concerns.
typedef struct runtime_point {
    const char *name;
    uint32_t shown; // bits 1 << vrm_profile: profiles that reproduce the difference
    // Bits 1 << vrm_profile: runtimes that have the difference, but whose profile does not reproduce it.
    uint32_t unknown;
    uint32_t (*count)(const cli_model *model);
} runtime_point;

extern const runtime_point runtime_points[];
extern const uint32_t runtime_point_count;

#endif
