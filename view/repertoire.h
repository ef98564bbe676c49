// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_REPERTOIRE_H
#define VIEW_REPERTOIRE_H

// The clips that can be played: those of files that were opened, and the animations in the avatar's own file.

#include "cli.h"
#include "figure.h"

enum { REPERTOIRE_CLIPS = 64, REPERTOIRE_NAME = 96 };

typedef struct repertoire_clip {
    char name[REPERTOIRE_NAME];
    vrm_clip *clip;
    bool embedded; // goes with the avatar
} repertoire_clip;

typedef struct repertoire {
    repertoire_clip clips[REPERTOIRE_CLIPS];
    uint32_t count;
    int32_t playing; // -1: none
    float fade;      // seconds of a transition
    float speed;
    int wrap; // vrm_clip_wrap
    bool inertial;
} repertoire;

void repertoire_start(repertoire *r);
void repertoire_end(repertoire *r);
// Adds a file's first animation (FBX and COLLADA through the command's converter); gives its index, or -1 with the
// reason.
int32_t repertoire_add(repertoire *r, cli_job *job, const char *path, char message[FIGURE_MESSAGE]);
// Another avatar stands on stage: its own animations instead of the last one's; what plays goes on.
void repertoire_meet(repertoire *r, figure *f);
// -1: falls silent.
void repertoire_play(repertoire *r, figure *f, int32_t clip);
// Settings changed: what plays goes on from where it is with them.
void repertoire_retune(repertoire *r, figure *f);

#endif
