// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "figure.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli.h"
#include "platform.h"

void figure_describe(const char *path, vrm_result result, const vrm_report *report, char message[FIGURE_MESSAGE])
{
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        const vrm_finding *f = vrm_report_get_finding(report, i);
        if (f->severity != VRM_SEVERITY_ERROR) {
            continue;
        }
        const vrm_finding_info *info = vrm_finding_get_info(f->id);
        vrmi_format(message, FIGURE_MESSAGE, "%s: %s%s%s%s%s%s%s", cli_file_name(path), info->sentence,
            f->path[0] != '\0' ? " At " : "", f->path, f->found[0] != '\0' ? "; found " : "", f->found,
            f->expected[0] != '\0' ? "; expected " : "", f->expected);
        return;
    }
    vrmi_format(message, FIGURE_MESSAGE, "%s: %s", cli_file_name(path), vrm_result_sentence(result));
}

static vrm_result load_document(const figure_def *def, figure *f)
{
    vrm_gltf_def gltf;
    vrm_gltf_def_default(&gltf);
    gltf.limits = def->limits;
    gltf.progress = def->progress;
    gltf.progress_user = def->progress_user;
    const double start = cli_platform_seconds();
    const vrm_result result = vrm_gltf_load_file(&gltf, f->path, f->report, &f->gltf);
    f->load_seconds = cli_platform_seconds() - start;
    return result;
}

static vrm_result import_avatar(const figure_def *def, figure *f)
{
    vrm_avatar_def avatar;
    vrm_avatar_def_default(&avatar);
    avatar.limits = def->limits;
    avatar.progress = def->progress;
    avatar.progress_user = def->progress_user;
    avatar.prefer = def->prefer;
    avatar.look_at_unit = def->look_at_unit;
    avatar.look_at_range = def->look_at_range;
    avatar.allow_plain_gltf = true;
    const double start = cli_platform_seconds();
    const vrm_result result = vrm_avatar_import(&avatar, f->gltf, f->report, &f->avatar);
    f->import_seconds = cli_platform_seconds() - start;
    return result;
}

static vrm_result make_instance(figure *f)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = f->avatar;
    def.spring_parameters = true;
    def.look_chain_bones = VRM_LOOK_CHAIN_MAX_BONES;
    def.ragdoll_bodies = VRM_RAGDOLL_MAX_BODIES;
    f->instance_bytes = vrm_instance_get_size(&def);
    vrm_result result = vrm_instance_create(&def, &f->instance);
    vrm_clip_player_def player;
    vrm_clip_player_def_default(&player);
    player.layers = 2; // layer 0: the clip, layer 1: getting up
    player.avatar = f->avatar;
    result = result == VRM_SUCCESS ? vrm_clip_player_create(&player, &f->player) : result;
    return result == VRM_SUCCESS ? vrm_instance_set_clip_player(f->instance, f->player) : result;
}

// Validates the file, which may violate its specifications even if it can be loaded. Only a cancellation makes this
// function fail.
static vrm_result validate(const figure_def *def, figure *f)
{
    vrm_bytes bytes = {0};
    vrm_validate_params how;
    vrm_validate_params_default(&how);
    cli_beside where = {f->path, NULL};
    how.limits = def->limits;
    how.read = cli_read_beside;
    how.read_user = &where;
    how.progress = def->progress;
    how.progress_user = def->progress_user;
    how.prefer = def->prefer;
    how.look_at_unit = def->look_at_unit;
    const double start = cli_platform_seconds();
    vrm_result result = vrm_report_create(NULL, &f->validation);
    result = result == VRM_SUCCESS ? vrm_read_file(f->path, def->limits.max_file_size, NULL, &bytes) : result;
    result = result == VRM_SUCCESS ? vrm_validate(&how, bytes.data, bytes.size, f->validation, NULL) : result;
    vrm_bytes_free(&bytes);
    f->validate_seconds = cli_platform_seconds() - start;
    return result == VRM_ERROR_CANCELLED || result == VRM_ERROR_OUT_OF_MEMORY ? result : VRM_SUCCESS;
}

static bool has_finding(const vrm_report *report, const vrm_finding *wanted)
{
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        const vrm_finding *finding = vrm_report_get_finding(report, i);
        if (finding->id == wanted->id && strcmp(finding->path, wanted->path) == 0) {
            return true;
        }
    }
    return false;
}

