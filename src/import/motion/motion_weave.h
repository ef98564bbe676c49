// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_MOTION_WEAVE_H
#define VRMI_IMPORT_MOTION_WEAVE_H

// Adds the motion of animated nodes above bones, since a clip has only bones. Examples are a root node that moves the
// figure and twist joints between two bones. Their motion is added to the bone below.

#include "format/gltf/gltf_document.h"
#include "math/mat34.h"
#include "model/clip.h"

enum { VRMI_PATH_TRANSLATION, VRMI_PATH_ROTATION, VRMI_PATH_SCALE, VRMI_PATH_COUNT };

typedef struct vrmi_weave {
    const vrm_gltf *gltf;
    vrmi_clip_builder file;   // the nodes' tracks as in the file; translations and scales are tracks of three numbers
    int32_t *track;           // indexed by node and path: index in `file`, or -1
    const int32_t *bone_node; // indexed by bone, or -1
} vrmi_weave;

typedef struct vrmi_weave_bone {
    uint32_t bone;
    bool position;   // true: position of the hips; false: a rotation
    vrm_quat before; // from the axes of the parent of the animated nodes to model axes
    vrm_quat after;  // inverse of the bone's rest rotation
    vrm_quat basis;  // for a position: from the file's axes to model axes
} vrmi_weave_bone;

// Returns the nearest mapped bone that is an ancestor in both the humanoid and the file. Returns -1 if there is none;
// all nodes up to the root then affect the bone.
int32_t vrmi_weave_above(const vrmi_weave *weave, int32_t bone);
// Whether a node between a bone and the bone of vrmi_weave_above() has a track.
bool vrmi_weave_is_moved(const vrmi_weave *weave, int32_t bone, bool position);
// Adds a linear track for a bone. It has all keys of the bone's nodes, and enough keys between them to stay within 0.03
// degrees and 0.1 mm of the nodes' motion.
vrm_result vrmi_weave_add(const vrmi_weave *weave, const vrmi_weave_bone *bone, vrmi_clip_builder *builder);

#endif
