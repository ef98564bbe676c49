// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_CMD_RUNTIME_POINTS_H
#define CLI_CMD_RUNTIME_POINTS_H

#include "cli.h"

// A known difference between runtimes (docs/profiles.md), and how many objects of this file it concerns.
typedef struct runtime_point {
    const char *name;
    uint32_t shown;   // bits 1 << vrm_profile: profiles that show it
    uint32_t unknown; // profiles of runtimes that differ there without showing it
    uint32_t (*count)(const cli_model *model);
} runtime_point;

extern const runtime_point runtime_points[];
extern const uint32_t runtime_point_count;

#endif
