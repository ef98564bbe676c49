// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_ACCESSOR_H
#define VRMI_FORMAT_ACCESSOR_H

// Checked accessors: everything stored here lies within its buffer, so any element may be read.

#include <vrm/gltf.h>

#include "format/json/json.h"

enum {
    VRMI_GL_BYTE = 5120,
    VRMI_GL_UNSIGNED_BYTE = 5121,
    VRMI_GL_SHORT = 5122,
    VRMI_GL_UNSIGNED_SHORT = 5123,
    VRMI_GL_UNSIGNED_INT = 5125,
    VRMI_GL_FLOAT = 5126
};

typedef enum vrmi_accessor_state {
    VRMI_ACCESSOR_INVALID, // failed its checks; never in a loaded document
    VRMI_ACCESSOR_READABLE,
    VRMI_ACCESSOR_COMPRESSED,
    VRMI_ACCESSOR_MISSING // its buffer has no bytes
} vrmi_accessor_state;

typedef struct vrmi_gltf_accessor {
    const uint8_t *data;                           // element 0; NULL: all zero
    const uint8_t *sparse_indices, *sparse_values; // both packed
    uint64_t stride;                               // between elements
    uint32_t count;
    uint32_t sparse_count;
    uint32_t component_type, sparse_index_type;
    uint32_t view;         // UINT32_MAX: none
    uint32_t max_uint;     // greatest component, once has_max is set
    uint8_t components;    // columns * rows
    uint8_t columns, rows; // of a matrix; 1 and components otherwise
    uint8_t component_size;
    uint8_t column_stride; // columns of matrices of small components start at multiples of 4
    uint8_t state;         // vrmi_accessor_state
    bool normalized;
    bool non_finite; // some value is NaN or infinite and reads as 0
    bool has_max;
    bool has_view_stride; // the buffer view declares a byteStride
} vrmi_gltf_accessor;

// Bytes of a component; 0 for a number that is no component type.
uint32_t vrmi_component_size(uint32_t component_type);
// Bytes from the start of an element to the end of its last component, and to the next element when tightly packed.
uint32_t vrmi_accessor_element_size(const vrmi_gltf_accessor *accessor);
uint32_t vrmi_accessor_tight_stride(const vrmi_gltf_accessor *accessor);

// Unchecked: the range lies within the accessor, which is readable.
void vrmi_accessor_floats(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, float *out);
void vrmi_accessor_uints(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, uint32_t *out);
uint32_t vrmi_accessor_sparse_index(const vrmi_gltf_accessor *accessor, uint32_t at);
// Pointer to the floats from `first` on, where the stored bytes equal the values; else NULL.
const float *vrmi_accessor_packed_floats(const vrmi_gltf_accessor *accessor, uint32_t first);
// Whether these values are all zero because the file has no bytes for them. The bytes themselves are not checked.
bool vrmi_accessor_is_zero(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count);

// The accessor at an index when it is readable, else NULL. Also works in a document with errors.
const vrmi_gltf_accessor *vrmi_gltf_readable(const vrm_gltf *gltf, uint32_t accessor);

// Whether an accessor's format suits the attribute of that name.
typedef enum vrmi_attribute_owner { VRMI_ATTRIBUTE_OF_PRIMITIVE, VRMI_ATTRIBUTE_OF_TARGET } vrmi_attribute_owner;
typedef enum vrmi_attribute_fit {
    VRMI_ATTRIBUTE_FREE, // an application's own attribute: any format
    VRMI_ATTRIBUTE_FITS,
    VRMI_ATTRIBUTE_QUANTIZED, // allowed only with KHR_mesh_quantization
    VRMI_ATTRIBUTE_WRONG
} vrmi_attribute_fit;
// Decided by `columns`, `components`, `component_type` and `normalized` alone.
vrmi_attribute_fit vrmi_gltf_attribute_fit(
    const vrmi_json *json, uint32_t key, vrmi_attribute_owner owner, const vrmi_gltf_accessor *accessor);

#endif
