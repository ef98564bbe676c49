// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_GALLERY_H
#define VIEW_GALLERY_H

// The list of files to step through. Their names and thumbnails come from their JSON and image headers, which a
// separate thread reads; the files are not loaded.

#include <vrm_render/render.h>

#include <stdatomic.h>

#include "base/platform.h"

enum { GALLERY_NAME = 96, GALLERY_SIDE = 144 };

typedef struct gallery_item {
    char *path;
    const char *file; // the file name, within `path`
    _Atomic int seen; // 1: the thread has filled in the members below
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

// Replaces the list by copies of the paths. Returns false if memory runs out.
bool gallery_start(gallery *g, const char *const *paths, uint32_t count);
// Uploads at most one texture per call, so that no frame waits.
void gallery_upload(gallery *g);
// Returns the index of a path, or -1.
int32_t gallery_find(const gallery *g, const char *path);
void gallery_end(gallery *g);

#endif
