// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts a material's current values to the layout of the shaders, and finds the shader features that the material
// needs. shaders/material.glsl describes the layout.

#include "internal.h"

#include <math.h>

static void set(float out[4], float x, float y, float z, float w)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

// Computes a KHR_texture_transform with the values that expressions change: translation * rotation * scale.
static void texture_rows(const vrm_texture *texture, const vrm_material_values *values, bool by_uv, float out[2][4])
{
    const vrm_texture_transform *t = &texture->transform;
    float scale[2], offset[2];
    for (int i = 0; i < 2; ++i) {
        scale[i] = t->scale[i];
        offset[i] = t->offset[i];
        if (values != NULL && by_uv) {
            scale[i] = values->uv_base * t->scale[i] + values->uv_scale[i];
            offset[i] = values->uv_base * t->offset[i] + values->uv_offset[i];
        }
    }
    const float c = cosf(t->rotation), s = sinf(t->rotation);
    set(out[0], scale[0] * c, scale[1] * s, offset[0], (float)texture->tex_coord);
    set(out[1], -scale[0] * s, scale[1] * c, offset[1], texture->index >= 0 ? 1.0f : 0.0f);
}

void vrmr_material_vectors(
    const vrm_material_params *params, const vrm_material_values *values, float out[VRMR_MATERIAL_VECTORS][4])
{
    const vrm_vec4 *colors = values != NULL ? values->colors : params->colors;
    for (int i = 0; i < VRM_MATERIAL_COLOR_COUNT; ++i) {
        set(out[i], colors[i].x, colors[i].y, colors[i].z, colors[i].w);
    }
    set(out[6], params->shading_shift, params->shading_toony, params->gi_equalization, params->rim_fresnel_power);
    set(out[7], params->rim_lift, params->rim_lighting_mix, params->outline_width, params->outline_lighting_mix);
    set(out[8], params->alpha_cutoff, params->emissive_strength, params->metallic, params->roughness);
    set(out[9], values != NULL ? values->uv_scroll[0] : 0.0f, values != NULL ? values->uv_scroll[1] : 0.0f,
        values != NULL ? values->uv_rotation : 0.0f, params->textures[VRM_TEXTURE_SHADING_SHIFT].scale);
    set(out[10], params->textures[VRM_TEXTURE_NORMAL].scale, params->textures[VRM_TEXTURE_OCCLUSION].scale,
        (float)params->outline_mode, (float)params->alpha_mode);
    for (int i = 0; i < VRM_TEXTURE_SLOT_COUNT; ++i) {
        texture_rows(&params->textures[i], values, i != VRM_TEXTURE_MATCAP, out + 11 + 2 * i);
    }
}

uint32_t vrmr_feature_if(bool condition, vrmr_feature feature)
{
    return condition ? (uint32_t)feature : 0;
}

static bool is_black(vrm_vec4 color)
{
    return color.x == 0.0f && color.y == 0.0f && color.z == 0.0f;
}

uint32_t vrmr_material_features(const vrm_material_params *params, const vrm_material_values *values, bool outline)
{
    uint32_t features = 0;
    for (int i = 0; i < VRM_TEXTURE_SLOT_COUNT; ++i) {
        if (params->textures[i].index >= 0) {
            features |= 1u << i | vrmr_feature_if(params->textures[i].tex_coord > 1, VRMR_FEATURE_UV23);
        }
    }
    const bool is_lit = !outline || params->outline_lighting_mix != 0.0f;
    if (!is_lit) { // of the textures, only shape and alpha are used
        features &= 1u << VRM_TEXTURE_BASE_COLOR | 1u << VRM_TEXTURE_OUTLINE_WIDTH_MULTIPLY |
                    1u << VRM_TEXTURE_UV_ANIMATION_MASK | (uint32_t)VRMR_FEATURE_UV23;
    }
    const bool is_animated =
        params->uv_scroll_speed[0] != 0.0f || params->uv_scroll_speed[1] != 0.0f || params->uv_rotation_speed != 0.0f;
    // An expression can make a rim visible that is black at rest. Another shader is then compiled.
    const bool has_rim = !is_black(params->colors[VRM_MATERIAL_COLOR_RIM]) ||
                         (values != NULL && !is_black(values->colors[VRM_MATERIAL_COLOR_RIM]));
    return features | vrmr_feature_if(is_animated, VRMR_FEATURE_ANIMATED) |
           vrmr_feature_if(is_lit && has_rim, VRMR_FEATURE_RIM) | vrmr_feature_if(is_lit && outline, VRMR_FEATURE_LIT) |
           vrmr_feature_if(params->alpha_mode == VRM_ALPHA_MASK, VRMR_FEATURE_MASK) |
           vrmr_feature_if(params->alpha_mode == VRM_ALPHA_BLEND, VRMR_FEATURE_BLEND);
}
