// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_TANGENT_H
#define VRMI_IMPORT_TANGENT_H

#include <vrm/math.h>

// Triangles; a vertex is position, normal and UV, eight floats.
typedef struct vrmi_tangent_mesh {
    const float *vertices;
    uint32_t vertex_count;
    const uint32_t *indices;
    uint32_t index_count;
} vrmi_tangent_mesh;

// Computes a tangent and its bitangent's sign for each index, by MikkTSpace; false without memory.
bool vrmi_tangents(const vrmi_tangent_mesh *mesh, const vrm_allocator *allocator, float (*corners)[4]);

#endif
