// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"
#include "import/import.h"

static const char *const avatar_permissions[] = {"onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"};
static const char *const commercial_usages[] = {"personalNonProfit", "personalProfit", "corporation"};
static const char *const credit_notations[] = {"required", "unnecessary"};
static const char *const modifications[] = {"prohibited", "allowModification", "allowModificationRedistribution"};

#define LICENSE_URL "https://vrm.dev/licenses/1.0/"

typedef struct meta_reading {
    vrmi_reader *reader;
    vrmi_model_builder *model;
    uint32_t meta; // JSON object
} meta_reading;

static vrmi_name read_text(const meta_reading *r, const char *key)
{
    return vrmi_import_name(r->reader->json, r->model, vrmi_read_string(r->reader, r->meta, key, VRMI_OPTIONAL));
}

// Reads a value from a list. A value that is not in the list, or differs in case, is reported. The strictest value is
// then used, and the file's word is also kept. (UniVRM ignores case and refuses other words; three-vrm accepts any
// word.)
static void read_choice(const meta_reading *r, const char *key, const char *const *names, uint32_t count,
    vrm_meta_field field, uint32_t *out)
{
    if (vrmi_read_enum(r->reader, r->meta, key, VRMI_OPTIONAL, names, count, out)) {
        r->model->head.meta.stated |= (uint32_t)field;
    } else {
        vrmi_keep_term(r->reader, r->model, r->meta, key);
    }
}

static void read_permission(const meta_reading *r, const char *key, vrm_meta_field field)
{
    bool allowed = false;
    if (vrmi_read_bool(r->reader, r->meta, key, VRMI_OPTIONAL, &allowed)) {
        r->model->head.meta.stated |= (uint32_t)field;
        r->model->head.meta.allowed |= allowed ? (uint32_t)field : 0u;
    } else {
        vrmi_keep_term(r->reader, r->model, r->meta, key);
    }
}

// Reads an array of strings and counts those that are not empty. Empty strings are kept, so that counts agree with the
// file.
static uint32_t read_list(const meta_reading *r, const char *key, vrmi_array *table)
{
    const vrmi_json *json = r->reader->json;
    const uint32_t array = vrmi_read_array(r->reader, r->meta, key, VRMI_OPTIONAL);
    uint32_t filled = 0;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
        if (!vrmi_json_is(json, item, VRMI_JSON_STRING)) {
            vrmi_reader_report_value(r->reader, VRM_FINDING_TYPE_MISMATCH, item, "a string");
            continue;
        }
        const vrmi_name name = vrmi_import_name(json, r->model, item);
        vrmi_name *row = vrmi_array_push(table, &r->model->allocator);
        if (row == NULL) {
            r->model->out_of_memory = true;
            return filled;
        }
        *row = name;
        filled += name.length != 0 ? 1 : 0;
    }
    return filled;
}

static void report_missing(const meta_reading *r, const char *key, bool present)
{
    if (!present) {
        vrmi_reader_report(r->reader, VRM_FINDING_VRM1_META_MISSING, r->meta, key, NULL, "text");
    }
}

static void read_license_url(const meta_reading *r)
{
    const vrmi_json *json = r->reader->json;
    const uint32_t url = vrmi_read_string(r->reader, r->meta, "licenseUrl", VRMI_OPTIONAL);
    r->model->head.meta.license_url = vrmi_import_name(json, r->model, url);
    if (url == VRMI_JSON_NONE) {
        vrmi_reader_report(r->reader, VRM_FINDING_VRM1_LICENSE_URL, r->meta, "licenseUrl", NULL, LICENSE_URL);
    } else if (!vrmi_json_string_equal(json, url, LICENSE_URL)) {
        vrmi_reader_report_value(r->reader, VRM_FINDING_VRM1_LICENSE_URL, url, LICENSE_URL);
    }
}

