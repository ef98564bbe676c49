// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Draws the ground: a grid with round shadows under hands and feet, or with the figures' own shadow. For their own
// shadow, the figures are projected along the light onto a map of the ground: R is 1 where something is above the
// ground, G is the height of the lowest surface. The map's mipmaps are blurred versions of it, and the shader uses the
// level that fits the height.

#include "internal.h"

#include <math.h>
#include <string.h>

enum { MAP = 512 };

// Computes the round shadows of feet, toes, hands and hips. The nearer a bone is to the ground, the smaller and darker
// its shadow.
static void fill_blots(const vrm_render_item *item, const vrm_outputs *out, float blots[8][4])
{
    static const vrm_human_bone bones[8] = {VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT,
        VRM_HUMAN_BONE_LEFT_TOES, VRM_HUMAN_BONE_RIGHT_TOES, VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_LEFT_HAND,
        VRM_HUMAN_BONE_RIGHT_HAND, VRM_HUMAN_BONE_HEAD};
    const vrm_avatar *avatar = vrm_instance_get_avatar(item->instance);
    for (int i = 0; i < 8; ++i) {
        const int32_t node = vrm_avatar_get_bone_node(avatar, bones[i]);
        if (node < 0) {
            continue;
        }
        const vrm_mat34 *w = &out->world[node];
        const vrm_vec3 at = {w->m[0][3], w->m[1][3], w->m[2][3]};
        const float height = fmaxf(at.y + (float)out->origin.y, 0.0f);
        const float radius = (bones[i] == VRM_HUMAN_BONE_HIPS ? 0.16f : 0.07f) + 0.25f * height;
        blots[i][0] = at.x;
        blots[i][1] = at.z;
        blots[i][2] = radius;
        blots[i][3] = 0.5f * 0.07f / radius;
    }
}

static vrm_result begin_map(vrm_renderer *renderer)
{
    if (renderer->shadow_framebuffer == 0) {
        glGenFramebuffers(1, &renderer->shadow_framebuffer);
        glGenTextures(1, &renderer->shadow_texture);
        glGenRenderbuffers(1, &renderer->shadow_depth);
        glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_SLOTS);
        glBindTexture(GL_TEXTURE_2D, renderer->shadow_texture);
        glTexStorage2D(GL_TEXTURE_2D, 8, GL_RGBA8, MAP, MAP);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glBindRenderbuffer(GL_RENDERBUFFER, renderer->shadow_depth);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, MAP, MAP);
        glBindFramebuffer(GL_FRAMEBUFFER, renderer->shadow_framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, renderer->shadow_texture, 0);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, renderer->shadow_depth);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->shadow_framebuffer);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        return vrmr_fail(renderer, VRM_ERROR_UNSUPPORTED, "the driver cannot draw into the shadow's texture");
    }
    glViewport(0, 0, MAP, MAP);
    vrmr_begin_state();
    glDisable(GL_BLEND);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return VRM_SUCCESS;
}

void vrmr_free_shadow(vrm_renderer *renderer)
{
    glDeleteFramebuffers(1, &renderer->shadow_framebuffer);
    glDeleteTextures(1, &renderer->shadow_texture);
    glDeleteRenderbuffers(1, &renderer->shadow_depth);
}

// The bounds of the shadows of all boxes on the ground (lowest and highest x and z), and the greatest height of a
// corner.
typedef struct reach {
    double low[2], high[2], height;
} reach;

static reach find_reach(const vrm_render_item *items, uint32_t count, const vrm_dvec3 *origin, const double slope[2])
{
    reach r = {{1e30, 1e30}, {-1e30, -1e30}, 0.0};
    for (uint32_t i = 0; i < count; ++i) {
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(items[i].instance, &out);
        for (int corner = 0; corner < 8 && out.box.min.x <= out.box.max.x; ++corner) {
            const double y = out.origin.y + (double)((corner & 2) != 0 ? out.box.max.y : out.box.min.y);
            const double above = fmax(y, 0.0);
            const double at[2] = {out.origin.x - origin->x +
                                      (double)((corner & 1) != 0 ? out.box.max.x : out.box.min.x) - above * slope[0],
                out.origin.z - origin->z + (double)((corner & 4) != 0 ? out.box.max.z : out.box.min.z) -
                    above * slope[1]};
            for (int k = 0; k < 2; ++k) {
                r.low[k] = fmin(r.low[k], at[k]);
                r.high[k] = fmax(r.high[k], at[k]);
            }
            r.height = fmax(r.height, y);
        }
    }
    return r;
}

