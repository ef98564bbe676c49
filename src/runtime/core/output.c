// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads outputs, as pointers or as copies in the caller's layout.

#include "runtime/core/output.h"

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "math/basis.h"
#include "runtime/core/hair_pose.h"

#include <string.h>

void vrmi_look_at_space(const vrm_instance *instance, vrm_vec3 *out_origin, vrm_quat *out_rotation)
{
    const vrmi_model *model = instance->model;
    const int32_t head = model->head.bone_node[VRM_HUMAN_BONE_HEAD];
    if (head < 0) { // a plain glTF scene without a head
        *out_origin = vrmi_mat34_point(&instance->root_world, model->head.look_at.offset_from_head_bone);
        *out_rotation = instance->root.rotation;
        return;
    }
    *out_origin = vrmi_mat34_point(&instance->world[head], model->head.look_at.offset_from_head_bone);
    *out_rotation = vrmi_quat_normalize(vrmi_quat_mul(
        *vrmi_world_rotation(instance, head), vrmi_quat_conjugate(vrmi_model_node_rest_rotation(model)[head])));
}

static uint32_t words_of(uint32_t count)
{
    return (count + 31) / 32;
}

void vrmi_outputs_begin(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    memset(instance->node_changed, 0, words_of(model->node_parent.count) * sizeof(uint32_t));
    memset(instance->palette_changed, 0, words_of(model->palette.count) * sizeof(uint32_t));
    memset(instance->mesh_changed, 0, words_of(model->mesh.count) * sizeof(uint32_t));
    memset(instance->material_changed, 0, words_of(model->material.count) * sizeof(uint32_t));
}

static uint32_t any_bit(const uint32_t *bits, uint32_t count)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < words_of(count); ++i) {
        any |= bits[i];
    }
    return any != 0 ? 1u : 0u;
}

void vrmi_outputs_end(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    instance->node_counter += any_bit(instance->node_changed, model->node_parent.count);
    instance->palette_counter += any_bit(instance->palette_changed, model->palette.count);
    instance->mesh_counter += any_bit(instance->mesh_changed, model->mesh.count);
    instance->material_counter += any_bit(instance->material_changed, model->material.count);
}

void vrm_instance_get_outputs(const vrm_instance *instance, vrm_outputs *out_outputs)
{
    if (!VRM_ASSERT(instance != NULL && out_outputs != NULL)) {
        return;
    }
    const vrmi_model *model = instance->model;
    const vrm_outputs outputs = {
        .origin = instance->root.translation,
        .node_count = model->node_parent.count,
        .world = instance->world,
        .node_changes = {instance->node_changed, instance->node_counter},
        .palette_joint_count = model->palette_node.count,
        .palette = instance->palette,
        .palette_changes = {instance->palette_changed, instance->palette_counter},
        .morph_count = model->morph_base.count,
        .morphs = instance->morphs,
        .morph_changes = {instance->mesh_changed, instance->mesh_counter},
        .material_count = model->material.count,
        .materials = instance->materials,
        .material_changes = {instance->material_changed, instance->material_counter},
        .expression_count = model->expression.count,
        .expressions = instance->expressions,
        .mesh_count = model->mesh.count,
        .mesh_boxes = instance->mesh_boxes,
        .box = instance->box,
        .look_yaw = instance->look_yaw,
        .look_pitch = instance->look_pitch,
        .viewpoint = instance->viewpoint,
        .height = instance->height,
        .eye_height = instance->eye_height,
        .debug_line_count = instance->look.line_count,
        .debug_lines = instance->debug_lines,
    };
    (void)VRM_ASSERT(VRMI_WRITE_OUTPUT(vrm_outputs, out_outputs, &outputs));
}

