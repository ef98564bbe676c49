// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_GLTF_DOCUMENT_H
#define VRMI_FORMAT_GLTF_DOCUMENT_H

// The internals of a glTF document. The arrays of core glTF are parsed once and checked; extensions stay JSON and are
// read by import/. Every index stored here is valid or -1. Every accessor lies within its buffer.

#include <vrm/gltf.h>

#include "base/arena.h"
#include "base/array.h"
#include "format/json/json.h"
#include "format/json/json_read.h"

typedef struct vrmi_gltf_range {
    uint32_t first, count; // range in vrm_gltf.indices, unless the member's comment names another array
} vrmi_gltf_range;

typedef struct vrmi_gltf_node {
    uint32_t json;
    int32_t parent;
    int32_t mesh, skin;
    vrmi_gltf_range children; // in indices
    vrm_transform local;      // a matrix is decomposed; finding NODE_MATRIX_NON_TRS if that is inexact
} vrmi_gltf_node;

typedef struct vrmi_gltf_primitive {
    uint32_t json;
    int32_t position, joints0, weights0; // accessor indices; other attributes are found by attributes_json
    int32_t indices, material;
    uint32_t mode;
    uint32_t attributes_json;
    uint32_t targets_json; // JSON array of objects, or NONE
    uint32_t target_count;
    uint32_t vertex_count; // number of vertices in every attribute; 0 without attributes
    bool compressed;       // geometry cannot be read: Draco, meshopt or no bytes
} vrmi_gltf_primitive;

typedef struct vrmi_gltf_mesh {
    uint32_t json;
    vrmi_gltf_range primitives; // range in vrm_gltf.primitives
    uint32_t target_count;
    uint32_t target_names_json; // JSON array of strings, or NONE
    vrm_string name;
    vrm_string *target_names; // target_count names; "" for a missing one
} vrmi_gltf_mesh;

typedef struct vrmi_gltf_skin {
    uint32_t json;
    vrmi_gltf_range joints; // in indices
    int32_t inverse_bind_matrices;
} vrmi_gltf_skin;

typedef struct vrmi_gltf_accessor vrmi_gltf_accessor; // defined in accessor.h

struct vrm_gltf {
    vrm_allocator allocator;
    vrmi_arena arena; // memory of all arrays below
    vrm_limits limits;
    uint32_t flags;       // bits of vrm_gltf_flag
    const uint8_t *bytes; // the whole file
    size_t size;
    vrmi_json json;
    uint32_t root; // always 0
    uint32_t counts[VRM_GLTF_ARRAY_COUNT];
    uint32_t arrays[VRM_GLTF_ARRAY_COUNT]; // JSON arrays, or NONE
    vrmi_gltf_node *nodes;
    vrmi_gltf_mesh *meshes;
    vrmi_gltf_primitive *primitives;
    vrmi_gltf_skin *skins;
    uint32_t *indices; // node indices: children of nodes and joints of skins
    int32_t scene;     // default scene, or -1
    // Used only by files that include gltf_private.h.
    struct vrmi_gltf_private *private_data;
};

// The part of the file that a load reads.
typedef enum vrmi_gltf_part {
    VRMI_GLTF_WHOLE,
    // Reads everything and returns the document even if it has errors, so that the caller can check further. The result
    // code is that of a normal load. Invalid indices are -1, and other invalid objects have no bytes. A load that
    // stopped early returns no document.
    VRMI_GLTF_FAULTY,
    VRMI_GLTF_JSON, // skips buffers and images, which are treated as missing without findings; checks the rest
    VRMI_GLTF_PEEK  // JSON, buffers and image headers, all unchecked; nodes, meshes, skins stay NULL
} vrmi_gltf_part;

// Loads a part of a document like vrm_gltf_load(). Bytes that are not a GLB are read as JSON.
vrm_result vrmi_gltf_load_part(const vrm_gltf_def *def, vrmi_gltf_part part, const void *bytes, size_t size,
    vrm_report *report, vrm_gltf **out_gltf);

// Whether nothing was set, removed or appended.
bool vrmi_gltf_is_unedited(const vrm_gltf *gltf);
// Whether nodes, meshes or accessors were appended. New elements would then get other indices than the caller expects.
bool vrmi_gltf_has_grown(const vrm_gltf *gltf);
// Returns the JSON of an element of a top-level array, for example material 3; NONE if there is none.
uint32_t vrmi_gltf_element(const vrm_gltf *gltf, vrm_gltf_array array, uint32_t index);
// Returns extensions.<name> of an object, or NONE.
uint32_t vrmi_gltf_extension(const vrm_gltf *gltf, uint32_t object, const char *name);

// Returns a primitive; NULL for an index out of range.
const vrmi_gltf_primitive *vrmi_gltf_primitive_at(const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive);
// Returns the number of consecutive attributes "<prefix>0", "<prefix>1", ... of a primitive, at most 16.
uint32_t vrmi_gltf_count_sets(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive, const char *prefix);

// Finds the accessors JOINTS_n and WEIGHTS_n of a primitive, n being `set`. Returns false if one is missing.
bool vrmi_gltf_joint_set(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive, uint32_t set, uint32_t *out_joints,
    uint32_t *out_weights);

// The support for an extension, listed in extensions.c.
typedef enum vrmi_extension_support {
    VRMI_EXTENSION_UNKNOWN,
    VRMI_EXTENSION_SUPPORTED,
    VRMI_EXTENSION_GEOMETRY_UNREADABLE,
    VRMI_EXTENSION_IMAGE_UNREADABLE,
    VRMI_EXTENSION_IGNORED // not read; nothing is lost without it
} vrmi_extension_support;

vrmi_extension_support vrmi_extension_lookup(vrm_string name);

// Whether a member of VRM's extensions, in any dialect, is a number or an array of numbers. Such a member may be an
// object, for example the `node` constraint of a draft, but never a text.
bool vrmi_extension_is_number(vrm_string member);

// Whether a repairing load accepts this text in quotation marks instead of an index of glTF (digits without a sign or
// leading zeros), or instead of a number of VRM's extensions.
bool vrmi_is_quoted_index(vrm_string text);
bool vrmi_is_quoted_number(vrm_string text);

#endif
