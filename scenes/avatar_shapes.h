// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_AVATAR_SHAPES_H
#define SCENES_AVATAR_SHAPES_H

// Avatars for testing springs. Each one is the generated sample with one change of its hair that occurs in real files.
// Speed and correctness of springs must not depend on such changes. Tests and benchmarks share these avatars.

#include <vrm/gltf.h>

typedef enum scene_shape {
    SCENE_SHAPE_SAMPLE, // the sample itself: seven of its springs have a center
    SCENE_SHAPE_PLAIN,  // the sample without centers; all shapes below are based on it
    SCENE_SHAPE_CENTERS,
    SCENE_SHAPE_SCALED,    // a node between the head and its chains has a scale of 1.1
    SCENE_SHAPE_ARMATURE,  // a root of scale 0.01, and all nodes below it a hundred times as large, as in FBX exports
    SCENE_SHAPE_BRANCHING, // every second chain begins on a joint of the chain before, as is usual in VRM 0.x
    SCENE_SHAPE_SKIPPED,   // every chain skips its second joint
    SCENE_SHAPE_LIMITS,    // hinges on chains of three joints, spherical limits on chains of four, cones on the others
    SCENE_SHAPE_CARRIED,   // a joint of the first chain has a collider for all other chains
    SCENE_SHAPE_MIRRORED,  // like SCALED, but with a scale of (-1, 1, 1)
    SCENE_SHAPE_UNEVEN,    // like SCALED, but with a scale of (0.6, 1, 1.5)
    SCENE_SHAPE_FEW,       // four chains, 20 joints
    SCENE_SHAPE_LONG,      // chains of 20 joints, made of the same nodes
    SCENE_SHAPE_SHORT,     // chains of 3 joints, made of the same nodes
    SCENE_SHAPE_MANY,      // 760 joints: the sample's chains, copied several times
    SCENE_SHAPE_STRUNG,    // strings of eight chains, each beginning on the last joint of the chain before
    SCENE_SHAPE_ROW,       // one string of all chains
    SCENE_SHAPE_COUNT
} scene_shape;

// Returns the shape's name on the command line, "" for an invalid shape.
const char *scene_shape_name(scene_shape shape);
// Creates the avatar as .vrm bytes, which are the same on every machine. Skins keep the sample's bind matrices, so
// meshes of some shapes look wrong. Errors: INVALID_ARGUMENT (no such shape), OUT_OF_MEMORY.
vrm_result scene_shape_create(scene_shape shape, vrm_bytes *out_bytes);

#endif
