// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_UPGRADE_COLOR_H
#define VRMI_IMPORT_UPGRADE_COLOR_H

#include <vrm/math.h>

// Converts a colour of a Unity material (sRGB, alpha linear) to the model's linear one. Above 1 and below 0 (HDR) the
// curve continues.
vrm_vec4 vrmi_linear(vrm_vec4 srgb);

#endif
