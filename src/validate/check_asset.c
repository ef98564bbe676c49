// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "format/image_header.h"
#include "format/uri.h"
#include "validate/run.h"

// Checks everything except meshes and nodes: versions, required extensions, buffers, images, samplers, cameras, lights.

// --- the asset -------------------------------------------------------------------------------------------------------

// Returns a version as a comparable number: "2.1" gives 200001. Returns -1 for any other form.
static double version_number(const vrmi_json *json, uint32_t value)
{
    char text[32];
    double major, minor;
    if (!vrmi_json_is(json, value, VRMI_JSON_STRING) ||
        vrmi_json_unescape(json, value, text, sizeof(text)) >= sizeof(text)) {
        return -1;
    }
    const char *dot = strchr(text, '.');
    for (const char *c = text; *c != '\0'; ++c) {
        if ((*c < '0' || *c > '9') && c != dot) {
            return -1;
        }
    }
    if (dot == NULL || vrmi_parse_double(text, (size_t)(dot - text), &major) == 0 ||
        vrmi_parse_double(dot + 1, 1, &minor) == 0) {
        return -1;
    }
    vrmi_parse_double(dot + 1, strlen(dot + 1), &minor);
    return major * 1e5 + minor;
}

static void check_version(vrmi_run *run)
{
    const vrmi_json *json = run->json;
    const uint32_t asset = vrmi_json_member(json, 0, "asset");
    const uint32_t version = vrmi_json_member(json, asset, "version");
    const uint32_t min_version = vrmi_json_member(json, asset, "minVersion");
    const uint32_t both[] = {version, min_version};
    for (size_t i = 0; i < VRMI_COUNT_OF(both); ++i) {
        if (vrmi_json_is(json, both[i], VRMI_JSON_STRING) && version_number(json, both[i]) < 0) {
            vrmi_reader_report_value(&run->reader, VRM_FINDING_PATTERN_MISMATCH, both[i], "as in \"2.0\"");
        }
    }
    if (version_number(json, min_version) > version_number(json, version) && version_number(json, version) >= 0) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_ASSET_MIN_VERSION_GREATER_THAN_VERSION, min_version, NULL);
    }
}

static bool is_listed(const vrmi_json *json, const char *list, const char *name, uint32_t *out_entry)
{
    const uint32_t array = vrmi_json_member(json, 0, list);
    if (!vrmi_json_is(json, array, VRMI_JSON_ARRAY)) {
        return false;
    }
    for (uint32_t e = vrmi_json_first(json, array); e != VRMI_JSON_NONE; e = vrmi_json_next(json, e)) {
        if (vrmi_json_is(json, e, VRMI_JSON_STRING) && vrmi_json_string_equal(json, e, name)) {
            *out_entry = e;
            return true;
        }
    }
    return false;
}

static void check_required(vrmi_run *run)
{
    static const char *const names[] = {
        "KHR_mesh_quantization"}; // a reader without this extension would read wrong values
    uint32_t entry, other;
    for (size_t i = 0; i < VRMI_COUNT_OF(names); ++i) {
        if (is_listed(run->json, "extensionsUsed", names[i], &entry) &&
            !is_listed(run->json, "extensionsRequired", names[i], &other)) {
            vrmi_reader_report_value(&run->reader, VRM_FINDING_NON_REQUIRED_EXTENSION, entry, NULL);
        }
    }
}

// --- buffers and images ----------------------------------------------------------------------------------------------

static void check_buffer(vrmi_run *run, uint32_t object)
{
    const vrmi_json *json = run->json;
    const uint32_t uri = vrmi_json_member(json, object, "uri");
    if (!vrmi_json_is(json, uri, VRMI_JSON_STRING)) {
        return;
    }
    const vrmi_json_token *token = &json->tokens[uri];
    vrmi_data_uri data;
    if (token->escaped || !vrmi_data_uri_parse(json->text + token->start, token->end - token->start, &data)) {
        return;
    }
    static const char *const allowed[] = {"application/octet-stream", "application/gltf-buffer"};
    for (size_t i = 0; i < VRMI_COUNT_OF(allowed); ++i) {
        if (data.media_type.length >= strlen(allowed[i]) &&
            memcmp(data.media_type.data, allowed[i], strlen(allowed[i])) == 0) {
            return;
        }
    }
    char found[64];
    vrmi_reader_report(&run->reader, VRM_FINDING_BUFFER_DATA_URI_MIME_TYPE_INVALID, uri, NULL,
        vrmi_format(found, sizeof(found), "%.*s", (int)(data.media_type.length < 60 ? data.media_type.length : 60),
            data.media_type.data),
        allowed[0]);
}

