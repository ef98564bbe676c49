// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_TEXT_H
#define VRMI_BASE_TEXT_H

// Text functions that do not depend on the C locale: a growing buffer, shortest printing and exact reading of numbers.

#include <stdarg.h>

#include "base/allocator.h"

// Lets the compiler check the arguments against the format string.
#if defined(__GNUC__)
// MinGW-w64 checks "printf" against the format of the old Windows library, which lacks %zu.
#if defined(__MINGW32__) && !defined(__clang__)
#define VRMI_FORMAT(string_index, first_index) __attribute__((format(gnu_printf, string_index, first_index)))
#else
#define VRMI_FORMAT(string_index, first_index) __attribute__((format(printf, string_index, first_index)))
#endif
#else
#define VRMI_FORMAT(string_index, first_index)
#endif

typedef struct vrmi_text {
    vrm_allocator allocator;
    char *data;  // zero-terminated after the first addition
    size_t size; // without the terminating zero
    size_t capacity;
    bool failed; // memory ran out, or the fixed buffer is full; further additions are ignored
} vrmi_text;

void vrmi_text_init(vrmi_text *text, const vrm_allocator *allocator);
void vrmi_text_free(vrmi_text *text);
// Returns the text as a block of exactly its size, which the caller frees with the text's allocator. `text` is empty
// afterwards. Returns NULL if an earlier addition failed or there is no memory for the block.
void *vrmi_text_take(vrmi_text *text, size_t *out_size);
void vrmi_text_add(vrmi_text *text, const char *bytes, size_t size);
void vrmi_text_add_string(vrmi_text *text, const char *string);
// Adds formatted text, independent of the locale. Only %s %.*s %d %u %llu %lld %zu %x %c %% and %g are supported; %g
// prints the shortest double.
VRMI_FORMAT(2, 3)
void vrmi_text_format(vrmi_text *text, const char *format, ...);
void vrmi_text_add_uint(vrmi_text *text, uint64_t value);
void vrmi_text_add_int(vrmi_text *text, int64_t value);
// Adds the shortest decimal that reads back as the same number ("0.1", "1e-7", "3"), as JSON. Infinity and NaN become
// "null".
void vrmi_text_add_float(vrmi_text *text, float value);
void vrmi_text_add_double(vrmi_text *text, double value);
// Adds the number rounded to `digits` significant digits.
void vrmi_text_add_digits(vrmi_text *text, double value, int digits);
// Adds a string with quotes and JSON escapes. Ill-formed UTF-8 becomes U+FFFD.
void vrmi_text_add_json_string(vrmi_text *text, const char *bytes, size_t size);

// Reads the longest JSON number at the start of the text, correctly rounded; numbers that are too large become
// infinity. Returns the number of characters read; 0 if there is no number.
size_t vrmi_parse_double(const char *text, size_t length, double *out);

// Formats into a fixed buffer and returns it. The result is always terminated and never cut within a UTF-8 character.
// The conversions are those of vrmi_text_format().
VRMI_FORMAT(3, 4)
char *vrmi_format(char *buffer, size_t size, const char *format, ...);
// As vrmi_format(), with a va_list. Returns false if the text was cut.
bool vrmi_format_list(char *buffer, size_t size, const char *format, va_list *arguments);

bool vrmi_string_equal(vrm_string a, const char *b);
vrm_string vrmi_string(const char *terminated);

#endif
