// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef ASSIMP_WRITE_H
#define ASSIMP_WRITE_H

// Writes a skeleton and its animations as .glb: plain data, which libvrm reads with all its checks.

#include "base/text.h"
#include "motion.h"

// Writes the whole file; false when nothing moves in it. The text's `failed` is set when memory ran out.
bool write_motion(const struct aiScene *scene, const skeleton *skeleton, vrmi_text *out);

#endif
