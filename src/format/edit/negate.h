// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_NEGATE_H
#define VRMI_FORMAT_NEGATE_H

// Changes signs of numbers in the file's own buffers when the document is saved. So turning or mirroring a model needs
// no copy of the vertices and loses no precision. Zeros keep their sign.

#include <vrm/gltf.h>

// `masks` has a bit for each component (of a matrix column by column) of each accessor whose sign changes; 0: the
// accessor stays. `*out_reason` is NULL on success. Otherwise nothing was changed, and it is a static text that says
// why: unreadable bytes, bytes that two accessors share and use differently, or integers that cannot be negated. JSON
// (min, max) stays as it is. Call it at most once per document.
vrm_result vrmi_gltf_negate(vrm_gltf *gltf, const uint16_t *masks, const char **out_reason);
// Changes the signs in a copy of the BIN chunk.
void vrmi_negate_bin(const vrm_gltf *gltf, uint8_t *bin);

#endif
