// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures a ragdoll in the light solver: `bench_ragdoll [--json]`. A step of the sample's 16 bodies is measured one by
// one and eight in lanes, in the air and on the ground (kept awake), for one ragdoll and for 100. Also measured: the
// torque drive for another engine, alone and in lanes; reading the states; the first second and a half of a fall from a
// height of one metre, compared with ODE if it is installed.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "base/platform.h"
#include "math/quat.h"
#include "math/random.h"
#include "minimal_sample.h"
#include "timing.h"

#ifdef BENCH_ODE
#include <vrm_ode/ode.h>
#endif

enum { MOST = 100, ROUNDS = 400, FALLS = 12, FALL_FRAMES = 90, FALL_ROUNDS = 5 };

typedef struct crowd {
    uint32_t count;
    vrm_ragdoll_solver *solvers[MOST];
    vrm_ragdoll_target bodies[MOST][VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_targets targets[MOST];
    vrm_ragdoll_state places[MOST][VRM_RAGDOLL_MAX_BODIES];
    const vrm_ragdoll_targets *pointers[MOST];
} crowd;

static crowd people;
static _Alignas(64) unsigned char scratch[1 << 20];

static bool build_sample(vrm_ragdoll_def *out)
{
    vrm_bytes bytes = {0};
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    const bool good = scene_minimal_sample(0, &bytes) == VRM_SUCCESS &&
                      vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf) == VRM_SUCCESS &&
                      vrm_avatar_import(NULL, gltf, NULL, &avatar) == VRM_SUCCESS &&
                      vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, out) == VRM_SUCCESS;
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
    return good;
}

static void add_person(const vrm_ragdoll_def *def, uint32_t i, bool ground, float frequency)
{
    vrm_ragdoll_solver_def params;
    vrm_ragdoll_solver_def_default(&params);
    params.def = def;
    params.sleep = false;
    params.ground = ground;
    params.gravity.y = ground ? params.gravity.y : 0.0f;
    if (vrm_ragdoll_solver_create(&params, &people.solvers[i]) != VRM_SUCCESS) {
        exit(1);
    }
    uint64_t seed = vrmi_random_seeded(i);
    for (uint32_t k = 0; k < def->body_count; ++k) {
        const vrm_ragdoll_body *b = &def->bodies[k];
        const vrm_ragdoll_state *parent = &people.places[i][k == 0 ? 0 : b->parent];
        const vrm_vec3 turn = {vrmi_random_unit(&seed), vrmi_random_unit(&seed), vrmi_random_unit(&seed)};
        vrm_ragdoll_state *s = &people.places[i][k];
        *s = (vrm_ragdoll_state){
            .position = {0.0f, 1.0f, 0.0f}, .rotation = vrmi_quat_from_vector(vrmi_vec3_scale(turn, 2.0f))};
        if (k != 0) {
            s->rotation = parent->rotation;
            s->position = vrmi_vec3_add(parent->position, vrmi_quat_rotate(parent->rotation, b->joint.anchor));
        }
        people.bodies[i][k] = (vrm_ragdoll_target){.state = *s,
            .motion = VRM_RAGDOLL_MOTION_DYNAMIC,
            .frequency = k != 0 ? frequency : 0.0f,
            .damping_ratio = 1.0f};
    }
    people.targets[i] = (vrm_ragdoll_targets){.struct_size = sizeof(vrm_ragdoll_targets),
        .root = {.rotation = {0, 0, 0, 1}, .scale = 1.0f},
        .root_from_model = {0, 0, 0, 1},
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .body_count = def->body_count,
        .bodies = people.bodies[i],
        .active = true};
    people.pointers[i] = &people.targets[i];
}

// Returns the minimum of the values, since other programs can only make them larger.
static double least(const double *values, int count)
{
    double found = values[0];
    for (int i = 1; i < count; ++i) {
        found = values[i] < found ? values[i] : found;
    }
    return found;
}

