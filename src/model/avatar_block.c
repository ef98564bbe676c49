// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "model/avatar_block.h"

#include "base/allocator.h"
#include "base/checks.h"

#include <string.h>

// The size of a cache line. Aligned to it, the avatar's fields and the model's head share no cache line with another
// object.
enum { BLOCK_ALIGNMENT = 64, HEAD = (sizeof(vrm_avatar) + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT };

vrm_result vrmi_avatar_allocate(
    const vrm_allocator *allocator, size_t model_size, size_t texts, vrm_avatar **out_avatar, void **out_model)
{
    size_t views, total;
    if (!vrmi_mul_size(texts, sizeof(vrm_string), &views) || !vrmi_add_size(HEAD + views, model_size, &total)) {
        return VRM_ERROR_LIMIT;
    }
    char *block = vrmi_allocate(allocator, total, BLOCK_ALIGNMENT);
    if (block == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memset(block, 0, HEAD);
    vrm_avatar *avatar = (vrm_avatar *)(void *)block;
    avatar->allocator = *allocator;
    avatar->allocated = total;
    avatar->references = 1;
    avatar->model = (const vrmi_model *)(const void *)(block + HEAD);
    *out_avatar = avatar;
    *out_model = block + HEAD;
    return VRM_SUCCESS;
}

static const vrm_string *view_names(
    const vrmi_model *model, const vrmi_name *names, uint32_t count, vrm_string *out_views)
{
    for (uint32_t i = 0; i < count; ++i) {
        out_views[i] = vrmi_model_text(model, names[i]);
    }
    return out_views;
}

void vrmi_avatar_view(vrm_avatar *avatar)
{
    const vrmi_model *model = avatar->model;
    vrm_string *views = (vrm_string *)(void *)((char *)avatar + HEAD + model->size);
    avatar->author_strings = view_names(model, vrmi_model_author(model), model->author.count, views);
    views += model->author.count;
    avatar->reference_strings = view_names(model, vrmi_model_reference(model), model->reference.count, views);
    views += model->reference.count;
    avatar->old_term_strings = view_names(model, vrmi_model_old_term(model), model->old_term.count, views);
}
