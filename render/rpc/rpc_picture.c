// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "rpc.h"

#include "cmd/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4 }; // samples per pixel for every request, as in the suite's other adapters

bool rpc_read_picture(rpc_call *call, rpc_picture *out)
{
    *out = (rpc_picture){rpc_uint(call, call->params, "width", 0), rpc_uint(call, call->params, "height", 0),
        rpc_word(call, call->params, "color_space", "Linear Srgb", 1) == 0, NULL};
    if (out->width == 0 || out->height == 0 || out->width > 16384 || out->height > 16384) {
        return rpc_fail(
            call, RPC_PARAMS, "a picture of %u x %u: expected 1 to 16384 pixels a side", out->width, out->height);
    }
    const uint32_t samples = rpc_uint(call, call->params, "msaa", SAMPLES);
    return samples <= 255 || rpc_fail(call, RPC_PARAMS, "msaa is %u: expected 0 to 255", samples);
}

void rpc_add_color_space(rpc_call *call, const rpc_picture *picture)
{
    cli_json_text(call->result, "actual_color_space", picture->linear ? "Linear" : "Srgb");
}

static bool fail_render(rpc_call *call, const char *reason)
{
    rpc_fail(call, RPC_RENDER, "%s: %s", call->session->path, reason);
    rpc_fail_data(call, "reason", reason);
    return false;
}

static bool fail_renderer(rpc_call *call, vrm_result result)
{
    const char *why = call->server->renderer != NULL ? vrm_renderer_get_error(call->server->renderer) : "";
    return fail_render(call, why[0] != '\0' ? why : vrm_result_sentence(result));
}

// Creates context and renderer. This is done only when a picture is requested.
static bool make_renderer(rpc_call *call)
{
    rpc_server *server = call->server;
    if (server->renderer != NULL) {
        return true;
    }
    const char *why = "";
    vrm_result result = server->context != NULL ? VRM_SUCCESS : vrm_render_context_create(&server->context, &why);
    if (result != VRM_SUCCESS) {
        return fail_render(call, why != NULL && why[0] != '\0' ? why : vrm_result_sentence(result));
    }
    vrm_renderer_def def;
    vrm_renderer_def_default(&def);
    def.samples = SAMPLES;
    result = vrm_renderer_create(&def, &server->renderer);
    if (result != VRM_SUCCESS) {
        fail_renderer(call, result);
        vrm_renderer_destroy(server->renderer);
        server->renderer = NULL;
    }
    return result == VRM_SUCCESS;
}

static bool make_meshes(rpc_call *call)
{
    rpc_session *s = call->session;
    cli_job *job = call->server->job;
    if (s->meshes != NULL) {
        return true;
    }
    vrm_report_clear(job->report);
    const vrm_result result =
        vrm_render_model_create(call->server->renderer, s->model.gltf, s->model.avatar, job->report, &s->meshes);
    cli_print_findings(job, s->path, VRM_SEVERITY_WARNING);
    return result == VRM_SUCCESS || fail_renderer(call, result);
}

static void fill_scene(const rpc_call *call, const rpc_picture *picture, vrm_render_scene *scene)
{
    const rpc_session *s = call->session;
    vrm_render_scene_default(scene);
    scene->width = picture->width;
    scene->height = picture->height;
    matrix_look(scene->view, s->eye, s->target, s->up);
    matrix_perspective(scene->projection, s->fov, (double)picture->width / picture->height, 0.01, 100.0);
    scene->background = (vrm_vec4){1.0f, 0.0f, 1.0f, 1.0f};
    scene->light_direction = s->light_direction;
    scene->light_color = s->light_color;
    scene->ambient_up = scene->ambient_down = s->ambient;
    scene->environment = (vrm_vec3){0.0f, 0.0f, 0.0f}; // set_environment is not implemented, so metals reflect nothing
    scene->blend = call->server->options->web_blend ? VRM_RENDER_BLEND_ENCODED : VRM_RENDER_BLEND_LINEAR;
}

// --- after the picture ---------------------------------------------------------------------------------------------

