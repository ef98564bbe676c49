// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_TEST_ALLOCATOR_H
#define TESTS_TEST_ALLOCATOR_H

// An allocator that counts, that checks the sizes it gets back, and that fails when asked to.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/base.h>

typedef struct test_allocator {
    uint64_t calls;   // of allocate
    uint64_t fail_at; // this call (from 0) and all later ones fail; UINT64_MAX: none
    uint64_t live;    // bytes now
    uint64_t peak;    // bytes at most
    uint64_t live_blocks;
    uint64_t wrong; // releases with another size than was allocated
} test_allocator;

enum { TEST_ALLOCATOR_FRONT = 64 }; // keeps every alignment that may be asked for

static inline void *test_allocate(size_t size, size_t alignment, void *user)
{
    test_allocator *a = user;
    const uint64_t call = a->calls++;
    if (call >= a->fail_at || size == 0 || alignment == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0) {
        a->wrong += call < a->fail_at;
        return NULL;
    }
    const size_t whole = (size + TEST_ALLOCATOR_FRONT + 63) / 64 * 64;
    unsigned char *memory = aligned_alloc(64, whole);
    if (memory == NULL) {
        return NULL;
    }
    memset(memory, 0xA5, whole); // what is not initialised shall not be zero by chance
    memcpy(memory, &size, sizeof(size));
    a->live += size;
    a->peak = a->live > a->peak ? a->live : a->peak;
    ++a->live_blocks;
    return memory + TEST_ALLOCATOR_FRONT;
}

static inline void test_release(void *memory, size_t size, void *user)
{
    test_allocator *a = user;
    unsigned char *front = (unsigned char *)memory - TEST_ALLOCATOR_FRONT;
    size_t allocated;
    memcpy(&allocated, front, sizeof(allocated));
    a->wrong += allocated != size;
    a->live -= allocated;
    --a->live_blocks;
    free(front);
}

static inline vrm_allocator test_allocator_make(test_allocator *state)
{
    memset(state, 0, sizeof(*state));
    state->fail_at = UINT64_MAX;
    return (vrm_allocator){test_allocate, test_release, state};
}

#endif
