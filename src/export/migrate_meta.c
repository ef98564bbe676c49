// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts the meta object. The import has read each older term as the strictest term of 1.0 that covers it. One more
// step is needed for VRM 0.x: a named licence, such as Creative Commons, grants the work under its own terms, and only
// the author can grant it under those of 1.0. So such a licence grants nothing in 1.0, as in UniVRM, and is kept as
// text. Only CC0 keeps its permissions, because the author has given up every right, and no term of 1.0 asks for more.

#include <string.h>

#include "base/checks.h"
#include "export/migrate.h"

#define LICENSE_URL "https://vrm.dev/licenses/1.0/"

static const struct {
    const char *key;
    vrm_meta_field field;
} usages[] = {
    {"allowExcessivelyViolentUsage", VRM_META_VIOLENT_USAGE},
    {"allowExcessivelySexualUsage", VRM_META_SEXUAL_USAGE},
    {"allowPoliticalOrReligiousUsage", VRM_META_POLITICAL_OR_RELIGIOUS_USAGE},
    {"allowAntisocialOrHateUsage", VRM_META_ANTISOCIAL_OR_HATE_USAGE},
    {"allowRedistribution", VRM_META_REDISTRIBUTION},
};

static void add_choice(vrmi_text *text, const vrmi_meta_row *row, vrm_meta_field field, const char *key,
    const char *const *names, uint32_t value)
{
    if ((row->stated & (uint32_t)field) != 0) {
        vrmi_text_format(text, ",\"%s\":\"%s\"", key, names[value]);
    }
}

// Writes the permissions that are stated. A permission that stays unstated is denied.
static void add_permissions(vrmi_text *text, const vrmi_meta_row *row)
{
    static const char *const avatars[] = {"onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"};
    static const char *const commercial[] = {"personalNonProfit", "personalProfit", "corporation"};
    static const char *const credits[] = {"required", "unnecessary"};
    static const char *const modifications[] = {"prohibited", "allowModification", "allowModificationRedistribution"};
    add_choice(text, row, VRM_META_AVATAR_PERMISSION, "avatarPermission", avatars, row->avatar_permission);
    for (size_t i = 0; i < VRMI_COUNT_OF(usages); ++i) {
        if ((row->stated & (uint32_t)usages[i].field) != 0) {
            vrmi_text_format(
                text, ",\"%s\":%s", usages[i].key, (row->allowed & (uint32_t)usages[i].field) != 0 ? "true" : "false");
        }
    }
    add_choice(text, row, VRM_META_COMMERCIAL_USAGE, "commercialUsage", commercial, row->commercial_usage);
    add_choice(text, row, VRM_META_CREDIT_NOTATION, "creditNotation", credits, row->credit_notation);
    add_choice(text, row, VRM_META_MODIFICATION, "modification", modifications, row->modification);
}

static vrmi_meta_row without_license(vrmi_migration *m, uint32_t meta)
{
    vrmi_meta_row row = m->model->head.meta;
    const bool gives_all =
        row.credit_notation == (uint32_t)VRM_CREDIT_NOTATION_UNNECESSARY; // in 0.x, only CC0 has this value
    if (!m->is_vrm0 || gives_all) {
        return row;
    }
    if ((row.allowed & (uint32_t)VRM_META_REDISTRIBUTION) != 0) {
        const uint32_t name = vrmi_json_member(m->json, meta, "licenseName");
        vrmi_reader_report_value(&m->reader, VRM_FINDING_MIGRATE_LICENSE_NOT_GRANTED, name, NULL);
    }
    row.allowed &= ~(uint32_t)VRM_META_REDISTRIBUTION;
    row.modification = VRM_MODIFICATION_PROHIBITED;
    row.credit_notation = VRM_CREDIT_NOTATION_REQUIRED;
    return row;
}

// Writes a text that 1.0 requires, or "unknown".
static void add_required(vrmi_migration *m, vrmi_text *text, uint32_t meta, const char *key, vrm_string value)
{
    const vrm_string unknown = vrmi_string("unknown");
    if (value.length == 0) {
        vrmi_migrate_report(
            m, VRM_FINDING_MIGRATE_META_UNKNOWN, meta != VRMI_JSON_NONE ? meta : m->vrm, NULL, key, NULL);
        value = unknown;
    }
    vrmi_text_add_json_string(text, value.data, value.length);
}

