// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/write.h"

// Writes the materials: MToon, with a plain glTF material for readers that do not know MToon.

static void put_texture(vrmi_text *text, const char *name, int image, float repeat)
{
    vrmi_text_format(text, "\"%s\":{\"index\":%d", name, vrmi_sample_texture(image));
    if (repeat > 0.0f) {
        vrmi_text_add_string(text, ",\"extensions\":{\"KHR_texture_transform\":{\"scale\":[");
        vrmi_text_add_float(text, repeat);
        vrmi_text_add_string(text, ",1]}}");
    }
    vrmi_text_add_string(text, "}");
}

static void put_toon(vrmi_text *text, const vrmi_sample_style *style, const vrmi_sample_material *m)
{
    vrmi_text_add_string(text, "\"VRMC_materials_mtoon\":{\"specVersion\":\"1.0\",");
    if (m->blend == VRMI_SAMPLE_BLEND_DEPTH) {
        vrmi_text_add_string(text, "\"transparentWithZWrite\":true,");
    }
    if (m->queue != 0) {
        vrmi_text_format(text, "\"renderQueueOffsetNumber\":%d,", m->queue);
    }
    vrmi_text_add_string(text, "\"shadeColorFactor\":");
    vrmi_sample_put_color(text, m->shade);
    if (m->shade_image != VRMI_SAMPLE_NO_IMAGE) {
        vrmi_text_add_string(text, ",");
        put_texture(text, "shadeMultiplyTexture", m->shade_image, m->repeat);
    }
    vrmi_text_add_string(text, ",\"shadingShiftFactor\":");
    vrmi_text_add_float(text, m->shift);
    vrmi_text_add_string(text, ",\"shadingToonyFactor\":");
    vrmi_text_add_float(text, m->toony);
    vrmi_text_add_string(text, ",\"giEqualizationFactor\":0.9");
    if (m->matcap != VRMI_SAMPLE_NO_IMAGE) {
        vrmi_text_add_string(text, ",\"matcapFactor\":[1,1,1],");
        put_texture(text, "matcapTexture", m->matcap, 0.0f);
    }
    if (m->rim.x > 0.0f) {
        vrmi_text_add_string(text, ",\"parametricRimColorFactor\":");
        vrmi_sample_put_color(text, m->rim);
        vrmi_text_add_string(
            text, ",\"parametricRimFresnelPowerFactor\":4.5,\"parametricRimLiftFactor\":0,\"rimLightingMixFactor\":1");
    }
    if (m->outline > 0.0f) {
        vrmi_text_add_string(text, ",\"outlineWidthMode\":\"worldCoordinates\",\"outlineWidthFactor\":");
        vrmi_text_add_float(text, m->outline * style->height);
        vrmi_text_add_string(text, ",\"outlineColorFactor\":");
        vrmi_sample_put_color(text, m->outline_color);
        vrmi_text_add_string(text, ",\"outlineLightingMixFactor\":0");
    }
    if (m->moving != NULL) {
        vrmi_text_add_string(text, ",");
        put_texture(text, "uvAnimationMaskTexture", m->moving_mask, 0.0f);
        vrmi_text_add_string(text, m->moving);
    }
    vrmi_text_add_string(text, "}");
}

static void put_base(vrmi_text *text, const vrmi_sample_material *m)
{
    if (m->image != VRMI_SAMPLE_NO_IMAGE) {
        put_texture(text, "baseColorTexture", m->image, m->repeat);
        vrmi_text_format(text, ",\"baseColorFactor\":[1,1,1,%d]}", m->alpha == 0.0f ? 0 : 1);
        return;
    }
    const float factor[4] = {
        vrmi_sample_linear(m->flat.x), vrmi_sample_linear(m->flat.y), vrmi_sample_linear(m->flat.z), m->alpha};
    vrmi_text_add_string(text, "\"baseColorFactor\":");
    vrmi_sample_put_floats(text, factor, 4);
    vrmi_text_add_string(text, "}");
}

static void put_material(
    vrmi_text *text, const char *name, const vrmi_sample_style *style, const vrmi_sample_material *m)
{
    vrmi_text_format(
        text, "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.9,", name);
    put_base(text, m);
    if (m->emissive != NULL) {
        vrmi_text_format(text, ",\"emissiveFactor\":%s,", m->emissive);
        put_texture(text, "emissiveTexture", m->emission, 0.0f);
    }
    vrmi_text_format(text, ",\"alphaMode\":\"%s\",\"doubleSided\":%s,\"extensions\":{",
        m->blend != VRMI_SAMPLE_OPAQUE ? "BLEND" : "OPAQUE", m->double_sided ? "true" : "false");
    put_toon(text, style, m);
    if (m->emissive_strength > 0.0f) {
        vrmi_text_add_string(text, ",\"KHR_materials_emissive_strength\":{\"emissiveStrength\":");
        vrmi_text_add_float(text, m->emissive_strength);
        vrmi_text_add_string(text, "}");
    }
    vrmi_text_add_string(text, "}}");
}

void vrmi_sample_put_materials(vrmi_text *text, const vrmi_sample_figure *figure)
{
    vrmi_text_add_string(text, "\"materials\":[");
    for (int part = 0; part < figure->plan->part_count; ++part) {
        vrmi_text_add_string(text, part > 0 ? "," : "");
        put_material(text, figure->plan->parts[part].name, &figure->style, &figure->materials[part]);
    }
    vrmi_text_add_string(text, "]");
}
