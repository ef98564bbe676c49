// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_COLLIDER_H
#define VRMI_IMPORT_IMPORT_COLLIDER_H

#include "import/import.h"

// VRMC_springBone.colliders into the collider table, one row per element.
void vrmi_import_colliders(vrmi_import *import, uint32_t array);

#endif
