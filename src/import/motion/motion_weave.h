// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_MOTION_WEAVE_H
#define VRMI_IMPORT_MOTION_WEAVE_H

// Bones may also be moved by animated nodes above them: the movement of a figure in its root node, twist joints between
// two bones. A clip has only bones, so the motion of those nodes is added to the bone below.

#include "format/gltf/gltf_document.h"
#include "math/mat34.h"
#include "model/clip.h"

enum { VRMI_PATH_TRANSLATION, VRMI_PATH_ROTATION, VRMI_PATH_SCALE, VRMI_PATH_COUNT };

typedef struct vrmi_weave {
    const vrm_gltf *gltf;
    vrmi_clip_builder file;   // the nodes' tracks as the file has them: rotations, and three numbers for the others
    int32_t *track;           // by node and path: of `file`, or -1
    const int32_t *bone_node; // by bone, or -1
} vrmi_weave;

typedef struct vrmi_weave_bone {
    uint32_t bone;
    bool position;   // of the hips; else a rotation
    vrm_quat before; // model axes from the axes of what holds the nodes
    vrm_quat after;  // undoes the bone's rest
    vrm_quat basis;  // position: model axes from the file's
} vrmi_weave_bone;

// The nearest mapped ancestor of the bone that is above it in the file, too; -1: none, its nodes go up to a root.
int32_t vrmi_weave_above(const vrmi_weave *weave, int32_t bone);
// Does a node between the bone and that one have a track?
bool vrmi_weave_is_moved(const vrmi_weave *weave, int32_t bone, bool position);
// Adds the bone's track, linear: all keys of its nodes, and as many between them as are needed to stay within 0.03
// degrees and 0.1 mm of the nodes' motion.
vrm_result vrmi_weave_add(const vrmi_weave *weave, const vrmi_weave_bone *bone, vrmi_clip_builder *builder);

#endif
