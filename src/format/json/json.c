// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/json/json.h"

#include <string.h>

#include "format/json/json_parser.h"

enum {
    DEFAULT_MAX_DEPTH = 128,
    LISTED_ARRAY = 16, // an array of containers with at least this many elements gets a list
    TOKEN_ALIGNMENT = 16
};

// --- tokens --------------------------------------------------------------------------------------------------------

// Whether `bytes` more stay within the memory limit.
static bool may_allocate(const vrmi_json_parser *p, uint64_t bytes)
{
    const uint64_t held = (uint64_t)p->json->capacity * sizeof(vrmi_json_token) + p->keys.size;
    return p->limits.max_memory == 0 || (held <= p->limits.max_memory && bytes <= p->limits.max_memory - held);
}

static bool grow_tokens(vrmi_json_parser *p)
{
    vrmi_json *json = p->json;
    // Estimates the number of tokens of the whole text from the part parsed so far. A good estimate avoids repeated
    // allocations, which would cost more than parsing.
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
        return vrmi_json_parser_fail_limit(p, "more bytes of memory than allowed", p->limits.max_memory);
    }
    if (capacity <= json->capacity || capacity > SIZE_MAX / sizeof(vrmi_json_token)) {
        return vrmi_json_parser_fail(p, VRM_ERROR_OUT_OF_MEMORY);
    }
    const size_t bytes = (size_t)capacity * sizeof(vrmi_json_token);
    vrmi_json_token *tokens = vrmi_allocate(&json->allocator, bytes, TOKEN_ALIGNMENT);
    if (tokens == NULL) {
        return vrmi_json_parser_fail(p, VRM_ERROR_OUT_OF_MEMORY);
    }
    if (json->count != 0) {
        memcpy(tokens, json->tokens, json->count * sizeof(vrmi_json_token));
    }
    vrmi_release(&json->allocator, json->tokens, json->capacity * sizeof(vrmi_json_token));
    json->tokens = tokens;
    json->capacity = (uint32_t)capacity;
    return true;
}

// Adds a token for a value or key to the open container. The caller fills in the token's end. Returns NULL on failure.
static vrmi_json_token *add_token(vrmi_json_parser *p, vrmi_json_kind kind, uint32_t start)
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
        ++json->tokens[p->container].count; // the token is an element or a key
    }
    return token;
}

// Called after each complete value.
static void finish_value(vrmi_json_parser *p)
{
    if (p->key != VRMI_JSON_NONE) {
        p->json->tokens[p->key].next = p->json->count;
        p->key = VRMI_JSON_NONE;
    }
    p->state = p->container == VRMI_JSON_NONE ? VRMI_JSON_WANT_NOTHING : VRMI_JSON_WANT_COMMA_OR_END;
}

static bool open_container(vrmi_json_parser *p, vrmi_json_kind kind)
{
    if (p->depth == p->limits.max_depth) {
        return vrmi_json_parser_fail_limit(p, "more levels of nesting than allowed", p->limits.max_depth);
    }
    vrmi_json_token *token = add_token(p, kind, p->at);
    if (token == NULL) {
        return false;
    }
    token->next = 0; // 0 while the container is open; see index_in_array()
    ++p->depth;
    ++p->at;
    p->container = p->json->count - 1;
    p->key = VRMI_JSON_NONE;
    p->state = kind == VRMI_JSON_ARRAY ? VRMI_JSON_WANT_ELEMENT_OR_END : VRMI_JSON_WANT_KEY_OR_END;
    return true;
}

