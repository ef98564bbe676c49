// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Where a definition's bodies are: in the T-pose, and in an instance's last outputs.

#include <vrm/ragdoll_def.h>

#include "base/checks.h"
#include "math/mat34.h"
#include "model/model.h"

void vrm_ragdoll_rest_states(
    const vrm_ragdoll_def *def, const vrm_avatar *avatar, vrm_ragdoll_state out_states[VRM_RAGDOLL_MAX_BODIES])
{
    if (!VRM_ASSERT(def != NULL && avatar != NULL && def->body_count <= VRM_RAGDOLL_MAX_BODIES)) {
        return;
    }
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_ragdoll_body *body = &def->bodies[i];
        out_states[i] = (vrm_ragdoll_state){.rotation = vrmi_quat_identity()};
        if (body->parent >= 0) {
            out_states[i].position = vrmi_vec3_add(out_states[body->parent].position, body->joint.anchor);
        } else if (body->node < avatar->model->node_parent.count) {
            const vrm_mat34 *rest = &vrmi_model_node_rest_matrix(avatar->model)[body->node];
            out_states[i].position = vrmi_vec3(rest->m[0][3], rest->m[1][3], rest->m[2][3]);
        }
    }
}

void vrm_ragdoll_pose_states(
    const vrm_ragdoll_def *def, const vrm_instance *instance, vrm_ragdoll_state out_states[VRM_RAGDOLL_MAX_BODIES])
{
    if (!VRM_ASSERT(def != NULL && instance != NULL && def->body_count <= VRM_RAGDOLL_MAX_BODIES)) {
        return;
    }
    const vrmi_model *model = vrm_instance_avatar(instance)->model;
    vrm_outputs out;
    vrm_instance_get_outputs(instance, &out);
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const uint32_t node = def->bodies[i].node;
        vrm_transform world = {{0, 0, 0}, vrmi_quat_identity(), {1, 1, 1}};
        out_states[i] = (vrm_ragdoll_state){.rotation = vrmi_quat_identity()};
        if (node < out.node_count) {
            (void)vrmi_mat34_decompose(&out.world[node], &world);
            const vrm_quat back = vrmi_quat_conjugate(vrmi_model_node_rest_rotation(model)[node]);
            out_states[i].position = world.translation;
            out_states[i].rotation = vrmi_quat_normalize(vrmi_quat_mul(world.rotation, back));
        }
    }
}
