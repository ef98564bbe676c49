// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_KEYS_H
#define VRMI_FORMAT_JSON_KEYS_H

// Keys that come twice in an object, found in n log n whatever the keys are: a table of hashes would be quadratic for
// keys made to collide.

#include "format/json/json.h"

typedef struct vrmi_json_key {
    uint64_t hash;
    uint32_t token;
} vrmi_json_key;

typedef struct vrmi_json_keys {
    vrmi_json_key *items; // kept from one object to the next
    uint32_t capacity;
    size_t size; // bytes allocated
    const vrmi_json_limits *limits;
} vrmi_json_keys;

typedef enum vrmi_json_keys_result {
    VRMI_JSON_KEYS_DONE,
    VRMI_JSON_KEYS_OUT_OF_MEMORY,
    VRMI_JSON_KEYS_LIMIT,
    VRMI_JSON_KEYS_CANCELLED
} vrmi_json_keys_result;

void vrmi_json_keys_init(vrmi_json_keys *keys, const vrmi_json_limits *limits);
// Marks and reports all but the last of equal keys of an object whose members are complete, and counts them off.
vrmi_json_keys_result vrmi_json_keys_check(vrmi_json_keys *keys, vrmi_json *json, uint32_t object, vrm_report *report);
void vrmi_json_keys_free(vrmi_json_keys *keys, const vrm_allocator *allocator);

#endif
