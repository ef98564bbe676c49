// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_AVATAR_BLOCK_H
#define VRMI_MODEL_AVATAR_BLOCK_H

#include "model/model.h"

// "VRMm": the first bytes of a saved model.
#define VRMI_MODEL_MAGIC 0x6D4D5256u

// Allocates an avatar's block: its own fields, a model of `model_size` bytes, and pointers to `texts` strings.
// `*out_model` receives the address for the model. Returns OUT_OF_MEMORY, or LIMIT if sizes overflow; the avatar is
// then NULL.
vrm_result vrmi_avatar_allocate(
    const vrm_allocator *allocator, size_t model_size, size_t texts, vrm_avatar **out_avatar, void **out_model);
// Sets the pointers to the strings after the model has been written to the block. The avatar then has one reference.
void vrmi_avatar_view(vrm_avatar *avatar);

#endif
