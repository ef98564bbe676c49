// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads meta, humanoid and first person of VRM 0.x. The misspelt keys are part of the format.

#include <string.h>

#include "base/checks.h"
#include "import/avatar/import_parts.h"
#include "import/upgrade/upgrade.h"

// --- meta ------------------------------------------------------------------------------------------------------------

// Words of 0.x and the strictest term of 1.0 that covers each. A use that 0.x does not mention stays unstated, and is
// therefore denied.
static const vrmi_word users[] = {
    {"OnlyAuthor", VRM_AVATAR_PERMISSION_ONLY_AUTHOR},
    {"ExplicitlyLicensedPerson", VRM_AVATAR_PERMISSION_ONLY_SEPARATELY_LICENSED_PERSON},
    {"Everyone", VRM_AVATAR_PERMISSION_EVERYONE},
};
static const vrmi_word usages[] = {{"Disallow", 0}, {"Allow", 1}};

// A licence of 0.x in the terms of 1.0. NonCommercial restricts commercialUssageName. ShareAlike has a condition for
// modified copies that 1.0 cannot express, so modification is allowed but not redistribution of modified copies.
typedef struct license {
    const char *name;
    uint32_t stated, allowed;
    vrm_modification modification;
    vrm_credit_notation credit;
    bool non_commercial;
} license;

#define SHARED (VRM_META_REDISTRIBUTION | VRM_META_MODIFICATION | VRM_META_CREDIT_NOTATION)

static const license licenses[] = {
    {"Redistribution_Prohibited", VRM_META_REDISTRIBUTION, 0, VRM_MODIFICATION_PROHIBITED, VRM_CREDIT_NOTATION_REQUIRED,
        false},
    {"CC0", SHARED, VRM_META_REDISTRIBUTION, VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION,
        VRM_CREDIT_NOTATION_UNNECESSARY, false},
    {"CC_BY", SHARED, VRM_META_REDISTRIBUTION, VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION,
        VRM_CREDIT_NOTATION_REQUIRED, false},
    {"CC_BY_NC", SHARED, VRM_META_REDISTRIBUTION, VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION,
        VRM_CREDIT_NOTATION_REQUIRED, true},
    {"CC_BY_SA", SHARED, VRM_META_REDISTRIBUTION, VRM_MODIFICATION_ALLOW_MODIFICATION, VRM_CREDIT_NOTATION_REQUIRED,
        false},
    {"CC_BY_NC_SA", SHARED, VRM_META_REDISTRIBUTION, VRM_MODIFICATION_ALLOW_MODIFICATION, VRM_CREDIT_NOTATION_REQUIRED,
        true},
    {"CC_BY_ND", SHARED, VRM_META_REDISTRIBUTION, VRM_MODIFICATION_PROHIBITED, VRM_CREDIT_NOTATION_REQUIRED, false},
    {"CC_BY_NC_ND", SHARED, VRM_META_REDISTRIBUTION, VRM_MODIFICATION_PROHIBITED, VRM_CREDIT_NOTATION_REQUIRED, true},
    {"Other", 0, 0, VRM_MODIFICATION_PROHIBITED, VRM_CREDIT_NOTATION_REQUIRED, false},
};

static void read_license(vrmi_reader *reader, vrmi_meta_row *row, uint32_t meta)
{
    vrmi_word words[VRMI_COUNT_OF(licenses)];
    for (uint32_t i = 0; i < VRMI_COUNT_OF(licenses); ++i) {
        words[i] = (vrmi_word){licenses[i].name, i};
    }
    // An unknown word may mean any licence, so only the permissions that all licences grant are given.
    static const license strictest = {"", SHARED, 0, VRM_MODIFICATION_PROHIBITED, VRM_CREDIT_NOTATION_REQUIRED, true};
    uint32_t index = 0;
    const license *read = &strictest;
    if (vrmi_read_right(reader, meta, "licenseName", words, VRMI_COUNT_OF(words), &index)) {
        read = &licenses[index];
    } else if (vrmi_json_member(reader->json, meta, "licenseName") == VRMI_JSON_NONE) {
        return;
    }
    row->stated |= read->stated;
    row->allowed |= read->allowed;
    row->modification = (uint32_t)read->modification;
    row->credit_notation = (uint32_t)read->credit;
    if (read->non_commercial) {
        row->stated |= VRM_META_COMMERCIAL_USAGE;
        row->commercial_usage = VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT;
    }
}

