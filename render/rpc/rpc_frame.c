// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads and writes messages framed as in the Language Server Protocol: header lines, an empty line, then a body of
// Content-Length bytes.

#include "rpc.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 4096, LONGEST_BODY = 64 * 1024 * 1024 };

// Fills the buffer. Returns 1 if there is data, 0 at the end of the input, -1 if the process must stop.
static int fill(rpc_reader *r)
{
    if (r->at < r->end) {
        return 1;
    }
    const int64_t count = cli_platform_read(0, r->buffer, sizeof r->buffer);
    r->at = 0;
    r->end = count > 0 ? (size_t)count : 0;
    return count > 0 ? 1 : count == -2 ? -1 : 0;
}

// Reads a line without its end, and cuts it at LONGEST_LINE. Returns false at the end of the input; `*out_status` is
// then the result of fill().
static bool read_line(rpc_reader *r, char line[LONGEST_LINE + 1], size_t *out_size, int *out_status)
{
    size_t size = 0;
    while ((*out_status = fill(r)) > 0) {
        const char c = r->buffer[r->at++];
        if (c == '\n') {
            size -= size > 0 && line[size - 1] == '\r' ? 1 : 0;
            line[size] = '\0';
            *out_size = size;
            return true;
        }
        if (size < LONGEST_LINE) {
            line[size++] = c;
        }
    }
    line[size] = '\0';
    *out_size = size;
    return false;
}

static bool same_letters(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        const char c = a[i] >= 'A' && a[i] <= 'Z' ? (char)(a[i] + 32) : a[i];
        if (c != b[i]) {
            return false;
        }
    }
    return true;
}

// Reads a header line; for Content-Length, sets the length. Returns the reason why the line is not a valid header, or
// NULL.
static const char *read_header(const char *line, size_t size, uint64_t *length, bool *has_length)
{
    static const char name[] = "content-length";
    const char *colon = memchr(line, ':', size);
    if (colon == NULL || colon == line) {
        return "a header line without a colon";
    }
    if ((size_t)(colon - line) != sizeof name - 1 || !same_letters(line, name, sizeof name - 1)) {
        return NULL;
    }
    const char *at = colon + 1, *end = line + size;
    while (at < end && (*at == ' ' || *at == '\t')) {
        ++at;
    }
    while (end > at && (end[-1] == ' ' || end[-1] == '\t')) {
        --end;
    }
    uint64_t value = 0;
    const bool any = at < end;
    for (; at < end && *at >= '0' && *at <= '9' && value < UINT64_MAX / 16; ++at) {
        value = value * 10 + (uint64_t)(*at - '0');
    }
    if (!any || at != end) {
        return "Content-Length is not a number of bytes";
    }
    *length = value;
    *has_length = true;
    return NULL;
}

// Reads a body, or skips it if `keep` is false. Returns the number of bytes, or -1 if the process must stop.
static int64_t read_body(rpc_reader *r, uint64_t length, bool keep)
{
    uint64_t done = 0;
    while (done < length) {
        const int status = fill(r);
        if (status <= 0) {
            return status < 0 ? -1 : (int64_t)done;
        }
        const uint64_t there = r->end - r->at, left = length - done;
        const size_t count = (size_t)(there < left ? there : left);
        if (keep) {
            memcpy(r->body + done, r->buffer + r->at, count);
        }
        r->at += count;
        done += count;
    }
    return (int64_t)done;
}

static rpc_frame wrong(rpc_reader *r, const char *fault, bool last)
{
    r->fault = fault;
    return last ? RPC_FRAME_LAST : RPC_FRAME_WRONG;
}

static rpc_frame read_message(rpc_reader *r, uint64_t length, size_t *out_size)
{
    const bool keep = length <= LONGEST_BODY;
    if (keep && length + 1 > r->capacity) {
        char *body = realloc(r->body, (size_t)length + 1);
        if (body == NULL) {
            return RPC_FRAME_NO_MEMORY;
        }
        r->body = body;
        r->capacity = (size_t)length + 1;
    }
    const int64_t count = read_body(r, length, keep);
    if (count < 0) {
        return RPC_FRAME_STOPPED;
    }
    if ((uint64_t)count < length) {
        return wrong(r, "the input ends within a message", true);
    }
    if (!keep) {
        return wrong(r, "a message of more than 64 MiB", false);
    }
    r->body[length] = '\0';
    *out_size = (size_t)length;
    return RPC_FRAME_MESSAGE;
}

rpc_frame rpc_read_frame(rpc_reader *r, size_t *out_size)
{
    char line[LONGEST_LINE + 1];
    size_t size = 0;
    uint64_t length = 0;
    bool any = false, has_length = false;
    const char *fault = NULL;
    int status = 1;
    while (read_line(r, line, &size, &status)) {
        if (size == 0 && !any) {
            continue; // skip empty lines before a message
        }
        if (size == 0) {
            fault = fault == NULL && !has_length ? "a message without Content-Length" : fault;
            return fault != NULL ? wrong(r, fault, false) : read_message(r, length, out_size);
        }
        any = true;
        const char *why = read_header(line, size, &length, &has_length);
        fault = fault != NULL ? fault : why;
    }
    if (status < 0) {
        return RPC_FRAME_STOPPED;
    }
    return any || size > 0 ? wrong(r, fault != NULL ? fault : "the input ends within a header", true) : RPC_FRAME_END;
}

void rpc_reader_free(rpc_reader *reader)
{
    free(reader->body);
    reader->body = NULL;
}

bool rpc_write_frame(const vrmi_text *body)
{
    char header[64];
    vrmi_format(header, sizeof header, "Content-Length: %zu\r\n\r\n", body->size);
    return fwrite(header, 1, strlen(header), stdout) == strlen(header) &&
           fwrite(body->data, 1, body->size, stdout) == body->size && fflush(stdout) == 0;
}
