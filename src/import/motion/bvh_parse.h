// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_BVH_PARSE_H
#define VRMI_IMPORT_BVH_PARSE_H

// BVH text (Biovision hierarchy), not interpreted: joints with offsets and channels, frames of numbers.

#include <vrm/math.h>
#include <vrm/result.h>

#include "base/array.h"

typedef enum vrmi_bvh_channel {
    VRMI_BVH_X_POSITION,
    VRMI_BVH_Y_POSITION,
    VRMI_BVH_Z_POSITION,
    VRMI_BVH_X_ROTATION,
    VRMI_BVH_Y_ROTATION,
    VRMI_BVH_Z_ROTATION
} vrmi_bvh_channel;

typedef struct vrmi_bvh_joint {
    int32_t parent;   // before its children; -1 for a root
    bool end;         // an end site
    const char *name; // in the text
    uint32_t name_length;
    vrm_vec3 offset;
    uint32_t first_channel, channel_count;
    uint8_t channels[6]; // vrmi_bvh_channel, in their order
} vrmi_bvh_joint;

typedef struct vrmi_bvh {
    vrmi_array joints; // vrmi_bvh_joint
    vrmi_array values; // float: frames of channel_count numbers
    uint32_t channel_count, frame_count;
    float frame_time; // seconds
} vrmi_bvh;

// INVALID_ASSET with the finding BVH_SYNTAX, which gives line and column. Also OUT_OF_MEMORY, LIMIT. `text` must
// outlive the names.
vrm_result vrmi_bvh_parse(
    vrmi_bvh *out, const char *text, size_t size, const vrm_allocator *allocator, vrm_report *report);
void vrmi_bvh_free(vrmi_bvh *bvh, const vrm_allocator *allocator);

#endif
