// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "import/import_parts.h"
#include "import/upgrade.h"
#include "validate/run.h"

// What VRM asks for and importing does not look at: thumbnails, texture transforms, tangents, versions, animations.

static void check_thumbnail(vrmi_run *run)
{
    char found[48];
    const vrmi_json *json = run->json;
    const uint32_t vrm = vrmi_root_extension(json, "VRMC_vrm");
    const uint32_t old = vrmi_root_extension(json, "VRM");
    uint32_t owner = vrmi_json_member(json, vrm, "meta");
    const char *key = "thumbnailImage";
    int32_t image = vrmi_run_member_index(run, owner, key, VRM_GLTF_IMAGES);
    if (vrm == VRMI_JSON_NONE) {
        owner = vrmi_json_member(json, old, "meta");
        key = "texture";
        const int32_t texture = vrmi_run_member_index(run, owner, key, VRM_GLTF_TEXTURES);
        const uint32_t object =
            texture >= 0 ? vrmi_gltf_element(run->gltf, VRM_GLTF_TEXTURES, (uint32_t)texture) : VRMI_JSON_NONE;
        image = vrmi_run_member_index(run, object, "source", VRM_GLTF_IMAGES);
        if (texture >= 0) {
            run->used[VRM_GLTF_TEXTURES][texture] = 1;
        }
    }
    vrm_gltf_image info;
    if (image < 0 || vrm_gltf_image_info(run->gltf, (uint32_t)image, &info) != VRM_SUCCESS || info.bytes == NULL) {
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
    if (vrmi_json_member(json, transform, "rotation") != VRMI_JSON_NONE) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_VRM1_TEXTURE_TRANSFORM_ROTATION, transform, "rotation", NULL, NULL);
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

static void check_tangents(vrmi_run *run)
{
    for (uint32_t m = 0; m < run->gltf->counts[VRM_GLTF_MESHES]; ++m) {
        const vrmi_gltf_range range = run->gltf->meshes[m].primitives;
        for (uint32_t p = range.first; p < range.first + range.count; ++p) {
            const uint32_t tangent = vrmi_json_member(run->json, run->gltf->primitives[p].attributes_json, "TANGENT");
            if (tangent != VRMI_JSON_NONE) {
                vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_MESH_PRIMITIVE_TANGENTS, tangent, NULL, NULL, NULL);
            }
        }
    }
}

// --- versions --------------------------------------------------------------------------------------------------------

// Importing reads what is built as the draft was as the draft, whatever it calls itself.
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

// --- animations ------------------------------------------------------------------------------------------------------

static void check_animation(vrmi_run *run, uint32_t animation)
{
    const vrmi_json *json = run->json;
    const uint32_t bones = vrmi_json_member(json, vrmi_json_member(json, animation, "humanoid"), "humanBones");
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT && vrmi_json_is(json, bones, VRMI_JSON_OBJECT); ++bone) {
        const char *name = vrm_human_bone_name((vrm_human_bone)bone);
        if (vrmi_bone_is_required((vrm_human_bone)bone) && vrmi_json_member(json, bones, name) == VRMI_JSON_NONE) {
            vrmi_reader_report(
                &run->reader, VRM_FINDING_VRMA_REQUIRED_BONE_MISSING, bones, name, NULL, "an object with its node");
        }
    }
    const uint32_t look_at = vrmi_json_member(json, animation, "lookAt");
    if (vrmi_json_is(json, look_at, VRMI_JSON_OBJECT) && vrmi_json_member(json, look_at, "node") == VRMI_JSON_NONE) {
        vrmi_reader_report(&run->reader, VRM_FINDING_VRMA_LOOK_AT_WITHOUT_NODE, look_at, "node", NULL, "an index");
    }
}

void vrmi_validate_vrm(vrmi_run *run)
{
    check_thumbnail(run);
    check_animation(run, vrmi_root_extension(run->json, "VRMC_vrm_animation"));
    const uint32_t vrm = vrmi_root_extension(run->json, "VRMC_vrm");
    if (vrm == VRMI_JSON_NONE) {
        return;
    }
    check_version(run, vrm);
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_MATERIALS]; ++i) {
        check_material(run, vrmi_gltf_element(run->gltf, VRM_GLTF_MATERIALS, i));
    }
    check_tangents(run);
}
