// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_COLLIDER_H
#define VRMI_IMPORT_IMPORT_COLLIDER_H

#include "import/import.h"

// VRMC_springBone.colliders into the collider table, one row per element.
void vrmi_import_colliders(vrmi_import *import, uint32_t array);

// A collider's shape object: a sphere or a capsule, `extended` also planes and insides.
void vrmi_import_shape(vrmi_import *import, uint32_t shape, bool extended, vrmi_collider_row *out);

#endif