static void read_usage(vrmi_reader *reader, vrmi_meta_row *row, uint32_t meta, const char *key, vrm_meta_field field)
{
    uint32_t allowed = 0;
    if (vrmi_read_right(reader, meta, key, usages, VRMI_COUNT_OF(usages), &allowed)) {
        row->stated |= (uint32_t)field;
        row->allowed |= allowed != 0 ? (uint32_t)field : 0u;
    }
}

static vrmi_name read_text(vrmi_reader *reader, vrmi_model_builder *model, uint32_t meta, const char *key)
{
    return vrmi_import_name(reader->json, model, vrmi_read_string(reader, meta, key, VRMI_OPTIONAL));
}

// Joins the two URLs of 0.x, since 1.0 has only one.
static vrmi_name read_urls(vrmi_reader *reader, vrmi_model_builder *model, uint32_t meta)
{
    const vrmi_json *json = reader->json;
    const uint32_t urls[2] = {vrmi_read_string(reader, meta, "otherLicenseUrl", VRMI_OPTIONAL),
        vrmi_read_string(reader, meta, "otherPermissionUrl", VRMI_OPTIONAL)};
    const size_t lengths[2] = {vrmi_json_unescape(json, urls[0], NULL, 0), vrmi_json_unescape(json, urls[1], NULL, 0)};
    if (lengths[0] == 0 || lengths[1] == 0) {
        return vrmi_import_name(json, model, urls[lengths[0] == 0 ? 1 : 0]);
    }
    vrmi_name name = {0, 0};
    char *text = vrmi_model_builder_text(model, lengths[0] + 2 + lengths[1], &name);
    if (text != NULL) {
        vrmi_json_unescape(json, urls[0], text, lengths[0] + 1);
        memcpy(text + lengths[0], ", ", 2);
        vrmi_json_unescape(json, urls[1], text + lengths[0] + 2, lengths[1] + 1);
    }
    return name;
}

// Returns the image of the thumbnail, or -1. 0.x refers to a texture, and the texture to an image.
static int32_t thumbnail_image(vrmi_reader *reader, uint32_t meta, const vrm_gltf *gltf)
{
    uint32_t texture = 0, image = 0;
    if (!vrmi_read_index_or_none(reader, meta, "texture", gltf->counts[VRM_GLTF_TEXTURES], &texture)) {
        return -1;
    }
    const uint32_t element = vrmi_gltf_element(gltf, VRM_GLTF_TEXTURES, texture);
    return vrmi_json_uint(reader->json, vrmi_json_member(reader->json, element, "source"), &image) &&
                   image < gltf->counts[VRM_GLTF_IMAGES]
               ? (int32_t)image
               : -1;
}

