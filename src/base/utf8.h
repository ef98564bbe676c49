// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_UTF8_H
#define VRMI_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define VRMI_REPLACEMENT_CHARACTER 0xFFFDu

// Length of the well-formed UTF-8 character at the front (Unicode table 3-7: no overlong forms, no surrogates, nothing
// above U+10FFFF); 0 when there is none.
size_t vrmi_utf8_length(const char *bytes, size_t size);
// Writes a code point as 1 to 4 bytes and returns how many.
size_t vrmi_utf8_encode(uint32_t code_point, char out[4]);

#endif
