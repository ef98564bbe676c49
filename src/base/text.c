// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <string.h>

#include "base/checks.h"

// Whether the text is written to a fixed buffer, which has no allocator. Text that does not fit is cut off.
static bool is_fixed(const vrmi_text *text)
{
    return text->allocator.allocate == NULL;
}

void vrmi_text_init(vrmi_text *text, const vrm_allocator *allocator)
{
    memset(text, 0, sizeof(*text));
    vrmi_resolve_allocator(allocator, &text->allocator);
}

void vrmi_text_free(vrmi_text *text)
{
    vrmi_release(&text->allocator, text->data, text->capacity);
    text->data = NULL;
    text->size = 0;
    text->capacity = 0;
    text->failed = false;
}

void *vrmi_text_take(vrmi_text *text, size_t *out_size)
{
    void *block = text->failed || text->size == 0 ? NULL : vrmi_allocate(&text->allocator, text->size, 1);
    if (block != NULL) {
        memcpy(block, text->data, text->size);
    }
    *out_size = block != NULL ? text->size : 0;
    vrmi_text_free(text);
    return block;
}

static bool grow(vrmi_text *text, size_t needed)
{
    size_t capacity = text->capacity < SIZE_MAX / 2 ? text->capacity * 2 : SIZE_MAX;
    capacity = capacity > needed ? capacity : needed;
    capacity = capacity > 64 ? capacity : 64;
    char *data = vrmi_allocate(&text->allocator, capacity, 1);
    if (data == NULL) {
        return false;
    }
    if (text->size != 0) {
        memcpy(data, text->data, text->size);
    }
    vrmi_release(&text->allocator, text->data, text->capacity);
    text->data = data;
    text->capacity = capacity;
    return true;
}

void vrmi_text_add(vrmi_text *text, const char *bytes, size_t size)
{
    if (text->failed) {
        return;
    }
    const size_t room = text->capacity - text->size;
    if (size >= room) { // one byte is reserved for the terminator
        size_t needed;
        if (is_fixed(text)) {
            text->failed = true;
            size = room == 0 ? 0 : room - 1;
        } else if (!vrmi_add_size(text->size, size, &needed) || !vrmi_add_size(needed, 1, &needed) ||
                   !grow(text, needed)) {
            text->failed = true;
            return;
        }
    }
    if (size != 0) {
        memcpy(text->data + text->size, bytes, size);
        text->size += size;
    }
    if (text->capacity != 0) {
        text->data[text->size] = '\0';
    }
}

void vrmi_text_add_string(vrmi_text *text, const char *string)
{
    vrmi_text_add(text, string, strlen(string));
}

void vrmi_text_add_uint(vrmi_text *text, uint64_t value)
{
    char digits[20];
    size_t first = sizeof(digits);
    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    vrmi_text_add(text, digits + first, sizeof(digits) - first);
}

void vrmi_text_add_int(vrmi_text *text, int64_t value)
{
    if (value < 0) {
        vrmi_text_add(text, "-", 1);
    }
    // Negated as unsigned: the lowest int64_t has no positive counterpart.
    vrmi_text_add_uint(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

bool vrmi_string_equal(vrm_string a, const char *b)
{
    const size_t length = strlen(b);
    return a.length == length && (length == 0 || memcmp(a.data, b, length) == 0);
}

vrm_string vrmi_string(const char *terminated)
{
    const size_t length = strlen(terminated);
    const vrm_string string = {terminated, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX};
    return string;
}
