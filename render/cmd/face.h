// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_FACE_H
#define RENDER_CMD_FACE_H

#include <vrm/avatar.h>

// From the head bone's origin to the top, in the rest pose, metres: what cameras frame a face by.
float face_height(const vrm_avatar *avatar);

#endif