static void check_image(vrmi_run *run, uint32_t index)
{
    const uint32_t object = vrmi_gltf_element(run->gltf, VRM_GLTF_IMAGES, index);
    const int32_t view = vrmi_run_member_index(run, object, "bufferView", VRM_GLTF_BUFFER_VIEWS);
    vrmi_use_view(run, view, VRMI_VIEW_OTHER, object, "bufferView");
    if (view >= 0 && run->views[view].stride != 0) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE, object, "bufferView", NULL, NULL);
    }
    vrm_gltf_image image = {.struct_size = sizeof image};
    const char *found = vrm_gltf_get_image(run->gltf, index, &image) == VRM_SUCCESS && image.bytes != NULL
                            ? vrmi_image_unsupported(image.bytes, image.size)
                            : NULL;
    if (found != NULL) {
        vrmi_reader_report(&run->reader, VRM_FINDING_IMAGE_FEATURES_UNSUPPORTED, object, NULL, found, NULL);
    }
}

static void check_texture(vrmi_run *run, uint32_t object)
{
    const int32_t source = vrmi_run_member_index(run, object, "source", VRM_GLTF_IMAGES);
    vrm_gltf_image image = {.struct_size = sizeof image};
    if (source >= 0 && vrm_gltf_get_image(run->gltf, (uint32_t)source, &image) == VRM_SUCCESS &&
        image.mime_type[0] != '\0' && strcmp(image.mime_type, "image/png") != 0 &&
        strcmp(image.mime_type, "image/jpeg") != 0) {
        vrmi_reader_report(&run->reader, VRM_FINDING_TEXTURE_INVALID_IMAGE_MIME_TYPE, object, "source", image.mime_type,
            "image/png or image/jpeg");
    }
}

static void check_gl(vrmi_run *run, uint32_t object, const char *key, const char *words)
{
    const uint32_t value = vrmi_json_member(run->json, object, key);
    char text[16];
    uint32_t number;
    if (!vrmi_json_uint(run->json, value, &number)) {
        return;
    }
    vrmi_format(text, sizeof(text), "%u", number);
    const char *found = strstr(words, text);
    if (found == NULL || (found[strlen(text)] != ' ' && found[strlen(text)] != '\0')) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_VALUE_NOT_IN_LIST, value, words);
    }
}

// --- cameras and lights ----------------------------------------------------------------------------------------------

static void check_depth(vrmi_run *run, uint32_t camera)
{
    double near_plane, far_plane;
    if (vrmi_json_number(run->json, vrmi_json_member(run->json, camera, "znear"), &near_plane) &&
        vrmi_json_number(run->json, vrmi_json_member(run->json, camera, "zfar"), &far_plane) &&
        far_plane <= near_plane) {
        vrmi_reader_report(&run->reader, VRM_FINDING_CAMERA_ZFAR_LEQUAL_ZNEAR, camera, "zfar", NULL, NULL);
    }
}

static void check_camera(vrmi_run *run, uint32_t object)
{
    static const char *const kinds[] = {"orthographic", "perspective"};
    const uint32_t type = vrmi_json_member(run->json, object, "type");
    for (size_t i = 0; i < VRMI_COUNT_OF(kinds); ++i) {
        if (vrmi_json_is(run->json, type, VRMI_JSON_STRING) && vrmi_json_string_equal(run->json, type, kinds[i]) &&
            vrmi_json_member(run->json, object, kinds[i]) == VRMI_JSON_NONE) {
            vrmi_reader_report(&run->reader, VRM_FINDING_UNDEFINED_PROPERTY, object, kinds[i], NULL, NULL);
        }
    }
    static const char *const sizes[] = {"xmag", "ymag"};
    const uint32_t orthographic = vrmi_json_member(run->json, object, "orthographic");
    double size;
    check_depth(run, vrmi_json_member(run->json, object, "perspective"));
    check_depth(run, orthographic);
    for (size_t i = 0; i < VRMI_COUNT_OF(sizes); ++i) {
        if (vrmi_json_number(run->json, vrmi_json_member(run->json, orthographic, sizes[i]), &size) && size == 0) {
            vrmi_reader_report(&run->reader, VRM_FINDING_CAMERA_XMAG_YMAG_ZERO, orthographic, sizes[i], NULL, NULL);
        }
    }
}

