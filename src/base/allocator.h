// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_ALLOCATOR_H
#define VRMI_BASE_ALLOCATOR_H

#include <vrm/base.h>

// Gives malloc and free. Defined in platform.c, which is not part of libvrm-runtime.
void vrmi_default_allocator(vrm_allocator *out);

// Copies the caller's allocator to `out`, or the default allocator if `wanted` is NULL or all zero. Code in runtime/
// must not call this function.
static inline void vrmi_resolve_allocator(const vrm_allocator *wanted, vrm_allocator *out)
{
    if (wanted != NULL && wanted->allocate != NULL) {
        *out = *wanted;
    } else {
        vrmi_default_allocator(out);
    }
}

static inline void *vrmi_allocate(const vrm_allocator *allocator, size_t size, size_t alignment)
{
    return allocator->allocate(size, alignment, allocator->user);
}

static inline void vrmi_release(const vrm_allocator *allocator, void *memory, size_t size)
{
    if (memory != NULL) {
        allocator->release(memory, size, allocator->user);
    }
}

#endif
