// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "gallery.h"

#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "base/text.h"
#include "cli.h"
#include "figure.h"

// Shrinks a thumbnail by averaging blocks, because thumbnails are a few times larger than they are displayed.
static void shrink(vrm_render_image *image)
{
    const uint32_t longer = image->width > image->height ? image->width : image->height;
    const uint32_t step = (longer + GALLERY_SIDE - 1) / GALLERY_SIDE;
    if (step <= 1) {
        return;
    }
    const uint32_t width = image->width / step, height = image->height / step;
    if (width == 0 || height == 0) {
        vrm_render_image_free(image);
        return;
    }
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width * 4; ++x) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < step * step; ++i) {
                const size_t row = (size_t)y * step + i / step, column = (size_t)(x / 4) * step + i % step;
                sum += image->pixels[(row * image->width + column) * 4 + x % 4];
            }
            // This pixel comes before every pixel that is still to be read.
            image->pixels[(size_t)y * width * 4 + x] = (uint8_t)(sum / (step * step));
        }
    }
    image->width = width;
    image->height = height;
}

static void peek(gallery_item *item)
{
    vrm_bytes bytes = {0};
    vrm_peek *file = NULL;
    if (vrm_read_file(item->path, UINT64_C(1) << 30, NULL, &bytes) == VRM_SUCCESS &&
        vrm_peek_create(NULL, bytes.data, bytes.size, NULL, &file) == VRM_SUCCESS) {
        vrm_peek_info info = {.struct_size = sizeof info};
        vrm_peek_get_info(file, &info);
        vrm_meta meta = {.struct_size = sizeof meta};
        vrm_peek_get_meta(file, &meta);
        vrmi_format(
            item->name, sizeof item->name, "%.*s", (int)meta.name.length, meta.name.data != NULL ? meta.name.data : "");
        vrmi_format(item->dialect, sizeof item->dialect, "%s", info.dialect);
        if (info.thumbnail != NULL && vrm_render_image_decode(info.thumbnail, info.thumbnail_size, UINT64_C(1) << 28,
                                          &item->thumbnail, NULL) == VRM_SUCCESS) {
            shrink(&item->thumbnail);
        }
    } else {
        vrmi_format(item->dialect, sizeof item->dialect, "unreadable");
    }
    vrm_peek_destroy(file);
    vrm_bytes_free(&bytes);
}

static void run(void *user)
{
    gallery *g = user;
    for (uint32_t i = 0; i < g->count && !atomic_load(&g->stop); ++i) {
        peek(&g->items[i]);
        atomic_store(&g->items[i].seen, 1);
    }
}

bool gallery_start(gallery *g, const char *const *paths, uint32_t count)
{
    gallery_end(g);
    g->items = calloc(count + 1, sizeof *g->items);
    for (uint32_t i = 0; g->items != NULL && i < count; ++i) {
        const size_t length = strlen(paths[i]) + 1;
        g->items[i].path = malloc(length);
        if (g->items[i].path == NULL) {
            gallery_end(g);
            return false;
        }
        memcpy(g->items[i].path, paths[i], length);
        g->items[i].file = cli_file_name(g->items[i].path);
        g->count = i + 1;
    }
    atomic_store(&g->stop, false);
    g->running = g->items != NULL && vrmi_thread_start(&g->thread, run, g);
    return g->running;
}

void gallery_upload(gallery *g)
{
    for (uint32_t i = 0; i < g->count; ++i) {
        gallery_item *item = &g->items[i];
        if (atomic_load(&item->seen) == 0 || item->texture != 0 || item->thumbnail.pixels == NULL) {
            continue;
        }
        glGenTextures(1, &item->texture);
        glBindTexture(GL_TEXTURE_2D, item->texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)item->thumbnail.width, (GLsizei)item->thumbnail.height, 0,
            GL_RGBA, GL_UNSIGNED_BYTE, item->thumbnail.pixels);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        return;
    }
}

int32_t gallery_find(const gallery *g, const char *path)
{
    for (uint32_t i = 0; i < g->count; ++i) {
        if (strcmp(g->items[i].path, path) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

void gallery_end(gallery *g)
{
    if (g->running) {
        atomic_store(&g->stop, true);
        vrmi_thread_join(&g->thread);
        g->running = false;
    }
    for (uint32_t i = 0; i < g->count; ++i) {
        if (g->items[i].texture != 0) {
            glDeleteTextures(1, &g->items[i].texture);
        }
        vrm_render_image_free(&g->items[i].thumbnail);
        free(g->items[i].path);
    }
    free(g->items);
    g->items = NULL;
    g->count = 0;
}
