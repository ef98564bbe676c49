// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_EDIT_ACCESSOR_H
#define VRMI_FORMAT_EDIT_ACCESSOR_H

// Replaces and adds vertex and key data of a loaded document. As with all edits, reading accessors still gives the
// values as loaded.

#include <vrm/gltf.h>

// Overwrites the values of an accessor in the BIN chunk, so that the file does not keep unused values, and updates its
// min and max. `values` has count * components floats. If overwriting is impossible, nothing changes and `*out_done` is
// false. This is the case if the accessor is not of floats, is not in the BIN chunk, shares bytes with another accessor
// or an image, or is sparse and stores no bytes for a value that is not 0. Error: OUT_OF_MEMORY.
vrm_result vrmi_gltf_overwrite_floats(vrm_gltf *gltf, uint32_t accessor, const float *values, bool *out_done);

typedef struct vrmi_floats {
    const float *values;
    uint32_t count;
    uint32_t components; // 1 to 4, or 16 for a MAT4
    bool bounds;         // write min and max
    uint32_t target;     // target of the buffer view; 0: none
} vrmi_floats;

// Appends a buffer view and an accessor of floats. Errors: INVALID_ARGUMENT (no values), OUT_OF_MEMORY, LIMIT.
vrm_result vrmi_gltf_append_floats(vrm_gltf *gltf, const vrmi_floats *floats, uint32_t *out_accessor);

typedef struct vrmi_uints {
    const uint32_t *values;
    uint32_t count;
    uint32_t components; // 1 to 4
    bool wide;           // 32 bits per value; otherwise 16
    uint32_t target;     // target of the buffer view; 0: none
} vrmi_uints;

// Appends a buffer view and an accessor of unsigned integers. Errors as for vrmi_gltf_append_floats().
vrm_result vrmi_gltf_append_uints(vrm_gltf *gltf, const vrmi_uints *uints, uint32_t *out_accessor);
// Appends an accessor of vertex indices, with 16 bits each if `vertex_count` allows.
vrm_result vrmi_gltf_append_indices(
    vrm_gltf *gltf, const uint32_t *indices, uint32_t count, uint32_t vertex_count, uint32_t *out_accessor);

#endif
