// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_COLLIDER_H
#define VRMI_IMPORT_IMPORT_COLLIDER_H

#include "import/import.h"

// Reads VRMC_springBone.colliders into the collider table, one row per element. Returns, in scratch memory, which of
// them are usable; the others become spheres of radius 0 at the first node, so that indices stay the same. NULL when
// the import has ended.
const bool *vrmi_import_colliders(vrmi_import *import, uint32_t array);

// Reads a collider's shape object: a sphere or a capsule; with `extended` also planes and inside shapes. If there are
// several, the first in this order counts, as in three-vrm (UniVRM takes the capsule). False without a usable one
// (reported).
bool vrmi_import_shape(vrmi_import *import, uint32_t shape, bool extended, vrmi_collider_row *out);

#endif
