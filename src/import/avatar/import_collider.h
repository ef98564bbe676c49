// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_COLLIDER_H
#define VRMI_IMPORT_IMPORT_COLLIDER_H

#include "import/import.h"

// VRMC_springBone.colliders into the collider table, one row per element. Which of them can be used, in scratch memory; the
// others are spheres of radius 0 at the first node, so that indices count on. NULL when the import has ended.
const bool *vrmi_import_colliders(vrmi_import *import, uint32_t array);

// A collider's shape object: a sphere or a capsule, `extended` also planes and insides. Of several the first counts, in this
// order, as in three-vrm (UniVRM takes the capsule). False without one that can be used (reported).
bool vrmi_import_shape(vrmi_import *import, uint32_t shape, bool extended, vrmi_collider_row *out);

#endif
