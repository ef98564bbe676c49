// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_TEXT_H
#define VRMI_BASE_TEXT_H

// Text without the C locale: a growing buffer, numbers in their shortest form, exact reading of numbers.

#include <stdarg.h>

#include "base/allocator.h"

// Lets the compiler check arguments against the format.
#if defined(__GNUC__)
// MinGW-w64 takes "printf" for the format of the old Windows library, which lacks %zu.
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
    char *data;  // zero-terminated as soon as anything was added
    size_t size; // without the zero
    size_t capacity;
    bool failed; // memory ran out; everything added later is ignored
} vrmi_text;

void vrmi_text_init(vrmi_text *text, const vrm_allocator *allocator);
void vrmi_text_free(vrmi_text *text);
// Returns the text as a block of exactly its size, to be freed with its allocator, and leaves an empty text. Returns
// NULL when an addition failed or there is no memory for the block; the text is then freed.
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

// printf-like into a fixed buffer, always terminated, never cut within a UTF-8 character. Takes the formats of
// vrmi_text_format. Returns buffer.
VRMI_FORMAT(3, 4)
char *vrmi_format(char *buffer, size_t size, const char *format, ...);
// The same with a va_list; false when the text was cut.
bool vrmi_format_list(char *buffer, size_t size, const char *format, va_list *arguments);

bool vrmi_string_equal(vrm_string a, const char *b);
vrm_string vrmi_string(const char *terminated);

#endif
