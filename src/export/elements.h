// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_ELEMENTS_H
#define VRMI_EXPORT_ELEMENTS_H

#include <stdint.h>

// A primitive taken apart: points, segments or triangles (glTF 2.0, 3.7.2.1).
typedef struct vrmi_elements {
    uint32_t mode; // as drawn, GL's number
    uint32_t count;
    uint32_t corners; // of one
    uint32_t size;    // of the drawing
} vrmi_elements;

// `size`: indices, or vertices without them.
vrmi_elements vrmi_take_apart(uint32_t mode, uint32_t size);
// Places in the drawing of an element's corners, in their winding.
void vrmi_element_corners(const vrmi_elements *elements, uint32_t index, uint32_t out[3]);
// The mode that draws them one by one.
uint32_t vrmi_elements_mode(const vrmi_elements *elements);

#endif
