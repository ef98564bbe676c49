// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_MATERIAL_H
#define VRM_MATERIAL_H

/// @file material.h
/// Static description of the file's materials: glTF's own, KHR_materials_unlit, KHR_materials_emissive_strength and
/// VRMC_materials_mtoon-1.0. All colours are linear. Values that expressions and time change are outputs (output.h).

#include <vrm/math.h>

/// The shading model of a material: glTF's own, KHR_materials_unlit or VRMC_materials_mtoon.
typedef enum vrm_material_type {
    VRM_MATERIAL_PBR = 0,
    VRM_MATERIAL_UNLIT = 1,
    VRM_MATERIAL_MTOON = 2
} vrm_material_type;
/// glTF's alphaMode.
typedef enum vrm_alpha_mode { VRM_ALPHA_OPAQUE = 0, VRM_ALPHA_MASK = 1, VRM_ALPHA_BLEND = 2 } vrm_alpha_mode;
/// The unit of an outline's width: VRMC_materials_mtoon, outlineWidthMode.
typedef enum vrm_outline_mode {
    VRM_OUTLINE_NONE = 0,
    VRM_OUTLINE_WORLD_COORDINATES = 1, ///< The width is in metres.
    VRM_OUTLINE_SCREEN_COORDINATES = 2 ///< The width is a ratio of the screen's height.
} vrm_outline_mode;

/// KHR_texture_transform.
typedef struct vrm_texture_transform {
    float scale[2];  ///< Default 1, 1.
    float offset[2]; ///< Default 0, 0.
    float rotation;  ///< Radians, counter-clockwise.
} vrm_texture_transform;

/// A texture of a material.
typedef struct vrm_texture {
    int32_t index;      ///< Index of the glTF texture, or -1.
    uint32_t tex_coord; ///< UV set: texCoord of KHR_texture_transform if present, else of the texture.
    float scale;        ///< normalTexture.scale, the strength of occlusion, or shadingShiftTexture.scale; else 1.
    vrm_texture_transform transform;
} vrm_texture;

/// The textures of a material. MATCAP is not sampled by UVs and ignores transforms.
typedef enum vrm_texture_slot {
    VRM_TEXTURE_BASE_COLOR = 0,
    VRM_TEXTURE_METALLIC_ROUGHNESS = 1,
    VRM_TEXTURE_NORMAL = 2,
    VRM_TEXTURE_OCCLUSION = 3,
    VRM_TEXTURE_EMISSIVE = 4,
    VRM_TEXTURE_SHADE_MULTIPLY = 5,
    VRM_TEXTURE_SHADING_SHIFT = 6,
    VRM_TEXTURE_MATCAP = 7,
    VRM_TEXTURE_RIM_MULTIPLY = 8,
    VRM_TEXTURE_OUTLINE_WIDTH_MULTIPLY = 9,
    VRM_TEXTURE_UV_ANIMATION_MASK = 10,
    VRM_TEXTURE_SLOT_COUNT = 11
} vrm_texture_slot;

/// The colours of a material that an expression may change, in the order of the output's arrays.
typedef enum vrm_material_color {
    VRM_MATERIAL_COLOR_BASE = 0,     ///< "color": baseColorFactor, with alpha.
    VRM_MATERIAL_COLOR_EMISSION = 1, ///< "emissionColor": emissiveFactor, without its strength.
    VRM_MATERIAL_COLOR_SHADE = 2,
    VRM_MATERIAL_COLOR_MATCAP = 3,
    VRM_MATERIAL_COLOR_RIM = 4,
    VRM_MATERIAL_COLOR_OUTLINE = 5,
    VRM_MATERIAL_COLOR_COUNT = 6
} vrm_material_color;

/// All properties of a material except its name.
typedef struct vrm_material_params {
    vrm_material_type type;
    vrm_alpha_mode alpha_mode;
    float alpha_cutoff;                        ///< Default 0.5.
    bool double_sided;                         ///< Back faces are drawn.
    bool transparent_with_z_write;             ///< MToon: a material with BLEND also writes depth.
    int32_t render_queue_offset;               ///< -9 to 9.
    vrm_vec4 colors[VRM_MATERIAL_COLOR_COUNT]; ///< Linear; alpha is 1, except in the base colour.
    float emissive_strength;                   ///< Default 1.
    float metallic, roughness;                 ///< pbrMetallicRoughness, 0 to 1; default 1.
    float shading_shift;                       ///< MToon: -1 to 1; default 0.
    float shading_toony;                       ///< MToon: 0 to 1; default 0.9.
    float gi_equalization;                     ///< MToon: 0 to 1; default 0.9.
    float rim_fresnel_power;                   ///< MToon: 0 or more; default 5.
    float rim_lift;                            ///< MToon: default 0.
    float rim_lighting_mix;                    ///< MToon: 0 to 1; default 1.
    vrm_outline_mode outline_mode;
    float outline_width;        ///< MToon: 0 or more, in the mode's unit; default 0.
    float outline_lighting_mix; ///< MToon: 0 to 1; default 1.
    float uv_scroll_speed[2];   ///< MToon: UV units per second.
    float uv_rotation_speed;    ///< MToon: radians per second about (0.5, 0.5).
    vrm_texture textures[VRM_TEXTURE_SLOT_COUNT];
} vrm_material_params;

/// A material of the file.
typedef struct vrm_material {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_material).
    vrm_string name;
    vrm_material_params params;
} vrm_material;

#endif
