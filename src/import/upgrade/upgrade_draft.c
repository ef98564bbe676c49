// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads the meta object and the MToon materials of drafts of VRM 1.0.

#include <string.h>

#include "base/checks.h"
#include "import/avatar/import_parts.h"
#include "import/upgrade/upgrade.h"
#include "math/scalar.h"

// --- meta ------------------------------------------------------------------------------------------------------------

// Words of the draft and the strictest term of 1.0 that covers each. The draft's prose writes the words in upper case.
static const vrmi_word avatar_permissions[] = {
    {"onlyAuthor", VRM_AVATAR_PERMISSION_ONLY_AUTHOR},
    {"explicitlyLicensedPerson", VRM_AVATAR_PERMISSION_ONLY_SEPARATELY_LICENSED_PERSON},
    {"onlySeparatelyLicensedPerson", VRM_AVATAR_PERMISSION_ONLY_SEPARATELY_LICENSED_PERSON},
    {"everyone", VRM_AVATAR_PERMISSION_EVERYONE},
};

static const vrmi_word commercial_usages[] = {
    {"personalNonProfit", VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT},
    {"personalNonCommercialNonProfit", VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT},
    {"personalNonCommercialProfit",
        VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT}, // "profit" in 1.0 may include commercial use
    {"personalProfit", VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT},
    {"personalCommercial", VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT},
    {"corporation", VRM_COMMERCIAL_USAGE_CORPORATION},
};

static const vrmi_word credit_notations[] = {
    {"required", VRM_CREDIT_NOTATION_REQUIRED}, {"unnecessary", VRM_CREDIT_NOTATION_UNNECESSARY},
    {"abandoned", VRM_CREDIT_NOTATION_REQUIRED}, // 1.0 has no such word
};

// "inherited" and "notInherited" do not say that modified copies may be redistributed, only under which terms they
// would be.
static const vrmi_word modifications[] = {
    {"prohibited", VRM_MODIFICATION_PROHIBITED},
    {"inherited", VRM_MODIFICATION_ALLOW_MODIFICATION},
    {"notInherited", VRM_MODIFICATION_ALLOW_MODIFICATION},
    {"allowModification", VRM_MODIFICATION_ALLOW_MODIFICATION},
    {"allowModificationRedistribution", VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION},
};

typedef struct old_usage {
    const char *keys[3]; // names in the schema and in the prose
    vrm_meta_field field;
} old_usage;

static const old_usage usages[] = {
    {{"allowExcessivelyViolentUsage", "violentUsage", NULL}, VRM_META_VIOLENT_USAGE},
    {{"allowExcessivelySexualUsage", "sexualUsage", NULL}, VRM_META_SEXUAL_USAGE},
    {{"allowPoliticalOrReligiousUsage", "politicalOrReligiousUsage", NULL}, VRM_META_POLITICAL_OR_RELIGIOUS_USAGE},
    {{"allowAntisocialOrHateUsage", NULL, NULL}, VRM_META_ANTISOCIAL_OR_HATE_USAGE},
    {{"allowRedistribution", NULL, NULL}, VRM_META_REDISTRIBUTION},
};

typedef struct draft_meta {
    vrmi_reader *reader;
    vrmi_model_builder *model;
    uint32_t meta;
} draft_meta;

static vrmi_name read_text(const draft_meta *m, const char *key, const char *other)
{
    const char *const keys[] = {key, other, NULL};
    const char *found = vrmi_first_key(m->reader->json, m->meta, keys);
    const uint32_t value = found != NULL ? vrmi_read_string(m->reader, m->meta, found, VRMI_OPTIONAL) : VRMI_JSON_NONE;
    return vrmi_import_name(m->reader->json, m->model, value);
}

static void read_choice(const draft_meta *m, const char *key, const char *other, const vrmi_word *words, uint32_t count,
    vrm_meta_field field, uint32_t *out)
{
    const char *const keys[] = {key, other, NULL};
    const char *found = vrmi_first_key(m->reader->json, m->meta, keys);
    if (found != NULL && vrmi_read_right(m->reader, m->meta, found, words, count, out)) {
        m->model->head.meta.stated |= (uint32_t)field;
    }
}

