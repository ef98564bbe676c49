// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_NEGATE_H
#define VRMI_FORMAT_NEGATE_H

// Changes signs of numbers in the file's own buffers when the document is saved. So rotating or mirroring a model needs
// no copy of its vertices and loses no precision. Zeros keep their sign.

#include <vrm/gltf.h>

// `masks` has one entry per accessor, with a bit for each component whose sign changes; matrices are column by column.
// `*out_reason` is NULL on success. Otherwise nothing is changed, and `*out_reason` is a static text: unreadable bytes,
// bytes that two accessors share but use differently, or integers that cannot be negated. JSON (min, max) stays as it
// is. Call this at most once per document.
vrm_result vrmi_gltf_negate(vrm_gltf *gltf, const uint16_t *masks, const char **out_reason);
// Changes the signs in `bin`, a copy of the BIN chunk.
void vrmi_negate_bin(const vrm_gltf *gltf, uint8_t *bin);

#endif
