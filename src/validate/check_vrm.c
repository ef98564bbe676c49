// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "import/upgrade/upgrade.h"
#include "model/names.h"
#include "validate/run.h"

// Checks requirements of VRM that importing does not check: thumbnails, texture transforms, tangents, versions,
// overrides.

static void check_thumbnail(vrmi_run *run)
{
    char found[48];
    const vrmi_json *json = run->json;
    const uint32_t vrm = vrmi_root_extension(json, "VRMC_vrm");
    const uint32_t old = vrmi_root_extension(json, "VRM");
    uint32_t owner = vrmi_json_member(json, vrm, "meta");
    const char *key = "thumbnailImage";
    int32_t image = vrmi_run_member_index(run, owner, key, VRM_GLTF_IMAGES);
    const uint32_t old_meta = vrmi_json_member(json, old, "meta");
    const int32_t texture = vrmi_run_member_index(run, old_meta, "texture", VRM_GLTF_TEXTURES);
    if (texture >= 0) {
        run->used[VRM_GLTF_TEXTURES][texture] = 1; // used by 0.x, even if 1.0 is read
    }
    if (vrmi_is_read_as_vrm0(json, run->def->prefer)) {
        const uint32_t object =
            texture >= 0 ? vrmi_gltf_element(run->gltf, VRM_GLTF_TEXTURES, (uint32_t)texture) : VRMI_JSON_NONE;
        owner = old_meta;
        key = "texture";
        image = vrmi_run_member_index(run, object, "source", VRM_GLTF_IMAGES);
    }
    vrm_gltf_image info = {.struct_size = sizeof info};
    if (image < 0 || vrm_gltf_get_image(run->gltf, (uint32_t)image, &info) != VRM_SUCCESS || info.bytes == NULL) {
        return;
    }
    if (strcmp(info.mime_type, "image/png") != 0 && strcmp(info.mime_type, "image/jpeg") != 0) {
        vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_INVALID_THUMBNAIL_IMAGE_MIME_TYPE, owner, key, info.mime_type,
            "image/png or image/jpeg");
    }
    if (info.width != info.height) {
        vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_NON_RECOMMENDED_THUMBNAIL_RESOLUTION, owner, key,
            vrmi_format(found, sizeof(found), "%u by %u", info.width, info.height), "a square");
    }
}

// --- texture transforms ----------------------------------------------------------------------------------------------

static void check_transform(vrmi_run *run, uint32_t owner, const char *key)
{
    const vrmi_json *json = run->json;
    const uint32_t info = vrmi_json_member(json, owner, key);
    if (!vrmi_json_is(json, info, VRMI_JSON_OBJECT)) {
        return;
    }
    const uint32_t transform = vrmi_gltf_extension(run->gltf, info, "KHR_texture_transform");
    const uint32_t rotation = vrmi_json_member(json, transform, "rotation");
    double angle = 0;
    if (rotation != VRMI_JSON_NONE && !(vrmi_json_number(json, rotation, &angle) && angle == 0)) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_VRM1_TEXTURE_TRANSFORM_ROTATION, transform, "rotation", NULL, NULL);
    }
    if (run->draft && transform != VRMI_JSON_NONE && strcmp(key, "baseColorTexture") != 0) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_VRM1_DRAFT_TEXTURE_TRANSFORM, transform, NULL, NULL, "on baseColorTexture");
    }
    if (vrmi_json_member(json, transform, "texCoord") != VRMI_JSON_NONE) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_VRM1_TEXTURE_TRANSFORM_TEXCOORD, transform, "texCoord", NULL, NULL);
    }
}

static void check_material(vrmi_run *run, uint32_t object)
{
    static const char *const own[] = {"normalTexture", "occlusionTexture", "emissiveTexture"};
    static const char *const pbr[] = {"baseColorTexture", "metallicRoughnessTexture"};
    static const char *const mtoon[] = {"shadeMultiplyTexture", "shadingShiftTexture", "matcapTexture",
        "rimMultiplyTexture", "outlineWidthMultiplyTexture", "uvAnimationMaskTexture"};
    const uint32_t metallic = vrmi_json_member(run->json, object, "pbrMetallicRoughness");
    const uint32_t extension = vrmi_gltf_extension(run->gltf, object, "VRMC_materials_mtoon");
    for (size_t i = 0; i < VRMI_COUNT_OF(own); ++i) {
        check_transform(run, object, own[i]);
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(pbr); ++i) {
        check_transform(run, metallic, pbr[i]);
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(mtoon); ++i) {
        check_transform(run, extension, mtoon[i]);
    }
}

// --- tangents --------------------------------------------------------------------------------------------------------

static void check_tangent(vrmi_run *run, vrm_finding_id id, uint32_t attributes)
{
    const uint32_t tangent = vrmi_json_member(run->json, attributes, "TANGENT");
    if (tangent != VRMI_JSON_NONE) {
        vrmi_reader_report(&run->reader, id, tangent, NULL, NULL, NULL);
    }
}

