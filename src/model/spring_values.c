// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "model/spring_values.h"

#include "base/abi.h"
#include "base/checks.h"
#include "math/vec3.h"

#include <string.h>

void(vrm_spring_params_default)(vrm_spring_params *settings, size_t size)
{
    const vrm_spring_params own = {
        .struct_size = sizeof own, .root_motion = 1.0f, .gravity_scale = 1.0f, .stiffness_scale = 1.0f};
    vrmi_write_defaults(settings, size, &own, sizeof own);
}

bool vrmi_spring_settings_finite(const vrm_spring_params *settings)
{
    return vrmi_finite(settings->root_motion) && vrmi_vec3_finite(settings->external) &&
           vrmi_finite(settings->gravity_scale) && vrmi_finite(settings->stiffness_scale) &&
           vrmi_finite_double(settings->ground_height) && vrmi_finite(settings->hanging);
}

bool vrmi_spring_settings_valid(const vrm_spring_params *settings)
{
    return settings->root_motion >= 0.0f && settings->root_motion <= 1.0f && settings->stiffness_scale >= 0.0f &&
           settings->hanging >= 0.0f && settings->hanging <= 1.0f;
}

// Compares member by member, because the padding between members is undefined.
bool vrmi_spring_settings_same(const vrm_spring_params *a, const vrm_spring_params *b)
{
    return a->paused == b->paused && a->root_motion == b->root_motion && a->external.x == b->external.x &&
           a->external.y == b->external.y && a->external.z == b->external.z && a->gravity_scale == b->gravity_scale &&
           a->stiffness_scale == b->stiffness_scale && a->ground == b->ground && a->ground_height == b->ground_height &&
           a->hanging == b->hanging;
}

bool vrmi_spring_params_finite(const vrm_spring_joint_params *params)
{
    return vrmi_finite(params->hit_radius) && vrmi_finite(params->stiffness) && vrmi_finite(params->gravity_power) &&
           vrmi_vec3_finite(params->gravity_dir) && vrmi_finite(params->drag_force);
}

bool vrmi_spring_params_valid(const vrm_spring_joint_params *params)
{
    return params->hit_radius >= 0.0f && params->stiffness >= 0.0f && params->gravity_power >= 0.0f &&
           params->drag_force >= 0.0f && params->drag_force <= 1.0f;
}

void(vrm_host_collider_def_default)(vrm_host_collider_def *collider, size_t size)
{
    const vrm_host_collider_def own = {
        .struct_size = sizeof own, .enabled = true, .shape = VRM_COLLIDER_SPHERE, .node = -1, .chain = -1};
    vrmi_write_defaults(collider, size, &own, sizeof own);
}

bool vrmi_host_collider_finite(const vrm_host_collider_def *collider)
{
    return vrmi_finite(collider->radius) && vrmi_dvec3_finite(collider->offset) && vrmi_dvec3_finite(collider->tail);
}

bool vrmi_host_collider_valid(const vrmi_model *model, const vrm_host_collider_def *collider)
{
    const vrm_dvec3 n = collider->tail;
    return (uint32_t)collider->shape <= VRM_COLLIDER_PLANE && collider->radius >= 0.0f && collider->node >= -1 &&
           collider->node < (int32_t)model->node_parent.count && collider->chain >= -1 &&
           collider->chain < (int32_t)model->spring_chain.count &&
           (collider->shape != VRM_COLLIDER_PLANE || n.x * n.x + n.y * n.y + n.z * n.z > 1e-20);
}

bool vrmi_host_collider_same(const vrm_host_collider_def *a, const vrm_host_collider_def *b)
{
    return a->enabled == b->enabled && a->shape == b->shape && a->node == b->node && a->radius == b->radius &&
           a->chain == b->chain && memcmp(&a->offset, &b->offset, sizeof(a->offset)) == 0 &&
           memcmp(&a->tail, &b->tail, sizeof(a->tail)) == 0;
}
