// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_PARTS_H
#define VRMI_IMPORT_IMPORT_PARTS_H

// Parts of the passes that older dialects share: they are written differently there but mean the same in the model.

#include "import/import.h"

// Assigns the node in `json`/node to a bone, unless another bone has it.
void vrmi_import_bone(vrmi_import *import, vrm_human_bone bone, uint32_t json);
// Finds the sides (left, right) of an object of bones that use the thumb names from before 2022; `draft`: only these
// names exist.
void vrmi_find_old_thumbs(const vrmi_json *json, uint32_t bones, bool draft, bool out_old[2]);
// The bone that a key of such an object names, or -1.
int32_t vrmi_bone_of_key(const vrmi_json *json, uint32_t key, const bool old_thumbs[2]);
// The bone that a word of VRM 0.x names, or -1.
int32_t vrmi_vrm0_bone(const vrmi_json *json, uint32_t text);
// Finds the parents of bones and reports missing ones. `bone_json` has NONE for bones that the file does not name.
void vrmi_import_link_bones(vrmi_import *import, uint32_t bones, const uint32_t bone_json[VRM_HUMAN_BONE_COUNT]);

// The origin of a gaze when the file does not state it: midway between the eyes, else a little above the head bone.
vrm_vec3 vrmi_import_default_offset(const vrmi_import *import);
// Reports a look-at without eyes or expressions to move. `key` names the type.
void vrmi_import_check_look_at(vrmi_import *import, uint32_t look_at, const char *key);

// Reads all binds of one kind (an array of the expression); they are contiguous in their table.
typedef void vrmi_read_bind(vrmi_import *import, uint32_t bind);
void vrmi_import_binds(vrmi_import *import, uint32_t expression, const char *key, vrmi_read_bind *read,
    const vrmi_array *table, uint32_t *out_first, uint32_t *out_count);
// {node, index, weight}.
void vrmi_import_morph_bind(vrmi_import *import, uint32_t bind);

// Whether a material of this type uses that colour.
bool vrmi_import_has_color(vrm_material_type type, uint32_t color);

// The core glTF values of a material, with defaults for everything else.
void vrmi_import_material_core(vrmi_import *import, uint32_t material, vrm_material_params *out);

#endif
