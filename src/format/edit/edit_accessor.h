// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_EDIT_ACCESSOR_H
#define VRMI_FORMAT_EDIT_ACCESSOR_H

// New values for vertices and keys of a loaded document. As with all edits, checked reads still return the loaded
// values.

#include <vrm/gltf.h>

// Overwrites the values of an accessor in place in the BIN chunk, so that the file does not keep values that are no
// longer used; its min and max are updated. `values` holds count * components floats. `*out_done` is false, and nothing
// has changed, where this is impossible: the accessor is not of floats, does not lie in the BIN chunk, shares bytes
// with another accessor or an image, or stores nothing (sparse) where a value is not 0. OUT_OF_MEMORY.
vrm_result vrmi_gltf_overwrite_floats(vrm_gltf *gltf, uint32_t accessor, const float *values, bool *out_done);

typedef struct vrmi_floats {
    const float *values;
    uint32_t count;
    uint32_t components; // 1 to 4, or 16 for a MAT4
    bool bounds;         // with min and max
    uint32_t target;     // of the buffer view, 0: none
} vrmi_floats;

// Appends a buffer view and an accessor. INVALID_ARGUMENT (no values), OUT_OF_MEMORY, LIMIT.
vrm_result vrmi_gltf_append_floats(vrm_gltf *gltf, const vrmi_floats *floats, uint32_t *out_accessor);

typedef struct vrmi_uints {
    const uint32_t *values;
    uint32_t count;
    uint32_t components; // 1 to 4
    bool wide;           // 32 bits each, else 16
    uint32_t target;     // of the buffer view, 0: none
} vrmi_uints;

// The same with unsigned integers.
vrm_result vrmi_gltf_append_uints(vrm_gltf *gltf, const vrmi_uints *uints, uint32_t *out_accessor);
// Vertex indices for drawing, in 16 bits where `vertex_count` allows.
vrm_result vrmi_gltf_append_indices(
    vrm_gltf *gltf, const uint32_t *indices, uint32_t count, uint32_t vertex_count, uint32_t *out_accessor);

#endif
