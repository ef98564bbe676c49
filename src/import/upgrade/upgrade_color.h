// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_UPGRADE_COLOR_H
#define VRMI_IMPORT_UPGRADE_COLOR_H

#include <vrm/math.h>

// Converts the colour of a Unity material (sRGB with linear alpha) to the model's linear colours. The curve continues
// above 1 and below 0 (HDR).
vrm_vec4 vrmi_linear(vrm_vec4 srgb);

#endif
