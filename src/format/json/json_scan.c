// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/json/json_parser.h"

#include <string.h>

#include "base/checks.h"
#include "base/report.h"
#include "base/text.h"
#include "base/utf8.h"

enum { TICK = 1 << 18 }; // number of bytes between two calls of progress

// --- findings ------------------------------------------------------------------------------------------------------

// Writes a place in the text: "<what> at line 3, column 14".
static void describe_place(vrmi_json_parser *p, uint32_t offset, const char *what, char *out, size_t size)
{
    if (offset < p->place_at) {
        p->place_at = 0;
        p->line = p->column = 1;
    }
    for (; p->place_at < offset; ++p->place_at) {
        const unsigned char byte = (unsigned char)p->text[p->place_at];
        if (byte == '\n') {
            ++p->line;
            p->column = 1;
        } else if ((byte & 0xC0) != 0x80) { // columns count characters, not bytes
            ++p->column;
        }
    }
    vrmi_format(out, size, "%s at line %u, column %u", what, p->line, p->column);
}

void vrmi_json_parser_report(
    vrmi_json_parser *p, vrm_finding_id id, uint32_t offset, const char *found, const char *expected)
{
    if (p->report == NULL) {
        return;
    }
    char place[128];
    describe_place(p, offset, found, place, sizeof(place));
    vrmi_report_offset(p->report, id, (int64_t)(p->limits.text_offset + offset), place, expected);
}

bool vrmi_json_parser_fail(vrmi_json_parser *p, vrm_result result)
{
    p->result = result;
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool vrmi_json_parser_fail_syntax(vrmi_json_parser *p, uint32_t offset, const char *expected)
{
    char found[32];
    if (offset >= p->size) {
        vrmi_format(found, sizeof(found), "end of text");
    } else {
        const unsigned char byte = (unsigned char)p->text[offset];
        int length = 0; // length of a word such as NaN; 0 if there is no word
        while (length < 16 && offset + (uint32_t)length < p->size && is_letter(p->text[offset + (uint32_t)length])) {
            ++length;
        }
        if (byte > 0x20 && byte < 0x7F) {
            vrmi_format(found, sizeof(found), "'%.*s'", length != 0 ? length : 1, p->text + offset);
        } else {
            vrmi_format(found, sizeof(found), "byte 0x%x", byte);
        }
    }
    vrmi_json_parser_report(p, VRM_FINDING_INVALID_JSON, offset, found, expected);
    return vrmi_json_parser_fail(p, VRM_ERROR_INVALID_ASSET);
}

bool vrmi_json_parser_fail_limit(vrmi_json_parser *p, const char *found, uint64_t limit)
{
    char expected[48];
    vrmi_format(expected, sizeof(expected), "at most %llu", (unsigned long long)limit);
    vrmi_json_parser_report(p, VRM_FINDING_LIMIT_EXCEEDED, p->at, found, expected);
    return vrmi_json_parser_fail(p, VRM_ERROR_LIMIT);
}

bool vrmi_json_parser_tick(vrmi_json_parser *p)
{
    if (p->at < p->next_tick) {
        return true;
    }
    p->next_tick = p->at > UINT32_MAX - TICK ? UINT32_MAX : p->at + TICK;
    const float fraction = p->size != 0 ? (float)((double)p->at / (double)p->size) : 0.0f;
    if (p->limits.progress != NULL && !p->limits.progress(fraction, p->limits.progress_user)) {
        return vrmi_json_parser_fail(p, VRM_ERROR_CANCELLED);
    }
    return true;
}

// --- scalars -------------------------------------------------------------------------------------------------------

// Reads 4 hexadecimal digits. Returns UINT32_MAX if there are fewer.
static uint32_t read_hex(const vrmi_json_parser *p, uint32_t at)
{
    uint32_t value = 0;
    if (p->size - at < 4) {
        return UINT32_MAX;
    }
    for (uint32_t i = 0; i < 4; ++i) {
        const char c = p->text[at + i];
        const char lower = (char)(c | 0x20);
        if (c >= '0' && c <= '9') {
            value = value << 4 | (uint32_t)(c - '0');
        } else if (lower >= 'a' && lower <= 'f') {
            value = value << 4 | (uint32_t)(lower - 'a' + 10);
        } else {
            return UINT32_MAX;
        }
    }
    return value;
}

// Checks an escape and moves past it. The parser is at the backslash.
static bool scan_escape(vrmi_json_parser *p)
{
    const uint32_t start = p->at;
    const char c = start + 1 < p->size ? p->text[start + 1] : '\0';
    if (c != 'u') {
        if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
            return vrmi_json_parser_fail_syntax(p, start + 1, "one of \"\\/bfnrtu after a backslash");
        }
        p->at += 2;
        return true;
    }
    const uint32_t code = read_hex(p, start + 2);
    if (code == UINT32_MAX) {
        return vrmi_json_parser_fail_syntax(p, start + 1, "u with 4 hexadecimal digits");
    }
    p->at += 6;
    if (code < 0xD800 || code > 0xDFFF) {
        return true;
    }
    if (code < 0xDC00 && p->size - p->at >= 6 && p->text[p->at] == '\\' && p->text[p->at + 1] == 'u') {
        const uint32_t second = read_hex(p, p->at + 2);
        if (second != UINT32_MAX && second >= 0xDC00 && second <= 0xDFFF) {
            p->at += 6;
            return true;
        }
    }
    char found[16];
    vrmi_json_parser_report(p, VRM_FINDING_JSON_LONE_SURROGATE, start, vrmi_format(found, sizeof(found), "\\u%x", code),
        "a pair of surrogates");
    return true;
}

