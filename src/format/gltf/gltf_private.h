// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_GLTF_PRIVATE_H
#define VRMI_FORMAT_GLTF_PRIVATE_H

// Shared only by the files that load and edit a document: buffers, views, accessors, images, and the state of a load.

#include "base/checks.h"
#include "format/edit/edit.h"
#include "format/gltf/accessor.h"
#include "format/gltf/gltf_document.h"

// Counts all memory of a load, so that `max_memory` limits the total in use at any time.
typedef struct vrmi_budget {
    vrm_allocator inner;
    uint64_t used, limit;
    bool limit_hit;
} vrmi_budget;

typedef struct vrmi_gltf_buffer {
    const uint8_t *data; // NULL: no bytes
    uint64_t size;       // declared size; `data` has at least as many bytes
    bool fallback;       // EXT_meshopt_compression fallback: intentionally without bytes
    vrm_bytes owned;     // bytes of an external file
} vrmi_gltf_buffer;

typedef struct vrmi_gltf_view {
    const uint8_t *data; // NULL: no bytes
    uint64_t size;
    uint32_t stride; // 0: tight
    bool compressed; // compressed by meshopt, without an uncompressed fallback
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
    vrm_allocator counted; // an allocator that counts its memory in `budget`
    vrm_bytes copy;        // the document's copy of the file's bytes, unless they are borrowed
    size_t json_start, json_size;
    size_t bin_start, bin_size;
    bool has_bin;
    uint32_t *elements[VRM_GLTF_ARRAY_COUNT]; // JSON token of each element, by the element's index
    vrmi_gltf_buffer *buffers;
    vrmi_gltf_view *views;
    vrmi_gltf_accessor *accessors;
    vrmi_gltf_image_data *images;
    vrmi_edit edit;
    vrmi_array negated; // spans of bytes whose signs change when saving (negate.c)
} vrmi_gltf_private;

typedef struct vrmi_load {
    vrm_gltf *gltf;
    vrmi_gltf_private *data;
    const vrm_gltf_def *def;
    vrmi_gltf_part part;
    vrm_report *report;
    vrmi_reader reader; // counts the errors
    vrm_result stopped; // out of memory, limit or cancelled: the load stops at once
    bool not_gltf;      // an error shows that the bytes are not glTF
    bool unsupported;
    bool quantized; // KHR_mesh_quantization is used
    bool complete;  // all passes have run
    const char *phase;
    float phase_from, phase_to;
    uint64_t phase_work, done, unreported; // work of the current phase; unreported: work since the last progress call
    uint32_t index_count;                  // used entries of vrm_gltf.indices
    uint64_t scanned, max_scan;            // bytes read from accessors; see vrmi_load_scan()
} vrmi_load;

// The unit of work is a byte. An array element counts as VRMI_ELEMENT_WORK.
enum { VRMI_ELEMENT_WORK = 1024, VRMI_PROGRESS_WORK = 1 << 20 };

// Functions of load_state.c for all passes. Each returns false if the load must end (see `stopped`).
bool vrmi_load_enter(vrmi_load *load, const char *phase, float from, float to, uint64_t work); // starts a phase
bool vrmi_load_progress(vrmi_load *load); // calls the host's progress callback
bool vrmi_load_work(vrmi_load *load, uint64_t work);
bool vrmi_load_stop(vrmi_load *load, vrm_result result);
// Reports LIMIT_EXCEEDED at a value and stops the load.
bool vrmi_load_limit(vrmi_load *load, uint32_t value, const char *expected);
// Counts bytes of vertex data before they are read. A hostile file can refer to the same bytes a million times, but
// real files do so once or twice. The limit is a large multiple of the file's size.
bool vrmi_load_scan(vrmi_load *load, uint64_t bytes);
// Allocates zeroed memory in the document's arena. If this fails, returns NULL and stops the load.
void *vrmi_load_alloc(vrmi_load *load, size_t count, size_t size);
// Returns LIMIT or OUT_OF_MEMORY, the reason why the last allocation failed.
vrm_result vrmi_load_no_memory(const vrmi_load *load);
// Reads an index below `limit` from a JSON value. Returns -1 after reporting an invalid one.
int32_t vrmi_load_index(vrmi_load *load, uint32_t value, uint32_t limit);
// Reports a finding at a byte offset, and counts errors like the reader.
void vrmi_load_report_offset(
    vrmi_load *load, vrm_finding_id id, size_t offset, const char *found, const char *expected);

// Reads a string. Other types give "", without a finding. The text points into the document's bytes, or into the arena
// if it has escapes.
bool vrmi_load_string(vrmi_load *load, uint32_t value, vrm_string *out);

// Turns the repair of errors on or off. It stays off if the load is strict or has to find all errors.
void vrmi_load_repair(vrmi_load *load, bool on);
// Converts numbers in quotation marks to numbers if errors are repaired (gltf_load_quoted.c).
void vrmi_load_quoted(vrmi_load *load);

// Returns the accessor at an index from the file. Returns NULL for -1 and for an accessor that failed its checks.
vrmi_gltf_accessor *vrmi_load_accessor(vrmi_load *load, int32_t index);

// The passes in their order. Each returns false if the load must end.
bool vrmi_load_container(vrmi_load *load);  // glb.c
bool vrmi_load_buffers(vrmi_load *load);    // gltf_load_buffer.c: buffers and views
bool vrmi_load_images(vrmi_load *load);     // gltf_load_image.c
bool vrmi_load_accessors(vrmi_load *load);  // gltf_load_accessor.c
bool vrmi_load_meshes(vrmi_load *load);     // gltf_load_mesh.c
bool vrmi_load_skins(vrmi_load *load);      // gltf_load_skin.c
bool vrmi_load_nodes(vrmi_load *load);      // gltf_load_node.c: nodes and scenes
bool vrmi_load_links(vrmi_load *load);      // gltf_load_link.c: textures, materials, animations
bool vrmi_load_check_data(vrmi_load *load); // gltf_load_data.c

// Fills a primitive's accessors by calling the host's decoder (gltf_load_draco.c). Returns false if the load must end.
bool vrmi_load_draco(vrmi_load *load, uint32_t extension, const vrmi_gltf_primitive *primitive);

// Returns the JSON of an element of a top-level array. `index` must be within the count.
static inline uint32_t vrmi_load_element(const vrmi_load *load, vrm_gltf_array array, uint32_t index)
{
    return load->data->elements[array][index];
}

// The bytes of a `uri` member; NULL if there are none (reported). Bytes of a data URI are in the arena, those of a file
// in `owned`. vrmi_load_uri() returns false if the load must end.
typedef struct vrmi_resource {
    const uint8_t *data;
    size_t size;
    vrm_bytes owned;
    char media_type[64]; // of a data URI; otherwise ""
} vrmi_resource;
bool vrmi_load_uri(vrmi_load *load, uint32_t object, vrm_finding_id missing, vrmi_resource *out);

// The names of the two meshopt extensions, which have the same members in buffers and in buffer views.
extern const char *const vrmi_meshopt_names[2];

#endif
