// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_AVATAR_BLOCK_H
#define VRMI_MODEL_AVATAR_BLOCK_H

#include "model/model.h"

// "VRMm": the first bytes of a saved model.
#define VRMI_MODEL_MAGIC 0x6D4D5256u

// The block of an avatar: its own fields, the model, and pointers to its texts. Allocates memory for a model of this
// size with that many texts; `*out_model` is where the model goes. NULL without memory (OUT_OF_MEMORY) or where sizes
// overflow (LIMIT).
vrm_result vrmi_avatar_allocate(
    const vrm_allocator *allocator, size_t model_size, size_t texts, vrm_avatar **out_avatar, void **out_model);
// Sets the pointers to the texts, once the model is in place. The avatar has one reference.
void vrmi_avatar_view(vrm_avatar *avatar);

#endif
