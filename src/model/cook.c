// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Cooked avatars: the model as it stands in memory behind a head that tells what it is. Opening one is a copy and a check,
// without any JSON, and a part of libvrm-runtime.

#include <vrm/avatar.h>

#include "base/allocator.h"
#include "base/cooked_magic.h"
#include "model/avatar_block.h"
#include "model/cook.h"
#include "model/model_check.h"

#include <string.h>

enum { HEAD_SIZE = sizeof(vrmi_cooked_head), COOKED_VERSION = 1, ORDER = 0x01020304 };

// The sizes of all rows in one number: another library version or compiler may have others.
static uint32_t layout_of_rows(void)
{
    uint32_t hash = 2166136261u;
#define MIX_ROW(table, type) hash = (hash ^ (uint32_t)sizeof(type)) * 16777619u;
    VRMI_MODEL_TABLES(MIX_ROW)
#undef MIX_ROW
    return (hash ^ (uint32_t)sizeof(vrmi_model)) * 16777619u ^ VRMI_MODEL_VERSION;
}

// Four sums side by side, eight bytes at a time, because one waits for itself; each step is a bijection of the word, so
// that no single change goes unnoticed.
uint64_t vrmi_cooked_checksum(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t sums[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word;
        memcpy(&word, at + i, 8);
        uint64_t *sum = &sums[i / 8 % 4];
        *sum = (*sum ^ word) * 0x9E3779B97F4A7C15u;
        *sum ^= *sum >> 29;
    }
    uint64_t all = size;
    for (int i = 0; i < 4; ++i) {
        all = (all ^ sums[i]) * 0x9E3779B97F4A7C15u;
        all ^= all >> 32;
    }
    return all;
}

bool vrm_avatar_is_cooked(const void *bytes, size_t size)
{
    return bytes != NULL && vrmi_is_cooked(bytes, size);
}

vrm_result vrm_avatar_save(const vrm_avatar *avatar, void *buffer, size_t *size)
{
    if (avatar == NULL || size == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const size_t room = *size;
    *size = HEAD_SIZE + (size_t)avatar->model->size;
    if (buffer == NULL) {
        return VRM_SUCCESS;
    }
    if (room < *size) {
        return VRM_ERROR_LIMIT;
    }
    vrmi_cooked_head head = {.version = COOKED_VERSION,
        .layout = layout_of_rows(),
        .size = avatar->model->size,
        .checksum = vrmi_cooked_checksum(avatar->model, avatar->model->size),
        .order = ORDER};
    memcpy(head.magic, VRMI_COOKED_MAGIC, sizeof(head.magic));
    memcpy(buffer, &head, HEAD_SIZE);
    memcpy((char *)buffer + HEAD_SIZE, avatar->model, avatar->model->size);
    return VRM_SUCCESS;
}

// What a head says of itself.
static vrm_result judge_head(const vrmi_cooked_head *head, size_t size)
{
    if (!vrmi_is_cooked(head->magic, sizeof(head->magic))) {
        return VRM_ERROR_INVALID_ASSET;
    }
    if (head->version != COOKED_VERSION || head->layout != layout_of_rows() || head->order != ORDER) {
        return VRM_ERROR_UNSUPPORTED;
    }
    uint32_t unused = 0;
    for (size_t i = 0; i < sizeof(head->unused) / sizeof(head->unused[0]); ++i) {
        unused |= head->unused[i];
    }
    return unused == 0 && head->size == size - HEAD_SIZE && head->size >= sizeof(vrmi_model) && head->size % 16 == 0 &&
                   head->size <= UINT32_MAX
               ? VRM_SUCCESS
               : VRM_ERROR_INVALID_ASSET;
}

// How many texts the avatar shows as views; the counts are checked with the model.
static size_t texts_of(const vrmi_model *model)
{
    return (size_t)model->author.count + model->reference.count + model->old_term.count;
}

vrm_result vrm_avatar_open(const void *bytes, size_t size, const vrm_allocator *allocator, vrm_avatar **out_avatar)
{
    if (out_avatar == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_avatar = NULL;
    if (bytes == NULL || allocator == NULL || allocator->allocate == NULL || allocator->release == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (size < HEAD_SIZE) {
        return VRM_ERROR_INVALID_ASSET;
    }
    vrmi_cooked_head head;
    memcpy(&head, bytes, HEAD_SIZE);
    vrm_result result = judge_head(&head, size);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrmi_model first; // of bytes that need not be aligned
    memcpy(&first, (const char *)bytes + HEAD_SIZE, sizeof(first));
    const size_t model_size = (size_t)head.size;
    if (first.magic != VRMI_MODEL_MAGIC || first.version != VRMI_MODEL_VERSION || first.size != model_size ||
        texts_of(&first) > model_size / sizeof(vrmi_name)) {
        return VRM_ERROR_INVALID_ASSET;
    }
    vrm_avatar *avatar;
    void *model;
    result = vrmi_avatar_allocate(allocator, model_size, texts_of(&first), &avatar, &model);
    if (result != VRM_SUCCESS) {
        return result;
    }
    memcpy(model, (const char *)bytes + HEAD_SIZE, model_size);
    if (vrmi_cooked_checksum(model, model_size) != head.checksum || !vrmi_model_check(model)) {
        vrmi_release(allocator, avatar, avatar->allocated);
        return VRM_ERROR_INVALID_ASSET;
    }
    vrmi_avatar_view(avatar);
    *out_avatar = avatar;
    return VRM_SUCCESS;
}
