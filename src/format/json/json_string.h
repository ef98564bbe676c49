// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_STRING_H
#define VRMI_FORMAT_JSON_STRING_H

// Iterates over the decoded bytes of a string.

#include "format/json/json.h"

typedef struct vrmi_json_cursor {
    const char *at, *end;
    char pending[4]; // remaining bytes of a character from an escape
    uint8_t pending_count, pending_at;
    bool plain; // the string contains no escapes
} vrmi_json_cursor;

// Starts at the beginning of `string`, which is a string or a key.
void vrmi_json_cursor_init(vrmi_json_cursor *cursor, const vrmi_json *json, uint32_t string);
// Returns the next byte of the decoded UTF-8; -1 at the end.
int vrmi_json_cursor_next(vrmi_json_cursor *cursor);
// Compares the decoded bytes of two strings like strcmp(). The order is total but not alphabetical.
int vrmi_json_compare(const vrmi_json *json, uint32_t a, uint32_t b);

#endif
