// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/json/json.h"

#include <string.h>

#include "base/text.h"
#include "format/json/json_string.h"

// Returns the token of a value; NULL for NONE.
static const vrmi_json_token *token_at(const vrmi_json *json, uint32_t value)
{
    return value < json->count ? &json->tokens[value] : NULL;
}

static bool is_container(const vrmi_json_token *token)
{
    return token != NULL && (token->kind == VRMI_JSON_ARRAY || token->kind == VRMI_JSON_OBJECT);
}

vrmi_json_kind vrmi_json_kind_of(const vrmi_json *json, uint32_t value)
{
    const vrmi_json_token *token = token_at(json, value);
    return token != NULL ? (vrmi_json_kind)token->kind : VRMI_JSON_NULL;
}

bool vrmi_json_is(const vrmi_json *json, uint32_t value, vrmi_json_kind kind)
{
    const vrmi_json_token *token = token_at(json, value);
    return token != NULL && token->kind == kind;
}

uint32_t vrmi_json_count(const vrmi_json *json, uint32_t value)
{
    const vrmi_json_token *token = token_at(json, value);
    return is_container(token) ? token->count : 0;
}

// Returns the first key from `at` on that is not shadowed, NONE at the container's end.
static uint32_t skip_shadowed(const vrmi_json *json, uint32_t at, uint32_t end)
{
    while (at < end && json->tokens[at].shadowed) {
        at = json->tokens[at].next;
    }
    return at < end ? at : VRMI_JSON_NONE;
}

uint32_t vrmi_json_first(const vrmi_json *json, uint32_t container)
{
    const vrmi_json_token *token = token_at(json, container);
    return is_container(token) ? skip_shadowed(json, container + 1, token->next) : VRMI_JSON_NONE;
}

uint32_t vrmi_json_next(const vrmi_json *json, uint32_t element_or_key)
{
    const vrmi_json_token *token = token_at(json, element_or_key);
    const vrmi_json_token *parent = token != NULL ? token_at(json, token->parent) : NULL;
    return is_container(parent) ? skip_shadowed(json, token->next, parent->next) : VRMI_JSON_NONE;
}

uint32_t vrmi_json_value(const vrmi_json *json, uint32_t key)
{
    const vrmi_json_token *token = token_at(json, key);
    return token != NULL && token->is_key ? key + 1 : VRMI_JSON_NONE;
}

uint32_t vrmi_json_member(const vrmi_json *json, uint32_t object, const char *name)
{
    if (!vrmi_json_is(json, object, VRMI_JSON_OBJECT)) {
        return VRMI_JSON_NONE;
    }
    // Keys are compared far more often than other strings. So keys without escapes are compared here, without calling
    // vrmi_json_string_equal().
    const size_t length = strlen(name);
    const vrmi_json_token *tokens = json->tokens;
    for (uint32_t key = object + 1, end = tokens[object].next; key < end; key = tokens[key].next) {
        const vrmi_json_token *token = &tokens[key];
        if (token->escaped || token->shadowed) {
            if (!token->shadowed && vrmi_json_string_equal(json, key, name)) {
                return key + 1;
            }
        } else if (token->end - token->start == length && json->text[token->start] == name[0] &&
                   memcmp(json->text + token->start, name, length) == 0) {
            return key + 1;
        }
    }
    return VRMI_JSON_NONE;
}

// Returns the element tokens of an array that has a list; otherwise NULL.
static const uint32_t *find_list(const vrmi_json *json, uint32_t array)
{
    uint32_t low = 0, high = json->list_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (json->lists[middle].array < array) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < json->list_count && json->lists[low].array == array ? json->elements + json->lists[low].first : NULL;
}

// Whether all elements are scalars, whose tokens are adjacent.
static bool is_flat(const vrmi_json_token *array, uint32_t index)
{
    return array->next - index - 1 == array->count;
}

