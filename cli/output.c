// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "platform.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stdout's first failure; what is printed later is lost too.
static int stdout_error;

// Names of files may hold anything.
static void add_word(vrmi_text *out, const char *word)
{
    cli_add_file_text(out, word, strlen(word));
}

// vrmi_text_format has no va_list form and messages are short: the formats used here are %s, %d, %u and %g.
static void format_message(vrmi_text *out, const char *format, va_list arguments)
{
    for (const char *c = format; *c != '\0'; ++c) {
        if (*c != '%') {
            vrmi_text_add(out, c, 1);
            continue;
        }
        switch (*++c) {
        case 's':
            add_word(out, va_arg(arguments, const char *));
            break;
        case 'd':
            vrmi_text_add_int(out, va_arg(arguments, int));
            break;
        case 'u':
            vrmi_text_add_uint(out, va_arg(arguments, unsigned));
            break;
        case 'g':
            vrmi_text_add_float(out, (float)va_arg(arguments, double));
            break;
        default:
            vrmi_text_add(out, c, 1);
        }
    }
}

static void print_message(cli_job *job, const char *format, va_list arguments)
{
    cli_progress_clear(job);
    vrmi_text line;
    vrmi_text_init(&line, NULL);
    vrmi_text_format(&line, "vrm %s: ", job->command->name);
    format_message(&line, format, arguments);
    vrmi_text_add_string(&line, "\n");
    if (line.data != NULL) {
        fwrite(line.data, 1, line.size, stderr);
    }
    job->heading = NULL;
    vrmi_text_free(&line);
}

int cli_fail(cli_job *job, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(job, format, arguments);
    va_end(arguments);
    return code;
}

void cli_say(cli_job *job, const char *format, ...)
{
    if (job->common.quiet) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    print_message(job, format, arguments);
    va_end(arguments);
}

static void write_stdout(const void *bytes, size_t size)
{
    if (stdout_error == 0 && size != 0) {
        errno = 0;
        if (fwrite(bytes, 1, size, stdout) != size) {
            stdout_error = errno != 0 ? errno : EIO;
        }
    }
}

int cli_guard_input(cli_job *job, const char *path)
{
    cli_file_id id;
    if (job->force || strcmp(path, "-") == 0 || !cli_platform_file_id(path, &id)) {
        return CLI_EXIT_DONE;
    }
    for (uint32_t i = 0; i < job->read_count; ++i) {
        if (job->read[i].volume == id.volume && job->read[i].file == id.file) {
            return cli_fail(job, CLI_EXIT_USAGE, "%s: is the input; --force writes over it", path);
        }
    }
    return CLI_EXIT_DONE;
}

int cli_begin_output(cli_job *job, const char *path, bool force)
{
    job->output = path;
    job->force = force;
    if (strcmp(path, "-") == 0) {
        return cli_platform_is_terminal(1)
                   ? cli_fail(job, CLI_EXIT_USAGE, "stdout is a terminal; give a file or a pipe")
                   : CLI_EXIT_DONE;
    }
    if (!cli_platform_can_write(path)) {
        return cli_fail(job, CLI_EXIT_OUTPUT, "%s: %s", path, cli_sentence_of(job, VRM_ERROR_WRITE));
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
    const int refused = cli_guard_input(job, path); // files beside a model are read in the middle of the work
    if (refused != CLI_EXIT_DONE) {
        return refused;
    }
    if (strcmp(path, "-") == 0) {
        write_stdout(bytes, size);
        return cli_finish_stdout(job, CLI_EXIT_DONE);
    }
    const vrm_result result = vrm_write_file(path, bytes, size);
    if (result != VRM_SUCCESS) {
        return cli_fail(job, cli_exit_of(job, result), "%s: %s", path, cli_sentence_of(job, result));
    }
    return CLI_EXIT_DONE;
}

// The first element of an array whose bytes lie beside the document; false without one.
static bool lies_beside(const vrm_gltf *gltf, const char *name, vrm_gltf_array array, vrm_string *out_uri)
{
    char pointer[48];
    for (uint32_t i = 0; i < vrm_gltf_count(gltf, array); ++i) {
        vrmi_format(pointer, sizeof(pointer), "/%s/%u/uri", name, i);
        if (vrm_gltf_json(gltf, pointer, out_uri) == VRM_SUCCESS && out_uri->length > 2 &&
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
            job, "%s: needs the files beside %s too, such as %s", path, model->path, name.failed ? "one" : name.data);
        vrmi_text_free(&name);
    }
    return code;
}

void cli_print(const vrmi_text *text)
{
    if (text->failed && stdout_error == 0) {
        stdout_error = ENOMEM;
    }
    write_stdout(text->data, text->size);
}

int cli_finish_stdout(cli_job *job, int code)
{
    errno = 0;
    if (fflush(stdout) != 0 && stdout_error == 0) {
        stdout_error = errno != 0 ? errno : EIO;
    }
    if (stdout_error == 0) {
        return code;
    }
    const bool again = stdout_error == ENOSPC || stdout_error == EIO || stdout_error == ENOMEM ||
                       stdout_error == EINTR || stdout_error == EFBIG;
    const int lost = again ? CLI_EXIT_AGAIN : CLI_EXIT_OUTPUT;
    cli_fail(job, lost, "stdout: %s", strerror(stdout_error));
    return lost > code ? lost : code;
}

void cli_add_file_text(vrmi_text *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        const unsigned char c = (unsigned char)bytes[i], next = i + 1 < size ? (unsigned char)bytes[i + 1] : 0;
        if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
            vrmi_text_add_string(out, " ");
            ++i;
        } else {
            vrmi_text_add(out, c < 0x20 || c == 0x7f ? " " : &bytes[i], 1);
        }
    }
}

void cli_add_counts(vrmi_text *out, const cli_count *counts, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        const bool one = counts[i].number == 1;
        vrmi_text_format(out, "%s%llu %s%s", i == 0 ? "" : ", ", (unsigned long long)counts[i].number,
            one || counts[i].many == NULL ? counts[i].one : counts[i].many, one || counts[i].many != NULL ? "" : "s");
    }
}

const char *cli_styled(bool color, cli_style style)
{
    static const char *const codes[] = {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[32m"};
    return color ? codes[style] : "";
}
