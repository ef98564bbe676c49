// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "platform.h"

static size_t stem_length(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && dot > cli_file_name(path) ? (size_t)(dot - path) : strlen(path);
}

// Replaces the words in braces. {stem}: the file's name without suffix; {name}: with suffix; {path}: like {stem}, with
// the folders below the given one; {hash}: the first 16 digits of the SHA-256 of the file's bytes.
bool cli_add_output(vrmi_text *out, const char *pattern, const cli_source *from, const char *hash)
{
    const char *below = from->path + from->below, *name = cli_file_name(from->path);
    while (*pattern != '\0') {
        const size_t plain = strcspn(pattern, "{");
        vrmi_text_add(out, pattern, plain);
        pattern += plain;
        if (*pattern == '\0') {
            break;
        }
        const size_t length = strcspn(pattern, "}") + 1;
        const struct {
            const char *word, *text;
            size_t size;
        } words[] = {{"{stem}", name, stem_length(name)}, {"{name}", name, strlen(name)},
            {"{path}", below, stem_length(below)}, {"{hash}", hash, 16}};
        bool known = false;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
            if (strlen(words[i].word) == length && memcmp(words[i].word, pattern, length) == 0) {
                vrmi_text_add(out, words[i].text, words[i].size);
                known = true;
            }
        }
        if (!known) {
            return false;
        }
        pattern += length;
    }
    return true;
}

// Makes the pattern of the outputs. A name without braces is a folder, and its pattern is DIR/{path}SUFFIX.
int cli_make_pattern(cli_many_run *r, vrmi_text *pattern)
{
    const char *output = r->many->output, *suffix = r->job->command->many;
    if (suffix[0] == '\0') {
        return output == NULL ? CLI_EXIT_DONE
                              : cli_fail(r->job, CLI_EXIT_USAGE, "-o names a single file; leave it out for many files");
    }
    if (output == NULL) {
        return cli_fail(r->job, CLI_EXIT_USAGE, "no output: name a folder with -o DIR, or -o 'DIR/{stem}%s'", suffix);
    }
    vrmi_text_add_string(pattern, output);
    if (strchr(output, '{') == NULL) {
        const cli_path_kind kind = cli_platform_path_kind(output, true);
        if (kind == CLI_PATH_FILE || strcmp(output, "-") == 0 ||
            (kind == CLI_PATH_MISSING && strchr(cli_file_name(output), '.') != NULL)) {
            return cli_fail(r->job, CLI_EXIT_USAGE,
                "%s: many files need an output folder; if its name contains a dot, end it with /", output);
        }
        const char last = output[0] != '\0' ? output[strlen(output) - 1] : '/';
        vrmi_text_format(pattern, "%s{path}%s", last == '/' || last == '\\' ? "" : "/", suffix);
    }
    if (pattern->failed) {
        return cli_no_memory(r->job);
    }
    const cli_source nothing = {(char *)(uintptr_t) "x.vrm", 0};
    vrmi_text tried;
    vrmi_text_init(&tried, NULL);
    const bool good = cli_add_output(&tried, pattern->data, &nothing, "0000000000000000");
    vrmi_text_free(&tried);
    r->pattern = pattern->data;
    return good ? cli_check_ending(r->job, pattern->data)
                : cli_fail(r->job, CLI_EXIT_USAGE, "%s: only stem, name, path and hash are allowed in braces", output);
}

typedef struct named {
    uint64_t hash;
    uint32_t index;
} named;

static int compare_named(const void *a, const void *b)
{
    const named *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1) : (x->index > y->index) - (x->index < y->index);
}

// Finds, before any work, two files with the same output. With {hash} in the pattern, files of the same content may
// share one.
int cli_find_collisions(cli_many_run *r, const cli_sources *all)
{
    if (r->pattern == NULL || strstr(r->pattern, "{hash}") != NULL) {
        return CLI_EXIT_DONE;
    }
    named *names = malloc((all->count + (size_t)1) * sizeof *names);
    int code = names != NULL ? CLI_EXIT_DONE : cli_no_memory(r->job);
    for (uint32_t i = 0; code == CLI_EXIT_DONE && i < all->count; ++i) {
        vrmi_text output;
        vrmi_text_init(&output, NULL);
        cli_add_output(&output, r->pattern, &all->items[i], "");
        names[i] = (named){output.failed || output.data == NULL ? 0 : cli_hash_text(output.data), i};
        code = output.failed ? cli_no_memory(r->job) : code;
        vrmi_text_free(&output);
    }
    if (code == CLI_EXIT_DONE) {
        qsort(names, all->count, sizeof *names, compare_named);
    }
    for (uint32_t i = 1; code == CLI_EXIT_DONE && i < all->count; ++i) {
        if (names[i].hash == names[i - 1].hash) {
            code = cli_fail(r->job, CLI_EXIT_USAGE,
                "%s and %s would be written to the same output; name outputs with {path}, {name} or {hash}",
                all->items[names[i - 1].index].path, all->items[names[i].index].path);
        }
    }
    free(names);
    return code;
}

bool cli_make_folders(char *path)
{
    for (char *c = path + 1; *c != '\0'; ++c) {
        if (*c == '/' || *c == '\\') {
            const char kept = *c;
            *c = '\0';
            const bool made = cli_platform_make_folder(path);
            *c = kept;
            if (!made && cli_platform_path_kind(path, true) == CLI_PATH_FILE) {
                return false;
            }
        }
    }
    return true;
}
