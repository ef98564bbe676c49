// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_TANGENT_H
#define VRMI_IMPORT_TANGENT_H

#include <vrm/math.h>

// A triangle mesh. A vertex has eight floats: position, normal and UV.
typedef struct vrmi_tangent_mesh {
    const float *vertices;
    uint32_t vertex_count;
    const uint32_t *indices;
    uint32_t index_count;
} vrmi_tangent_mesh;

// Computes for each index a tangent and the sign of its bitangent, like MikkTSpace. Returns false if memory runs out.
bool vrmi_tangents(const vrmi_tangent_mesh *mesh, const vrm_allocator *allocator, float (*corners)[4]);

#endif