// Writes a matrix in the axes and the format of the target. The translation is relative to the target's origin.
static void write_matrix(
    const vrm_mat34 *matrix, vrm_dvec3 shift, const vrmi_axes *axes, vrm_matrix_format format, void *memory)
{
    vrm_mat34 moved = *matrix;
    moved.m[0][3] = (float)((double)matrix->m[0][3] + shift.x);
    moved.m[1][3] = (float)((double)matrix->m[1][3] + shift.y);
    moved.m[2][3] = (float)((double)matrix->m[2][3] + shift.z);
    vrmi_axes_matrix(axes, &moved, &moved);
    if (format == VRM_MATRIX_3X4_ROWS) {
        memcpy(memory, &moved, sizeof(moved));
        return;
    }
    float columns[16];
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            columns[column * 4 + row] = moved.m[row][column];
        }
        columns[column * 4 + 3] = column == 3 ? 1.0f : 0.0f;
    }
    memcpy(memory, columns, sizeof(columns));
}

// Writes a matrix as columns, in the library's own axes. Engines ask for these in each frame, so they are not copied
// twice.
static void write_columns(const vrm_mat34 *matrix, vrm_dvec3 shift, float *out)
{
    const double moved[3] = {shift.x, shift.y, shift.z};
    for (int row = 0; row < 3; ++row) {
        const float *from = matrix->m[row];
        out[row] = from[0];
        out[4 + row] = from[1];
        out[8 + row] = from[2];
        out[12 + row] = (float)((double)from[3] + moved[row]);
    }
    out[3] = out[7] = out[11] = 0.0f;
    out[15] = 1.0f;
}

static vrm_result write_matrices(
    const vrm_instance *instance, const vrm_mat34 *matrices, uint32_t count, const vrm_matrix_target *given)
{
    vrm_matrix_target own = {.stride = 0};
    const vrm_matrix_target *target = &own;
    if (!VRMI_READ_OPTIONS(vrm_matrix_target, &own, given)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const size_t size = target->format == VRM_MATRIX_3X4_ROWS ? 12 * sizeof(float) : 16 * sizeof(float);
    vrmi_axes axes;
    if (!vrmi_axes_to_host(target->basis, &axes) || (target->memory == NULL && count != 0) ||
        (target->stride != 0 && target->stride < size) ||
        (target->format != VRM_MATRIX_3X4_ROWS && target->format != VRM_MATRIX_4X4_COLUMNS)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const size_t stride = target->stride != 0 ? target->stride : size;
    const vrm_dvec3 shift = vrmi_dvec3_sub(instance->root.translation, target->origin);
    const bool aligned = ((uintptr_t)target->memory | stride) % sizeof(float) == 0;
    if (target->basis == NULL && target->format == VRM_MATRIX_4X4_COLUMNS && aligned) {
        for (uint32_t i = 0; i < count; ++i) {
            write_columns(&matrices[i], shift, (float *)((char *)target->memory + i * stride));
        }
        return VRM_SUCCESS;
    }
    for (uint32_t i = 0; i < count; ++i) {
        write_matrix(&matrices[i], shift, &axes, target->format, (char *)target->memory + i * stride);
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_write_world(
    const vrm_instance *instance, uint32_t first, uint32_t count, const vrm_matrix_target *target)
{
    if (instance == NULL || target == NULL || first > instance->model->node_parent.count ||
        count > instance->model->node_parent.count - first) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return write_matrices(instance, instance->world + first, count, target);
}

vrm_result vrm_instance_write_palette(const vrm_instance *instance, uint32_t palette, const vrm_matrix_target *target)
{
    if (instance == NULL || target == NULL || palette >= instance->model->palette.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_palette_row *row = &vrmi_model_palette(instance->model)[palette];
    return write_matrices(instance, instance->palette + row->first_joint, row->joint_count, target);
}

vrm_result vrm_instance_write_locals(const vrm_instance *instance, uint32_t first, uint32_t count, vrm_transform *out)
{
    if (instance == NULL || (out == NULL && count != 0) || first > instance->model->node_parent.count ||
        count > instance->model->node_parent.count - first) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_get_pose(instance, first + i, &out[i]);
    }
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_write_gltf_locals(
    const vrm_instance *instance, uint32_t first, uint32_t count, vrm_transform *out)
{
    if (instance == NULL || (out == NULL && count != 0) || first > instance->model->gltf_node.count ||
        count > instance->model->gltf_node.count - first) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const uint32_t *nodes = vrmi_model_gltf_node(instance->model);
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_get_pose(instance, nodes[first + i], &out[i]);
    }
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}