// Removes findings of the validation from the loading report, since both reports are shown.
static vrm_result drop_what_is_told_twice(figure *f)
{
    vrm_report *own = NULL;
    const vrm_result result = vrm_report_create(NULL, &own);
    for (uint32_t i = 0; result == VRM_SUCCESS && i < vrm_report_get_count(f->report); ++i) {
        const vrm_finding *finding = vrm_report_get_finding(f->report, i);
        if (!has_finding(f->validation, finding)) {
            vrm_report_add(own, finding);
        }
    }
    if (result == VRM_SUCCESS) {
        vrm_report_destroy(f->report);
        f->report = own;
    }
    return result;
}

static vrm_result fill(const figure_def *def, figure *f)
{
    vrm_result result = vrm_report_create(NULL, &f->report);
    result = result == VRM_SUCCESS ? load_document(def, f) : result;
    result = result == VRM_SUCCESS ? import_avatar(def, f) : result;
    result = result == VRM_SUCCESS ? make_instance(f) : result;
    result = result == VRM_SUCCESS ? validate(def, f) : result;
    result = result == VRM_SUCCESS ? drop_what_is_told_twice(f) : result;
    if (result != VRM_SUCCESS) {
        return result;
    }
    f->counts.struct_size = sizeof f->counts;
    f->meta.struct_size = sizeof f->meta;
    vrm_avatar_get_counts(f->avatar, &f->counts);
    vrm_avatar_get_meta(f->avatar, &f->meta);
    f->weights = malloc((f->counts.expressions + 1) * sizeof *f->weights);
    if (f->weights == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < f->counts.expressions; ++i) {
        f->weights[i] = -1.0f;
    }
    return VRM_SUCCESS;
}

vrm_result figure_load(const figure_def *def, figure **out_figure, char message[FIGURE_MESSAGE])
{
    *out_figure = NULL;
    figure *f = calloc(1, sizeof *f);
    const size_t length = strlen(def->path) + 1;
    if (f != NULL) {
        f->path = malloc(length);
    }
    if (f == NULL || f->path == NULL) {
        free(f);
        vrmi_format(message, FIGURE_MESSAGE, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(f->path, def->path, length);
    f->name = cli_file_name(f->path);
    const vrm_result result = fill(def, f);
    if (result != VRM_SUCCESS) {
        figure_describe(f->path, result, f->report, message);
        figure_destroy(f);
        return result;
    }
    *out_figure = f;
    return VRM_SUCCESS;
}

vrm_result figure_upload(figure *f, vrm_renderer *renderer, char message[FIGURE_MESSAGE])
{
    const double start = cli_platform_seconds();
    const vrm_result result = vrm_render_model_create(renderer, f->gltf, f->avatar, f->report, &f->meshes);
    f->upload_seconds = cli_platform_seconds() - start;
    if (result != VRM_SUCCESS) {
        const char *why = vrm_renderer_get_error(renderer);
        vrmi_format(message, FIGURE_MESSAGE, "%s: %s", f->name, why[0] != '\0' ? why : vrm_result_sentence(result));
    }
    return result;
}

void figure_move(figure *f, int motion, double seconds)
{
    if (f->moving != motion) {
        scene_stage_motion_end(&f->motion);
        f->moving = motion;
        f->moved = seconds;
        // The ragdoll's definition gives the length of the soles. If there is none, the length is estimated from the
        // bones.
        vrm_ragdoll_def *body = malloc(sizeof *body);
        if (body != NULL) {
            vrm_ragdoll_def_default(body);
        }
        const bool known = body != NULL && vrm_ragdoll_def_build(f->avatar, f->gltf, NULL, NULL, body) == VRM_SUCCESS;
        // The result is ignored: an avatar without arms or legs does not move.
        (void)scene_stage_motion_begin(&f->motion, scene_stage_word((uint32_t)motion), f->avatar, known ? body : NULL);
        free(body);
    }
    scene_stage_motion_apply(&f->motion, f->instance, seconds - f->moved);
}

const char *figure_ragdoll_phase(const figure *f)
{
    static const char *const phases[VRM_RAGDOLL_PHASE_COUNT] = {
        "animated", "active", "limp", "lying", "recovering", "blending back"};
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(f->instance, &info);
    return phases[info.phase];
}

void figure_destroy(figure *f)
{
    if (f == NULL) {
        return;
    }
    scene_stage_motion_end(&f->motion);
    vrm_clip_player_destroy(f->player);
    vrm_instance_destroy(f->instance);
    vrm_render_model_destroy(f->meshes);
    vrm_avatar_release(f->avatar);
    vrm_gltf_destroy(f->gltf);
    vrm_report_destroy(f->report);
    vrm_report_destroy(f->validation);
    free(f->weights);
    free(f->path);
    free(f);
}
