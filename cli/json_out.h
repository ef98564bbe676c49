// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

// Writes JSON as text, on one line. A NULL name writes an element of an array, any other name a member of an object.

#include <vrm/base.h>

#include "base/text.h"

typedef struct cli_json {
    vrmi_text *out;
    bool comma; // true if the next element at this level needs a comma before it
} cli_json;

void cli_json_open(cli_json *json, const char *name, char bracket); // '{' or '['
void cli_json_close(cli_json *json, char bracket);                  // '}' or ']'
void cli_json_text(cli_json *json, const char *name, const char *value);
void cli_json_view(cli_json *json, const char *name, vrm_string value);
void cli_json_uint(cli_json *json, const char *name, uint64_t value);
void cli_json_int(cli_json *json, const char *name, int64_t value);
void cli_json_float(cli_json *json, const char *name, float value);
void cli_json_floats(cli_json *json, const char *name, const float *values, uint32_t count);
void cli_json_bool(cli_json *json, const char *name, bool value);

// A member name composed of several words: '-', '_' and spaces between the words are dropped, so that "look-at" becomes
// "lookAt".
typedef struct cli_json_name {
    char text[48];
} cli_json_name;
cli_json_name cli_json_camel(const char *words);

#endif
