// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "platform.h"

void cli_slot_free(cli_slot *s)
{
    if (s->record_path.data != NULL) {
        remove(s->record_path.data);
    }
    vrmi_text_free(&s->output);
    vrmi_text_free(&s->record_path);
    vrmi_text_free(&s->facts);
    if (s->out != NULL) {
        fclose(s->out);
    }
    if (s->err != NULL) {
        fclose(s->err);
    }
    *s = (cli_slot){0};
}

// Collects the dialect and the permissions for everyone, if the file is a readable model.
static void peek(cli_slot *s, const vrm_bytes *bytes)
{
    vrm_peek *found = NULL;
    const vrm_result result =
        bytes->size != 0 ? vrm_peek_create(NULL, bytes->data, bytes->size, NULL, &found) : VRM_ERROR_NOT_GLTF;
    if (result != VRM_SUCCESS) {
        s->facts.failed = result == VRM_ERROR_OUT_OF_MEMORY;
        return;
    }
    vrm_peek_info info = {.struct_size = sizeof info};
    vrm_meta meta = {.struct_size = sizeof meta};
    vrm_peek_get_info(found, &info);
    vrm_peek_get_meta(found, &meta);
    cli_json json = {&s->facts, true};
    cli_json_text(&json, "dialect", info.dialect);
    if (info.dialect[0] != '\0') {
        cli_json_open(&json, "rights", '{');
        for (int use = 0; use < VRM_USE_COUNT; ++use) {
            const vrm_permission permission = vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_EVERYONE, NULL);
            cli_json_text(&json, cli_json_camel(vrm_use_name((vrm_use)use)).text, cli_manifest_permissions[permission]);
        }
        cli_json_close(&json, '}');
    }
    vrm_peek_destroy(found);
}

static bool is_as_before(const cli_many_run *r, const cli_slot *s)
{
    const cli_key hash = cli_key_of(&s->hash);
    const cli_done *done = r->keeps_manifest ? cli_manifest_find(&r->manifest, s->from->path, r->options.text) : NULL;
    if (done == NULL || cli_key_compare(&done->input_hash, &hash) != 0 || done->exit_code == CLI_EXIT_AGAIN) {
        return false;
    }
    if (r->pattern == NULL || done->exit_code != CLI_EXIT_DONE) {
        return true;
    }
    return s->output.data != NULL && done->output == cli_key_of_text(s->output.data).high &&
           cli_platform_path_kind(s->output.data, true) == CLI_PATH_FILE;
}

static bool start(cli_many_run *r, cli_slot *s)
{
    const cli_many *many = r->many;
    const char **arguments = calloc((size_t)many->kept.count + 10, sizeof *arguments);
    uint32_t count = 0;
    s->out = tmpfile();
    s->err = tmpfile();
    vrmi_text_init(&s->record_path, NULL);
    vrmi_text_format(&s->record_path, "%s.%lld-%llu.part", many->manifest != NULL ? many->manifest : "",
        (long long)cli_platform_process(), (unsigned long long)(cli_hash_text(s->from->path)));
    if (arguments == NULL || s->out == NULL || s->err == NULL || s->record_path.failed) {
        free((void *)arguments);
        return false;
    }
    arguments[count++] = "vrm";
    arguments[count++] = r->job->command->name;
    for (uint32_t i = 0; i < many->kept.count; ++i) {
        arguments[count++] = many->kept.items[i];
    }
    if (r->keeps_manifest) {
        arguments[count++] = "--record";
        arguments[count++] = s->record_path.data;
    }
    if (r->pattern != NULL) {
        arguments[count++] = "-o";
        arguments[count++] = s->output.data;
    }
    arguments[count++] = "--";
    arguments[count++] = s->from->path;
    const bool started = cli_platform_start(arguments, s->out, s->err, &s->process);
    free((void *)arguments);
    s->started = cli_platform_seconds();
    s->state = CLI_SLOT_RUNNING;
    return started;
}

static void end_without(cli_slot *s, int code, const char *why)
{
    s->state = CLI_SLOT_ENDED;
    s->code = code;
    s->why = why;
}

// Begins the next file. Returns false if nothing has to be done or reported for the file.
bool cli_slot_begin(cli_many_run *r, cli_slot *s, const cli_source *from)
{
    *s = (cli_slot){.from = from};
    vrmi_text_init(&s->output, NULL);
    vrmi_text_init(&s->facts, NULL);
    vrm_bytes bytes = {0};
    const vrm_result result = vrm_read_file(from->path, r->job->limits.max_file_size, NULL, &bytes);
    s->size = bytes.size;
    s->hash = cli_digest_of(bytes.data != NULL ? bytes.data : "", bytes.size);
    if (r->pattern != NULL) {
        cli_add_output(&s->output, r->pattern, from, s->hash.text);
    }
    bool wanted = true;
    if (result != VRM_SUCCESS) {
        end_without(s, cli_exit_of(r->job, result), cli_why_unread(r->job, from->path, result));
    } else if (s->output.failed) {
        end_without(s, CLI_EXIT_AGAIN, cli_sentence_of(r->job, VRM_ERROR_OUT_OF_MEMORY));
    } else if (is_as_before(r, s)) {
        ++r->as_before;
        wanted = false;
    } else if (r->many->skip_existing && r->pattern != NULL &&
               cli_platform_path_kind(s->output.data, true) == CLI_PATH_FILE) {
        ++r->skipped;
        wanted = false;
    } else if (r->pattern != NULL && !cli_make_folders(s->output.data)) {
        end_without(s, CLI_EXIT_OUTPUT, "the output's folder could not be created");
    } else {
        if (r->keeps_manifest) {
            peek(s, &bytes);
        }
        if (!start(r, s)) {
            end_without(s, CLI_EXIT_AGAIN, "no process could be started for this file");
        }
    }
    vrm_bytes_free(&bytes);
    if (!wanted) {
        cli_slot_free(s);
    }
    return wanted;
}

void cli_slot_poll(const cli_many_run *r, cli_slot *s)
{
    int code = 0;
    if (s->state != CLI_SLOT_RUNNING) {
        return;
    }
    s->seconds = cli_platform_seconds() - s->started;
    if (cli_platform_has_ended(s->process, &code, &s->memory)) {
        if (code < 0) {
            end_without(s, CLI_EXIT_INTERNAL, "the process for this file crashed");
        } else if (code == 127) {
            end_without(s, CLI_EXIT_AGAIN, "no process could be started for this file");
        } else {
            end_without(s, code, NULL);
        }
    } else if (r->many->file_timeout > 0.0 && s->seconds > r->many->file_timeout) {
        cli_platform_end(s->process);
        end_without(s, CLI_EXIT_LIMIT, "took longer than --file-timeout");
    }
}
