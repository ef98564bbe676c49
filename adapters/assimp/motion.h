// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef ASSIMP_MOTION_H
#define ASSIMP_MOTION_H

// An assimp scene as plain bones: each pivot node is merged into the node that it belongs to.

#include <stdbool.h>
#include <stdint.h>

#include <assimp/scene.h>

// FBX rotates a node by a chain of pivots and pre-rotations. assimp creates separate nodes for these, such as
// "Hips_$AssimpFbx$_PreRotation" above "Hips". A bone is the last node of such a chain.
typedef struct bone {
    const struct aiNode *node;
    int32_t parent; // parents precede children; -1 for the scene's root
} bone;

typedef struct skeleton {
    bone *bones;
    uint32_t count;
    float unit; // metres
} skeleton;

typedef struct bone_key {
    float time; // seconds
    struct aiVector3D position, scale;
    struct aiQuaternion rotation;
} bone_key;

// Returns false if memory runs out.
bool skeleton_of(const struct aiScene *scene, skeleton *out);
void skeleton_free(skeleton *skeleton);
// Writes the bone's rest transform relative to its parent.
void bone_rest(const bone *bone, bone_key *out);
// Returns the bone's keys, one at every time at which any node of its chain has a key. Returns NULL with `*out_count` 0
// if no node of the chain is animated, and NULL with another count if memory runs out. The caller frees the keys.
bone_key *bone_keys(const bone *bone, const struct aiAnimation *animation, uint32_t *out_count);

#endif
