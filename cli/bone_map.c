// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// --map: lines of the form "joint = boneName". The library ignores lines that it cannot use; the command reports them,
// so that a misspelt word is noticed.

#include <string.h>

#include "cli.h"

static vrm_string trimmed(const char *from, const char *to)
{
    while (from < to && strchr(" \t\r", *from) != NULL && *from != '\0') {
        ++from;
    }
    while (to > from && strchr(" \t\r", to[-1]) != NULL && to[-1] != '\0') {
        --to;
    }
    return (vrm_string){from, (uint32_t)(to - from)};
}

static int refuse(cli_job *job, const char *path, uint32_t line, vrm_string word, const char *why, const char *near)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_format(&text, "%s, line %u: \"", path, line);
    cli_add_file_text(&text, word.data, word.length);
    vrmi_text_format(&text, "\" %s", why);
    if (near != NULL) {
        vrmi_text_format(&text, "; did you mean \"%s\"?", near);
    }
    const int code = cli_fail(job, CLI_EXIT_USAGE, "%s", text.failed ? path : text.data);
    vrmi_text_free(&text);
    return code;
}

static int check_line(cli_job *job, const char *path, uint32_t line, const char *from, const char *to)
{
    const vrm_string whole = trimmed(from, to);
    const char *equals = NULL;
    for (const char *c = from; c < to; ++c) {
        equals = *c == '=' ? c : equals; // the last one, because joint names may contain any character
    }
    if (whole.length == 0 || whole.data[0] == '#') {
        return CLI_EXIT_DONE;
    }
    if (equals == NULL) {
        return refuse(job, path, line, whole, "does not have the form joint = boneName", NULL);
    }
    const vrm_string bone = trimmed(equals + 1, to);
    if (bone.length == 0 || vrm_human_bone_from_name(bone.data, bone.length) >= 0) {
        return CLI_EXIT_DONE; // empty bone name: the joint is left out
    }
    char typed[64];
    const char *names[VRM_HUMAN_BONE_COUNT];
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        names[i] = vrm_human_bone_name((vrm_human_bone)i);
    }
    vrmi_format(typed, sizeof typed, "%.*s", (int)bone.length, bone.data);
    return refuse(job, path, line, bone, "is not a humanoid bone", cli_nearest(typed, names, VRM_HUMAN_BONE_COUNT));
}

int cli_read_bone_map(cli_job *job, const char *path, vrm_bytes *out_map)
{
    vrm_result result;
    int code = cli_read_input(job, path, false, out_map, &result);
    if (code == CLI_EXIT_DONE && out_map->size > UINT32_MAX) {
        code = cli_fail(job, cli_exit_of(job, VRM_ERROR_LIMIT), "%s: %s", path, cli_sentence_of(job, VRM_ERROR_LIMIT));
    }
    const char *at = out_map->data, *end = out_map->size != 0 ? at + out_map->size : at;
    for (uint32_t line = 1; code == CLI_EXIT_DONE && at < end; ++line) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop != NULL ? stop : end;
        code = check_line(job, path, line, at, stop);
        at = stop + 1;
    }
    return code;
}
