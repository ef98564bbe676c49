// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Moves of the root that hair and bodies do not react to.

#include "base/float_environment.h"
#include "runtime/core/instance.h"

vrm_result vrm_instance_teleport(vrm_instance *instance, const vrm_root *root)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_root before = instance->root;
    const vrm_result result = vrmi_instance_place_root(instance, root);
    if (result == VRM_SUCCESS) {
        instance->springs.pending |= VRMI_SPRING_PENDING_CARRY;
        vrmi_instance_stir(instance);
        const vrmi_float_environment host = vrmi_float_enter();
        vrmi_ragdoll_carry(instance, &before, false);
        vrmi_float_leave(host);
    }
    return result;
}

vrm_result vrm_instance_warp(vrm_instance *instance, const vrm_root *root)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrm_root before = instance->root;
    const vrm_result result = vrmi_instance_place_root(instance, root);
    if (result != VRM_SUCCESS) {
        return result;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_warp w = {.scale = (double)instance->root.scale / (double)before.scale};
    w.rotation = vrmi_quat_normalize(vrmi_quat_mul(instance->root.rotation, vrmi_quat_conjugate(before.rotation)));
    w.from = before.translation;
    w.to = instance->root.translation;
    vrmi_instance_stir(instance);
    vrmi_spring_warp(instance, &w);
    vrmi_ragdoll_carry(instance, &before, true);
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}
