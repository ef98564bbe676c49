// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_NEGATE_H
#define VRMI_FORMAT_NEGATE_H

// Signs of numbers in the file's own buffers, changed when the document is saved: half a turn or a mirror costs neither
// a copy of the vertices nor a digit of them. Zeros keep their sign.

#include <vrm/gltf.h>

// `masks` has a bit for each component (of a matrix column by column) of each accessor whose sign changes; 0: the
// accessor stays. `*out_reason` is NULL when that can be done; else nothing was changed, and it is a static text that
// says why: bytes that cannot be read, that two accessors share and use differently, or whole numbers without a
// negative. JSON (min, max) stays as it is. Once for a document.
vrm_result vrmi_gltf_negate(vrm_gltf *gltf, const uint16_t *masks, const char **out_reason);
// Changes the signs in a copy of the BIN chunk.
void vrmi_negate_bin(const vrm_gltf *gltf, uint8_t *bin);

#endif
