// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_FIRST_PERSON_SPLIT_H
#define VRMI_EXPORT_FIRST_PERSON_SPLIT_H

#include <vrm/first_person.h>

#include "base/array.h"

#define VRMI_SPLIT_NO_INDICES UINT32_MAX

// A primitive of a mesh node.
typedef struct vrmi_split_row {
    uint32_t mesh, primitive, mode;
    uint32_t first_index;  // offset in `indices`, or VRMI_SPLIT_NO_INDICES
    uint32_t vertex_count; // upper bound of the indices, exclusive
    vrm_first_person_range ranges[2];
} vrmi_split_row;

// A node that has a mesh, and its range of rows. The entries are in the order of the nodes.
typedef struct vrmi_split_mesh {
    uint32_t gltf_node, gltf_mesh;
    int32_t gltf_skin;
    vrm_first_person annotation;
    uint32_t first_row, row_count;
} vrmi_split_mesh;

struct vrm_first_person_split {
    vrm_allocator allocator;
    vrmi_array meshes;               // vrmi_split_mesh items
    vrmi_array rows;                 // vrmi_split_row items
    vrmi_array indices;              // of uint32_t
    uint32_t node_count, mesh_count; // number of nodes and meshes in the document
};

static inline bool vrmi_split_row_is_split(const vrmi_split_row *row)
{
    return row->ranges[1].count != 0;
}

#endif
