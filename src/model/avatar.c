// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/abi.h"
#include "base/allocator.h"
#include "base/atomic.h"
#include "base/checks.h"
#include "model/model.h"

vrm_avatar *vrm_avatar_retain(vrm_avatar *avatar)
{
    if (VRM_ASSERT(avatar != NULL)) {
        vrmi_atomic_retain(&avatar->references);
    }
    return avatar;
}

void vrm_avatar_release(vrm_avatar *avatar)
{
    if (avatar != NULL && vrmi_atomic_release(&avatar->references)) {
        const vrm_allocator allocator = avatar->allocator;
        vrmi_release(&allocator, avatar, avatar->allocated);
    }
}

void vrm_avatar_get_counts(const vrm_avatar *avatar, vrm_avatar_counts *out_counts)
{
    if (!VRM_ASSERT(avatar != NULL && out_counts != NULL)) {
        return;
    }
    const vrmi_model *model = avatar->model;
    const vrm_avatar_counts counts = {
        .nodes = model->node_parent.count,
        .expressions = model->expression.count,
        .morphs = model->morph_base.count,
        .meshes = model->mesh.count,
        .palettes = model->palette.count,
        .palette_joints = model->palette_node.count,
        .materials = model->material.count,
        .spring_chains = model->spring_chain.count,
        .spring_joints = model->spring_joint.count,
        .colliders = model->collider.count,
        .constraints = model->constraint.count,
        .flags = model->head.flags,
        .bytes = avatar->allocated,
    };
    (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_avatar_counts, out_counts, &counts));
}

const char *vrm_avatar_get_dialect(const vrm_avatar *avatar)
{
    if (!VRM_ASSERT(avatar != NULL)) {
        return "";
    }
    switch (avatar->model->head.dialect) {
    case VRMI_DIALECT_1_0:
        return "1.0";
    case VRMI_DIALECT_1_0_BETA:
        return "1.0-beta";
    case VRMI_DIALECT_1_0_DRAFT:
        return "1.0-draft";
    case VRMI_DIALECT_0_X:
        return "0.x";
    default:
        return "";
    }
}

void vrm_avatar_get_meta(const vrm_avatar *avatar, vrm_meta *out_meta)
{
    if (!VRM_ASSERT(avatar != NULL && out_meta != NULL)) {
        return;
    }
    vrm_meta meta = {.struct_size = sizeof meta};
    vrmi_meta_view(&avatar->model->head.meta, vrmi_model_string(avatar->model), &meta);
    meta.authors = avatar->author_strings;
    meta.author_count = avatar->model->author.count;
    meta.references = avatar->reference_strings;
    meta.reference_count = avatar->model->reference.count;
    meta.old_terms = avatar->old_term_strings;
    meta.old_term_count = avatar->model->old_term.count / 2;
    (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_meta, out_meta, &meta));
}

// --- nodes ---------------------------------------------------------------------------------------------------------

vrm_result vrm_avatar_get_node(const vrm_avatar *avatar, uint32_t node, vrm_node *out_node)
{
    if (avatar == NULL || out_node == NULL || node >= avatar->model->node_parent.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_model *model = avatar->model;
    const vrm_mat34 *matrix = vrmi_model_node_rest_matrix(model) + node;
    const vrm_node found = {
        .name = vrmi_model_text(model, vrmi_model_node_name(model)[node]),
        .parent = vrmi_model_node_parent(model)[node],
        .subtree_end = vrmi_model_node_subtree_end(model)[node],
        .gltf_node = vrmi_model_node_gltf(model)[node],
        .human_bone = vrmi_model_node_bone(model)[node],
        .mesh = vrmi_model_node_mesh(model)[node],
        .rest = vrmi_model_node_rest(model)[node],
        .rest_rotation = vrmi_model_node_rest_rotation(model)[node],
        .rest_position = {matrix->m[0][3], matrix->m[1][3], matrix->m[2][3]},
    };
    return VRMI_ANSWER(vrm_node, out_node, &found);
}

int32_t vrm_avatar_find_gltf_node(const vrm_avatar *avatar, uint32_t gltf_node)
{
    if (avatar == NULL || gltf_node >= avatar->model->gltf_node.count) {
        return -1;
    }
    return (int32_t)vrmi_model_gltf_node(avatar->model)[gltf_node];
}

static bool same_text(vrm_string a, const char *b, size_t length)
{
    return a.length == length && (length == 0 || memcmp(a.data, b, length) == 0);
}

int32_t vrm_avatar_find_node(const vrm_avatar *avatar, const char *name, size_t length)
{
    if (avatar == NULL || (name == NULL && length != 0)) {
        return -1;
    }
    const vrmi_model *model = avatar->model;
    const vrmi_name *names = vrmi_model_node_name(model);
    for (uint32_t i = 0; i < model->node_name.count; ++i) {
        if (same_text(vrmi_model_text(model, names[i]), name, length)) {
            return (int32_t)i;
        }
    }
    return -1;
}

int32_t vrm_avatar_get_bone_node(const vrm_avatar *avatar, vrm_human_bone bone)
{
    return avatar != NULL && (uint32_t)bone < VRM_HUMAN_BONE_COUNT ? avatar->model->head.bone_node[bone] : -1;
}

int32_t vrm_avatar_get_bone_parent(const vrm_avatar *avatar, vrm_human_bone bone)
{
    return avatar != NULL && (uint32_t)bone < VRM_HUMAN_BONE_COUNT ? avatar->model->head.bone_parent[bone] : -1;
}

void vrm_avatar_get_body(const vrm_avatar *avatar, vrm_avatar_body *out_body)
{
    if (VRM_ASSERT(avatar != NULL && out_body != NULL)) {
        const vrmi_body_row *row = &avatar->model->head.body;
        const vrm_avatar_body body = {
            .hips_height = row->hips_height, .eye_height = row->eye_height, .height = row->height};
        (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_avatar_body, out_body, &body));
    }
}

