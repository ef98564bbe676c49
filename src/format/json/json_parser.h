// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_PARSER_H
#define VRMI_FORMAT_JSON_PARSER_H

// Internals of the parser, used by json.c (structure) and json_scan.c (scalars, findings).

#include "format/json/json.h"
#include "format/json/json_keys.h"

// What the parser expects next.
typedef enum vrmi_json_state {
    VRMI_JSON_WANT_VALUE,
    VRMI_JSON_WANT_ELEMENT_OR_END, // after [
    VRMI_JSON_WANT_KEY_OR_END,     // after {
    VRMI_JSON_WANT_KEY,            // after a comma in an object
    VRMI_JSON_WANT_COLON,
    VRMI_JSON_WANT_COMMA_OR_END,
    VRMI_JSON_WANT_NOTHING
} vrmi_json_state;

typedef struct vrmi_json_parser {
    vrmi_json *json;
    const char *text;
    uint32_t size, at;
    uint32_t container; // innermost open container, or NONE
    uint32_t key;       // key whose value comes next, or NONE
    uint32_t depth;
    vrmi_json_state state;
    uint32_t next_tick;
    vrmi_json_limits limits;
    vrm_report *report;
    vrm_result result;
    vrmi_json_keys keys;
    // Line and column at the offset `place_at` of the last finding. Counting continues there for the next finding.
    uint32_t place_at, line, column;
} vrmi_json_parser;

// Adds a finding at an offset of the text, with its line and column.
void vrmi_json_parser_report(
    vrmi_json_parser *p, vrm_finding_id id, uint32_t offset, const char *found, const char *expected);
// The functions vrmi_json_parser_fail...() set the parser's result and return false.
bool vrmi_json_parser_fail(vrmi_json_parser *p, vrm_result result);
bool vrmi_json_parser_fail_syntax(vrmi_json_parser *p, uint32_t offset, const char *expected);
bool vrmi_json_parser_fail_limit(vrmi_json_parser *p, const char *found, uint64_t limit);
// Reports progress every 256 KiB. Returns false if the caller cancels.
bool vrmi_json_parser_tick(vrmi_json_parser *p);

// The functions vrmi_json_scan_...() read one scalar at the parser's position and fill in the token.
// vrmi_json_scan_string() expects an opening quote.
bool vrmi_json_scan_string(vrmi_json_parser *p, vrmi_json_token *token);
// Reads a number. The parser is at a minus or a digit.
bool vrmi_json_scan_number(vrmi_json_parser *p, vrmi_json_token *token);
// Reads null, true or false. Fails for anything else.
bool vrmi_json_scan_word(vrmi_json_parser *p, vrmi_json_token *token);

#endif
