// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_RUN_H
#define VRMI_VALIDATE_RUN_H

// The state of a validation: the document, including its errors, and the functions that all passes use. A pass
// continues after an error. It stops only if the validation has ended (memory, limit, cancel), which `result` shows.

#include <vrm/validate.h>

#include "base/arena.h"
#include "format/gltf/accessor.h"
#include "format/gltf/gltf_document.h"
#include "validate/hash_set.h"

// An accessor as described by its JSON, even if its bytes cannot be read.
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
    uint32_t target;         // the bufferView's declared target; 0: none
    uint8_t usage;           // vrmi_view_usage
    bool vertex_twice;       // several accessors share the view without a stride, and this was reported
    int32_t vertex_accessor; // the first accessor of an attribute in this view; -1: none
} vrmi_view_row;

typedef struct vrmi_run {
    const vrm_validate_params *def;
    vrm_allocator allocator;
    vrm_gltf *gltf; // NULL: no document
    const vrmi_json *json;
    vrmi_reader reader;
    vrmi_arena arena;
    vrm_result result; // SUCCESS until the validation ends early
    bool complete;     // the document has loaded without errors
    bool unknown;      // the file has an unknown extension, which may refer to any object
    bool vrm;          // the file has an avatar
    bool draft;        // the avatar's extensions are those of a draft of VRM 1.0
    float fraction;
    const char *phase;
    uint32_t ticks;
    uint8_t *used[VRM_GLTF_ARRAY_COUNT]; // indexed by array and element: the file refers to the element
    uint8_t *seen;                       // scratch with one entry per element of the largest array; zero between uses
    vrmi_hash_set declared;              // names in extensionsUsed
    bool quantized;                      // KHR_mesh_quantization is declared
    uint8_t *looked;                     // indexed by accessor: checks that vertices.c has already made
    vrmi_hash_set influences;            // hashes of joints and weights that vertices.c has already checked
    uint64_t scanned, max_scan;          // bytes read from accessors; see vrmi_run_scan()
    uint32_t *joint_limits; // indexed by mesh: number of joints of the smallest skin used with it; UINT32_MAX: no skin
    int32_t *parents;       // indexed by node: the last node that lists it; -1: none; loops are cut
    int32_t *roots;         // indexed by node: the root above it
    vrmi_accessor_row *accessors;
    vrmi_view_row *views;
} vrmi_run;

// Ends the validation; the first reason is kept. This and the following functions are in run.c.
void vrmi_run_stop(vrmi_run *run, vrm_result result);
static inline bool vrmi_run_goes_on(const vrmi_run *run)
{
    return run->result == VRM_SUCCESS;
}
// Allocates zeroed memory that lasts until the end of the validation. If this fails, returns NULL and ends the
// validation.
void *vrmi_run_alloc(vrmi_run *run, size_t count, size_t size);
// Call this before long work. Returns false if the validation has ended.
bool vrmi_run_tick(vrmi_run *run);
// Counts the bytes of an accessor before they are read, and ends the validation with LIMIT if there are too many: a
// small file can refer to the same bytes a million times. Returns false if the validation has ended.
bool vrmi_run_scan(vrmi_run *run, const vrmi_gltf_accessor *accessor);
// Returns the glTF index that a JSON value holds if the array has such an element; otherwise -1. Reports nothing.
int32_t vrmi_run_index(const vrmi_run *run, uint32_t value, vrm_gltf_array array);
int32_t vrmi_run_member_index(const vrmi_run *run, uint32_t object, const char *key, vrm_gltf_array array);
// Reads an unsigned member; gives `otherwise` if there is none.
uint32_t vrmi_run_uint(const vrmi_run *run, uint32_t object, const char *key, uint32_t otherwise);

// The passes. validate.c calls them and defines their order.
void vrmi_validate_schema(vrmi_run *run);     // schema.c: types, ranges, words, extensions; marks used objects
void vrmi_validate_assets(vrmi_run *run);     // check_asset.c: versions, buffers, views, images, cameras, lights
void vrmi_validate_accessors(vrmi_run *run);  // check_accessor.c: rows of accessors and views
void vrmi_validate_meshes(vrmi_run *run);     // check_mesh.c
void vrmi_validate_tree(vrmi_run *run);       // check_tree.c: parents, loops, scenes
void vrmi_validate_skins(vrmi_run *run);      // check_skin.c
void vrmi_validate_animations(vrmi_run *run); // check_animation.c
void vrmi_validate_bounds(vrmi_run *run);     // check_bounds.c: min and max
void vrmi_validate_unused(vrmi_run *run);     // check_unused.c
void vrmi_validate_vrm(vrmi_run *run);        // check_vrm.c: requirements that importing does not check
void vrmi_validate_springs(vrmi_run *run);    // check_spring.c, called by vrmi_validate_vrm()
void vrmi_validate_motion(vrmi_run *run);     // check_motion.c, called by vrmi_validate_vrm()

// Checks of the imported avatar: its nodes (check_nodes.c), and its rest pose or that of a motion (rest_pose.c).
void vrmi_validate_nodes(vrmi_run *run, const vrm_avatar *avatar);
void vrmi_validate_pose(vrmi_run *run, const vrm_avatar *avatar);
void vrmi_validate_motion_pose(vrmi_run *run, uint32_t bones);

// The use of an accessor. vrmi_use_accessor() and vrmi_use_view() record uses (check_accessor.c). A second,
// incompatible use is a finding at `value`, or at its member `key`.
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
// Reports the byteStride of an accessor's buffer view, which must not have one.
void vrmi_forbid_stride(vrmi_run *run, int32_t accessor, vrm_finding_id id, uint32_t value, const char *key);

#endif
