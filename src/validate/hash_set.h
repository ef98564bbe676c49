// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_HASH_SET_H
#define VRMI_VALIDATE_HASH_SET_H

// A set of 64-bit hashes. Different keys with the same hash are treated as equal; at worst, a finding is not reported.
// The probing length is limited, so keys that are chosen to collide do not take more time.

#include "base/allocator.h"

typedef struct vrmi_hash_set {
    vrm_allocator allocator;
    uint64_t *slots; // 0: free
    size_t capacity, count;
    bool failed; // memory ran out during an addition
} vrmi_hash_set;

void vrmi_hash_set_init(vrmi_hash_set *set, const vrm_allocator *allocator);
void vrmi_hash_set_free(vrmi_hash_set *set);
bool vrmi_hash_set_has(const vrmi_hash_set *set, uint64_t hash);
// Adds a hash. Returns true if it is new, or if memory ran out and it could not be added.
bool vrmi_hash_set_add(vrmi_hash_set *set, uint64_t hash);
// Hash of bytes, continued from `seed` (initially 0).
uint64_t vrmi_hash_text(uint64_t seed, const char *bytes, size_t size);

#endif
