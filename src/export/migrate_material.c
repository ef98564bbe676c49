// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts materials. In 0.x, only materials are rewritten whose Unity shader has more values than their glTF material;
// in drafts, only those with MToon. Other members of the glTF material do not change.

#include <string.h>

#include "base/checks.h"
#include "export/migrate.h"

static const char *const alpha_modes[] = {"OPAQUE", "MASK", "BLEND"};
static const char *const outline_modes[] = {"none", "worldCoordinates", "screenCoordinates"};

static void write_word(vrmi_migration *m, uint32_t material, const char *key, const char *json)
{
    vrmi_write_json(&m->out, json, strlen(json), "/materials/%u/%s", material, key);
}

static void write_floats(vrmi_migration *m, uint32_t material, const char *key, const float *values, uint32_t count)
{
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    if (count == 1) {
        vrmi_text_add_float(&text, values[0]);
    } else {
        vrmi_migrate_add_floats(&text, values, count);
    }
    vrmi_write_text(&m->out, &text, "/materials/%u/%s", material, key);
}

static bool is_identity(const vrm_texture_transform *t)
{
    return t->scale[0] == 1.0f && t->scale[1] == 1.0f && t->offset[0] == 0.0f && t->offset[1] == 0.0f &&
           t->rotation == 0.0f;
}

static void add_transform(vrmi_text *text, const vrm_texture_transform *t)
{
    vrmi_text_add_string(text, "{\"offset\":");
    vrmi_migrate_add_floats(text, t->offset, 2);
    if (t->rotation != 0.0f) {
        vrmi_text_add_string(text, ",\"rotation\":");
        vrmi_text_add_float(text, t->rotation);
    }
    vrmi_text_add_string(text, ",\"scale\":");
    vrmi_migrate_add_floats(text, t->scale, 2);
    vrmi_text_add_string(text, "}");
}

// --- core glTF -------------------------------------------------------------------------------------------------------

// Writes a texture reference of the glTF material. Other extensions of the reference stay.
static void write_texture(vrmi_migration *m, uint32_t material, const char *key, const vrm_texture *texture)
{
    if (texture->index < 0) {
        vrmi_write_removal(&m->out, "/materials/%u/%s", material, key);
        return;
    }
    vrmi_write_uint(&m->out, (uint32_t)texture->index, "/materials/%u/%s/index", material, key);
    if (texture->tex_coord != 0) {
        vrmi_write_uint(&m->out, texture->tex_coord, "/materials/%u/%s/texCoord", material, key);
    } else {
        vrmi_write_removal(&m->out, "/materials/%u/%s/texCoord", material, key);
    }
    if (is_identity(&texture->transform)) {
        vrmi_write_extension_removal(&m->out, "KHR_texture_transform", "/materials/%u/%s", material, key);
        return;
    }
    vrmi_text transform;
    vrmi_text_init(&transform, &m->out.allocator);
    add_transform(&transform, &texture->transform);
    vrmi_write_text(&m->out, &transform, "/materials/%u/%s/extensions/KHR_texture_transform", material, key);
    vrmi_migrate_use(m, VRMI_USES_TEXTURE_TRANSFORM);
}

// Writes the emission. glTF's factor is at most 1, so brighter emission needs an extension. Expressions are divided by
// the same number.
static void write_emission(vrmi_migration *m, uint32_t material, const vrm_material_params *p)
{
    const vrm_vec4 color = p->colors[VRM_MATERIAL_COLOR_EMISSION];
    const float rgb[3] = {
        color.x > 0.0f ? color.x : 0.0f, color.y > 0.0f ? color.y : 0.0f, color.z > 0.0f ? color.z : 0.0f};
    float by = 1.0f;
    for (int i = 0; i < 3; ++i) {
        by = rgb[i] > by ? rgb[i] : by;
    }
    m->emission[material] = by;
    const float factor[3] = {rgb[0] / by, rgb[1] / by, rgb[2] / by};
    write_floats(m, material, "emissiveFactor", factor, 3);
    if (by > 1.0f) {
        const float strength = by * p->emissive_strength;
        write_floats(m, material, "extensions/KHR_materials_emissive_strength/emissiveStrength", &strength, 1);
        vrmi_migrate_use(m, VRMI_USES_EMISSIVE_STRENGTH);
    }
}

static void write_core(vrmi_migration *m, uint32_t material, const vrm_material_params *p)
{
    const vrm_vec4 base = p->colors[VRM_MATERIAL_COLOR_BASE];
    const float rgba[4] = {base.x, base.y, base.z, base.w};
    char mode[16];
    write_floats(m, material, "pbrMetallicRoughness/baseColorFactor", rgba, 4);
    write_texture(m, material, "pbrMetallicRoughness/baseColorTexture", &p->textures[VRM_TEXTURE_BASE_COLOR]);
    vrmi_format(mode, sizeof mode, "\"%s\"", alpha_modes[p->alpha_mode]);
    write_word(m, material, "alphaMode", mode);
    if (p->alpha_mode == VRM_ALPHA_MASK) {
        write_floats(m, material, "alphaCutoff", &p->alpha_cutoff, 1);
    } else {
        vrmi_write_removal(&m->out, "/materials/%u/alphaCutoff", material); // alphaCutoff has no meaning in other alpha
                                                                            // modes
    }
}

