// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

int cli_guard_input(cli_job *job, const char *path)
{
    cli_file_id id;
    if (job->force || strcmp(path, "-") == 0 || !cli_platform_file_id(path, &id)) {
        return CLI_EXIT_DONE;
    }
    for (uint32_t i = 0; i < job->read_count; ++i) {
        if (job->read[i].volume == id.volume && job->read[i].file == id.file) {
            return cli_fail(job, CLI_EXIT_USAGE, "%s: is also the input; -f (--force) overwrites it", path);
        }
    }
    return CLI_EXIT_DONE;
}

// Returns the reason why an output cannot be written, as far as its path shows it.
static const char *why_unwritten(const cli_job *job, const char *path, vrm_result result)
{
    char folder[1024];
    const size_t length = (size_t)(cli_file_name(path) - path);
    if (result != VRM_ERROR_WRITE || path[0] == '\0' || length >= sizeof folder) {
        return cli_sentence_of(job, result);
    }
    if (cli_platform_path_kind(path, true) == CLI_PATH_FOLDER) {
        return "is a folder; name a file";
    }
    vrmi_format(folder, sizeof folder, "%.*s", length > 1 ? (int)length - 1 : (int)length, path);
    switch (cli_platform_path_kind(length > 0 ? folder : ".", true)) {
    case CLI_PATH_FOLDER:
        return cli_sentence_of(job, result);
    case CLI_PATH_MISSING:
        return "its folder does not exist";
    default:
        return "its folder is a file";
    }
}

int cli_fail_output(cli_job *job, const char *path, vrm_result result)
{
    return cli_fail(job, cli_exit_of(job, result), "%s: %s", path, why_unwritten(job, path, result));
}

// Returns the suffix of a file name: the last dot and the text after it, which contains a letter. Returns NULL for
// version numbers ("avatar-1.2") and names without a suffix ("/dev/stdout").
static const char *suffix_of(const char *path)
{
    const char *name = cli_file_name(path), *dot = strrchr(name, '.');
    if (dot == NULL || dot == name) {
        return NULL;
    }
    for (const char *c = dot + 1; *c != '\0'; ++c) {
        if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')) {
            return dot;
        }
    }
    return NULL;
}

int cli_check_ending(cli_job *job, const char *path)
{
    const char *endings = job->command->endings;
    if (endings == NULL || suffix_of(path) == NULL) {
        return CLI_EXIT_DONE;
    }
    for (const char *at = endings; *at != '\0'; at += strspn(at, " ")) {
        char ending[16];
        const size_t length = strcspn(at, " ");
        vrmi_format(ending, sizeof ending, "%.*s", (int)length, at);
        if (cli_has_suffix(path, ending, true)) {
            return CLI_EXIT_DONE;
        }
        at += length;
    }
    return cli_fail(job, CLI_EXIT_USAGE, "--output %s: expected a name that ends in one of: %s", path, endings);
}

int cli_begin_output(cli_job *job, const char *path, bool force)
{
    job->output = path;
    job->force = force;
    const int misnamed = cli_check_ending(job, path);
    if (misnamed != CLI_EXIT_DONE) {
        return misnamed;
    }
    if (strcmp(path, "-") == 0) {
        return cli_platform_is_terminal(1)
                   ? cli_fail(job, CLI_EXIT_USAGE, "stdout is a terminal; name a file or use a pipe")
                   : CLI_EXIT_DONE;
    }
    if (!cli_platform_can_write(path)) {
        return cli_fail_output(job, path, VRM_ERROR_WRITE);
    }
    return cli_guard_input(job, path);
}

bool cli_note_input(cli_job *job, const char *path)
{
    cli_file_id id;
    if (!cli_platform_file_id(path, &id)) {
        return true;
    }
    if (job->read_count == job->read_capacity) {
        const uint32_t capacity = job->read_capacity == 0 ? 8 : job->read_capacity * 2;
        cli_file_id *grown = realloc(job->read, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        job->read = grown;
        job->read_capacity = capacity;
    }
    job->read[job->read_count++] = id;
    return true;
}

int cli_write_output(cli_job *job, const char *path, const void *bytes, size_t size)
{
    if (cli_cancelled()) {
        return cli_fail(job, cli_exit_of(job, VRM_ERROR_CANCELLED), "%s: stopped before writing", path);
    }
    const int refused = cli_guard_input(job, path); // while the verb worked, it may have read more files of the model
    if (refused != CLI_EXIT_DONE) {
        return refused;
    }
    if (strcmp(path, "-") == 0) {
        cli_print_bytes(bytes, size);
        return cli_finish_stdout(job, CLI_EXIT_DONE);
    }
    const vrm_result result = vrm_write_file(path, bytes, size);
    return result == VRM_SUCCESS ? CLI_EXIT_DONE : cli_fail_output(job, path, result);
}

// Finds the first element of an array whose bytes are in a file beside the document. Returns false if there is none.
static bool lies_beside(const vrm_gltf *gltf, const char *name, vrm_gltf_array array, vrm_string *out_uri)
{
    char pointer[48];
    for (uint32_t i = 0; i < vrm_gltf_get_count(gltf, array); ++i) {
        vrmi_format(pointer, sizeof(pointer), "/%s/%u/uri", name, i);
        if (vrm_gltf_get_json(gltf, pointer, out_uri) == VRM_SUCCESS && out_uri->length > 2 &&
            strncmp(out_uri->data, "\"data:", 6) != 0) {
            return true;
        }
    }
    return false;
}

int cli_write_model(cli_job *job, const cli_model *model, const char *path, const vrm_bytes *bytes)
{
    const int code = cli_write_output(job, path, bytes->data, bytes->size);
    const size_t folder = (size_t)(cli_file_name(path) - path);
    vrm_string uri;
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    const bool moved =
        folder != (size_t)(cli_file_name(model->path) - model->path) || strncmp(path, model->path, folder) != 0;
    if (moved && (lies_beside(model->gltf, "buffers", VRM_GLTF_BUFFERS, &uri) ||
                     lies_beside(model->gltf, "images", VRM_GLTF_IMAGES, &uri))) {
        vrmi_text name;
        vrmi_text_init(&name, NULL);
        cli_add_file_text(&name, uri.data, uri.length);
        cli_say(
            job, "%s: also needs the files beside %s, such as %s", path, model->path, name.failed ? "one" : name.data);
        vrmi_text_free(&name);
    }
    return code;
}
