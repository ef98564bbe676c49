// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_RECORDER_H
#define VRMI_RECORD_RECORDER_H

#include <vrm/record.h>

#include "base/array.h"

// A node's row is a vrm_transform. A material's row is its colours, uv_base, uv_scale and uv_offset.
#define VRMI_RECORD_NODE_FLOATS 10
#define VRMI_RECORD_MATERIAL_FLOATS (4 * VRM_MATERIAL_COLOR_COUNT + 5)

// The node's role in the root's motion.
typedef enum vrmi_record_way {
    VRMI_RECORD_STAYS,  // the root's motion is not added: the parent moves, or nothing has to move
    VRMI_RECORD_HOLDS,  // above the hips: keeps the file's transform, except for the root's scale
    VRMI_RECORD_CARRIES // the hips and their sibling nodes: the root's motion is added
} vrmi_record_way;

struct vrm_recorder {
    vrm_allocator allocator;
    vrm_avatar *avatar;
    vrm_avatar_counts counts;
    bool pointers;
    uint8_t *ways; // a vrmi_record_way for each node
    char *name;
    size_t name_size;
    uint32_t row;      // number of floats per frame: nodes, morphs, materials
    vrmi_array frames; // float
    vrmi_array times;  // double
};

#endif