static void read_usages(const draft_meta *m)
{
    for (size_t i = 0; i < VRMI_COUNT_OF(usages); ++i) {
        bool allowed = false;
        const char *key = vrmi_first_key(m->reader->json, m->meta, usages[i].keys);
        if (key != NULL && vrmi_read_bool(m->reader, m->meta, key, VRMI_OPTIONAL, &allowed)) {
            m->model->head.meta.stated |= (uint32_t)usages[i].field;
            m->model->head.meta.allowed |= allowed ? (uint32_t)usages[i].field : 0u;
        }
    }
}

// Reads an array of texts, or a single text.
static uint32_t read_texts(const draft_meta *m, const char *key, vrmi_array *table)
{
    const vrmi_json *json = m->reader->json;
    const uint32_t value = vrmi_json_member(json, m->meta, key);
    uint32_t filled = 0;
    if (vrmi_json_is(json, value, VRMI_JSON_STRING)) {
        return vrmi_keep_name(m->reader, m->model, table, value) ? 1 : 0;
    }
    const uint32_t array = vrmi_read_array(m->reader, m->meta, key, VRMI_OPTIONAL);
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
        filled += vrmi_keep_name(m->reader, m->model, table, item) ? 1 : 0;
    }
    return filled;
}

void vrmi_draft_read_meta(vrmi_reader *reader, vrmi_model_builder *model, uint32_t meta, uint32_t image_count)
{
    static const char *const terms[] = {"avatarPermission", "violentUsage", "sexualUsage", "gameUsage",
        "politicalOrReligiousUsage", "allowExcessivelyViolentUsage", "allowExcessivelySexualUsage",
        "allowPoliticalOrReligiousUsage", "commercialUsage", "creditNotation", "allowRedistribution", "modify",
        "modification", "otherPermissionUrl", "otherLicenseUrl"};
    const draft_meta m = {reader, model, meta};
    vrmi_meta_row *row = &model->head.meta;
    row->name = read_text(&m, "name", NULL);
    row->version = read_text(&m, "version", NULL);
    if (row->name.length == 0) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_META_MISSING, meta, "name", NULL, "text");
    }
    if (row->version.length == 0) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_DRAFT_META_VERSION, meta, "version", NULL, "text");
    }
    if (read_texts(&m, "authors", &model->author) == 0) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_META_MISSING, meta, "authors", NULL, "text");
    }
    row->copyright_information = read_text(&m, "copyrightInformation", "copyrights");
    row->contact_information = read_text(&m, "contactInformation", NULL);
    static const char *const references[] = {"references", "reference", NULL};
    const char *reference = vrmi_first_key(reader->json, meta, references);
    if (reference != NULL) {
        (void)read_texts(&m, reference, &model->reference);
    }
    row->third_party_licenses = read_text(&m, "thirdPartyLicenses", NULL);
    uint32_t image = 0;
    if (vrmi_read_index_or_none(reader, meta, "thumbnailImage", image_count, &image)) {
        row->thumbnail_image = (int32_t)image;
    }
    row->license_url = read_text(&m, "licenseUrl", NULL);
    row->other_license_url = read_text(&m, "otherLicenseUrl", "otherPermissionUrl");
    read_choice(&m, "avatarPermission", NULL, avatar_permissions, VRMI_COUNT_OF(avatar_permissions),
        VRM_META_AVATAR_PERMISSION, &row->avatar_permission);
    read_choice(&m, "commercialUsage", NULL, commercial_usages, VRMI_COUNT_OF(commercial_usages),
        VRM_META_COMMERCIAL_USAGE, &row->commercial_usage);
    read_choice(&m, "creditNotation", NULL, credit_notations, VRMI_COUNT_OF(credit_notations), VRM_META_CREDIT_NOTATION,
        &row->credit_notation);
    read_choice(&m, "modification", "modify", modifications, VRMI_COUNT_OF(modifications), VRM_META_MODIFICATION,
        &row->modification);
    read_usages(&m);
    for (size_t i = 0; i < VRMI_COUNT_OF(terms); ++i) {
        vrmi_keep_term(reader, model, meta, terms[i]);
    }
}

void vrmi_draft_meta(vrmi_import *import)
{
    const uint32_t meta = vrmi_read_object(&import->reader, import->vrm, "meta", VRMI_OPTIONAL);
    if (meta == VRMI_JSON_NONE) {
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_META_MISSING, import->vrm, "meta", NULL, "an object");
        return;
    }
    vrmi_draft_read_meta(&import->reader, &import->model, meta, import->gltf->counts[VRM_GLTF_IMAGES]);
}

// --- materials -------------------------------------------------------------------------------------------------------