static void check_tangents(vrmi_run *run)
{
    const vrmi_json *json = run->json;
    for (uint32_t m = 0; m < run->gltf->counts[VRM_GLTF_MESHES]; ++m) {
        const vrmi_gltf_range range = run->gltf->meshes[m].primitives;
        for (uint32_t p = range.first; p < range.first + range.count; ++p) {
            const vrmi_gltf_primitive *primitive = &run->gltf->primitives[p];
            check_tangent(run, VRM_FINDING_VRM1_MESH_PRIMITIVE_TANGENTS, primitive->attributes_json);
            uint32_t target = vrmi_json_first(json, primitive->targets_json);
            for (; target != VRMI_JSON_NONE; target = vrmi_json_next(json, target)) {
                check_tangent(run, VRM_FINDING_VRM1_MORPH_TARGET_TANGENTS, target);
            }
        }
    }
}

// --- versions --------------------------------------------------------------------------------------------------------

// Reports a file that states 1.0 or 1.0-beta but has the structure of a draft. Importing reads it as a draft.
static void check_version(vrmi_run *run, uint32_t vrm)
{
    const vrmi_json *json = run->json;
    const uint32_t form = vrmi_draft_form(json, vrm);
    const uint32_t version = vrmi_json_member(json, vrm, "specVersion");
    const bool later =
        vrmi_json_string_equal(json, version, "1.0") || vrmi_json_string_equal(json, version, "1.0-beta");
    if (form != VRMI_JSON_NONE && later) {
        vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_DRAFT_VERSION, form, NULL, NULL, NULL);
    }
}

// --- expressions -----------------------------------------------------------------------------------------------------

// Reports an override of the expression's own kind, which has no effect.
static void check_override(vrmi_run *run, uint32_t name, uint32_t expression)
{
    static const char *const keys[VRM_EXPRESSION_GROUP_COUNT] = {[VRM_EXPRESSION_GROUP_MOUTH] = "overrideMouth",
        [VRM_EXPRESSION_GROUP_BLINK] = "overrideBlink",
        [VRM_EXPRESSION_GROUP_LOOK_AT] = "overrideLookAt"};
    char text[32];
    const size_t length = vrmi_json_unescape(run->json, name, text, sizeof(text));
    const int32_t preset = length < sizeof(text) ? vrmi_preset_from_name(text, length) : -1;
    const char *key = preset >= 0 ? keys[vrmi_preset_group((vrm_expression_preset)preset)] : NULL;
    const uint32_t value = key != NULL ? vrmi_json_member(run->json, expression, key) : VRMI_JSON_NONE;
    if (vrmi_json_is(run->json, value, VRMI_JSON_STRING) && !vrmi_json_string_equal(run->json, value, "none")) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_VRM1_OVERRIDE_OWN_KIND, value, "none");
    }
}

static void check_overrides(vrmi_run *run, uint32_t vrm)
{
    const vrmi_json *json = run->json;
    const uint32_t expressions = vrmi_json_member(json, vrm, "expressions");
    const uint32_t presets = vrmi_json_member(json, expressions, "preset");
    if (vrmi_json_is(json, presets, VRMI_JSON_OBJECT)) {
        for (uint32_t key = vrmi_json_first(json, presets); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
            check_override(run, key, vrmi_json_value(json, key));
        }
    } else if (vrmi_json_is(json, expressions, VRMI_JSON_ARRAY)) {
        for (uint32_t e = vrmi_json_first(json, expressions); e != VRMI_JSON_NONE; e = vrmi_json_next(json, e)) {
            const uint32_t name = vrmi_json_member(json, e, "preset");
            if (vrmi_json_is(json, name, VRMI_JSON_STRING)) {
                check_override(run, name, e);
            }
        }
    }
}

// --- VRM 0.x ---------------------------------------------------------------------------------------------------------

static void check_old_materials(vrmi_run *run, uint32_t old)
{
    const uint32_t list = vrmi_json_member(run->json, old, "materialProperties");
    const uint32_t count = vrmi_json_count(run->json, list), wanted = run->gltf->counts[VRM_GLTF_MATERIALS];
    if (vrmi_json_is(run->json, list, VRMI_JSON_ARRAY) && count != wanted) {
        char found[24], expected[48];
        vrmi_reader_report(&run->reader, VRM_FINDING_VRM0_MATERIAL_COUNT, list, NULL,
            vrmi_format(found, sizeof(found), "%u", count),
            vrmi_format(expected, sizeof(expected), "%u elements, one for each material", wanted));
    }
}

// --- the file --------------------------------------------------------------------------------------------------------

static void check_unused_parts(vrmi_run *run)
{
    static const char *const parts[] = {"animations", "cameras"};
    for (size_t i = 0; i < VRMI_COUNT_OF(parts); ++i) {
        const uint32_t list = vrmi_json_member(run->json, 0, parts[i]);
        if (vrmi_json_is(run->json, list, VRMI_JSON_ARRAY) && vrmi_json_count(run->json, list) > 0) {
            vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_NOT_USED, list, NULL, NULL, NULL);
        }
    }
}

void vrmi_validate_vrm(vrmi_run *run)
{
    const uint32_t vrm = vrmi_root_extension(run->json, "VRMC_vrm");
    check_thumbnail(run);
    check_old_materials(run, vrmi_root_extension(run->json, "VRM"));
    vrmi_validate_springs(run);
    vrmi_validate_motion(run);
    if (vrm == VRMI_JSON_NONE) {
        return;
    }
    check_unused_parts(run);
    check_version(run, vrm);
    check_overrides(run, vrm);
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_MATERIALS]; ++i) {
        check_material(run, vrmi_gltf_element(run->gltf, VRM_GLTF_MATERIALS, i));
    }
    check_tangents(run);
}
