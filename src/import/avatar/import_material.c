// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"
#include "base/text.h"
#include "import/avatar/import_parts.h"
#include "math/scalar.h"

static const char *const alpha_modes[] = {"OPAQUE", "MASK", "BLEND"};
static const char *const outline_modes[] = {"none", "worldCoordinates", "screenCoordinates"};

static const vrm_texture no_texture = {-1, 0, 1.0f, {{1.0f, 1.0f}, {0.0f, 0.0f}, 0.0f}};

// Defaults of glTF and VRMC_materials_mtoon. For shadeColorFactor, the schema and UniVRM have white, but the prose and
// newer three-vrm have black. White is used here, because a shade that nobody chose should not darken the material.
static const vrm_material_params default_params = {
    .type = VRM_MATERIAL_PBR,
    .alpha_cutoff = 0.5f,
    .colors =
        {
            [VRM_MATERIAL_COLOR_BASE] = {1.0f, 1.0f, 1.0f, 1.0f},
            [VRM_MATERIAL_COLOR_EMISSION] = {0.0f, 0.0f, 0.0f, 1.0f},
            [VRM_MATERIAL_COLOR_SHADE] = {1.0f, 1.0f, 1.0f, 1.0f},
            [VRM_MATERIAL_COLOR_MATCAP] = {1.0f, 1.0f, 1.0f, 1.0f},
            [VRM_MATERIAL_COLOR_RIM] = {0.0f, 0.0f, 0.0f, 1.0f},
            [VRM_MATERIAL_COLOR_OUTLINE] = {0.0f, 0.0f, 0.0f, 1.0f},
        },
    .emissive_strength = 1.0f,
    .metallic = 1.0f,
    .roughness = 1.0f,
    .shading_toony = 0.9f,
    .gi_equalization = 0.9f,
    .rim_fresnel_power = 5.0f,
    .rim_lighting_mix = 1.0f,
    .outline_lighting_mix = 1.0f,
};

static uint32_t extension(const vrmi_import *import, uint32_t object, const char *name)
{
    return vrmi_json_member(import->json, vrmi_json_member(import->json, object, "extensions"), name);
}

static void read_color(vrmi_import *import, uint32_t object, const char *key, vrm_vec4 *out)
{
    float rgb[3];
    if (vrmi_read_floats(&import->reader, object, key, VRMI_OPTIONAL, 3, rgb)) {
        out->x = rgb[0];
        out->y = rgb[1];
        out->z = rgb[2];
    }
}

// Reads a texture reference. `links` reports broken references, unless loading has already reported them.
static void read_texture(
    vrmi_import *import, vrmi_reader *links, uint32_t object, const char *key, const char *scale_key, vrm_texture *out)
{
    const uint32_t info = vrmi_read_object(links, object, key, VRMI_OPTIONAL);
    uint32_t index = 0;
    if (info == VRMI_JSON_NONE ||
        !vrmi_read_index(links, info, "index", VRMI_REQUIRED, import->gltf->counts[VRM_GLTF_TEXTURES], &index)) {
        return;
    }
    out->index = (int32_t)index;
    (void)vrmi_read_uint(&import->reader, info, "texCoord", VRMI_OPTIONAL, &out->tex_coord);
    if (scale_key != NULL) {
        (void)vrmi_read_float(&import->reader, info, scale_key, VRMI_OPTIONAL, &out->scale);
    }
    const uint32_t transform = extension(import, info, "KHR_texture_transform");
    if (transform != VRMI_JSON_NONE) {
        (void)vrmi_read_floats(&import->reader, transform, "offset", VRMI_OPTIONAL, 2, out->transform.offset);
        (void)vrmi_read_floats(&import->reader, transform, "scale", VRMI_OPTIONAL, 2, out->transform.scale);
        (void)vrmi_read_float(&import->reader, transform, "rotation", VRMI_OPTIONAL, &out->transform.rotation);
        (void)vrmi_read_uint(&import->reader, transform, "texCoord", VRMI_OPTIONAL, &out->tex_coord);
    }
}