// Returns the microseconds per step and ragdoll.
static double time_steps(const vrm_ragdoll_def *def, uint32_t count, bool lanes, bool ground, float frequency)
{
    for (uint32_t i = 0; i < count; ++i) {
        add_person(def, i, ground, frequency);
    }
    const vrm_scratch memory = {lanes ? scratch : NULL, sizeof(scratch)};
    for (int frame = 0; frame < 120; ++frame) { // until the ragdolls have come to rest
        vrm_ragdoll_solver_step_many(people.solvers, people.pointers, count, 1.0f / 60.0f, memory);
    }
    double rounds[ROUNDS];
    const int frames = count == 1 ? 20 : 1;
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = vrmi_platform_seconds();
        for (int frame = 0; frame < frames; ++frame) {
            vrm_ragdoll_solver_step_many(people.solvers, people.pointers, count, 1.0f / 60.0f, memory);
        }
        rounds[round] = (vrmi_platform_seconds() - start) * 1e6 / (2.0 * frames * count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        vrm_ragdoll_solver_destroy(people.solvers[i]);
    }
    return least(rounds, ROUNDS);
}

// Returns the microseconds per step of a fall, from standing to lying. Uses the first `count` figures, so that all
// engines get the same falls. Rounds are long enough to be interrupted by other programs, so this uses process time.
static double time_falls(const vrm_ragdoll_def *def, uint32_t count, bool lanes)
{
    double rounds[FALL_ROUNDS];
    for (int round = 0; round < FALL_ROUNDS; ++round) {
        for (uint32_t i = 0; i < count; ++i) {
            add_person(def, i, true, 0.0f);
        }
        const double start = elapsed_seconds();
        for (int frame = 0; frame < FALL_FRAMES; ++frame) {
            vrm_ragdoll_solver_step_many(people.solvers, people.pointers, count, 1.0f / 60.0f,
                (vrm_scratch){lanes ? scratch : NULL, sizeof(scratch)});
        }
        rounds[round] = (elapsed_seconds() - start) * 1e6 / (2.0 * FALL_FRAMES * count);
        for (uint32_t i = 0; i < count; ++i) {
            vrm_ragdoll_solver_destroy(people.solvers[i]);
        }
    }
    return least(rounds, FALL_ROUNDS);
}

#ifdef BENCH_ODE
// Returns the time of 1/120 s in ODE with its adapter's defaults: two substeps of QuickStep with 40 iterations, each
// ragdoll in its own world.
static double time_ode_falls(const vrm_ragdoll_def *def)
{
    double rounds[FALL_ROUNDS] = {0};
    for (int round = 0; round < FALL_ROUNDS; ++round) {
        for (uint32_t i = 0; i < FALLS; ++i) {
            vrm_ode_world *world = NULL;
            vrm_ode_ragdoll *ragdoll = NULL;
            add_person(def, i, true, 0.0f);
            if (vrm_ode_world_create(NULL, &world) != VRM_SUCCESS ||
                vrm_ode_ragdoll_create(world, def, VRM_ODE_DRIVE_DEFAULT, &ragdoll) != VRM_SUCCESS) {
                exit(1);
            }
            const double start = elapsed_seconds();
            for (int frame = 0; frame < FALL_FRAMES; ++frame) {
                vrm_ode_ragdoll_set_targets(ragdoll, &people.targets[i]);
                vrm_ode_world_step(world, 1.0f / 60.0f);
            }
            rounds[round] += (elapsed_seconds() - start) * 1e6 / (2.0 * FALL_FRAMES * FALLS);
            vrm_ode_world_destroy(world);
            vrm_ragdoll_solver_destroy(people.solvers[i]);
        }
    }
    return least(rounds, FALL_ROUNDS);
}
#else
static double time_ode_falls(const vrm_ragdoll_def *def)
{
    (void)def;
    return 0.0;
}
#endif

static double time_drive(const vrm_ragdoll_def *def)
{
    add_person(def, 0, true, 4.0f);
    vrm_ragdoll_drive_params input;
    vrm_ragdoll_drive_params_default(&input);
    input.def = def;
    input.states = people.places[0];
    input.targets = people.bodies[0];
    input.dt = 1.0f / 120.0f;
    vrm_ragdoll_wrench out[VRM_RAGDOLL_MAX_BODIES];
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = vrmi_platform_seconds();
        for (int i = 0; i < 50; ++i) {
            vrm_ragdoll_drive_torques(&input, out);
        }
        rounds[round] = (vrmi_platform_seconds() - start) * 1e6 / 50;
    }
    vrm_ragdoll_solver_destroy(people.solvers[0]);
    return least(rounds, ROUNDS);
}

