// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

typedef struct material_row {
    int image, shade_image;
    float shift, toony;
    float outline; // metres, 0 for none
    float rim;     // strength
    int matcap;
    bool double_sided;
} material_row;

#define IMAGE(name) VRMI_FULL_IMAGE_##name

static const material_row rows[VRMI_FULL_PART_COUNT] = {
    [VRMI_FULL_FACE_SKIN] = {IMAGE(FACE), IMAGE(FACE), 0.08f, 0.92f, 0.0007f, 0.0f, 0, false},
    [VRMI_FULL_MOUTH] = {IMAGE(FACE), IMAGE(FACE), 0.0f, 0.9f, 0.0f, 0.0f, 0, true},
    [VRMI_FULL_EYE_WHITE] = {IMAGE(WHITE), IMAGE(WHITE), 0.3f, 0.9f, 0.0f, 0.0f, 0, false},
    [VRMI_FULL_IRIS] = {IMAGE(IRIS), IMAGE(IRIS), 0.3f, 0.9f, 0.0f, 0.0f, 0, false},
    [VRMI_FULL_LINE] = {0, 0, 0.0f, 0.9f, 0.0f, 0.0f, 0, true},
    [VRMI_FULL_BROW] = {0, 0, 0.0f, 0.9f, 0.0f, 0.0f, 0, true},
    [VRMI_FULL_BLUSH] = {IMAGE(BLUSH), IMAGE(BLUSH), 0.0f, 0.9f, 0.0f, 0.0f, 0, false},
    [VRMI_FULL_BODY_SKIN] = {IMAGE(SKIN), IMAGE(SKIN), -0.05f, 0.90f, 0.0009f, 0.10f, 0, false},
    [VRMI_FULL_TOP] = {IMAGE(CLOTH), IMAGE(CLOTH_SHADE), -0.05f, 0.86f, 0.0011f, 0.12f, 0, false},
    [VRMI_FULL_BOTTOM] = {IMAGE(BOTTOM), IMAGE(BOTTOM), -0.08f, 0.85f, 0.0011f, 0.10f, 0, true},
    [VRMI_FULL_SHOES] = {IMAGE(CLOTH), IMAGE(CLOTH_SHADE), -0.05f, 0.88f, 0.0010f, 0.12f, IMAGE(MATCAP), false},
    [VRMI_FULL_RIBBON] = {IMAGE(RIBBON), IMAGE(RIBBON), -0.05f, 0.90f, 0.0009f, 0.15f, 0, false},
    [VRMI_FULL_HAIR] = {IMAGE(HAIR), IMAGE(HAIR_SHADE), -0.02f, 0.88f, 0.0011f, 0.18f, 0, false},
    [VRMI_FULL_FRINGE] = {IMAGE(HAIR), IMAGE(HAIR_SHADE), 0.06f, 0.88f, 0.0f, 0.12f, 0, false},
    [VRMI_FULL_PIN] = {IMAGE(RIBBON), IMAGE(RIBBON), 0.0f, 0.9f, 0.0008f, 0.3f, 0, false},
};

// Returns the factor that turns the base colour into the shade colour.
static vrm_vec3 ratio(vrm_vec3 shade, vrm_vec3 base)
{
    return vrmi_vec3(
        vrmi_min(shade.x / base.x, 1.0f), vrmi_min(shade.y / base.y, 1.0f), vrmi_min(shade.z / base.z, 1.0f));
}

static vrm_vec3 shade_of(const vrmi_sample_style *style, int part)
{
    static const vrm_vec3 fabric = {0.80f, 0.79f, 0.90f}, white = {1.0f, 1.0f, 1.0f}, lid = {0.90f, 0.89f, 0.95f};
    switch (part) {
    case VRMI_FULL_FACE_SKIN:
    case VRMI_FULL_BODY_SKIN:
        return ratio(style->skin_shade, style->skin);
    case VRMI_FULL_HAIR:
    case VRMI_FULL_FRINGE:
        return ratio(style->hair_shade, style->hair);
    case VRMI_FULL_MOUTH:
    case VRMI_FULL_IRIS:
    case VRMI_FULL_BLUSH:
        return white;
    case VRMI_FULL_EYE_WHITE:
        return lid;
    default:
        return fabric;
    }
}

