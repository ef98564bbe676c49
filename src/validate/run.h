// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_RUN_H
#define VRMI_VALIDATE_RUN_H

// One validation: the document, including its errors, and the passes over it. A pass reports an error and continues; it
// stops only when the validation has ended (memory, limit, cancel), as `result` shows.

#include <vrm/validate.h>

#include "base/arena.h"
#include "format/gltf/accessor.h"
#include "format/gltf/gltf_document.h"
#include "validate/hash_set.h"

// An accessor as its JSON describes it, even if its bytes cannot be read.
typedef struct vrmi_accessor_row {
    uint32_t json;
    uint32_t count;          // 0: unknown
    uint32_t component_type; // 0: unknown
    uint8_t components;      // 0: unknown
    uint8_t columns;
    bool normalized, has_min, has_max, sparse;
    uint8_t usage; // vrmi_accessor_usage
    int32_t view;  // -1: none
    uint32_t offset;
} vrmi_accessor_row;

typedef struct vrmi_view_row {
    uint32_t json;
    uint32_t stride; // 0: none
    uint32_t offset;
    uint32_t target;         // as declared, 0: none
    uint8_t usage;           // vrmi_view_usage
    bool vertex_twice;       // accessors share it without a stride, which has been reported
    int32_t vertex_accessor; // the first accessor of an attribute, -1: none
} vrmi_view_row;

typedef struct vrmi_run {
    const vrm_validate_params *def;
    vrm_allocator allocator;
    vrm_gltf *gltf; // NULL: no document
    const vrmi_json *json;
    vrmi_reader reader;
    vrmi_arena arena;
    vrm_result result; // SUCCESS until something ends the validation
    bool complete;     // the document has loaded without errors
    bool unknown;      // there is an unknown extension, which may refer to anything
    bool vrm;          // the file is an avatar
    bool draft;        // its extensions are those of a draft of VRM 1.0
    float fraction;
    const char *phase;
    uint32_t ticks;
    uint8_t *used[VRM_GLTF_ARRAY_COUNT]; // by array, for each element: it is referred to
    uint8_t *seen;                       // scratch for each element of the largest array, zero between uses
    vrmi_hash_set declared;              // names in extensionsUsed
    bool quantized;                      // KHR_mesh_quantization is declared
    uint8_t *looked;                     // by accessor, for vertices.c
    vrmi_hash_set influences;            // pairs of joints and weights already checked, for vertices.c
    uint64_t scanned, max_scan;          // bytes of accessors read; see vrmi_run_scan
    uint32_t *joint_limits;              // by mesh: joints of the smallest skin it is used with, UINT32_MAX without one
    int32_t *parents;                    // by node: the last one that lists it, -1 without; loops are cut
    int32_t *roots;                      // by node: its root
    vrmi_accessor_row *accessors;
    vrmi_view_row *views;
} vrmi_run;

// run.c. Ends the validation; the first reason is kept.
void vrmi_run_stop(vrmi_run *run, vrm_result result);
static inline bool vrmi_run_goes_on(const vrmi_run *run)
{
    return run->result == VRM_SUCCESS;
}
// Zeroed memory until the end; NULL stops the validation.
void *vrmi_run_alloc(vrmi_run *run, size_t count, size_t size);
// Call it before long work; false if the validation has ended.
bool vrmi_run_tick(vrmi_run *run);
// Counts bytes of accessors before they are read: a small file can refer to the same ones a million times, and then
// ends with LIMIT. False when the validation has ended.
bool vrmi_run_scan(vrmi_run *run, const vrmi_gltf_accessor *accessor);
// A valid index of an object at a value, else -1; reports nothing.
int32_t vrmi_run_index(const vrmi_run *run, uint32_t value, vrm_gltf_array array);
int32_t vrmi_run_member_index(const vrmi_run *run, uint32_t object, const char *key, vrm_gltf_array array);
// An unsigned member, or `otherwise`.
uint32_t vrmi_run_uint(const vrmi_run *run, uint32_t object, const char *key, uint32_t otherwise);

// The passes, in the order of validate.c, their only caller.
void vrmi_validate_schema(vrmi_run *run);     // schema.c: types, ranges, words, extensions; what is used
void vrmi_validate_assets(vrmi_run *run);     // check_asset.c: versions, buffers, views, images, cameras, lights
void vrmi_validate_accessors(vrmi_run *run);  // check_accessor.c: rows of accessors and views
void vrmi_validate_meshes(vrmi_run *run);     // check_mesh.c
void vrmi_validate_tree(vrmi_run *run);       // check_tree.c: parents, loops, scenes
void vrmi_validate_skins(vrmi_run *run);      // check_skin.c
void vrmi_validate_animations(vrmi_run *run); // check_animation.c
void vrmi_validate_bounds(vrmi_run *run);     // check_bounds.c: min and max
void vrmi_validate_unused(vrmi_run *run);     // check_unused.c
void vrmi_validate_vrm(vrmi_run *run);        // check_vrm.c: parts that the import does not check
void vrmi_validate_springs(vrmi_run *run);    // check_spring.c, in the same pass
void vrmi_validate_motion(vrmi_run *run);     // check_motion.c, in the same pass

// Checks of the imported avatar: check_nodes.c, and rest_pose.c for the positions of its joints and those of a motion's
// `humanBones`.
void vrmi_validate_nodes(vrmi_run *run, const vrm_avatar *avatar);
void vrmi_validate_pose(vrmi_run *run, const vrm_avatar *avatar);
void vrmi_validate_motion_pose(vrmi_run *run, uint32_t bones);

// Records the use of an accessor and a view (check_accessor.c). Two incompatible uses are a finding at `value` (or its
// `key`).
typedef enum vrmi_accessor_usage {
    VRMI_USAGE_NONE,
    VRMI_USAGE_INDICES,
    VRMI_USAGE_ATTRIBUTE,
    VRMI_USAGE_IBM,
    VRMI_USAGE_ANIMATION_INPUT,
    VRMI_USAGE_ANIMATION_OUTPUT
} vrmi_accessor_usage;
typedef enum vrmi_view_usage { VRMI_VIEW_NONE, VRMI_VIEW_INDICES, VRMI_VIEW_VERTICES, VRMI_VIEW_OTHER } vrmi_view_usage;
void vrmi_use_accessor(vrmi_run *run, int32_t accessor, vrmi_accessor_usage usage, uint32_t value, const char *key);
void vrmi_use_view(vrmi_run *run, int32_t view, vrmi_view_usage usage, uint32_t value, const char *key);
// Reports the byte stride of a buffer view that must not have one.
void vrmi_forbid_stride(vrmi_run *run, int32_t accessor, vrm_finding_id id, uint32_t value, const char *key);

#endif
