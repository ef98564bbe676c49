// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "view.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include <GLFW/glfw3.h>

#include "platform.h"
#include "png.h"
#include "viewpoint.h"

void view_say(view *v, bool bad, const char *format, ...)
{
    va_list arguments;
    if (v->log_count == VIEW_LOG) {
        memmove(v->log[0], v->log[1], sizeof v->log - sizeof v->log[0]);
        memmove(v->log_bad, v->log_bad + 1, sizeof v->log_bad - sizeof v->log_bad[0]);
        --v->log_count;
    }
    va_start(arguments, format);
    vsnprintf(v->log[v->log_count], FIGURE_MESSAGE, format, arguments);
    va_end(arguments);
    v->log_bad[v->log_count++] = bad;
    v->message_until = cli_platform_seconds() + (bad ? 12.0 : 4.0);
}

// --- start and end -------------------------------------------------------------------------------------------------

static void set_defaults(view *v)
{
    v->look = (view_look){.gaze = VIEW_GAZE_CAMERA, .weight = 1.0f, .blend_speed = 8.0f, .soft_limit = 0.2f};
    v->face = (view_face){.voice = VIEW_VOICE_NONE};
    vrm_blink_params_default(&v->face.blink);
    v->face.blink.enabled = true;
    v->wind = (view_wind){.yaw = 90.0f, .gusts = 0.5f};
    vrm_spring_settings_default(&v->springs);
    v->motion = SCENE_MOTION_IDLE;
    v->speed = 1.0f;
    v->time = 0.0;
    v->paused = false;
}

static void set_drawing(view *v)
{
    v->drawing = (view_drawing){
        .background = {0.150f, 0.175f, 0.215f}, .light_pitch = 36.0f, .light = 0.92f, .ambient = 0.1f, .ground = true};
}

void view_start(view *v, cli_job *job, const view_options *options)
{
    v->job = job;
    v->options = options;
    set_defaults(v);
    set_drawing(v);
    v->asker = VRM_USER_EVERYONE;
    puppet_defaults(&v->puppet);
    repertoire_start(&v->repertoire);
    recent_read(&v->recent);
    orbit_frame(&v->orbit, NULL, ORBIT_BODY, 1.0);
}

void view_end(view *v)
{
    loader_end(&v->loader);
    stage_times_forget(&v->stage_times);
    puppet_end(&v->puppet, v->figure);
    figure_destroy(v->arriving);
    figure_destroy(v->figure);
    repertoire_end(&v->repertoire);
    gallery_end(&v->gallery);
}

// --- files ---------------------------------------------------------------------------------------------------------

static void load_figure(view *v, const char *path)
{
    figure_def def = {.path = path,
        .limits = v->job->limits,
        .prefer = (vrm_prefer)v->options->dialect.prefer,
        .look_at_unit = (vrm_look_at_unit)v->options->dialect.look_at_unit};
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

// A glTF file without VRM, with animations and while an avatar stands there, is a motion for it.
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
        vrm_peek_info info;
        vrm_peek_get(file, &info);
        motion = info.dialect[0] == '\0' && info.animation_count != 0 &&
                 vrm_clip_load(NULL, bytes.data, bytes.size, NULL, &clip) == VRM_SUCCESS;
        vrm_clip_info about = {0};
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
    // What is on its way counts, so that two quick steps are two files.
    const char *here = v->loader.path != NULL ? v->loader.path : v->figure != NULL ? v->figure->path : "";
    const int32_t at = gallery_find(&v->gallery, here);
    const int32_t count = (int32_t)v->gallery.count;
    load_figure(v, v->gallery.items[at < 0 ? 0 : (at + direction + count) % count].path);
}

// The avatar as its file has it; clips and drawing are the user's and stay.
static void begin_anew(view *v)
{
    set_defaults(v);
    v->angles_known = false;
    if (v->figure == NULL) {
        return;
    }
    figure *f = v->figure;
    puppet_end(&v->puppet, f);
    vrm_instance_reset(f->instance);
    for (uint32_t i = 0; i < f->counts.expressions; ++i) {
        f->weights[i] = -1.0f;
    }
    (void)vrm_instance_set_clip_player(f->instance, f->player);
    acting_set_chain(v);
    acting_apply(v, 1.0 / 60.0);
    (void)vrm_instance_settle_springs(f->instance, 1.0f);
    vrm_update_dt(f->instance, 0.0f);
    view_frame_camera(v, ORBIT_BODY);
}

static void adopt(view *v, figure *f)
{
    stage_times_forget(&v->stage_times);
    puppet_end(&v->puppet, v->figure);
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
    begin_anew(v);
    char title[256];
    vrmi_format(title, sizeof title, "%s - vrm view", f->name);
    glfwSetWindowTitle(v->window, title);
}

