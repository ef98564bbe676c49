// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_SAMPLE_PAINT_H
#define VRMI_SAMPLE_PAINT_H

// Textures are functions of the position that are evaluated once per pixel. Edges are smooth steps, so no supersampling
// is needed. What a texture calls several times for each pixel is inline.

#include "sample/surface.h"

typedef struct vrmi_paint_pixel {
    vrm_vec3 color; // sRGB
    float alpha;
} vrmi_paint_pixel;

typedef vrmi_paint_pixel vrmi_paint_fn(const vrmi_sample_style *style, float u, float v);

typedef struct vrmi_paint_job {
    int image;
    uint32_t width, height;
    vrmi_paint_fn *paint;
} vrmi_paint_job;

// Returns false if memory runs out.
bool vrmi_paint_images(vrmi_sample_figure *figure, const vrmi_paint_job *jobs, size_t count);

static inline vrm_vec3 vrmi_paint_mix(vrm_vec3 a, vrm_vec3 b, float t)
{
    return t > 0.0f ? vrmi_vec3_lerp(a, b, vrmi_min(t, 1.0f)) : a;
}

static inline vrmi_paint_pixel vrmi_paint_opaque(vrm_vec3 color)
{
    return (vrmi_paint_pixel){color, 1.0f};
}

// Returns 1 between low and high, with soft edges of width `soft`.
static inline float vrmi_paint_band(float low, float high, float soft, float x)
{
    return vrmi_sample_smooth(low - soft, low + soft, x) * (1.0f - vrmi_sample_smooth(high - soft, high + soft, x));
}

typedef struct vrmi_paint_oval {
    float x, y, rx, ry, soft;
} vrmi_paint_oval;

// Returns 1 inside the ellipse, with a soft edge.
static inline float vrmi_paint_ellipse(float x, float y, vrmi_paint_oval oval)
{
    const float dx = (x - oval.x) / oval.rx, dy = (y - oval.y) / oval.ry, square = dx * dx + dy * dy;
    const float outside = 1.0f + oval.soft;
    if (square > 1.001f * outside * outside) { // most pixels
        return 0.0f;
    }
    return 1.0f - vrmi_sample_smooth(1.0f - oval.soft, outside, vrmi_sqrt(square));
}

// Returns 1 at whole turns, 0 at half turns.
float vrmi_paint_wave(float turns);
// Returns 1 inside a star with five points.
float vrmi_paint_star(float x, float y, float radius);

#endif
