// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "manifest.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "platform.h"

// --- JSON of our own making ----------------------------------------------------------------------------------------

static char *skip_space(char *at)
{
    return at + strspn(at, " \t\r\n");
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Writes a code unit as UTF-8. Surrogates, which the manifest's writer never produces, become "?".
static char *put_unit(char *to, uint32_t unit)
{
    if (unit < 0x80) {
        *to++ = (char)unit;
    } else if (unit < 0x800) {
        *to++ = (char)(0xc0 | unit >> 6);
        *to++ = (char)(0x80 | (unit & 63));
    } else if (unit >= 0xd800 && unit < 0xe000) {
        *to++ = '?';
    } else {
        *to++ = (char)(0xe0 | unit >> 12);
        *to++ = (char)(0x80 | (unit >> 6 & 63));
        *to++ = (char)(0x80 | (unit & 63));
    }
    return to;
}

// Decodes a string in place, since the decoded string is never longer. `at` points after the opening quote. Returns the
// position after the closing quote, or NULL.
static char *decode(char *at, size_t *out_size)
{
    char *to = at, *const begin = at;
    for (; *at != '"'; ++at) {
        if (*at == '\0') {
            return NULL;
        }
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        ++at;
        static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
        const char *found = *at != '\0' ? strchr(escapes, *at) : NULL;
        uint32_t unit = 0;
        if (found != NULL) {
            *to++ = meant[found - escapes];
            continue;
        }
        for (int i = 1; i <= 4; ++i) {
            if (*at != 'u' || hex(at[i]) < 0) {
                return NULL;
            }
            unit = unit * 16 + (uint32_t)hex(at[i]);
        }
        to = put_unit(to, unit);
        at += 4;
    }
    *out_size = (size_t)(to - begin);
    ++at;
    *to = '\0';
    return at;
}

// Returns the position after an object, array, number or word; NULL if the value is incomplete.
static char *skip_value(char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            for (++at; *at != '"'; ++at) {
                at += *at == '\\' && at[1] != '\0';
                if (*at == '\0') {
                    return NULL;
                }
            }
            ++at;
        } else if (*at == '{' || *at == '[') {
            ++depth;
            ++at;
        } else if (*at == '}' || *at == ']') {
            --depth;
            ++at;
        } else if (*at == '\0') {
            return NULL;
        } else if (depth > 0) {
            ++at;
        } else {
            at += strcspn(at, ",]} \t\r\n");
        }
    } while (depth > 0);
    return at;
}

cli_members cli_members_of(char *json)
{
    char *at = skip_space(json);
    const bool object = *at == '{';
    at = object || *at == '[' ? skip_space(at + 1) : NULL;
    return (cli_members){at != NULL && *at != '}' && *at != ']' ? at : NULL, object};
}

bool cli_next_member(cli_members *members, cli_member *out)
{
    char *at = members->at;
    size_t size = 0;
    *out = (cli_member){.name = ""};
    members->at = NULL;
    if (at != NULL && members->object) {
        out->name = at + 1;
        at = *at == '"' ? decode(at + 1, &size) : NULL;
        at = at != NULL ? skip_space(at) : NULL;
        at = at != NULL && *at == ':' ? skip_space(at + 1) : NULL;
    }
    if (at == NULL) {
        return false;
    }
    out->is_text = *at == '"';
    out->value = at + out->is_text;
    char *end = out->is_text ? decode(at + 1, &out->size) : skip_value(at);
    if (end == NULL) {
        return false;
    }
    if (!out->is_text) {
        out->size = (size_t)(end - at);
    }
    char *next = skip_space(end);
    if (*next == ',') {
        members->at = skip_space(next + 1);
    } else if (*next != '}' && *next != ']') {
        return false;
    }
    *end = '\0';
    return out->size > 0 || out->is_text;
}

const char *const cli_manifest_permissions[CLI_PERMISSIONS] = {
    "allowed", "allowedWithCredit", "notAllowed", "notStated"};

// --- records -------------------------------------------------------------------------------------------------------

static uint64_t whole(const cli_member *member)
{
    double number = 0.0;
    vrmi_parse_double(member->value, member->size, &number);
    return number >= 0.0 && number < 1e18 ? (uint64_t)number : 0;
}

bool cli_record_read(char *line, size_t length, cli_record *out)
{
    *out = (cli_record){.output = "", .dialect = "", .rights = "", .findings = ""};
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"input", &out->input}, {"inputHash", &out->input_hash}, {"optionsHash", &out->options_hash},
        {"output", &out->output}, {"dialect", &out->dialect}, {"rights", &out->rights}, {"findings", &out->findings}};
    bool coded = false;
    line[length] = '\0';
    cli_members members = cli_members_of(line);
    cli_member member;
    while (cli_next_member(&members, &member)) {
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
            if (strcmp(member.name, texts[i].name) == 0) {
                *texts[i].text = member.value;
            }
        }
        if (strcmp(member.name, "exitCode") == 0) {
            out->exit_code = (int)whole(&member);
            coded = true;
        } else if (strcmp(member.name, "outputBytes") == 0) {
            out->output_bytes = whole(&member);
        } else if (strcmp(member.name, "inputBytes") == 0) {
            out->input_bytes = whole(&member);
        } else if (strcmp(member.name, "memory") == 0) {
            out->memory = whole(&member);
        } else if (strcmp(member.name, "seconds") == 0) {
            vrmi_parse_double(member.value, member.size, &out->seconds);
        }
    }
    return coded && out->input != NULL && out->input_hash != NULL && out->options_hash != NULL;
}

