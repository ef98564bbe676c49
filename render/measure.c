// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures the extent of an avatar in a picture. The avatar's silhouettes are drawn small, with everything that moves
// vertices or hides pixels (skins, morph targets, alpha, culling, first-person visibility), and their pixels are
// counted. The bounds of joints or vertices would only be an estimate.

#include "internal.h"

#include "base/abi.h"

#include <stdlib.h>

enum { LONGEST = 192 }; // pixels of the longer side, so that edges are accurate to half a percent of the picture

static vrm_result begin(vrm_renderer *renderer, GLsizei width, GLsizei height)
{
    if (renderer->measure_framebuffer == 0) {
        glGenFramebuffers(1, &renderer->measure_framebuffer);
        glGenTextures(1, &renderer->measure_texture);
        glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_SLOTS);
        glBindTexture(GL_TEXTURE_2D, renderer->measure_texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, LONGEST, LONGEST);
        glBindFramebuffer(GL_FRAMEBUFFER, renderer->measure_framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, renderer->measure_texture, 0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->measure_framebuffer);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        return vrmr_fail(renderer, VRM_ERROR_UNSUPPORTED, "the driver cannot draw into the texture for measuring");
    }
    glViewport(0, 0, width, height);
    vrmr_begin_state();
    glDisable(GL_DEPTH_TEST);
    // A pixel counts if any surface covers it.
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    return VRM_SUCCESS;
}

void vrmr_free_measure(vrm_renderer *renderer)
{
    glDeleteFramebuffers(1, &renderer->measure_framebuffer);
    glDeleteTextures(1, &renderer->measure_texture);
}

static void add_pixel(vrm_render_rectangle *r, const float at[2], const float half[2])
{
    r->left = at[0] - half[0] < r->left ? at[0] - half[0] : r->left;
    r->right = at[0] + half[0] > r->right ? at[0] + half[0] : r->right;
    r->bottom = at[1] - half[1] < r->bottom ? at[1] - half[1] : r->bottom;
    r->top = at[1] + half[1] > r->top ? at[1] + half[1] : r->top;
}

static void count_pixels(const uint8_t *pixels, uint32_t width, uint32_t height, vrm_render_extent *out)
{
    static const vrm_render_rectangle nothing = {2.0f, -2.0f, 2.0f, -2.0f};
    vrm_render_rectangle *const rectangles[3] = {&out->whole, &out->head, &out->head_and_hair};
    const float half[2] = {1.0f / (float)width, 1.0f / (float)height};
    uint32_t covered = 0, seen = 0;
    for (int i = 0; i < 3; ++i) {
        *rectangles[i] = nothing;
    }
    for (uint32_t i = 0; i < width * height; ++i) {
        const float at[2] = {
            (float)(2 * (i % width) + 1) * half[0] - 1.0f, (float)(2 * (i / width) + 1) * half[1] - 1.0f};
        for (int c = 0; c < 3; ++c) {
            if (pixels[4 * (size_t)i + (size_t)c] != 0) {
                add_pixel(rectangles[c], at, half);
            }
        }
        seen += pixels[4 * (size_t)i] != 0;
        covered += pixels[4 * (size_t)i + 3] != 0;
    }
    out->seen = (float)seen * half[0] * half[1];
    out->covered = (float)covered * half[0] * half[1];
}

vrm_result vrm_renderer_measure(vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items,
    uint32_t item_count, vrm_render_extent *out_extent)
{
    vrm_render_scene own;
    vrm_render_scene_default(&own);
    scene = VRMI_READ_OPTIONS(vrm_render_scene, &own, scene) ? &own : NULL;
    vrm_result result = vrmr_check_arguments(renderer, scene, items, item_count);
    if (result != VRM_SUCCESS) {
        return result;
    }
    const uint32_t longer = scene->width > scene->height ? scene->width : scene->height;
    const uint32_t width = (uint32_t)((scene->width * (uint64_t)LONGEST + longer - 1) / longer);
    const uint32_t height = (uint32_t)((scene->height * (uint64_t)LONGEST + longer - 1) / longer);
    uint8_t *pixels = malloc((size_t)LONGEST * LONGEST * 4);
    result = pixels != NULL ? begin(renderer, (GLsizei)width, (GLsizei)height)
                            : vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for measuring");
    if (result == VRM_SUCCESS) {
        const vrmr_surfaces what = {scene, items, item_count, VRMR_PROGRAM_SILHOUETTE};
        result = vrmr_draw_surfaces(renderer, &what);
        glBlendEquation(GL_FUNC_ADD);
    }
    if (result == VRM_SUCCESS) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, (GLsizei)width, (GLsizei)height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        result = vrmr_check(renderer, "measuring");
        count_pixels(pixels, width, height, out_extent);
    }
    free(pixels);
    return result;
}
