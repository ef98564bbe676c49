// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_LINES_H
#define CLI_LINES_H

// Reads the lines of a file or stream of any size one by one. Only the longest line has to fit into memory.

#include "cli.h"

typedef struct cli_lines {
    int file; // -1: none
    bool owned, at_end;
    bool cut;   // the last line had no line feed
    char *text; // the buffer: bytes read, but not yet returned
    size_t begin, end, room;
    uint64_t whole; // bytes of all lines returned so far that ended with a line feed
} cli_lines;

// Opens a file; "-" is stdin. Returns VRM_ERROR_NOT_FOUND or VRM_ERROR_READ if the file cannot be opened.
vrm_result cli_lines_open(const char *path, cli_lines *out);
// Returns the next line without its line feed; NULL at the end or on failure. The line is valid until the next call.
// The caller may change the line and the byte after it.
char *cli_lines_next(cli_lines *lines, size_t *out_length, vrm_result *out_result);
// Returns the reason why one of the functions above failed, for a message.
const char *cli_why_no_lines(const cli_job *job, const char *path, vrm_result result);
void cli_lines_close(cli_lines *lines);

#endif
