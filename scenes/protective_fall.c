// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "protective_fall.h"

void scene_fall_frame(scene_fall *scene, const vrm_instance *instance, const vrm_fall_params *params,
    const vrm_dvec3 *origin, vrm_ragdoll_targets *targets)
{
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(instance, &info);
    const bool down = info.phase == VRM_RAGDOLL_PHASE_LIMP || info.phase == VRM_RAGDOLL_PHASE_LYING;
    const bool known = params->states != NULL && targets->moved == scene->moved;
    scene->moved = targets->moved;
    scene->under_way = scene->under_way && down && (known || info.phase == VRM_RAGDOLL_PHASE_LYING);
    if (!scene->on || !down || !targets->active) {
        scene->under_way = false;
        return;
    }
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    const vrm_vec3 shift = {(float)(origin->x - targets->origin.x), (float)(origin->y - targets->origin.y),
        (float)(origin->z - targets->origin.z)};
    for (uint32_t i = 0; known && i < targets->body_count; ++i) {
        states[i] = params->states[i];
        states[i].position.x += shift.x;
        states[i].position.y += shift.y;
        states[i].position.z += shift.z;
    }
    vrm_fall_params now = *params;
    now.targets = targets;
    now.states = known ? states : NULL;
    now.ground = scene->ground;
    now.seed = scene->seed;
    if (!scene->under_way) {
        scene->fall.struct_size = sizeof scene->fall;
        scene->under_way = vrm_fall_begin(&scene->fall, &now, NULL) == VRM_SUCCESS;
    }
    if (scene->under_way && vrm_fall_drive(&scene->fall, &now, scene->bodies) == VRM_SUCCESS) {
        targets->bodies = scene->bodies;
        targets->drive = VRM_RAGDOLL_DRIVE_TORQUE;
    }
}
