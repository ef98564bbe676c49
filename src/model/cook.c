// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Cooked avatars: the model's memory after a header that identifies it. Opening one only copies and checks the bytes,
// parses no JSON, and is part of libvrm-runtime.

#include <vrm/avatar.h>

#include "base/allocator.h"
#include "base/cooked_magic.h"
#include "model/avatar_block.h"
#include "model/cook.h"
#include "model/model_check.h"

#include <string.h>

enum { HEAD_SIZE = sizeof(vrmi_cooked_head), COOKED_VERSION = 4, ORDER = 0x01020304 };

static uint64_t word_at(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

// The step is bijective in either word, so any single change is detected.
static uint64_t add_two(uint64_t sum, const unsigned char *at)
{
    sum = (sum ^ word_at(at)) * 0x9E3779B97F4A7C15u + word_at(at + 8);
    return sum ^ sum >> 29;
}

// Computes four sums in parallel, because each step of a sum has to wait for the step before.
uint64_t vrmi_cooked_checksum(const void *bytes, size_t size)
{
    const unsigned char *at = bytes, *end = at + size;
    uint64_t a = 1, b = 2, c = 3, d = 4;
    for (; end - at >= 64; at += 64) {
        a = add_two(a, at);
        b = add_two(b, at + 16);
        c = add_two(c, at + 32);
        d = add_two(d, at + 48);
    }
    for (; at < end; at += 16) {
        a = add_two(a, at);
    }
    const uint64_t sums[4] = {a, b, c, d};
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

// Returns one number that identifies the model's layout: the names, types and sizes of its tables in order, and the
// library's version. A change that this number does not cover, such as exchanging two fields, must change
// COOKED_VERSION.
static uint32_t layout_of_model(void)
{
    enum { STEP = 16 };
#define TEXT_OF(table, type) #table ":" #type ","
#define SIZE_OF(table, type) sizeof(type),
    static const char text[] =
        VRMI_MODEL_TABLES(TEXT_OF) VRM_VERSION_STRING "................"; // padding for the last step
    static const uint64_t sizes[] = {VRMI_MODEL_TABLES(SIZE_OF) sizeof(vrmi_model), sizeof(vrmi_model_head), 0};
#undef TEXT_OF
#undef SIZE_OF
    const uint64_t sum = vrmi_cooked_checksum(text, sizeof(text) / STEP * STEP) ^
                         vrmi_cooked_checksum(sizes, sizeof(sizes) / STEP * STEP);
    return (uint32_t)(sum ^ sum >> 32);
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
        .layout = layout_of_model(),
        .size = avatar->model->size,
        .checksum = vrmi_cooked_checksum(avatar->model, avatar->model->size),
        .order = ORDER};
    memcpy(head.magic, VRMI_COOKED_MAGIC, sizeof(head.magic));
    memcpy(buffer, &head, HEAD_SIZE);
    memcpy((char *)buffer + HEAD_SIZE, avatar->model, avatar->model->size);
    return VRM_SUCCESS;
}

// Checks the header's own fields.
static vrm_result judge_head(const vrmi_cooked_head *head, size_t size)
{
    if (!vrmi_is_cooked(head->magic, sizeof(head->magic))) {
        return VRM_ERROR_INVALID_ASSET;
    }
    if (head->version != COOKED_VERSION || head->layout != layout_of_model() || head->order != ORDER) {
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

// Returns the number of strings to which the avatar keeps pointers. The counts are checked together with the model.
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
    vrmi_model first; // a copy, since the bytes need not be aligned
    memcpy(&first, (const char *)bytes + HEAD_SIZE, sizeof(first));
    const size_t model_size = (size_t)head.size;
    if (first.magic != VRMI_MODEL_MAGIC || first.size != model_size ||
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
