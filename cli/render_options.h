// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_RENDER_OPTIONS_H
#define CLI_RENDER_OPTIONS_H

// The options of `vrm render`, `vrm rpc` and `vrm thumbnail`. `vrm` itself checks the options, and needs them for help,
// man pages and completion. The work is done by vrm-render, a separate program, so that `vrm` needs no graphics driver.

#include "cli.h"

// Pose and appearance of the figure, for `vrm render` and `vrm thumbnail`.
typedef struct render_figure {
    const char *pose;      // name of a pose, or a motion file; NULL: relaxed
    const char *motion;    // name of a built-in motion, or a file; NULL: none
    bool loop;             // repeat the motion file
    double time, settle;   // seconds
    const char *look_at;   // "x,y,z" or a file; NULL: the eyes keep their rest pose
    int look_chain;        // 0: none; otherwise a preset + 1
    const char *around_up; // one weight for each bone of the look chain, "w,w,..."; or NULL
    cli_list expressions;  // "NAME=W,NAME=W"; each item adds a picture
} render_figure;

typedef enum render_sheet { SHEET_NONE, SHEET_EXPRESSIONS, SHEET_TURNTABLE, SHEET_MOTION } render_sheet;

typedef struct render_options {
    render_figure figure;
    const char *output;
    const char *size; // "WxH" or "N"
    cli_list cameras;
    const char *view_matrix, *projection;
    const char *background;
    const char *light; // "yaw,pitch,intensity"
    double ambient, environment, light_intensity;
    int64_t frames; // 0: one picture, or for a video the length of the motion file
    double fps;     // 0: 30, or the rate of the sheet
    bool strip, ground, shadow, no_outline, double_sided, web_blend, statistics, force;
    const char *debug;
    int channel;
    int sheet; // render_sheet
    int64_t samples;
    int tangents; // 0: the file's, or generated if missing; 1: always generated
} render_options;

typedef struct thumbnail_options {
    render_figure figure;
    const char *output;
    int64_t size;
    const char *background;
    bool embedded, force;
    const char *embed;
} thumbnail_options;

typedef struct rpc_options {
    bool step_on_render; // each `render` first advances springs by 1/60 s
    bool web_blend;      // blend sRGB-encoded values, as web pages do
    int format;          // output format of `describe`: 0 text, 1 JSON
} rpc_options;

#endif
