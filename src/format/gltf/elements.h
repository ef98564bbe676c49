// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_ELEMENTS_H
#define VRMI_FORMAT_ELEMENTS_H

#include "format/gltf/gltf_document.h"

// A primitive split into points, segments or triangles (glTF 2.0, 3.7.2.1).
typedef struct vrmi_elements {
    uint32_t mode; // the primitive's mode, a GL constant
    uint32_t count;
    uint32_t corners; // number of corners of one element
    uint32_t size;    // number of indices, or of vertices if there are no indices
} vrmi_elements;

// Splits a primitive into elements. `size` is the number of indices, or of vertices if there are no indices.
vrmi_elements vrmi_take_apart(uint32_t mode, uint32_t size);
// Returns the positions of an element's corners in the drawing order, listed in the element's winding order.
void vrmi_element_corners(const vrmi_elements *elements, uint32_t index, uint32_t out[3]);
// Returns the mode that draws the same elements separately: points, lines or triangles.
uint32_t vrmi_elements_mode(const vrmi_elements *elements);

// Returns the number of vertices that a primitive draws: the number of its indices, or of its vertices if it has no
// indices.
uint32_t vrmi_gltf_drawing_size(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive);
// Reads a primitive's vertices in drawing order. `out` has room for vrmi_gltf_drawing_size() indices.
vrm_result vrmi_gltf_read_drawing(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive, uint32_t *out);

#endif