void vrmi_vrm0_read_meta(vrmi_reader *reader, vrmi_model_builder *model, uint32_t vrm, const vrm_gltf *gltf)
{
    static const char *const terms[] = {"allowedUserName", "violentUssageName", "sexualUssageName",
        "commercialUssageName", "licenseName", "otherPermissionUrl", "otherLicenseUrl"};
    vrmi_meta_row *row = &model->head.meta;
    const uint32_t meta = vrmi_read_object(reader, vrm, "meta", VRMI_OPTIONAL);
    if (meta == VRMI_JSON_NONE) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_META_MISSING, vrm, "meta", NULL, "an object");
        return;
    }
    row->name = read_text(reader, model, meta, "title");
    if (row->name.length == 0) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_META_MISSING, meta, "title", NULL, "text");
    }
    row->version = read_text(reader, model, meta, "version");
    const uint32_t author = vrmi_read_string(reader, meta, "author", VRMI_OPTIONAL);
    if (!vrmi_keep_name(reader, model, &model->author, author)) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_META_MISSING, meta, "author", NULL, "text");
    }
    row->contact_information = read_text(reader, model, meta, "contactInformation");
    const uint32_t reference = vrmi_read_string(reader, meta, "reference", VRMI_OPTIONAL);
    (void)vrmi_keep_name(reader, model, &model->reference, reference);
    row->thumbnail_image = thumbnail_image(reader, meta, gltf);
    row->other_license_url = read_urls(reader, model, meta);
    if (vrmi_read_right(reader, meta, "allowedUserName", users, VRMI_COUNT_OF(users), &row->avatar_permission)) {
        row->stated |= VRM_META_AVATAR_PERMISSION;
    }
    read_usage(reader, row, meta, "violentUssageName", VRM_META_VIOLENT_USAGE);
    read_usage(reader, row, meta, "sexualUssageName", VRM_META_SEXUAL_USAGE);
    uint32_t commercial = 0;
    if (vrmi_read_right(reader, meta, "commercialUssageName", usages, VRMI_COUNT_OF(usages), &commercial)) {
        row->stated |= VRM_META_COMMERCIAL_USAGE;
        // "Allow" does not say who may use it commercially. Only personal use is certain.
        row->commercial_usage =
            commercial != 0 ? VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT : VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT;
    }
    read_license(reader, row, meta);
    for (size_t i = 0; i < VRMI_COUNT_OF(terms); ++i) {
        vrmi_keep_term(reader, model, meta, terms[i]);
    }
}

void vrmi_vrm0_meta(vrmi_import *import)
{
    vrmi_vrm0_read_meta(&import->reader, &import->model, import->vrm, import->gltf);
}

// --- humanoid --------------------------------------------------------------------------------------------------------

typedef struct old_bone {
    const char *name;
    vrm_human_bone bone;
} old_bone;

// The first thumb bone is called Proximal in 0.x, but Metacarpal in 1.0.
static const old_bone thumbs[] = {
    {"leftThumbProximal", VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL},
    {"leftThumbIntermediate", VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL},
    {"rightThumbProximal", VRM_HUMAN_BONE_RIGHT_THUMB_METACARPAL},
    {"rightThumbIntermediate", VRM_HUMAN_BONE_RIGHT_THUMB_PROXIMAL},
};

enum { BONE_NAME_SIZE = 64 };

int32_t vrmi_vrm0_bone(const vrmi_json *json, uint32_t text)
{
    char name[BONE_NAME_SIZE];
    vrmi_json_unescape(json, text, name, sizeof name);
    for (size_t i = 0; i < VRMI_COUNT_OF(thumbs); ++i) {
        if (vrmi_same_word(name, thumbs[i].name)) {
            return (int32_t)thumbs[i].bone;
        }
    }
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (vrmi_same_word(name, vrm_human_bone_name((vrm_human_bone)bone))) {
            return bone;
        }
    }
    return -1;
}

static void read_bone(vrmi_import *import, uint32_t item, uint32_t bone_json[VRM_HUMAN_BONE_COUNT])
{
    const vrmi_json *json = import->json;
    vrmi_reader *reader = &import->reader;
    double node = 0.0;
    if (vrmi_json_number(json, vrmi_json_member(json, item, "node"), &node) && node < 0.0) {
        return; // exporters write a negative node for a missing bone
    }
    const uint32_t name = vrmi_read_string(reader, item, "bone", VRMI_REQUIRED);
    if (name == VRMI_JSON_NONE) {
        return;
    }
    const int32_t bone = vrmi_vrm0_bone(json, name);
    if (bone < 0) {
        vrmi_reader_report_value(reader, VRM_FINDING_VRM1_UNKNOWN_BONE, name, NULL);
    } else if (bone_json[bone] != VRMI_JSON_NONE) {
        vrmi_reader_report_value(reader, VRM_FINDING_VRM0_BONE_DUPLICATE, name, "each bone once");
    } else {
        bone_json[bone] = item;
        vrmi_import_bone(import, (vrm_human_bone)bone, item);
    }
}

