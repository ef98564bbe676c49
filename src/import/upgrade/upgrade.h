// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_UPGRADE_H
#define VRMI_IMPORT_UPGRADE_H

// Older dialects. Each pass of an older dialect fills the same tables as the pass of 1.0 (import.h), directly from the
// older JSON, so that findings name places in the original file. Rewriting the JSON to 1.0 first would lose these
// places, and 1.0 cannot express everything that the model can.

#include "import/import.h"

// VRM 0.x: import->vrm is extensions.VRM (upgrade_vrm0*.c).
void vrmi_vrm0_meta(vrmi_import *import);
void vrmi_vrm0_humanoid(vrmi_import *import);
void vrmi_vrm0_materials(vrmi_import *import); // after vrmi_import_materials
void vrmi_vrm0_first_person(vrmi_import *import);
void vrmi_vrm0_expressions(vrmi_import *import);
void vrmi_vrm0_look_at(vrmi_import *import);
void vrmi_vrm0_springs(vrmi_import *import);

// The drafts of 1.0 (upgrade_draft*.c). Their prose and schemas spell many things differently: both spellings are read.
void vrmi_draft_meta(vrmi_import *import);
void vrmi_draft_materials(vrmi_import *import);
void vrmi_draft_expressions(vrmi_import *import);
void vrmi_draft_springs(vrmi_import *import);

// Reads the meta object of a dialect into head.meta, authors, references and old terms; also for peek.
void vrmi_vrm0_read_meta(vrmi_reader *reader, vrmi_model_builder *model, uint32_t vrm, const vrm_gltf *gltf);
void vrmi_draft_read_meta(vrmi_reader *reader, vrmi_model_builder *model, uint32_t meta, uint32_t image_count);
// 1.0, 1.0-beta or 1.0-draft, by the version in extensions.VRMC_vrm and by its structure.
vrmi_dialect vrmi_dialect_of(const vrmi_json *json, uint32_t vrm);

// Whether the file is read as VRM 0.x: it has nothing newer, or it has both and 0.x is preferred.
bool vrmi_is_read_as_vrm0(const vrmi_json *json, vrm_prefer prefer);
// A member that only the draft of 2021 has, such as an array of expressions; NONE without one.
uint32_t vrmi_draft_form(const vrmi_json *json, uint32_t vrm);

// Converts MToon's shading from before 1.0, a ramp between `shift` and lerp(1, shift, toony), to that of 1.0.
void vrmi_old_shading(float shift, float toony, vrm_material_params *out);

// A word and its meaning. Words are compared without case.
typedef struct vrmi_word {
    const char *text;
    uint32_t value;
} vrmi_word;

// The first of the keys (NULL ends the list) that the object has; NULL when it has none.
const char *vrmi_first_key(const vrmi_json *json, uint32_t object, const char *const *keys);
// Reads a word's value. An unknown word is a finding (OLD_WORD_UNKNOWN) and `out` keeps its default.
bool vrmi_read_word(
    vrmi_reader *reader, uint32_t object, const char *key, const vrmi_word *words, uint32_t count, uint32_t *out);
// The same for a permission, whose word must match exactly: any other spelling grants nothing.
bool vrmi_read_right(
    vrmi_reader *reader, uint32_t object, const char *key, const vrmi_word *words, uint32_t count, uint32_t *out);
bool vrmi_same_word(const char *a, const char *b);
// Mesh nodes (rows of the mesh table) by glTF mesh: 0.x refers to meshes, the model to nodes that use them.
typedef struct vrmi_mesh_users {
    uint32_t *first; // by glTF mesh: row + 1, 0 for none
    uint32_t *next;  // by row: row + 1 of the next node with the same mesh, 0 at the end
} vrmi_mesh_users;

// False when the import has ended.
bool vrmi_find_mesh_users(vrmi_import *import, vrmi_mesh_users *out);

// Reads an index; -1 (or any negative number) means none, as in 0.x.
bool vrmi_read_index_or_none(vrmi_reader *reader, uint32_t object, const char *key, uint32_t limit, uint32_t *out);
// Reads an {x, y, z} object; false, and `out` untouched, if it is missing.
bool vrmi_read_xyz(vrmi_reader *reader, uint32_t object, const char *key, vrm_vec3 *out);
// Adds a text to a table of names, if the value is a string that is not empty.
bool vrmi_keep_name(vrmi_reader *reader, vrmi_model_builder *model, vrmi_array *table, uint32_t value);

#endif
