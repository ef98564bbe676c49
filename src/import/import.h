// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_H
#define VRMI_IMPORT_IMPORT_H

// The state of an import: the document, the model's tables under construction, and the functions that all passes use. A
// pass continues after an error in the file, so that the report is complete. It stops only if the import has ended
// (memory, limit, cancel), which `result` shows.

#include <vrm/avatar.h>

#include "base/arena.h"
#include "format/gltf/gltf_document.h"
#include "model/model.h"

typedef struct vrmi_import {
    const vrm_avatar_def *def; // never NULL
    const vrm_gltf *gltf;
    const vrmi_json *json;
    vrmi_reader reader; // counts the errors
    vrmi_model_builder model;
    vrmi_arena scratch;
    vrm_result result;    // SUCCESS until the import ends early
    uint32_t vrm;         // extensions.VRMC_vrm, or extensions.VRM in 0.x, or NONE
    uint32_t spring_bone; // extensions.VRMC_springBone, or NONE
    bool geometry;        // vertices can be read
    float fraction;       // fraction of the import done before this pass
    const char *phase;
    uint32_t ticks;
} vrmi_import;

// The rows of a model table that is being built.
#define VRMI_ROWS(import, table, type) ((type *)(import)->model.table.items)

// Ends the import. The first reason is kept.
void vrmi_import_stop(vrmi_import *import, vrm_result result);
static inline bool vrmi_import_runs(const vrmi_import *import)
{
    return import->result == VRM_SUCCESS;
}
// Allocates zeroed memory that lasts until the end of the import. If this fails, returns NULL and ends the import.
void *vrmi_import_scratch(vrmi_import *import, size_t count, size_t size);
// Adds a zeroed row. If this fails, returns NULL and ends the import.
void *vrmi_import_push(vrmi_import *import, vrmi_array *table);
// Adds `count` zeroed rows and returns the first. Returns NULL if `count` is 0 or the call fails; a failure ends the
// import.
void *vrmi_import_extend(vrmi_import *import, vrmi_array *table, uint32_t count);
// Call this before processing `work` elements. Returns false if the import has ended.
bool vrmi_import_tick(vrmi_import *import, uint32_t work);

// Copies the unescaped text of a string token to the builder's string table. The name is empty if the token is not a
// string.
vrmi_name vrmi_import_name(const vrmi_json *json, vrmi_model_builder *model, uint32_t token);
// Copies the `name` of an object to the string table.
vrmi_name vrmi_import_object_name(vrmi_import *import, uint32_t object);
// Reads an index of a glTF node and converts it to node order.
bool vrmi_import_node_index(vrmi_import *import, uint32_t object, const char *key, vrmi_need need, uint32_t *out_node);
// Reads an element of an array of indices, with the rules of vrmi_read_index().
bool vrmi_read_index_element(vrmi_reader *reader, uint32_t element, uint32_t limit, uint32_t *out);
// Checks the specVersion of an extension. Allowed are "1.0", "1.0-beta" and `draft` (may be NULL); any other version is
// reported.
void vrmi_import_spec_version(vrmi_import *import, uint32_t extension, const char *draft);
// Whether `ancestor` is the node itself or above it. Both are in node order.
static inline bool vrmi_import_contains(const vrmi_import *import, uint32_t ancestor, uint32_t node)
{
    return ancestor <= node && node < VRMI_ROWS(import, node_subtree_end, uint32_t)[ancestor];
}

// Whether the file is older than VRM 1.0-beta. Enumerated words are then compared without case.
static inline bool vrmi_import_is_draft(const vrmi_import *import)
{
    return import->model.head.dialect == VRMI_DIALECT_1_0_DRAFT;
}

// The passes in their order (see import_avatar.c).
void vrmi_import_nodes(vrmi_import *import);
void vrmi_import_meta(vrmi_import *import);
void vrmi_import_humanoid(vrmi_import *import);
void vrmi_import_materials(vrmi_import *import);
void vrmi_import_meshes(vrmi_import *import);
void vrmi_import_first_person(vrmi_import *import);
void vrmi_import_expressions(vrmi_import *import);
void vrmi_import_look_at(vrmi_import *import);
void vrmi_import_springs(vrmi_import *import);
void vrmi_import_constraints(vrmi_import *import);
void vrmi_import_bounds(vrmi_import *import);

// Keeps a permission in the file's own words (vrm_meta.old_terms) if the object has the key.
void vrmi_keep_term(vrmi_reader *reader, vrmi_model_builder *model, uint32_t object, const char *key);
// Reads the meta object into head.meta, authors and references. Also used by peek.
void vrmi_read_meta(vrmi_reader *reader, vrmi_model_builder *model, uint32_t meta, uint32_t image_count);
// Returns extensions.<name> of the root object, or NONE.
uint32_t vrmi_root_extension(const vrmi_json *json, const char *name);

#endif
