// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/minimal.h"

typedef struct material_row {
    vrmi_minimal_image_id image;
    float shade_by; // 0: the shaded side has the texture's colour; 1: the texture's colour times the shade colour
    float shift, toony;
    float outline; // metres, 0 for none
    float rim;     // strength
    bool double_sided;
} material_row;

static const material_row materials[VRMI_MINIMAL_PART_COUNT] = {
    [VRMI_MINIMAL_FACE_SKIN] = {VRMI_MINIMAL_IMAGE_FACE, 1.0f, 0.05f, 0.90f, 0.0008f, 0.0f, false},
    [VRMI_MINIMAL_MOUTH] = {VRMI_MINIMAL_IMAGE_FACE, 0.0f, 0.0f, 0.9f, 0.0f, 0.0f, true},
    [VRMI_MINIMAL_EYE_WHITE] = {VRMI_MINIMAL_IMAGE_WHITE, 0.4f, 0.0f, 0.9f, 0.0f, 0.0f, false},
    [VRMI_MINIMAL_IRIS] = {VRMI_MINIMAL_IMAGE_IRIS, 0.0f, 0.0f, 0.9f, 0.0f, 0.0f, false},
    [VRMI_MINIMAL_LINE] = {VRMI_MINIMAL_IMAGE_COUNT, 0.0f, 0.0f, 0.9f, 0.0f, 0.0f, true},
    [VRMI_MINIMAL_BLUSH] = {VRMI_MINIMAL_IMAGE_BLUSH, 0.0f, 0.0f, 0.9f, 0.0f, 0.0f, false},
    [VRMI_MINIMAL_BODY_SKIN] = {VRMI_MINIMAL_IMAGE_SKIN, 1.0f, -0.1f, 0.90f, 0.0010f, 0.15f, false},
    [VRMI_MINIMAL_CLOTH] = {VRMI_MINIMAL_IMAGE_CLOTH, 1.0f, -0.1f, 0.88f, 0.0013f, 0.2f, false},
    [VRMI_MINIMAL_SKIRT] = {VRMI_MINIMAL_IMAGE_SKIRT, 1.0f, -0.1f, 0.85f, 0.0013f, 0.15f, true},
    [VRMI_MINIMAL_SHOES] = {VRMI_MINIMAL_IMAGE_CLOTH, 1.0f, -0.1f, 0.88f, 0.0012f, 0.2f, false},
    [VRMI_MINIMAL_RIBBON] = {VRMI_MINIMAL_IMAGE_RIBBON, 1.0f, -0.1f, 0.90f, 0.0010f, 0.2f, false},
    [VRMI_MINIMAL_HAIR] = {VRMI_MINIMAL_IMAGE_HAIR, 1.0f, -0.05f, 0.90f, 0.0013f, 0.25f, false},
    [VRMI_MINIMAL_PIN] = {VRMI_MINIMAL_IMAGE_RIBBON, 1.0f, 0.0f, 0.9f, 0.0010f, 0.3f, false},
};

// Returns the factor on the texture's colour on the shaded side.
static vrm_vec3 shade_color(const vrmi_sample_style *style, vrmi_minimal_part_id part)
{
    static const vrm_vec3 fabric = {0.79f, 0.78f, 0.90f};
    vrm_vec3 base, shade;
    switch (part) {
    case VRMI_MINIMAL_FACE_SKIN:
    case VRMI_MINIMAL_BODY_SKIN:
        base = style->skin;
        shade = style->skin_shade;
        break;
    case VRMI_MINIMAL_HAIR:
        base = style->hair;
        shade = style->hair_shade;
        break;
    default:
        return fabric;
    }
    return vrmi_vec3(
        vrmi_min(shade.x / base.x, 1.0f), vrmi_min(shade.y / base.y, 1.0f), vrmi_min(shade.z / base.z, 1.0f));
}

