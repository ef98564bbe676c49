// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_IMAGE_HEADER_H
#define VRMI_FORMAT_IMAGE_HEADER_H

// Format and size of an encoded image from its header alone. Never decodes.

#include <vrm/base.h>

typedef struct vrmi_image_header {
    const char *mime_type;  // "" when unknown
    uint32_t width, height; // 0 when the header is damaged
} vrmi_image_header;

// PNG, JPEG, WebP, KTX2, GIF, BMP and DDS are told apart.
void vrmi_image_header_read(const uint8_t *bytes, size_t size, vrmi_image_header *out);
// What of a PNG or WebP glTF's readers need not support, in words: a colour profile or space that is not sRGB's, pixels that
// are not square, animation. NULL: nothing.
const char *vrmi_image_unsupported(const uint8_t *bytes, size_t size);

#endif
