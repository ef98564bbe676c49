// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_ACCESSOR_H
#define VRMI_FORMAT_ACCESSOR_H

// Checked accessors. All pointers and counts stored here lie within the accessor's buffer, so any element may be read.

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
    const uint8_t *data;                           // the data of element 0; NULL: all values are 0
    const uint8_t *sparse_indices, *sparse_values; // both tightly packed
    uint64_t stride;                               // bytes from one element to the next
    uint32_t count;
    uint32_t sparse_count;
    uint32_t component_type, sparse_index_type;
    uint32_t view;         // buffer view; UINT32_MAX: none
    uint32_t max_uint;     // largest component; valid if has_max
    uint8_t components;    // columns * rows
    uint8_t columns, rows; // columns and rows of a matrix; otherwise 1 and `components`
    uint8_t component_size;
    uint8_t column_stride; // in bytes; a matrix column is padded to a multiple of 4
    uint8_t state;         // vrmi_accessor_state
    bool normalized;
    bool non_finite; // some values are NaN or infinite and read as 0
    bool has_max;
    bool has_view_stride; // the buffer view declares a byteStride
} vrmi_gltf_accessor;

// Returns the size of a component in bytes; 0 if the number is no component type.
uint32_t vrmi_component_size(uint32_t component_type);
// Returns the bytes from the start of an element to the end of its last component. vrmi_accessor_tight_stride() returns
// the bytes to the next element of a tightly packed accessor.
uint32_t vrmi_accessor_element_size(const vrmi_gltf_accessor *accessor);
uint32_t vrmi_accessor_tight_stride(const vrmi_gltf_accessor *accessor);

// Reads elements without checks. The accessor must be readable and contain the range.
void vrmi_accessor_floats(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, float *out);
void vrmi_accessor_uints(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, uint32_t *out);
uint32_t vrmi_accessor_sparse_index(const vrmi_gltf_accessor *accessor, uint32_t at);
// Returns a pointer to the floats from element `first` on, if they are stored packed and need no conversion; otherwise
// NULL.
const float *vrmi_accessor_packed_floats(const vrmi_gltf_accessor *accessor, uint32_t first);
// Whether these values are zero because the file has no bytes for them. Stored bytes are not examined.
bool vrmi_accessor_is_zero(const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count);

// Returns the accessor at an index if it is readable, otherwise NULL. Also works for a document with errors.
const vrmi_gltf_accessor *vrmi_gltf_readable(const vrm_gltf *gltf, uint32_t accessor);

// The kind of object that an attribute belongs to.
typedef enum vrmi_attribute_owner { VRMI_ATTRIBUTE_OF_PRIMITIVE, VRMI_ATTRIBUTE_OF_TARGET } vrmi_attribute_owner;
typedef enum vrmi_attribute_fit {
    VRMI_ATTRIBUTE_FREE, // an application's own attribute: any format
    VRMI_ATTRIBUTE_FITS,
    VRMI_ATTRIBUTE_QUANTIZED, // allowed only with KHR_mesh_quantization
    VRMI_ATTRIBUTE_WRONG
} vrmi_attribute_fit;
// Whether an accessor's format is allowed for the attribute with the name `key`. Uses only the accessor's `columns`,
// `components`, `component_type` and `normalized`.
vrmi_attribute_fit vrmi_gltf_attribute_fit(
    const vrmi_json *json, uint32_t key, vrmi_attribute_owner owner, const vrmi_gltf_accessor *accessor);

#endif
