// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_LOADER_H
#define VIEW_LOADER_H

// Loads a figure on a thread of its own, so that the displayed avatar keeps moving and loading can be cancelled.

#include "figure.h"

#include <stdatomic.h>

#include "base/platform.h"

typedef enum loader_state { LOADER_IDLE, LOADER_BUSY, LOADER_DONE } loader_state;

typedef struct loader {
    vrmi_thread thread;
    _Atomic int state; // loader_state; only the thread that owns the loader changes it from IDLE and DONE
    atomic_bool cancelled;
    _Atomic int permille;
    figure_def def;
    char *path;
    figure *figure;
    vrm_result result;
    char message[FIGURE_MESSAGE];
} loader;

// Cancels a load in progress and starts loading. The loader sets the progress callback of `def`.
vrm_result loader_start(loader *l, const figure_def *def);
void loader_cancel(loader *l);
// Returns true once when loading has ended. `out_figure` is then the figure, or NULL with the loader's message and
// result.
bool loader_take(loader *l, figure **out_figure);
// Cancels loading and waits for the thread.
void loader_end(loader *l);

#endif
