// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "platform.h"

int cli_no_memory(cli_job *job)
{
    return cli_fail(job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
}

static bool add_source(cli_sources *all, const char *path, size_t below)
{
    if (all->count == all->room) {
        const uint32_t room = all->room == 0 ? 64 : all->room * 2;
        cli_source *grown = realloc(all->items, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        all->items = grown;
        all->room = room;
    }
    char *copy = malloc(strlen(path) + 1);
    if (copy == NULL) {
        return false;
    }
    strcpy(copy, path);
    all->items[all->count++] = (cli_source){copy, (uint32_t)below};
    return true;
}

void cli_sources_free(cli_sources *all)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        free(all->items[i].path);
    }
    free(all->items);
    *all = (cli_sources){0};
}

static int add_input(cli_job *job, cli_sources *all, const char *input)
{
    if (strcmp(input, "-") == 0) {
        return cli_fail(job, CLI_EXIT_USAGE, "stdin cannot be one of many files");
    }
    const size_t name = (size_t)(cli_file_name(input) - input);
    if (cli_platform_path_kind(input, true) != CLI_PATH_FOLDER) {
        return add_source(all, input, name) ? CLI_EXIT_DONE : cli_no_memory(job);
    }
    const cli_inputs folder = {&input, 1};
    cli_list paths = {0};
    int code = cli_expand_folders(job, &folder, true, &paths);
    size_t below = strlen(input);
    for (uint32_t i = 0; i < paths.count; ++i) {
        const char *path = paths.items[i];
        const size_t slash = path[below] == '/' || path[below] == '\\';
        code = add_source(all, path, below + slash) ? code : cli_no_memory(job);
    }
    cli_free_paths(&paths);
    return code;
}

static int add_listed(cli_job *job, cli_sources *all, const char *list)
{
    vrm_bytes bytes = {0};
    vrm_result result;
    int code = cli_read_input(job, list, false, &bytes, &result);
    char *text = code == CLI_EXIT_DONE ? malloc(bytes.size + 1) : NULL;
    if (text != NULL) {
        if (bytes.size > 0) {
            memcpy(text, bytes.data, bytes.size);
        }
        text[bytes.size] = '\0';
        for (char *line = text; line < text + bytes.size;) {
            const size_t length = strcspn(line, "\r\n");
            char *end = line + length;
            *end = '\0';
            const int added = length > 0 ? add_input(job, all, line) : CLI_EXIT_DONE;
            code = added > code ? added : code;
            line = end + 1;
        }
    } else if (code == CLI_EXIT_DONE) {
        code = cli_no_memory(job);
    }
    free(text);
    vrm_bytes_free(&bytes);
    return code;
}

uint64_t cli_hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text != '\0'; ++text) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static int keep_shard(cli_job *job, cli_sources *all, const char *shard)
{
    char *end;
    const unsigned long part = strtoul(shard, &end, 10), parts = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end != '\0' || part < 1 || part > parts || parts > 1000000) {
        return cli_fail(job, CLI_EXIT_USAGE, "--shard expects I/N with I from 1 to N, such as 2/8; not \"%s\"", shard);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; ++i) {
        // FNV's low bits depend only on the last letters of the path, so the middle bits are mixed in.
        const uint64_t hash = cli_hash_text(all->items[i].path + all->items[i].below);
        if ((hash >> 24) % parts == part - 1) {
            all->items[kept++] = all->items[i];
        } else {
            free(all->items[i].path);
        }
    }
    all->count = kept;
    return CLI_EXIT_DONE;
}

int cli_sources_collect(cli_job *job, const cli_many *many, const cli_inputs *inputs, cli_sources *out)
{
    int code = CLI_EXIT_DONE;
    for (uint32_t i = 0; i < inputs->count; ++i) {
        const int added = add_input(job, out, inputs->items[i]);
        code = added > code ? added : code;
    }
    if (many->files_from != NULL) {
        const int added = add_listed(job, out, many->files_from);
        code = added > code ? added : code;
    }
    if (many->shard != NULL) {
        const int kept = keep_shard(job, out, many->shard);
        code = kept > code ? kept : code;
    }
    return code;
}
