// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/array.h"

#include <string.h>

#include "base/checks.h"

enum { ARRAY_ALIGNMENT = 16, FIRST_CAPACITY = 8 };

bool vrmi_array_reserve(vrmi_array *array, const vrm_allocator *allocator, uint32_t more)
{
    if (more <= array->capacity - array->count) {
        return true;
    }
    if (more > UINT32_MAX - array->count) {
        return false;
    }
    const uint32_t needed = array->count + more;
    const uint32_t doubled = array->capacity > UINT32_MAX / 2 ? UINT32_MAX : array->capacity * 2;
    uint32_t capacity = doubled > needed ? doubled : needed;
    capacity = capacity > FIRST_CAPACITY ? capacity : FIRST_CAPACITY;
    size_t bytes;
    if (!vrmi_mul_size(capacity, array->item_size, &bytes)) {
        return false;
    }
    void *items = vrmi_allocate(allocator, bytes, ARRAY_ALIGNMENT);
    if (items == NULL) {
        return false;
    }
    if (array->count != 0) {
        memcpy(items, array->items, (size_t)array->count * array->item_size);
    }
    vrmi_release(allocator, array->items, (size_t)array->capacity * array->item_size);
    array->items = items;
    array->capacity = capacity;
    return true;
}

void *vrmi_array_push(vrmi_array *array, const vrm_allocator *allocator)
{
    if (!vrmi_array_reserve(array, allocator, 1)) {
        return NULL;
    }
    unsigned char *item = (unsigned char *)array->items + (size_t)array->count * array->item_size;
    memset(item, 0, array->item_size);
    ++array->count;
    return item;
}

void vrmi_array_free(vrmi_array *array, const vrm_allocator *allocator)
{
    vrmi_release(allocator, array->items, (size_t)array->capacity * array->item_size);
    array->items = NULL;
    array->count = 0;
    array->capacity = 0;
}
