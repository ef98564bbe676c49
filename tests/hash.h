// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_HASH_H
#define TESTS_HASH_H

// Whether two runs gave the same bits: FNV-1a.

#include <stddef.h>
#include <stdint.h>

#define HASH_OF_NOTHING 0xcbf29ce484222325u

static inline uint64_t hash_more(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

#endif