// A load that has ended becomes the figure in two frames: the first one says that the pictures are coming.
static void receive(view *v)
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

// --- what the panels ask for ---------------------------------------------------------------------------------------

void view_frame_camera(view *v, orbit_part part)
{
    const double aspect = v->picture.height > 0.0f ? (double)v->picture.width / (double)v->picture.height : 1.0;
    orbit_frame(&v->orbit, v->figure, part, aspect);
    v->wearing = false;
}

void view_wear(view *v)
{
    v->wearing = v->figure != NULL;
    v->wearer_yaw = v->wearer_pitch = 0.0;
}

void view_reset(view *v)
{
    set_drawing(v);
    if (v->figure != NULL) {
        repertoire_play(&v->repertoire, v->figure, -1);
    }
    begin_anew(v);
}

void view_touch_pose(view *v)
{
    pose_history_keep(&v->history, v->figure->instance);
    v->motion = SCENE_MOTION_NONE;
}

bool view_load_pose(view *v, const char *path)
{
    char why[256] = "";
    vrm_bytes bytes = {0};
    pose read;
    vrm_result result = vrm_read_file(path, 1 << 24, NULL, &bytes);
    if (v->figure == NULL) {
        view_say(v, true, "%s: there is no avatar to take the pose", path);
        vrm_bytes_free(&bytes);
        return false;
    }
    if (result != VRM_SUCCESS) {
        view_say(v, true, "%s: %s", path, vrm_result_sentence(result));
        return false;
    }
    result = pose_read(bytes.data, bytes.size, &read, why, sizeof why);
    vrm_bytes_free(&bytes);
    if (result != VRM_SUCCESS) {
        view_say(v, true, "%s: %s", path, why);
        return false;
    }
    view_touch_pose(v);
    pose_put(v->figure->instance, &read);
    v->angles_known = false;
    view_say(v, false, "pose of %s", path);
    return true;
}

// --- a frame -------------------------------------------------------------------------------------------------------

static void smooth(double *value, double seconds)
{
    *value = *value == 0.0 ? seconds * 1e3 : 0.9 * *value + 0.1 * seconds * 1e3;
}

static void move(view *v, double dt)
{
    if (v->figure == NULL) {
        return;
    }
    if (v->paused) {
        dt = v->steps > 0 ? 1.0 / 60.0 : 0.0;
        v->steps -= v->steps > 0;
    } else {
        dt *= (double)v->speed;
    }
    v->time += dt;
    acting_apply(v, dt);
    puppet_update(&v->puppet, v->figure, (float)dt);
}

static vrm_result draw(view *v, double scale)
{
    const view_drawing *d = &v->drawing;
    vrm_render_scene scene;
    vrm_render_scene_default(&scene);
    scene.width = (uint32_t)fmax((double)v->picture.width * scale, 1.0);
    scene.height = (uint32_t)fmax((double)v->picture.height * scale, 1.0);
    scene.background = (vrm_vec4){d->background[0], d->background[1], d->background[2], 1.0f};
    scene.light_color = (vrm_vec3){d->light, d->light, d->light};
    scene.ambient_up = scene.ambient_down = (vrm_vec3){d->ambient, d->ambient, d->ambient};
    scene.blend = (vrm_render_blend)d->blend;
    scene.channel = (vrm_render_channel)d->channel;
    scene.debug = d->debug | (v->look.lines ? (uint32_t)VRM_RENDER_DEBUG_LINES : 0u);
    scene.ground = d->ground;
    scene.no_outlines = d->no_outlines;
    scene.all_double_sided = d->all_double_sided;
    orbit_apply(
        &v->orbit, &scene, (double)d->light_yaw * 0.017453292519943295, (double)d->light_pitch * 0.017453292519943295);
    if (v->wearing && v->figure != NULL) {
        vrm_outputs out;
        vrm_instance_get_outputs(v->figure->instance, &out);
        viewpoint_apply(&out, v->wearer_yaw, v->wearer_pitch, &scene);
    }
    const vrm_render_item item = {.model = v->figure != NULL ? v->figure->meshes : NULL,
        .instance = v->figure != NULL ? v->figure->instance : NULL,
        .first_person = d->first_person || v->wearing,
        .ragdoll = v->puppet.on ? &v->puppet.def : NULL,
        .lines = v->puppet.lines,
        .line_count = v->puppet.on ? v->puppet.line_count : 0};
    return vrm_renderer_draw(v->renderer, &scene, &item, v->figure != NULL);
}

