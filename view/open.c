// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Opens and closes files.

#include "view.h"

#include <stdio.h>
#include <string.h>

#include <GLFW/glfw3.h>

#include "platform.h"

static void load_figure(view *v, const char *path)
{
    figure_def def = {.path = path,
        .limits = v->job->limits,
        .prefer = (vrm_prefer)v->options->dialect.prefer,
        .look_at_unit = (vrm_look_at_unit)v->options->dialect.look_at_unit,
        .look_at_range = (vrm_look_at_range)v->options->dialect.look_at_range};
    const vrm_result result = loader_start(&v->loader, &def);
    if (result != VRM_SUCCESS) {
        view_say(v, true, "%s: %s", cli_file_name(path), vrm_result_sentence(result));
    }
}

static void load_clip(view *v, const char *path)
{
    char message[FIGURE_MESSAGE] = "";
    const int32_t clip = repertoire_add(&v->repertoire, v->job, path, message);
    if (clip < 0) {
        view_say(v, true, "%s", message);
        return;
    }
    repertoire_play(&v->repertoire, v->figure, clip);
    v->panel = VIEW_PANEL_MOTION;
    view_say(v, false, "playing %s", v->repertoire.clips[clip].name);
}

static void open_folder(view *v, const char *path)
{
    const cli_inputs inputs = {.items = &path, .count = 1};
    cli_list paths = {0};
    if (cli_expand_folders(v->job, &inputs, false, &paths) != CLI_EXIT_DONE || paths.count == 0) {
        view_say(v, true, "%s: no .vrm, .glb or .gltf in this folder", path);
    } else if (gallery_start(&v->gallery, paths.items, paths.count)) {
        load_figure(v, paths.items[0]);
    }
    cli_free_paths(&paths);
}

static bool has_suffix(const char *path, const char *suffix)
{
    return cli_has_suffix(path, suffix, true);
}

// Returns true for a glTF file without VRM but with animations, if an avatar is displayed.
static bool is_motion(const view *v, const char *path)
{
    if (has_suffix(path, ".vrma") || has_suffix(path, ".bvh") || has_suffix(path, ".fbx") || has_suffix(path, ".dae")) {
        return true;
    }
    if (v->figure == NULL || (!has_suffix(path, ".glb") && !has_suffix(path, ".gltf"))) {
        return false;
    }
    vrm_bytes bytes = {0};
    vrm_peek *file = NULL;
    vrm_clip *clip = NULL;
    bool motion = false;
    if (vrm_read_file(path, v->job->limits.max_file_size, NULL, &bytes) == VRM_SUCCESS &&
        vrm_peek_create(NULL, bytes.data, bytes.size, NULL, &file) == VRM_SUCCESS) {
        vrm_peek_info info = {.struct_size = sizeof info};
        vrm_peek_get_info(file, &info);
        motion = info.dialect[0] == '\0' && info.animation_count != 0 &&
                 vrm_clip_load(NULL, bytes.data, bytes.size, NULL, &clip) == VRM_SUCCESS;
        vrm_clip_info about = {.struct_size = sizeof about};
        if (motion) {
            vrm_clip_get_info(clip, &about);
        }
        motion = about.bones != 0;
    }
    vrm_clip_release(clip);
    vrm_peek_destroy(file);
    vrm_bytes_free(&bytes);
    return motion;
}

void view_open(view *v, const char *path)
{
    const cli_path_kind kind = cli_platform_path_kind(path, true);
    if (kind == CLI_PATH_MISSING) {
        view_say(v, true, "%s: %s", path, vrm_result_sentence(VRM_ERROR_NOT_FOUND));
    } else if (kind == CLI_PATH_FOLDER) {
        open_folder(v, path);
    } else if (has_suffix(path, ".json")) {
        (void)view_load_pose(v, path);
    } else if (is_motion(v, path)) {
        load_clip(v, path);
    } else {
        load_figure(v, path);
    }
}

void view_step(view *v, int direction)
{
    if (v->gallery.count == 0) {
        return;
    }
    // The file that is being loaded is the current one, so that two quick steps advance by two files.
    const char *here = v->loader.path != NULL ? v->loader.path : v->figure != NULL ? v->figure->path : "";
    const int32_t at = gallery_find(&v->gallery, here);
    const int32_t count = (int32_t)v->gallery.count;
    load_figure(v, v->gallery.items[at < 0 ? 0 : (at + direction + count) % count].path);
}

static void adopt(view *v, figure *f)
{
    stage_times_forget(&v->stage_times);
    scene_puppet_end(&v->puppet);
    figure_destroy(v->figure);
    v->figure = f;
    v->history = (pose_history){0};
    v->bone = v->material = v->chain = 0;
    v->joint = -1;
    v->panel = v->frame == 0 || v->panel == VIEW_PANEL_MESSAGES ? VIEW_PANEL_CONDITIONS : v->panel;
    snprintf(v->pose_path, sizeof v->pose_path, "%s.pose.json", f->name);
    snprintf(v->patch_path, sizeof v->patch_path, "%s.springs.json", f->name);
    const char *suffix = strrchr(f->name, '.');
    snprintf(v->model_path, sizeof v->model_path, "%.*s-springs%s",
        (int)(suffix != NULL ? suffix - f->name : (ptrdiff_t)strlen(f->name)), f->name,
        suffix != NULL ? suffix : ".vrm");
    repertoire_meet(&v->repertoire, f);
    recent_add(&v->recent, f->path);
    view_begin_anew(v);
    char title[256];
    vrmi_format(title, sizeof title, "%s - vrm view", f->name);
    glfwSetWindowTitle(v->window, title);
}

void view_receive(view *v)
{
    char message[FIGURE_MESSAGE] = "";
    if (v->arriving != NULL) {
        figure *f = v->arriving;
        v->arriving = NULL;
        if (figure_upload(f, v->renderer, message) == VRM_SUCCESS) {
            adopt(v, f);
        } else {
            view_say(v, true, "%s", message);
            figure_destroy(f);
        }
    } else if (loader_take(&v->loader, &v->arriving) && v->arriving == NULL) {
        if (v->loader.result == VRM_ERROR_CANCELLED) {
            view_say(v, false, "loading was cancelled");
        } else {
            view_say(v, true, "%s", v->loader.message);
        }
    }
}
