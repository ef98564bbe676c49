// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_VERTICES_H
#define VRMI_VALIDATE_VERTICES_H

// Checks the values of a primitive's vertices: normals, tangents, colours, weights and indices.

#include "validate/run.h"

typedef enum vrmi_attribute_set {
    VRMI_SET_TEXCOORD,
    VRMI_SET_COLOR,
    VRMI_SET_JOINTS,
    VRMI_SET_WEIGHTS,
    VRMI_SET_COUNT
} vrmi_attribute_set;

typedef struct vrmi_primitive_check {
    uint32_t object, attributes;
    uint32_t mesh;
    uint32_t mode;
    uint32_t vertex_count;
    int32_t indices;                                       // accessor of the indices, or -1
    int32_t sets[VRMI_SET_COUNT], highest[VRMI_SET_COUNT]; // sets: number of sets; highest: 1 + the highest set number
    bool has_normal, has_tangent;
} vrmi_primitive_check;

void vrmi_check_vertices(vrmi_run *run, const vrmi_primitive_check *primitive);

#endif
