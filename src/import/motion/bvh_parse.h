// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_BVH_PARSE_H
#define VRMI_IMPORT_BVH_PARSE_H

// Parses BVH text (Biovision hierarchy) without interpreting it: joints with offsets and channels, and frames of
// numbers.

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
    int32_t parent;   // index of an earlier joint; -1 for a root
    bool end;         // an end site
    const char *name; // in the text
    uint32_t name_length;
    vrm_vec3 offset;
    uint32_t first_channel, channel_count;
    uint8_t channels[6]; // vrmi_bvh_channel, in the order of application
} vrmi_bvh_joint;

typedef struct vrmi_bvh {
    vrmi_array joints; // vrmi_bvh_joint
    vrmi_array values; // floats: channel_count numbers for each frame
    uint32_t channel_count, frame_count;
    float frame_time; // seconds
} vrmi_bvh;

// Parses BVH text, which must outlive the joints' names. Errors: INVALID_ASSET (the finding BVH_SYNTAX has line and
// column), OUT_OF_MEMORY, LIMIT.
vrm_result vrmi_bvh_parse(
    vrmi_bvh *out, const char *text, size_t size, const vrm_allocator *allocator, vrm_report *report);
void vrmi_bvh_free(vrmi_bvh *bvh, const vrm_allocator *allocator);

#endif
