// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_ARENA_H
#define VRMI_BASE_ARENA_H

// Bump allocation in chunks that are all freed together. Used for the memory of a document or of one import.

#include "base/allocator.h"

typedef struct vrmi_arena_chunk vrmi_arena_chunk;

typedef struct vrmi_arena {
    vrm_allocator allocator;
    vrmi_arena_chunk *chunks;
    uint64_t allocated; // bytes taken from the allocator
    uint64_t limit;     // 0: none
    bool limit_hit;     // the last NULL was due to the limit, not the allocator
} vrmi_arena;

void vrmi_arena_init(vrmi_arena *arena, const vrm_allocator *allocator, uint64_t limit);
// Returns zeroed memory of count * size bytes, aligned to 16 bytes. A count of 0 gives a valid pointer. Returns NULL if
// memory runs out or the limit would be exceeded.
void *vrmi_arena_alloc(vrmi_arena *arena, size_t count, size_t size);
void vrmi_arena_free(vrmi_arena *arena);

#endif