// --- MToon -----------------------------------------------------------------------------------------------------------

static void add_texture(vrmi_migration *m, vrmi_text *text, const char *key, const vrm_texture *texture, bool scaled)
{
    if (texture->index < 0) {
        return;
    }
    vrmi_text_format(text, ",\"%s\":{\"index\":%d", key, (int)texture->index);
    if (texture->tex_coord != 0) {
        vrmi_text_format(text, ",\"texCoord\":%u", texture->tex_coord);
    }
    if (scaled && texture->scale != 1.0f) {
        vrmi_text_add_string(text, ",\"scale\":");
        vrmi_text_add_float(text, texture->scale);
    }
    if (!is_identity(&texture->transform)) {
        vrmi_text_add_string(text, ",\"extensions\":{\"KHR_texture_transform\":");
        add_transform(text, &texture->transform);
        vrmi_text_add_string(text, "}");
        vrmi_migrate_use(m, VRMI_USES_TEXTURE_TRANSFORM);
    }
    vrmi_text_add_string(text, "}");
}

static void add_number(vrmi_text *text, const char *key, float value)
{
    vrmi_text_format(text, ",\"%s\":", key);
    vrmi_text_add_float(text, value);
}

static void add_color(vrmi_text *text, const char *key, const vrm_material_params *p, vrm_material_color color)
{
    vrmi_text_format(text, ",\"%s\":", key);
    vrmi_migrate_add_vector(text, (vrm_vec3){p->colors[color].x, p->colors[color].y, p->colors[color].z});
}

static void add_mtoon(vrmi_migration *m, vrmi_text *text, const vrm_material_params *p)
{
    const vrm_texture *textures = p->textures;
    vrm_texture matcap = textures[VRM_TEXTURE_MATCAP];
    matcap.transform = (vrm_texture_transform){{1.0f, 1.0f}, {0.0f, 0.0f}, 0.0f}; // matcaps are not sampled by UVs
    vrmi_text_format(text, "{\"specVersion\":\"1.0\",\"transparentWithZWrite\":%s,\"renderQueueOffsetNumber\":%d",
        p->transparent_with_z_write ? "true" : "false", (int)p->render_queue_offset);
    add_color(text, "shadeColorFactor", p, VRM_MATERIAL_COLOR_SHADE);
    add_texture(m, text, "shadeMultiplyTexture", &textures[VRM_TEXTURE_SHADE_MULTIPLY], false);
    add_number(text, "shadingShiftFactor", p->shading_shift);
    add_texture(m, text, "shadingShiftTexture", &textures[VRM_TEXTURE_SHADING_SHIFT], true);
    add_number(text, "shadingToonyFactor", p->shading_toony);
    add_number(text, "giEqualizationFactor", p->gi_equalization);
    add_color(text, "matcapFactor", p, VRM_MATERIAL_COLOR_MATCAP);
    add_texture(m, text, "matcapTexture", &matcap, false);
    add_color(text, "parametricRimColorFactor", p, VRM_MATERIAL_COLOR_RIM);
    add_number(text, "parametricRimFresnelPowerFactor", p->rim_fresnel_power);
    add_number(text, "parametricRimLiftFactor", p->rim_lift);
    add_texture(m, text, "rimMultiplyTexture", &textures[VRM_TEXTURE_RIM_MULTIPLY], false);
    add_number(text, "rimLightingMixFactor", p->rim_lighting_mix);
    vrmi_text_format(text, ",\"outlineWidthMode\":\"%s\"", outline_modes[p->outline_mode]);
    add_number(text, "outlineWidthFactor", p->outline_width);
    add_texture(m, text, "outlineWidthMultiplyTexture", &textures[VRM_TEXTURE_OUTLINE_WIDTH_MULTIPLY], false);
    add_color(text, "outlineColorFactor", p, VRM_MATERIAL_COLOR_OUTLINE);
    add_number(text, "outlineLightingMixFactor", p->outline_lighting_mix);
    add_texture(m, text, "uvAnimationMaskTexture", &textures[VRM_TEXTURE_UV_ANIMATION_MASK], false);
    add_number(text, "uvAnimationScrollXSpeedFactor", p->uv_scroll_speed[0]);
    add_number(text, "uvAnimationScrollYSpeedFactor", p->uv_scroll_speed[1]);
    add_number(text, "uvAnimationRotationSpeedFactor", p->uv_rotation_speed);
    vrmi_text_add_string(text, "}");
}