// NAME-001.png and so on, in the folder of --screenshots.
static bool free_name(view *v)
{
    const char *name = v->figure != NULL ? v->figure->name : "stage";
    for (int i = 1; i < 1000; ++i) {
        snprintf(v->last_shot, sizeof v->last_shot, "%s%s%.*s-%03d.png",
            v->options->screenshots != NULL ? v->options->screenshots : "", v->options->screenshots != NULL ? "/" : "",
            (int)strcspn(name, "."), name, i);
        if (cli_platform_path_kind(v->last_shot, true) == CLI_PATH_MISSING) {
            return true;
        }
    }
    return false;
}

void view_screenshot(view *v)
{
    int width, height, wide, high;
    glfwGetFramebufferSize(v->window, &width, &height);
    glfwGetWindowSize(v->window, &wide, &high);
    const double scale = wide > 0 ? (double)width / wide : 1.0;
    const uint32_t w = (uint32_t)((double)v->picture.width * scale), h = (uint32_t)((double)v->picture.height * scale);
    uint8_t *pixels = malloc((size_t)w * h * 4 + 1);
    size_t size = 0;
    // Drawn for it: the last frame may have had another size.
    void *png = pixels != NULL && draw(v, scale) == VRM_SUCCESS &&
                        vrm_renderer_read(v->renderer, pixels, (size_t)w * h * 4) == VRM_SUCCESS
                    ? png_encode(pixels, w, h, &size)
                    : NULL;
    const vrm_result result =
        png != NULL && free_name(v) ? vrm_write_file(v->last_shot, png, size) : VRM_ERROR_OUT_OF_MEMORY;
    if (result == VRM_SUCCESS) {
        view_say(v, false, "wrote %s", v->last_shot);
    } else {
        view_say(v, true, "screenshot %s: %s", v->last_shot, vrm_result_sentence(result));
    }
    free(png);
    free(pixels);
}

static void forget_gl_errors(void)
{
    // ImGui's backend is written for desktop OpenGL and asks for what OpenGL ES does not have.
    for (int i = 0; i < 32 && glGetError() != GL_NO_ERROR; ++i) {
    }
}

// Picture and panels into the window.
static vrm_result show(view *v, int width, int height, double scale)
{
    const double start = cli_platform_seconds();
    vrm_result result = draw(v, scale);
    smooth(&v->statistics.draw, cli_platform_seconds() - start);
    if (result == VRM_SUCCESS) {
        const double left = (double)v->picture.x * scale;
        const double low = height - ((double)v->picture.y + (double)v->picture.height) * scale;
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        result = vrm_renderer_show(v->renderer, 0, (int32_t)left, (int32_t)low);
    }
    glViewport(0, 0, width, height);
    gui_end_frame(true);
    forget_gl_errors();
    if (v->window_path != NULL) { // before it is shown: OpenGL ES cannot read what is
        v->window_written = window_write(v, v->window_path);
        v->window_path = NULL;
    }
    const double before = cli_platform_seconds();
    glfwSwapBuffers(v->window);
    smooth(&v->statistics.show, cli_platform_seconds() - before);
    return result;
}

vrm_result view_frame(view *v)
{
    int width, height, wide, high;
    const double start = cli_platform_seconds(), passed = v->last > 0.0 ? start - v->last : 0.0;
    v->last = start;
    v->statistics.frames[v->statistics.at] = (float)(passed * 1e3);
    v->statistics.at = (v->statistics.at + 1) % VIEW_TIMES;
    receive(v);
    if (!v->font_told && gui_missing_font()[0] != '\0') {
        v->font_told = true;
        view_say(v, false, "%s", gui_missing_font());
    }
    gallery_upload(&v->gallery);
    glfwGetFramebufferSize(v->window, &width, &height);
    glfwGetWindowSize(v->window, &wide, &high);
    gui_begin_frame();
    panels_show(v, (float)wide, (float)high);
    const double moving = cli_platform_seconds();
    smooth(&v->statistics.panels, moving - start);
    // Under control every frame is as long: what a test sees does not hang on the machine's speed.
    move(v, v->options->control ? 1.0 / 60.0 : fmin(passed, 0.1));
    smooth(&v->statistics.update, cli_platform_seconds() - moving);
    if (v->figure != NULL && v->panel == VIEW_PANEL_STATISTICS && !v->panels_hidden) {
        stage_times_measure(&v->stage_times, v->figure->instance);
    }
    ++v->frame;
    if (v->unseen) {
        gui_end_frame(false);
        return VRM_SUCCESS;
    }
    return show(v, width, height, wide > 0 ? (double)width / wide : 1.0);
}
