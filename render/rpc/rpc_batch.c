// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs the tests of a manifest one after the other, by the functions of the operations. Writes a line of JSON for each
// test.

#include "rpc.h"

#include <stdlib.h>
#include <string.h>

typedef struct batch {
    rpc_server *server;
    vrmi_json json;
    uint32_t tests;
    char *folder, *renderer;
    vrmi_text out;
} batch;

// The state of a running test.
typedef struct batch_test {
    batch *batch;
    uint32_t object;
    char *path;
    rpc_picture picture;
    double seconds;
} batch_test;

// Runs an operation on a member of the test. The member is an object with the parameters of the operation.
static bool run_part(
    rpc_call *call, uint32_t object, const char *name, const rpc_parameter *parameters, rpc_operation *run)
{
    const uint32_t before = call->params;
    char where[48];
    call->params = vrmi_json_member(call->json, object, name);
    vrmi_format(where, sizeof where, "%s.", name);
    const bool good = vrmi_json_is(call->json, call->params, VRMI_JSON_OBJECT)
                          ? rpc_check(call, parameters, call->params, where) && run(call)
                          : rpc_fail(call, RPC_PARAMS, "%s is missing: expected an object", name);
    call->params = before;
    return good;
}

static bool apply_vrma(rpc_call *call)
{
    char *path = rpc_text(call, call->params, "path");
    const double time = rpc_number(call, call->params, "apply_at_time", 0.0);
    const bool good = path != NULL && rpc_open_clip(call, path) &&
                      rpc_apply_clip(call, call->server->clips[call->server->clip_count - 1], time > 0.0 ? time : 0.0);
    free(path);
    if (good) {
        rpc_update(call->session, 0.0);
    }
    return good;
}

// Returns the parameters of the operation with this name, without the session.
static const rpc_parameter *parameters_of(const char *name)
{
    uint32_t i = 0;
    while (strcmp(rpc_methods[i].name, name) != 0) {
        ++i;
    }
    return rpc_methods[i].parameters + 1;
}

static bool animate(rpc_call *call, uint32_t test)
{
    static const rpc_parameter vrma[] = {
        {"path", RPC_STRING, true, NULL}, {"apply_at_time", RPC_NUMBER, false, NULL}, {0}};
    const uint32_t animation = vrmi_json_member(call->json, test, "animation");
    if (rpc_has(call, animation, "vrma") && !run_part(call, animation, "vrma", vrma, apply_vrma)) {
        return false;
    }
    if (rpc_has(call, test, "physics") &&
        !run_part(call, test, "physics", parameters_of("reset_physics"), rpc_reset_physics)) {
        return false;
    }
    return !rpc_has(call, animation, "root_transform") ||
           run_part(call, animation, "root_transform", parameters_of("animate_root_transform"), rpc_animate_root);
}

static bool read_output(rpc_call *call)
{
    rpc_picture picture;
    return rpc_read_picture(call, &picture);
}

static bool draw(rpc_call *call, batch_test *t)
{
    static const rpc_parameter output[] = {{"width", RPC_UINT, true, NULL}, {"height", RPC_UINT, true, NULL},
        {"color_space", RPC_STRING, false, "Linear Srgb"}, {"msaa", RPC_UINT, false, NULL}, {0}};
    const uint32_t before = call->params;
    if (!run_part(call, t->object, "output", output, read_output)) {
        return false;
    }
    call->params = vrmi_json_member(call->json, t->object, "output");
    const bool good = rpc_read_picture(call, &t->picture);
    call->params = before;
    t->picture.path = t->path;
    return good && rpc_draw(call, &t->picture);
}

