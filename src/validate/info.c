// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/info.h"

#include <string.h>

#include "base/text.h"
#include "import/upgrade/upgrade.h"

// --- texts -----------------------------------------------------------------------------------------------------------

static bool keep_text(const vrmi_json *json, vrmi_arena *arena, uint32_t value, vrm_string *out)
{
    if (!vrmi_json_is(json, value, VRMI_JSON_STRING)) {
        return true;
    }
    const size_t length = vrmi_json_unescape(json, value, NULL, 0);
    char *text = vrmi_arena_alloc(arena, length + 1, 1);
    if (text == NULL) {
        return false;
    }
    vrmi_json_unescape(json, value, text, length + 1);
    *out = (vrm_string){text, (uint32_t)length};
    return true;
}

static bool keep_texts(
    const vrmi_json *json, vrmi_arena *arena, uint32_t array, const vrm_string **out, uint32_t *out_count)
{
    if (!vrmi_json_is(json, array, VRMI_JSON_ARRAY)) {
        return true;
    }
    const uint32_t count = vrmi_json_count(json, array);
    vrm_string *texts = vrmi_arena_alloc(arena, count, sizeof(*texts));
    if (texts == NULL) {
        return false;
    }
    uint32_t value = vrmi_json_first(json, array);
    for (uint32_t i = 0; i < count; ++i, value = vrmi_json_next(json, value)) {
        if (!keep_text(json, arena, value, &texts[i])) {
            return false;
        }
    }
    *out = texts;
    *out_count = count;
    return true;
}

// --- resources -------------------------------------------------------------------------------------------------------

static bool is_data_uri(const vrmi_json *json, uint32_t uri)
{
    const vrmi_json_token *token = &json->tokens[uri];
    return token->end - token->start >= 5 && memcmp(json->text + token->start, "data:", 5) == 0;
}

static bool fill_resource(
    const vrmi_run *run, vrmi_arena *arena, vrm_gltf_array array, uint32_t index, vrm_validate_resource *out)
{
    const vrmi_json *json = run->json;
    const uint32_t object = vrmi_gltf_element(run->gltf, array, index);
    const uint32_t uri = vrmi_json_member(json, object, "uri");
    vrmi_format(out->pointer, sizeof(out->pointer), "/%s/%u", array == VRM_GLTF_IMAGES ? "images" : "buffers", index);
    out->mime_type = array == VRM_GLTF_IMAGES ? "" : "application/gltf-buffer";
    if (array == VRM_GLTF_BUFFERS) {
        out->storage = "glb";
        out->byte_length = vrmi_run_uint(run, object, "byteLength", 0);
    } else {
        vrm_gltf_image image = {.struct_size = sizeof image};
        out->storage = "buffer-view";
        if (vrm_gltf_get_image(run->gltf, index, &image) == VRM_SUCCESS) {
            out->mime_type = image.mime_type;
            out->byte_length = image.size;
            out->width = image.width;
            out->height = image.height;
        }
    }
    if (!vrmi_json_is(json, uri, VRMI_JSON_STRING)) {
        return true;
    }
    out->storage = is_data_uri(json, uri) ? "data-uri" : "external";
    return out->storage[0] == 'd' || keep_text(json, arena, uri, &out->uri);
}

static bool fill_resources(const vrmi_run *run, vrmi_arena *arena, vrm_validate_info *out)
{
    const uint32_t buffers = run->gltf->counts[VRM_GLTF_BUFFERS], images = run->gltf->counts[VRM_GLTF_IMAGES];
    vrm_validate_resource *resources = vrmi_arena_alloc(arena, (size_t)buffers + images, sizeof(*resources));
    if (resources == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < buffers + images; ++i) {
        const bool image = i >= buffers;
        if (!fill_resource(
                run, arena, image ? VRM_GLTF_IMAGES : VRM_GLTF_BUFFERS, image ? i - buffers : i, &resources[i])) {
            return false;
        }
    }
    out->resources = resources;
    out->resource_count = buffers + images;
    return true;
}

// --- geometry --------------------------------------------------------------------------------------------------------

static uint32_t triangles_of(uint32_t mode, uint32_t vertices)
{
    return mode == 4 ? vertices / 3 : (mode == 5 || mode == 6) && vertices > 2 ? vertices - 2 : 0;
}

typedef struct mesh_sums {
    uint64_t vertices, triangles;
} mesh_sums;