uint32_t vrmi_json_element(const vrmi_json *json, uint32_t array, uint32_t index)
{
    const vrmi_json_token *token = token_at(json, array);
    if (token == NULL || token->kind != VRMI_JSON_ARRAY || index >= token->count) {
        return VRMI_JSON_NONE;
    }
    if (is_flat(token, array)) {
        return array + 1 + index;
    }
    const uint32_t *list = find_list(json, array);
    if (list != NULL) {
        return list[index];
    }
    uint32_t element = array + 1;
    for (; index != 0; --index) {
        element = json->tokens[element].next;
    }
    return element;
}

static uint32_t index_in_array(const vrmi_json *json, uint32_t array, uint32_t element)
{
    const vrmi_json_token *token = &json->tokens[array];
    if (token->next == 0) {
        return token->count - 1; // the array is still being parsed, so a finding can only be about the last element
    }
    if (is_flat(token, array)) {
        return element - array - 1;
    }
    const uint32_t *list = find_list(json, array);
    uint32_t low = 0;
    if (list == NULL) {
        for (uint32_t at = array + 1; at < element; at = json->tokens[at].next) {
            ++low;
        }
        return low;
    }
    for (uint32_t high = token->count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        if (list[middle] < element) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

vrm_string vrmi_json_text(const vrmi_json *json, uint32_t value)
{
    const vrmi_json_token *token = token_at(json, value);
    vrm_string text = {NULL, 0};
    if (token != NULL) {
        const uint32_t quote =
            token->kind == VRMI_JSON_STRING || (token->kind == VRMI_JSON_NUMBER && token->escaped != 0);
        text.data = json->text + token->start - quote;
        text.length = token->end - token->start + 2 * quote;
    }
    return text;
}

char *vrmi_json_excerpt(const vrmi_json *json, uint32_t value, char *out, size_t size)
{
    const vrm_string text = vrmi_json_text(json, value);
    if (text.length < size) {
        return vrmi_format(out, size, "%.*s", (int)text.length, text.data);
    }
    vrmi_format(out, size - 3, "%.*s", (int)(size - 3), text.data);
    const size_t length = strlen(out);
    return vrmi_format(out + length, size - length, "...") - length;
}

bool vrmi_json_number(const vrmi_json *json, uint32_t value, double *out)
{
    const vrmi_json_token *token = token_at(json, value);
    if (token == NULL || token->kind != VRMI_JSON_NUMBER) {
        return false;
    }
    double number;
    (void)vrmi_parse_double(json->text + token->start, token->end - token->start, &number);
    if (number - number != 0) { // infinite
        return false;
    }
    *out = number;
    return true;
}

// Reads an integer of at most 9 digits without any other character. Nearly every index in a file has this form.
static bool plain_uint(const vrmi_json *json, uint32_t value, uint32_t *out)
{
    const vrmi_json_token *token = token_at(json, value);
    if (token == NULL || token->kind != VRMI_JSON_NUMBER || token->end - token->start > 9) {
        return false;
    }
    uint32_t number = 0;
    for (uint32_t at = token->start; at < token->end; ++at) {
        const char c = json->text[at];
        if (c < '0' || c > '9') {
            return false;
        }
        number = number * 10 + (uint32_t)(c - '0');
    }
    *out = number;
    return true;
}

// Reads the exponent after 'e'. It is clamped to a value so large that no number of digits can compensate for it.
static int64_t read_exponent(const char *text, const char *end)
{
    const int64_t most = INT64_C(1) << 40;
    const bool negative = text < end && *text == '-';
    int64_t exponent = 0;
    for (text += text < end && (*text == '-' || *text == '+'); text < end && exponent < most; ++text) {
        exponent = exponent * 10 + (*text - '0');
    }
    return negative ? -exponent : exponent;
}

vrmi_json_integer vrmi_json_read_integer(const vrmi_json *json, uint32_t value, uint32_t *out)
{
    const vrmi_json_token *token = token_at(json, value);
    if (plain_uint(json, value, out)) {
        return VRMI_JSON_INTEGER;
    }
    if (token == NULL || token->kind != VRMI_JSON_NUMBER) {
        return VRMI_JSON_NO_INTEGER;
    }
    // `digits` ends at the last digit that is not 0; `power` is that digit's power of ten.
    const char *text = json->text + token->start, *end = json->text + token->end;
    const bool negative = *text == '-';
    uint64_t digits = 0;
    int64_t power = 0, zeros = 0;
    bool fraction = false;
    for (text += negative; text < end && *text != 'e' && *text != 'E'; ++text) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        power -= fraction;
        ++zeros;
        for (; *text != '0' && zeros > 0; --zeros) {
            digits = digits <= UINT32_MAX ? digits * 10 : digits; // no more digits are needed if already out of range
        }
        digits += *text != '0' ? (uint64_t)(*text - '0') : 0;
    }
    power += zeros + (text < end ? read_exponent(text + 1, end) : 0);
    if (digits != 0 && power < 0) {
        return VRMI_JSON_NO_INTEGER;
    }
    for (; digits != 0 && digits <= UINT32_MAX && power > 0; --power) {
        digits *= 10;
    }
    if (negative || digits > UINT32_MAX) {
        return VRMI_JSON_INTEGER_BEYOND;
    }
    *out = (uint32_t)digits;
    return VRMI_JSON_INTEGER;
}

bool vrmi_json_uint(const vrmi_json *json, uint32_t value, uint32_t *out)
{
    return vrmi_json_read_integer(json, value, out) == VRMI_JSON_INTEGER;
}

bool vrmi_json_string_equal(const vrmi_json *json, uint32_t string, const char *text)
{
    const vrmi_json_token *token = token_at(json, string);
    if (token == NULL || token->kind != VRMI_JSON_STRING) {
        return false;
    }
    if (!token->escaped && token->end != token->start && json->text[token->start] != text[0]) {
        return false; // fast path: the first character differs
    }
    const size_t length = strlen(text);
    if (!token->escaped) {
        return token->end - token->start == length && memcmp(json->text + token->start, text, length) == 0;
    }
    vrmi_json_cursor cursor;
    vrmi_json_cursor_init(&cursor, json, string);
    for (size_t i = 0; i < length; ++i) {
        if (vrmi_json_cursor_next(&cursor) != (unsigned char)text[i]) {
            return false;
        }
    }
    return vrmi_json_cursor_next(&cursor) < 0;
}

size_t vrmi_json_unescape(const vrmi_json *json, uint32_t string, char *out, size_t size)
{
    const vrmi_json_token *token = token_at(json, string);
    size_t length = 0, written = 0;
    if (token != NULL && token->kind == VRMI_JSON_STRING && !token->escaped) {
        length = token->end - token->start;
        written = length < size ? length : size - (size != 0);
        if (written != 0) {
            memcpy(out, json->text + token->start, written);
        }
    } else if (token != NULL && token->kind == VRMI_JSON_STRING) {
        vrmi_json_cursor cursor;
        vrmi_json_cursor_init(&cursor, json, string);
        for (int byte = vrmi_json_cursor_next(&cursor); byte >= 0; byte = vrmi_json_cursor_next(&cursor)) {
            // The text ends before a character that does not fit as a whole.
            if (written == length && length + 1 < size) {
                out[written++] = (char)byte;
            }
            ++length;
        }
    }
    if (written < length) {
        while (written > 0 && ((unsigned char)out[written - 1] & 0xC0) == 0x80) {
            --written;
        }
        written -= written > 0 && ((unsigned char)out[written - 1] & 0x80) != 0;
    }
    if (size != 0) {
        out[written] = '\0';
    }
    return length;
}

// --- pointers ------------------------------------------------------------------------------------------------------

// Returns the next character of a part of a pointer, with ~0 and ~1 decoded. Returns -1 at the part's end, -2 for an
// invalid tilde.
static int next_in_part(const char **at)
{
    const char c = **at;
    if (c == '\0' || c == '/') {
        return -1;
    }
    ++*at;
    if (c != '~') {
        return (unsigned char)c;
    }
    if (**at != '0' && **at != '1') {
        return -2;
    }
    return *(*at)++ == '0' ? '~' : '/';
}

static uint32_t member_of_part(const vrmi_json *json, uint32_t object, const char *part)
{
    for (uint32_t key = vrmi_json_first(json, object); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        vrmi_json_cursor cursor;
        vrmi_json_cursor_init(&cursor, json, key);
        const char *at = part;
        int a, b;
        do {
            a = vrmi_json_cursor_next(&cursor);
            b = next_in_part(&at);
        } while (a == b && a >= 0);
        if (a == b) {
            return key + 1;
        }
    }
    return VRMI_JSON_NONE;
}

static uint32_t element_of_part(const vrmi_json *json, uint32_t array, const char *part, size_t length)
{
    if (length == 0 || length > 10 || (part[0] == '0' && length > 1)) {
        return VRMI_JSON_NONE;
    }
    uint64_t index = 0;
    for (size_t i = 0; i < length; ++i) {
        if (part[i] < '0' || part[i] > '9') {
            return VRMI_JSON_NONE;
        }
        index = index * 10 + (uint64_t)(part[i] - '0');
    }
    return index < UINT32_MAX ? vrmi_json_element(json, array, (uint32_t)index) : VRMI_JSON_NONE;
}

uint32_t vrmi_json_at(const vrmi_json *json, const char *pointer)
{
    uint32_t value = json->count != 0 ? 0 : VRMI_JSON_NONE;
    while (*pointer != '\0' && value != VRMI_JSON_NONE) {
        if (*pointer != '/') {
            return VRMI_JSON_NONE;
        }
        const char *part = pointer + 1;
        const size_t length = strcspn(part, "/");
        if (vrmi_json_is(json, value, VRMI_JSON_OBJECT)) {
            value = member_of_part(json, value, part);
        } else {
            value = element_of_part(json, value, part, length);
        }
        pointer = part + length;
    }
    return value;
}

// Returns the container of a value, skipping the key of a member.
static uint32_t container_of(const vrmi_json *json, uint32_t value)
{
    const uint32_t parent = json->tokens[value].parent;
    return parent != VRMI_JSON_NONE && json->tokens[parent].is_key ? json->tokens[parent].parent : parent;
}

static void add_part(vrmi_text *text, const vrmi_json *json, uint32_t value)
{
    const uint32_t parent = json->tokens[value].parent;
    vrmi_text_add(text, "/", 1);
    if (!json->tokens[value].is_key && !json->tokens[parent].is_key) {
        vrmi_text_add_uint(text, index_in_array(json, parent, value));
        return;
    }
    vrmi_json_cursor cursor;
    vrmi_json_cursor_init(&cursor, json, json->tokens[value].is_key ? value : parent);
    for (int byte = vrmi_json_cursor_next(&cursor); byte >= 0; byte = vrmi_json_cursor_next(&cursor)) {
        const char c = (char)byte;
        if (c == '~' || c == '/') {
            vrmi_text_add(text, c == '~' ? "~0" : "~1", 2);
        } else {
            vrmi_text_add(text, &c, 1);
        }
    }
}

char *vrmi_json_path(const vrmi_json *json, uint32_t value, char *out, size_t size)
{
    vrmi_text text = {.data = out, .capacity = size}; // text that does not fit in this fixed buffer is cut off
    vrmi_text_add(&text, "", 0);
    if (value >= json->count) {
        return out;
    }
    uint32_t depth = 0;
    for (uint32_t at = value; json->tokens[at].parent != VRMI_JSON_NONE; at = container_of(json, at)) {
        ++depth;
    }
    // Adds the parts from the root down. Each part is found by climbing from the value again: paths are short, and this
    // needs no stack.
    for (; depth != 0 && !text.failed; --depth) {
        uint32_t at = value;
        for (uint32_t up = 1; up < depth; ++up) {
            at = container_of(json, at);
        }
        add_part(&text, json, at);
    }
    return out;
}

char *vrmi_json_name(const vrmi_json *json, uint32_t value, char *out, size_t size)
{
    out[0] = '\0';
    for (uint32_t at = value; at < json->count && out[0] == '\0'; at = container_of(json, at)) {
        if (vrmi_json_is(json, at, VRMI_JSON_OBJECT) && vrmi_json_is(json, container_of(json, at), VRMI_JSON_ARRAY)) {
            const uint32_t name = vrmi_json_member(json, at, "name");
            if (vrmi_json_is(json, name, VRMI_JSON_STRING)) {
                vrmi_json_unescape(json, name, out, size);
            }
        }
    }
    return out;
}
