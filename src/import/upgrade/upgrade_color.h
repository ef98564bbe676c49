// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_UPGRADE_COLOR_H
#define VRMI_IMPORT_UPGRADE_COLOR_H

#include <vrm/math.h>

// A colour of a Unity material (sRGB, alpha linear) as the model has it: linear. Above 1 and below 0 (HDR) the curve
// goes on.
vrm_vec4 vrmi_linear(vrm_vec4 srgb);

#endif
