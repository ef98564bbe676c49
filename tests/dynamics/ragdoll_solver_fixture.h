// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_SOLVER_FIXTURE_H
#define TESTS_RAGDOLL_SOLVER_FIXTURE_H

// A person in the light solver, for tests that use the solver as a host does.

#include <vrm/ragdoll_drive.h>

#include "ragdoll_fall.h"
#include "test.h"

static const vrm_dvec3 nowhere = {0.0, 0.0, 0.0};
static vrm_ragdoll_def person = {.struct_size = sizeof person};

static inline vrm_ragdoll_solver *make(void (*change)(vrm_ragdoll_solver_def *))
{
    figure_person(&person);
    vrm_ragdoll_solver_def params;
    vrm_ragdoll_solver_def_default(&params);
    params.def = &person;
    if (change != NULL) {
        change(&params);
    }
    vrm_ragdoll_solver *solver = NULL;
    CHECK_INT(vrm_ragdoll_solver_create(&params, &solver), VRM_SUCCESS);
    return solver;
}

// Sets targets to the T-pose with the hips at `height`, driven with `frequency`.
static inline void stand(figure_targets *t, float height, float frequency)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    figure_person(&person);
    figure_t_pose(&person, (vrm_vec3){0, height, 0}, states);
    figure_hold(t, &person, states);
    for (uint32_t i = 0; i < 16; ++i) {
        t->bodies[i].frequency = frequency;
    }
}

static inline void run(vrm_ragdoll_solver *solver, const figure_targets *t, int frames)
{
    for (int i = 0; i < frames; ++i) {
        vrm_ragdoll_solver_step(solver, &t->targets, 1.0f / 60.0f);
    }
}

static inline vrm_ragdoll_drive_params drive_input_of(
    const vrm_ragdoll_def *def, const vrm_ragdoll_state *states, const vrm_ragdoll_target *targets, float dt)
{
    vrm_ragdoll_drive_params input;
    vrm_ragdoll_drive_params_default(&input);
    input.def = def;
    input.states = states;
    input.targets = targets;
    input.dt = dt;
    return input;
}

static inline double angle_between(vrm_quat a, vrm_quat b)
{
    return (double)vrmi_vec3_length(vrmi_quat_to_vector(vrmi_quat_mul(a, vrmi_quat_conjugate(b))));
}

static inline void no_ground(vrm_ragdoll_solver_def *params)
{
    params->ground = false;
}

#endif