static bool close_container(vrmi_json_parser *p)
{
    vrmi_json *json = p->json;
    const uint32_t index = p->container;
    const vrmi_json_keys_result checked = json->tokens[index].kind == VRMI_JSON_OBJECT && json->tokens[index].count > 1
                                              ? vrmi_json_keys_check(&p->keys, json, index, p->report)
                                              : VRMI_JSON_KEYS_DONE;
    if (checked == VRMI_JSON_KEYS_LIMIT) {
        return vrmi_json_parser_fail_limit(p, "more bytes of memory than allowed", p->limits.max_memory);
    }
    if (checked != VRMI_JSON_KEYS_DONE) {
        return vrmi_json_parser_fail(
            p, checked == VRMI_JSON_KEYS_CANCELLED ? VRM_ERROR_CANCELLED : VRM_ERROR_OUT_OF_MEMORY);
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

static bool scan_key(vrmi_json_parser *p)
{
    vrmi_json_token *token = add_token(p, VRMI_JSON_STRING, p->at);
    if (token == NULL) {
        return false;
    }
    token->is_key = 1;
    token->count = 1;
    p->key = p->json->count - 1;
    p->state = VRMI_JSON_WANT_COLON;
    return vrmi_json_scan_string(p, token);
}

// --- the whole text ------------------------------------------------------------------------------------------------

static bool parse_value(vrmi_json_parser *p, char c)
{
    if (c == '{' || c == '[') {
        return open_container(p, c == '{' ? VRMI_JSON_OBJECT : VRMI_JSON_ARRAY);
    }
    const bool number = c == '-' || (c >= '0' && c <= '9');
    vrmi_json_token *token = add_token(p, c == '"' ? VRMI_JSON_STRING : VRMI_JSON_NUMBER, p->at);
    if (token == NULL || !(c == '"'   ? vrmi_json_scan_string(p, token)
                             : number ? vrmi_json_scan_number(p, token)
                                      : vrmi_json_scan_word(p, token))) {
        return false;
    }
    finish_value(p);
    return true;
}

static bool parse_comma_or_end(vrmi_json_parser *p, char c)
{
    const bool object = p->json->tokens[p->container].kind == VRMI_JSON_OBJECT;
    if (c == ',') {
        ++p->at;
        p->state = object ? VRMI_JSON_WANT_KEY : VRMI_JSON_WANT_VALUE;
        return true;
    }
    if (c == (object ? '}' : ']')) {
        return close_container(p);
    }
    return vrmi_json_parser_fail_syntax(p, p->at, object ? "',' or '}'" : "',' or ']'");
}

static bool parse_step(vrmi_json_parser *p, char c)
{
    switch (p->state) {
    case VRMI_JSON_WANT_ELEMENT_OR_END:
        if (c == ']') {
            return close_container(p);
        }
        return parse_value(p, c);
    case VRMI_JSON_WANT_VALUE:
        return parse_value(p, c);
    case VRMI_JSON_WANT_KEY_OR_END:
        if (c == '}') {
            return close_container(p);
        }
        return c == '"' ? scan_key(p) : vrmi_json_parser_fail_syntax(p, p->at, "a key in quotes or '}'");
    case VRMI_JSON_WANT_KEY:
        return c == '"' ? scan_key(p) : vrmi_json_parser_fail_syntax(p, p->at, "a key in quotes");
    case VRMI_JSON_WANT_COLON:
        if (c != ':') {
            return vrmi_json_parser_fail_syntax(p, p->at, "':'");
        }
        ++p->at;
        p->state = VRMI_JSON_WANT_VALUE;
        return true;
    case VRMI_JSON_WANT_COMMA_OR_END:
        return parse_comma_or_end(p, c);
    case VRMI_JSON_WANT_NOTHING:
        break;
    }
    return vrmi_json_parser_fail_syntax(p, p->at, "nothing after the value");
}

static bool parse_text(vrmi_json_parser *p)
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
            if (!vrmi_json_parser_tick(p)) {
                return false;
            }
            continue;
        }
        if (at == p->size) {
            return p->state == VRMI_JSON_WANT_NOTHING || vrmi_json_parser_fail_syntax(p, at, wanted[p->state]);
        }
        if (!parse_step(p, text[at])) {
            return false;
        }
    }
}

// Whether an array needs a list: it is large, and its elements' tokens are not adjacent.
static bool is_listed(const vrmi_json *json, uint32_t array)
{
    const vrmi_json_token *token = &json->tokens[array];
    return token->kind == VRMI_JSON_ARRAY && token->count >= LISTED_ARRAY && token->next - array - 1 != token->count;
}

static bool make_lists(vrmi_json_parser *p)
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
        return vrmi_json_parser_fail_limit(p, "more bytes of memory than allowed", p->limits.max_memory);
    }
    json->lists = vrmi_allocate(&json->allocator, list_bytes, TOKEN_ALIGNMENT);
    json->list_count = json->lists != NULL ? lists : 0;
    json->elements = vrmi_allocate(&json->allocator, element_bytes, TOKEN_ALIGNMENT);
    json->element_count = json->elements != NULL ? elements : 0;
    if (json->lists == NULL || json->elements == NULL) {
        return vrmi_json_parser_fail(p, VRM_ERROR_OUT_OF_MEMORY);
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

static bool parse_document(vrmi_json_parser *p)
{
    if (!vrmi_json_parser_tick(p)) {
        return false;
    }
    if (p->size >= 3 && memcmp(p->text, "\xEF\xBB\xBF", 3) == 0) {
        vrmi_json_parser_report(p, VRM_FINDING_JSON_BYTE_ORDER_MARK, 0, "EF BB BF", "UTF-8 without a byte order mark");
        p->at = 3;
    }
    if (!parse_text(p) || !make_lists(p)) {
        return false;
    }
    p->next_tick = 0;
    return vrmi_json_parser_tick(p);
}

vrm_result vrmi_json_parse(vrmi_json *out, const char *text, size_t size, const vrm_allocator *allocator,
    const vrmi_json_limits *limits, vrm_report *report)
{
    memset(out, 0, sizeof(*out));
    vrmi_resolve_allocator(allocator, &out->allocator);
    vrmi_json_parser p = {.json = out,
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
        (void)vrmi_json_parser_fail_limit(&p, "more bytes of text than allowed", UINT32_MAX - 1);
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