static bool run_test(rpc_call *call, batch_test *t)
{
    static const rpc_parameter needed[] = {
        {"test_id", RPC_STRING, true, NULL}, {"vrm_path", RPC_STRING, true, NULL}, {0}};
    if (!rpc_check(call, needed, t->object, "")) {
        return false;
    }
    if (rpc_has(call, t->object, "render_sequence")) {
        rpc_fail(call, RPC_UNIMPLEMENTED, "a batch cannot render sequences; use the operation render_sequence");
        rpc_fail_data(call, "phase", "v1.x-sequence");
        return false;
    }
    char *id = rpc_text(call, t->object, "test_id");
    char *path = id != NULL ? rpc_text(call, t->object, "vrm_path") : NULL;
    const size_t size = id != NULL ? strlen(t->batch->folder) + strlen(id) + strlen(t->batch->renderer) + 8 : 1;
    t->path = malloc(size);
    if (id == NULL || path == NULL || t->path == NULL) {
        free(id);
        free(path);
        return call->code == 0 ? rpc_fail_memory(call) : false;
    }
    vrmi_format(t->path, size, "%s/%s_%s.png", t->batch->folder, id, t->batch->renderer);
    const bool named = strpbrk(id, "/\\") == NULL || rpc_fail(call, RPC_PARAMS, "test_id %s contains a slash", id);
    free(id);
    if (!named) {
        free(path);
        return false;
    }
    return rpc_open(call, path) && run_part(call, t->object, "camera", parameters_of("set_camera"), rpc_set_camera) &&
           run_part(call, t->object, "lighting", parameters_of("set_lighting"), rpc_set_lighting) &&
           run_part(
               call, t->object, "post_processing", parameters_of("set_post_processing"), rpc_set_post_processing) &&
           animate(call, t->object) && draw(call, t);
}

static void add_line(batch *b, const rpc_call *call, const batch_test *t)
{
    cli_json json = {&b->out, false};
    const uint32_t id = vrmi_json_member(&b->json, t->object, "test_id");
    char name[256];
    (void)vrmi_json_unescape(&b->json, id, name, sizeof name);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "test_id", name);
    cli_json_text(&json, "status", call->code == 0 ? "ok" : "error");
    if (call->code == 0) {
        cli_json_text(&json, "output_path", t->path);
        cli_json_text(&json, "actual_color_space", t->picture.linear ? "Linear" : "Srgb");
        cli_json_float(&json, "render_seconds", (float)t->seconds);
    } else {
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
    cli_json_close(&json, '}');
    vrmi_text_add_string(&b->out, "\n");
}

static void work_on(batch *b, uint32_t object)
{
    vrmi_text nothing;
    cli_json sink = {&nothing, false};
    rpc_call call = {.server = b->server, .json = &b->json, .params = object, .result = &sink};
    batch_test test = {.batch = b, .object = object};
    vrmi_text_init(&nothing, NULL);
    vrmi_text_init(&call.data, NULL);
    const double started = cli_platform_seconds();
    (void)run_test(&call, &test);
    test.seconds = cli_platform_seconds() - started;
    add_line(b, &call, &test);
    if (call.session != NULL) {
        rpc_close_session(call.session);
    }
    free(test.path);
    vrmi_text_free(&nothing);
    vrmi_text_free(&call.data);
}

static void add_head(batch *b)
{
    cli_json json = {&b->out, false};
    cli_json_open(&json, NULL, '{');
    cli_json_bool(&json, "_meta", true);
    cli_json_uint(&json, "manifest_version", 1);
    cli_json_text(&json, "renderer_name", b->renderer);
    cli_json_text(&json, "renderer_version", VRM_VERSION_STRING);
    cli_json_text(&json, "unity_version", "");
    cli_json_text(&json, "render_pipeline", "OpenGL ES 3.0");
    cli_json_uint(&json, "total_tests", vrmi_json_count(&b->json, b->tests));
    cli_json_close(&json, '}');
    vrmi_text_add_string(&b->out, "\n");
}

