// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "run.h"

#include <string.h>

#include "platform.h"

enum { LONGEST_SAID = 2000 }; // most bytes of a process's stderr that the manifest keeps

static void read_stream(FILE *file, size_t most, vrmi_text *out)
{
    char buffer[4096];
    rewind(file);
    for (size_t got; most > 0 && (got = fread(buffer, 1, most < sizeof buffer ? most : sizeof buffer, file)) > 0;) {
        vrmi_text_add(out, buffer, got);
        most -= got;
    }
}

static void add_findings(const cli_slot *s, vrmi_text *line)
{
    vrm_bytes bytes = {0};
    vrmi_text_add_string(line, ",\"findings\":");
    vrm_result result = VRM_ERROR_NOT_FOUND;
    if (s->record_path.data != NULL && cli_platform_path_kind(s->record_path.data, false) == CLI_PATH_FILE) {
        result = vrm_read_file(s->record_path.data, UINT64_C(1) << 28, NULL, &bytes);
    }
    line->failed = line->failed || result == VRM_ERROR_OUT_OF_MEMORY;
    if (result == VRM_SUCCESS && bytes.size > 2) {
        vrmi_text_add(line, bytes.data, bytes.size - 1); // without the final line feed
    } else {
        vrmi_text_add_string(line, "[]");
    }
    vrm_bytes_free(&bytes);
}

static void write_record(cli_many_run *r, const cli_slot *s, const vrmi_text *said)
{
    vrmi_text line;
    vrm_bytes written = {0};
    vrmi_text_init(&line, NULL);
    cli_json json = {&line, false};
    cli_json_open(&json, NULL, '{');
    cli_json_uint(&json, "schemaVersion", CLI_MANIFEST_VERSION);
    cli_json_text(&json, "input", s->from->path);
    cli_json_uint(&json, "inputBytes", s->size);
    cli_json_text(&json, "inputHash", s->hash.text);
    cli_json_text(&json, "command", r->job->command->name);
    cli_json_text(&json, "optionsHash", r->options.text);
    cli_json_uint(&json, "exitCode", (uint64_t)s->code);
    vrm_result result = VRM_ERROR_NOT_FOUND;
    if (r->pattern != NULL && s->code == CLI_EXIT_DONE) {
        result = vrm_read_file(s->output.data, UINT64_C(1) << 40, NULL, &written);
    }
    if (result == VRM_SUCCESS) {
        cli_json_text(&json, "output", s->output.data);
        cli_json_uint(&json, "outputBytes", written.size);
        cli_json_text(&json, "outputHash", cli_digest_of(written.data != NULL ? written.data : "", written.size).text);
        vrm_bytes_free(&written);
    }
    cli_json_float(&json, "seconds", (float)(int64_t)(s->seconds * 1000.0 + 0.5) / 1000.0f);
    cli_json_uint(&json, "memory", s->memory);
    if (said->size > 0) {
        cli_json_view(
            &json, "said", (vrm_string){said->data, said->size < LONGEST_SAID ? (uint32_t)said->size : LONGEST_SAID});
    }
    if (s->facts.size > 0) {
        vrmi_text_add(&line, s->facts.data, s->facts.size);
    }
    add_findings(s, &line);
    vrmi_text_add_string(&line, "}\n");
    // An incomplete record is not written, so that the next run processes the file again.
    line.failed = line.failed || s->facts.failed || result == VRM_ERROR_OUT_OF_MEMORY;
    if (!cli_manifest_add(&r->manifest, &line)) {
        const vrm_result why = line.failed ? VRM_ERROR_OUT_OF_MEMORY : VRM_ERROR_WRITE;
        r->code = cli_fail(r->job, CLI_EXIT_AGAIN, "%s: %s", r->many->manifest, cli_sentence_of(r->job, why));
    }
    vrmi_text_free(&line);
}

void cli_slot_finish(cli_many_run *r, cli_slot *s)
{
    vrmi_text out, said;
    vrmi_text_init(&out, NULL);
    vrmi_text_init(&said, NULL);
    if (s->out != NULL && s->err != NULL) {
        read_stream(s->out, SIZE_MAX, &out);
        read_stream(s->err, (size_t)1 << 20, &said);
    }
    cli_progress_clear(r->job);
    if (out.size > 0) {
        cli_print(&out);
    }
    if (said.size > 0) {
        fwrite(said.data, 1, said.size, stderr);
    }
    if (s->why != NULL) {
        cli_fail(r->job, s->code, "%s: %s", s->from->path, s->why);
        vrmi_text_add_string(&said, s->why);
    }
    if (r->keeps_manifest) {
        write_record(r, s, &said);
    }
    ++r->done;
    r->failed += s->code != CLI_EXIT_DONE;
    r->code = s->code > r->code ? s->code : r->code;
    vrmi_text_free(&said);
    vrmi_text_free(&out);
    cli_slot_free(s);
}
