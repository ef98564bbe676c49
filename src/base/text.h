// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_TEXT_H
#define VRMI_BASE_TEXT_H

// Text without the C locale: a growing buffer, numbers in their shortest form, exact reading of numbers.

#include <stdarg.h>

#include "base/allocator.h"

// Lets the compiler check arguments against the format.
#if defined(__GNUC__)
// MinGW-w64 takes "printf" for the format of the old library of Windows, which knows no %zu.
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
    char *data;  // zero-terminated once anything was added
    size_t size; // without the zero
    size_t capacity;
    bool failed; // out of memory once: everything later is swallowed
} vrmi_text;

void vrmi_text_init(vrmi_text *text, const vrm_allocator *allocator);
void vrmi_text_free(vrmi_text *text);
// Hands the text over as a block of exactly its size, to be released with its allocator, and starts empty. NULL when it
// failed before or there is no memory for the block; the text is then freed.
void *vrmi_text_take(vrmi_text *text, size_t *out_size);
void vrmi_text_add(vrmi_text *text, const char *bytes, size_t size);
void vrmi_text_add_string(vrmi_text *text, const char *string);
// %s %.*s %d %u %llu %lld %zu %x %c %% and %g (shortest double), nothing else; no locale.
VRMI_FORMAT(2, 3)
void vrmi_text_format(vrmi_text *text, const char *format, ...);
void vrmi_text_add_uint(vrmi_text *text, uint64_t value);
void vrmi_text_add_int(vrmi_text *text, int64_t value);
// Shortest decimal that reads back as the same float or double ("0.1", "1e-7", "3"); JSON-compatible. Not finite: "null".
void vrmi_text_add_float(vrmi_text *text, float value);
void vrmi_text_add_double(vrmi_text *text, double value);
// Rounded to `digits` significant digits.
void vrmi_text_add_digits(vrmi_text *text, double value, int digits);
// With quotes and JSON escapes; ill-formed UTF-8 becomes U+FFFD.
void vrmi_text_add_json_string(vrmi_text *text, const char *bytes, size_t size);

// Reads the longest JSON number at the front, exactly rounded (infinity above the largest). Returns the characters
// consumed, 0 when there is none.
size_t vrmi_parse_double(const char *text, size_t length, double *out);

// printf-like into a fixed buffer, always terminated, never cut within a UTF-8 character; the formats of
// vrmi_text_format. Returns buffer.
VRMI_FORMAT(3, 4)
char *vrmi_format(char *buffer, size_t size, const char *format, ...);
// The same for what is handed on; false when it was cut.
bool vrmi_format_list(char *buffer, size_t size, const char *format, va_list *arguments);

bool vrmi_string_equal(vrm_string a, const char *b);
vrm_string vrmi_string(const char *terminated);

#endif
