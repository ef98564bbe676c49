// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_FIGURE_H
#define VRMI_RUNTIME_STEP_FIGURE_H

// An instance's data for recovery steps: its legs, and measurements of its animated pose in `world`.

#include "runtime/core/hierarchy.h"
#include "runtime/core/instance.h"
#include "runtime/ragdoll/ragdoll.h"

extern const vrm_human_bone vrmi_step_legs[2][3]; // thigh, shank and foot of the left and of the right leg

static inline int32_t vrmi_step_node(const vrm_instance *instance, vrm_human_bone bone)
{
    const int32_t node = instance->model->head.bone_node[bone];
    return node >= 0 && vrmi_has_pose(instance, (uint32_t)node) ? node : -1;
}

static inline vrm_vec3 vrmi_step_place(const vrm_instance *instance, vrm_human_bone bone)
{
    return vrmi_mat34_translation(&instance->world[instance->model->head.bone_node[bone]]);
}

static inline vrm_vec3 vrmi_step_to_root(const vrm_instance *instance, vrm_vec3 v)
{
    return vrmi_quat_rotate(vrmi_quat_conjugate(instance->root.rotation), v);
}

static inline vrm_vec3 vrmi_step_to_world(const vrm_instance *instance, float x, float y, float z)
{
    return vrmi_quat_rotate(instance->root.rotation, vrmi_vec3(x, y, z));
}

static inline vrmi_flat vrmi_step_flatten(vrm_vec3 v)
{
    return (vrmi_flat){v.x, v.z};
}

// Returns the body of a bone, -1 if there is none.
int32_t vrmi_step_body_of(const vrm_instance *instance, vrm_human_bone bone);
// Whether the instance has both legs, as bodies and as bones.
bool vrmi_step_has_legs(const vrm_instance *instance);
// Whether the instance can make steps: it has both legs, and a drive holds up the hips.
bool vrmi_step_is_able(const vrm_instance *instance);
// Measures the animated pose. Returns false if the pose does not stand on both feet; the measurements are written in
// any case.
bool vrmi_step_measure(const vrm_instance *instance, float dt, vrmi_step_body *out);

#endif
