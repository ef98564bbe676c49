// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_GLTF_BUILDER_H
#define TESTS_GLTF_BUILDER_H

// Builds small glTF files in a test, by hand and on purpose without libvrm's own writing code. Elements of top-level
// arrays and members of the root are given as JSON text, printf-like:
//
//     gltf_builder b = {0};
//     gltf_builder_floats(&b, positions, 9, 3, "VEC3");           // accessor 0
//     gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
//     gltf_builder_member(&b, "scene", "0");
//     size_t size;
//     uint8_t *glb = gltf_builder_glb(&b, &size);                 // free() it
//     gltf_builder_free(&b);

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct gltf_builder_member_text {
    char name[32];
    char *text; // elements joined by commas, or the whole value
    size_t size, capacity;
    int count;
    int is_array;
} gltf_builder_member_text;

typedef struct gltf_builder {
    gltf_builder_member_text members[40];
    int member_count;
    uint8_t *bin;
    size_t bin_size;
} gltf_builder;

static gltf_builder_member_text *gltf_builder_find(gltf_builder *b, const char *name)
{
    for (int i = 0; i < b->member_count; ++i) {
        if (strcmp(b->members[i].name, name) == 0) {
            return &b->members[i];
        }
    }
    gltf_builder_member_text *m = &b->members[b->member_count++];
    snprintf(m->name, sizeof(m->name), "%s", name);
    return m;
}

static void gltf_builder_append(gltf_builder_member_text *m, const char *text, size_t length)
{
    if (m->size + length + 1 > m->capacity) {
        m->capacity = (m->size + length + 1) * 2;
        m->text = realloc(m->text, m->capacity);
    }
    memcpy(m->text + m->size, text, length);
    m->size += length;
    m->text[m->size] = '\0';
}

// Sets a member of the root to JSON text as it stands.
static inline void gltf_builder_member(gltf_builder *b, const char *name, const char *json)
{
    gltf_builder_member_text *m = gltf_builder_find(b, name);
    m->size = 0;
    m->is_array = 0;
    gltf_builder_append(m, json, strlen(json));
}

// Appends an element to an array of the root; returns its index.
static inline uint32_t gltf_builder_add(gltf_builder *b, const char *array, const char *format, ...)
{
    gltf_builder_member_text *m = gltf_builder_find(b, array);
    m->is_array = 1;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = malloc((size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    if (m->count > 0) {
        gltf_builder_append(m, ",", 1);
    }
    gltf_builder_append(m, text, (size_t)length);
    free(text);
    return (uint32_t)m->count++;
}

// Appends bytes to the BIN chunk, aligned to 4, with a buffer view; `extra` is JSON like ",\"byteStride\":8" or "".
static inline uint32_t gltf_builder_view(gltf_builder *b, const void *bytes, size_t size, const char *extra)
{
    const size_t start = (b->bin_size + 3) / 4 * 4;
    b->bin = realloc(b->bin, start + size + 1);
    memset(b->bin + b->bin_size, 0, start - b->bin_size);
    memcpy(b->bin + start, bytes, size);
    b->bin_size = start + size;
    return gltf_builder_add(b, "bufferViews", "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu%s}",
        (unsigned long long)start, (unsigned long long)size, extra);
}

// An accessor over new bytes.
static inline uint32_t gltf_builder_accessor(gltf_builder *b, const void *bytes, size_t size, uint32_t component_type,
    uint32_t count, const char *type, const char *extra)
{
    const uint32_t view = gltf_builder_view(b, bytes, size, "");
    return gltf_builder_add(b, "accessors", "{\"bufferView\":%u,\"componentType\":%u,\"count\":%u,\"type\":\"%s\"%s}",
        view, component_type, count, type, extra);
}

static inline uint32_t gltf_builder_floats(
    gltf_builder *b, const float *values, uint32_t floats, uint32_t count, const char *type)
{
    return gltf_builder_accessor(b, values, floats * sizeof(float), 5126, count, type, "");
}

// The JSON text; `with_buffer`: "buffers" for the BIN chunk is added unless the test gave its own.
static inline char *gltf_builder_json(gltf_builder *b, int with_buffer, size_t *out_size)
{
    if (with_buffer && b->bin_size != 0 && gltf_builder_find(b, "buffers")->size == 0) {
        gltf_builder_add(b, "buffers", "{\"byteLength\":%llu}", (unsigned long long)b->bin_size);
    }
    gltf_builder_member_text json = {0};
    const char *head = "{\"asset\":{\"version\":\"2.0\"}";
    gltf_builder_append(&json, head, strlen(head));
    for (int i = 0; i < b->member_count; ++i) {
        const gltf_builder_member_text *m = &b->members[i];
        if (m->size == 0) {
            continue;
        }
        gltf_builder_append(&json, ",\"", 2);
        gltf_builder_append(&json, m->name, strlen(m->name));
        gltf_builder_append(&json, m->is_array ? "\":[" : "\":", m->is_array ? 3 : 2);
        gltf_builder_append(&json, m->text, m->size);
        gltf_builder_append(&json, "]", m->is_array ? 1 : 0);
    }
    gltf_builder_append(&json, "}", 1);
    *out_size = json.size;
    return json.text;
}

static inline void gltf_builder_put32(uint8_t *p, size_t value)
{
    for (int i = 0; i < 4; ++i) {
        p[i] = (uint8_t)(value >> (8 * i));
    }
}

// A GLB of JSON text and bytes (none: no BIN chunk).
static inline uint8_t *gltf_builder_pack(
    const char *json, size_t json_size, const void *bin, size_t bin_size, size_t *out_size)
{
    const size_t json_padded = (json_size + 3) / 4 * 4, bin_padded = (bin_size + 3) / 4 * 4;
    const size_t total = 20 + json_padded + (bin_size != 0 ? 8 + bin_padded : 0);
    uint8_t *glb = malloc(total);
    memcpy(glb, "glTF", 4);
    gltf_builder_put32(glb + 4, 2);
    gltf_builder_put32(glb + 8, total);
    gltf_builder_put32(glb + 12, json_padded);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', json_padded);
    memcpy(glb + 20, json, json_size);
    if (bin_size != 0) {
        uint8_t *chunk = glb + 20 + json_padded;
        gltf_builder_put32(chunk, bin_padded);
        memcpy(chunk + 4, "BIN", 4);
        memset(chunk + 8, 0, bin_padded);
        memcpy(chunk + 8, bin, bin_size);
    }
    *out_size = total;
    return glb;
}

static inline uint8_t *gltf_builder_glb(gltf_builder *b, size_t *out_size)
{
    size_t json_size;
    char *json = gltf_builder_json(b, 1, &json_size);
    uint8_t *glb = gltf_builder_pack(json, json_size, b->bin, b->bin_size, out_size);
    free(json);
    return glb;
}

static inline void gltf_builder_free(gltf_builder *b)
{
    for (int i = 0; i < b->member_count; ++i) {
        free(b->members[i].text);
    }
    free(b->bin);
    memset(b, 0, sizeof(*b));
}

#endif
