// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_UPGRADE_H
#define VRMI_IMPORT_UPGRADE_H

// Import passes for older dialects. They fill the same tables as the passes of 1.0 (import.h) and read the older JSON
// directly. Findings then refer to places in the original file, and the model can express things that 1.0 JSON cannot.

#include "import/import.h"

// Passes for VRM 0.x (upgrade_vrm0*.c). import->vrm is extensions.VRM.
void vrmi_vrm0_meta(vrmi_import *import);
void vrmi_vrm0_humanoid(vrmi_import *import);
void vrmi_vrm0_materials(vrmi_import *import); // runs after vrmi_import_materials()
void vrmi_vrm0_first_person(vrmi_import *import);
void vrmi_vrm0_expressions(vrmi_import *import);
void vrmi_vrm0_look_at(vrmi_import *import);
void vrmi_vrm0_springs(vrmi_import *import);

// Passes for the drafts of 1.0 (upgrade_draft*.c). The drafts' prose and schemas spell many names differently; both
// spellings are read.
void vrmi_draft_meta(vrmi_import *import);
void vrmi_draft_materials(vrmi_import *import);
void vrmi_draft_expressions(vrmi_import *import);
void vrmi_draft_springs(vrmi_import *import);

// Reads the meta object of an older dialect into head.meta, authors, references and old terms. Also used by peek.
void vrmi_vrm0_read_meta(vrmi_reader *reader, vrmi_model_builder *model, uint32_t vrm, const vrm_gltf *gltf);
void vrmi_draft_read_meta(vrmi_reader *reader, vrmi_model_builder *model, uint32_t meta, uint32_t image_count);
// Distinguishes 1.0, 1.0-beta and 1.0-draft by the version in extensions.VRMC_vrm and by its structure.
vrmi_dialect vrmi_dialect_of(const vrmi_json *json, uint32_t vrm);

// Whether the file is read as VRM 0.x: it has only the 0.x extension, or it has both and 0.x is preferred.
bool vrmi_is_read_as_vrm0(const vrmi_json *json, vrm_prefer prefer);
// Returns a member that only the drafts of 2021 have, such as an array of expressions; NONE if there is none.
uint32_t vrmi_draft_form(const vrmi_json *json, uint32_t vrm);

// Converts the shading of MToon before 1.0 to that of 1.0. The old shading is a ramp from `shift` to lerp(1, shift,
// toony).
void vrmi_old_shading(float shift, float toony, vrm_material_params *out);

// A word and its meaning. vrmi_read_word() ignores case.
typedef struct vrmi_word {
    const char *text;
    uint32_t value;
} vrmi_word;

// Returns the first of `keys` that the object has; NULL if it has none. NULL ends the list.
const char *vrmi_first_key(const vrmi_json *json, uint32_t object, const char *const *keys);
// Reads a string and stores the number that `words` gives it. An unknown string is a finding (OLD_WORD_UNKNOWN) and does
// not change `out`.
bool vrmi_read_word(
    vrmi_reader *reader, uint32_t object, const char *key, const vrmi_word *words, uint32_t count, uint32_t *out);
// Reads the value of a permission. The word must match exactly, except for the case of its first letter: any other
// spelling grants nothing.
bool vrmi_read_right(
    vrmi_reader *reader, uint32_t object, const char *key, const vrmi_word *words, uint32_t count, uint32_t *out);
bool vrmi_same_word(const char *a, const char *b);
// Lists the mesh nodes of each glTF mesh: 0.x refers to meshes, but the model refers to the nodes that use them.
typedef struct vrmi_mesh_users {
    uint32_t *first; // indexed by glTF mesh: row of its first mesh node + 1; 0: none
    uint32_t *next;  // indexed by row: row of the next node with the same mesh + 1; 0: none
} vrmi_mesh_users;

// Finds the mesh nodes of each mesh. Returns false if the import has ended.
bool vrmi_find_mesh_users(vrmi_import *import, vrmi_mesh_users *out);

// Reads an index. A negative number, usually -1, means none, as in 0.x.
bool vrmi_read_index_or_none(vrmi_reader *reader, uint32_t object, const char *key, uint32_t limit, uint32_t *out);
// Reads an {x, y, z} object. If it is missing, returns false and does not change `out`.
bool vrmi_read_xyz(vrmi_reader *reader, uint32_t object, const char *key, vrm_vec3 *out);
// Adds a string to a table of names unless it is empty or not a string.
bool vrmi_keep_name(vrmi_reader *reader, vrmi_model_builder *model, vrmi_array *table, uint32_t value);

#endif
