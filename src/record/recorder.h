// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_RECORDER_H
#define VRMI_RECORD_RECORDER_H

#include <vrm/record.h>

#include "base/array.h"

// A node's row: vrm_transform. A material's: its colours, uv_base, uv_scale, uv_offset.
#define VRMI_RECORD_NODE_FLOATS 10
#define VRMI_RECORD_MATERIAL_FLOATS (4 * VRM_MATERIAL_COLOR_COUNT + 5)

// How a node takes part in the root's motion.
typedef enum vrmi_record_way {
    VRMI_RECORD_STAYS,  // its parent moves, or nothing has to
    VRMI_RECORD_HOLDS,  // above the hips: keeps the file's transform except for the root's scale
    VRMI_RECORD_CARRIES // the hips and nodes beside them
} vrmi_record_way;

struct vrm_recorder {
    vrm_allocator allocator;
    vrm_avatar *avatar;
    vrm_avatar_counts counts;
    bool pointers;
    uint8_t *ways; // vrmi_record_way, by node
    char *name;
    size_t name_size;
    uint32_t row;      // floats per frame: nodes, morphs, materials
    vrmi_array frames; // float
    vrmi_array times;  // double
};

#endif