// Returns the position of the first byte that is not plain text: a quote, a backslash, a control character or not
// ASCII.
static uint32_t skip_plain(const char *text, uint32_t at, uint32_t end)
{
    const uint64_t ones = 0x0101010101010101ull, highs = 0x8080808080808080ull;
    while (end - at >= 8) {
        uint64_t bytes;
        memcpy(&bytes, text + at, 8);
        const uint64_t quote = bytes ^ ones * '"', backslash = bytes ^ ones * '\\';
        // The subtraction's borrow can wrongly mark a byte, but only above a correctly marked byte. So the lowest mark
        // is always right.
        const uint64_t found = (bytes - ones * 0x20) | (quote - ones) | (backslash - ones) | bytes;
        if ((found & highs) != 0) {
            break;
        }
        at += 8;
    }
    while (at < end) {
        const unsigned char byte = (unsigned char)text[at];
        if (byte == '"' || byte == '\\' || byte < 0x20 || byte >= 0x80) {
            break;
        }
        ++at;
    }
    return at;
}

// Reads a string. The parser is at the opening quote.
bool vrmi_json_scan_string(vrmi_json_parser *p, vrmi_json_token *token)
{
    token->start = ++p->at;
    for (;;) {
        const uint32_t end = p->size < p->next_tick ? p->size : p->next_tick;
        p->at = p->at < end ? skip_plain(p->text, p->at, end) : p->at;
        if (!vrmi_json_parser_tick(p)) {
            return false;
        }
        if (p->at >= p->size) {
            return vrmi_json_parser_fail_syntax(p, p->size, "the quote at the end of a string");
        }
        const unsigned char byte = (unsigned char)p->text[p->at];
        if (byte == '"') {
            token->end = p->at++;
            return true;
        }
        if (byte == '\\') {
            token->escaped = 1;
            if (!scan_escape(p)) {
                return false;
            }
        } else if (byte < 0x20) {
            return vrmi_json_parser_fail_syntax(p, p->at, "control characters in strings written as escapes");
        } else {
            bool valid;
            const size_t length = vrmi_utf8_next(p->text + p->at, p->size - p->at, &valid);
            if (!valid) {
                token->escaped = 1;
                char found[16];
                vrmi_json_parser_report(p, VRM_FINDING_JSON_INVALID_UTF8, p->at,
                    vrmi_format(found, sizeof(found), "byte 0x%x", byte), "UTF-8");
            }
            p->at += (uint32_t)length;
        }
    }
}

static uint32_t skip_digits(const vrmi_json_parser *p, uint32_t at)
{
    while (at < p->size && p->text[at] >= '0' && p->text[at] <= '9') {
        ++at;
    }
    return at;
}

// Reads a number. The parser is at a minus or a digit.
bool vrmi_json_scan_number(vrmi_json_parser *p, vrmi_json_token *token)
{
    uint32_t at = p->at + (p->text[p->at] == '-');
    uint32_t end = skip_digits(p, at);
    if (end == at) {
        return vrmi_json_parser_fail_syntax(p, end, "a digit");
    }
    if (p->text[at] == '0' && end > at + 1) {
        return vrmi_json_parser_fail_syntax(p, at + 1, "no digit after a leading 0");
    }
    if (end < p->size && p->text[end] == '.') {
        at = end + 1;
        end = skip_digits(p, at);
        if (end == at) {
            return vrmi_json_parser_fail_syntax(p, end, "a digit after the point");
        }
    }
    if (end < p->size && (p->text[end] | 0x20) == 'e') {
        at = end + 1;
        at += at < p->size && (p->text[at] == '-' || p->text[at] == '+');
        end = skip_digits(p, at);
        if (end == at) {
            return vrmi_json_parser_fail_syntax(p, end, "a digit of the exponent");
        }
    }
    token->end = p->at = end;
    return true;
}

bool vrmi_json_scan_word(vrmi_json_parser *p, vrmi_json_token *token)
{
    static const struct {
        const char *word;
        uint32_t length;
        vrmi_json_kind kind;
    } words[] = {{"null", 4, VRMI_JSON_NULL}, {"true", 4, VRMI_JSON_TRUE}, {"false", 5, VRMI_JSON_FALSE}};
    for (size_t i = 0; i < VRMI_COUNT_OF(words); ++i) {
        if (p->size - p->at >= words[i].length && memcmp(p->text + p->at, words[i].word, words[i].length) == 0) {
            token->kind = (uint8_t)words[i].kind;
            token->end = p->at += words[i].length;
            return true;
        }
    }
    return vrmi_json_parser_fail_syntax(p, p->at, "a value");
}
