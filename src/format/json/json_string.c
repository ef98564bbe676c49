// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/json/json_string.h"

#include <string.h>

#include "base/utf8.h"

void vrmi_json_cursor_init(vrmi_json_cursor *cursor, const vrmi_json *json, uint32_t string)
{
    const vrmi_json_token *token = &json->tokens[string];
    memset(cursor, 0, sizeof(*cursor));
    cursor->at = json->text + token->start;
    cursor->end = json->text + token->end;
    cursor->plain = !token->escaped;
}

// Returns the value of 4 hexadecimal digits, which the parser has checked.
static uint32_t hex_value(const char *digits)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        const uint32_t c = (unsigned char)digits[i];
        value = value << 4 | (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

// Returns the code point of an escape and moves the cursor past it.
static uint32_t decode_escape(vrmi_json_cursor *cursor)
{
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    const char c = cursor->at[1];
    cursor->at += 2;
    if (c != 'u') {
        const char *letter = strchr(letters, c);
        return (unsigned char)(letter != NULL ? values[letter - letters] : c);
    }
    const uint32_t code = hex_value(cursor->at);
    cursor->at += 4;
    if (code < 0xD800 || code > 0xDFFF) {
        return code;
    }
    if (code < 0xDC00 && cursor->end - cursor->at >= 6 && cursor->at[0] == '\\' && cursor->at[1] == 'u') {
        const uint32_t second = hex_value(cursor->at + 2);
        if (second >= 0xDC00 && second <= 0xDFFF) {
            cursor->at += 6;
            return 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
        }
    }
    return VRMI_REPLACEMENT_CHARACTER;
}

int vrmi_json_cursor_next(vrmi_json_cursor *cursor)
{
    if (cursor->pending_at < cursor->pending_count) {
        return (unsigned char)cursor->pending[cursor->pending_at++];
    }
    if (cursor->at == cursor->end) {
        return -1;
    }
    const unsigned char byte = (unsigned char)*cursor->at;
    if (cursor->plain || (byte < 0x80 && byte != '\\')) {
        ++cursor->at;
        return byte;
    }
    if (byte == '\\') {
        cursor->pending_count = (uint8_t)vrmi_utf8_encode(decode_escape(cursor), cursor->pending);
    } else {
        bool valid;
        const size_t length = vrmi_utf8_next(cursor->at, (size_t)(cursor->end - cursor->at), &valid);
        cursor->pending_count = (uint8_t)length;
        if (valid) {
            memcpy(cursor->pending, cursor->at, length);
        } else {
            cursor->pending_count = (uint8_t)vrmi_utf8_encode(VRMI_REPLACEMENT_CHARACTER, cursor->pending);
        }
        cursor->at += length;
    }
    cursor->pending_at = 1;
    return (unsigned char)cursor->pending[0];
}

int vrmi_json_compare(const vrmi_json *json, uint32_t a, uint32_t b)
{
    const vrmi_json_token *ta = &json->tokens[a], *tb = &json->tokens[b];
    if (!ta->escaped && !tb->escaped) {
        const uint32_t la = ta->end - ta->start, lb = tb->end - tb->start;
        // Compares bytes before lengths, although lengths would be cheaper: plain strings must have the same order as
        // escaped ones.
        const int order = memcmp(json->text + ta->start, json->text + tb->start, la < lb ? la : lb);
        return order != 0 ? order : (la > lb) - (la < lb);
    }
    vrmi_json_cursor ca, cb;
    vrmi_json_cursor_init(&ca, json, a);
    vrmi_json_cursor_init(&cb, json, b);
    for (;;) {
        const int x = vrmi_json_cursor_next(&ca), y = vrmi_json_cursor_next(&cb);
        if (x != y || x < 0) {
            return (x > y) - (x < y);
        }
    }
}
