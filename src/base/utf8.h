// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_UTF8_H
#define VRMI_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VRMI_REPLACEMENT_CHARACTER 0xFFFDu

// Length of the character at the front of at least one byte. *out_valid: well-formed (Unicode table 3-7: no overlong
// forms, no surrogates, nothing above U+10FFFF). Otherwise the length, at least 1, of the bytes that one U+FFFD
// replaces ("maximal subpart", as web browsers do it).
size_t vrmi_utf8_next(const char *bytes, size_t size, bool *out_valid);
// Writes a code point as 1 to 4 bytes and returns how many.
size_t vrmi_utf8_encode(uint32_t code_point, char out[4]);

#endif