static vrm_vec3 outline_of(const vrmi_sample_style *style, int part)
{
    switch (part) {
    case VRMI_FULL_FACE_SKIN:
    case VRMI_FULL_BODY_SKIN:
        return vrmi_vec3_mul(style->skin_shade, vrmi_vec3(0.66f, 0.48f, 0.48f));
    case VRMI_FULL_HAIR:
        return vrmi_vec3_scale(style->hair_shade, 0.60f);
    case VRMI_FULL_RIBBON:
    case VRMI_FULL_PIN:
        return vrmi_vec3_scale(style->ribbon, 0.50f);
    default:
        return vrmi_vec3_lerp(vrmi_vec3_scale(style->accent_shade, 0.80f), vrmi_vec3(0.25f, 0.25f, 0.35f), 0.3f);
    }
}

static vrmi_sample_material material(const vrmi_sample_style *style, int part)
{
    const material_row *row = &rows[part];
    const vrm_vec3 line = vrmi_vec3_scale(style->hair_shade, part == VRMI_FULL_BROW ? 0.62f : 0.34f);
    const bool textured = row->image != VRMI_SAMPLE_NO_IMAGE;
    vrmi_sample_material m = {.image = row->image,
        .flat = line,
        .alpha = part == VRMI_FULL_BLUSH ? 0.0f : 1.0f,
        .double_sided = row->double_sided,
        .shade = textured ? shade_of(style, part) : line,
        .shade_image = row->shade_image,
        .shift = row->shift,
        .toony = row->toony,
        .matcap = row->matcap,
        .rim = vrmi_vec3_scale(vrmi_vec3(0.85f, 0.92f, 1.0f), 2.0f * row->rim),
        .outline = row->outline,
        .outline_color = outline_of(style, part)};
    m.portrait_shade = textured ? m.shade : vrmi_vec3(1.0f, 1.0f, 1.0f);
    // Lashes and brows are drawn after the fringe, which writes no depth. So they are visible through the fringe, as in
    // drawings.
    if (part == VRMI_FULL_LINE || part == VRMI_FULL_BROW) {
        m.blend = VRMI_SAMPLE_BLEND;
    } else if (part == VRMI_FULL_FRINGE) {
        m.blend = VRMI_SAMPLE_BLEND;
        m.queue = -9;
    } else if (part == VRMI_FULL_BLUSH) {
        m.blend = VRMI_SAMPLE_BLEND_DEPTH; // drawn before the fringe
    }
    if (part == VRMI_FULL_RIBBON || part == VRMI_FULL_PIN) {
        // A light moves along the ribbon and rotates in the pin.
        m.emission = IMAGE(RIBBON);
        m.emissive = "[0.18,0.14,0.11]";
        m.moving_mask = IMAGE(MASK);
        m.moving = part == VRMI_FULL_RIBBON
                       ? ",\"uvAnimationScrollXSpeedFactor\":0,\"uvAnimationScrollYSpeedFactor\":0.25"
                       : ",\"uvAnimationRotationSpeedFactor\":0.8";
    }
    if (part == VRMI_FULL_PIN) {
        m.emissive_strength = 1.5f;
    }
    // The skirt has one pleat per repetition of the texture.
    if (part == VRMI_FULL_BOTTOM && style->outfit == VRM_SAMPLE_OUTFIT_UNIFORM) {
        m.repeat = 24.0f;
    }
    return m;
}

void vrmi_full_set_materials(vrmi_sample_figure *figure)
{
    for (int part = 0; part < VRMI_FULL_PART_COUNT; ++part) {
        figure->materials[part] = material(&figure->style, part);
    }
}