cli_key cli_run_key(const char *input, const char *options_hash)
{
    const cli_key a = cli_key_of_text(input), b = cli_key_of_text(options_hash);
    return (cli_key){a.high ^ b.high, a.low ^ b.low};
}

// --- the file ------------------------------------------------------------------------------------------------------

static int compare_done(const void *a, const void *b)
{
    const cli_done *x = a, *y = b;
    const int runs = cli_key_compare(&x->run, &y->run);
    return runs != 0 ? runs : (x->order > y->order) - (x->order < y->order);
}

static vrm_result add_done(cli_manifest *manifest, const cli_record *record)
{
    if (manifest->count == manifest->room) {
        const uint32_t room = manifest->room == 0 ? 1024 : manifest->room * 2;
        cli_done *grown = realloc(manifest->done, room * sizeof *grown);
        if (grown == NULL) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        manifest->done = grown;
        manifest->room = room;
    }
    cli_digest hash = {{0}};
    const size_t length = strlen(record->input_hash);
    if (length == 64) { // a hash of another length matches no file
        memcpy(hash.text, record->input_hash, length);
    }
    manifest->done[manifest->count] = (cli_done){.run = cli_run_key(record->input, record->options_hash),
        .input_hash = cli_key_of(&hash),
        .output = cli_key_of_text(record->output).high,
        .order = manifest->count,
        .exit_code = (uint8_t)record->exit_code};
    ++manifest->count;
    return VRM_SUCCESS;
}

static void keep_last(cli_manifest *manifest)
{
    uint32_t kept = 0;
    if (manifest->count > 0) {
        qsort(manifest->done, manifest->count, sizeof *manifest->done, compare_done);
    }
    for (uint32_t i = 0; i < manifest->count; ++i) {
        if (i + 1 == manifest->count || cli_key_compare(&manifest->done[i].run, &manifest->done[i + 1].run) != 0) {
            manifest->done[kept++] = manifest->done[i];
        }
    }
    manifest->count = kept;
}

// Returns true if the line begins as all records do. A run that was killed may have left only a part of that beginning.
static bool begins_as_record(const char *line, size_t length)
{
    static const char start[] = "{\"schemaVersion\":";
    return strncmp(line, start, length < sizeof start - 1 ? length : sizeof start - 1) == 0;
}

// Reads all records. If a killed run has left a part of a line, the part is cut off, and its file is processed again. A
// file that does not begin as a record is not a manifest: it stays unchanged, and the result is
// VRM_ERROR_INVALID_ASSET.
static vrm_result read_records(cli_manifest *manifest, const char *path)
{
    cli_lines lines;
    vrm_result result = cli_lines_open(path, &lines);
    size_t length;
    char *line;
    while (result == VRM_SUCCESS && (line = cli_lines_next(&lines, &length, &result)) != NULL) {
        cli_record record;
        if (manifest->count == 0 && !begins_as_record(line, length)) {
            result = VRM_ERROR_INVALID_ASSET;
            break;
        }
        if (!lines.cut && cli_record_read(line, length, &record)) {
            result = add_done(manifest, &record);
        }
    }
    const uint64_t whole = lines.whole;
    const bool cut = lines.cut;
    cli_lines_close(&lines);
    if (result == VRM_SUCCESS && cut && !cli_platform_shorten(path, whole)) {
        result = VRM_ERROR_WRITE;
    }
    keep_last(manifest);
    return result;
}

int cli_manifest_open(cli_job *job, const char *path, cli_manifest *out)
{
    *out = (cli_manifest){0};
    vrm_result result = VRM_SUCCESS;
    if (cli_platform_path_kind(path, true) != CLI_PATH_MISSING) {
        result = read_records(out, path);
    }
    if (result == VRM_SUCCESS) {
        out->file = cli_platform_append(path);
        result = out->file != NULL ? VRM_SUCCESS : VRM_ERROR_WRITE;
    }
    if (result != VRM_SUCCESS) {
        cli_manifest_close(out);
        if (result == VRM_ERROR_INVALID_ASSET) {
            return cli_fail(
                job, CLI_EXIT_USAGE, "--manifest %s: the file exists and is not a manifest; name another file", path);
        }
        return cli_fail(job, cli_exit_of(job, result), "%s: %s", path, cli_why_no_lines(job, path, result));
    }
    return CLI_EXIT_DONE;
}

const cli_done *cli_manifest_find(const cli_manifest *manifest, const char *input, const char *options_hash)
{
    const cli_key wanted = cli_run_key(input, options_hash);
    uint32_t from = 0, to = manifest->count;
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        const int order = cli_key_compare(&manifest->done[middle].run, &wanted);
        if (order == 0) {
            return &manifest->done[middle];
        }
        from = order < 0 ? middle + 1 : from;
        to = order < 0 ? to : middle;
    }
    return NULL;
}

bool cli_manifest_add(cli_manifest *manifest, const vrmi_text *line)
{
    return !line->failed && fwrite(line->data, 1, line->size, manifest->file) == line->size &&
           fflush(manifest->file) == 0;
}

void cli_manifest_close(cli_manifest *manifest)
{
    if (manifest->file != NULL) {
        fclose(manifest->file);
    }
    free(manifest->done);
    *manifest = (cli_manifest){0};
}
