// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_AVATAR_BLOCK_H
#define VRMI_MODEL_AVATAR_BLOCK_H

#include "model/model.h"

// "VRMm": what a saved model starts with.
#define VRMI_MODEL_MAGIC 0x6D4D5256u

// The block of an avatar: its own fields, the model, the views of its texts. Takes memory for a model of this size with so
// many texts; `*out_model` is where the model goes. NULL without memory (OUT_OF_MEMORY) or where sizes do not fit (LIMIT).
vrm_result vrmi_avatar_allocate(
    const vrm_allocator *allocator, size_t model_size, size_t texts, vrm_avatar **out_avatar, void **out_model);
// Once the model is in its place: the views of its texts. The avatar has one reference.
void vrmi_avatar_view(vrm_avatar *avatar);

#endif
