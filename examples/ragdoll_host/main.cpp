// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Bullet moves an avatar's body, which is hit, thrown over, lies and returns to its motion. With an installed libvrm
// (see docs/ragdoll-adapter.md):
//     c++ main.cpp bullet_ragdoll.cpp $(pkg-config --cflags --libs vrm bullet) -o ragdoll_host
//     ./ragdoll_host avatar.vrm

#include <cstdio>

#include <vrm/vrm.h>

#include "bullet_ragdoll.h"

int main(int argc, char **argv)
{
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_ragdoll_def def;
    vrm_ragdoll_def_default(&def);
    if (argc < 2 || vrm_avatar_load_file(nullptr, argv[1], nullptr, &avatar) != VRM_SUCCESS ||
        vrm_ragdoll_def_build(avatar, nullptr, nullptr, nullptr, &def) != VRM_SUCCESS) {
        std::fprintf(stderr, "usage: ragdoll_host avatar.vrm\n");
        return 1;
    }
    vrm_instance_def wanted;
    vrm_instance_def_default(&wanted);
    wanted.avatar = avatar;
    wanted.ragdoll_bodies = def.body_count;
    bullet_ragdoll *engine = bullet_ragdoll_create(&def, 0);
    if (vrm_instance_create(&wanted, &instance) != VRM_SUCCESS ||
        vrm_instance_set_ragdoll(instance, &def, nullptr) != VRM_SUCCESS) {
        return 1;
    }
    const int32_t head = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    const vrm_dvec3 chest = {0, 0.75 * def.height, 0.1}, before_feet = {0.1, 0.2, 0.5};
    const vrm_vec3 blow = {0, 0, -60};
    vrm_update_params update;
    vrm_update_params_default(&update);
    update.dt = 1.0f / 60;
    for (int frame = 1; frame <= 600; ++frame) {
        if (frame == 60) {
            vrm_instance_hit_ragdoll(instance, -1, &chest, &blow);
        } else if (frame == 180) {
            vrm_instance_explode_ragdoll(instance, &before_feet, 160, 3);
        }
        vrm_update_pose(instance, &update); // here a clip player could move the figure
        vrm_ragdoll_targets targets = {};
        targets.struct_size = sizeof targets;
        vrm_instance_get_ragdoll_targets(instance, &targets);
        if (targets.active) {
            vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
            bullet_ragdoll_step(engine, &targets, update.dt, states);
            vrm_instance_set_ragdoll_states(instance, &targets.origin, states, targets.body_count);
        }
        vrm_update_secondary(instance, &update);
        if (frame % 15 == 0) {
            vrm_outputs shown = {};
            shown.struct_size = sizeof shown;
            vrm_instance_get_outputs(instance, &shown);
            std::printf("%5.2f s: the head is %6.3f m high\n", frame / 60.0, double(shown.world[head].m[1][3]));
        }
    }
    bullet_ragdoll_destroy(engine);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    return 0;
}
