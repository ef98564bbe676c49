// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/json.h"

#include <string.h>

#include "base/checks.h"
#include "base/report.h"
#include "base/text.h"
#include "base/utf8.h"
#include "format/json_keys.h"

enum {
    DEFAULT_MAX_DEPTH = 128,
    TICK = 1 << 18,    // bytes between two calls of progress
    LISTED_ARRAY = 16, // elements from which an array that holds containers gets a list
    TOKEN_ALIGNMENT = 16
};

// What may come next.
typedef enum parser_state {
    WANT_VALUE,
    WANT_ELEMENT_OR_END, // after [
    WANT_KEY_OR_END,     // after {
    WANT_KEY,            // after , in an object
    WANT_COLON,
    WANT_COMMA_OR_END,
    WANT_NOTHING
} parser_state;

typedef struct parser {
    vrmi_json *json;
    const char *text;
    uint32_t size, at;
    uint32_t container; // innermost open one, or NONE
    uint32_t key;       // whose value comes next, or NONE
    uint32_t depth;
    parser_state state;
    uint32_t next_tick;
    vrmi_json_limits limits;
    vrm_report *report;
    vrm_result result;
    vrmi_json_keys keys;
    // Line and column of the last finding, from which the next is counted on.
    uint32_t place_at, line, column;
} parser;

// --- findings ------------------------------------------------------------------------------------------------------

// "line 3, column 14: <what>".
static void describe_place(parser *p, uint32_t offset, const char *what, char *out, size_t size)
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
        } else if ((byte & 0xC0) != 0x80) { // columns count characters
            ++p->column;
        }
    }
    vrmi_format(out, size, "line %u, column %u: %s", p->line, p->column, what);
}

static void report_at(parser *p, vrm_finding_id id, uint32_t offset, const char *found, const char *expected)
{
    if (p->report == NULL) {
        return;
    }
    char place[128];
    describe_place(p, offset, found, place, sizeof(place));
    vrmi_report_offset(p->report, id, (int64_t)(p->limits.text_offset + offset), place, expected);
}

