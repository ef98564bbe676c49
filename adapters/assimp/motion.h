// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef ASSIMP_MOTION_H
#define ASSIMP_MOTION_H

// An assimp scene as plain bones: its pivot nodes collapsed into the nodes that they belong to.

#include <stdbool.h>
#include <stdint.h>

#include <assimp/scene.h>

// FBX turns a node by a chain of pivots and pre-rotations, which assimp writes as nodes of their own,
// "Hips_$AssimpFbx$_PreRotation" above "Hips". A bone is the last of such a chain.
typedef struct bone {
    const struct aiNode *node;
    int32_t parent; // before its children; -1 for the scene's root
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

// False without memory.
bool skeleton_of(const struct aiScene *scene, skeleton *out);
void skeleton_free(skeleton *skeleton);
// The bone's rest transform relative to its parent.
void bone_rest(const bone *bone, bone_key *out);
// Keys of a bone: at every time at which any node of its chain has one. NULL with `*out_count` 0 when none moves; NULL
// with another count when memory ran out. The caller frees them.
bone_key *bone_keys(const bone *bone, const struct aiAnimation *animation, uint32_t *out_count);

#endif
