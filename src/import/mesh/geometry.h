// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_GEOMETRY_H
#define VRMI_IMPORT_GEOMETRY_H

// A primitive converted for the GPU. geometry.c computes indices and tangents. geometry_source.c reads the file's
// values, and geometry_morph.c those of morph targets. geometry_vertex.c combines them to vertices, and
// geometry_write.c stores the vertices in the host's layout.

#include <vrm/mesh.h>

#include "format/gltf/accessor.h"
#include "format/gltf/gltf_document.h"
#include "math/basis.h"

enum { VRMI_GEOMETRY_CHUNK = 256 }; // number of vertices that are read at once

// Weights of the first morph targets. Other targets have weight 0.
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
    uint32_t kept; // number of vertices taken from the file; those after them are copies
    bool flat;     // each triangle has three vertices and its own normal
    bool four_joints, flip_v;
    uint32_t file_joint_sets, first_joint, joint_count; // file_joint_sets is 0 if the file's sets are ignored
    int32_t rigid_joint;
    uint32_t *indices; // info.index_count entries, allocated for index_room
    uint32_t *origins; // indexed by copy: its vertex in the file; allocated for origin_room
    // Computed tangents in libvrm's axes, allocated for tangent_room; NULL: the file's tangents are used.
    float (*tangents)[4];
    uint32_t index_room, origin_room, tangent_room;
};

// Returns the accessor of an attribute, or NULL. vrm_geometry_create() has checked that it is readable.
const vrmi_gltf_accessor *vrmi_geometry_find(const vrm_geometry *geometry, uint32_t attributes, const char *name);
const vrmi_gltf_accessor *vrmi_geometry_find_set(const vrm_geometry *geometry, const char *prefix, uint32_t set);
// Reads the values of vertices [first, first + count). The number per vertex is the accessor's number of components.
void vrmi_geometry_floats(
    const vrm_geometry *geometry, const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, float *out);
void vrmi_geometry_uints(const vrm_geometry *geometry, const vrmi_gltf_accessor *accessor, uint32_t first,
    uint32_t count, uint32_t (*out)[4]);
// Reads values of any attribute except joints and weights: four components each, in libvrm's axes, with morph targets
// applied. `count` is at most VRMI_GEOMETRY_CHUNK.
void vrmi_geometry_values(const vrm_geometry *geometry, const vrm_vertex_attribute *attribute,
    const vrmi_morph_weights *morphs, uint32_t first, uint32_t count, float (*out)[4]);
// Adds morph target deltas to positions, normals or tangents of vertices [first, first + count). `count` is at most
// VRMI_GEOMETRY_CHUNK. Returns false if there are no deltas.
bool vrmi_geometry_morph(const vrm_geometry *geometry, vrm_vertex_semantic semantic, const vrmi_morph_weights *morphs,
    uint32_t first, uint32_t count, float (*values)[4]);
// Reads a set of joints and weights in the form in which they are written to the host.
void vrmi_geometry_influences(const vrm_geometry *geometry, uint32_t set, uint32_t first, uint32_t count,
    uint32_t (*joints)[4], float (*weights)[4]);

#endif
