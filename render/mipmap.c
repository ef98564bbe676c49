// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes the smaller levels of a texture. Each pixel is the mean of four pixels: of their light for colours, of their
// values for data. This is not left to the driver, so that the result is the same with every driver. A software driver
// would also have to compile programs for it, which takes longer than the rest of the first picture.

#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 16384 }; // size of the inverse table; where the curve is steepest, the error is a fifth of a level

struct vrmr_curve {
    uint16_t light[256]; // light of each value, 0 to STEPS - 1
    uint8_t value[STEPS];
};

static void make_curve(struct vrmr_curve *c)
{
    for (int i = 0; i < 256; ++i) {
        const double v = i / 255.0;
        c->light[i] = (uint16_t)((v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)) * (STEPS - 1) + 0.5);
    }
    for (int i = 0; i < STEPS; ++i) {
        const double l = (double)i / (STEPS - 1);
        c->value[i] = (uint8_t)((l <= 0.0031308 ? l * 12.92 : 1.055 * pow(l, 1.0 / 2.4) - 0.055) * 255.0 + 0.5);
    }
}

// Halves an image in place: each value is read before it is overwritten. `c` is NULL for data.
static void halve(uint8_t *pixels, uint32_t width, uint32_t height, const struct vrmr_curve *c)
{
    const uint32_t to_width = width > 1 ? width / 2 : 1, to_height = height > 1 ? height / 2 : 1;
    const size_t right = width > 1 ? 4 : 0, below = height > 1 ? (size_t)width * 4 : 0;
    for (uint32_t y = 0; y < to_height; ++y) {
        for (uint32_t x = 0; x < to_width; ++x) {
            const uint8_t *from = pixels + ((size_t)y * (height > 1 ? 2 : 1) * width + x * (width > 1 ? 2u : 1u)) * 4;
            uint8_t *to = pixels + ((size_t)y * to_width + x) * 4;
            for (size_t k = 0; k < 4; ++k) {
                const uint8_t four[4] = {from[k], from[k + right], from[k + below], from[k + right + below]};
                if (c != NULL && k < 3) {
                    const uint32_t sum =
                        (uint32_t)c->light[four[0]] + c->light[four[1]] + c->light[four[2]] + c->light[four[3]];
                    to[k] = c->value[(sum + 2) / 4];
                } else {
                    to[k] = (uint8_t)(((uint32_t)four[0] + four[1] + four[2] + four[3] + 2) / 4);
                }
            }
        }
    }
}

bool vrmr_upload_mipmaps(vrm_renderer *renderer, vrmr_pixels *pixels, bool srgb)
{
    uint32_t width = pixels->width, height = pixels->height;
    if ((width & (width - 1)) != 0 || (height & (height - 1)) != 0) {
        glGenerateMipmap(GL_TEXTURE_2D); // for sizes that are not powers of two the driver weights the pixels correctly
        return true;
    }
    if (renderer->curve == NULL) {
        renderer->curve = malloc(sizeof *renderer->curve);
        if (renderer->curve == NULL) {
            return false;
        }
        make_curve(renderer->curve);
    }
    for (GLint level = 1; width > 1 || height > 1; ++level) {
        halve(pixels->data, width, height, srgb ? renderer->curve : NULL);
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        glTexSubImage2D(
            GL_TEXTURE_2D, level, 0, 0, (GLsizei)width, (GLsizei)height, GL_RGBA, GL_UNSIGNED_BYTE, pixels->data);
    }
    return true;
}
