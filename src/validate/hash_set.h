// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_HASH_SET_H
#define VRMI_VALIDATE_HASH_SET_H

// A set of 64-bit hashes. Equal hashes count as equal things: at worst a finding is not reported. Probing ends after a
// while, so that keys made to collide cost nothing else.

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
// True when it was not there. Without memory it stays out.
bool vrmi_hash_set_add(vrmi_hash_set *set, uint64_t hash);
// Of bytes, going on from `seed` (0 at first).
uint64_t vrmi_hash_text(uint64_t seed, const char *bytes, size_t size);

#endif
