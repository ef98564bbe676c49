// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_BAKE_VERTEX_H
#define VRMI_EXPORT_BAKE_VERTEX_H

#include "export/bake.h"

#define VRMI_BAKE_NONE UINT32_MAX

typedef struct vrmi_bake_skin {
    uint32_t first_matrix, joint_count; // range in skin_matrices
    uint32_t root;                      // a joint without a joint above it
    bool changed;                       // some joint's matrix is not the identity
    uint32_t unweighted;                // number of vertices without weights
    double apart;                       // see vrmi_bake_open()
} vrmi_bake_skin;

// Vertices with the same transform: the attributes of a primitive, by a skin or by a node. Primitives may share one.
typedef struct vrmi_bake_buffer {
    uint32_t primitive, node; // the first ones that use it
    int32_t skin;             // -1: transformed by the node
    uint32_t normals;         // accessor or NONE
    uint32_t next;            // 1 + next buffer with the same positions
    bool changed;
    uint32_t unweighted;      // vertices without weights in the file, which get one
    uint32_t joints, weights; // accessors made for them, or NONE
} vrmi_bake_buffer;

// The transforms of an open buffer.
typedef struct vrmi_bake_vertices {
    uint32_t buffer; // NONE: closed
    uint32_t count;
    vrmi_matrix *matrices; // `count` of them, or one for all
    uint8_t *mirrored;     // by vertex
    float *normal_scale;   // by vertex: length of its normal before normalisation
    bool all_alike, any_mirrored;
} vrmi_bake_vertices;

void vrmi_bake_find_skins(vrmi_bake *bake);
// The row of the buffer for a primitive on a node; VRMI_BAKE_NONE when the bake has ended.
uint32_t vrmi_bake_find_buffer(vrmi_bake *bake, uint32_t primitive, uint32_t node);
// Reads joints and weights. Also measures how far each joint alone would place a vertex from its blended position,
// weighted, and takes the largest. It is 0 if the rest pose is the bind pose, and no pose moves the vertex further from
// where it was before.
bool vrmi_bake_open(vrmi_bake *bake, uint32_t buffer, vrmi_bake_vertices *vertices);
void vrmi_bake_close(vrmi_bake *bake, vrmi_bake_vertices *vertices);
// Transforms `count` * 3 values of a position, normal or morph target in place.
void vrmi_bake_transform(const vrmi_bake_vertices *vertices, vrmi_bake_claim_kind kind, float *values);
// Writes JOINTS_0 and WEIGHTS_0 in which every vertex has a weight, and sets them in the buffer's row.
void vrmi_bake_bind_unweighted(vrmi_bake *bake, uint32_t buffer);

#endif
