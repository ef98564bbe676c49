// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_STRING_H
#define VRMI_FORMAT_JSON_STRING_H

// The decoded characters of a string, byte by byte.

#include "format/json/json.h"

typedef struct vrmi_json_cursor {
    const char *at, *end;
    char pending[4]; // rest of a character that an escape encodes
    uint8_t pending_count, pending_at;
    bool plain; // contains no escapes
} vrmi_json_cursor;

// `string` is a string or a key.
void vrmi_json_cursor_init(vrmi_json_cursor *cursor, const vrmi_json *json, uint32_t string);
// The next byte of the UTF-8 text; -1 at the end.
int vrmi_json_cursor_next(vrmi_json_cursor *cursor);
// Like strcmp, over the decoded bytes of two strings; a total order, but not alphabetical.
int vrmi_json_compare(const vrmi_json *json, uint32_t a, uint32_t b);

#endif
