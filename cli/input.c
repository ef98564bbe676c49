// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

// Reads a stream. A pipe's size is not known in advance, so the buffer doubles, within the limit.
static vrm_result read_stream(cli_job *job, int file, vrm_bytes *out_bytes)
{
    vrm_bytes bytes = {.allocator = job->allocator};
    size_t capacity = 0;
    for (;;) {
        if (bytes.size == capacity) {
            const size_t larger = capacity == 0 ? 1u << 16 : capacity * 2;
            void *room = vrmi_allocate(&job->allocator, larger, 16);
            if (room == NULL) {
                vrmi_release(&job->allocator, bytes.data, capacity);
                return VRM_ERROR_OUT_OF_MEMORY;
            }
            if (bytes.size != 0) {
                memcpy(room, bytes.data, bytes.size);
            }
            vrmi_release(&job->allocator, bytes.data, capacity);
            bytes.data = room;
            capacity = larger;
        }
        const int64_t got = cli_platform_read(file, (char *)bytes.data + bytes.size, capacity - bytes.size);
        bytes.size += got > 0 ? (size_t)got : 0;
        const vrm_result failure = got == -2 || cli_cancelled()             ? VRM_ERROR_CANCELLED
                                   : got < 0                                ? VRM_ERROR_READ
                                   : bytes.size > job->limits.max_file_size ? VRM_ERROR_LIMIT
                                                                            : VRM_SUCCESS;
        if (failure != VRM_SUCCESS) {
            vrmi_release(&job->allocator, bytes.data, capacity);
            return failure;
        }
        if (got == 0) {
            break;
        }
    }
    // vrm_bytes are freed with their size, so they move to a block of exactly that size.
    void *exact = vrmi_allocate(&job->allocator, bytes.size != 0 ? bytes.size : 1, 16);
    if (exact != NULL && bytes.size != 0) {
        memcpy(exact, bytes.data, bytes.size);
    }
    vrmi_release(&job->allocator, bytes.data, capacity);
    if (exact == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    if (bytes.size == 0) {
        vrmi_release(&job->allocator, exact, 1);
        exact = NULL;
    }
    *out_bytes = (vrm_bytes){exact, bytes.size, job->allocator};
    return VRM_SUCCESS;
}

static vrm_result read_any(cli_job *job, const char *path, vrm_bytes *out_bytes)
{
    int file = 0;
    if (strcmp(path, "-") == 0) {
        return read_stream(job, 0, out_bytes);
    }
    if (cli_platform_open_stream(path, &file)) {
        const vrm_result result = read_stream(job, file, out_bytes);
        cli_platform_close(file);
        return result;
    }
    return vrm_read_file(path, job->limits.max_file_size, &job->allocator, out_bytes);
}

const char *cli_why_unread(const cli_job *job, const char *path, vrm_result result)
{
    if (result == VRM_ERROR_LIMIT) {
        return "larger than the limit of 2 GiB";
    }
    const bool folder = strcmp(path, "-") != 0 && cli_platform_path_kind(path, true) == CLI_PATH_FOLDER;
    return folder ? "is a folder; name a file" : cli_sentence_of(job, result);
}

const char *cli_why_unloaded(const cli_job *job, vrm_result result, cli_words *buffer)
{
    for (uint32_t i = 0; i < vrm_report_get_count(job->report); ++i) {
        const vrm_finding *finding = vrm_report_get_finding(job->report, i);
        if (result == VRM_ERROR_NOT_GLTF && finding->id == VRM_FINDING_GLB_LENGTH_MISMATCH) {
            return vrmi_format(
                buffer->text, sizeof buffer->text, "cut off: %s declared, %s found", finding->expected, finding->found);
        }
        if (result == VRM_ERROR_NOT_GLTF && finding->id == VRM_FINDING_GLB_INVALID_MAGIC && finding->found[0] != '\0') {
            return strcmp(finding->found, "0 bytes") == 0
                       ? "the file is empty"
                       : vrmi_format(buffer->text, sizeof buffer->text, "the file is %s, not glTF 2.0", finding->found);
        }
        if (result == VRM_ERROR_NOT_GLTF && finding->id == VRM_FINDING_GLB_UNEXPECTED_END_OF_HEADER) {
            return vrmi_format(buffer->text, sizeof buffer->text, "cut off: a GLB header has %s, %s found",
                finding->expected, finding->found);
        }
    }
    return cli_sentence_of(job, result);
}

int cli_begin_input(cli_job *job, const char *path)
{
    vrm_report_clear(job->report);
    job->task = path;
    if (strcmp(path, "-") == 0) {
        if (job->stdin_taken) {
            return cli_fail(job, CLI_EXIT_USAGE, "stdin can be read only once");
        }
        job->stdin_taken = true;
    }
    if (!cli_note_input(job, path)) {
        return cli_fail(job, CLI_EXIT_AGAIN, "%s: %s", path, cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
    }
    return job->output != NULL ? cli_guard_input(job, job->output) : CLI_EXIT_DONE;
}

int cli_read_input(cli_job *job, const char *path, bool silent, vrm_bytes *out_bytes, vrm_result *out_result)
{
    *out_bytes = (vrm_bytes){0};
    *out_result = VRM_ERROR_INVALID_ARGUMENT;
    int code = cli_begin_input(job, path);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    *out_result = read_any(job, path, out_bytes);
    code = cli_exit_of(job, *out_result);
    if (code != CLI_EXIT_DONE && !silent) {
        cli_fail(job, code, "%s: %s", path, cli_why_unread(job, path, *out_result));
    }
    return code;
}

bool cli_wants_glb(const cli_job *job)
{
    return job->output != NULL &&
           (cli_has_suffix(job->output, ".vrm", true) || cli_has_suffix(job->output, ".glb", true));
}

// Converts the model's bytes to a GLB, which needs no other files.
static vrm_result pack(const vrm_gltf_def *def, cli_model *model)
{
    vrm_bytes packed = {0};
    vrm_result result = vrm_gltf_pack(model->gltf, &packed);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrm_gltf_destroy(model->gltf);
    vrm_bytes_free(&model->bytes);
    model->gltf = NULL;
    model->bytes = packed;
    return vrm_gltf_load(def, model->bytes.data, model->bytes.size, NULL, &model->gltf);
}

vrm_result cli_load_bytes(cli_job *job, uint32_t flags, cli_model *model)
{
    cli_beside where = {model->path, job};
    vrm_gltf_def gltf;
    vrm_gltf_def_default(&gltf);
    gltf.borrow_bytes = true;
    gltf.allocator = job->allocator;
    gltf.limits = job->limits;
    gltf.read = cli_read_beside;
    gltf.read_user = &where;
    gltf.strict = job->common.strict;
    gltf.progress = cli_progress;
    gltf.progress_user = job;
    vrm_result result = vrm_gltf_load(&gltf, model->bytes.data, model->bytes.size, job->report, &model->gltf);
    if (result == VRM_SUCCESS && ((flags & CLI_LOAD_PACKED) != 0 || cli_wants_glb(job)) &&
        (vrm_gltf_get_flags(model->gltf) & VRM_GLTF_BINARY) == 0) {
        result = pack(&gltf, model);
    }
    if (result != VRM_SUCCESS || (flags & CLI_LOAD_AVATAR) == 0) {
        return result;
    }
    vrm_avatar_def avatar;
    vrm_avatar_def_default(&avatar);
    avatar.allocator = job->allocator;
    avatar.limits = job->limits;
    avatar.progress = cli_progress;
    avatar.progress_user = job;
    avatar.prefer = (vrm_prefer)job->dialect.prefer;
    avatar.look_at_unit = (vrm_look_at_unit)job->dialect.look_at_unit;
    avatar.look_at_range = (vrm_look_at_range)job->dialect.look_at_range;
    avatar.strict = job->common.strict;
    avatar.allow_plain_gltf = (flags & CLI_LOAD_PLAIN) != 0;
    return vrm_avatar_import(&avatar, model->gltf, job->report, &model->avatar);
}

// Opens a cooked avatar. On failure, prints the reason and returns the exit code.
static int open_cooked(cli_job *job, cli_model *model)
{
    model->result = vrm_avatar_open(model->bytes.data, model->bytes.size, &job->allocator, &model->avatar);
    const int code = cli_exit_of(job, model->result);
    switch (model->result) {
    case VRM_SUCCESS:
        return code;
    case VRM_ERROR_UNSUPPORTED:
        return cli_fail(job, code,
            "%s: this cooked avatar was made by another version of libvrm or for another kind of machine; cook its "
            "model again (vrm cook)",
            model->path);
    case VRM_ERROR_INVALID_ASSET:
        return cli_fail(job, code, "%s: this cooked avatar is damaged; cook its model again (vrm cook)", model->path);
    default:
        return cli_fail(job, code, "%s: %s", model->path, cli_sentence_of(job, model->result));
    }
}

static void note_compression(const cli_job *job, cli_model *model)
{
    for (uint32_t i = 0; i < vrm_report_get_count(job->report); ++i) {
        const vrm_finding *finding = vrm_report_get_finding(job->report, i);
        if (finding->id == VRM_FINDING_EXTENSION_GEOMETRY_UNREADABLE) {
            const char *name = cli_compression_name(finding->found);
            vrmi_format(model->compression, sizeof model->compression, "%s (%s)", name != NULL ? name : "an extension",
                finding->found);
        }
    }
}

static bool is_repaired(const cli_model *model)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    if (model->avatar != NULL) {
        vrm_avatar_get_counts(model->avatar, &counts);
    }
    return (counts.flags & VRM_AVATAR_REPAIRED) != 0;
}

int cli_load(cli_job *job, const char *path, uint32_t flags, cli_model *out_model)
{
    *out_model = (cli_model){.path = path};
    const bool silent = (flags & CLI_LOAD_SILENT) != 0;
    int code = cli_read_input(job, path, silent, &out_model->bytes, &out_model->result);
    if (code != CLI_EXIT_DONE || (flags & (CLI_LOAD_GLTF | CLI_LOAD_AVATAR)) == 0) {
        return code;
    }
    if ((flags & CLI_LOAD_COOKED) != 0 && vrm_avatar_is_cooked(out_model->bytes.data, out_model->bytes.size)) {
        return open_cooked(job, out_model);
    }
    if ((flags & CLI_LOAD_REPAIRED) != 0) {
        out_model->result = cli_repair(job, path, &out_model->bytes);
    }
    if (out_model->result == VRM_SUCCESS) {
        out_model->result = cli_load_bytes(job, flags, out_model);
    }
    note_compression(job, out_model);
    cli_record_findings(job);
    code = cli_exit_of(job, out_model->result);
    if (code == CLI_EXIT_DONE && job->output != NULL && cli_has_suffix(job->output, ".gltf", true) &&
        (vrm_gltf_get_flags(out_model->gltf) & VRM_GLTF_BINARY) != 0) {
        return cli_fail(job, CLI_EXIT_USAGE, "%s: the output will be a GLB, because %s is one; name it .vrm or .glb",
            job->output, path);
    }
    if (!silent) {
        cli_print_findings(job, path, VRM_SEVERITY_WARNING);
        if (is_repaired(out_model)) {
            cli_say(job, "%s: was repaired while reading; --strict refuses such files", path);
        }
        if (code != CLI_EXIT_DONE) {
            cli_words words;
            cli_fail(job, code, "%s: %s", path, cli_why_unloaded(job, out_model->result, &words));
        }
    }
    return code;
}

void cli_model_free(cli_model *model)
{
    vrm_avatar_release(model->avatar);
    vrm_gltf_destroy(model->gltf);
    vrm_bytes_free(&model->bytes);
    *model = (cli_model){0};
}

int cli_fail_vertices(cli_job *job, const cli_model *model, vrm_result result)
{
    if (result == VRM_ERROR_NOT_FOUND) {
        return cli_fail(job, CLI_EXIT_ASSET, "%s: the file lacks vertices that this command needs", model->path);
    }
    if (result == VRM_ERROR_UNSUPPORTED && model->compression[0] != '\0') {
        return cli_fail(job, CLI_EXIT_UNSUPPORTED,
            "%s: the vertices are compressed by %s, which libvrm does not read; export the model without compression",
            model->path, model->compression);
    }
    return cli_fail(job, cli_exit_of(job, result), "%s: %s", model->path, cli_sentence_of(job, result));
}

int cli_convert(cli_job *job, const cli_inputs *inputs, const cli_conversion *conversion, const void *options)
{
    if (conversion->output == NULL) {
        return cli_fail(job, CLI_EXIT_USAGE, "no output: name a file with -o %s", conversion->form);
    }
    cli_model model = {0};
    int code = cli_begin_output(job, conversion->output, conversion->force);
    if (code == CLI_EXIT_DONE) {
        code = cli_load(job, inputs->items[0], conversion->flags, &model);
    }
    if (code == CLI_EXIT_DONE) {
        code = conversion->work(job, &model, options);
    }
    cli_model_free(&model);
    return code;
}