typedef struct draft_mtoon {
    vrmi_import *import;
    uint32_t json;
    vrm_material_params *out;
} draft_mtoon;

static void read_number(const draft_mtoon *m, const char *key, const char *other, float *out)
{
    const char *const keys[] = {key, other, NULL};
    const char *found = vrmi_first_key(m->import->json, m->json, keys);
    if (found != NULL) {
        (void)vrmi_read_float(&m->import->reader, m->json, found, VRMI_OPTIONAL, out);
    }
}

static void read_color(const draft_mtoon *m, const char *key, const char *other, vrm_material_color color)
{
    const char *const keys[] = {key, other, NULL};
    const char *found = vrmi_first_key(m->import->json, m->json, keys);
    float rgb[4];
    // The draft does not state the number of components; alpha is ignored.
    const uint32_t count =
        vrmi_json_count(m->import->json, vrmi_json_member(m->import->json, m->json, found != NULL ? found : key));
    if (found != NULL && vrmi_read_floats(&m->import->reader, m->json, found, VRMI_OPTIONAL, count == 4 ? 4 : 3, rgb)) {
        m->out->colors[color] = (vrm_vec4){rgb[0], rgb[1], rgb[2], 1.0f};
    }
}

// Reads a texture index. The first drafts have plain indices; later ones have objects.
static void read_texture(const draft_mtoon *m, const char *key, const char *other, vrm_texture_slot slot)
{
    const char *const keys[] = {key, other, NULL};
    vrmi_reader *reader = &m->import->reader;
    const uint32_t count = m->import->gltf->counts[VRM_GLTF_TEXTURES];
    const char *found = vrmi_first_key(m->import->json, m->json, keys);
    uint32_t index = 0;
    if (found == NULL) {
        return;
    }
    const uint32_t value = vrmi_json_member(m->import->json, m->json, found);
    if (vrmi_json_is(m->import->json, value, VRMI_JSON_OBJECT)
            ? vrmi_read_index(reader, value, "index", VRMI_REQUIRED, count, &index)
            : vrmi_read_index_or_none(reader, m->json, found, count, &index)) {
        m->out->textures[slot].index = (int32_t)index;
    }
}

static void read_outline(const draft_mtoon *m)
{
    static const vrmi_word modes[] = {{"none", VRM_OUTLINE_NONE}, {"worldCoordinates", VRM_OUTLINE_WORLD_COORDINATES},
        {"screenCoordinates", VRM_OUTLINE_SCREEN_COORDINATES}};
    static const vrmi_word color_modes[] = {{"fixedColor", 0}, {"mixedLighting", 1}};
    vrmi_reader *reader = &m->import->reader;
    uint32_t mode = VRM_OUTLINE_NONE, mixed = 1;
    (void)vrmi_read_word(reader, m->json, "outlineWidthMode", modes, VRMI_COUNT_OF(modes), &mode);
    (void)vrmi_read_word(reader, m->json, "outlineColorMode", color_modes, VRMI_COUNT_OF(color_modes), &mixed);
    m->out->outline_mode = (vrm_outline_mode)mode;
    read_number(m, "outlineWidthFactor", NULL, &m->out->outline_width);
    read_texture(m, "outlineWidthMultiplyTexture", NULL, VRM_TEXTURE_OUTLINE_WIDTH_MULTIPLY);
    read_color(m, "outlineColorFactor", "outlineFactor", VRM_MATERIAL_COLOR_OUTLINE);
    read_number(m, "outlineLightingMixFactor", NULL, &m->out->outline_lighting_mix);
    m->out->outline_lighting_mix = mixed != 0 ? m->out->outline_lighting_mix : 0.0f;
}

static void read_shading(const draft_mtoon *m)
{
    float shift = 0.0f, toony = 0.9f, intensity = 1.0f - m->out->gi_equalization;
    read_number(m, "shadingShiftFactor", NULL, &shift);
    read_number(m, "shadingToonyFactor", NULL, &toony);
    if (vrmi_json_member(m->import->json, m->json, "specVersion") == VRMI_JSON_NONE) {
        vrmi_old_shading(
            shift, toony, m->out); // without a specVersion, the keys are those of MToon 0.x under new names
    } else {
        m->out->shading_shift = shift;
        m->out->shading_toony = toony;
    }
    read_number(m, "giIntensityFactor", NULL, &intensity);
    m->out->gi_equalization = vrmi_clamp(1.0f - intensity, 0.0f, 1.0f);
    read_number(m, "giEqualizationFactor", NULL, &m->out->gi_equalization);
}