static void write_mtoon(vrmi_migration *m, uint32_t material, const vrm_material_params *p)
{
    write_core(m, material, p);
    write_emission(m, material, p);
    write_texture(m, material, "normalTexture", &p->textures[VRM_TEXTURE_NORMAL]);
    if (p->textures[VRM_TEXTURE_NORMAL].index >= 0 && p->textures[VRM_TEXTURE_NORMAL].scale != 1.0f) {
        write_floats(m, material, "normalTexture/scale", &p->textures[VRM_TEXTURE_NORMAL].scale, 1);
    }
    write_texture(m, material, "emissiveTexture", &p->textures[VRM_TEXTURE_EMISSIVE]);
    write_word(m, material, "doubleSided", p->double_sided ? "true" : "false");
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    add_mtoon(m, &text, p);
    vrmi_write_text(&m->out, &text, "/materials/%u/extensions/VRMC_materials_mtoon", material);
    vrmi_write_extension_removal(&m->out, "VMRC_materials_mtoon", "/materials/%u", material);
    vrmi_migrate_use(m, VRMI_USES_MTOON);
}

// --- values that 1.0 cannot express ----------------------------------------------------------------------------------

static void report_value(vrmi_migration *m, uint32_t value, const char *expected)
{
    vrmi_reader_report_value(&m->reader, VRM_FINDING_MIGRATE_MATERIAL, value, expected);
    ++m->losses;
}

// Reports values of MToon 0.x that have an effect but no counterpart in 1.0.
static void report_mtoon0(vrmi_migration *m, uint32_t item)
{
    static const struct {
        const char *key, *idle;
        const char *texture; // the value has no effect without this texture; NULL: none is needed
    } values[] = {
        {"_ReceiveShadowRate", "1", NULL},
        {"_ShadingGradeRate", "0", "_ShadingGradeTexture"},
        {"_LightColorAttenuation", "0", NULL},
    };
    const uint32_t floats = vrmi_json_member(m->json, item, "floatProperties");
    const uint32_t textures = vrmi_json_member(m->json, item, "textureProperties");
    const uint32_t shadows = vrmi_json_member(m->json, textures, "_ReceiveShadowTexture");
    const uint32_t cull = vrmi_json_member(m->json, floats, "_CullMode");
    double number = 0.0;
    for (size_t i = 0; i < VRMI_COUNT_OF(values); ++i) {
        const uint32_t value = vrmi_json_member(m->json, floats, values[i].key);
        const bool textured =
            values[i].texture == NULL || vrmi_json_member(m->json, textures, values[i].texture) != VRMI_JSON_NONE;
        if (textured && vrmi_json_number(m->json, value, &number) && number != (double)(values[i].idle[0] - '0')) {
            report_value(m, value, values[i].idle);
        }
    }
    if (shadows != VRMI_JSON_NONE) {
        report_value(m, shadows, "no texture");
    }
    if (vrmi_json_number(m->json, cull, &number) && number == 1.0) { // culls front faces; in 1.0 both sides are visible
        report_value(m, cull, "0 or 2");
    }
}

// --- the whole pass --------------------------------------------------------------------------------------------------

static void migrate_material0(vrmi_migration *m, uint32_t material, uint32_t item, const vrm_material_params *p)
{
    const uint32_t shader = vrmi_json_member(m->json, item, "shader");
    const vrm_string name = vrmi_json_text(m->json, shader);
    if (vrmi_json_string_equal(m->json, shader, "VRM/MToon")) {
        write_mtoon(m, material, p);
        report_mtoon0(m, item);
    } else if (name.length > 10 && memcmp(name.data + 1, "VRM/Unlit", 9) == 0) {
        write_core(m, material, p);
        write_word(m, material, "extensions/KHR_materials_unlit", "{}");
        vrmi_migrate_use(m, VRMI_USES_UNLIT);
        if (p->transparent_with_z_write) {
            report_value(m, shader, "one that writes no depth");
        }
    }
}

void vrmi_migrate_materials(vrmi_migration *m)
{
    const vrmi_material_row *rows = vrmi_model_material(m->model);
    const uint32_t array = vrmi_json_member(m->json, m->vrm, "materialProperties");
    uint32_t item = m->is_vrm0 ? vrmi_json_first(m->json, array) : VRMI_JSON_NONE;
    for (uint32_t i = 0; i < m->model->material.count && vrmi_writer_runs(&m->out); ++i) {
        m->emission[i] = 1.0f;
        if (!m->is_vrm0 && rows[i].params.type == VRM_MATERIAL_MTOON) {
            write_mtoon(m, i, &rows[i].params);
        } else if (item != VRMI_JSON_NONE && vrmi_json_is(m->json, item, VRMI_JSON_OBJECT)) {
            migrate_material0(m, i, item, &rows[i].params);
        }
        item = vrmi_json_next(m->json, item);
    }
}
