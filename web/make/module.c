// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Linked with the library into each .wasm, because JavaScript cannot provide the callbacks of an allocator.

#include <stdlib.h>
#include <vrm/base.h>

static void *allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    const size_t least = alignment < 16 ? 16 : alignment;
    return size > SIZE_MAX - least ? NULL : aligned_alloc(least, (size + least - 1) / least * least);
}

static void release(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

VRM_API const vrm_allocator *vrm_web_allocator(void);

// Returns an allocator for vrm_avatar_open(), which has no default one.
const vrm_allocator *vrm_web_allocator(void)
{
    static const vrm_allocator allocator = {allocate, release, NULL};
    return &allocator;
}
