// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <string.h>

#include "base/checks.h"

enum { ARENA_ALIGNMENT = 16, FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 1024 * 1024 };

// Header in front of each chunk's memory; its size is rounded up to the alignment.
struct vrmi_arena_chunk {
    vrmi_arena_chunk *next;
    size_t size; // bytes of the whole allocation, including this header
    size_t used; // bytes used, including this header
};

#define HEADER_SIZE ((sizeof(vrmi_arena_chunk) + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT)

void vrmi_arena_init(vrmi_arena *arena, const vrm_allocator *allocator, uint64_t limit)
{
    memset(arena, 0, sizeof(*arena));
    vrmi_resolve_allocator(allocator, &arena->allocator);
    arena->limit = limit;
}

static bool fits(const vrmi_arena *arena, size_t size)
{
    return arena->limit == 0 || (arena->allocated <= arena->limit && size <= arena->limit - arena->allocated);
}

// Adds a chunk with room for `bytes`. It becomes the head of the list unless this one request fills it.
static vrmi_arena_chunk *add_chunk(vrmi_arena *arena, size_t bytes)
{
    size_t size;
    if (!vrmi_add_size(bytes, HEADER_SIZE, &size)) {
        return NULL;
    }
    size_t preferred = arena->allocated < FIRST_CHUNK ? (size_t)FIRST_CHUNK : (size_t)arena->allocated;
    preferred = preferred > LARGEST_CHUNK ? (size_t)LARGEST_CHUNK : preferred;
    if (preferred > size && fits(arena, preferred)) {
        size = preferred;
    } else if (!fits(arena, size)) {
        arena->limit_hit = true;
        return NULL;
    }
    vrmi_arena_chunk *chunk = vrmi_allocate(&arena->allocator, size, ARENA_ALIGNMENT);
    if (chunk == NULL) {
        arena->limit_hit = false;
        return NULL;
    }
    chunk->size = size;
    chunk->used = HEADER_SIZE;
    arena->allocated += size;
    // A chunk that this request fills is inserted after the head, so that the free room of the head stays usable.
    if (arena->chunks != NULL && size == bytes + HEADER_SIZE) {
        chunk->next = arena->chunks->next;
        arena->chunks->next = chunk;
    } else {
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return chunk;
}

void *vrmi_arena_alloc(vrmi_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (!vrmi_mul_size(count, size, &bytes) || bytes > SIZE_MAX - ARENA_ALIGNMENT) {
        arena->limit_hit = false;
        return NULL;
    }
    bytes = (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    bytes = bytes == 0 ? (size_t)ARENA_ALIGNMENT : bytes;
    vrmi_arena_chunk *chunk = arena->chunks;
    if (chunk == NULL || chunk->size - chunk->used < bytes) {
        chunk = add_chunk(arena, bytes);
        if (chunk == NULL) {
            return NULL;
        }
    }
    void *memory = (unsigned char *)chunk + chunk->used;
    chunk->used += bytes;
    memset(memory, 0, bytes);
    return memory;
}

void vrmi_arena_free(vrmi_arena *arena)
{
    for (vrmi_arena_chunk *chunk = arena->chunks; chunk != NULL;) {
        vrmi_arena_chunk *next = chunk->next;
        vrmi_release(&arena->allocator, chunk, chunk->size);
        chunk = next;
    }
    arena->chunks = NULL;
    arena->allocated = 0;
    arena->limit_hit = false;
}
