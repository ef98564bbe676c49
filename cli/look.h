// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_LOOK_H
#define CLI_LOOK_H

// The gaze of `vrm simulate`: the path of the look-at target (look_path.c), and the look chain's lines as meshes of the
// recording (look_lines.c).

#include "cli.h"

// The look-at target over time. A zeroed path has no target.
typedef struct look_path {
    double *rows; // four numbers each: time, x, y, z
    uint32_t count;
    size_t size; // bytes of `rows`
} look_path;

// Reads "X,Y,Z", or a file with lines of time, x, y, z. Numbers are separated by commas or spaces, times must ascend,
// and # begins a comment. Prints errors and returns the exit code.
int look_path_read(cli_job *job, const char *text, look_path *out);
void look_path_free(cli_job *job, look_path *path);
// Interpolates linearly between the rows. Before the first and after the last row, the target stays there.
void look_path_at(const look_path *path, double time, vrm_dvec3 *out_target);

// The look chain's lines in every frame.
typedef struct look_lines {
    vrm_debug_line *lines; // `per_frame` lines for each frame, from `from` to `to`, in world space
    float *times;
    uint32_t per_frame, frames, room;
    bool failed; // no memory
} look_lines;

// Makes room for `frames` frames of `per_frame` lines.
void look_lines_begin(cli_job *job, look_lines *lines, uint32_t per_frame, uint32_t frames);
void look_lines_add(look_lines *lines, const vrm_instance *instance, double time);
void look_lines_free(cli_job *job, look_lines *lines);
// Adds the lines as moving nodes to the first scene of the saved document in `bytes`, and replaces `bytes`.
vrm_result look_lines_write(cli_job *job, const look_lines *lines, vrm_bytes *bytes);

#endif
