// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reading motions: .vrma, .bvh, .glb, .vrm, .gltf; .fbx and .dae through the program vrm-assimp.

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "platform.h"

enum { HEAD_SIZE = 4096 };

// assimp takes some ten times a file's size, and a motion of minutes a second.
static const uint64_t assimp_memory = UINT64_C(2) << 30;
static const double assimp_seconds = 60.0;

static bool contains(const char *bytes, size_t size, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(bytes + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

// assimp's name of the format that a file begins as; NULL: not one for assimp.
static const char *assimp_format(const char *head, size_t size)
{
    if (contains(head, size < 32 ? size : 32, "Kaydara FBX Binary") || contains(head, size, "FBXHeaderExtension")) {
        return "fbx";
    }
    return contains(head, size, "<COLLADA") ? "dae" : NULL;
}

static const char *assimp_format_of_file(const char *path)
{
    char head[HEAD_SIZE];
    FILE *file = cli_platform_path_kind(path, true) == CLI_PATH_FILE ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return NULL;
    }
    const size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    return assimp_format(head, size);
}

// Bytes of an FBX or COLLADA file -> bytes of a .glb with its skeleton and animations.
static int convert(cli_job *job, const char *path, const char *format, vrm_bytes *bytes)
{
    const uint64_t most = job->common.max_memory;
    const cli_child child = {
        .program = "vrm-assimp",
        .argument = format,
        .what = path,
        .memory = most != 0 && most < assimp_memory ? most : assimp_memory,
        .seconds = assimp_seconds,
    };
    vrm_bytes made = {0};
    const int code = cli_run_child(job, &child, bytes, &made);
    vrm_bytes_free(bytes);
    *bytes = made;
    return code;
}

vrm_result cli_plant_feet(vrm_clip_player *player)
{
    vrm_clip_layer layer;
    vrm_clip_layer_default(&layer);
    layer.foot_weight = 1.0f;
    return vrm_clip_player_set_layer(player, 0, &layer);
}

int cli_load_clip(cli_job *job, const char *path, const vrm_clip_def *wanted, vrm_clip **out_clip)
{
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    def = wanted != NULL ? *wanted : def;
    def.allocator = job->allocator;
    def.limits = job->limits;
    def.progress = cli_progress;
    def.progress_user = job;
    *out_clip = NULL;
    vrm_result result;
    const char *format = assimp_format_of_file(path);
    if (strcmp(path, "-") == 0 || format != NULL) {
        vrm_bytes bytes = {0};
        int code = cli_read_input(job, path, false, &bytes, &result);
        if (code != CLI_EXIT_DONE) {
            return code;
        }
        format = assimp_format(bytes.data, bytes.size < HEAD_SIZE ? bytes.size : HEAD_SIZE);
        code = format != NULL ? convert(job, path, format, &bytes) : code;
        if (code != CLI_EXIT_DONE) {
            return code;
        }
        result = vrm_clip_load(&def, bytes.data, bytes.size, job->report, out_clip);
        vrm_bytes_free(&bytes);
    } else {
        vrm_report_clear(job->report);
        job->task = path;
        result = vrm_clip_load_file(&def, path, job->report, out_clip);
    }
    cli_progress_clear(job);
    cli_print_findings(job, path);
    const int code = cli_exit_of(job, result);
    return code == CLI_EXIT_DONE ? code : cli_fail(job, code, "%s: %s", path, cli_sentence_of(job, result));
}
