// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/uri.h"

#include <string.h>

enum { MAX_URI_LENGTH = 4096, PROGRESS_STEP = 1 << 20 };

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Returns the byte of a percent escape, or -1.
static int percent_escape(const char *text, size_t left)
{
    if (left < 3 || text[0] != '%') {
        return -1;
    }
    const int high = hex_digit(text[1]), low = hex_digit(text[2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static bool is_utf8(const char *text, size_t size)
{
    const uint8_t *s = (const uint8_t *)text;
    for (size_t i = 0; i < size;) {
        const uint8_t lead = s[i++];
        if (lead < 0x80) {
            continue;
        }
        const size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if (lead < 0xC2 || lead > 0xF4 || size - i < more) {
            return false;
        }
        // The second byte alone excludes overlong forms, surrogates and values above U+10FFFF.
        const uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        const uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (s[i] < low || s[i] > high) {
            return false;
        }
        for (size_t k = 1; k < more; ++k) {
            if ((s[i + k] & 0xC0) != 0x80) {
                return false;
            }
        }
        i += more;
    }
    return true;
}

static bool has_parent_part(const char *path)
{
    for (const char *part = path; part != NULL;) {
        const char *slash = strchr(part, '/');
        const size_t length = slash != NULL ? (size_t)(slash - part) : strlen(part);
        // Windows removes trailing dots and spaces from names, so ".. " and "..." could also lead out of the folder.
        size_t dots = 0;
        while (dots < length && (part[dots] == '.' || part[dots] == ' ')) {
            ++dots;
        }
        if (dots == length && length >= 2) {
            return true;
        }
        part = slash != NULL ? slash + 1 : NULL;
    }
    return false;
}

vrmi_uri_kind vrmi_uri_decode(const char *uri, size_t length, char *out)
{
    if (length == 0 || length > MAX_URI_LENGTH) {
        return VRMI_URI_MALFORMED;
    }
    size_t size = 0;
    for (size_t i = 0; i < length;) {
        const int escape = percent_escape(uri + i, length - i);
        out[size++] = escape >= 0 ? (char)escape : uri[i];
        i += escape >= 0 ? 3 : 1;
    }
    out[size] = '\0';
    // The checks use the decoded text, because the file system will use it.
    bool colon = false;
    for (size_t i = 0; i < size; ++i) {
        const unsigned char c = (unsigned char)out[i];
        if (c < 0x20 || c == 0x7F || c == '\\') {
            return VRMI_URI_MALFORMED;
        }
        colon = colon || c == ':'; // a colon means a scheme, a drive or an NTFS stream, never a file beside the
                                   // document
    }
    if (colon || out[0] == '/') {
        return VRMI_URI_NOT_RELATIVE;
    }
    if (!is_utf8(out, size)) {
        return VRMI_URI_MALFORMED;
    }
    return has_parent_part(out) ? VRMI_URI_LEAVES_FOLDER : VRMI_URI_FILE;
}

static bool equal_no_case(const char *text, const char *lower, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        const char c = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i];
        if (c != lower[i]) {
            return false;
        }
    }
    return true;
}

bool vrmi_data_uri_parse(const char *uri, size_t length, vrmi_data_uri *out)
{
    memset(out, 0, sizeof(*out));
    if (length < 5 || !equal_no_case(uri, "data:", 5)) {
        return false;
    }
    const char *comma = memchr(uri, ',', length);
    if (comma == NULL) {
        return false;
    }
    const size_t header = (size_t)(comma - uri);
    size_t type_end = 5;
    while (type_end < header && uri[type_end] != ';') {
        ++type_end;
    }
    out->media_type.data = uri + 5;
    out->media_type.length = (uint32_t)(type_end - 5);
    out->base64 = header >= 12 && equal_no_case(uri + header - 7, ";base64", 7);
    out->data = comma + 1;
    out->length = length - header - 1;
    return true;
}

size_t vrmi_data_uri_max_size(const vrmi_data_uri *uri)
{
    return uri->base64 ? uri->length / 4 * 3 + 3 : uri->length;
}

static bool decode_percent(const vrmi_data_uri *uri, uint8_t *out, size_t *out_size)
{
    size_t size = 0;
    for (size_t i = 0; i < uri->length;) {
        const int escape = percent_escape(uri->data + i, uri->length - i);
        if (escape < 0 && uri->data[i] == '%') {
            return false;
        }
        out[size++] = escape >= 0 ? (uint8_t)escape : (uint8_t)uri->data[i];
        i += escape >= 0 ? 3 : 1;
    }
    *out_size = size;
    return true;
}

static void make_decode_table(uint8_t table[256])
{
    memset(table, 0xFF, 256);
    for (unsigned i = 0; i < 26; ++i) {
        table['A' + i] = (uint8_t)i;
        table['a' + i] = (uint8_t)(26 + i);
    }
    for (unsigned i = 0; i < 10; ++i) {
        table['0' + i] = (uint8_t)(52 + i);
    }
    table['+'] = 62;
    table['/'] = 63;
}

bool vrmi_data_uri_decode(
    const vrmi_data_uri *uri, uint8_t *out, size_t *out_size, bool (*progress)(uint64_t work, void *user), void *user)
{
    if (!uri->base64) {
        return decode_percent(uri, out, out_size);
    }
    uint8_t table[256];
    make_decode_table(table);
    const uint8_t *text = (const uint8_t *)uri->data;
    size_t length = uri->length;
    for (int i = 0; i < 2 && length > 0 && text[length - 1] == '='; ++i) {
        --length;
    }
    if (length % 4 == 1) {
        return false;
    }
    size_t size = 0, i = 0;
    for (; i + 4 <= length; i += 4) {
        const uint32_t a = table[text[i]], b = table[text[i + 1]], c = table[text[i + 2]], d = table[text[i + 3]];
        if (((a | b | c | d) & 0x80) != 0) {
            return false;
        }
        const uint32_t word = a << 18 | b << 12 | c << 6 | d;
        out[size++] = (uint8_t)(word >> 16);
        out[size++] = (uint8_t)(word >> 8);
        out[size++] = (uint8_t)word;
        if (i % PROGRESS_STEP == PROGRESS_STEP - 4 && progress != NULL && !progress(PROGRESS_STEP, user)) {
            return false;
        }
    }
    if (i < length) {
        const uint32_t a = table[text[i]], b = table[text[i + 1]], c = length - i == 3 ? table[text[i + 2]] : 0u;
        if (((a | b | c) & 0x80) != 0) {
            return false;
        }
        const uint32_t word = a << 18 | b << 12 | c << 6;
        out[size++] = (uint8_t)(word >> 16);
        if (length - i == 3) {
            out[size++] = (uint8_t)(word >> 8);
        }
    }
    *out_size = size;
    return true;
}

size_t vrmi_base64_size(size_t bytes)
{
    return (bytes + 2) / 3 * 4;
}

void vrmi_base64_encode(const uint8_t *bytes, size_t size, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t word =
            (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0u);
        *out++ = digits[word >> 18];
        *out++ = digits[word >> 12 & 63];
        *out++ = left > 1 ? digits[word >> 6 & 63] : '=';
        *out++ = left > 2 ? digits[word & 63] : '=';
    }
}