static void read_queue(const draft_mtoon *m)
{
    const bool blend = m->out->alpha_mode == VRM_ALPHA_BLEND, z_write = m->out->transparent_with_z_write;
    float offset = 0.0f;
    read_number(m, "renderQueueOffsetNumber", NULL, &offset);
    m->out->render_queue_offset =
        (int32_t)vrmi_clamp(offset, blend && !z_write ? -9.0f : 0.0f, blend && z_write ? 9.0f : 0.0f);
}

static void read_mtoon(const draft_mtoon *m)
{
    vrm_material_params *out = m->out;
    out->type = VRM_MATERIAL_MTOON;
    (void)vrmi_read_bool(
        &m->import->reader, m->json, "transparentWithZWrite", VRMI_OPTIONAL, &out->transparent_with_z_write);
    read_queue(m);
    read_color(m, "shadeColorFactor", "shadeFactor", VRM_MATERIAL_COLOR_SHADE);
    read_texture(m, "shadeMultiplyTexture", NULL, VRM_TEXTURE_SHADE_MULTIPLY);
    read_shading(m);
    read_texture(m, "shadingShiftTexture", NULL, VRM_TEXTURE_SHADING_SHIFT);
    read_color(m, "matcapFactor", NULL, VRM_MATERIAL_COLOR_MATCAP);
    read_texture(m, "matcapTexture", "additiveTexture", VRM_TEXTURE_MATCAP);
    read_color(m, "parametricRimColorFactor", "rimFactor", VRM_MATERIAL_COLOR_RIM);
    read_texture(m, "rimMultiplyTexture", NULL, VRM_TEXTURE_RIM_MULTIPLY);
    read_number(m, "rimLightingMixFactor", NULL, &out->rim_lighting_mix);
    read_number(m, "parametricRimFresnelPowerFactor", "rimFresnelPowerFactor", &out->rim_fresnel_power);
    read_number(m, "parametricRimLiftFactor", "rimLiftFactor", &out->rim_lift);
    read_outline(m);
    read_texture(m, "uvAnimationMaskTexture", NULL, VRM_TEXTURE_UV_ANIMATION_MASK);
    read_number(m, "uvAnimationScrollXSpeedFactor", NULL, &out->uv_scroll_speed[0]);
    read_number(m, "uvAnimationScrollYSpeedFactor", NULL, &out->uv_scroll_speed[1]);
    read_number(m, "uvAnimationRotationSpeedFactor", NULL, &out->uv_rotation_speed);
}

static void read_material(vrmi_import *import, uint32_t material, vrm_material_params *out)
{
    const vrmi_json *json = import->json;
    const uint32_t extensions = vrmi_json_member(json, material, "extensions");
    vrmi_import_material_core(import, material, out);
    draft_mtoon m = {import, vrmi_json_member(json, extensions, "VRMC_materials_mtoon"), out};
    if (m.json == VRMI_JSON_NONE) {
        m.json = vrmi_json_member(json, extensions, "VMRC_materials_mtoon");
        if (m.json != VRMI_JSON_NONE) {
            vrmi_reader_report(
                &import->reader, VRM_FINDING_VRM1_MISSPELT_EXTENSION, m.json, NULL, NULL, "VRMC_materials_mtoon");
        }
    }
    if (vrmi_json_is(json, m.json, VRMI_JSON_OBJECT)) {
        read_mtoon(&m);
    } else if (vrmi_json_member(json, extensions, "KHR_materials_unlit") != VRMI_JSON_NONE) {
        out->type = VRM_MATERIAL_UNLIT;
    }
    // The draft says: "Other textures that use UVs refer to this value too."
    const vrm_texture *base = &out->textures[VRM_TEXTURE_BASE_COLOR];
    for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
        if (slot != VRM_TEXTURE_MATCAP && out->textures[slot].index >= 0) {
            out->textures[slot].transform = base->transform;
        }
    }
}

void vrmi_draft_materials(vrmi_import *import)
{
    const vrmi_json *json = import->json;
    const uint32_t array = import->gltf->arrays[VRM_GLTF_MATERIALS];
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        const vrmi_name name = vrmi_import_object_name(import, item);
        vrmi_material_row *row = vrmi_import_push(import, &import->model.material);
        if (row == NULL) {
            return;
        }
        row->name = name;
        read_material(import, item, &row->params);
    }
}
