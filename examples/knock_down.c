// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Several figures are hit from behind by a swinging beam and fall. The light solver steps all of them together.
//
//     cc knock_down.c $(pkg-config --cflags --libs vrm) -o knock_down
//     ./knock_down avatar.vrm
//
// Prints each change of a figure's phase.
#include <stdio.h>
#include <stdlib.h>
#include <vrm/vrm.h>

enum { FIGURES = 3, FRAMES = 480 };

typedef struct figure {
    vrm_instance *instance;
    vrm_ragdoll_solver *solver;
    vrm_ragdoll_phase phase;
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
} figure;

static bool make(figure *f, const vrm_avatar *avatar, const vrm_ragdoll_def *ragdoll, uint32_t place)
{
    vrm_instance_def def;
    vrm_ragdoll_solver_def solver;
    vrm_ragdoll_params settings;
    vrm_instance_def_default(&def);
    vrm_ragdoll_solver_def_default(&solver);
    vrm_ragdoll_params_default(&settings);
    settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL; // a fallen figure stays down
    def.avatar = avatar;
    def.ragdoll_bodies = ragdoll->body_count;
    solver.def = ragdoll;
    solver.shape_slots = 1;
    if (vrm_instance_create(&def, &f->instance) != VRM_SUCCESS ||
        vrm_instance_set_ragdoll(f->instance, ragdoll, &settings) != VRM_SUCCESS ||
        vrm_ragdoll_solver_create(&solver, &f->solver) != VRM_SUCCESS) {
        return false;
    }
    vrm_root root;
    vrm_instance_get_root(f->instance, &root);
    root.translation.x = 2.0 * place;
    vrm_instance_set_root(f->instance, &root);
    // The muscles of the left arm have half of their strength, so that the arm swings more.
    const vrm_ragdoll_weights loose = {.pin = 0.0f, .muscle = 0.5f, .mapping = 1.0f};
    vrm_instance_set_ragdoll_weights(f->instance, VRM_RAGDOLL_GROUP_LEFT_ARM, &loose, 0.0f);
    return true;
}

static void swing_beam(figure *f, uint32_t place, uint32_t frame)
{
    // After a second, a beam at the height of the chest comes from behind. After another second it is removed.
    if (frame == 60) {
        vrm_ragdoll_world_shape_def beam;
        vrm_ragdoll_world_shape_def_default(&beam);
        beam.type = VRM_RAGDOLL_WORLD_CAPSULE;
        beam.radius = 0.06f;
        beam.half_length = 0.5f;
        beam.rotation = (vrm_quat){0.0f, 0.0f, 0.7071068f, 0.7071068f}; // its Y across
        beam.center = (vrm_dvec3){2.0 * place, 1.15, -0.6};
        beam.linear_velocity = (vrm_vec3){0.0f, 0.0f, 2.0f + 0.5f * (float)place};
        vrm_ragdoll_solver_set_shape(f->solver, 0, &beam);
        // The beam can only meet bodies that are simulated, so a hit in the same frame starts the simulation.
        const vrm_dvec3 neck = {2.0 * place, 1.2, 0.0};
        const vrm_vec3 blow = {0.0f, 0.0f, 80.0f * (float)(place + 1)};
        vrm_instance_hit_ragdoll(f->instance, -1, &neck, &blow);
    } else if (frame == 120) {
        vrm_ragdoll_solver_set_shape(f->solver, 0, NULL);
    }
}

static void report(figure *f, uint32_t place, uint32_t frame)
{
    static const char *const words[VRM_RAGDOLL_PHASE_COUNT] = {
        "animated", "simulated", "limp", "lying", "recovering", "blending"};
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(f->instance, &info);
    if (info.phase != f->phase) {
        vrm_ragdoll_energy energy = {.struct_size = sizeof energy};
        vrm_ragdoll_solver_get_energy(f->solver, &energy);
        printf("%.2f s: figure %u is %s, centre of mass at %.2f m%s\n", (double)frame / 60.0, place, words[info.phase],
            energy.center_of_mass.y, vrm_ragdoll_solver_is_asleep(f->solver) ? ", asleep" : "");
        f->phase = info.phase;
    }
}

// One frame for all figures: the animated poses, then one call of the solver for all, then the stages that follow the
// bodies.
static void frame_of_all(figure *figures, uint32_t frame, vrm_scratch scratch)
{
    const float dt = 1.0f / 60.0f;
    vrm_ragdoll_solver *solvers[FIGURES];
    vrm_ragdoll_targets targets[FIGURES];
    const vrm_ragdoll_targets *wanted[FIGURES];
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    for (uint32_t i = 0; i < FIGURES; ++i) {
        swing_beam(&figures[i], i, frame);
        vrm_update_pose(figures[i].instance, &params);
        targets[i] = (vrm_ragdoll_targets){.struct_size = sizeof targets[i]};
        vrm_instance_get_ragdoll_targets(figures[i].instance, &targets[i]);
        solvers[i] = figures[i].solver;
        wanted[i] = &targets[i];
    }
    vrm_ragdoll_solver_step_many(solvers, wanted, FIGURES, dt, scratch);
    for (uint32_t i = 0; i < FIGURES; ++i) {
        const uint32_t count = vrm_ragdoll_solver_get_ragdoll_def(figures[i].solver)->body_count;
        vrm_ragdoll_solver_get_states(figures[i].solver, &targets[i].origin, figures[i].states, count);
        vrm_instance_set_ragdoll_states(figures[i].instance, &targets[i].origin, figures[i].states, count);
        vrm_update_secondary(figures[i].instance, &params);
        report(&figures[i], i, frame);
    }
}

int main(int argc, char **argv)
{
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_ragdoll_def ragdoll;
    vrm_ragdoll_def_default(&ragdoll);
    // The document has the vertices, around which the bodies' shapes are built.
    if (argc < 2 || vrm_gltf_load_file(NULL, argv[1], NULL, &gltf) != VRM_SUCCESS ||
        vrm_avatar_import(NULL, gltf, NULL, &avatar) != VRM_SUCCESS ||
        vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &ragdoll) != VRM_SUCCESS) {
        fprintf(stderr, "usage: knock_down avatar.vrm\n");
        return 1;
    }
    vrm_ragdoll_error error = {.struct_size = sizeof error};
    if (vrm_ragdoll_def_check(&ragdoll, &error) != VRM_SUCCESS) {
        fprintf(stderr, "body %d: %s\n", error.body, vrm_ragdoll_fault_sentence(error.fault));
        return 1;
    }
    static figure figures[FIGURES];
    for (uint32_t i = 0; i < FIGURES; ++i) {
        if (!make(&figures[i], avatar, &ragdoll, i)) {
            return 1;
        }
    }
    vrm_scratch scratch = {.size = vrm_ragdoll_solver_get_scratch_size(ragdoll.body_count)};
    scratch.memory = aligned_alloc(
        64, (scratch.size + 63) / 64 * 64); // without scratch memory the figures are solved one after the other
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        frame_of_all(figures, frame, scratch);
    }
    for (uint32_t i = 0; i < FIGURES; ++i) {
        if (vrm_ragdoll_solver_get_status(figures[i].solver) != 0) {
            printf("figure %u: status 0x%x\n", i, (unsigned)vrm_ragdoll_solver_get_status(figures[i].solver));
            vrm_ragdoll_solver_clear_status(figures[i].solver);
        }
        vrm_ragdoll_solver_destroy(figures[i].solver);
        vrm_instance_destroy(figures[i].instance);
    }
    free(scratch.memory);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    return 0;
}
