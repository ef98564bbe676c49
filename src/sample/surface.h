// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_SAMPLE_SURFACE_H
#define VRMI_SAMPLE_SURFACE_H

// Curves, skin weights and lofted surfaces, for all passes.

#include "sample/figure.h"

// Inline, because a texture calls it several times for each pixel.
static inline float vrmi_sample_smooth(float low, float high, float x)
{
    const float t = vrmi_clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Returns the value at x of a smooth curve through keys {x, value...} of `stride` floats each, with ascending x. Column
// 1 is the first value.
float vrmi_sample_curve(const float *keys, int count, int stride, int column, float x);

vrmi_sample_influence vrmi_sample_one(int joint);
// Returns weights along a line: joints[i] has full weight from starts[i] to starts[i + 1], and neighbours blend within
// `band` of a start.
vrmi_sample_influence vrmi_sample_along(const int *joints, const float *starts, int count, float band, float t);
// Mixes a and b, and keeps the four joints with the largest weights.
vrmi_sample_influence vrmi_sample_mix(vrmi_sample_influence a, vrmi_sample_influence b, float t);

// Starts a grid. Its points are then set one by one or ring by ring.
void vrmi_sample_grid_begin(vrmi_sample_figure *figure, uint32_t rows, uint32_t columns, bool closed);

typedef struct vrmi_sample_ring {
    vrm_vec3 center, axis_a, axis_b; // the axes have unit length; rows advance along axis_a x axis_b
    float radius_a, radius_b;
    float v;      // texture coordinate along the rows
    float u0, u1; // texture coordinates around the ring
    vrmi_sample_influence skin;
} vrmi_sample_ring;

void vrmi_sample_grid_ring(vrmi_sample_figure *figure, uint32_t row, const vrmi_sample_ring *ring);

typedef enum vrmi_sample_emit_flag {
    VRMI_SAMPLE_EMIT_MIRRORED = 1, // emits the mirror image at x = 0, with the mirrored joints
    VRMI_SAMPLE_EMIT_FLIPPED = 2,  // swaps inside and outside
    VRMI_SAMPLE_EMIT_NORMALS = 4   // keeps the points' normals instead of computing them
} vrmi_sample_emit_flag;

// Computes smooth normals of the grid's points. The normals may then be changed and
// emitted with VRMI_SAMPLE_EMIT_NORMALS.
void vrmi_sample_grid_normals(vrmi_sample_figure *figure);
// Adds the grid's triangles to a part. Normals are smooth, also across the seam and at poles.
void vrmi_sample_grid_emit(vrmi_sample_figure *figure, int part, unsigned flags);
// Adds the grid and its mirror image.
void vrmi_sample_grid_emit_pair(vrmi_sample_figure *figure, int part, unsigned flags);

// Add single vertices and triangles, for parts that are not a grid. A triangle without area is skipped.
uint32_t vrmi_sample_add_vertex(vrmi_sample_figure *figure, int part, const vrmi_sample_vertex *vertex);
void vrmi_sample_add_triangle(vrmi_sample_figure *figure, int part, uint32_t a, uint32_t b, uint32_t c);

#endif
