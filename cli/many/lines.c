// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "platform.h"

enum { FIRST_ROOM = 1 << 16 };
static const size_t longest_line = (size_t)1 << 29; // a record has at most 2^28 bytes of findings

vrm_result cli_lines_open(const char *path, cli_lines *out)
{
    *out = (cli_lines){.file = 0};
    if (strcmp(path, "-") == 0) {
        return VRM_SUCCESS;
    }
    const cli_path_kind kind = cli_platform_path_kind(path, true);
    out->file = -1;
    if (!cli_platform_open_stream(path, &out->file)) {
        out->file = kind == CLI_PATH_FILE ? cli_platform_open(path) : -1;
    }
    out->owned = out->file >= 0;
    return out->owned ? VRM_SUCCESS : kind == CLI_PATH_MISSING ? VRM_ERROR_NOT_FOUND : VRM_ERROR_READ;
}

// Makes room after the bytes in the buffer, and reads more bytes.
static vrm_result read_more(cli_lines *lines)
{
    if (lines->begin > 0) {
        memmove(lines->text, lines->text + lines->begin, lines->end - lines->begin);
        lines->end -= lines->begin;
        lines->begin = 0;
    }
    if (lines->end + 1 >= lines->room) {
        if (lines->room >= longest_line) {
            return VRM_ERROR_LIMIT;
        }
        const size_t room = lines->room == 0 ? FIRST_ROOM : lines->room * 2;
        char *grown = realloc(lines->text, room);
        if (grown == NULL) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        lines->text = grown;
        lines->room = room;
    }
    // One byte stays free for the zero byte after the last line.
    const int64_t got = cli_platform_read(lines->file, lines->text + lines->end, lines->room - lines->end - 1);
    if (got < 0 || cli_cancelled()) {
        return got == -1 ? VRM_ERROR_READ : VRM_ERROR_CANCELLED;
    }
    lines->end += (size_t)got;
    lines->at_end = got == 0;
    return VRM_SUCCESS;
}

char *cli_lines_next(cli_lines *lines, size_t *out_length, vrm_result *out_result)
{
    size_t seen = 0; // bytes that were searched for a line feed already
    *out_result = VRM_SUCCESS;
    for (;;) {
        char *line = lines->text != NULL ? lines->text + lines->begin : NULL;
        const size_t there = lines->end - lines->begin;
        char *end = there > seen ? memchr(line + seen, '\n', there - seen) : NULL;
        if (end != NULL) {
            *out_length = (size_t)(end - line);
            lines->begin += *out_length + 1;
            lines->whole += *out_length + 1;
            return line;
        }
        if (lines->at_end) {
            lines->cut = lines->cut || there > 0;
            *out_length = there;
            lines->begin = lines->end;
            return there > 0 ? line : NULL;
        }
        seen = there;
        *out_result = read_more(lines);
        if (*out_result != VRM_SUCCESS) {
            return NULL;
        }
    }
}

const char *cli_why_no_lines(const cli_job *job, const char *path, vrm_result result)
{
    return result == VRM_ERROR_LIMIT ? "a line is longer than 512 MiB" : cli_why_unread(job, path, result);
}

void cli_lines_close(cli_lines *lines)
{
    if (lines->owned) {
        cli_platform_close(lines->file);
    }
    free(lines->text);
    *lines = (cli_lines){.file = -1};
}
