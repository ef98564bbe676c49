// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_MOTION_WEAVE_H
#define VRMI_IMPORT_MOTION_WEAVE_H

// Animated nodes above bones may move them: a root node that moves the figure, twist joints between two bones. A clip
// has only bones, so the motion of those nodes is added to the bone below.

#include "format/gltf/gltf_document.h"
#include "math/mat34.h"
#include "model/clip.h"

enum { VRMI_PATH_TRANSLATION, VRMI_PATH_ROTATION, VRMI_PATH_SCALE, VRMI_PATH_COUNT };

typedef struct vrmi_weave {
    const vrm_gltf *gltf;
    vrmi_clip_builder file;   // the nodes' tracks as in the file: rotations, and three numbers for the others
    int32_t *track;           // by node and path: index in `file`, or -1
    const int32_t *bone_node; // by bone, or -1
} vrmi_weave;

typedef struct vrmi_weave_bone {
    uint32_t bone;
    bool position;   // position of the hips; otherwise a rotation
    vrm_quat before; // model axes from the axes of the nodes' parent
    vrm_quat after;  // undoes the bone's rest
    vrm_quat basis;  // position: model axes from the file's
} vrmi_weave_bone;

// The nearest mapped bone that is an ancestor both in the humanoid and in the file; -1: none, and the nodes up to a
// root count.
int32_t vrmi_weave_above(const vrmi_weave *weave, int32_t bone);
// Whether a node between the bone and that one has a track.
bool vrmi_weave_is_moved(const vrmi_weave *weave, int32_t bone, bool position);
// Adds the bone's track, linear: all keys of its nodes, and as many between them as needed to stay within 0.03 degrees
// and 0.1 mm of the nodes' motion.
vrm_result vrmi_weave_add(const vrmi_weave *weave, const vrmi_weave_bone *bone, vrmi_clip_builder *builder);

#endif