static bool fail(parser *p, vrm_result result)
{
    p->result = result;
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool fail_syntax(parser *p, uint32_t offset, const char *expected)
{
    char found[32];
    if (offset >= p->size) {
        vrmi_format(found, sizeof(found), "end of text");
    } else {
        const unsigned char byte = (unsigned char)p->text[offset];
        int length = 0; // of a word such as NaN
        while (length < 16 && offset + (uint32_t)length < p->size && is_letter(p->text[offset + (uint32_t)length])) {
            ++length;
        }
        if (byte > 0x20 && byte < 0x7F) {
            vrmi_format(found, sizeof(found), "'%.*s'", length != 0 ? length : 1, p->text + offset);
        } else {
            vrmi_format(found, sizeof(found), "byte 0x%x", byte);
        }
    }
    report_at(p, VRM_FINDING_INVALID_JSON, offset, found, expected);
    return fail(p, VRM_ERROR_INVALID_ASSET);
}

static bool fail_limit(parser *p, const char *found, uint64_t limit)
{
    char expected[48];
    vrmi_format(expected, sizeof(expected), "at most %llu", (unsigned long long)limit);
    report_at(p, VRM_FINDING_LIMIT_EXCEEDED, p->at, found, expected);
    return fail(p, VRM_ERROR_LIMIT);
}

// Tells progress when a quarter of a megabyte has gone by.
static bool tick(parser *p)
{
    if (p->at < p->next_tick) {
        return true;
    }
    p->next_tick = p->at > UINT32_MAX - TICK ? UINT32_MAX : p->at + TICK;
    const float fraction = p->size != 0 ? (float)((double)p->at / (double)p->size) : 0.0f;
    if (p->limits.progress != NULL && !p->limits.progress(fraction, p->limits.progress_user)) {
        return fail(p, VRM_ERROR_CANCELLED);
    }
    return true;
}

// --- tokens --------------------------------------------------------------------------------------------------------

// False when `bytes` more would go beyond the limit.
static bool may_allocate(const parser *p, uint64_t bytes)
{
    const uint64_t held = (uint64_t)p->json->capacity * sizeof(vrmi_json_token) + p->keys.size;
    return p->limits.max_memory == 0 || (held <= p->limits.max_memory && bytes <= p->limits.max_memory - held);
}

static bool grow_tokens(parser *p)
{
    vrmi_json *json = p->json;
    // From the first part of the text to what that makes likely for all of it: fresh memory costs more than parsing.
    uint64_t capacity = p->size / 128u + 64u;
    if (json->capacity != 0) {
        const uint64_t likely = (uint64_t)((double)json->count / (double)p->at * (double)p->size * 1.05);
        const uint64_t least = json->capacity + json->capacity / 4u, most = 16ull * json->capacity;
        capacity = likely < least ? least : likely > most ? most : likely;
    }
    if (!may_allocate(p, capacity * sizeof(vrmi_json_token))) {
        capacity = json->capacity + 16u;
    }
    capacity = capacity < UINT32_MAX ? capacity : UINT32_MAX - 1;
    if (!may_allocate(p, capacity * sizeof(vrmi_json_token))) {
        return fail_limit(p, "more bytes of memory", p->limits.max_memory);
    }
    if (capacity <= json->capacity || capacity > SIZE_MAX / sizeof(vrmi_json_token)) {
        return fail(p, VRM_ERROR_OUT_OF_MEMORY);
    }
    const size_t bytes = (size_t)capacity * sizeof(vrmi_json_token);
    vrmi_json_token *tokens = vrmi_allocate(&json->allocator, bytes, TOKEN_ALIGNMENT);
    if (tokens == NULL) {
        return fail(p, VRM_ERROR_OUT_OF_MEMORY);
    }
    if (json->count != 0) {
        memcpy(tokens, json->tokens, json->count * sizeof(vrmi_json_token));
    }
    vrmi_release(&json->allocator, json->tokens, json->capacity * sizeof(vrmi_json_token));
    json->tokens = tokens;
    json->capacity = (uint32_t)capacity;
    return true;
}

// A value's or key's token in the open container; the end is filled in by the caller. NULL: failed.
static vrmi_json_token *add_token(parser *p, vrmi_json_kind kind, uint32_t start)
{
    vrmi_json *json = p->json;
    if (json->count == json->capacity && !grow_tokens(p)) {
        return NULL;
    }
    const uint32_t index = json->count++;
    vrmi_json_token *token = &json->tokens[index];
    const vrmi_json_token fresh = {.start = start,
        .next = index + 1,
        .parent = p->key != VRMI_JSON_NONE ? p->key : p->container,
        .kind = (uint8_t)kind};
    *token = fresh;
    if (p->container != VRMI_JSON_NONE && p->key == VRMI_JSON_NONE) {
        ++json->tokens[p->container].count; // an element or a key
    }
    return token;
}

// After a whole value.
static void finish_value(parser *p)
{
    if (p->key != VRMI_JSON_NONE) {
        p->json->tokens[p->key].next = p->json->count;
        p->key = VRMI_JSON_NONE;
    }
    p->state = p->container == VRMI_JSON_NONE ? WANT_NOTHING : WANT_COMMA_OR_END;
}

static bool open_container(parser *p, vrmi_json_kind kind)
{
    if (p->depth == p->limits.max_depth) {
        return fail_limit(p, "deeper nesting", p->limits.max_depth);
    }
    vrmi_json_token *token = add_token(p, kind, p->at);
    if (token == NULL) {
        return false;
    }
    token->next = 0; // open: see index_in_array()
    ++p->depth;
    ++p->at;
    p->container = p->json->count - 1;
    p->key = VRMI_JSON_NONE;
    p->state = kind == VRMI_JSON_ARRAY ? WANT_ELEMENT_OR_END : WANT_KEY_OR_END;
    return true;
}

static bool close_container(parser *p)
{
    vrmi_json *json = p->json;
    const uint32_t index = p->container;
    const vrmi_json_keys_result checked = json->tokens[index].kind == VRMI_JSON_OBJECT && json->tokens[index].count > 1
                                              ? vrmi_json_keys_check(&p->keys, json, index, p->report)
                                              : VRMI_JSON_KEYS_DONE;
    if (checked == VRMI_JSON_KEYS_LIMIT) {
        return fail_limit(p, "more bytes of memory", p->limits.max_memory);
    }
    if (checked != VRMI_JSON_KEYS_DONE) {
        return fail(p, checked == VRMI_JSON_KEYS_CANCELLED ? VRM_ERROR_CANCELLED : VRM_ERROR_OUT_OF_MEMORY);
    }
    vrmi_json_token *token = &json->tokens[index];
    token->end = ++p->at;
    token->next = json->count;
    --p->depth;
    p->key = VRMI_JSON_NONE;
    p->container = token->parent;
    if (p->container != VRMI_JSON_NONE && json->tokens[p->container].is_key) {
        p->key = p->container;
        p->container = json->tokens[p->key].parent;
    }
    finish_value(p);
    return true;
}

// --- scalars -------------------------------------------------------------------------------------------------------

// 4 hexadecimal digits; UINT32_MAX when there are fewer.
static uint32_t read_hex(const parser *p, uint32_t at)
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

// At a backslash.
static bool scan_escape(parser *p)
{
    const uint32_t start = p->at;
    const char c = start + 1 < p->size ? p->text[start + 1] : '\0';
    if (c != 'u') {
        if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
            return fail_syntax(p, start + 1, "one of \"\\/bfnrtu after a backslash");
        }
        p->at += 2;
        return true;
    }
    const uint32_t code = read_hex(p, start + 2);
    if (code == UINT32_MAX) {
        return fail_syntax(p, start + 1, "u with 4 hexadecimal digits");
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
    report_at(p, VRM_FINDING_JSON_LONE_SURROGATE, start, vrmi_format(found, sizeof(found), "\\u%x", code),
        "a pair of surrogates");
    return true;
}

// The first byte from `at` on that is not plain: a quote, a backslash, a control character or not ASCII.
static uint32_t skip_plain(const char *text, uint32_t at, uint32_t end)
{
    const uint64_t ones = 0x0101010101010101ull, highs = 0x8080808080808080ull;
    while (end - at >= 8) {
        uint64_t bytes;
        memcpy(&bytes, text + at, 8);
        const uint64_t quote = bytes ^ ones * '"', backslash = bytes ^ ones * '\\';
        // A borrow can mark a byte above the first that is found, never one below or none at all.
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

// At the opening quote.
static bool scan_string(parser *p, vrmi_json_token *token)
{
    token->start = ++p->at;
    for (;;) {
        const uint32_t end = p->size < p->next_tick ? p->size : p->next_tick;
        p->at = p->at < end ? skip_plain(p->text, p->at, end) : p->at;
        if (!tick(p)) {
            return false;
        }
        if (p->at >= p->size) {
            return fail_syntax(p, p->size, "the quote at the end of a string");
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
            return fail_syntax(p, p->at, "control characters in strings written as escapes");
        } else {
            bool valid;
            const size_t length = vrmi_utf8_next(p->text + p->at, p->size - p->at, &valid);
            if (!valid) {
                token->escaped = 1;
                char found[16];
                report_at(p, VRM_FINDING_JSON_INVALID_UTF8, p->at, vrmi_format(found, sizeof(found), "byte 0x%x", byte),
                    "UTF-8");
            }
            p->at += (uint32_t)length;
        }
    }
}

static bool scan_key(parser *p)
{
    vrmi_json_token *token = add_token(p, VRMI_JSON_STRING, p->at);
    if (token == NULL) {
        return false;
    }
    token->is_key = 1;
    token->count = 1;
    p->key = p->json->count - 1;
    p->state = WANT_COLON;
    return scan_string(p, token);
}

static uint32_t skip_digits(const parser *p, uint32_t at)
{
    while (at < p->size && p->text[at] >= '0' && p->text[at] <= '9') {
        ++at;
    }
    return at;
}

// At a minus or a digit.
static bool scan_number(parser *p, vrmi_json_token *token)
{
    uint32_t at = p->at + (p->text[p->at] == '-');
    uint32_t end = skip_digits(p, at);
    if (end == at) {
        return fail_syntax(p, end, "a digit");
    }
    if (p->text[at] == '0' && end > at + 1) {
        return fail_syntax(p, at + 1, "no digit after a leading 0");
    }
    if (end < p->size && p->text[end] == '.') {
        at = end + 1;
        end = skip_digits(p, at);
        if (end == at) {
            return fail_syntax(p, end, "a digit after the point");
        }
    }
    if (end < p->size && (p->text[end] | 0x20) == 'e') {
        at = end + 1;
        at += at < p->size && (p->text[at] == '-' || p->text[at] == '+');
        end = skip_digits(p, at);
        if (end == at) {
            return fail_syntax(p, end, "a digit of the exponent");
        }
    }
    token->end = p->at = end;
    return true;
}

static bool scan_word(parser *p, vrmi_json_token *token)
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
    return fail_syntax(p, p->at, "a value");
}

// --- the whole text ------------------------------------------------------------------------------------------------

static bool parse_value(parser *p, char c)
{
    if (c == '{' || c == '[') {
        return open_container(p, c == '{' ? VRMI_JSON_OBJECT : VRMI_JSON_ARRAY);
    }
    const bool number = c == '-' || (c >= '0' && c <= '9');
    vrmi_json_token *token = add_token(p, c == '"' ? VRMI_JSON_STRING : VRMI_JSON_NUMBER, p->at);
    if (token == NULL || !(c == '"' ? scan_string(p, token) : number ? scan_number(p, token) : scan_word(p, token))) {
        return false;
    }
    finish_value(p);
    return true;
}

static bool parse_comma_or_end(parser *p, char c)
{
    const bool object = p->json->tokens[p->container].kind == VRMI_JSON_OBJECT;
    if (c == ',') {
        ++p->at;
        p->state = object ? WANT_KEY : WANT_VALUE;
        return true;
    }
    if (c == (object ? '}' : ']')) {
        return close_container(p);
    }
    return fail_syntax(p, p->at, object ? "',' or '}'" : "',' or ']'");
}

static bool parse_step(parser *p, char c)
{
    switch (p->state) {
    case WANT_ELEMENT_OR_END:
        if (c == ']') {
            return close_container(p);
        }
        return parse_value(p, c);
    case WANT_VALUE:
        return parse_value(p, c);
    case WANT_KEY_OR_END:
        if (c == '}') {
            return close_container(p);
        }
        return c == '"' ? scan_key(p) : fail_syntax(p, p->at, "a key in quotes or '}'");
    case WANT_KEY:
        return c == '"' ? scan_key(p) : fail_syntax(p, p->at, "a key in quotes");
    case WANT_COLON:
        if (c != ':') {
            return fail_syntax(p, p->at, "':'");
        }
        ++p->at;
        p->state = WANT_VALUE;
        return true;
    case WANT_COMMA_OR_END:
        return parse_comma_or_end(p, c);
    case WANT_NOTHING:
        break;
    }
    return fail_syntax(p, p->at, "nothing after the value");
}

static bool parse_text(parser *p)
{
    static const char *const wanted[] = {"a value", "a value or ']'", "a key in quotes or '}'", "a key in quotes",
        "':'", "',' or the end of the container"};
    for (;;) {
        const char *text = p->text;
        uint32_t at = p->at;
        const uint32_t end = p->size < p->next_tick ? p->size : p->next_tick;
        while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            ++at;
        }
        p->at = at;
        if (at >= p->next_tick) {
            if (!tick(p)) {
                return false;
            }
            continue;
        }
        if (at == p->size) {
            return p->state == WANT_NOTHING || fail_syntax(p, at, wanted[p->state]);
        }
        if (!parse_step(p, text[at])) {
            return false;
        }
    }
}

// True for an array whose elements are worth a list: their tokens are not simply one behind the other.
static bool is_listed(const vrmi_json *json, uint32_t array)
{
    const vrmi_json_token *token = &json->tokens[array];
    return token->kind == VRMI_JSON_ARRAY && token->count >= LISTED_ARRAY && token->next - array - 1 != token->count;
}

static bool make_lists(parser *p)
{
    vrmi_json *json = p->json;
    uint32_t lists = 0, elements = 0;
    for (uint32_t i = 0; i < json->count; ++i) {
        if (is_listed(json, i)) {
            ++lists;
            elements += json->tokens[i].count;
        }
    }
    if (lists == 0) {
        return true;
    }
    const size_t list_bytes = lists * sizeof(vrmi_json_list), element_bytes = elements * sizeof(uint32_t);
    if (!may_allocate(p, (uint64_t)list_bytes + element_bytes)) {
        return fail_limit(p, "more bytes of memory", p->limits.max_memory);
    }
    json->lists = vrmi_allocate(&json->allocator, list_bytes, TOKEN_ALIGNMENT);
    json->list_count = json->lists != NULL ? lists : 0;
    json->elements = vrmi_allocate(&json->allocator, element_bytes, TOKEN_ALIGNMENT);
    json->element_count = json->elements != NULL ? elements : 0;
    if (json->lists == NULL || json->elements == NULL) {
        return fail(p, VRM_ERROR_OUT_OF_MEMORY);
    }
    uint32_t list = 0, element = 0;
    for (uint32_t i = 0; i < json->count; ++i) {
        if (is_listed(json, i)) {
            json->lists[list].array = i;
            json->lists[list++].first = element;
            for (uint32_t child = i + 1; child < json->tokens[i].next; child = json->tokens[child].next) {
                json->elements[element++] = child;
            }
        }
    }
    return true;
}

static bool parse_document(parser *p)
{
    if (!tick(p)) {
        return false;
    }
    if (p->size >= 3 && memcmp(p->text, "\xEF\xBB\xBF", 3) == 0) {
        report_at(p, VRM_FINDING_JSON_BYTE_ORDER_MARK, 0, "EF BB BF", "UTF-8 without a byte order mark");
        p->at = 3;
    }
    if (!parse_text(p) || !make_lists(p)) {
        return false;
    }
    p->next_tick = 0;
    return tick(p);
}

vrm_result vrmi_json_parse(vrmi_json *out, const char *text, size_t size, const vrm_allocator *allocator,
    const vrmi_json_limits *limits, vrm_report *report)
{
    memset(out, 0, sizeof(*out));
    vrmi_resolve_allocator(allocator, &out->allocator);
    parser p = {.json = out,
        .text = text,
        .container = VRMI_JSON_NONE,
        .key = VRMI_JSON_NONE,
        .report = report,
        .line = 1,
        .column = 1};
    if (limits != NULL) {
        p.limits = *limits;
    }
    p.limits.max_depth = p.limits.max_depth != 0 ? p.limits.max_depth : DEFAULT_MAX_DEPTH;
    if (size > UINT32_MAX - 1) {
        (void)fail_limit(&p, "more bytes of text", UINT32_MAX - 1);
        return p.result;
    }
    p.size = (uint32_t)size;
    out->text = text;
    out->size = size;
    vrmi_json_keys_init(&p.keys, &p.limits);
    if (!parse_document(&p)) {
        vrmi_json_free(out);
    }
    vrmi_json_keys_free(&p.keys, &out->allocator);
    return p.result;
}

void vrmi_json_free(vrmi_json *json)
{
    vrmi_release(&json->allocator, json->tokens, json->capacity * sizeof(vrmi_json_token));
    vrmi_release(&json->allocator, json->lists, json->list_count * sizeof(vrmi_json_list));
    vrmi_release(&json->allocator, json->elements, json->element_count * sizeof(uint32_t));
    const vrm_allocator allocator = json->allocator;
    memset(json, 0, sizeof(*json));
    json->allocator = allocator;
}
