// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Positions of bodies, in the animated pose and as simulated.

#include "base/float_environment.h"
#include "runtime/core/instance.h"
#include "runtime/ragdoll/ragdoll.h"

vrm_quat vrmi_ragdoll_animated(const vrm_instance *instance, uint32_t body)
{
    const uint32_t node = instance->ragdoll_bodies[body].node;
    const vrm_quat rest = vrmi_model_node_rest_rotation(instance->model)[node];
    return vrmi_quat_normalize(vrmi_quat_mul(*vrmi_world_rotation(instance, node), vrmi_quat_conjugate(rest)));
}

vrm_vec3 vrmi_ragdoll_center(const vrm_instance *instance, uint32_t body, vrm_vec3 position, vrm_quat rotation)
{
    const vrm_vec3 arm = vrmi_vec3_scale(instance->ragdoll_bodies[body].center_of_mass, instance->root.scale);
    return vrmi_vec3_add(position, vrmi_quat_rotate(rotation, arm));
}

void vrmi_ragdoll_get_place(const vrm_instance *instance, uint32_t body, vrm_vec3 *position, vrm_quat *rotation)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    if (!vrmi_ragdoll_runs(ragdoll) || !ragdoll->has_states) {
        *position = vrmi_mat34_translation(&instance->world[instance->ragdoll_bodies[body].node]);
        *rotation = vrmi_ragdoll_animated(instance, body);
        return;
    }
    const vrm_ragdoll_state *state = &instance->ragdoll_rows[body].state;
    const vrm_vec3 offset = vrmi_vec3_between(instance->root.translation, ragdoll->state_origin);
    *position = vrmi_vec3_add(state->position, offset);
    *rotation = state->rotation;
}

void vrmi_ragdoll_note_pose(vrm_instance *instance)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    if (vrmi_ragdoll_runs(ragdoll) || instance->outputs_stale) {
        return; // a simulation is already running, or no pose has been shown yet
    }
    const vrmi_float_environment host = vrmi_float_enter();
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        vrmi_ragdoll_row *row = &instance->ragdoll_rows[i];
        const vrm_vec3 place = vrmi_mat34_translation(&instance->world[instance->ragdoll_bodies[i].node]);
        row->last_rotation = vrmi_ragdoll_animated(instance, i);
        row->last_position = vrmi_ragdoll_center(instance, i, place, row->last_rotation);
    }
    ragdoll->last_origin = instance->root.translation;
    ragdoll->has_last = true;
    vrmi_float_leave(host);
}
