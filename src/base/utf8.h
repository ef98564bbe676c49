// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_UTF8_H
#define VRMI_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VRMI_REPLACEMENT_CHARACTER 0xFFFDu

// Returns the length of the first character. `size` must be at least 1. `*out_valid` is set if the character is
// well-formed (Unicode table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). If it is not, returns the
// number of bytes, at least 1, that one U+FFFD replaces ("maximal subpart", as in web browsers).
size_t vrmi_utf8_next(const char *bytes, size_t size, bool *out_valid);
// Writes a code point as 1 to 4 bytes of UTF-8 and returns their number.
size_t vrmi_utf8_encode(uint32_t code_point, char out[4]);

#endif
