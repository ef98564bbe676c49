// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/table_hash.h"

bool vrmi_table_hash_init(vrmi_table_hash *table, vrmi_import *import, uint32_t count)
{
    uint64_t slots = 4;
    while (slots < (uint64_t)count * 2) {
        slots *= 2;
    }
    table->hashes = vrmi_import_scratch(import, (size_t)slots, sizeof *table->hashes);
    table->rows = vrmi_import_scratch(import, (size_t)slots, sizeof *table->rows);
    table->mask = (uint32_t)(slots - 1);
    return vrmi_import_runs(import);
}

void vrmi_table_hash_add(vrmi_table_hash *table, uint32_t hash, uint32_t row)
{
    uint32_t slot = hash & table->mask;
    while (table->rows[slot] != 0) {
        slot = (slot + 1) & table->mask;
    }
    table->hashes[slot] = hash;
    table->rows[slot] = row + 1;
}

static uint32_t find_from(const vrmi_table_hash *table, uint32_t hash, uint32_t *slot)
{
    for (; table->rows[*slot] != 0; *slot = (*slot + 1) & table->mask) {
        if (table->hashes[*slot] == hash) {
            return table->rows[*slot] - 1;
        }
    }
    return VRMI_HASH_NONE;
}

uint32_t vrmi_table_hash_first(const vrmi_table_hash *table, uint32_t hash, uint32_t *out_slot)
{
    *out_slot = hash & table->mask;
    return find_from(table, hash, out_slot);
}

uint32_t vrmi_table_hash_next(const vrmi_table_hash *table, uint32_t hash, uint32_t *slot)
{
    *slot = (*slot + 1) & table->mask;
    return find_from(table, hash, slot);
}

// FNV-1a with a final mixing step: the low bits choose the slot, so they must depend on all other bits.
uint32_t vrmi_hash_bytes(const void *bytes, size_t size, uint32_t seed)
{
    uint32_t hash = 2166136261u ^ seed;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 16777619u;
    }
    hash ^= hash >> 16;
    hash *= 0x85EBCA6Bu;
    hash ^= hash >> 13;
    return hash;
}
