// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// A figure drops, the ground opens, and the figure falls and lies three metres below. The solver is in the host's own
// memory. Its state and that of the instance are saved before the trapdoor opens, and the fall is played again from
// there.
//
//     cc trapdoor.c $(pkg-config --cflags --libs vrm) -o trapdoor
//     ./trapdoor avatar.vrm
//
// Prints the height of the centre of mass, and whether both falls have the same bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vrm/vrm.h>

typedef struct stage {
    vrm_instance *instance;
    vrm_ragdoll_solver *solver;
    uint32_t body_count;
} stage;

static void frame(stage *s)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    vrm_update_pose(s->instance, &params);
    vrm_instance_get_ragdoll_targets(s->instance, &targets);
    vrm_ragdoll_solver_step(s->solver, &targets, params.dt);
    vrm_ragdoll_solver_get_states(s->solver, &targets.origin, states, s->body_count);
    vrm_instance_set_ragdoll_states(s->instance, &targets.origin, states, s->body_count);
    vrm_update_secondary(s->instance, &params);
}

static double height(const stage *s)
{
    vrm_ragdoll_energy energy = {.struct_size = sizeof energy};
    vrm_ragdoll_solver_get_energy(s->solver, &energy);
    return energy.center_of_mass.y;
}

// There is no ground for half a second. Then the ground is three metres below.
static void fall(stage *s, vrm_vec3 *out_hips)
{
    vrm_ragdoll_solver_clear_ground(s->solver);
    for (int i = 0; i < 30; ++i) {
        frame(s);
    }
    vrm_ragdoll_solver_set_ground(s->solver, -3.0);
    for (int i = 0; i < 150; ++i) {
        frame(s);
    }
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    const vrm_dvec3 world = {0.0, 0.0, 0.0};
    vrm_ragdoll_solver_get_states(s->solver, &world, states, s->body_count);
    *out_hips = states[0].position;
}

static bool make(stage *s, vrm_avatar *avatar, const vrm_ragdoll_def *ragdoll, void **out_memory)
{
    vrm_instance_def def;
    vrm_ragdoll_solver_def solver;
    vrm_ragdoll_params params;
    vrm_instance_def_default(&def);
    vrm_ragdoll_solver_def_default(&solver);
    vrm_ragdoll_params_default(&params);
    def.avatar = avatar;
    def.ragdoll_bodies = s->body_count = ragdoll->body_count;
    solver.def = ragdoll;
    params.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    const size_t size = vrm_ragdoll_solver_get_size(&solver);
    *out_memory = aligned_alloc(64, (size + 63) / 64 * 64);
    return *out_memory != NULL && vrm_instance_create(&def, &s->instance) == VRM_SUCCESS &&
           vrm_instance_set_ragdoll(s->instance, ragdoll, &params) == VRM_SUCCESS &&
           vrm_ragdoll_solver_init(&solver, *out_memory, size, &s->solver) == VRM_SUCCESS;
}

// Makes the neck stiff, whatever drive the definition has.
static void stiffen_neck(vrm_instance *instance, const vrm_ragdoll_def *ragdoll)
{
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        if (ragdoll->bodies[i].bone == VRM_HUMAN_BONE_HEAD) {
            const vrm_ragdoll_joint_drive drive = {.frequency = 12.0f, .damping_ratio = 1.0f, .max_torque = 200.0f};
            vrm_instance_set_ragdoll_joint_drive(instance, i, &drive);
        }
    }
}

int main(int argc, char **argv)
{
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_ragdoll_def ragdoll;
    vrm_ragdoll_def_default(&ragdoll);
    if (argc < 2 || vrm_gltf_load_file(NULL, argv[1], NULL, &gltf) != VRM_SUCCESS ||
        vrm_avatar_import(NULL, gltf, NULL, &avatar) != VRM_SUCCESS ||
        vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &ragdoll) != VRM_SUCCESS) {
        fprintf(stderr, "usage: trapdoor avatar.vrm\n");
        return 1;
    }
    vrm_gltf_destroy(gltf);
    // A definition that comes from a file must be checked against the avatar.
    vrm_ragdoll_error error = {.struct_size = sizeof error};
    if (vrm_ragdoll_def_check_avatar(&ragdoll, avatar, &error) != VRM_SUCCESS) {
        fprintf(stderr, "%s: body %d, %s\n", vrm_ragdoll_fault_name(error.fault), error.body, error.field);
        return 1;
    }
    void *memory;
    stage s;
    if (!make(&s, avatar, &ragdoll, &memory)) {
        return 1;
    }
    stiffen_neck(s.instance, &ragdoll);
    vrm_instance_drop_ragdoll(s.instance);
    for (int i = 0; i < 240; ++i) {
        frame(&s);
    }
    printf("lies: %.2f m%s\n", height(&s), vrm_ragdoll_solver_is_asleep(s.solver) ? ", asleep" : "");
    vrm_ragdoll_solver_wake(s.solver);

    size_t size = 0, solver_size = 0;
    vrm_instance_snapshot(s.instance, NULL, &size);
    vrm_ragdoll_solver_snapshot(s.solver, NULL, &solver_size);
    void *saved = malloc(size), *solver_saved = malloc(solver_size);
    if (saved == NULL || solver_saved == NULL) {
        return 1;
    }
    vrm_instance_snapshot(s.instance, saved, &size);
    vrm_ragdoll_solver_snapshot(s.solver, solver_saved, &solver_size);
    vrm_vec3 first, second;
    fall(&s, &first);
    printf("fell: %.2f m\n", height(&s));
    if (vrm_instance_restore(s.instance, saved, size) != VRM_SUCCESS ||
        vrm_ragdoll_solver_restore(s.solver, solver_saved, solver_size) != VRM_SUCCESS) {
        return 1;
    }
    printf("restored: %.2f m\n", height(&s));
    fall(&s, &second);
    printf("again: %s\n", memcmp(&first, &second, sizeof first) == 0 ? "the same bits" : "DIFFERENT");

    // The figure is upright again at once, as for a next scene: the bodies are set to the T-pose.
    vrm_ragdoll_state rest[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_ragdoll_get_rest_states(&ragdoll, avatar, rest);
    vrm_instance_get_ragdoll_targets(s.instance, &targets);
    vrm_ragdoll_solver_put(s.solver, &targets, rest);
    printf("put upright: %.2f m\n", height(&s));
    free(solver_saved);
    free(saved);
    vrm_ragdoll_solver_destroy(s.solver);
    free(memory);
    vrm_instance_destroy(s.instance);
    vrm_avatar_release(avatar);
    return 0;
}
