// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_BLOCK_H
#define VRMI_BASE_BLOCK_H

// One block of memory: an object, followed by its arrays. The same walk over the arrays computes the size (no memory
// yet) and sets their pointers.

#include "base/allocator.h"
#include "base/checks.h"

enum {
    VRMI_BLOCK_ALIGNMENT = 64,
    VRMI_BLOCK_ARRAY_ALIGNMENT = 32 // what kernels load at once lies in one cache line
};

// Reserves room for an array at the end of `*total`. On overflow `*total` becomes SIZE_MAX and stays so. Returns the
// array's place, or NULL without memory.
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

// The size of a block whose arrays end at `total`; 0 on overflow.
static inline size_t vrmi_block_size(size_t total)
{
    size_t padded;
    return vrmi_add_size(total, VRMI_BLOCK_ALIGNMENT - 1, &padded) ? padded & ~(size_t)(VRMI_BLOCK_ALIGNMENT - 1) : 0;
}

// Checks the memory that a caller passes to an init function; `needed` is 0 where the def was refused.
static inline bool vrmi_block_fits(const void *memory, size_t size, size_t needed)
{
    return needed != 0 && memory != NULL && size >= needed && (uintptr_t)memory % VRMI_BLOCK_ALIGNMENT == 0;
}

// For create functions; NULL if there is no memory, or it is not aligned as requested.
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