static void check_lights(vrmi_run *run)
{
    const vrmi_json *json = run->json;
    const uint32_t lights = vrmi_json_at(json, "/extensions/KHR_lights_punctual/lights");
    if (!vrmi_json_is(json, lights, VRMI_JSON_ARRAY)) {
        return;
    }
    for (uint32_t light = vrmi_json_first(json, lights); light != VRMI_JSON_NONE; light = vrmi_json_next(json, light)) {
        const uint32_t spot = vrmi_json_member(json, light, "spot");
        double inner = 0, outer = 0.7853981633974483;
        vrmi_json_number(json, vrmi_json_member(json, spot, "innerConeAngle"), &inner);
        vrmi_json_number(json, vrmi_json_member(json, spot, "outerConeAngle"), &outer);
        if (outer <= inner) {
            vrmi_reader_report(
                &run->reader, VRM_FINDING_KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES, spot, "outerConeAngle", NULL, NULL);
        }
    }
}

static void each(vrmi_run *run, vrm_gltf_array array, void check(vrmi_run *run, uint32_t object))
{
    for (uint32_t i = 0; i < run->gltf->counts[array]; ++i) {
        check(run, vrmi_gltf_element(run->gltf, array, i));
    }
}

static void check_sampler(vrmi_run *run, uint32_t object)
{
    check_gl(run, object, "magFilter", "9728 9729");
    check_gl(run, object, "minFilter", "9728 9729 9984 9985 9986 9987");
    check_gl(run, object, "wrapS", "33071 33648 10497");
    check_gl(run, object, "wrapT", "33071 33648 10497");
}

static void check_alpha(vrmi_run *run, uint32_t object)
{
    const uint32_t mode = vrmi_json_member(run->json, object, "alphaMode");
    if (vrmi_json_member(run->json, object, "alphaCutoff") != VRMI_JSON_NONE &&
        !vrmi_json_string_equal(run->json, mode, "MASK")) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_MATERIAL_ALPHA_CUTOFF_INVALID_MODE, object, "alphaCutoff", NULL, NULL);
    }
}

// Checks extensions that replace glTF's own material and exclude others. VRMC_materials_mtoon may have
// KHR_materials_unlit as its fallback.
static void check_material_extensions(vrmi_run *run, uint32_t object)
{
    static const char *const alone[] = {"KHR_materials_unlit", "KHR_materials_pbrSpecularGlossiness"};
    const uint32_t extensions = vrmi_json_member(run->json, object, "extensions");
    for (size_t i = 0; i < VRMI_COUNT_OF(alone); ++i) {
        const uint32_t extension = vrmi_json_member(run->json, extensions, alone[i]);
        const uint32_t fallback_of =
            i == 0 ? vrmi_json_member(run->json, extensions, "VRMC_materials_mtoon") : VRMI_JSON_NONE;
        const uint32_t own = 1 + (fallback_of != VRMI_JSON_NONE ? 1 : 0);
        if (extension != VRMI_JSON_NONE && vrmi_json_count(run->json, extensions) > own) {
            vrmi_reader_report(&run->reader, VRM_FINDING_MULTIPLE_EXTENSIONS, extension, NULL, NULL, NULL);
        }
    }
}

static void check_material(vrmi_run *run, uint32_t object)
{
    check_alpha(run, object);
    check_material_extensions(run, object);
}

void vrmi_validate_assets(vrmi_run *run)
{
    check_version(run);
    check_required(run);
    each(run, VRM_GLTF_BUFFERS, check_buffer);
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_IMAGES]; ++i) {
        check_image(run, i);
    }
    each(run, VRM_GLTF_TEXTURES, check_texture);
    each(run, VRM_GLTF_SAMPLERS, check_sampler);
    each(run, VRM_GLTF_MATERIALS, check_material);
    each(run, VRM_GLTF_CAMERAS, check_camera);
    check_lights(run);
}
