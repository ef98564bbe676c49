// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_BAKE_VERTEX_H
#define VRMI_EXPORT_BAKE_VERTEX_H

#include "export/bake.h"

#define VRMI_BAKE_NONE UINT32_MAX

typedef struct vrmi_bake_skin {
    uint32_t first_matrix, joint_count; // range of vrmi_bake.skin_matrices
    uint32_t root;                      // joint index: the skeleton root, or a joint without a joint above it
    bool changed;                       // some joint's matrix is not the identity
    uint32_t unweighted;                // number of vertices without weights
    double apart;                       // in metres; see vrmi_bake_open()
} vrmi_bake_skin;

// Vertices with the same transform: the attributes of a primitive with a skin or a node. Several primitives may share a
// buffer.
typedef struct vrmi_bake_buffer {
    uint32_t primitive, node; // the first primitive and node with this buffer
    int32_t skin;             // -1: transformed by the node
    uint32_t normals;         // accessor, or NONE
    uint32_t next;            // 1 + the next buffer with the same positions; 0: none
    bool changed;
    uint32_t unweighted;      // number of vertices without weights in the file; each gets a weight
    uint32_t joints, weights; // new accessors with these weights, or NONE
} vrmi_bake_buffer;

// The transforms of the buffer that is open.
typedef struct vrmi_bake_vertices {
    uint32_t buffer; // NONE: closed
    uint32_t count;
    vrmi_matrix *matrices; // `count` matrices, or one for all vertices
    uint8_t *mirrored;     // indexed by vertex
    float *normal_scale;   // indexed by vertex: length of the transformed normal before normalisation
    bool all_alike, any_mirrored;
} vrmi_bake_vertices;

void vrmi_bake_find_skins(vrmi_bake *bake);
// Returns the buffer for a primitive on a node, adding it if needed; VRMI_BAKE_NONE if the bake has ended.
uint32_t vrmi_bake_find_buffer(vrmi_bake *bake, uint32_t primitive, uint32_t node);
// Computes the transforms of a buffer. For a skin, also measures vrmi_bake_skin.apart: the largest weighted mean
// distance between the positions that the joints alone would give a vertex and its blended position. It is 0 if the
// rest pose is the bind pose. It is an upper bound for the change of a vertex's position in any pose.
bool vrmi_bake_open(vrmi_bake *bake, uint32_t buffer, vrmi_bake_vertices *vertices);
void vrmi_bake_close(vrmi_bake *bake, vrmi_bake_vertices *vertices);
// Transforms `count` * 3 values in place: positions, normals, or those of a morph target.
void vrmi_bake_transform(const vrmi_bake_vertices *vertices, vrmi_bake_claim_kind kind, float *values);
// Writes JOINTS_0 and WEIGHTS_0 in which every vertex has a weight, and stores their accessors in the buffer.
void vrmi_bake_bind_unweighted(vrmi_bake *bake, uint32_t buffer);

#endif
