// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/write.h"

// Materials: MToon, with a plain glTF material below it for readers that do not know it.

typedef struct material_row {
    vrmi_sample_image_id image;
    float shade_by; // 0: the texture alone; 1: the texture times the shade colour
    float shift, toony;
    float outline; // metres, 0 for none
    float rim;     // strength
    bool double_sided;
} material_row;

static const char *const names[] = {
#define PART_NAME(name, mesh, material, vertices, indices) material,
    VRMI_SAMPLE_PARTS(PART_NAME)
#undef PART_NAME
};

static const material_row materials[VRMI_SAMPLE_PART_COUNT] = {
    [VRMI_SAMPLE_FACE_SKIN] = {VRMI_SAMPLE_IMAGE_FACE, 1.0f, 0.05f, 0.90f, 0.0008f, 0.0f, false},
    [VRMI_SAMPLE_MOUTH] = {VRMI_SAMPLE_IMAGE_FACE, 0.0f, 0.0f, 0.9f, 0.0f, 0.0f, true},
    [VRMI_SAMPLE_EYE_WHITE] = {VRMI_SAMPLE_IMAGE_WHITE, 0.4f, 0.0f, 0.9f, 0.0f, 0.0f, false},
    [VRMI_SAMPLE_IRIS] = {VRMI_SAMPLE_IMAGE_IRIS, 0.0f, 0.0f, 0.9f, 0.0f, 0.0f, false},
    [VRMI_SAMPLE_LINE] = {VRMI_SAMPLE_IMAGE_COUNT, 0.0f, 0.0f, 0.9f, 0.0f, 0.0f, true},
    [VRMI_SAMPLE_BLUSH] = {VRMI_SAMPLE_IMAGE_BLUSH, 0.0f, 0.0f, 0.9f, 0.0f, 0.0f, false},
    [VRMI_SAMPLE_BODY_SKIN] = {VRMI_SAMPLE_IMAGE_SKIN, 1.0f, -0.1f, 0.90f, 0.0010f, 0.15f, false},
    [VRMI_SAMPLE_CLOTH] = {VRMI_SAMPLE_IMAGE_CLOTH, 1.0f, -0.1f, 0.88f, 0.0013f, 0.2f, false},
    [VRMI_SAMPLE_SKIRT] = {VRMI_SAMPLE_IMAGE_SKIRT, 1.0f, -0.1f, 0.85f, 0.0013f, 0.15f, true},
    [VRMI_SAMPLE_SHOES] = {VRMI_SAMPLE_IMAGE_CLOTH, 1.0f, -0.1f, 0.88f, 0.0012f, 0.2f, false},
    [VRMI_SAMPLE_RIBBON] = {VRMI_SAMPLE_IMAGE_RIBBON, 1.0f, -0.1f, 0.90f, 0.0010f, 0.2f, false},
    [VRMI_SAMPLE_HAIR] = {VRMI_SAMPLE_IMAGE_HAIR, 1.0f, -0.05f, 0.90f, 0.0013f, 0.25f, false},
    [VRMI_SAMPLE_PIN] = {VRMI_SAMPLE_IMAGE_RIBBON, 1.0f, 0.0f, 0.9f, 0.0010f, 0.3f, false},
};

// The colour that the texture is multiplied with where light does not reach.
static vrm_vec3 shade_color(const vrmi_sample_style *style, vrmi_sample_part_id part)
{
    static const vrm_vec3 fabric = {0.79f, 0.78f, 0.90f};
    vrm_vec3 base, shade;
    switch (part) {
    case VRMI_SAMPLE_FACE_SKIN:
    case VRMI_SAMPLE_BODY_SKIN:
        base = style->skin;
        shade = style->skin_shade;
        break;
    case VRMI_SAMPLE_HAIR:
        base = style->hair;
        shade = style->hair_shade;
        break;
    default:
        return fabric;
    }
    return vrmi_vec3(
        vrmi_min(shade.x / base.x, 1.0f), vrmi_min(shade.y / base.y, 1.0f), vrmi_min(shade.z / base.z, 1.0f));
}

static vrm_vec3 outline_color(const vrmi_sample_style *style, vrmi_sample_part_id part)
{
    switch (part) {
    case VRMI_SAMPLE_FACE_SKIN:
    case VRMI_SAMPLE_BODY_SKIN:
        return vrmi_vec3_mul(style->skin_shade, vrmi_vec3(0.68f, 0.52f, 0.52f));
    case VRMI_SAMPLE_HAIR:
        return vrmi_vec3_scale(style->hair_shade, 0.62f);
    case VRMI_SAMPLE_RIBBON:
    case VRMI_SAMPLE_PIN:
        return vrmi_vec3_scale(style->ribbon, 0.55f);
    default:
        return vrmi_vec3_scale(style->accent_shade, 0.85f);
    }
}

static void put_texture(vrmi_text *text, const char *name, vrmi_sample_image_id image, bool repeated)
{
    vrmi_text_format(text, "\"%s\":{\"index\":%d", name, vrmi_sample_texture(image));
    if (repeated) {
        // One pleat per picture, twelve around the skirt.
        vrmi_text_add_string(text, ",\"extensions\":{\"KHR_texture_transform\":{\"scale\":[12,1]}}");
    }
    vrmi_text_add_string(text, "}");
}

