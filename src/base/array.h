// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_ARRAY_H
#define VRMI_BASE_ARRAY_H

// A growable array of plain values. Example: `vrmi_array nodes = {.item_size = sizeof(vrmi_node)};`

#include "base/allocator.h"

typedef struct vrmi_array {
    void *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t item_size;
} vrmi_array;

// Makes room for `more` further items. Returns false if memory runs out or the count would not fit in 32 bits.
bool vrmi_array_reserve(vrmi_array *array, const vrm_allocator *allocator, uint32_t more);
// Appends a zeroed item and returns it; NULL if memory runs out.
void *vrmi_array_push(vrmi_array *array, const vrm_allocator *allocator);
void vrmi_array_free(vrmi_array *array, const vrm_allocator *allocator);

#endif
