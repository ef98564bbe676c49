// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_INSTANCE_H
#define VRMI_RUNTIME_INSTANCE_H

// An instance's inside: one block, arrays in the order of the X-macro, hot first. Space of `world` and of everything
// spatial in here: axes of the world, origin at the root's translation ("root-relative world"), so that floats do.

#include <vrm/output.h>

#include "math/mat34.h"
#include "model/model.h"
#include "runtime/face.h"
#include "runtime/spring_state.h"

// X(array, type, count): the block's layout. `m` is the model, `d` the def. Bytes per item in the comments.
#define VRMI_INSTANCE_ARRAYS(X) \
    /* hot: read and written by every update */ \
    X(local, vrm_transform, m->node_parent.count)          /* 40: output pose */ \
    X(world, vrm_mat34, m->node_parent.count)              /* 48: root-relative world */ \
    X(world_rotation, vrm_quat, m->node_parent.count)      /* 16: without scale */ \
    VRMI_SPRING_ARRAYS(X) \
    X(palette, vrm_mat34, m->palette_node.count)           /* 48 */ \
    VRMI_FACE_ARRAYS(X) \
    X(mesh_boxes, vrm_box, m->mesh.count) \
    /* cold: inputs and change bits */ \
    X(input, vrm_transform, m->node_parent.count)          /* 40: held, never written by a stage */ \
    X(node_changed, uint32_t, (m->node_parent.count + 31) / 32) \
    X(palette_changed, uint32_t, (m->palette.count + 31) / 32) \
    X(mesh_changed, uint32_t, (m->mesh.count + 31) / 32) \
    X(material_changed, uint32_t, (m->material.count + 31) / 32)

// The rest of the state (gaze, blink, lip-sync, layers' modes, counters) is in the struct; its owner is named there.
struct vrm_instance {
    const vrm_avatar *avatar;
    const vrmi_model *model; // of the avatar
    vrm_allocator allocator;
    size_t allocated;        // 0: the caller's memory
    vrm_instance_def def;
    uint32_t status;         // vrm_status
    vrm_root root;
    bool pose_changed;       // the host changed `local` after the pose half: world is stale
#define VRMI_INSTANCE_POINTER(array, type, count) type *array;
    VRMI_INSTANCE_ARRAYS(VRMI_INSTANCE_POINTER)
#undef VRMI_INSTANCE_POINTER
    vrmi_spring_globals springs;
    vrmi_face face;
    bool look_active;        // a gaze of expression type: look_weights take the place of the look expressions' input
    float look_weights[4];   // up, down, left, right: the order of the presets; written by the look-at stage
    // (grown by instance.c's owner: face, gaze, outputs)
};

#endif
