// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/allocator.h"
#include "base/checks.h"
#include "model/avatar_block.h"
#include "model/node_builder.h"
#include "model/spring_builder.h"

#define TABLE_ALIGNMENT 32u // so that data that a kernel loads at once are in one cache line

void vrmi_model_builder_init(vrmi_model_builder *builder, const vrm_allocator *allocator)
{
    memset(builder, 0, sizeof *builder);
    vrmi_resolve_allocator(allocator, &builder->allocator);
#define INIT_TABLE(table, type) builder->table.item_size = (uint32_t)sizeof(type);
    VRMI_MODEL_TABLES(INIT_TABLE)
#undef INIT_TABLE
    vrmi_model_head *head = &builder->head;
    head->root_from_nodes.w = 1.0f;
    head->meta.thumbnail_image = -1;
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        head->bone_node[i] = -1;
        head->bone_parent[i] = -1;
    }
    for (int i = 0; i < VRM_EXPRESSION_PRESET_COUNT; ++i) {
        head->preset_expression[i] = -1;
    }
}

void vrmi_model_builder_free(vrmi_model_builder *builder)
{
#define FREE_TABLE(table, type) vrmi_array_free(&builder->table, &builder->allocator);
    VRMI_MODEL_TABLES(FREE_TABLE)
#undef FREE_TABLE
}

char *vrmi_model_builder_text(vrmi_model_builder *builder, size_t length, vrmi_name *out_name)
{
    vrmi_array *text = &builder->string;
    *out_name = (vrmi_name){0, 0};
    if (length >= UINT32_MAX || !vrmi_array_reserve(text, &builder->allocator, (uint32_t)length + 1)) {
        builder->out_of_memory = true;
        return NULL;
    }
    *out_name = (vrmi_name){text->count, (uint32_t)length};
    char *start = (char *)text->items + text->count;
    memset(start, 0, length + 1);
    text->count += (uint32_t)length + 1;
    return start;
}

vrmi_name vrmi_model_builder_name(vrmi_model_builder *builder, const char *text, size_t length)
{
    vrmi_name name = {0, 0};
    if (length != 0) {
        char *start = vrmi_model_builder_text(builder, length, &name);
        if (start != NULL) {
            memcpy(start, text, length);
        }
    }
    return name;
}

// Reserves space for a table after the tables before it. Returns false if offsets overflow.
static bool place_table(const vrmi_array *array, size_t *end, vrmi_span *out_span)
{
    size_t bytes = 0, next = 0;
    *out_span = (vrmi_span){(uint32_t)*end, array->count};
    if (!vrmi_mul_size(array->count, array->item_size, &bytes) || !vrmi_add_size(*end, bytes, &next) ||
        !vrmi_add_size(next, TABLE_ALIGNMENT - 1, &next) || next > UINT32_MAX) {
        return false;
    }
    *end = next & ~(size_t)(TABLE_ALIGNMENT - 1);
    return true;
}

static void copy_table(char *base, const vrmi_array *array, vrmi_span span)
{
    if (array->count != 0) {
        memcpy(base + span.offset, array->items, (size_t)array->count * array->item_size);
    }
}

vrm_result vrmi_model_pack(vrmi_model_builder *builder, const vrm_allocator *allocator, vrm_avatar **out_avatar)
{
    *out_avatar = NULL;
    vrmi_model_builder_lay_springs(builder);
    vrmi_model_builder_lay_nodes(builder);
    if (builder->out_of_memory || vrmi_array_push(&builder->pose_fit, &builder->allocator) == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrmi_model layout;
    memset(&layout, 0, sizeof layout);
    size_t end = (sizeof(vrmi_model) + TABLE_ALIGNMENT - 1) & ~(size_t)(TABLE_ALIGNMENT - 1);
    bool fits = true;
#define PLACE_TABLE(table, type) fits = fits && place_table(&builder->table, &end, &layout.table);
    VRMI_MODEL_TABLES(PLACE_TABLE)
#undef PLACE_TABLE
    if (!fits) {
        return VRM_ERROR_LIMIT;
    }
    vrm_allocator chosen;
    vrmi_resolve_allocator(allocator, &chosen);
    const size_t texts = (size_t)builder->author.count + builder->reference.count + builder->old_term.count;
    vrm_avatar *avatar;
    void *place;
    const vrm_result result = vrmi_avatar_allocate(&chosen, end, texts, &avatar, &place);
    if (result != VRM_SUCCESS) {
        return result;
    }
    memset(place, 0, end); // also clears gaps, so that a saved model depends only on its input
    char *base = place;
    vrmi_model *model = place;
    *model = layout;
    model->magic = VRMI_MODEL_MAGIC;
    model->size = (uint32_t)end;
    model->head = builder->head;
#define COPY_TABLE(table, type) copy_table(base, &builder->table, layout.table);
    VRMI_MODEL_TABLES(COPY_TABLE)
#undef COPY_TABLE
    vrmi_pose_fit_make(model, (vrmi_pose_fit *)(void *)(base + layout.pose_fit.offset));
    vrmi_avatar_view(avatar);
    *out_avatar = avatar;
    return VRM_SUCCESS;
}
