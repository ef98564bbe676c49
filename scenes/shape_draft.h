// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_SHAPE_DRAFT_H
#define SCENES_SHAPE_DRAFT_H

// The sample's nodes, chains and colliders as tables. The tables may be changed and are then written back into the
// sample's document. Node indices are those of the document.

#include <vrm/avatar.h>

enum { SHAPE_NODES = 1280, SHAPE_CHAINS = 192, SHAPE_COLLIDERS = 16, SHAPE_CHAIN_NODES = 21 };

typedef struct shape_node {
    int parent; // -1: a root
    vrm_transform local;
    vrm_vec3 position; // in model space, at rest in the sample
    vrm_quat rotation;
} shape_node;

typedef struct shape_chain {
    int nodes[SHAPE_CHAIN_NODES], count; // the last node is the tail of the last joint
    int skipped;                         // index in `nodes` of a node that is not a joint, or -1
    int center;                          // node, or -1
    bool carried;                        // the chain collides with the collider on hair
    vrm_spring_limit_type limit;
    vrm_spring_joint_params params; // for all joints
    vrm_string groups;              // the sample's groups as JSON, for example "[0,1]"
} shape_chain;

typedef struct shape_draft {
    vrm_gltf *gltf; // the sample's document
    shape_node nodes[SHAPE_NODES];
    shape_chain chains[SHAPE_CHAINS]; // in the order of the file
    vrm_collider colliders[SHAPE_COLLIDERS];
    int node_count, chain_count, collider_count;
    int sample_nodes; // nodes from this index on are new
    int head, hips;
    vrm_vec3 eyes; // offset of the look-at
    bool failed;   // memory ran out; nothing else can fail with a known document
} shape_draft;

// Fills a draft that is all zero. Call shape_draft_end() in any case, also after a failure.
void shape_draft_begin(shape_draft *d);
void shape_draft_write(shape_draft *d);
void shape_draft_end(shape_draft *d);

#endif
