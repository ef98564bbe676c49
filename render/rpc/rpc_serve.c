// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "rpc.h"

#include <stdlib.h>
#include <string.h>

// Adds the id of the request unchanged, or null if the request has no valid id.
static void add_id(vrmi_text *out, const vrmi_json *json, uint32_t id)
{
    const vrm_string text = vrmi_json_text(json, id);
    const bool known = vrmi_json_is(json, id, VRMI_JSON_NUMBER) || vrmi_json_is(json, id, VRMI_JSON_STRING);
    vrmi_text_add_string(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    vrmi_text_add(out, known ? text.data : "null", known ? text.length : 4);
}

static void add_error(vrmi_text *out, const rpc_call *call)
{
    cli_json json = {out, true};
    cli_json_open(&json, "error", '{');
    cli_json_int(&json, "code", call->code);
    cli_json_text(&json, "message", call->message);
    if (call->data_name != NULL) {
        cli_json_open(&json, "data", '{');
        cli_json_text(&json, call->data_name, call->data.data != NULL ? call->data.data : "");
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, '}');
}

static bool find_method(rpc_call *call, const rpc_method **out)
{
    char name[64];
    const uint32_t method = vrmi_json_member(call->json, 0, "method");
    if (!vrmi_json_is(call->json, 0, VRMI_JSON_OBJECT)) {
        return rpc_fail(call, RPC_INVALID_REQUEST, "a request must be an object");
    }
    if (!vrmi_json_is(call->json, method, VRMI_JSON_STRING)) {
        return rpc_fail(call, RPC_INVALID_REQUEST, "method is missing: expected a string");
    }
    const bool whole = vrmi_json_unescape(call->json, method, name, sizeof name) < sizeof name;
    for (uint32_t i = 0; whole && i < rpc_method_count; ++i) {
        if (strcmp(rpc_methods[i].name, name) == 0) {
            *out = &rpc_methods[i];
            return true;
        }
    }
    return rpc_fail(call, RPC_UNKNOWN_METHOD, "there is no method %s; vrm rpc describe lists them", name);
}

static bool find_params(rpc_call *call)
{
    call->params = vrmi_json_member(call->json, 0, "params");
    if (vrmi_json_is(call->json, call->params, VRMI_JSON_NULL)) {
        call->params = VRMI_JSON_NONE;
    }
    return call->params == VRMI_JSON_NONE || vrmi_json_is(call->json, call->params, VRMI_JSON_OBJECT) ||
           rpc_fail(call, RPC_PARAMS, "params must be an object");
}

// Composes the response to one message. Returns false if memory runs out.
static bool answer(rpc_server *server, const char *body, size_t size, const char *fault, vrmi_text *out)
{
    vrmi_json json = {0};
    vrmi_text result;
    cli_json writer = {&result, false};
    rpc_call call = {.server = server, .json = &json, .params = VRMI_JSON_NONE, .result = &writer};
    const rpc_method *method = NULL;
    vrmi_text_init(&result, NULL);
    vrmi_text_init(&call.data, NULL);
    vrm_report_clear(server->job->report);
    const vrm_result parsed =
        fault != NULL ? VRM_ERROR_INVALID_ASSET
                      : vrmi_json_parse(&json, body, size, &server->job->allocator, NULL, server->job->report);
    cli_json_open(&writer, NULL, '{');
    if (fault != NULL) {
        rpc_fail(&call, RPC_PARSE, "%s", fault);
    } else if (parsed == VRM_ERROR_OUT_OF_MEMORY) {
        rpc_fail_memory(&call);
    } else if (parsed != VRM_SUCCESS) {
        const vrm_finding *finding = vrm_report_get_finding(server->job->report, 0);
        rpc_fail(&call, RPC_PARSE, "the message is not JSON%s%s", finding != NULL ? ": expected " : "",
            finding != NULL ? finding->expected : "");
    } else if (find_method(&call, &method) && find_params(&call)) {
        (void)rpc_run(&call, method);
    }
    cli_json_close(&writer, '}');
    if (call.code == 0 && result.failed) {
        rpc_fail_memory(&call);
    }
    add_id(out, &json, parsed == VRM_SUCCESS ? vrmi_json_member(&json, 0, "id") : VRMI_JSON_NONE);
    if (call.code != 0) {
        add_error(out, &call);
    } else {
        vrmi_text_add_string(out, ",\"result\":");
        vrmi_text_add(out, result.data, result.size);
    }
    vrmi_text_add_string(out, "}");
    vrmi_json_free(&json);
    vrmi_text_free(&result);
    vrmi_text_free(&call.data);
    return !out->failed;
}

static int serve(rpc_server *server, rpc_reader *reader)
{
    for (;;) {
        size_t size = 0;
        const rpc_frame frame = rpc_read_frame(reader, &size);
        if (frame == RPC_FRAME_END) {
            return CLI_EXIT_DONE;
        }
        if (frame == RPC_FRAME_STOPPED) {
            return cli_fail(server->job, cli_exit_of(server->job, VRM_ERROR_CANCELLED), "%s",
                cli_sentence_of(server->job, VRM_ERROR_CANCELLED));
        }
        vrmi_text out;
        vrmi_text_init(&out, NULL);
        const bool good = frame != RPC_FRAME_NO_MEMORY &&
                          answer(server, reader->body, size, frame == RPC_FRAME_MESSAGE ? NULL : reader->fault, &out);
        const bool written = good && rpc_write_frame(&out);
        vrmi_text_free(&out);
        if (!good) {
            return cli_fail(server->job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(server->job, VRM_ERROR_OUT_OF_MEMORY));
        }
        if (!written) {
            return cli_fail(server->job, CLI_EXIT_AGAIN, "a response could not be written");
        }
        if (frame == RPC_FRAME_LAST) {
            return CLI_EXIT_DONE;
        }
    }
}

int rpc_serve(rpc_server *server)
{
    rpc_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return cli_fail(server->job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(server->job, VRM_ERROR_OUT_OF_MEMORY));
    }
    cli_platform_binary_streams();
    const int code = serve(server, reader);
    rpc_reader_free(reader);
    free(reader);
    return code;
}

int run_rpc(const cli_inputs *inputs, const void *options, cli_job *job)
{
    rpc_server server = {.job = job, .options = options};
    int code;
    if (inputs->count == 1 && strcmp(inputs->items[0], "describe") == 0) {
        return rpc_describe(job, server.options->format == 1);
    }
    if (inputs->count == 1) {
        return cli_fail(
            job, CLI_EXIT_USAGE, "%s: expected describe, or MANIFEST.json RESULTS.ndjson", inputs->items[0]);
    }
    code = inputs->count == 0 ? rpc_serve(&server) : rpc_batch(&server, inputs->items[0], inputs->items[1]);
    rpc_server_free(&server);
    return code;
}