static void put_toon(vrmi_text *text, const vrmi_sample_style *style, vrmi_sample_part_id part)
{
    const material_row *row = &materials[part];
    const vrm_vec3 line = vrmi_vec3_scale(style->hair_shade, 0.36f);
    const vrm_vec3 white = {1.0f, 1.0f, 1.0f};
    const bool textured = row->image != VRMI_SAMPLE_IMAGE_COUNT;
    const bool repeated = part == VRMI_SAMPLE_SKIRT;
    vrmi_text_add_string(text, "\"VRMC_materials_mtoon\":{\"specVersion\":\"1.0\",\"shadeColorFactor\":");
    vrmi_sample_put_color(text, textured ? vrmi_vec3_lerp(white, shade_color(style, part), row->shade_by) : line);
    if (textured) {
        vrmi_text_add_string(text, ",");
        put_texture(text, "shadeMultiplyTexture", row->image, repeated);
    }
    vrmi_text_add_string(text, ",\"shadingShiftFactor\":");
    vrmi_text_add_float(text, row->shift);
    vrmi_text_add_string(text, ",\"shadingToonyFactor\":");
    vrmi_text_add_float(text, row->toony);
    vrmi_text_add_string(text, ",\"giEqualizationFactor\":0.9");
    if (part == VRMI_SAMPLE_SHOES) {
        vrmi_text_add_string(text, ",\"matcapFactor\":[1,1,1],");
        put_texture(text, "matcapTexture", VRMI_SAMPLE_IMAGE_MATCAP, false);
    }
    if (row->rim > 0.0f) {
        vrmi_text_add_string(text, ",\"parametricRimColorFactor\":");
        vrmi_sample_put_color(text, vrmi_vec3_scale(vrmi_vec3(0.85f, 0.92f, 1.0f), 2.0f * row->rim));
        vrmi_text_add_string(
            text, ",\"parametricRimFresnelPowerFactor\":4.5,\"parametricRimLiftFactor\":0,\"rimLightingMixFactor\":1");
    }
    if (row->outline > 0.0f) {
        vrmi_text_add_string(text, ",\"outlineWidthMode\":\"worldCoordinates\",\"outlineWidthFactor\":");
        vrmi_text_add_float(text, row->outline * style->height);
        vrmi_text_add_string(text, ",\"outlineColorFactor\":");
        vrmi_sample_put_color(text, outline_color(style, part));
        vrmi_text_add_string(text, ",\"outlineLightingMixFactor\":0");
    }
    if (part == VRMI_SAMPLE_RIBBON || part == VRMI_SAMPLE_PIN) {
        // Light runs along the ribbon and turns in the pin.
        vrmi_text_add_string(text, ",");
        put_texture(text, "uvAnimationMaskTexture", VRMI_SAMPLE_IMAGE_MASK, false);
        vrmi_text_add_string(text, part == VRMI_SAMPLE_RIBBON
                                       ? ",\"uvAnimationScrollXSpeedFactor\":0,\"uvAnimationScrollYSpeedFactor\":0.35"
                                       : ",\"uvAnimationRotationSpeedFactor\":0.8");
    }
    vrmi_text_add_string(text, "}");
}

// The glow of ribbon and pin: their own picture, dimmed.
static void put_emission(vrmi_text *text, vrmi_sample_part_id part)
{
    if (part == VRMI_SAMPLE_RIBBON || part == VRMI_SAMPLE_PIN) {
        vrmi_text_add_string(text, ",\"emissiveFactor\":[0.22,0.16,0.12],");
        put_texture(text, "emissiveTexture", VRMI_SAMPLE_IMAGE_RIBBON, false);
    }
}

static void put_material(vrmi_text *text, const vrmi_sample_style *style, vrmi_sample_part_id part)
{
    const material_row *row = &materials[part];
    vrmi_text_format(
        text, "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.9,", names[part]);
    if (row->image != VRMI_SAMPLE_IMAGE_COUNT) {
        put_texture(text, "baseColorTexture", row->image, part == VRMI_SAMPLE_SKIRT);
        vrmi_text_format(text, ",\"baseColorFactor\":[1,1,1,%d]}", part == VRMI_SAMPLE_BLUSH ? 0 : 1);
    } else {
        const vrm_vec3 line = vrmi_vec3_scale(style->hair_shade, 0.36f);
        const float factor[4] = {
            vrmi_sample_linear(line.x), vrmi_sample_linear(line.y), vrmi_sample_linear(line.z), 1.0f};
        vrmi_text_add_string(text, "\"baseColorFactor\":");
        vrmi_sample_put_floats(text, factor, 4);
        vrmi_text_add_string(text, "}");
    }
    put_emission(text, part);
    vrmi_text_format(text, ",\"alphaMode\":\"%s\",\"doubleSided\":%s,\"extensions\":{",
        part == VRMI_SAMPLE_BLUSH ? "BLEND" : "OPAQUE", row->double_sided ? "true" : "false");
    put_toon(text, style, part);
    if (part == VRMI_SAMPLE_PIN) {
        vrmi_text_add_string(text, ",\"KHR_materials_emissive_strength\":{\"emissiveStrength\":1.5}");
    }
    vrmi_text_add_string(text, "}}");
}

void vrmi_sample_put_materials(vrmi_text *text, const vrmi_sample_figure *figure)
{
    vrmi_text_add_string(text, "\"materials\":[");
    for (int part = 0; part < VRMI_SAMPLE_PART_COUNT; ++part) {
        vrmi_text_add_string(text, part > 0 ? "," : "");
        put_material(text, &figure->style, (vrmi_sample_part_id)part);
    }
    vrmi_text_add_string(text, "]");
}
