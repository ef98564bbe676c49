// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A point is in one SIMD register, with its height in the fourth lane.

#include "import/avatar/kernel_bounds.h"

#include "math/simd.h"

enum { BLOCK = 4 }; // number of registers that hold sums while all targets are added

void vrmi_kernel_add_deltas(vrmi_bounds_chunk *chunk, uint32_t vertices, const float *const *deltas, uint32_t targets)
{
    const vrmi_f4 zero = vrmi_f4_all(0.0f);
    const uint32_t count = vertices * 3;
    uint32_t i = 0;
    for (; i + 4 * BLOCK <= count; i += 4 * BLOCK) {
        vrmi_f4 low[BLOCK], high[BLOCK];
        for (uint32_t k = 0; k < BLOCK; ++k) {
            low[k] = vrmi_f4_load(&chunk->low[i + 4 * k]);
            high[k] = vrmi_f4_load(&chunk->high[i + 4 * k]);
        }
        for (uint32_t t = 0; t < targets; ++t) {
            for (uint32_t k = 0; k < BLOCK; ++k) {
                const vrmi_f4 delta = vrmi_f4_load(&deltas[t][i + 4 * k]);
                low[k] = vrmi_f4_add(low[k], vrmi_f4_min(delta, zero));
                high[k] = vrmi_f4_add(high[k], vrmi_f4_max(delta, zero));
            }
        }
        for (uint32_t k = 0; k < BLOCK; ++k) {
            vrmi_f4_store(&chunk->low[i + 4 * k], low[k]);
            vrmi_f4_store(&chunk->high[i + 4 * k], high[k]);
        }
    }
    for (; i < count; ++i) {
        for (uint32_t t = 0; t < targets; ++t) {
            chunk->low[i] += vrmi_min(deltas[t][i], 0.0f);
            chunk->high[i] += vrmi_max(deltas[t][i], 0.0f);
        }
    }
}

static inline vrmi_f4 transform_point(const vrmi_f4 columns[4], const float p[3])
{
    vrmi_f4 at = columns[3];
    for (int axis = 0; axis < 3; ++axis) {
        at = vrmi_f4_add(at, vrmi_f4_mul(columns[axis], vrmi_f4_all(p[axis])));
    }
    return at;
}

// Computes the box that contains a transformed box. Each column is multiplied by the low or high end of its axis.
static inline void transform_box(const vrmi_f4 columns[4], const float low[3], const float high[3], vrmi_f4 out[2])
{
    out[0] = out[1] = columns[3];
    for (int axis = 0; axis < 3; ++axis) {
        const vrmi_f4 a = vrmi_f4_mul(columns[axis], vrmi_f4_all(low[axis]));
        const vrmi_f4 b = vrmi_f4_mul(columns[axis], vrmi_f4_all(high[axis]));
        out[0] = vrmi_f4_add(out[0], vrmi_f4_min(a, b));
        out[1] = vrmi_f4_add(out[1], vrmi_f4_max(a, b));
    }
}

void vrmi_kernel_include_vertices(vrmi_bounds_chunk *chunk, bool morphs, uint32_t count, vrmi_joint_bound *bounds)
{
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t influence = chunk->influences[i], vertex = influence / 4;
        vrmi_joint_bound *bound = &bounds[chunk->joints[influence]];
        const vrmi_f4 columns[4] = {vrmi_f4_load(bound->columns[0]), vrmi_f4_load(bound->columns[1]),
            vrmi_f4_load(bound->columns[2]), vrmi_f4_load(bound->columns[3])};
        const vrmi_f4 at = transform_point(columns, &chunk->position[vertex * 3]);
        vrmi_f4 box[2] = {at, at};
        if (morphs) {
            transform_box(columns, &chunk->low[vertex * 3], &chunk->high[vertex * 3], box);
        }
        vrmi_f4_store(bound->low, vrmi_f4_min(vrmi_f4_load(bound->low), box[0]));
        vrmi_f4_store(bound->high, vrmi_f4_max(vrmi_f4_load(bound->high), box[1]));
        const vrmi_f4 weight = vrmi_f4_all(chunk->weights[influence]);
        float *height = chunk->height[vertex];
        vrmi_f4_store(height, vrmi_f4_add(vrmi_f4_load(height), vrmi_f4_mul(weight, at)));
    }
}
