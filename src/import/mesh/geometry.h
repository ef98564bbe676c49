// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_GEOMETRY_H
#define VRMI_IMPORT_GEOMETRY_H

// A primitive for the GPU. geometry.c makes its indices and tangents, geometry_source.c reads the file's values,
// geometry_morph.c those of its morph targets, geometry_vertex.c combines them into vertices, geometry_write.c stores
// these in the host's layout.

#include <vrm/mesh.h>

#include "format/gltf/accessor.h"
#include "format/gltf/gltf_document.h"
#include "math/basis.h"

enum { VRMI_GEOMETRY_CHUNK = 256 }; // vertices read at once

// Weights of the first morph targets; the others have weight 0.
typedef struct vrmi_morph_weights {
    const float *values;
    uint32_t count;
} vrmi_morph_weights;

struct vrm_geometry {
    vrm_allocator allocator;
    const vrm_gltf *gltf;
    const vrmi_gltf_primitive *primitive;
    vrmi_axes axes;
    vrm_geometry_info info;
    uint32_t kept; // the first vertices, which are the file's; the others are copies
    bool flat;     // each triangle has three vertices and its own normal
    bool four_joints, flip_v;
    uint32_t file_joint_sets, first_joint, joint_count; // file_joint_sets: 0 where they are ignored
    int32_t rigid_joint;
    uint32_t *indices;    // info.index_count; allocated: index_room
    uint32_t *origins;    // the copies' vertices in the file; allocated: origin_room
    float (*tangents)[4]; // computed ones, in libvrm's axes; allocated: tangent_room; NULL: the file's
    uint32_t index_room, origin_room, tangent_room;
};

// The accessor of an attribute, or NULL. It is readable: vrm_geometry_create() has checked it.
const vrmi_gltf_accessor *vrmi_geometry_find(const vrm_geometry *geometry, uint32_t attributes, const char *name);
const vrmi_gltf_accessor *vrmi_geometry_find_set(const vrm_geometry *geometry, const char *prefix, uint32_t set);
// Reads values of vertices [first, first + count), as many for each as the accessor has components.
void vrmi_geometry_floats(
    const vrm_geometry *geometry, const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, float *out);
void vrmi_geometry_uints(const vrm_geometry *geometry, const vrmi_gltf_accessor *accessor, uint32_t first,
    uint32_t count, uint32_t (*out)[4]);
// Values of any attribute except joints and weights, with morph targets applied, with all four components, in libvrm's
// axes. At most a chunk.
void vrmi_geometry_values(const vrm_geometry *geometry, const vrm_vertex_attribute *attribute,
    const vrmi_morph_weights *morphs, uint32_t first, uint32_t count, float (*out)[4]);
// Adds the deltas of positions, normals or tangents to values of vertices [first, first + count), at most a chunk. False: there
// are none.
bool vrmi_geometry_morph(const vrm_geometry *geometry, vrm_vertex_semantic semantic, const vrmi_morph_weights *morphs,
    uint32_t first, uint32_t count, float (*values)[4]);
// A set of joints with their weights, as written to the host.
void vrmi_geometry_influences(const vrm_geometry *geometry, uint32_t set, uint32_t first, uint32_t count,
    uint32_t (*joints)[4], float (*weights)[4]);

#endif
