// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "view_options.h"

static void view_defaults(void *options_in)
{
    view_options *options = options_in;
    options->width = 1280;
    options->height = 800;
    options->samples = 4;
}

static const cli_option view_table[] = {
    {.name = "width",
        .type = CLI_INTEGER,
        .offset = offsetof(view_options, width),
        .value = "N",
        .min = 480,
        .max = 16384,
        .help = "Width of the window (default 1280)."},
    {.name = "height",
        .type = CLI_INTEGER,
        .offset = offsetof(view_options, height),
        .value = "N",
        .min = 320,
        .max = 16384,
        .help = "Height of the window (default 800)."},
    {.name = "samples",
        .type = CLI_INTEGER,
        .offset = offsetof(view_options, samples),
        .value = "N",
        .min = 1,
        .max = 16,
        .help = "Samples per pixel for smooth edges (default 4); 1 is faster without a graphics processor."},
    {.name = "screenshots",
        .type = CLI_TEXT,
        .offset = offsetof(view_options, screenshots),
        .value = "FOLDER",
        .help = "Folder for screenshots (default: the current folder)."},
    {.name = "font",
        .type = CLI_TEXT,
        .offset = offsetof(view_options, font),
        .value = "FILE",
        .help = "TrueType font for the panels instead of the system's."},
    {.name = "control",
        .type = CLI_FLAG,
        .offset = offsetof(view_options, control),
        .help = "Read commands from standard input and answer on standard output, for tests; each frame lasts 1/60 s."},
    CLI_DIALECT_OPTIONS(view_options, dialect),
};

const cli_command cli_view = {
    .name = "view",
    .summary = "Show an avatar in a window: face, gaze, springs, motion, materials.",
    .arguments = "[FILE|FOLDER]...",
    .description =
        "Opens a window with the avatar and panels around it; the conditions of use come first. A folder, or several "
        "files, become a list with thumbnails. Drop avatars, motions (.vrma, .bvh, .fbx) and poses (.json) onto the "
        "window.\n\nMouse: the left button turns, the middle or right button moves, the wheel zooms. Keys: space "
        "pauses, . advances by one frame, [ and ] change the speed, R restarts, 1 2 3 show body, bust and face, Page "
        "Up and Page Down (or P and N) change the file, Tab hides the panels, S or F12 takes a screenshot, Ctrl-Z and "
        "Ctrl-Y undo and redo poses, Esc cancels loading, Ctrl-Q quits.\n\nThe work is done by the program vrm-view, "
        "which is installed together with vrm if GLFW 3 and Dear ImGui are available.",
    .examples = "vrm view avatar.vrm\n    one avatar\n"
                "vrm view avatar.vrm\n    then drop walk.vrma onto the window to see it walk\n"
                "vrm view models/\n    a folder, one after the other\n",
    .min_inputs = 0,
    .max_inputs = 100000,
    .options = view_table,
    .option_count = sizeof(view_table) / sizeof(view_table[0]),
    .options_size = sizeof(view_options),
    .defaults = view_defaults,
    .program = "vrm-view",
    .packages = "libepoxy-dev libspng-dev libjpeg62-turbo-dev libglfw3-dev libimgui-dev g++",
};