static void read_core(vrmi_import *import, uint32_t material, vrm_material_params *p)
{
    vrmi_reader *reader = &import->reader;
    vrmi_reader told = {.json = import->json,
        .repairing = reader->repairing}; // without a report: loading has already reported broken references
    const uint32_t pbr = vrmi_read_object(reader, material, "pbrMetallicRoughness", VRMI_OPTIONAL);
    if (pbr != VRMI_JSON_NONE) {
        float rgba[4];
        if (vrmi_read_floats(reader, pbr, "baseColorFactor", VRMI_OPTIONAL, 4, rgba)) {
            p->colors[VRM_MATERIAL_COLOR_BASE] = (vrm_vec4){rgba[0], rgba[1], rgba[2], rgba[3]};
        }
        (void)vrmi_read_float_range(reader, pbr, "metallicFactor", 0.0f, 1.0f, &p->metallic);
        (void)vrmi_read_float_range(reader, pbr, "roughnessFactor", 0.0f, 1.0f, &p->roughness);
        read_texture(import, &told, pbr, "baseColorTexture", NULL, &p->textures[VRM_TEXTURE_BASE_COLOR]);
        read_texture(
            import, &told, pbr, "metallicRoughnessTexture", NULL, &p->textures[VRM_TEXTURE_METALLIC_ROUGHNESS]);
    }
    read_texture(import, &told, material, "normalTexture", "scale", &p->textures[VRM_TEXTURE_NORMAL]);
    read_texture(import, &told, material, "occlusionTexture", "strength", &p->textures[VRM_TEXTURE_OCCLUSION]);
    read_texture(import, &told, material, "emissiveTexture", NULL, &p->textures[VRM_TEXTURE_EMISSIVE]);
    read_color(import, material, "emissiveFactor", &p->colors[VRM_MATERIAL_COLOR_EMISSION]);
    uint32_t mode = 0;
    if (vrmi_read_enum(reader, material, "alphaMode", VRMI_OPTIONAL, alpha_modes, VRMI_COUNT_OF(alpha_modes), &mode)) {
        p->alpha_mode = (vrm_alpha_mode)mode;
    }
    (void)vrmi_read_float(reader, material, "alphaCutoff", VRMI_OPTIONAL, &p->alpha_cutoff);
    (void)vrmi_read_bool(reader, material, "doubleSided", VRMI_OPTIONAL, &p->double_sided);
}

// Reads KHR_materials_emissive_strength, or its archived predecessor if that is the only one in the file.
static void read_emissive_strength(vrmi_import *import, uint32_t material, vrm_material_params *p)
{
    const uint32_t strength = extension(import, material, "KHR_materials_emissive_strength");
    const uint32_t multiplier = extension(import, material, "VRMC_materials_hdr_emissiveMultiplier");
    if (strength != VRMI_JSON_NONE) {
        (void)vrmi_read_float_range(
            &import->reader, strength, "emissiveStrength", 0.0f, 3.0e38f, &p->emissive_strength);
    } else if (multiplier != VRMI_JSON_NONE) {
        (void)vrmi_read_float_range(
            &import->reader, multiplier, "emissiveMultiplier", 0.0f, 3.0e38f, &p->emissive_strength);
    }
}

void vrmi_import_material_core(vrmi_import *import, uint32_t material, vrm_material_params *out)
{
    *out = default_params;
    for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
        out->textures[slot] = no_texture;
    }
    read_core(import, material, out);
    read_emissive_strength(import, material, out);
}

// Reads the position in the drawing order: 0 for opaque and masked materials, -9 to 0 for blended ones, and 0 to 9 for
// blended ones with depth writes.
static void read_render_queue(vrmi_import *import, uint32_t mtoon, vrm_material_params *p)
{
    const uint32_t value = vrmi_json_member(import->json, mtoon, "renderQueueOffsetNumber");
    float offset = 0.0f;
    if (!vrmi_read_float(&import->reader, mtoon, "renderQueueOffsetNumber", VRMI_OPTIONAL, &offset)) {
        return;
    }
    const bool blend = p->alpha_mode == VRM_ALPHA_BLEND;
    const float low = blend && !p->transparent_with_z_write ? -9.0f : 0.0f;
    const float high = blend && p->transparent_with_z_write ? 9.0f : 0.0f;
    const float allowed = vrmi_clamp(offset, low, high);
    p->render_queue_offset = (int32_t)allowed;
    if ((float)p->render_queue_offset != offset) {
        char expected[32];
        vrmi_format(expected, sizeof expected, "%d to %d", (int)low, (int)high);
        vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM1_RENDER_QUEUE_OFFSET, value, expected);
    }
}

