// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "png.h"

#include <stdlib.h>
#include <string.h>

#include <spng.h>

static bool is_opaque(const uint8_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (pixels[4 * i + 3] != 255) {
            return false;
        }
    }
    return true;
}

static void *encode(const void *pixels, size_t size, struct spng_ihdr *header, size_t *out_size)
{
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    if (png == NULL) {
        return NULL;
    }
    void *bytes = NULL;
    int status = spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    status = status == 0 ? spng_set_option(png, SPNG_IMG_COMPRESSION_LEVEL, 6) : status;
    status = status == 0 ? spng_set_ihdr(png, header) : status;
    status = status == 0 ? spng_encode_image(png, pixels, size, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE) : status;
    if (status == 0) {
        bytes = spng_get_png_buffer(png, out_size, &status);
    }
    spng_ctx_free(png);
    return status == 0 ? bytes : NULL;
}

void *png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t *out_size)
{
    const size_t count = (size_t)width * height;
    struct spng_ihdr header = {
        .width = width, .height = height, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    if (!is_opaque(pixels, count)) {
        return encode(pixels, count * 4, &header, out_size);
    }
    header.color_type = SPNG_COLOR_TYPE_TRUECOLOR;
    uint8_t *rgb = malloc(count * 3);
    if (rgb == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; ++i) {
        memcpy(rgb + 3 * i, pixels + 4 * i, 3);
    }
    void *bytes = encode(rgb, count * 3, &header, out_size);
    free(rgb);
    return bytes;
}

bool png_is_misnamed(const char *path)
{
    static const char *const others[] = {
        "jpg", "jpeg", "webp", "bmp", "tga", "tif", "tiff", "avif", "exr", "hdr", "svg", "vrm", "glb", "gltf"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof others / sizeof *others; ++i) {
        size_t at = 0;
        while (others[i][at] != '\0' && (dot[1 + at] == others[i][at] || dot[1 + at] == others[i][at] - 'a' + 'A')) {
            ++at;
        }
        if (others[i][at] == '\0' && dot[1 + at] == '\0') {
            return true;
        }
    }
    return false;
}
