// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_ELEMENTS_H
#define VRMI_FORMAT_ELEMENTS_H

#include "format/gltf/gltf_document.h"

// A primitive split into points, segments or triangles (glTF 2.0, 3.7.2.1).
typedef struct vrmi_elements {
    uint32_t mode; // the primitive's mode, GL's number
    uint32_t count;
    uint32_t corners; // corners of one element
    uint32_t size;    // number of indices, or of vertices without indices
} vrmi_elements;

// `size`: indices, or vertices without them.
vrmi_elements vrmi_take_apart(uint32_t mode, uint32_t size);
// The positions of an element's corners in the drawing order, in their winding.
void vrmi_element_corners(const vrmi_elements *elements, uint32_t index, uint32_t out[3]);
// The mode that draws these elements as separate ones.
uint32_t vrmi_elements_mode(const vrmi_elements *elements);

// How many vertices a primitive draws: its indices, or its vertices without them.
uint32_t vrmi_gltf_drawing_size(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive);
// The vertices in drawing order; `out` has that size.
vrm_result vrmi_gltf_read_drawing(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive, uint32_t *out);

#endif
