// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_REPERTOIRE_H
#define VIEW_REPERTOIRE_H

// The available clips: those of opened files, and the animations in the avatar's own file.

#include "cli.h"
#include "figure.h"

enum { REPERTOIRE_CLIPS = 64, REPERTOIRE_NAME = 96 };

typedef struct repertoire_clip {
    char name[REPERTOIRE_NAME];
    vrm_clip *clip;
    bool embedded; // from the avatar's own file; removed with the avatar
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
// Adds a file's first animation (FBX and COLLADA through the command's converter). Returns the clip's index, or -1 with
// the reason in `message`.
int32_t repertoire_add(repertoire *r, cli_job *job, const char *path, char message[FIGURE_MESSAGE]);
// Replaces the last avatar's own animations by those of a newly displayed avatar. The current clip continues.
void repertoire_meet(repertoire *r, figure *f);
// Plays a clip; -1 stops.
void repertoire_play(repertoire *r, figure *f, int32_t clip);
// Applies changed settings to the current clip, which continues.
void repertoire_retune(repertoire *r, figure *f);

#endif
