// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_IMPORT_TABLE_HASH_H
#define VRMI_IMPORT_TABLE_HASH_H

// A hash table of row indices, to find equal rows in linear time. The rows are stored elsewhere. The caller compares
// the rows, because different rows may have the same hash.

#include "import/import.h"

#define VRMI_HASH_NONE UINT32_MAX

typedef struct vrmi_table_hash {
    uint32_t *hashes;
    uint32_t *rows; // row + 1; 0: free
    uint32_t mask;
} vrmi_table_hash;

// Allocates room for `count` rows in the import's scratch memory. Returns false if the import has ended.
bool vrmi_table_hash_init(vrmi_table_hash *table, vrmi_import *import, uint32_t count);
// Adds a row. The number of rows must not exceed `count` of vrmi_table_hash_init().
void vrmi_table_hash_add(vrmi_table_hash *table, uint32_t hash, uint32_t row);
// Returns the first row with a hash, or VRMI_HASH_NONE. vrmi_table_hash_next() returns the following rows.
uint32_t vrmi_table_hash_first(const vrmi_table_hash *table, uint32_t hash, uint32_t *out_slot);
uint32_t vrmi_table_hash_next(const vrmi_table_hash *table, uint32_t hash, uint32_t *slot);
uint32_t vrmi_hash_bytes(const void *bytes, size_t size, uint32_t seed);

#endif
