// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_PNG_H
#define RENDER_CMD_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// RGBA rows, top first, as PNG bytes from malloc(); NULL without memory. Opaque pictures get no alpha channel.
void *png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t *out_size);
// Whether the name's extension is that of another image format.
bool png_is_misnamed(const char *path);

#endif