static void add_names(vrmi_migration *m, vrmi_text *text, uint32_t meta)
{
    const vrmi_model *model = m->model;
    const vrmi_name *authors = vrmi_model_author(model), *references = vrmi_model_reference(model);
    vrmi_text_add_string(text, ",\"meta\":{\"name\":");
    add_required(m, text, meta, "name", vrmi_model_text(model, model->head.meta.name));
    vrmi_migrate_add_name(text, "version", vrmi_model_text(model, model->head.meta.version));
    vrmi_text_add_string(text, ",\"authors\":[");
    for (uint32_t i = 0; i < model->author.count || i == 0; ++i) {
        const vrm_string none = {NULL, 0};
        vrmi_text_add_string(text, i == 0 ? "" : ",");
        add_required(m, text, meta, "authors", i < model->author.count ? vrmi_model_text(model, authors[i]) : none);
    }
    vrmi_text_add_string(text, "]");
    vrmi_migrate_add_name(text, "copyrightInformation", vrmi_model_text(model, model->head.meta.copyright_information));
    vrmi_migrate_add_name(text, "contactInformation", vrmi_model_text(model, model->head.meta.contact_information));
    for (uint32_t i = 0; i < model->reference.count; ++i) {
        const vrm_string reference = vrmi_model_text(model, references[i]);
        vrmi_text_add_string(text, i == 0 ? ",\"references\":[" : ",");
        vrmi_text_add_json_string(text, reference.data, reference.length);
    }
    vrmi_text_add_string(text, model->reference.count != 0 ? "]" : "");
    vrmi_migrate_add_name(text, "thirdPartyLicenses", vrmi_model_text(model, model->head.meta.third_party_licenses));
}

static void add_thumbnail(vrmi_migration *m, vrmi_text *text, uint32_t meta)
{
    const int32_t image = m->model->head.meta.thumbnail_image;
    if (image >= 0) {
        vrmi_text_format(text, ",\"thumbnailImage\":%d", (int)image);
    } else {
        const char *key = m->is_vrm0 ? "texture" : "thumbnailImage";
        const bool named = vrmi_json_member(m->json, meta, key) != VRMI_JSON_NONE;
        vrmi_migrate_report(m, VRM_FINDING_MIGRATE_THUMBNAIL_MISSING, meta != VRMI_JSON_NONE ? meta : m->vrm,
            named ? key : NULL, NULL, NULL);
    }
}

// Writes the older words about permissions for people to read, in addition to the existing extras.
static void add_older_terms(const vrmi_migration *m, vrmi_text *text, uint32_t meta)
{
    const vrmi_model *model = m->model;
    const vrmi_name *terms = vrmi_model_old_term(model);
    const uint32_t extras = vrmi_json_member(m->json, meta, "extras");
    const uint32_t extensions = vrmi_json_member(m->json, meta, "extensions");
    if (vrmi_json_is(m->json, extensions, VRMI_JSON_OBJECT)) {
        const vrm_string others = vrmi_json_text(m->json, extensions);
        vrmi_text_format(text, ",\"extensions\":%.*s", (int)others.length, others.data);
    }
    if (model->old_term.count == 0 && extras == VRMI_JSON_NONE) {
        return;
    }
    vrmi_text_add_string(text, ",\"extras\":{");
    for (uint32_t key =
             vrmi_json_first(m->json, vrmi_json_is(m->json, extras, VRMI_JSON_OBJECT) ? extras : VRMI_JSON_NONE);
         key != VRMI_JSON_NONE; key = vrmi_json_next(m->json, key)) {
        const vrm_string name = vrmi_json_text(m->json, key);
        const vrm_string value = vrmi_json_text(m->json, vrmi_json_value(m->json, key));
        vrmi_text_format(text, "%.*s:%.*s,", (int)name.length, name.data, (int)value.length, value.data);
    }
    vrmi_text_add_string(text, "\"olderTerms\":{");
    for (uint32_t i = 0; i + 1 < model->old_term.count; i += 2) {
        const vrm_string key = vrmi_model_text(model, terms[i]), value = vrmi_model_text(model, terms[i + 1]);
        vrmi_text_add_string(text, i == 0 ? "" : ",");
        vrmi_text_add_json_string(text, key.data, key.length);
        vrmi_text_add_string(text, ":");
        vrmi_text_add_json_string(text, value.data, value.length);
    }
    vrmi_text_add_string(text, "}}");
}

void vrmi_migrate_meta(vrmi_migration *m, vrmi_text *text)
{
    const uint32_t meta = vrmi_json_member(m->json, m->vrm, "meta");
    const vrmi_meta_row row = without_license(m, meta);
    add_names(m, text, meta);
    add_thumbnail(m, text, meta);
    vrmi_text_add_string(text, ",\"licenseUrl\":\"" LICENSE_URL "\"");
    vrmi_migrate_add_name(text, "otherLicenseUrl", vrmi_model_text(m->model, row.other_license_url));
    add_permissions(text, &row);
    add_older_terms(m, text, meta);
    vrmi_text_add_string(text, "}");
}
