// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_KEYS_H
#define VRMI_FORMAT_JSON_KEYS_H

// Finds an object's duplicate keys in O(n log n). A hash table would be quadratic for keys that are chosen to collide.

#include "format/json/json.h"

typedef struct vrmi_json_key {
    uint64_t hash;
    uint32_t token;
} vrmi_json_key;

typedef struct vrmi_json_keys {
    vrmi_json_key *items; // reused for each object
    uint32_t capacity;
    size_t size; // in bytes, of `items`
    const vrmi_json_limits *limits;
} vrmi_json_keys;

typedef enum vrmi_json_keys_result {
    VRMI_JSON_KEYS_DONE,
    VRMI_JSON_KEYS_OUT_OF_MEMORY,
    VRMI_JSON_KEYS_LIMIT,
    VRMI_JSON_KEYS_CANCELLED
} vrmi_json_keys_result;

void vrmi_json_keys_init(vrmi_json_keys *keys, const vrmi_json_limits *limits);
// Marks and reports all but the last of equal keys, and subtracts them from the object's count. All members of the
// object must have been parsed.
vrmi_json_keys_result vrmi_json_keys_check(vrmi_json_keys *keys, vrmi_json *json, uint32_t object, vrm_report *report);
void vrmi_json_keys_free(vrmi_json_keys *keys, const vrm_allocator *allocator);

#endif