// --- concepts ------------------------------------------------------------------------------------------------------

vrm_result vrm_avatar_get_expression(const vrm_avatar *avatar, uint32_t expression, vrm_expression *out)
{
    if (avatar == NULL || out == NULL || expression >= avatar->model->expression.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_expression_row *row = vrmi_model_expression(avatar->model) + expression;
    const vrm_expression found = {
        .name = vrmi_model_text(avatar->model, row->name),
        .preset = (vrm_expression_preset)row->preset,
        .group = (vrm_expression_group)row->group,
        .override_mouth = (vrm_expression_override)row->overrides[VRM_EXPRESSION_GROUP_MOUTH],
        .override_blink = (vrm_expression_override)row->overrides[VRM_EXPRESSION_GROUP_BLINK],
        .override_look_at = (vrm_expression_override)row->overrides[VRM_EXPRESSION_GROUP_LOOK_AT],
        .is_binary = row->binary_threshold >= 0.0f,
        .binary_threshold = row->binary_threshold >= 0.0f ? row->binary_threshold : 0.0f,
        .morph_bind_count = row->morph_bind_count,
        .color_bind_count = row->color_bind_count,
        .texture_bind_count = row->texture_bind_count,
    };
    return VRMI_ANSWER(vrm_expression, out, &found);
}

int32_t vrm_avatar_find_expression(const vrm_avatar *avatar, const char *name, size_t length)
{
    if (avatar == NULL || name == NULL) {
        return -1;
    }
    const vrmi_model *model = avatar->model;
    for (uint32_t i = 0; i < model->expression.count; ++i) {
        if (same_text(vrmi_model_text(model, vrmi_model_expression(model)[i].name), name, length)) {
            return (int32_t)i;
        }
    }
    for (uint32_t i = 0; i < model->expression.count && length != 0; ++i) {
        if (same_text(vrmi_model_text(model, vrmi_model_expression(model)[i].own_name), name, length)) {
            return (int32_t)i;
        }
    }
    return -1;
}

int32_t vrm_avatar_find_preset(const vrm_avatar *avatar, vrm_expression_preset preset)
{
    return avatar != NULL && (uint32_t)preset < VRM_EXPRESSION_PRESET_COUNT
               ? avatar->model->head.preset_expression[preset]
               : -1;
}

const vrm_curve_key *vrm_avatar_get_look_curve(
    const vrm_avatar *avatar, vrm_look_direction direction, uint32_t *out_count)
{
    if (!VRM_ASSERT(out_count != NULL)) {
        return NULL;
    }
    *out_count = 0;
    if (!VRM_ASSERT(avatar != NULL && (uint32_t)direction < VRM_LOOK_DIRECTION_COUNT)) {
        return NULL;
    }
    const vrmi_range range = avatar->model->head.look_curve[direction];
    *out_count = range.count;
    return range.count != 0 ? vrmi_model_look_curve_key(avatar->model) + range.first : NULL;
}

void vrm_avatar_get_look_at(const vrm_avatar *avatar, vrm_look_at *out)
{
    if (VRM_ASSERT(avatar != NULL && out != NULL)) {
        const vrmi_look_at_row *row = &avatar->model->head.look_at;
        const vrm_look_at found = {.type = row->type,
            .offset_from_head_bone = row->offset_from_head_bone,
            .horizontal_inner = row->horizontal_inner,
            .horizontal_outer = row->horizontal_outer,
            .vertical_down = row->vertical_down,
            .vertical_up = row->vertical_up};
        (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_look_at, out, &found));
    }
}

