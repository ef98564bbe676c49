// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Meshes, primitives, morph targets and textures as stored in the file.

#include <vrm/mesh.h>

#include "base/abi.h"
#include "base/text.h"
#include "format/gltf/elements.h"
#include "format/gltf/gltf_private.h"

enum { MAX_SETS = 16 }; // no renderer uses more sets, and their names are searched one by one

static const vrmi_gltf_mesh *find_mesh(const vrm_gltf *gltf, uint32_t mesh)
{
    return VRM_ASSERT(gltf != NULL) && mesh < gltf->counts[VRM_GLTF_MESHES] ? &gltf->meshes[mesh] : NULL;
}

const vrmi_gltf_primitive *vrmi_gltf_primitive_at(const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive)
{
    const vrmi_gltf_mesh *m = find_mesh(gltf, mesh);
    return m != NULL && primitive < m->primitives.count ? &gltf->primitives[m->primitives.first + primitive] : NULL;
}

uint32_t vrmi_gltf_count_sets(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive, const char *prefix)
{
    uint32_t count = 0;
    for (; count < MAX_SETS; ++count) {
        char name[32];
        vrmi_format(name, sizeof name, "%s%u", prefix, count);
        if (vrmi_json_member(&gltf->json, primitive->attributes_json, name) == VRMI_JSON_NONE) {
            break;
        }
    }
    return count;
}

vrm_result vrm_gltf_get_mesh(const vrm_gltf *gltf, uint32_t mesh, vrm_gltf_mesh *out_mesh)
{
    const vrmi_gltf_mesh *m = find_mesh(gltf, mesh);
    if (m == NULL || !VRM_ASSERT(out_mesh != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_gltf_mesh info = {
        .name = m->name, .primitive_count = m->primitives.count, .target_count = m->target_count};
    return VRMI_ANSWER(vrm_gltf_mesh, out_mesh, &info);
}

static bool has(const vrm_gltf *gltf, uint32_t attributes, const char *name)
{
    return vrmi_json_member(&gltf->json, attributes, name) != VRMI_JSON_NONE;
}

vrm_result vrm_gltf_get_primitive(
    const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive, vrm_gltf_primitive *out_primitive)
{
    const vrmi_gltf_primitive *p = vrmi_gltf_primitive_at(gltf, mesh, primitive);
    if (p == NULL || !VRM_ASSERT(out_primitive != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t joints = vrmi_gltf_count_sets(gltf, p, "JOINTS_"),
                   weights = vrmi_gltf_count_sets(gltf, p, "WEIGHTS_");
    const vrm_gltf_primitive info = {.mode = p->mode,
        .material = p->material,
        .vertex_count = p->position >= 0 ? p->vertex_count : 0,
        .index_count = p->position >= 0 ? vrmi_gltf_drawing_size(gltf, p) : 0,
        .target_count = p->target_count,
        .has_normals = has(gltf, p->attributes_json, "NORMAL"),
        .has_tangents = has(gltf, p->attributes_json, "TANGENT"),
        .is_readable = !p->compressed,
        .tex_coord_sets = vrmi_gltf_count_sets(gltf, p, "TEXCOORD_"),
        .color_sets = vrmi_gltf_count_sets(gltf, p, "COLOR_"),
        .joint_sets = joints < weights ? joints : weights};
    return VRMI_ANSWER(vrm_gltf_primitive, out_primitive, &info);
}

vrm_result vrm_gltf_get_target(
    const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive, uint32_t target, vrm_gltf_target *out_target)
{
    const vrmi_gltf_primitive *p = vrmi_gltf_primitive_at(gltf, mesh, primitive);
    if (p == NULL || target >= p->target_count || !VRM_ASSERT(out_target != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t attributes = vrmi_json_element(&gltf->json, p->targets_json, target);
    const vrm_gltf_target info = {.name = gltf->meshes[mesh].target_names[target],
        .has_positions = has(gltf, attributes, "POSITION"),
        .has_normals = has(gltf, attributes, "NORMAL"),
        .has_tangents = has(gltf, attributes, "TANGENT")};
    return VRMI_ANSWER(vrm_gltf_target, out_target, &info);
}

// --- textures --------------------------------------------------------------------------------------------------------

static int32_t read_index(const vrm_gltf *gltf, uint32_t object, const char *key, vrm_gltf_array array)
{
    uint32_t index;
    const bool known = vrmi_json_uint(&gltf->json, vrmi_json_member(&gltf->json, object, key), &index);
    return known && index < gltf->counts[array] ? (int32_t)index : -1;
}

// Reads a GL constant. Returns the default if it is missing or not allowed.
static uint32_t read_number(
    const vrm_gltf *gltf, uint32_t object, const char *key, const uint32_t *allowed, uint32_t fallback)
{
    uint32_t value;
    if (vrmi_json_uint(&gltf->json, vrmi_json_member(&gltf->json, object, key), &value)) {
        for (; *allowed != 0; ++allowed) {
            if (value == *allowed) {
                return value;
            }
        }
    }
    return fallback;
}

vrm_result vrm_gltf_get_texture(const vrm_gltf *gltf, uint32_t texture, vrm_gltf_texture *out_texture)
{
    static const char *const extensions[] = {
        "KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds"};
    static const uint32_t wraps[] = {10497, 33071, 33648, 0}, mag_filters[] = {9728, 9729, 0},
                          min_filters[] = {9728, 9729, 9984, 9985, 9986, 9987, 0};
    if (!VRM_ASSERT(gltf != NULL && out_texture != NULL) || texture >= gltf->counts[VRM_GLTF_TEXTURES]) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t object = vrmi_gltf_element(gltf, VRM_GLTF_TEXTURES, texture);
    const int32_t index = read_index(gltf, object, "sampler", VRM_GLTF_SAMPLERS);
    const uint32_t sampler = index >= 0 ? vrmi_gltf_element(gltf, VRM_GLTF_SAMPLERS, (uint32_t)index) : VRMI_JSON_NONE;
    vrm_gltf_texture info = {.image = read_index(gltf, object, "source", VRM_GLTF_IMAGES),
        .compressed_image = -1,
        .wrap_s = read_number(gltf, sampler, "wrapS", wraps, 10497),
        .wrap_t = read_number(gltf, sampler, "wrapT", wraps, 10497),
        .mag_filter = read_number(gltf, sampler, "magFilter", mag_filters, 0),
        .min_filter = read_number(gltf, sampler, "minFilter", min_filters, 0)};
    for (size_t i = 0; i < VRMI_COUNT_OF(extensions) && info.compressed_image < 0; ++i) {
        info.compressed_image =
            read_index(gltf, vrmi_gltf_extension(gltf, object, extensions[i]), "source", VRM_GLTF_IMAGES);
    }
    return VRMI_ANSWER(vrm_gltf_texture, out_texture, &info);
}