static double decode(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double encode(double value)
{
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
}

// Maps a channel to a tone: unchanged, linear, by Reinhard's x / (1 + x), or by Narkowicz's fit of ACES (2015).
static double tone(int kind, double exposure, double x)
{
    x *= kind == 0 ? 1.0 : exposure;
    switch (kind) {
    case 2:
        return x / (1.0 + x);
    case 3:
        return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    default:
        return x;
    }
}

// Converts all pixels except those of the background by one table, since the picture has only 8 bits at this point.
static void finish(rpc_call *call, const rpc_picture *picture)
{
    const rpc_session *s = call->session;
    if (!picture->linear && (s->tone_mapping == 0 || (s->tone_mapping == 1 && s->exposure == 1.0))) {
        return;
    }
    uint8_t table[256], *pixels = call->server->pixels;
    for (int i = 0; i < 256; ++i) {
        const double value = fmin(tone(s->tone_mapping, s->exposure, decode(i / 255.0)), 1.0);
        table[i] = (uint8_t)lround(255.0 * (picture->linear ? value : encode(value)));
    }
    const size_t count = (size_t)picture->width * picture->height;
    for (size_t i = 0; i < count; ++i, pixels += 4) {
        if (pixels[0] == 255 && pixels[1] == 0 && pixels[2] == 255) {
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            pixels[k] = table[pixels[k]];
        }
    }
}

static bool write(rpc_call *call, const rpc_picture *picture)
{
    size_t size = 0;
    if (cli_guard_input(call->server->job, picture->path) != CLI_EXIT_DONE) {
        return fail_render(call, "the output is one of the input files");
    }
    void *bytes = png_encode(call->server->pixels, picture->width, picture->height, &size);
    if (bytes == NULL) {
        return rpc_fail_memory(call);
    }
    const vrm_result result = vrm_write_file(picture->path, bytes, size);
    free(bytes);
    if (result != VRM_SUCCESS) {
        rpc_fail(call, RPC_RENDER, "%s: %s", picture->path, vrm_result_sentence(result));
        rpc_fail_data(call, "reason", vrm_result_sentence(result));
        return false;
    }
    return true;
}

bool rpc_draw(rpc_call *call, const rpc_picture *picture)
{
    rpc_server *server = call->server;
    const double started = cli_platform_seconds();
    const size_t size = (size_t)picture->width * picture->height * 4;
    if (!make_renderer(call) || !make_meshes(call)) {
        return false;
    }
    if (size > server->pixels_size) {
        uint8_t *pixels = realloc(server->pixels, size);
        if (pixels == NULL) {
            return rpc_fail_memory(call);
        }
        server->pixels = pixels;
        server->pixels_size = size;
    }
    vrm_render_scene scene;
    fill_scene(call, picture, &scene);
    const vrm_render_item item = {.model = call->session->meshes, .instance = call->session->instance};
    vrm_result result = vrm_renderer_draw(server->renderer, &scene, &item, 1);
    result = result == VRM_SUCCESS ? vrm_renderer_read_pixels(server->renderer, server->pixels, size) : result;
    if (result != VRM_SUCCESS) {
        return fail_renderer(call, result);
    }
    if (call->session->first_frame_ms < 0.0) {
        call->session->first_frame_ms = (cli_platform_seconds() - started) * 1000.0;
    }
    finish(call, picture);
    return picture->path == NULL || write(call, picture);
}

bool rpc_render(rpc_call *call)
{
    rpc_picture picture;
    if (!rpc_read_picture(call, &picture)) {
        return false;
    }
    char *path = rpc_text(call, call->params, "output_path");
    if (path == NULL) {
        return false;
    }
    picture.path = path;
    if (call->server->options->step_on_render) {
        rpc_update(call->session, 1.0 / 60.0);
    }
    const bool good = rpc_draw(call, &picture);
    if (good) {
        cli_json_text(call->result, "output_path", path);
        rpc_add_color_space(call, &picture);
    }
    free(path);
    return good;
}
