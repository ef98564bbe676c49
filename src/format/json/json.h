// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_H
#define VRMI_FORMAT_JSON_H

// Parses RFC 8259 text into a flat array of tokens that refer to the text. No recursion and no copies; numbers stay
// text.

#include <vrm/result.h>

#include "base/allocator.h"

typedef enum vrmi_json_kind {
    VRMI_JSON_NULL,
    VRMI_JSON_FALSE,
    VRMI_JSON_TRUE,
    VRMI_JSON_NUMBER,
    VRMI_JSON_STRING,
    VRMI_JSON_ARRAY,
    VRMI_JSON_OBJECT
} vrmi_json_kind;

// A JSON value is represented by the index of its token; the root is 0. VRMI_JSON_NONE is an absent value. Every
// function below accepts it and returns NONE, 0 or false.
#define VRMI_JSON_NONE UINT32_MAX

typedef struct vrmi_json_token {
    uint32_t start;  // offset in the text; of strings, without the quote
    uint32_t end;    // offset of the end, exclusive; of strings, without the quote
    uint32_t next;   // one past the last token of this value: the index of the next sibling
    uint32_t parent; // the container of an element or key; the key of a member's value
    uint32_t count;  // number of elements or members; 1 for a key
    uint8_t kind;    // vrmi_json_kind
    uint8_t is_key;
    uint8_t escaped;  // string: has a backslash or ill-formed UTF-8; number: was in quotation marks
    uint8_t shadowed; // a key that is ignored: it occurs again later in its object, or loading rejects it
} vrmi_json_token;

// The tokens of a large array's elements, so that each is found by its index without a search.
typedef struct vrmi_json_list {
    uint32_t array; // token of the array; vrmi_json.lists is sorted by this member
    uint32_t first; // first entry in vrmi_json.elements
} vrmi_json_list;

typedef struct vrmi_json {
    const char *text;
    size_t size;
    vrm_allocator allocator;
    vrmi_json_token *tokens;
    uint32_t count, capacity;
    vrmi_json_list *lists;
    uint32_t *elements;
    uint32_t list_count, element_count;
} vrmi_json;

typedef struct vrmi_json_limits {
    uint32_t max_depth;                           // levels of nested arrays and objects; 0 selects 128
    uint64_t max_memory;                          // in bytes, allocated at any one time; 0: no limit
    uint64_t text_offset;                         // offset of the text in its file; added to the offsets of findings
    bool (*progress)(float fraction, void *user); // may be NULL; returns false to cancel
    void *progress_user;
} vrmi_json_limits;

// Parses `text`, which must outlive the result; `limits` may be NULL. On failure the result is empty. Errors:
// INVALID_ASSET (the finding INVALID_JSON has offset, line and column), LIMIT (depth, memory or 4 GiB of text; the
// finding is LIMIT_EXCEEDED), OUT_OF_MEMORY, CANCELLED.
// The following are accepted with a finding: a byte order mark, ill-formed UTF-8 and lone surrogates in strings (read
// as U+FFFD), and duplicate keys. The last of duplicate keys wins, as in JavaScript, Python, C# and Dart: if two
// readers disagreed, a file could evade a check. The other duplicates keep their tokens, but every function below skips
// them.
vrm_result vrmi_json_parse(vrmi_json *out, const char *text, size_t size, const vrm_allocator *allocator,
    const vrmi_json_limits *limits, vrm_report *report);
void vrmi_json_free(vrmi_json *json);

// Returns the kind of a value; VRMI_JSON_NULL if the value is absent.
vrmi_json_kind vrmi_json_kind_of(const vrmi_json *json, uint32_t value);
bool vrmi_json_is(const vrmi_json *json, uint32_t value, vrmi_json_kind kind); // false for NONE
uint32_t vrmi_json_count(const vrmi_json *json, uint32_t value);               // 0 for scalars
// Returns the first element of an array or the first key (not value) of an object; NONE if it is empty.
uint32_t vrmi_json_first(const vrmi_json *json, uint32_t container);
// Returns the next element or key; NONE at the end.
uint32_t vrmi_json_next(const vrmi_json *json, uint32_t element_or_key);
// Returns the value of a key.
uint32_t vrmi_json_value(const vrmi_json *json, uint32_t key);
// Returns the value of a member; NONE if there is none. Takes time linear in the number of members.
uint32_t vrmi_json_member(const vrmi_json *json, uint32_t object, const char *name);
// Returns an element; NONE if the index is out of range. Takes at most logarithmic time.
uint32_t vrmi_json_element(const vrmi_json *json, uint32_t array, uint32_t index);
// Returns the value at an RFC 6901 pointer from the root, or NONE.
uint32_t vrmi_json_at(const vrmi_json *json, const char *pointer);
// Returns the text of a value as in the file. Strings include their quotes.
vrm_string vrmi_json_text(const vrmi_json *json, uint32_t value);
// Copies the beginning of a value's text for a message, cut with "..." to fit. Returns `out`.
char *vrmi_json_excerpt(const vrmi_json *json, uint32_t value, char *out, size_t size);
// Reads a number. Returns false if the value is not a number or is beyond the largest double.
bool vrmi_json_number(const vrmi_json *json, uint32_t value, double *out);
// The result of reading an index, count or size. The digits decide, not the nearest double: 3, 3.0 and 30e-1 are the
// integer 3, but neither 1e-999 nor 0.99999999999999999999 is an integer. Integers above 2^32 - 1 and negative ones
// (even -0) are BEYOND the range.
typedef enum vrmi_json_integer {
    VRMI_JSON_NO_INTEGER,
    VRMI_JSON_INTEGER_BEYOND,
    VRMI_JSON_INTEGER // the only result that sets *out
} vrmi_json_integer;
vrmi_json_integer vrmi_json_read_integer(const vrmi_json *json, uint32_t value, uint32_t *out);
// Reads an integer from 0 to 2^32 - 1. Returns false if the value is not such an integer.
bool vrmi_json_uint(const vrmi_json *json, uint32_t value, uint32_t *out);
bool vrmi_json_string_equal(const vrmi_json *json, uint32_t string, const char *text);
// Decodes a string into `out` as terminated UTF-8, cut to `size`. Returns the full length without the terminator.
size_t vrmi_json_unescape(const vrmi_json *json, uint32_t string, char *out, size_t size);
// Writes the JSON pointer of a value or key, cut to `size`. Returns `out`.
char *vrmi_json_path(const vrmi_json *json, uint32_t value, char *out, size_t size);
// Finds the name of the array element that contains a value, such as a node, a material or a spring. This is the "name"
// member of the innermost element that has one, "" if none has. Cut to `size`. Returns `out`.
char *vrmi_json_name(const vrmi_json *json, uint32_t value, char *out, size_t size);

#endif
