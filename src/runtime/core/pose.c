// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The normalized humanoid: rotations N in model axes that are the identity in the T-pose. With W the rest rotation, in
// model space, of the space that contains the bone: raw = W^-1 * N * W * rest. (VRMC_vrm_animation-1.0, "how to
// transform human poses", states the same with the bone's own rest rotation. The control rigs of UniVRM and three-vrm
// agree.)

#include "base/float_environment.h"
#include "runtime/core/hierarchy.h"
#include "runtime/core/instance.h"

static vrm_result find_bone(const vrm_instance *instance, vrm_human_bone bone, uint32_t *out_node)
{
    if (instance == NULL || (int)bone < 0 || bone >= VRM_HUMAN_BONE_COUNT) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const int32_t node = instance->model->head.bone_node[bone];
    if (node < 0) {
        return VRM_ERROR_NOT_FOUND;
    }
    *out_node = (uint32_t)node;
    return VRM_SUCCESS;
}

// out = inverse(turn) * rotation * turn
static vrm_quat conjugated(vrm_quat turn, vrm_quat rotation)
{
    return vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(turn), rotation), turn);
}

vrm_result vrm_instance_set_normalized_rotation(vrm_instance *instance, vrm_human_bone bone, const vrm_quat *rotation)
{
    uint32_t node;
    const vrm_result result = rotation != NULL ? find_bone(instance, bone, &node) : VRM_ERROR_INVALID_ARGUMENT;
    if (result != VRM_SUCCESS) {
        return result;
    }
    const vrm_quat n = *rotation;
    if (!vrmi_finite(n.x) || !vrmi_finite(n.y) || !vrmi_finite(n.z) || !vrmi_finite(n.w)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[node].rotation;
    const vrm_quat raw = vrmi_quat_mul(conjugated(vrmi_rest_parent_rotation(instance->model, node), n), rest);
    vrmi_float_leave(host);
    return vrm_instance_set_rotation(instance, node, &raw);
}

vrm_result vrm_instance_get_normalized_rotation(
    const vrm_instance *instance, vrm_human_bone bone, vrm_quat *out_rotation)
{
    uint32_t node;
    const vrm_result result = out_rotation != NULL ? find_bone(instance, bone, &node) : VRM_ERROR_INVALID_ARGUMENT;
    if (result != VRM_SUCCESS) {
        return result;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[node].rotation;
    const vrm_quat turned = vrmi_quat_mul(vrmi_input(instance, node)->rotation, vrmi_quat_conjugate(rest));
    const vrm_quat parent = vrmi_rest_parent_rotation(instance->model, node);
    *out_rotation = vrmi_quat_normalize(conjugated(vrmi_quat_conjugate(parent), turned));
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_hips_position(vrm_instance *instance, const vrm_vec3 *position)
{
    uint32_t node;
    const vrm_result result =
        position != NULL ? find_bone(instance, VRM_HUMAN_BONE_HIPS, &node) : VRM_ERROR_INVALID_ARGUMENT;
    if (result != VRM_SUCCESS) {
        return result;
    }
    if (!vrmi_vec3_finite(*position)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const int32_t parent = vrmi_model_node_parent(instance->model)[node];
    vrm_vec3 local;
    if (parent >= 0) {
        vrm_mat34 parent_from_model;
        vrmi_mat34_invert(&vrmi_model_node_rest_matrix(instance->model)[parent], &parent_from_model);
        local = vrmi_mat34_point(&parent_from_model, *position);
    } else {
        local = vrmi_quat_rotate(vrmi_quat_conjugate(instance->model->head.root_from_nodes), *position);
    }
    vrmi_float_leave(host);
    return vrm_instance_set_translation(instance, node, &local);
}
