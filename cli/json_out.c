// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "json_out.h"

#include <string.h>

static void add_name(cli_json *json, const char *name)
{
    if (json->comma) {
        vrmi_text_add_string(json->out, ",");
    }
    json->comma = true;
    if (name != NULL) {
        vrmi_text_add_json_string(json->out, name, strlen(name));
        vrmi_text_add_string(json->out, ":");
    }
}

void cli_json_open(cli_json *json, const char *name, char bracket)
{
    add_name(json, name);
    vrmi_text_add(json->out, &bracket, 1);
    json->comma = false;
}

void cli_json_close(cli_json *json, char bracket)
{
    vrmi_text_add(json->out, &bracket, 1);
    json->comma = true;
}

void cli_json_text(cli_json *json, const char *name, const char *value)
{
    add_name(json, name);
    vrmi_text_add_json_string(json->out, value, strlen(value));
}

void cli_json_view(cli_json *json, const char *name, vrm_string value)
{
    add_name(json, name);
    vrmi_text_add_json_string(json->out, value.length != 0 ? value.data : "", value.length);
}

void cli_json_uint(cli_json *json, const char *name, uint64_t value)
{
    add_name(json, name);
    vrmi_text_add_uint(json->out, value);
}

void cli_json_int(cli_json *json, const char *name, int64_t value)
{
    add_name(json, name);
    vrmi_text_add_int(json->out, value);
}

void cli_json_float(cli_json *json, const char *name, float value)
{
    add_name(json, name);
    vrmi_text_add_float(json->out, value);
}

void cli_json_floats(cli_json *json, const char *name, const float *values, uint32_t count)
{
    cli_json_open(json, name, '[');
    for (uint32_t i = 0; i < count; ++i) {
        cli_json_float(json, NULL, values[i]);
    }
    cli_json_close(json, ']');
}

void cli_json_bool(cli_json *json, const char *name, bool value)
{
    add_name(json, name);
    vrmi_text_add_string(json->out, value ? "true" : "false");
}

cli_json_name cli_json_camel(const char *words)
{
    cli_json_name name = {0};
    bool begins = false;
    size_t size = 0;
    for (; *words != '\0' && size + 1 < sizeof name.text; ++words) {
        const char c = *words;
        if (c == ' ' || c == '-' || c == '_') {
            begins = size != 0;
            continue;
        }
        name.text[size++] = begins && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        begins = false;
    }
    return name;
}
