// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/utf8.h"

#include "base/text.h"

size_t vrmi_utf8_next(const char *bytes, size_t size, bool *out_valid)
{
    const unsigned char *b = (const unsigned char *)bytes;
    *out_valid = b[0] < 0x80;
    if (b[0] < 0xC2 || b[0] > 0xF4) {
        return 1;
    }
    const size_t length = b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : 4;
    // The second byte alone excludes overlong forms, surrogates and code points above U+10FFFF.
    unsigned char low = b[0] == 0xE0 ? 0xA0 : b[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = b[0] == 0xED ? 0x9F : b[0] == 0xF4 ? 0x8F : 0xBF;
    for (size_t i = 1; i < length; ++i) {
        if (i >= size || b[i] < low || b[i] > high) {
            return i;
        }
        low = 0x80;
        high = 0xBF;
    }
    *out_valid = true;
    return length;
}

size_t vrmi_utf8_encode(uint32_t c, char out[4])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

// Returns the JSON escape for a byte that strings must not contain; "" for other bytes.
static const char *escape_for(unsigned char byte, char buffer[7])
{
    switch (byte) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        if (byte < 0x20) {
            return vrmi_format(buffer, 7, "\\u00%c%c", "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]);
        }
        return "";
    }
}

void vrmi_text_add_json_string(vrmi_text *text, const char *bytes, size_t size)
{
    vrmi_text_add(text, "\"", 1);
    size_t plain = 0; // start of the bytes to be copied unchanged
    for (size_t i = 0; i < size;) {
        char buffer[7];
        bool valid;
        const size_t step = vrmi_utf8_next(bytes + i, size - i, &valid);
        const char *instead = valid ? escape_for((unsigned char)bytes[i], buffer) : "\xEF\xBF\xBD";
        if (instead[0] != '\0') {
            vrmi_text_add(text, bytes + plain, i - plain);
            vrmi_text_add_string(text, instead);
            plain = i + step;
        }
        i += step;
    }
    if (plain < size) {
        vrmi_text_add(text, bytes + plain, size - plain);
    }
    vrmi_text_add(text, "\"", 1);
}
