// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_IMPORT_COLLIDER_H
#define VRMI_IMPORT_IMPORT_COLLIDER_H

#include "import/import.h"

// Reads VRMC_springBone.colliders into the collider table, one row per element. Returns in scratch memory which rows
// are usable. The others become spheres of radius 0 at the first node, so that indices stay the same. Returns NULL if
// the import has ended.
const bool *vrmi_import_colliders(vrmi_import *import, uint32_t array);

// Reads a collider's shape object: a sphere or capsule, and with `extended` also a plane or an inside shape. If a file
// gives several shapes, the order of preference is sphere, capsule, plane, as in three-vrm; UniVRM prefers the capsule.
// Returns false if no shape is usable (reported).
bool vrmi_import_shape(vrmi_import *import, uint32_t shape, bool extended, vrmi_collider_row *out);

#endif
