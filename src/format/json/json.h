// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_H
#define VRMI_FORMAT_JSON_H

// RFC 8259 text as a flat token array over the text itself: no recursion, no copies, numbers kept as text.

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

// A value is the index of its token; the root is 0. Absent values are VRMI_JSON_NONE, and every function below accepts
// it and returns NONE, 0 or false.
#define VRMI_JSON_NONE UINT32_MAX

typedef struct vrmi_json_token {
    uint32_t start;  // of the text; strings without their quotes
    uint32_t end;    // one past the text
    uint32_t next;   // one past the last token of this value: the next sibling
    uint32_t parent; // containing array or object; an object's value has its key as parent, a key its object
    uint32_t count;  // elements or members; 1 for a key
    uint8_t kind;    // vrmi_json_kind
    uint8_t is_key;
    uint8_t escaped;  // string: it has a backslash or ill-formed UTF-8; number: it was read out of a string
    uint8_t shadowed; // a key that comes again later in its object, or that loading ignores
} vrmi_json_token;

// The elements of a large array, so that any of them is found in constant time.
typedef struct vrmi_json_list {
    uint32_t array; // token; ascending in vrmi_json.lists
    uint32_t first; // in vrmi_json.elements
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
    uint32_t max_depth;                           // of arrays and objects; 0: 128
    uint64_t max_memory;                          // for all memory allocated at any time; 0: no limit
    uint64_t text_offset;                         // of the text in its file, added to the offsets of findings
    bool (*progress)(float fraction, void *user); // may be NULL; false cancels
    void *progress_user;
} vrmi_json_limits;

// Parses; `text` must outlive the result; `limits` may be NULL. On failure the result is empty. INVALID_ASSET: the
// finding INVALID_JSON gives offset, line and column. LIMIT: LIMIT_EXCEEDED, for depth and memory and for texts of 4
// GiB. Also OUT_OF_MEMORY and CANCELLED. Accepted with a finding: a byte order mark, ill-formed UTF-8 and lone
// surrogates in strings (U+FFFD), and duplicate keys, of which the last wins, as in JavaScript, Python, C# and Dart: a
// file could get past a check if two readers disagreed here. The other duplicates keep their tokens, but every function
// below skips them.
vrm_result vrmi_json_parse(vrmi_json *out, const char *text, size_t size, const vrm_allocator *allocator,
    const vrmi_json_limits *limits, vrm_report *report);
void vrmi_json_free(vrmi_json *json);

// NULL for NONE.
vrmi_json_kind vrmi_json_kind_of(const vrmi_json *json, uint32_t value);
bool vrmi_json_is(const vrmi_json *json, uint32_t value, vrmi_json_kind kind); // false for NONE
uint32_t vrmi_json_count(const vrmi_json *json, uint32_t value);               // 0 for scalars
// First element of an array, first member's KEY of an object; NONE when empty.
uint32_t vrmi_json_first(const vrmi_json *json, uint32_t container);
// The following element or key; NONE at the end.
uint32_t vrmi_json_next(const vrmi_json *json, uint32_t element_or_key);
// The value of a key.
uint32_t vrmi_json_value(const vrmi_json *json, uint32_t key);
// Takes time linear in the number of members.
uint32_t vrmi_json_member(const vrmi_json *json, uint32_t object, const char *name);
// Takes at most logarithmic time.
uint32_t vrmi_json_element(const vrmi_json *json, uint32_t array, uint32_t index);
// Follows an RFC 6901 pointer from the root.
uint32_t vrmi_json_at(const vrmi_json *json, const char *pointer);
// The value's text as in the file (strings with quotes).
vrm_string vrmi_json_text(const vrmi_json *json, uint32_t value);
// The beginning of a value's text for people, cut with "..." to fit; returns out.
char *vrmi_json_excerpt(const vrmi_json *json, uint32_t value, char *out, size_t size);
// False when it is not a number, or is beyond the largest double.
bool vrmi_json_number(const vrmi_json *json, uint32_t value, double *out);
// The integer value of indices, counts and sizes. The digits decide, not the nearest double: 3, 3.0 and 30e-1 are 3,
// but neither 1e-999 nor 0.99999999999999999999 is an integer. Values below 0 (-0 too: no index has a sign) and above
// 2^32 - 1 are out of range.
typedef enum vrmi_json_integer {
    VRMI_JSON_NO_INTEGER,
    VRMI_JSON_INTEGER_BEYOND,
    VRMI_JSON_INTEGER // the only one that sets *out
} vrmi_json_integer;
vrmi_json_integer vrmi_json_read_integer(const vrmi_json *json, uint32_t value, uint32_t *out);
// Whether it is an integer within range.
bool vrmi_json_uint(const vrmi_json *json, uint32_t value, uint32_t *out);
bool vrmi_json_string_equal(const vrmi_json *json, uint32_t string, const char *text);
// Unescapes into `out` (UTF-8, terminated, truncated to size); returns the full length without the terminator.
size_t vrmi_json_unescape(const vrmi_json *json, uint32_t string, char *out, size_t size);
// The JSON pointer of a value (or of a key's value), truncated to size; returns out.
char *vrmi_json_path(const vrmi_json *json, uint32_t value, char *out, size_t size);
// The member "name" of the array element that contains the value (a node, a material, a spring), truncated to size; the
// innermost such element with a name counts, "" when there is none. Returns out.
char *vrmi_json_name(const vrmi_json *json, uint32_t value, char *out, size_t size);

#endif
