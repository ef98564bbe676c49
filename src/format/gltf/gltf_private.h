// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_GLTF_PRIVATE_H
#define VRMI_FORMAT_GLTF_PRIVATE_H

// Shared only by the document's own files: buffers, views, accessors, images, and the state of a load.

#include "base/checks.h"
#include "format/edit/edit.h"
#include "format/gltf/accessor.h"
#include "format/gltf/gltf_document.h"

// All memory of a load is allocated here, so that `max_memory` limits the total in use at any time.
typedef struct vrmi_budget {
    vrm_allocator inner;
    uint64_t used, limit;
    bool limit_hit;
} vrmi_budget;

typedef struct vrmi_gltf_buffer {
    const uint8_t *data; // NULL: no bytes
    uint64_t size;       // declared size; data holds at least this much
    bool fallback;       // an EXT_meshopt_compression fallback buffer: intentionally without bytes
    vrm_bytes owned;     // bytes of an external file
} vrmi_gltf_buffer;

typedef struct vrmi_gltf_view {
    const uint8_t *data; // NULL: no bytes
    uint64_t size;
    uint32_t stride; // 0: tight
    bool compressed; // meshopt, and no uncompressed fallback
} vrmi_gltf_view;

typedef struct vrmi_gltf_image_data {
    const uint8_t *data; // NULL: none
    size_t size;
    const char *mime_type;
    uint32_t width, height;
    vrm_string name;
    vrm_bytes owned;
} vrmi_gltf_image_data;

typedef struct vrmi_gltf_private {
    vrmi_budget budget;
    vrm_allocator counted; // the budget as an allocator
    vrm_bytes copy;        // copy of the caller's bytes, unless borrowed
    size_t json_start, json_size;
    size_t bin_start, bin_size;
    bool has_bin;
    uint32_t *elements[VRM_GLTF_ARRAY_COUNT]; // JSON element of each index
    vrmi_gltf_buffer *buffers;
    vrmi_gltf_view *views;
    vrmi_gltf_accessor *accessors;
    vrmi_gltf_image_data *images;
    vrmi_edit edit;
    vrmi_array negated; // negate.c: accessors whose sign changes when saved
} vrmi_gltf_private;

typedef struct vrmi_load {
    vrm_gltf *gltf;
    vrmi_gltf_private *data;
    const vrm_gltf_def *def;
    vrmi_gltf_part part;
    vrm_report *report;
    vrmi_reader reader; // counts the errors
    vrm_result stopped; // memory, limit or cancel: the load stops at once
    bool not_gltf;      // errors by which the bytes are no glTF at all
    bool unsupported;
    bool quantized; // KHR_mesh_quantization is used
    bool complete;  // all passes have run
    const char *phase;
    float phase_from, phase_to;
    uint64_t phase_work, done, unreported; // unreported: work done since the last call of progress
    uint32_t index_count;                  // used so far in vrm_gltf.indices
    uint64_t scanned, max_scan;            // bytes of accessors read; see vrmi_load_scan
} vrmi_load;

// One unit of work is a byte; an element of an array counts as VRMI_ELEMENT_WORK.
enum { VRMI_ELEMENT_WORK = 1024, VRMI_PROGRESS_WORK = 1 << 20 };

// load_state.c: services for the passes. Each returns false when the load must end (see `stopped`).
bool vrmi_load_enter(vrmi_load *load, const char *phase, float from, float to, uint64_t work); // a phase begins
bool vrmi_load_progress(vrmi_load *load); // calls the host's callback
bool vrmi_load_work(vrmi_load *load, uint64_t work);
bool vrmi_load_stop(vrmi_load *load, vrm_result result);
// Reports LIMIT_EXCEEDED at a value, then stops the load.
bool vrmi_load_limit(vrmi_load *load, uint32_t value, const char *expected);
// Counts bytes of vertex data before they are read. A small file can refer to its bytes a million times, while real
// files do so once or twice; so the limit is a large multiple of the file's size.
bool vrmi_load_scan(vrmi_load *load, uint64_t bytes);
// Zeroed memory of the document's arena; NULL stops the load.
void *vrmi_load_alloc(vrmi_load *load, size_t count, size_t size);
// Which of memory or limit made an allocation through the budget fail.
vrm_result vrmi_load_no_memory(const vrmi_load *load);
// Reads an index below `limit`, an array's element or a member's value; -1 after a finding.
int32_t vrmi_load_index(vrmi_load *load, uint32_t value, uint32_t limit);
// A finding at a byte offset; counts errors like the reader.
void vrmi_load_report_offset(
    vrmi_load *load, vrm_finding_id id, size_t offset, const char *found, const char *expected);

// A string's text; "" for another type, which is harmless. It points into the document's bytes if there are no escapes,
// else into the arena.
bool vrmi_load_string(vrmi_load *load, uint32_t value, vrm_string *out);

// Turns repairing of errors on or off. It stays off where the load is strict or is to find all errors.
void vrmi_load_repair(vrmi_load *load, bool on);
// Where loading repairs, numbers in quotation marks become numbers (gltf_load_quoted.c).
void vrmi_load_quoted(vrmi_load *load);

// The accessor at an index from the file, or NULL for -1 and for one that failed its checks.
vrmi_gltf_accessor *vrmi_load_accessor(vrmi_load *load, int32_t index);

// The passes, in order; each returns false when the load must end.
bool vrmi_load_container(vrmi_load *load);  // glb.c
bool vrmi_load_buffers(vrmi_load *load);    // gltf_load_buffer.c: buffers and views
bool vrmi_load_images(vrmi_load *load);     // gltf_load_image.c
bool vrmi_load_accessors(vrmi_load *load);  // gltf_load_accessor.c
bool vrmi_load_meshes(vrmi_load *load);     // gltf_load_mesh.c
bool vrmi_load_skins(vrmi_load *load);      // gltf_load_skin.c
bool vrmi_load_nodes(vrmi_load *load);      // gltf_load_node.c: nodes and scenes
bool vrmi_load_links(vrmi_load *load);      // gltf_load_link.c: textures, materials, animations
bool vrmi_load_check_data(vrmi_load *load); // gltf_load_data.c

// gltf_load_draco.c: fills a primitive's accessors by the host's decoder. False when the load must end.
bool vrmi_load_draco(vrmi_load *load, uint32_t extension, const vrmi_gltf_primitive *primitive);

// An element of a top-level array; `index` must be within the count.
static inline uint32_t vrmi_load_element(const vrmi_load *load, vrm_gltf_array array, uint32_t index)
{
    return load->data->elements[array][index];
}

// The resource of a `uri` member: its bytes, or NULL if there are none (reported). Bytes of a data URI live in the
// arena, those of a file in `owned`. Returns false if the load must end.
typedef struct vrmi_resource {
    const uint8_t *data;
    size_t size;
    vrm_bytes owned;
    char media_type[64]; // of a data URI, else ""
} vrmi_resource;
bool vrmi_load_uri(vrmi_load *load, uint32_t object, vrm_finding_id missing, vrmi_resource *out);

// Both extensions have the same members, in buffers and in views.
extern const char *const vrmi_meshopt_names[2];

#endif
