// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Uses the light solver with libvrm-runtime alone: a ball of 1 kg falls for half a second, in memory that the program
// provides.

#include <vrm/ragdoll_solver.h>

#include <stdio.h>

static _Alignas(64) unsigned char memory[65536];

int main(void)
{
    static vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrm_ragdoll_def_default(&def);
    def.body_count = 1;
    def.height = 1.0f;
    def.bodies[0] = (vrm_ragdoll_body){.parent = -1,
        .mass = 1.0f,
        .inertia = {0.01f, 0.01f, 0.01f},
        .inertia_rotation = {0, 0, 0, 1},
        .shape = {.rotation = {0, 0, 0, 1}, .radius = 0.1f},
        .joint = {.type = VRM_RAGDOLL_JOINT_FREE, .frame = {0, 0, 0, 1}}};
    vrm_ragdoll_solver_def params;
    vrm_ragdoll_solver_def_default(&params);
    params.def = &def;
    params.ground = false;
    vrm_ragdoll_solver *solver;
    if (vrm_ragdoll_solver_init(&params, memory, sizeof(memory), &solver) != VRM_SUCCESS) {
        return 1;
    }
    const vrm_ragdoll_target body = {.state = {.rotation = {0, 0, 0, 1}}, .motion = VRM_RAGDOLL_MOTION_DYNAMIC};
    const vrm_ragdoll_targets targets = {.struct_size = sizeof targets,
        .root = {.rotation = {0, 0, 0, 1}, .scale = 1.0f},
        .root_from_model = {0, 0, 0, 1},
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .body_count = 1,
        .bodies = &body,
        .active = true};
    for (int frame = 0; frame < 30; ++frame) {
        vrm_ragdoll_solver_step(solver, &targets, 1.0f / 60.0f);
    }
    const vrm_dvec3 origin = {0, 0, 0};
    vrm_ragdoll_state state;
    vrm_ragdoll_solver_get_states(solver, &origin, &state, 1);
    printf("fell %.2f m\n", -(double)state.position.y);
    return state.position.y < -1.2f && state.position.y > -1.3f ? 0 : 1;
}