// Reads the members of the manifest itself. An error in them ends the run.
static int begin(batch *b, const char *path)
{
    static const rpc_parameter members[] = {{"manifest_version", RPC_UINT, true, NULL},
        {"output_dir", RPC_STRING, true, NULL}, {"renderer_name", RPC_STRING, true, NULL}, {0}};
    cli_job *job = b->server->job;
    rpc_call call = {.server = b->server, .json = &b->json};
    b->tests = vrmi_json_member(&b->json, 0, "tests");
    if (!vrmi_json_is(&b->json, 0, VRMI_JSON_OBJECT) || !rpc_check(&call, members, 0, "")) {
        return cli_fail(
            job, CLI_EXIT_USAGE, "%s: %s", path, call.code != 0 ? call.message : "a manifest must be an object");
    }
    if (rpc_uint(&call, 0, "manifest_version", 0) != 1) {
        return cli_fail(job, CLI_EXIT_USAGE, "%s: manifest_version is %u: expected 1", path,
            rpc_uint(&call, 0, "manifest_version", 0));
    }
    if (!vrmi_json_is(&b->json, b->tests, VRMI_JSON_ARRAY)) {
        return cli_fail(job, CLI_EXIT_USAGE, "%s: tests is missing: expected an array", path);
    }
    b->folder = rpc_text(&call, 0, "output_dir");
    b->renderer = b->folder != NULL ? rpc_text(&call, 0, "renderer_name") : NULL;
    if (b->renderer == NULL) {
        return cli_fail(job, call.code == RPC_INTERNAL ? CLI_EXIT_AGAIN : CLI_EXIT_USAGE, "%s: %s", path, call.message);
    }
    if (strpbrk(b->renderer, "/\\") != NULL) {
        return cli_fail(job, CLI_EXIT_USAGE, "%s: renderer_name %s contains a slash", path, b->renderer);
    }
    return cli_platform_make_folder(b->folder)
               ? CLI_EXIT_DONE
               : cli_fail(job, CLI_EXIT_OUTPUT, "%s: the folder could not be created", b->folder);
}

static int run(batch *b, const char *manifest, const vrm_bytes *bytes)
{
    cli_job *job = b->server->job;
    const char *text = bytes->data != NULL ? bytes->data : "";
    const vrm_result result = vrmi_json_parse(&b->json, text, bytes->size, &job->allocator, NULL, job->report);
    if (result != VRM_SUCCESS) {
        cli_print_findings(job, manifest, VRM_SEVERITY_ERROR);
        return result == VRM_ERROR_INVALID_ASSET
                   ? cli_fail(job, CLI_EXIT_USAGE, "%s: not JSON", manifest)
                   : cli_fail(job, cli_exit_of(job, result), "%s: %s", manifest, cli_sentence_of(job, result));
    }
    const int code = begin(b, manifest);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    add_head(b);
    for (uint32_t test = vrmi_json_first(&b->json, b->tests); test != VRMI_JSON_NONE && !cli_cancelled();
         test = vrmi_json_next(&b->json, test)) {
        work_on(b, test);
    }
    return CLI_EXIT_DONE;
}

int rpc_batch(rpc_server *server, const char *manifest, const char *results)
{
    cli_job *job = server->job;
    batch b = {.server = server};
    vrm_bytes bytes = {0};
    vrm_result result;
    vrmi_text_init(&b.out, NULL);
    int code = cli_begin_output(job, results, false);
    code = code == CLI_EXIT_DONE ? cli_read_input(job, manifest, false, &bytes, &result) : code;
    code = code == CLI_EXIT_DONE ? run(&b, manifest, &bytes) : code;
    if (code == CLI_EXIT_DONE && b.out.failed) {
        code = cli_fail(job, CLI_EXIT_AGAIN, "%s: %s", results, cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
    }
    if (code == CLI_EXIT_DONE) {
        code = cli_write_output(job, results, b.out.data, b.out.size);
    }
    if (code == CLI_EXIT_DONE && cli_cancelled()) {
        code = cli_fail(job, cli_exit_of(job, VRM_ERROR_CANCELLED), "%s", cli_sentence_of(job, VRM_ERROR_CANCELLED));
    }
    vrmi_json_free(&b.json);
    vrmi_text_free(&b.out);
    vrm_bytes_free(&bytes);
    free(b.folder);
    free(b.renderer);
    return code;
}
