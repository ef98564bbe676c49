// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/json/json_keys.h"

#include <string.h>

#include "base/report.h"
#include "format/json/json_string.h"

enum {
    FEW_KEYS = 12, // up to this number, each key is compared with each other key
    STEPS_PER_TICK = 1 << 16,
    LONGEST_FOUND = 60, // characters of a value's text in a finding
    LONGEST_PATH = 1024
};

void vrmi_json_keys_init(vrmi_json_keys *keys, const vrmi_json_limits *limits)
{
    memset(keys, 0, sizeof(*keys));
    keys->limits = limits;
}

void vrmi_json_keys_free(vrmi_json_keys *keys, const vrm_allocator *allocator)
{
    vrmi_release(allocator, keys->items, keys->size);
    keys->items = NULL;
    keys->capacity = 0;
    keys->size = 0;
}

static vrmi_json_keys_result reserve(vrmi_json_keys *keys, const vrmi_json *json, uint32_t count)
{
    if (count <= keys->capacity) {
        return VRMI_JSON_KEYS_DONE;
    }
    const uint32_t capacity = count < UINT32_MAX / 2 ? count + count / 2 : count;
    const uint64_t bytes = (uint64_t)capacity * sizeof(vrmi_json_key);
    const uint64_t held = (uint64_t)json->capacity * sizeof(vrmi_json_token);
    vrmi_json_keys_free(keys, &json->allocator);
    const uint64_t limit = keys->limits->max_memory;
    if (limit != 0 && (held > limit || bytes > limit - held)) {
        return VRMI_JSON_KEYS_LIMIT;
    }
    keys->items = bytes <= SIZE_MAX ? vrmi_allocate(&json->allocator, (size_t)bytes, 16) : NULL;
    if (keys->items == NULL) {
        return VRMI_JSON_KEYS_OUT_OF_MEMORY;
    }
    keys->capacity = capacity;
    keys->size = (size_t)bytes;
    return VRMI_JSON_KEYS_DONE;
}

static uint64_t hash_key(const vrmi_json *json, uint32_t key)
{
    vrmi_json_cursor cursor;
    vrmi_json_cursor_init(&cursor, json, key);
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (int byte = vrmi_json_cursor_next(&cursor); byte >= 0; byte = vrmi_json_cursor_next(&cursor)) {
        hash = (hash ^ (uint64_t)byte) * (uint64_t)1099511628211u;
    }
    return hash;
}

// Orders keys by hash, then by bytes, then by position. Equal keys then become neighbours in the order of the text.
static bool is_less(const vrmi_json *json, const vrmi_json_key *a, const vrmi_json_key *b)
{
    if (a->hash != b->hash) {
        return a->hash < b->hash;
    }
    const int order = vrmi_json_compare(json, a->token, b->token);
    return order != 0 ? order < 0 : a->token < b->token;
}

static void sift_down(const vrmi_json *json, vrmi_json_key *items, uint32_t root, uint32_t count)
{
    const vrmi_json_key item = items[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && is_less(json, &items[child], &items[child + 1])) {
            ++child;
        }
        if (!is_less(json, &item, &items[child])) {
            break;
        }
        items[root] = items[child];
    }
    items[root] = item;
}

static bool tick(const vrmi_json_keys *keys, const vrmi_json *json, uint32_t step)
{
    const vrmi_json_limits *limits = keys->limits;
    if (step % STEPS_PER_TICK != 0 || limits->progress == NULL) {
        return true;
    }
    // The object is still open, so its last key is at the parser's position.
    const uint32_t at = json->tokens[json->count - 1].end;
    return limits->progress((float)((double)at / (double)json->size), limits->progress_user);
}

// Heap sort needs no recursion and is never quadratic.
static bool sort(vrmi_json_keys *keys, const vrmi_json *json, uint32_t count)
{
    vrmi_json_key *items = keys->items;
    for (uint32_t i = count / 2; i-- > 0;) {
        sift_down(json, items, i, count);
        if (!tick(keys, json, i + 1)) {
            return false;
        }
    }
    for (uint32_t end = count - 1; end > 0; --end) {
        const vrmi_json_key last = items[end];
        items[end] = items[0];
        items[0] = last;
        sift_down(json, items, 0, end);
        if (!tick(keys, json, end)) {
            return false;
        }
    }
    return true;
}

static bool is_same(const vrmi_json *json, uint32_t a, uint32_t b)
{
    const vrmi_json_token *ta = &json->tokens[a], *tb = &json->tokens[b];
    const bool may = ta->escaped || tb->escaped || ta->end - ta->start == tb->end - tb->start;
    return may && vrmi_json_compare(json, a, b) == 0;
}

static bool mark_few(vrmi_json *json, uint32_t object)
{
    uint32_t seen[FEW_KEYS], count = 0;
    bool any = false;
    for (uint32_t key = object + 1; key < json->count; key = json->tokens[key].next) {
        for (uint32_t i = 0; i < count; ++i) {
            if (is_same(json, seen[i], key)) {
                json->tokens[seen[i]].shadowed = 1;
                any = true;
            }
        }
        seen[count++] = key;
    }
    return any;
}

static vrmi_json_keys_result mark_many(vrmi_json_keys *keys, vrmi_json *json, uint32_t object, bool *out_any)
{
    const uint32_t count = json->tokens[object].count;
    const vrmi_json_keys_result reserved = reserve(keys, json, count);
    if (reserved != VRMI_JSON_KEYS_DONE) {
        return reserved;
    }
    uint32_t filled = 0;
    for (uint32_t key = object + 1; key < json->count; key = json->tokens[key].next) {
        keys->items[filled].hash = hash_key(json, key);
        keys->items[filled++].token = key;
    }
    if (!sort(keys, json, count)) {
        return VRMI_JSON_KEYS_CANCELLED;
    }
    for (uint32_t i = 1; i < count; ++i) {
        const vrmi_json_key *a = &keys->items[i - 1], *b = &keys->items[i];
        if (a->hash == b->hash && vrmi_json_compare(json, a->token, b->token) == 0) {
            json->tokens[a->token].shadowed = 1;
            *out_any = true;
        }
    }
    return VRMI_JSON_KEYS_DONE;
}

static void report_shadowed(const vrmi_json *json, uint32_t key, vrm_report *report)
{
    char path[LONGEST_PATH], found[LONGEST_FOUND + 4];
    if (report != NULL) {
        vrmi_report(report, VRM_FINDING_DUPLICATE_KEY, vrmi_json_path(json, key, path, sizeof(path)),
            vrmi_json_excerpt(json, vrmi_json_value(json, key), found, sizeof(found)), "each key once");
    }
}

vrmi_json_keys_result vrmi_json_keys_check(vrmi_json_keys *keys, vrmi_json *json, uint32_t object, vrm_report *report)
{
    bool any = false;
    vrmi_json_keys_result result = VRMI_JSON_KEYS_DONE;
    if (json->tokens[object].count <= FEW_KEYS) {
        any = mark_few(json, object);
    } else {
        result = mark_many(keys, json, object, &any);
    }
    if (!any || result != VRMI_JSON_KEYS_DONE) {
        return result;
    }
    for (uint32_t key = object + 1; key < json->count; key = json->tokens[key].next) {
        if (json->tokens[key].shadowed) {
            --json->tokens[object].count;
            report_shadowed(json, key, report);
        }
    }
    return VRMI_JSON_KEYS_DONE;
}
