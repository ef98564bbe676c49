// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// `vrm rpc` as a target for libFuzzer (fixtures/fuzz.h). The input is a whole conversation on stdin, with a model that
// can be loaded. Requests that draw are left out, since they would test a GPU's driver.

#define _POSIX_C_SOURCE 200809L // fileno

#include "test.h"

#if defined(_WIN32)
int main(void)
{
    return 77; // the target redirects descriptors by POSIX calls
}
#else

#include <fcntl.h>
#include <unistd.h>

#include <vrm/vrm.h>

#include "avatar_file.h"
#include "rpc/rpc.h"

#include "fuzz.h"

static const char *model_path(void)
{
    static char path[64];
    if (path[0] == '\0') {
        size_t size = 0;
        uint8_t *file = avatar_file_make(&size);
        // The path is the same in all processes, since their corpora contain it.
        snprintf(path, sizeof path, "/tmp/vrm-fuzz-model.vrm");
        CHECK_INT(vrm_write_file(path, file, size), VRM_SUCCESS);
        free(file);
    }
    return path;
}

static bool has(const uint8_t *bytes, size_t size, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(bytes + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

// A request may ask for a million steps. Inputs with numbers of more than three digits are left out.
static bool takes_long(const uint8_t *bytes, size_t size)
{
    int digits = 0;
    bool fraction = false;
    for (size_t i = 0; i < size; ++i) {
        const bool digit = bytes[i] >= '0' && bytes[i] <= '9';
        digits = digit && !fraction ? digits + 1 : 0;
        fraction = bytes[i] == '.' || (fraction && digit);
        if (digits > 3 || (digit && i + 1 < size && (bytes[i + 1] == 'e' || bytes[i + 1] == 'E'))) {
            return true;
        }
    }
    return false;
}

static void run_rpc_input(const uint8_t *bytes, size_t size)
{
    static FILE *input, *output;
    if (has(bytes, size, "render") || has(bytes, size, "benchmark") || has(bytes, size, "\\u") ||
        takes_long(bytes, size)) {
        return;
    }
    if (input == NULL) {
        input = tmpfile();
        output = tmpfile();
    }
    (void)model_path();
    fflush(stdout);
    rewind(input);
    CHECK(ftruncate(fileno(input), 0) == 0 && ftruncate(fileno(output), 0) == 0);
    CHECK(write(fileno(input), bytes, size) == (ssize_t)size && lseek(fileno(input), 0, SEEK_SET) == 0);
    const int in = dup(0), out = dup(1);
    CHECK(lseek(fileno(output), 0, SEEK_SET) == 0 && dup2(fileno(input), 0) == 0 && dup2(fileno(output), 1) == 1);
    cli_job job = fuzz_job();
    const rpc_options options = {.format = 0};
    const cli_inputs none = {NULL, 0};
    const int code = run_rpc(&none, &options, &job);
    fflush(stdout);
    (void)dup2(in, 0);
    (void)dup2(out, 1);
    close(in);
    close(out);
    fuzz_job_end(&job);
    CHECK(code == CLI_EXIT_DONE || code == CLI_EXIT_AGAIN);
}

static vrm_bytes seed_rpc(void)
{
    const char *const bodies[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"load_vrm\",\"params\":{\"path\":\"/tmp/vrm-fuzz-model.vrm\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"two\",\"method\":\"set_camera\",\"params\":{\"session_id\":\"libvrm-1\","
        "\"position\":[0,1.4,2],\"target\":[0,1,0],\"up\":[0,1,0],\"fov_degrees\":30}}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"reset_physics\",\"params\":{\"session_id\":\"libvrm-1\",\"settle_"
        "steps\":3}}",
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"step_physics\",\"params\":{\"session_id\":\"libvrm-1\",\"dt_"
        "seconds\":0.0166,\"count\":2}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"animate_root_transform\",\"params\":{\"session_id\":\"libvrm-1\","
        "\"translation_start\":[0,0,0],\"translation_end\":[1,0,0.5],\"duration_seconds\":0.1,\"fps\":30}}",
        "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"dump_bone_positions\",\"params\":{\"session_id\":\"libvrm-1\","
        "\"spring_index\":0}}",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"set_post_processing\",\"params\":{\"session_id\":\"libvrm-1\","
        "\"tone_mapping\":\"Aces\",\"exposure\":1}}",
        "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"dump_humanoid_pose\",\"params\":{\"session_id\":\"libvrm-1\",\"as_"
        "spec_version\":\"1.0\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"dump_expression_weights\",\"params\":{\"session_id\":\"libvrm-1\"}"
        "}",
        "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"dump_look_at_state\",\"params\":{\"session_id\":\"libvrm-1\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"load_vrma\",\"params\":{\"vrma_path\":\"/tmp/"
        "vrm-fuzz-model.vrm\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"apply_vrma_at_time\",\"params\":{\"session_id\":\"libvrm-1\","
        "\"vrma_handle\":1,\"time_seconds\":0.5}}",
        "{\"jsonrpc\":\"2.0\",\"id\":13,\"method\":\"dispose\",\"params\":{\"session_id\":\"libvrm-1\"}}"};
    char text[4096];
    size_t size = 0;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
        size += (size_t)snprintf(
            text + size, sizeof text - size, "Content-Length: %zu\r\n\r\n%s", strlen(bodies[i]), bodies[i]);
    }
    return fuzz_copy_of(text, size);
}

static const fuzz_target targets[] = {{"rpc", run_rpc_input, seed_rpc}};

FUZZ_TARGETS(targets, (void)unlink(model_path()))

#endif