static void count_primitive(const vrmi_run *run, const vrmi_gltf_primitive *p, mesh_sums *sums, vrm_validate_info *out)
{
    const vrmi_json *json = run->json;
    uint32_t uvs = 0, influences = 0, attributes = 0;
    for (uint32_t key = vrmi_json_first(json, p->attributes_json); key != VRMI_JSON_NONE;
         key = vrmi_json_next(json, key)) {
        const char *name = json->text + json->tokens[key].start;
        const size_t length = json->tokens[key].end - json->tokens[key].start;
        uvs += length > 9 && memcmp(name, "TEXCOORD_", 9) == 0;
        influences += length > 7 && memcmp(name, "JOINTS_", 7) == 0 ? 4 : 0;
        ++attributes;
    }
    out->max_uvs = uvs > out->max_uvs ? uvs : out->max_uvs;
    out->max_influences = influences > out->max_influences ? influences : out->max_influences;
    out->max_attributes = attributes > out->max_attributes ? attributes : out->max_attributes;
    out->has_morph_targets = out->has_morph_targets || p->target_count != 0;
    sums->vertices += p->vertex_count;
    sums->triangles += triangles_of(p->mode, p->indices >= 0 ? run->accessors[p->indices].count : p->vertex_count);
}

static bool count_geometry(const vrmi_run *run, vrmi_arena *arena, vrm_validate_info *out)
{
    const vrm_gltf *gltf = run->gltf;
    mesh_sums *sums = vrmi_arena_alloc(arena, gltf->counts[VRM_GLTF_MESHES], sizeof(*sums));
    if (sums == NULL) {
        return false;
    }
    for (uint32_t m = 0; m < gltf->counts[VRM_GLTF_MESHES]; ++m) {
        const vrmi_gltf_range range = gltf->meshes[m].primitives;
        for (uint32_t p = range.first; p < range.first + range.count; ++p) {
            count_primitive(run, &gltf->primitives[p], &sums[m], out);
        }
    }
    for (uint32_t n = 0; n < gltf->counts[VRM_GLTF_NODES]; ++n) {
        const int32_t mesh = gltf->nodes[n].mesh;
        if (mesh >= 0) {
            out->draw_call_count += gltf->meshes[mesh].primitives.count;
            out->total_vertex_count += sums[mesh].vertices;
            out->total_triangle_count += sums[mesh].triangles;
        }
    }
    return true;
}

// Returns the dialect of VRM. If the file has two, returns the one that is read.
static const char *dialect_of(const vrmi_json *json, vrm_prefer prefer)
{
    const uint32_t vrm = vrmi_root_extension(json, "VRMC_vrm");
    if (vrmi_is_read_as_vrm0(json, prefer)) {
        return "0.x";
    }
    if (vrm == VRMI_JSON_NONE) {
        return vrmi_root_extension(json, "VRMC_vrm_animation") != VRMI_JSON_NONE ? "animation" : "";
    }
    const vrmi_dialect dialect = vrmi_dialect_of(json, vrm);
    return dialect == VRMI_DIALECT_1_0_BETA ? "1.0-beta" : dialect == VRMI_DIALECT_1_0_DRAFT ? "1.0-draft" : "1.0";
}

bool vrmi_validate_fill_info(const vrmi_run *run, vrmi_arena *arena, vrm_validate_info *out)
{
    const vrm_gltf *gltf = run->gltf;
    const vrmi_json *json = run->json;
    const uint32_t asset = vrmi_json_member(json, 0, "asset");
    out->is_gltf = true;
    out->animation_count = gltf->counts[VRM_GLTF_ANIMATIONS];
    out->material_count = gltf->counts[VRM_GLTF_MATERIALS];
    out->has_skins = gltf->counts[VRM_GLTF_SKINS] != 0;
    out->has_textures = gltf->counts[VRM_GLTF_TEXTURES] != 0;
    out->has_default_scene = gltf->scene >= 0;
    out->dialect = dialect_of(json, run->def->prefer);
    return keep_text(json, arena, vrmi_json_member(json, asset, "version"), &out->version) &&
           keep_text(json, arena, vrmi_json_member(json, asset, "minVersion"), &out->min_version) &&
           keep_text(json, arena, vrmi_json_member(json, asset, "generator"), &out->generator) &&
           keep_texts(json, arena, vrmi_json_member(json, 0, "extensionsUsed"), &out->extensions_used,
               &out->extensions_used_count) &&
           keep_texts(json, arena, vrmi_json_member(json, 0, "extensionsRequired"), &out->extensions_required,
               &out->extensions_required_count) &&
           fill_resources(run, arena, out) && count_geometry(run, arena, out);
}
