// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_IMAGE_HEADER_H
#define VRMI_FORMAT_IMAGE_HEADER_H

// Finds the format and size of an encoded image from its header, without decoding.

#include <vrm/base.h>

typedef struct vrmi_image_header {
    const char *mime_type;  // "" when unknown
    uint32_t width, height; // 0 when the header is damaged
} vrmi_image_header;

// Recognizes PNG, JPEG, WebP, KTX2, GIF, BMP and DDS.
void vrmi_image_header_read(const uint8_t *bytes, size_t size, vrmi_image_header *out);
// Names a feature of a PNG or WebP that glTF readers need not support: a colour profile or space other than sRGB,
// non-square pixels, or animation. Returns NULL if there is none.
const char *vrmi_image_unsupported(const uint8_t *bytes, size_t size);

#endif
