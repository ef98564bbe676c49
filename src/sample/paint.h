// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_SAMPLE_PAINT_H
#define VRMI_SAMPLE_PAINT_H

// Textures are functions of the position that are evaluated once per pixel. Edges are smooth steps, so no supersampling
// is needed.

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

vrm_vec3 vrmi_paint_mix(vrm_vec3 a, vrm_vec3 b, float t);
vrmi_paint_pixel vrmi_paint_opaque(vrm_vec3 color);
// Returns 1 between low and high, with soft edges of width `soft`.
float vrmi_paint_band(float low, float high, float soft, float x);

typedef struct vrmi_paint_oval {
    float x, y, rx, ry, soft;
} vrmi_paint_oval;

// Returns 1 inside the ellipse, with a soft edge.
float vrmi_paint_ellipse(float x, float y, vrmi_paint_oval oval);
// Returns 1 at whole turns, 0 at half turns.
float vrmi_paint_wave(float turns);
// Returns 1 inside a star with five points.
float vrmi_paint_star(float x, float y, float radius);

#endif
