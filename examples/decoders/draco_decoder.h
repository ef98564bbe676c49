// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef DRACO_DECODER_H
#define DRACO_DECODER_H

// Google's Draco as the decoder of a document: set vrm_gltf_def.decode_draco to draco_decode.

#include <vrm/gltf.h>

#ifdef __cplusplus
extern "C" {
#endif

vrm_result draco_decode(const vrm_draco_request *request, void *user);

#ifdef __cplusplus
}
#endif

#endif