static vrm_vec3 outline_color(const vrmi_sample_style *style, vrmi_minimal_part_id part)
{
    switch (part) {
    case VRMI_MINIMAL_FACE_SKIN:
    case VRMI_MINIMAL_BODY_SKIN:
        return vrmi_vec3_mul(style->skin_shade, vrmi_vec3(0.68f, 0.52f, 0.52f));
    case VRMI_MINIMAL_HAIR:
        return vrmi_vec3_scale(style->hair_shade, 0.62f);
    case VRMI_MINIMAL_RIBBON:
    case VRMI_MINIMAL_PIN:
        return vrmi_vec3_scale(style->ribbon, 0.55f);
    default:
        return vrmi_vec3_scale(style->accent_shade, 0.85f);
    }
}

void vrmi_minimal_set_materials(vrmi_sample_figure *figure)
{
    const vrmi_sample_style *style = &figure->style;
    const vrm_vec3 line = vrmi_vec3_scale(style->hair_shade, 0.36f), white = {1.0f, 1.0f, 1.0f};
    for (int part = 0; part < VRMI_MINIMAL_PART_COUNT; ++part) {
        const material_row *row = &materials[part];
        const bool textured = row->image != VRMI_MINIMAL_IMAGE_COUNT;
        const bool skin = part == VRMI_MINIMAL_FACE_SKIN || part == VRMI_MINIMAL_BODY_SKIN;
        const bool glows = part == VRMI_MINIMAL_RIBBON || part == VRMI_MINIMAL_PIN;
        const bool even = part == VRMI_MINIMAL_IRIS || part == VRMI_MINIMAL_MOUTH || part == VRMI_MINIMAL_EYE_WHITE;
        vrmi_sample_material *m = &figure->materials[part];
        const vrm_vec3 shade = shade_color(style, (vrmi_minimal_part_id)part);
        *m = (vrmi_sample_material){.image = textured ? (int)row->image : VRMI_SAMPLE_NO_IMAGE,
            .flat = line,
            .alpha = part == VRMI_MINIMAL_BLUSH ? 0.0f : 1.0f,
            // The texture is one pleat, repeated twelve times around the skirt.
            .repeat = part == VRMI_MINIMAL_SKIRT ? 12.0f : 0.0f,
            .blend = part == VRMI_MINIMAL_BLUSH ? VRMI_SAMPLE_BLEND : VRMI_SAMPLE_OPAQUE,
            .double_sided = row->double_sided,
            .shade = textured ? vrmi_vec3_lerp(white, shade, row->shade_by) : line,
            .shade_image = textured ? (int)row->image : VRMI_SAMPLE_NO_IMAGE,
            .shift = row->shift,
            .toony = row->toony,
            .matcap = part == VRMI_MINIMAL_SHOES ? VRMI_MINIMAL_IMAGE_MATCAP : VRMI_SAMPLE_NO_IMAGE,
            .rim = vrmi_vec3_scale(vrmi_vec3(0.85f, 0.92f, 1.0f), 2.0f * row->rim),
            .outline = row->outline,
            .outline_color = outline_color(style, (vrmi_minimal_part_id)part),
            .emission = VRMI_MINIMAL_IMAGE_RIBBON,
            .emissive = glows ? "[0.22,0.16,0.12]" : NULL, // the dimmed texture of the part
            .emissive_strength = part == VRMI_MINIMAL_PIN ? 1.5f : 0.0f,
            .portrait_shade = {0.80f, 0.80f, 0.90f}};
        if (skin) {
            m->portrait_shade = vrmi_vec3(0.95f, 0.82f, 0.80f);
        } else if (even) {
            m->portrait_shade = white;
        }
        if (glows) {
            // A light moves along the ribbon and rotates in the pin.
            m->moving_mask = VRMI_MINIMAL_IMAGE_MASK;
            m->moving = part == VRMI_MINIMAL_RIBBON
                            ? ",\"uvAnimationScrollXSpeedFactor\":0,\"uvAnimationScrollYSpeedFactor\":0.35"
                            : ",\"uvAnimationRotationSpeedFactor\":0.8";
        }
    }
}
