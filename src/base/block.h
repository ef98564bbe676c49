// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_BLOCK_H
#define VRMI_BASE_BLOCK_H

// An object and its arrays in one block of memory. The same function goes through the arrays twice: first without
// memory, to compute the size, and then to set their pointers.

#include "base/allocator.h"
#include "base/checks.h"

enum {
    VRMI_BLOCK_ALIGNMENT = 64,
    VRMI_BLOCK_ARRAY_ALIGNMENT = 32 // so that data that a kernel loads at once are in one cache line
};

// Reserves room for an array at the end of a block. `*total` is the block's size so far; it becomes and stays SIZE_MAX
// on overflow. Returns the address of the array, NULL if `memory` is NULL.
static inline void *vrmi_block_take(void *memory, size_t count, size_t item_size, size_t *total)
{
    size_t offset, size;
    if (!vrmi_mul_size(count, item_size, &size) || !vrmi_add_size(*total, VRMI_BLOCK_ARRAY_ALIGNMENT - 1, &offset)) {
        *total = SIZE_MAX;
        return NULL;
    }
    offset &= ~(size_t)(VRMI_BLOCK_ARRAY_ALIGNMENT - 1);
    if (!vrmi_add_size(offset, size, total)) {
        *total = SIZE_MAX;
    }
    return memory != NULL ? (char *)memory + offset : NULL;
}

// Returns the size of a block whose arrays end at `total`; 0 on overflow.
static inline size_t vrmi_block_size(size_t total)
{
    size_t padded;
    return vrmi_add_size(total, VRMI_BLOCK_ALIGNMENT - 1, &padded) ? padded & ~(size_t)(VRMI_BLOCK_ALIGNMENT - 1) : 0;
}

// Checks the memory that a caller passes to an init function. `needed` is 0 if the def was refused.
static inline bool vrmi_block_fits(const void *memory, size_t size, size_t needed)
{
    return needed != 0 && memory != NULL && size >= needed && (uintptr_t)memory % VRMI_BLOCK_ALIGNMENT == 0;
}

// Allocates a block for a create function. Returns NULL if there is no memory or the allocator ignores the alignment.
static inline void *vrmi_block_allocate(const vrm_allocator *allocator, size_t size)
{
    void *memory = vrmi_allocate(allocator, size, VRMI_BLOCK_ALIGNMENT);
    if (!vrmi_block_fits(memory, size, size)) {
        vrmi_release(allocator, memory, size);
        return NULL;
    }
    return memory;
}

#endif
