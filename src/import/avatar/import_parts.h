// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_PARTS_H
#define VRMI_IMPORT_IMPORT_PARTS_H

// Parts of import passes that older dialects also use. The JSON of these dialects differs, but it has the same meaning
// in the model.

#include "import/import.h"

// Assigns the node in `json`/node to a bone, unless another bone has it.
void vrmi_import_bone(vrmi_import *import, vrm_human_bone bone, uint32_t json);
// Finds for each side (left, right) whether an object of bones uses the thumb names from before 2022. With `draft`,
// only the old names exist.
void vrmi_find_old_thumbs(const vrmi_json *json, uint32_t bones, bool draft, bool out_old[2]);
// Returns the bone that a key of humanBones names, or -1.
int32_t vrmi_bone_of_key(const vrmi_json *json, uint32_t key, const bool old_thumbs[2]);
// Returns the bone that a word of VRM 0.x names, or -1.
int32_t vrmi_vrm0_bone(const vrmi_json *json, uint32_t text);
// Finds the parents of bones and reports missing bones. `bone_json` is NONE for bones that the file does not name.
void vrmi_import_link_bones(vrmi_import *import, uint32_t bones, const uint32_t bone_json[VRM_HUMAN_BONE_COUNT]);

// Returns the origin of the gaze for files that do not state it: midway between the eyes, or a little above the head
// bone.
vrm_vec3 vrmi_import_default_offset(const vrmi_import *import);
// Reports a look-at that has no eyes or expressions to move. `key` is the member with the look-at's type.
void vrmi_import_check_look_at(vrmi_import *import, uint32_t look_at, const char *key);

// Reads all binds of one kind, which are an array of the expression. Their rows are contiguous.
typedef void vrmi_read_bind(vrmi_import *import, uint32_t bind);
void vrmi_import_binds(vrmi_import *import, uint32_t expression, const char *key, vrmi_read_bind *read,
    const vrmi_array *table, uint32_t *out_first, uint32_t *out_count);
// Reads a morph target bind: {node, index, weight}.
void vrmi_import_morph_bind(vrmi_import *import, uint32_t bind);

// Whether materials of this type use a colour.
bool vrmi_import_has_color(vrm_material_type type, uint32_t color);

// Reads the core glTF values of a material. All other values get their defaults.
void vrmi_import_material_core(vrmi_import *import, uint32_t material, vrm_material_params *out);

#endif
