// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_RENDER_OPTIONS_H
#define CLI_RENDER_OPTIONS_H

// The options of `vrm render`, `vrm rpc` and `vrm thumbnail`. `vrm` knows them for help, man pages and completion, and
// checks them; the work is done by vrm-render, a program of its own, so that `vrm` needs no graphics driver.

#include "cli.h"

// Pose and appearance of the figure, for both commands.
typedef struct render_figure {
    const char *pose;      // a word or a file of motion; NULL: relaxed
    const char *motion;    // a word or a file; NULL: none
    bool loop;             // repeat the motion file
    double time, settle;   // seconds
    const char *look_at;   // "x,y,z" or a file; NULL: straight on
    int look_chain;        // 0: none, else preset + 1
    const char *around_up; // "w,w,..." of the chain's bones, or NULL
    cli_list expressions;  // each one a picture: "NAME=W,NAME=W"
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
    int64_t frames; // 0: one, or the length of the motion file for a video
    double fps;     // 0: 30, or the sheet's own
    bool strip, ground, shadow, no_outline, double_sided, web_blend, statistics, force;
    const char *debug;
    int channel;
    int sheet; // render_sheet
    int64_t samples;
    int tangents; // 0: the file's, or made; 1: made
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
    bool step_on_render; // each `render` first steps by 1/60 s
    bool web_blend;      // encoded values are blended, as web pages do
    int format;          // of `describe`: 0 text, 1 JSON
} rpc_options;

#endif
