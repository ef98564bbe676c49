// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/hash_set.h"

#include <string.h>

enum { LONGEST_PROBE = 64 };

void vrmi_hash_set_init(vrmi_hash_set *set, const vrm_allocator *allocator)
{
    *set = (vrmi_hash_set){.allocator = *allocator};
}

void vrmi_hash_set_free(vrmi_hash_set *set)
{
    vrmi_release(&set->allocator, set->slots, set->capacity * sizeof(*set->slots));
    set->slots = NULL;
    set->capacity = set->count = 0;
}

uint64_t vrmi_hash_text(uint64_t seed, const char *bytes, size_t size)
{
    uint64_t hash = seed ^ 0xCBF29CE484222325u; // FNV-1a
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ (uint8_t)bytes[i]) * 0x100000001B3u;
    }
    return hash;
}

// Returns the slot of a hash, or a free slot for it. Returns NULL if neither is within LONGEST_PROBE slots.
static uint64_t *find(const vrmi_hash_set *set, uint64_t hash)
{
    const size_t mask = set->capacity - 1;
    size_t at = (size_t)(hash ^ (hash >> 32)) & mask;
    for (int i = 0; i < LONGEST_PROBE; ++i, at = (at + 1) & mask) {
        if (set->slots[at] == hash || set->slots[at] == 0) {
            return &set->slots[at];
        }
    }
    return NULL;
}

static bool grow(vrmi_hash_set *set)
{
    vrmi_hash_set larger = {.allocator = set->allocator, .capacity = set->capacity == 0 ? 256 : set->capacity * 2};
    larger.slots = vrmi_allocate(&set->allocator, larger.capacity * sizeof(*larger.slots), 16);
    if (larger.slots == NULL) {
        return false;
    }
    memset(larger.slots, 0, larger.capacity * sizeof(*larger.slots));
    for (size_t i = 0; i < set->capacity; ++i) {
        uint64_t *slot = set->slots[i] != 0 ? find(&larger, set->slots[i]) : NULL;
        if (slot != NULL) {
            *slot = set->slots[i];
        }
    }
    larger.count = set->count;
    larger.failed = set->failed;
    vrmi_hash_set_free(set);
    *set = larger;
    return true;
}

bool vrmi_hash_set_has(const vrmi_hash_set *set, uint64_t hash)
{
    const uint64_t *slot = set->capacity != 0 ? find(set, hash | 1) : NULL;
    return slot != NULL && *slot != 0;
}

bool vrmi_hash_set_add(vrmi_hash_set *set, uint64_t hash)
{
    hash |= 1; // odd, because 0 marks a free slot
    if (set->count >= set->capacity / 2 && !grow(set)) {
        set->failed = true;
        return true;
    }
    uint64_t *slot = find(set, hash);
    if (slot != NULL && *slot == hash) {
        return false;
    }
    if (slot != NULL) {
        *slot = hash;
        ++set->count;
    }
    return true;
}
