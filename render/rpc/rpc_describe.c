// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "rpc.h"

#include <string.h>

static const char *const type_words[] = {"string", "number", "u32", "bool", "vec3", "object"};

static void add_json_parameter(cli_json *json, const rpc_parameter *p)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", p->name);
    cli_json_text(json, "type", type_words[p->type]);
    cli_json_bool(json, "required", p->required);
    if (p->words != NULL) {
        cli_json_open(json, "values", '[');
        for (const char *word = p->words; *word != '\0';) {
            const size_t size = strcspn(word, " ");
            cli_json_view(json, NULL, (vrm_string){word, (uint32_t)size});
            word += size + (word[size] == ' ');
        }
        cli_json_close(json, ']');
    }
    cli_json_close(json, '}');
}

static void add_json(vrmi_text *out)
{
    cli_json json = {out, false};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "name", "libvrm");
    cli_json_text(&json, "version", VRM_VERSION_STRING);
    cli_json_text(&json, "contract", "arkavo-org/vrm-conformance");
    cli_json_open(&json, "operations", '[');
    for (uint32_t i = 0; i < rpc_method_count; ++i) {
        const rpc_method *method = &rpc_methods[i];
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", method->name);
        cli_json_bool(&json, "implemented", method->run != NULL);
        if (method->phase != NULL) {
            cli_json_text(&json, "phase", method->phase);
        }
        cli_json_open(&json, "params", '[');
        for (uint32_t k = 0; k < RPC_MAX_PARAMETERS && method->parameters[k].name != NULL; ++k) {
            add_json_parameter(&json, &method->parameters[k]);
        }
        cli_json_close(&json, ']');
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    vrmi_text_add_string(out, "\n");
}

static void add_text(vrmi_text *out)
{
    for (uint32_t i = 0; i < rpc_method_count; ++i) {
        const rpc_method *method = &rpc_methods[i];
        vrmi_text_format(out, "%s%s%s\n", method->name, method->run == NULL ? ": reserved, " : "",
            method->run == NULL ? method->phase : "");
        for (uint32_t k = 0; k < RPC_MAX_PARAMETERS && method->parameters[k].name != NULL; ++k) {
            const rpc_parameter *p = &method->parameters[k];
            vrmi_text_format(out, "    %s%s: %s%s%s\n", p->name, p->required ? "" : "?", type_words[p->type],
                p->words != NULL ? ", " : "", p->words != NULL ? p->words : "");
        }
    }
}

int rpc_describe(cli_job *job, bool json)
{
    vrmi_text out;
    vrmi_text_init(&out, &job->allocator);
    (json ? add_json : add_text)(&out);
    cli_print(&out);
    vrmi_text_free(&out);
    return CLI_EXIT_DONE;
}