vrm_result vrmr_draw_shadow(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t count)
{
    const vrm_vec3 *l = &scene->light_direction;
    const double length = sqrt((double)l->x * (double)l->x + (double)l->y * (double)l->y + (double)l->z * (double)l->z);
    renderer->shadow_place[2] = 0.0f; // none
    if (count == 0 || !((double)l->y > 0.05 * length)) {
        return VRM_SUCCESS; // the light comes from below, or is so flat that the shadow would reach the horizon
    }
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(items[0].instance, &out);
    const double slope[2] = {(double)l->x / (double)l->y, (double)l->z / (double)l->y};
    reach r = find_reach(items, count, &out.origin, slope);
    if (!(r.height > 0.0)) {
        return VRM_SUCCESS;
    }
    const double margin = 0.3 * r.height; // room for the soft edge
    // In this projection a point's x and z are those at which its light ray meets the ground. Its depth is its height,
    // so that the lowest surface is kept.
    vrm_render_scene map = *scene;
    double scale[2], offset[2];
    memset(map.view, 0, sizeof map.view);
    memset(map.projection, 0, sizeof map.projection);
    for (int k = 0; k < 2; ++k) {
        scale[k] = 2.0 / (r.high[k] - r.low[k] + 2.0 * margin);
        offset[k] = -0.5 * (r.low[k] + r.high[k]) * scale[k];
        map.projection[5 * k] = (float)scale[k];
        map.projection[12 + k] = (float)offset[k];
        map.view[4 + k] = -slope[k];
        renderer->shadow_place[k] = (float)(0.5 * scale[k]);
        renderer->shadow_place[3 + k] = (float)(0.5 + 0.5 * offset[k]);
    }
    map.view[0] = map.view[9] = map.view[6] = map.view[15] = 1.0;
    map.view[12] = -out.origin.x;
    map.view[13] = -out.origin.z;
    map.projection[10] = (float)(2.0 / r.height);
    map.projection[14] = -1.0f;
    map.projection[15] = 1.0f;
    map.all_double_sided = true;
    renderer->shadow_place[2] = (float)r.height;
    vrm_result result = begin_map(renderer);
    if (result == VRM_SUCCESS) {
        const vrmr_surfaces what = {&map, items, count, VRMR_PROGRAM_SHADOW};
        result = vrmr_draw_surfaces(renderer, &what);
    }
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_SLOTS);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow_texture);
    glGenerateMipmap(GL_TEXTURE_2D);
    return result == VRM_SUCCESS ? vrmr_check(renderer, "drawing a shadow") : result;
}

vrm_result vrmr_draw_ground(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t count)
{
    const vrmr_program *program =
        vrmr_use_program(renderer, VRMR_PROGRAM_GROUND, vrmr_feature_if(scene->shadow, VRMR_FEATURE_SHADOW));
    if (program == NULL) {
        return VRM_ERROR_UNSUPPORTED;
    }
    float view[16], clip[16], blots[8][4] = {{0}};
    vrm_outputs out = {.struct_size = sizeof out};
    if (count != 0) {
        vrm_instance_get_outputs(items[0].instance, &out);
    }
    if (count != 0 && !scene->shadow) {
        fill_blots(&items[0], &out, blots);
    }
    vrmr_matrices(scene, &out.origin, view, clip);
    const float y = (float)-out.origin.y, far = fmaxf(scene->ground_radius, 0.1f);
    const vrmr_line_vertex corners[4] = {
        {{-far, y, -far}, {0}}, {{far, y, -far}, {0}}, {{-far, y, far}, {0}}, {{far, y, far}, {0}}};
    glUniformMatrix4fv(program->clip, 1, GL_FALSE, clip);
    glUniform4fv(program->blots, 8, blots[0]);
    glUniform4f(program->grid, (float)(out.origin.x - floor(out.origin.x)), (float)(out.origin.z - floor(out.origin.z)),
        far, scene->ground ? 1.0f : 0.0f);
    const float *p = renderer->shadow_place;
    glUniform4f(program->shadow, p[0], p[1], p[3], p[4]);
    glUniform1f(program->height, p[2]);
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_SLOTS);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow_texture);
    vrmr_draw_vertices(renderer, corners, 4, GL_TRIANGLE_STRIP);
    return VRM_SUCCESS;
}
