// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "loader.h"

#include <stdlib.h>
#include <string.h>

// Document, avatar and validation each report a progress from 0 to 1.
static bool on_progress(float fraction, const char *phase, void *user)
{
    loader *l = user;
    (void)phase;
    atomic_store(&l->permille, (int)(fraction * 1000.0f));
    return !atomic_load(&l->cancelled);
}

static void run(void *user)
{
    loader *l = user;
    l->result = figure_load(&l->def, &l->figure, l->message);
    atomic_store(&l->state, LOADER_DONE);
}

vrm_result loader_start(loader *l, const figure_def *def)
{
    loader_end(l);
    const size_t length = strlen(def->path) + 1;
    l->path = malloc(length);
    if (l->path == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(l->path, def->path, length);
    l->def = *def;
    l->def.path = l->path;
    l->def.progress = on_progress;
    l->def.progress_user = l;
    l->message[0] = '\0';
    atomic_store(&l->cancelled, false);
    atomic_store(&l->permille, 0);
    atomic_store(&l->state, LOADER_BUSY);
    if (!vrmi_thread_start(&l->thread, run, l)) {
        atomic_store(&l->state, LOADER_IDLE);
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    return VRM_SUCCESS;
}

void loader_cancel(loader *l)
{
    atomic_store(&l->cancelled, true);
}

bool loader_take(loader *l, figure **out_figure)
{
    if (atomic_load(&l->state) != LOADER_DONE) {
        return false;
    }
    vrmi_thread_join(&l->thread);
    *out_figure = l->figure;
    l->figure = NULL;
    atomic_store(&l->state, LOADER_IDLE);
    return true;
}

void loader_end(loader *l)
{
    if (atomic_load(&l->state) != LOADER_IDLE) {
        loader_cancel(l);
        vrmi_thread_join(&l->thread);
        figure_destroy(l->figure);
        l->figure = NULL;
        atomic_store(&l->state, LOADER_IDLE);
    }
    free(l->path);
    l->path = NULL;
}
