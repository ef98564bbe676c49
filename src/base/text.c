// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

#include "base/checks.h"

// A text whose allocator is all zero writes into a fixed buffer: what does not fit is cut off.
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
    if (size >= room) { // one byte is for the terminator
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
    // Negated as unsigned, where the most negative number has its positive twin.
    vrmi_text_add_uint(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void add_hex(vrmi_text *text, unsigned value)
{
    char digits[2 * sizeof(value)];
    size_t first = sizeof(digits);
    do {
        digits[--first] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    vrmi_text_add(text, digits + first, sizeof(digits) - first);
}

// Adds the conversion that starts after '%' and returns what follows it; NULL for one that is not known, after which
// the arguments are out of step.
static const char *add_conversion(vrmi_text *text, const char *format, va_list *arguments)
{
    if (strncmp(format, ".*s", 3) == 0) {
        const int length = va_arg(*arguments, int);
        const char *string = va_arg(*arguments, const char *);
        vrmi_text_add(text, string, length > 0 ? (size_t)length : 0);
        return format + 3;
    }
    if (strncmp(format, "llu", 3) == 0) {
        vrmi_text_add_uint(text, va_arg(*arguments, unsigned long long));
        return format + 3;
    }
    if (strncmp(format, "lld", 3) == 0) {
        vrmi_text_add_int(text, va_arg(*arguments, long long));
        return format + 3;
    }
    if (strncmp(format, "zu", 2) == 0) {
        vrmi_text_add_uint(text, va_arg(*arguments, size_t));
        return format + 2;
    }
    char character;
    const char *string;
    switch (*format) {
    case 's':
        string = va_arg(*arguments, const char *);
        vrmi_text_add_string(text, string != NULL ? string : "(null)");
        break;
    case 'd':
        vrmi_text_add_int(text, va_arg(*arguments, int));
        break;
    case 'u':
        vrmi_text_add_uint(text, va_arg(*arguments, unsigned));
        break;
    case 'x':
        add_hex(text, va_arg(*arguments, unsigned));
        break;
    case 'c':
        character = (char)va_arg(*arguments, int);
        vrmi_text_add(text, &character, 1);
        break;
    case 'g':
        vrmi_text_add_double(text, va_arg(*arguments, double));
        break;
    case '%':
        vrmi_text_add(text, "%", 1);
        break;
    default:
        return NULL;
    }
    return format + 1;
}

static void add_formatted(vrmi_text *text, const char *format, va_list *arguments)
{
    vrmi_text_add(text, "", 0); // an empty format too leaves a terminated text
    for (;;) {
        const char *percent = strchr(format, '%');
        if (percent == NULL) {
            vrmi_text_add_string(text, format);
            return;
        }
        vrmi_text_add(text, format, (size_t)(percent - format));
        format = add_conversion(text, percent + 1, arguments);
        if (!VRM_ASSERT(format != NULL)) {
            return;
        }
    }
}

void vrmi_text_format(vrmi_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_formatted(text, format, &arguments);
    va_end(arguments);
}

// Removes a character that the end of a fixed buffer has cut in two.
static void trim_cut_character(char *data, size_t size)
{
    size_t lead = size;
    while (lead > 0 && size - lead < 3 && ((unsigned char)data[lead - 1] & 0xC0) == 0x80) {
        --lead;
    }
    if (lead == 0) {
        return;
    }
    const unsigned char byte = (unsigned char)data[lead - 1];
    const size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    if (size - (lead - 1) < length) {
        data[lead - 1] = '\0';
    }
}

bool vrmi_format_list(char *buffer, size_t size, const char *format, va_list *arguments)
{
    vrmi_text text = {.data = buffer, .capacity = size};
    add_formatted(&text, format, arguments);
    if (text.failed) {
        trim_cut_character(buffer, text.size);
    }
    return !text.failed;
}

char *vrmi_format(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vrmi_format_list(buffer, size, format, &arguments);
    va_end(arguments);
    return buffer;
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