static void read_mtoon(vrmi_import *import, uint32_t mtoon, vrm_material_params *p)
{
    vrmi_reader *reader = &import->reader;
    p->type = VRM_MATERIAL_MTOON;
    vrmi_import_spec_version(import, mtoon, NULL);
    (void)vrmi_read_bool(reader, mtoon, "transparentWithZWrite", VRMI_OPTIONAL, &p->transparent_with_z_write);
    read_render_queue(import, mtoon, p);
    read_color(import, mtoon, "shadeColorFactor", &p->colors[VRM_MATERIAL_COLOR_SHADE]);
    read_texture(import, reader, mtoon, "shadeMultiplyTexture", NULL, &p->textures[VRM_TEXTURE_SHADE_MULTIPLY]);
    (void)vrmi_read_float(reader, mtoon, "shadingShiftFactor", VRMI_OPTIONAL, &p->shading_shift);
    read_texture(import, reader, mtoon, "shadingShiftTexture", "scale", &p->textures[VRM_TEXTURE_SHADING_SHIFT]);
    (void)vrmi_read_float(reader, mtoon, "shadingToonyFactor", VRMI_OPTIONAL, &p->shading_toony);
    (void)vrmi_read_float(reader, mtoon, "giEqualizationFactor", VRMI_OPTIONAL, &p->gi_equalization);
    read_color(import, mtoon, "matcapFactor", &p->colors[VRM_MATERIAL_COLOR_MATCAP]);
    read_texture(import, reader, mtoon, "matcapTexture", NULL, &p->textures[VRM_TEXTURE_MATCAP]);
    read_color(import, mtoon, "parametricRimColorFactor", &p->colors[VRM_MATERIAL_COLOR_RIM]);
    (void)vrmi_read_float(reader, mtoon, "parametricRimFresnelPowerFactor", VRMI_OPTIONAL, &p->rim_fresnel_power);
    (void)vrmi_read_float(reader, mtoon, "parametricRimLiftFactor", VRMI_OPTIONAL, &p->rim_lift);
    read_texture(import, reader, mtoon, "rimMultiplyTexture", NULL, &p->textures[VRM_TEXTURE_RIM_MULTIPLY]);
    (void)vrmi_read_float(reader, mtoon, "rimLightingMixFactor", VRMI_OPTIONAL, &p->rim_lighting_mix);
    uint32_t mode = 0;
    if (vrmi_read_enum(
            reader, mtoon, "outlineWidthMode", VRMI_OPTIONAL, outline_modes, VRMI_COUNT_OF(outline_modes), &mode)) {
        p->outline_mode = (vrm_outline_mode)mode;
    }
    (void)vrmi_read_float(reader, mtoon, "outlineWidthFactor", VRMI_OPTIONAL, &p->outline_width);
    read_texture(
        import, reader, mtoon, "outlineWidthMultiplyTexture", NULL, &p->textures[VRM_TEXTURE_OUTLINE_WIDTH_MULTIPLY]);
    read_color(import, mtoon, "outlineColorFactor", &p->colors[VRM_MATERIAL_COLOR_OUTLINE]);
    (void)vrmi_read_float(reader, mtoon, "outlineLightingMixFactor", VRMI_OPTIONAL, &p->outline_lighting_mix);
    read_texture(import, reader, mtoon, "uvAnimationMaskTexture", NULL, &p->textures[VRM_TEXTURE_UV_ANIMATION_MASK]);
    (void)vrmi_read_float(reader, mtoon, "uvAnimationScrollXSpeedFactor", VRMI_OPTIONAL, &p->uv_scroll_speed[0]);
    (void)vrmi_read_float(reader, mtoon, "uvAnimationScrollYSpeedFactor", VRMI_OPTIONAL, &p->uv_scroll_speed[1]);
    (void)vrmi_read_float(reader, mtoon, "uvAnimationRotationSpeedFactor", VRMI_OPTIONAL, &p->uv_rotation_speed);
}

void vrmi_import_materials(vrmi_import *import)
{
    const vrm_gltf *gltf = import->gltf;
    const uint32_t array = gltf->arrays[VRM_GLTF_MATERIALS];
    uint32_t material = vrmi_json_first(import->json, array);
    for (; material != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         material = vrmi_json_next(import->json, material)) {
        const vrmi_name name = vrmi_import_object_name(import, material);
        vrmi_material_row *row = vrmi_import_push(import, &import->model.material);
        if (row == NULL) {
            return;
        }
        row->name = name;
        vrmi_import_material_core(import, material, &row->params);
        // MToon takes precedence: exporters add KHR_materials_unlit only as a fallback for other readers.
        const uint32_t mtoon = extension(import, material, "VRMC_materials_mtoon");
        if (vrmi_json_is(import->json, mtoon, VRMI_JSON_OBJECT)) {
            read_mtoon(import, mtoon, &row->params);
        } else if (extension(import, material, "KHR_materials_unlit") != VRMI_JSON_NONE) {
            row->params.type = VRM_MATERIAL_UNLIT;
        }
    }
}
