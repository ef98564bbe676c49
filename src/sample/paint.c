// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/paint.h"

float vrmi_paint_wave(float turns)
{
    float sine, cosine;
    vrmi_sincos(turns * 2.0f * VRMI_PI, &sine, &cosine);
    return 0.5f + 0.5f * cosine;
}

float vrmi_paint_star(float x, float y, float radius)
{
    // The outline's distance from the centre follows from the angle within one of five sectors.
    const float angle = vrmi_atan2(x, -y);
    const float r = vrmi_sqrt(x * x + y * y);
    const float turn = angle / (2.0f * VRMI_PI) * 5.0f + 5.5f;
    const float part = vrmi_abs(turn - (float)(int)turn - 0.5f) * 2.0f; // 0: at a tip of the star, 1: between two tips
    const float edge = radius * (0.46f + 0.54f * (1.0f - part) * (1.0f - part));
    return 1.0f - vrmi_sample_smooth(edge - 0.03f, edge + 0.03f, r);
}

static uint8_t to_byte(float x)
{
    return (uint8_t)(vrmi_clamp(x, 0.0f, 1.0f) * 255.0f + 0.5f);
}

bool vrmi_paint_images(vrmi_sample_figure *figure, const vrmi_paint_job *jobs, size_t count)
{
    for (size_t j = 0; j < count; ++j) {
        vrmi_sample_image *image = &figure->images[jobs[j].image];
        image->width = jobs[j].width;
        image->height = jobs[j].height;
        image->rgba = vrmi_arena_alloc(&figure->arena, (size_t)image->width * image->height, 4);
        if (image->rgba == NULL) {
            return false;
        }
        for (uint32_t y = 0; y < image->height; ++y) {
            for (uint32_t x = 0; x < image->width; ++x) {
                const float u = ((float)x + 0.5f) / (float)image->width, v = ((float)y + 0.5f) / (float)image->height;
                const vrmi_paint_pixel p = jobs[j].paint(&figure->style, u, v);
                uint8_t *out = image->rgba + ((size_t)y * image->width + x) * 4;
                out[0] = to_byte(p.color.x);
                out[1] = to_byte(p.color.y);
                out[2] = to_byte(p.color.z);
                out[3] = to_byte(p.alpha);
            }
        }
    }
    return true;
}
