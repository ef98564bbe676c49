// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Draws a picture: first the shadow in its own target, then ground, surfaces and lines.

#include "internal.h"

#include "base/abi.h"

#include <math.h>

void(vrm_render_scene_default)(vrm_render_scene *scene, size_t size)
{
    const vrm_render_scene own = {.struct_size = sizeof own,
        .view = {[0] = 1, [5] = 1, [10] = 1, [15] = 1},
        .projection = {[0] = 1, [5] = 1, [10] = 1, [15] = 1},
        .width = 512,
        .height = 512,
        .light_direction = {-0.35f, 0.5f, 0.79f},
        .light_color = {0.92f, 0.92f, 0.92f},
        .ambient_up = {0.1f, 0.1f, 0.1f},
        .ambient_down = {0.1f, 0.1f, 0.1f},
        .environment = {0.5f, 0.5f, 0.5f},
        .ground_radius = 4.0f};
    vrmi_write_defaults(scene, size, &own, sizeof own);
}

static float encoded(float c)
{
    return c <= 0.0031308f ? c * 12.92f : 1.055f * powf(c, 1.0f / 2.4f) - 0.055f;
}

static void begin(const vrm_render_scene *scene)
{
    const vrm_vec4 *b = &scene->background;
    const bool encode = scene->blend == VRM_RENDER_BLEND_ENCODED;
    vrmr_begin_state();
    // The target's colours are premultiplied by alpha, so that a transparent background stays exact.
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glClearColor((encode ? encoded(b->x) : b->x) * b->w, (encode ? encoded(b->y) : b->y) * b->w,
        (encode ? encoded(b->z) : b->z) * b->w, b->w);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

vrm_result vrmr_check_arguments(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t item_count)
{
    renderer->error[0] = '\0';
    bool good = scene != NULL && scene->width != 0 && scene->height != 0 &&
                (unsigned)scene->channel < VRM_RENDER_CHANNEL_COUNT && (items != NULL || item_count == 0);
    for (uint32_t i = 0; good && i < item_count; ++i) {
        good = items[i].model != NULL && items[i].instance != NULL && items[i].model->renderer == renderer &&
               vrm_instance_get_avatar(items[i].instance) == items[i].model->avatar;
    }
    return good ? VRM_SUCCESS
                : vrmr_fail(renderer, VRM_ERROR_INVALID_ARGUMENT,
                      "the scene is incomplete, or an item's model and instance belong to different avatars or "
                      "renderers");
}

static vrm_result draw_lines(vrm_renderer *renderer, const vrmr_surfaces *what)
{
    vrm_result result = VRM_SUCCESS;
    for (uint32_t i = 0; i < what->item_count && result == VRM_SUCCESS; ++i) {
        vrm_outputs out = {.struct_size = sizeof out};
        float view[16], clip[16];
        vrm_instance_get_outputs(what->items[i].instance, &out);
        vrmr_matrices(what->scene, &out.origin, view, clip);
        renderer->line_count = 0;
        vrmr_add_debug_lines(renderer, &what->items[i], what->scene->debug);
        result = vrmr_draw_lines(renderer, clip);
    }
    return result;
}

vrm_result vrm_renderer_draw(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t item_count)
{
    vrm_render_scene own;
    vrm_render_scene_default(&own);
    scene = VRMI_READ_OPTIONS(vrm_render_scene, &own, scene) ? &own : NULL;
    const vrmr_surfaces what = {scene, items, item_count, VRMR_PROGRAM_COUNT};
    vrm_result result = vrmr_check_arguments(renderer, scene, items, item_count);
    if (result == VRM_SUCCESS) {
        renderer->target_ready = false;
        result = scene->shadow ? vrmr_draw_shadow(renderer, scene, items, item_count) : VRM_SUCCESS;
        result = result == VRM_SUCCESS ? vrmr_prepare_target(renderer, scene) : result;
    }
    if (result != VRM_SUCCESS) {
        return result;
    }
    begin(scene);
    result = scene->ground || scene->shadow ? vrmr_draw_ground(renderer, scene, items, item_count) : VRM_SUCCESS;
    result = result == VRM_SUCCESS ? vrmr_draw_surfaces(renderer, &what) : result;
    result = result == VRM_SUCCESS && scene->debug != 0 ? draw_lines(renderer, &what) : result;
    return result == VRM_SUCCESS ? vrmr_resolve_target(renderer) : result;
}
