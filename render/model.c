// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <vrm/mesh.h>

#include "base/abi.h"
#include "internal.h"

#include <stdlib.h>

// Finds a loaded mesh whose primitives can be shared. First-person visibility depends on the node only for meshes
// without skin whose annotation is auto.
static const vrmr_mesh *find_same(const vrm_render_model *model, const vrm_mesh_node *info)
{
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        const vrm_mesh_node *other = &model->meshes[i].info;
        if (other->gltf_mesh == info->gltf_mesh && other->palette == info->palette &&
            other->first_person == info->first_person && other->morph_count == info->morph_count &&
            (info->first_person != VRM_FIRST_PERSON_AUTO || info->palette >= 0)) {
            return &model->meshes[i];
        }
    }
    return NULL;
}

// `cursor` advances through the primitives of the first-person split, which lists those of all mesh nodes.
static vrm_result load_mesh(vrm_render_model *model, const vrm_gltf *gltf, const vrm_avatar *avatar, uint32_t index,
    const vrm_first_person_split *split, uint32_t *cursor, vrm_report *report)
{
    vrmr_mesh mesh = {.first_primitive = model->primitive_count};
    mesh.info.struct_size = sizeof mesh.info;
    (void)vrm_avatar_get_mesh_node(avatar, index, &mesh.info);
    const vrmr_mesh *same = find_same(model, &mesh.info);
    if (same != NULL) {
        mesh.first_primitive = same->first_primitive;
        mesh.primitive_count = same->primitive_count;
        *cursor += same->primitive_count;
        model->meshes[model->mesh_count++] = mesh;
        return VRM_SUCCESS;
    }
    vrm_gltf_mesh file = {.struct_size = sizeof file};
    (void)vrm_gltf_get_mesh(gltf, mesh.info.gltf_mesh, &file);
    const uint32_t count = file.primitive_count;
    vrmr_primitive *grown = realloc(model->primitives, ((size_t)model->primitive_count + count + 1) * sizeof *grown);
    if (grown == NULL) {
        return vrmr_fail(model->renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for meshes");
    }
    model->primitives = grown;
    for (uint32_t i = 0; i < count; ++i) {
        vrmr_primitive_source source = {gltf, avatar, &mesh.info, i, {0}, report};
        source.split.struct_size = sizeof source.split;
        (void)vrm_first_person_split_get_primitive(split, (*cursor)++, &source.split);
        vrmr_primitive *primitive = &model->primitives[model->primitive_count++];
        const vrm_result result = vrmr_load_primitive(model, &source, primitive);
        if (result != VRM_SUCCESS) {
            return result;
        }
        if (primitive->material < 0 || (uint32_t)primitive->material >= model->material_count) {
            primitive->material = (int32_t)model->material_count - 1;
        }
    }
    mesh.primitive_count = count;
    model->meshes[model->mesh_count++] = mesh;
    return VRM_SUCCESS;
}

static vrm_result load(vrm_render_model *model, const vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    vrm_result result = vrmr_load_materials(model, gltf, avatar, report);
    model->meshes = calloc(counts.meshes + 1u, sizeof *model->meshes);
    model->palette_first = calloc(counts.palettes + 1u, sizeof *model->palette_first);
    if (result == VRM_SUCCESS && (model->meshes == NULL || model->palette_first == NULL)) {
        result = vrmr_fail(model->renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for meshes");
    }
    if (result != VRM_SUCCESS) {
        return result;
    }
    model->palette_count = counts.palettes;
    for (uint32_t i = 0; i < counts.palettes; ++i) {
        vrm_palette palette = {.struct_size = sizeof palette};
        (void)vrm_avatar_get_palette(avatar, i, &palette);
        model->palette_first[i] = palette.first_joint;
    }
    if (!vrmr_load_parts(model, avatar)) {
        return vrmr_fail(model->renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for meshes");
    }
    vrm_first_person_split *split = NULL;
    result = vrm_first_person_split_create(NULL, gltf, avatar, &split);
    if (result != VRM_SUCCESS) {
        return vrmr_fail(model->renderer, result, "meshes cannot be split for the first-person view: %s",
            vrm_result_sentence(result));
    }
    uint32_t cursor = 0;
    for (uint32_t i = 0; i < counts.meshes && result == VRM_SUCCESS; ++i) {
        result = load_mesh(model, gltf, avatar, i, split, &cursor, report);
    }
    vrm_first_person_split_destroy(split);
    model->statistics.primitives = model->primitive_count;
    return result == VRM_SUCCESS ? vrmr_check(model->renderer, "uploading the avatar") : result;
}

vrm_result vrm_render_model_create(vrm_renderer *renderer, const vrm_gltf *gltf, const vrm_avatar *avatar,
    vrm_report *report, vrm_render_model **out_model)
{
    *out_model = NULL;
    if (!vrm_avatar_is_from(avatar, gltf)) {
        return vrmr_fail(renderer, VRM_ERROR_INVALID_ARGUMENT, "the avatar was not loaded from this document");
    }
    vrm_render_model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        return vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for a model");
    }
    model->renderer = renderer;
    model->avatar = avatar;
    const vrm_result result = load(model, gltf, avatar, report);
    if (result != VRM_SUCCESS) {
        vrm_render_model_destroy(model);
        return result;
    }
    *out_model = model;
    return VRM_SUCCESS;
}

void vrm_render_model_destroy(vrm_render_model *model)
{
    if (model == NULL) {
        return;
    }
    for (uint32_t i = 0; i < model->primitive_count; ++i) {
        vrmr_free_primitive(&model->primitives[i]);
    }
    vrmr_free_materials(model);
    free(model->primitives);
    free(model->meshes);
    free(model->palette_first);
    free(model->node_parts);
    free(model->joint_parts);
    free(model);
}

void vrm_render_model_get_statistics(const vrm_render_model *model, vrm_render_statistics *out_statistics)
{
    (void)VRMI_WRITE_OUTPUT(vrm_render_statistics, out_statistics, &model->statistics);
}
