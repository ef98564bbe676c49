// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_UPGRADE_CONSTRAINT_H
#define VRMI_IMPORT_UPGRADE_CONSTRAINT_H

// Reads the constraints of drafts: VRMC_constraints, and VRMC_node_constraint before its redesign.

#include "import/import.h"

// Returns extensions.VRMC_constraints of a node, or NONE.
uint32_t vrmi_draft_constraints_of(const vrmi_import *import, uint32_t node_json);
// Whether a constraint object of VRMC_node_constraint has the form of the drafts.
bool vrmi_is_draft_constraint(const vrmi_json *json, uint32_t constraint);
// Reads an object {position, rotation, aim} into at most two rows. Returns the number of rows.
uint32_t vrmi_read_draft_constraints(vrmi_import *import, uint32_t json, uint32_t node, vrmi_constraint_row out[2]);
static inline bool vrmi_is_draft_type(vrm_constraint_type type)
{
    return type >= VRM_CONSTRAINT_POSITION;
}

#endif
