// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_PNG_H
#define RENDER_CMD_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Encodes RGBA rows, top row first, as PNG bytes from malloc(). Returns NULL if memory runs out. Opaque pictures have
// no alpha channel.
void *png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t *out_size);
// Returns true if the name has the extension of another image format.
bool png_is_misnamed(const char *path);

#endif
