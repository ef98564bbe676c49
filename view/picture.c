// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Draws pictures of the avatar, with and without the panels, in the window and into files.

#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include <GLFW/glfw3.h>

#include "platform.h"
#include "png.h"
#include "viewpoint.h"

vrm_result view_draw(view *v, double scale)
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
    scene.shadow = d->shadow;
    scene.no_outlines = d->no_outlines;
    scene.all_double_sided = d->all_double_sided;
    orbit_apply(
        &v->orbit, &scene, (double)d->light_yaw * 0.017453292519943295, (double)d->light_pitch * 0.017453292519943295);
    if (v->wearing && v->figure != NULL) {
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(v->figure->instance, &out);
        viewpoint_apply(&out, v->wearer_yaw, v->wearer_pitch, &scene);
        scene.ground_radius = viewpoint_ground;
    }
    const bool bodies = v->puppet.on && (scene.debug & VRM_RENDER_DEBUG_RAGDOLL) != 0;
    const vrm_render_item item = {.model = v->figure != NULL ? v->figure->meshes : NULL,
        .instance = v->figure != NULL ? v->figure->instance : NULL,
        .first_person = d->first_person || v->wearing,
        .ragdoll = v->puppet.on ? &v->puppet.def : NULL,
        .lines = v->puppet.lines,
        .line_count = bodies ? v->puppet.line_count : 0};
    return vrm_renderer_draw(v->renderer, &scene, &item, v->figure != NULL);
}

// Finds an unused name, NAME-001.png and so on, in the folder of --screenshots.
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
    // The picture is drawn again, since the last frame may have had another size.
    void *png = pixels != NULL && view_draw(v, scale) == VRM_SUCCESS &&
                        vrm_renderer_read_pixels(v->renderer, pixels, (size_t)w * h * 4) == VRM_SUCCESS
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

bool view_write_window(view *v, const char *path)
{
    int width, height;
    glfwGetFramebufferSize(v->window, &width, &height);
    const size_t row = (size_t)width * 4;
    uint8_t *pixels = malloc(row * (size_t)height + 1);
    size_t size = 0;
    if (pixels == NULL) {
        return false;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    for (int y = 0; y < height; ++y) {
        glReadPixels(0, height - 1 - y, width, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels + row * (size_t)y);
    }
    for (size_t i = 3; i < row * (size_t)height; i += 4) {
        pixels[i] = 255;
    }
    void *png = png_encode(pixels, (uint32_t)width, (uint32_t)height, &size);
    const bool good = png != NULL && vrm_write_file(path, png, size) == VRM_SUCCESS;
    free(png);
    free(pixels);
    return good;
}