void vrmi_vrm0_humanoid(vrmi_import *import)
{
    static const vrm_human_bone also_required[] = {VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_NECK};
    const vrmi_json *json = import->json;
    vrmi_reader *reader = &import->reader;
    reader->repairing = false; // required: there is no avatar without a humanoid
    const uint32_t humanoid = vrmi_read_object(reader, import->vrm, "humanoid", VRMI_REQUIRED);
    const uint32_t bones = vrmi_read_array(reader, humanoid, "humanBones", VRMI_REQUIRED);
    if (bones == VRMI_JSON_NONE) {
        return;
    }
    reader->repairing = !import->def->strict;
    uint32_t bone_json[VRM_HUMAN_BONE_COUNT];
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        bone_json[i] = VRMI_JSON_NONE;
    }
    for (uint32_t item = vrmi_json_first(json, bones); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            read_bone(import, item, bone_json);
        } else {
            vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
    }
    vrmi_import_link_bones(import, bones, bone_json);
    for (size_t i = 0; i < VRMI_COUNT_OF(also_required); ++i) {
        if (bone_json[also_required[i]] == VRMI_JSON_NONE) {
            vrmi_reader_report(reader, VRM_FINDING_VRM0_REQUIRED_BONE_MISSING, bones, NULL, NULL,
                vrm_human_bone_name(also_required[i]));
        }
    }
}

// --- first person ----------------------------------------------------------------------------------------------------

static void annotate(vrmi_import *import, uint32_t annotation, const vrmi_mesh_users *users_of, bool *annotated)
{
    static const vrmi_word types[] = {
        {"Auto", VRM_FIRST_PERSON_AUTO},
        {"Both", VRM_FIRST_PERSON_BOTH},
        {"ThirdPersonOnly", VRM_FIRST_PERSON_THIRD_PERSON_ONLY},
        {"FirstPersonOnly", VRM_FIRST_PERSON_FIRST_PERSON_ONLY},
    };
    vrmi_reader *reader = &import->reader;
    const uint32_t mesh_count = import->gltf->counts[VRM_GLTF_MESHES];
    uint32_t mesh = 0, type = VRM_FIRST_PERSON_AUTO;
    (void)vrmi_read_word(reader, annotation, "firstPersonFlag", types, VRMI_COUNT_OF(types), &type);
    if (!vrmi_read_index_or_none(reader, annotation, "mesh", mesh_count, &mesh)) {
        return;
    }
    if (annotated[mesh]) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_FIRST_PERSON_DUPLICATE, annotation, "mesh", NULL, NULL);
        return;
    }
    annotated[mesh] = true;
    vrmi_mesh_row *rows = VRMI_ROWS(import, mesh, vrmi_mesh_row);
    for (uint32_t i = users_of->first[mesh]; i != 0; i = users_of->next[i - 1]) {
        rows[i - 1].first_person = (vrm_first_person)type;
    }
}

void vrmi_vrm0_first_person(vrmi_import *import)
{
    const vrmi_json *json = import->json;
    const uint32_t first_person = vrmi_read_object(&import->reader, import->vrm, "firstPerson", VRMI_OPTIONAL);
    const uint32_t array = vrmi_read_array(&import->reader, first_person, "meshAnnotations", VRMI_OPTIONAL);
    bool *annotated = vrmi_import_scratch(import, import->gltf->counts[VRM_GLTF_MESHES], sizeof *annotated);
    vrmi_mesh_users users_of;
    if (annotated == NULL || !vrmi_find_mesh_users(import, &users_of)) {
        return;
    }
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            annotate(import, item, &users_of, annotated);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
    }
}