// Returns the microseconds per ragdoll for MOST ragdolls with the same definition.
static double time_drive_lanes(const vrm_ragdoll_def *def)
{
    static vrm_ragdoll_drive_params inputs[MOST];
    static vrm_ragdoll_wrench wrenches[MOST][VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_wrench *out[MOST];
    const vrm_ragdoll_drive_params *given[MOST];
    for (uint32_t i = 0; i < MOST; ++i) {
        add_person(def, i, true, 4.0f);
        vrm_ragdoll_drive_params_default(&inputs[i]);
        inputs[i].def = def;
        inputs[i].states = people.places[i];
        inputs[i].targets = people.bodies[i];
        inputs[i].dt = 1.0f / 120.0f;
        out[i] = wrenches[i];
        given[i] = &inputs[i];
    }
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = vrmi_platform_seconds();
        vrm_ragdoll_drive_torques_many(given, out, MOST, (vrm_scratch){scratch, sizeof(scratch)});
        rounds[round] = (vrmi_platform_seconds() - start) * 1e6 / MOST;
    }
    for (uint32_t i = 0; i < MOST; ++i) {
        vrm_ragdoll_solver_destroy(people.solvers[i]);
    }
    return least(rounds, ROUNDS);
}

static double time_reading(const vrm_ragdoll_def *def)
{
    add_person(def, 0, true, 0.0f);
    vrm_ragdoll_solver_step(people.solvers[0], &people.targets[0], 0.019f); // not a whole number of steps
    const vrm_dvec3 origin = {0, 0, 0};
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = vrmi_platform_seconds();
        for (int i = 0; i < 50; ++i) {
            vrm_ragdoll_solver_get_states(people.solvers[0], &origin, states, VRM_RAGDOLL_MAX_BODIES);
        }
        rounds[round] = (vrmi_platform_seconds() - start) * 1e6 / 50;
    }
    vrm_ragdoll_solver_destroy(people.solvers[0]);
    return least(rounds, ROUNDS);
}

int main(int argc, char **argv)
{
    static vrm_ragdoll_def def = {.struct_size = sizeof def};
    const bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    if (!build_sample(&def)) {
        return 1;
    }
    const double one = time_falls(&def, FALLS, false), lanes = time_falls(&def, MOST, true);
    const double ode = time_ode_falls(&def); // 0: ODE is not available
    const struct {
        const char *name;
        double value;
    } rows[] = {
        {"step, in the air, one by one", time_steps(&def, 1, false, false, 0.0f)},
        {"step, on the ground, one by one", time_steps(&def, 1, false, true, 0.0f)},
        {"step, on the ground, driven, one by one", time_steps(&def, 1, false, true, 4.0f)},
        {"step, on the ground, one by one, of 100", time_steps(&def, MOST, false, true, 0.0f)},
        {"step, in the air, lanes, of 100", time_steps(&def, MOST, true, false, 0.0f)},
        {"step, on the ground, lanes, of 100", time_steps(&def, MOST, true, true, 0.0f)},
        {"torque drive for another engine", time_drive(&def)},
        {"torque drive for another engine, lanes, of 100", time_drive_lanes(&def)},
        {"states read and extrapolated", time_reading(&def)},
        {"step of a fall, one by one", one},
        {"step of a fall, lanes, of 100", lanes},
        {"step of a fall, ODE", ode},
        {"step of a fall, ODE / one by one", ode / one},
        {"step of a fall, ODE / lanes", ode / lanes},
    };
    printf(json ? "{" : "%u bodies, microseconds per ragdoll\n", def.body_count);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && rows[i].value > 0.0; ++i) {
        printf(json ? "%s\"%s\": %.3f" : "%s%-46s %8.2f\n", json && i != 0 ? ", " : "", rows[i].name, rows[i].value);
    }
    printf(json ? "}\n" : "");
    return 0;
}
