// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads motions: .vrma, .bvh, .glb, .vrm and .gltf directly, .fbx and .dae through the program vrm-assimp.

#include <string.h>

#include "cli.h"

enum { HEAD_SIZE = 4096 };

// Limits for vrm-assimp. assimp takes about ten times a file's size, and a second for a motion of some minutes.
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

// Returns assimp's name of the format, recognised by the file's first bytes; NULL if the file is not for assimp.
static const char *assimp_format(const char *head, size_t size)
{
    if (contains(head, size < 32 ? size : 32, "Kaydara FBX Binary") || contains(head, size, "FBXHeaderExtension")) {
        return "fbx";
    }
    return contains(head, size, "<COLLADA") ? "dae" : NULL;
}

static bool is_gltf(const char *bytes, size_t size)
{
    size_t at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && strchr(" \t\r\n", bytes[at]) != NULL && bytes[at] != '\0') {
        ++at;
    }
    return (at < size && bytes[at] == '{') || (size >= 4 && memcmp(bytes, "glTF", 4) == 0);
}

// Converts the bytes of an FBX or COLLADA file to those of a .glb with its skeleton and animations.
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
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.foot_weight = 1.0f;
    return vrm_clip_player_set_layer(player, 0, &layer);
}

vrm_result cli_play_clip(const cli_job *job, vrm_instance *instance, vrm_clip *clip, const vrm_clip_play_params *params,
    vrm_clip_player **out_player)
{
    vrm_clip_player_def def;
    vrm_clip_player_def_default(&def);
    def.avatar = vrm_instance_get_avatar(instance);
    def.allocator = job->allocator;
    def.layers = 2;
    vrm_result result = vrm_clip_player_create(&def, out_player);
    result = result == VRM_SUCCESS ? vrm_clip_player_play(*out_player, 0, clip, params) : result;
    return result == VRM_SUCCESS ? vrm_instance_set_clip_player(instance, *out_player) : result;
}

// Imports a motion from a glTF, which may have files beside it.
static vrm_result import_gltf(
    cli_job *job, const char *path, const vrm_clip_def *def, vrm_bytes *bytes, vrm_clip **out_clip)
{
    cli_model model = {.path = path, .bytes = *bytes};
    *bytes = (vrm_bytes){0};
    vrm_result result = cli_load_bytes(job, CLI_LOAD_GLTF, &model);
    result = result == VRM_SUCCESS ? vrm_clip_import(def, model.gltf, job->report, out_clip) : result;
    cli_model_free(&model);
    return result;
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
    vrm_bytes bytes = {0};
    vrm_result result;
    int code = cli_read_input(job, path, false, &bytes, &result);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    const char *format = assimp_format(bytes.data, bytes.size < HEAD_SIZE ? bytes.size : HEAD_SIZE);
    code = format != NULL ? convert(job, path, format, &bytes) : code;
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    result = is_gltf(bytes.data, bytes.size)
                 ? import_gltf(job, path, &def, &bytes, out_clip)
                 : vrm_clip_load(&def, bytes.data != NULL ? bytes.data : "", bytes.size, job->report, out_clip);
    vrm_bytes_free(&bytes);
    cli_progress_clear(job);
    cli_record_findings(job);
    cli_print_findings(job, path, VRM_SEVERITY_WARNING);
    code = cli_exit_of(job, result);
    cli_words words;
    return code == CLI_EXIT_DONE ? code : cli_fail(job, code, "%s: %s", path, cli_why_unloaded(job, result, &words));
}

int cli_choose_motion(cli_job *job, const char *wanted, scene_motion *out_motion, vrm_clip **out_clip)
{
    *out_clip = NULL;
    for (int i = 0; i < SCENE_MOTION_COUNT; ++i) {
        *out_motion = (scene_motion)i;
        if (strcmp(scene_motion_name(*out_motion), wanted) == 0) {
            return CLI_EXIT_DONE;
        }
    }
    *out_motion = SCENE_MOTION_NONE;
    if (strchr(wanted, '.') == NULL && strchr(wanted, '/') == NULL && strcmp(wanted, "-") != 0) {
        return cli_fail(job, CLI_EXIT_USAGE,
            "--motion %s: expected sway, walk, idle, none or a file (.vrma, .bvh, .fbx, .dae, .glb)", wanted);
    }
    return cli_load_clip(job, wanted, NULL, out_clip);
}

// Lists the names that --motion accepts, for a message.
static void list_words(vrmi_text *out)
{
    for (uint32_t i = 0; i < SCENE_STAGE_WORDS; ++i) {
        vrmi_text_format(out, "%s%s", i > 0 ? ", " : "", scene_stage_word(i));
    }
}

static int begin_by_word(cli_job *job, const cli_model *model, const char *word, scene_stage_motion *out_motion)
{
    vrm_avatar_body size = {.struct_size = sizeof size};
    vrm_avatar_get_body(model->avatar, &size);
    if (strcmp(word, "sway") != 0 &&
        !(size.height >= 0.02f && size.height <= 200.0f)) { // sway only rotates bones, so it works at any height
        return cli_fail(job, CLI_EXIT_ASSET,
            "%s: --motion %s needs an avatar of 0.02 m to 200 m; this one is %g m tall", model->path, word,
            (double)size.height);
    }
    // The sole lengths are taken from the ragdoll's body. For a cooked avatar, or if there is no body, they are
    // estimated from the bones.
    vrm_ragdoll_def *body = job->allocator.allocate(sizeof *body, 16, job->allocator.user);
    vrm_result result = body != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    if (result == VRM_SUCCESS) {
        vrm_ragdoll_def_default(body);
        const bool known =
            model->gltf != NULL && vrm_ragdoll_def_build(model->avatar, model->gltf, NULL, NULL, body) == VRM_SUCCESS;
        result = scene_stage_motion_begin(out_motion, word, model->avatar, known ? body : NULL);
        job->allocator.release(body, sizeof *body, job->allocator.user);
    }
    if (result == VRM_ERROR_INVALID_ARGUMENT) {
        return cli_fail(job, CLI_EXIT_ASSET, "%s: --motion %s needs a humanoid with arms and legs", model->path, word);
    }
    return result == VRM_SUCCESS ? CLI_EXIT_DONE
                                 : cli_fail(job, cli_exit_of(job, result), "%s", cli_sentence_of(job, result));
}

int cli_begin_motion(
    cli_job *job, const cli_model *model, const char *wanted, scene_stage_motion *out_motion, vrm_clip **out_clip)
{
    *out_clip = NULL;
    *out_motion = (scene_stage_motion){.plain = SCENE_MOTION_NONE};
    if (scene_stage_find_word(wanted) >= 0) {
        return begin_by_word(job, model, wanted, out_motion);
    }
    if (strchr(wanted, '.') == NULL && strchr(wanted, '/') == NULL && strcmp(wanted, "-") != 0) {
        vrmi_text words;
        vrmi_text_init(&words, &job->allocator);
        list_words(&words);
        const int code =
            cli_fail(job, CLI_EXIT_USAGE, "--motion %s: expected %s or a file (.vrma, .bvh, .fbx, .dae, .glb)", wanted,
                words.data != NULL ? words.data : "");
        vrmi_text_free(&words);
        return code;
    }
    return cli_load_clip(job, wanted, NULL, out_clip);
}
