// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The first failure of stdout. Later output is dropped.
static int stdout_error;

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

// Adds a word without control characters, because file names may contain any.
static void add_word(vrmi_text *out, const char *word)
{
    cli_add_file_text(out, word, strlen(word));
}

// Formats a message. vrmi_text_format() has no form for va_list; messages use only %s, %d, %u and %g.
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

static void compose(vrmi_text *line, const cli_job *job, const char *format, va_list arguments)
{
    vrmi_text_format(line, "vrm %s: ", job->command->name);
    format_message(line, format, arguments);
    vrmi_text_add_string(line, "\n");
}

static void print_message(cli_job *job, const char *format, va_list arguments)
{
    cli_progress_clear(job);
    va_list again;
    va_copy(again, arguments);
    vrmi_text line;
    vrmi_text_init(&line, NULL);
    compose(&line, job, format, arguments);
    if (!line.failed) {
        fwrite(line.data, 1, line.size, stderr);
    } else { // a message about missing memory must not need memory
        char room[1024];
        vrmi_text cut = {.data = room, .capacity = sizeof room};
        compose(&cut, job, format, again);
        room[cut.size - 1] = '\n';
        fwrite(room, 1, cut.size, stderr);
    }
    va_end(again);
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

void cli_print_bytes(const void *bytes, size_t size)
{
    if (stdout_error == 0 && size != 0) {
        errno = 0;
        if (fwrite(bytes, 1, size, stdout) != size) {
            stdout_error = errno != 0 ? errno : EIO;
        }
    }
}

void cli_print(const vrmi_text *text)
{
    if (text->failed && stdout_error == 0) {
        stdout_error = ENOMEM;
    }
    cli_print_bytes(text->data, text->size);
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