vrm_result vrm_avatar_get_constraint(const vrm_avatar *avatar, uint32_t constraint, vrm_constraint *out)
{
    if (avatar == NULL || out == NULL || constraint >= avatar->model->constraint.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_constraint_row *row = &vrmi_model_constraint(avatar->model)[constraint];
    const vrm_constraint found = {.type = row->type,
        .node = row->node,
        .source = row->source,
        .axis = row->axis,
        .weight = row->weight,
        .source_space = row->source_space,
        .destination_space = row->destination_space,
        .axes = {row->axes[0], row->axes[1], row->axes[2]},
        .up = row->up};
    return VRMI_ANSWER(vrm_constraint, out, &found);
}

vrm_result vrm_avatar_get_spring_chain(const vrm_avatar *avatar, uint32_t chain, vrm_spring_chain *out)
{
    if (avatar == NULL || out == NULL || chain >= avatar->model->spring_chain.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_chain_row *row = vrmi_model_spring_chain(avatar->model) + chain;
    const vrm_spring_chain found = {
        .name = vrmi_model_text(avatar->model, row->name),
        .first_joint = row->first_joint,
        .joint_count = row->joint_count,
        .first_collider = row->first_collider,
        .collider_count = row->collider_count,
        .center = row->center,
        .spring = row->spring,
    };
    return VRMI_ANSWER(vrm_spring_chain, out, &found);
}

vrm_result vrm_avatar_get_spring_joint(const vrm_avatar *avatar, uint32_t joint, vrm_spring_joint *out)
{
    if (avatar == NULL || out == NULL || joint >= avatar->model->spring_joint.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_joint_row *row = &vrmi_model_spring_joint(avatar->model)[joint];
    const vrm_spring_joint found = {.node = row->node,
        .tail_node = row->tail_node,
        .tail = row->tail,
        .spring = row->spring,
        .joint = row->joint,
        .params = row->params,
        .limit = row->limit};
    return VRMI_ANSWER(vrm_spring_joint, out, &found);
}

vrm_result vrm_avatar_get_collider(const vrm_avatar *avatar, uint32_t collider, vrm_collider *out)
{
    if (avatar == NULL || out == NULL || collider >= avatar->model->collider.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_collider_row *row = &vrmi_model_collider(avatar->model)[collider];
    const vrm_collider found = {
        .shape = row->shape, .node = row->node, .offset = row->offset, .tail = row->tail, .radius = row->radius};
    return VRMI_ANSWER(vrm_collider, out, &found);
}

const uint32_t *vrm_avatar_get_chain_colliders(const vrm_avatar *avatar)
{
    return avatar != NULL && avatar->model->chain_collider.count != 0 ? vrmi_model_chain_collider(avatar->model) : NULL;
}

vrm_result vrm_avatar_get_material(const vrm_avatar *avatar, uint32_t material, vrm_material *out)
{
    if (avatar == NULL || out == NULL || material >= avatar->model->material.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_material_row *row = vrmi_model_material(avatar->model) + material;
    const vrm_material given = {.name = vrmi_model_text(avatar->model, row->name), .params = row->params};
    return VRMI_ANSWER(vrm_material, out, &given);
}

vrm_result vrm_avatar_get_mesh_node(const vrm_avatar *avatar, uint32_t mesh, vrm_mesh_node *out)
{
    if (avatar == NULL || out == NULL || mesh >= avatar->model->mesh.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_mesh_row *row = &vrmi_model_mesh(avatar->model)[mesh];
    const vrm_mesh_node found = {.node = row->node,
        .gltf_mesh = row->gltf_mesh,
        .gltf_skin = row->gltf_skin,
        .palette = row->palette,
        .first_morph = row->first_morph,
        .morph_count = row->morph_count,
        .first_person = row->first_person};
    return VRMI_ANSWER(vrm_mesh_node, out, &found);
}

void vrm_avatar_get_morph_name(const vrm_avatar *avatar, uint32_t morph, vrm_string *out_name)
{
    if (!VRM_ASSERT(avatar != NULL && out_name != NULL)) {
        return;
    }
    *out_name = (vrm_string){NULL, 0};
    if (morph < avatar->model->morph_name.count) {
        *out_name = vrmi_model_text(avatar->model, vrmi_model_morph_name(avatar->model)[morph]);
    }
}

vrm_result vrm_avatar_get_palette(const vrm_avatar *avatar, uint32_t palette, vrm_palette *out)
{
    if (avatar == NULL || out == NULL || palette >= avatar->model->palette.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_palette_row *row = vrmi_model_palette(avatar->model) + palette;
    const vrm_palette found = {.first_joint = row->first_joint,
        .joint_count = row->joint_count,
        .nodes = vrmi_model_palette_node(avatar->model) + row->first_joint};
    return VRMI_ANSWER(vrm_palette, out, &found);
}
