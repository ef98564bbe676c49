// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_HASH_SET_H
#define VRMI_VALIDATE_HASH_SET_H

// A set of 64-bit hashes. Different things with equal hashes count as equal: at worst a finding is not reported.
// Probing is limited, so that keys made to collide cost no more.

#include "base/allocator.h"

typedef struct vrmi_hash_set {
    vrm_allocator allocator;
    uint64_t *slots; // 0: free
    size_t capacity, count;
    bool failed; // something could not be added for want of memory
} vrmi_hash_set;

void vrmi_hash_set_init(vrmi_hash_set *set, const vrm_allocator *allocator);
void vrmi_hash_set_free(vrmi_hash_set *set);
bool vrmi_hash_set_has(const vrmi_hash_set *set, uint64_t hash);
// True if it was not in the set. Without memory it is not added.
bool vrmi_hash_set_add(vrmi_hash_set *set, uint64_t hash);
// Hash of bytes, continued from `seed` (initially 0).
uint64_t vrmi_hash_text(uint64_t seed, const char *bytes, size_t size);

#endif
