// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "look.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';';
}

// Reads up to `most` numbers of a line. Returns their count, or -1 if there is other text.
static int read_numbers(const char *text, size_t length, double *out, int most)
{
    int count = 0;
    for (size_t at = 0; at < length;) {
        if (is_blank(text[at])) {
            ++at;
            continue;
        }
        if (text[at] == '#') {
            break;
        }
        const size_t used = count < most ? vrmi_parse_double(text + at, length - at, &out[count]) : 0;
        if (used == 0 || !(out[count] - out[count] == 0.0)) {
            return -1;
        }
        at += used;
        ++count;
        if (at < length && !is_blank(text[at]) && text[at] != '#') {
            return -1;
        }
    }
    return count;
}

static int read_lines(cli_job *job, const char *name, const char *text, size_t length, look_path *out)
{
    size_t lines = 1;
    for (size_t i = 0; i < length; ++i) {
        lines += text[i] == '\n';
    }
    out->size = lines * 4 * sizeof(double);
    out->rows = job->allocator.allocate(out->size, 16, job->allocator.user);
    if (out->rows == NULL) {
        return cli_fail(
            job, cli_exit_of(job, VRM_ERROR_OUT_OF_MEMORY), "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
    }
    uint32_t line = 0;
    for (size_t at = 0; at < length; ++line) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t size = end != NULL ? (size_t)(end - (text + at)) : length - at;
        double *row = out->rows + 4 * (size_t)out->count;
        const int count = read_numbers(text + at, size, row, 4);
        if (count != 0 && (count != 4 || (out->count > 0 && !(row[0] > row[-4])))) {
            return cli_fail(job, CLI_EXIT_INPUT,
                "%s: line %u: expected time, x, y, z, with a later time than in the line before", name, line + 1);
        }
        out->count += count == 4;
        at += size + 1;
    }
    return out->count > 0 ? CLI_EXIT_DONE : cli_fail(job, CLI_EXIT_INPUT, "%s: has no line with time, x, y, z", name);
}

int look_path_read(cli_job *job, const char *text, look_path *out)
{
    *out = (look_path){0};
    double point[3];
    if (read_numbers(text, strlen(text), point, 3) == 3) {
        out->size = 4 * sizeof(double);
        out->rows = job->allocator.allocate(out->size, 16, job->allocator.user);
        if (out->rows == NULL) {
            return cli_fail(
                job, cli_exit_of(job, VRM_ERROR_OUT_OF_MEMORY), "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
        }
        out->rows[0] = 0.0;
        memcpy(out->rows + 1, point, sizeof point);
        out->count = 1;
        return CLI_EXIT_DONE;
    }
    vrm_bytes bytes;
    vrm_result result;
    int code = cli_read_input(job, text, true, &bytes, &result);
    if (code != CLI_EXIT_DONE) {
        return cli_fail(job, result == VRM_ERROR_NOT_FOUND ? CLI_EXIT_USAGE : code,
            "--look-at %s: expected X,Y,Z or a file with lines of time, x, y, z: %s", text,
            cli_why_unread(job, text, result));
    }
    code = read_lines(job, text, bytes.data, bytes.size, out);
    vrm_bytes_free(&bytes);
    return code;
}

void look_path_free(cli_job *job, look_path *path)
{
    if (path->rows != NULL) {
        job->allocator.release(path->rows, path->size, job->allocator.user);
    }
    *path = (look_path){0};
}

void look_path_at(const look_path *path, double time, vrm_dvec3 *out_target)
{
    uint32_t next = 0;
    while (next < path->count && path->rows[4 * (size_t)next] <= time) {
        ++next;
    }
    const double *b = path->rows + 4 * (size_t)(next < path->count ? next : path->count - 1);
    const double *a = next > 0 ? path->rows + 4 * (size_t)(next - 1) : b;
    const double part = b[0] > a[0] ? (time - a[0]) / (b[0] - a[0]) : 0.0;
    *out_target = (vrm_dvec3){a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part, a[3] + (b[3] - a[3]) * part};
}