// Reads words of an older dialect that `vrm migrate` has kept. They are only shown and grant nothing.
static void read_older_terms(const meta_reading *r)
{
    const vrmi_json *json = r->reader->json;
    const uint32_t extras = vrmi_json_member(json, r->meta, "extras");
    const uint32_t terms = vrmi_json_member(json, extras, "olderTerms");
    for (uint32_t key = vrmi_json_first(json, vrmi_json_is(json, terms, VRMI_JSON_OBJECT) ? terms : VRMI_JSON_NONE);
         key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const uint32_t value = vrmi_json_value(json, key);
        const vrmi_name names[2] = {vrmi_import_name(json, r->model, key), vrmi_import_name(json, r->model, value)};
        vrmi_name *rows = vrmi_json_is(json, value, VRMI_JSON_STRING)
                              ? vrmi_array_push(&r->model->old_term, &r->model->allocator)
                              : NULL;
        if (rows == NULL) {
            continue;
        }
        *rows = names[0];
        rows = vrmi_array_push(&r->model->old_term, &r->model->allocator);
        if (rows == NULL) {
            --r->model->old_term.count;
            r->model->out_of_memory = true;
            return;
        }
        *rows = names[1];
    }
}

void vrmi_read_meta(vrmi_reader *reader, vrmi_model_builder *model, uint32_t meta, uint32_t image_count)
{
    const meta_reading r = {reader, model, meta};
    vrmi_meta_row *row = &model->head.meta; // initially the strictest values, which are 0 in every enum
    row->name = read_text(&r, "name");
    report_missing(&r, "name", row->name.length != 0);
    row->version = read_text(&r, "version");
    report_missing(&r, "authors", read_list(&r, "authors", &model->author) != 0);
    row->copyright_information = read_text(&r, "copyrightInformation");
    row->contact_information = read_text(&r, "contactInformation");
    (void)read_list(&r, "references", &model->reference);
    row->third_party_licenses = read_text(&r, "thirdPartyLicenses");
    uint32_t image = 0;
    if (vrmi_read_index(reader, meta, "thumbnailImage", VRMI_OPTIONAL, image_count, &image)) {
        row->thumbnail_image = (int32_t)image;
    }
    read_license_url(&r);
    row->other_license_url = read_text(&r, "otherLicenseUrl");
    read_choice(&r, "avatarPermission", avatar_permissions, VRMI_COUNT_OF(avatar_permissions),
        VRM_META_AVATAR_PERMISSION, &row->avatar_permission);
    read_choice(&r, "commercialUsage", commercial_usages, VRMI_COUNT_OF(commercial_usages), VRM_META_COMMERCIAL_USAGE,
        &row->commercial_usage);
    read_choice(&r, "creditNotation", credit_notations, VRMI_COUNT_OF(credit_notations), VRM_META_CREDIT_NOTATION,
        &row->credit_notation);
    read_choice(
        &r, "modification", modifications, VRMI_COUNT_OF(modifications), VRM_META_MODIFICATION, &row->modification);
    read_permission(&r, "allowExcessivelyViolentUsage", VRM_META_VIOLENT_USAGE);
    read_permission(&r, "allowExcessivelySexualUsage", VRM_META_SEXUAL_USAGE);
    read_permission(&r, "allowPoliticalOrReligiousUsage", VRM_META_POLITICAL_OR_RELIGIOUS_USAGE);
    read_permission(&r, "allowAntisocialOrHateUsage", VRM_META_ANTISOCIAL_OR_HATE_USAGE);
    read_permission(&r, "allowRedistribution", VRM_META_REDISTRIBUTION);
    read_older_terms(&r);
}

void vrmi_import_meta(vrmi_import *import)
{
    const uint32_t meta = vrmi_read_object(&import->reader, import->vrm, "meta", VRMI_OPTIONAL);
    if (meta == VRMI_JSON_NONE) {
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_META_MISSING, import->vrm, "meta", NULL, "an object");
        return;
    }
    vrmi_read_meta(&import->reader, &import->model, meta, import->gltf->counts[VRM_GLTF_IMAGES]);
}
