// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef ASSIMP_WRITE_H
#define ASSIMP_WRITE_H

// Writes a skeleton and its animations as .glb, which libvrm then reads with all its checks.

#include "base/text.h"
#include "motion.h"

// Writes the whole file. Returns false if nothing moves in the scene. Sets the text's `failed` if memory runs out.
bool write_motion(const struct aiScene *scene, const skeleton *skeleton, vrmi_text *out);

#endif
