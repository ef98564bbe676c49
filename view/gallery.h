// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_GALLERY_H
#define VIEW_GALLERY_H

// The list of files to step through, with names and thumbnails from their JSON and image headers. A separate thread
// peeks at them; nothing is loaded.

#include <vrm_render/render.h>

#include <stdatomic.h>

#include "base/platform.h"

enum { GALLERY_NAME = 96, GALLERY_SIDE = 144 };

typedef struct gallery_item {
    char *path;
    const char *file; // the file name within path
    _Atomic int seen; // 1: the thread has filled the members below
    char name[GALLERY_NAME];
    char dialect[16];
    vrm_render_image thumbnail; // empty: none
    uint32_t texture;           // 0: not created yet
} gallery_item;

typedef struct gallery {
    gallery_item *items;
    uint32_t count;
    vrmi_thread thread;
    bool running;
    atomic_bool stop;
} gallery;

// Copies the paths; false without memory. Forgets the list before.
bool gallery_start(gallery *g, const char *const *paths, uint32_t count);
// Uploads at most one texture per call, so that no frame waits.
void gallery_upload(gallery *g);
// Index of a path, or -1.
int32_t gallery_find(const gallery *g, const char *path);
void gallery_end(gallery *g);

#endif
