// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"
#include "base/text.h"

#include <string.h>

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

// Adds the conversion that starts after '%' and returns the format text after it. Returns NULL for an unknown
// conversion, because its argument's type is unknown and later arguments cannot be found.
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
    vrmi_text_add(text, "", 0); // terminates the text even if the format is empty
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

// Removes an incomplete character at the end of a buffer.
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
