// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Falls in bulk: `ode_falls COUNT FIRST-SEED [FILE...]` lets the ragdolls of the sample and of each file fall COUNT
// times, in ODE and in the light solver with their defaults, at 60 Hz, from random poses. They are limp or have a spring of 2 to 20
// Hz. Every second fall gets impulses of up to 5 m/s times the total mass and 10 m/s times the mass of a hand or foot.
// Prints rows in Markdown. Exits with 1 if a state was not finite, or if ODE's results at the end exceed the suite's
// thresholds.

#include <vrm_ode/ode.h>

#include <stdlib.h>
#include <time.h>

#include "compare.h"
#include "ragdoll_falls.h"
#include "test.h"

static const vrm_dvec3 nowhere = {0, 0, 0};

typedef struct results {
    uint32_t count, early, asleep, lost;
    float *penetration, *drift, *violation, *energy;
    double seconds;
} results;

// The conditions that a seed determines in addition to the pose.
typedef struct plan {
    float frequency;
    bool hits;
    uint64_t random;
} plan;

static plan plan_of(uint32_t seed)
{
    plan p = {.hits = seed % 2 == 1, .random = vrmi_random_seeded(seed ^ 0x5bd1e995u)};
    p.frequency = seed % 4 < 2 ? 0.0f : fall_random(&p.random, 2.0f, 20.0f);
    return p;
}

// Gives an impulse after one second and after two.
static void plan_hit(plan *p, fall *f, const vrm_ragdoll_state *states, int frame, vrm_ragdoll_impulse *out)
{
    float total = 0.0f;
    for (uint32_t i = 0; i < f->def.body_count; ++i) {
        total += f->def.bodies[i].mass;
    }
    f->exchange.impulse_count = p->hits && (frame == 60 || frame == 120);
    if (f->exchange.impulse_count != 0) {
        const uint32_t body = vrmi_random_next(&p->random) % f->def.body_count;
        const float most = f->def.bodies[body].mass < 0.03f * total ? 10.0f * f->def.bodies[body].mass : 5.0f * total;
        const vrm_vec3 way = vrmi_quat_rotate(fall_turn(&p->random), vrmi_vec3(1, 0, 0));
        *out =
            (vrm_ragdoll_impulse){body, states[body].position, vrmi_vec3_scale(way, fall_random(&p->random, 0, most))};
        f->exchange.impulses = out;
    }
}

static void run_ode(const vrm_ragdoll_def *def, uint32_t seed, uint32_t k, results *out)
{
    vrm_ode_world *world;
    vrm_ode_ragdoll *ragdoll;
    vrm_ode_measure now = {.struct_size = sizeof now};
    vrm_ragdoll_impulse hit;
    fall f;
    plan p = plan_of(seed);
    bool early = false;
    fall_begin(&f, def, seed, p.frequency);
    if (vrm_ode_world_create(NULL, &world) != VRM_SUCCESS ||
        vrm_ode_ragdoll_create(world, def, VRM_ODE_DRIVE_DEFAULT, &ragdoll) != VRM_SUCCESS) {
        abort();
    }
    for (int frame = 0; frame < 600; ++frame) {
        vrm_ragdoll_state s[VRM_RAGDOLL_MAX_BODIES];
        vrm_ode_ragdoll_get_states(ragdoll, &nowhere, s, def->body_count);
        plan_hit(&p, &f, s, frame, &hit);
        // The figure is limp after three seconds, like a person who was knocked out.
        for (uint32_t i = 0; i < def->body_count; ++i) {
            f.targets[i].frequency = frame < 180 && i > 0 ? p.frequency : 0.0f;
        }
        vrm_ode_ragdoll_set_targets(ragdoll, &f.exchange);
        vrm_ode_world_step(world, 1.0f / 60.0f);
        early = early || (frame < 480 && vrm_ode_ragdoll_is_asleep(ragdoll));
    }
    vrm_ode_ragdoll_measure(ragdoll, &now);
    out->penetration[k] = now.penetration;
    out->drift[k] = now.joint_drift;
    out->violation[k] = now.limit_violation;
    out->energy[k] = now.kinetic;
    out->early += early;
    out->asleep += vrm_ode_ragdoll_is_asleep(ragdoll);
    out->lost += (vrm_ode_ragdoll_take_status(ragdoll) & VRM_ODE_NOT_FINITE) != 0;
    vrm_ode_world_destroy(world);
}

static float beyond(const vrm_ragdoll_def *def, const vrm_ragdoll_state *s)
{
    float most = 0.0f;
    for (uint32_t i = 1; i < def->body_count; ++i) {
        const vrm_ragdoll_joint *j = &def->bodies[i].joint;
        float a[3];
        vrm_ragdoll_get_joint_angles(j, s[def->bodies[i].parent].rotation, s[i].rotation, a);
        most = fmaxf(most, fmaxf(a[0] - j->max_angle, j->min_angle - a[0]));
        const float y = a[1] - j->center_y, z = a[2] - j->center_z;
        if (j->type == VRM_RAGDOLL_JOINT_CONE) {
            const float size = hypotf(y / j->swing_y, z / j->swing_z);
            most = fmaxf(most, size > 1.0f ? hypotf(y, z) * (1.0f - 1.0f / size) : 0.0f);
        }
    }
    return most;
}

static void run_light(const vrm_ragdoll_def *def, uint32_t seed, uint32_t k, results *out)
{
    vrm_ragdoll_solver_def params;
    vrm_ragdoll_solver *solver;
    vrm_ragdoll_energy energy = {.struct_size = sizeof energy};
    vrm_ragdoll_contact contacts[128];
    vrm_ragdoll_impulse hit;
    vrm_ragdoll_state s[VRM_RAGDOLL_MAX_BODIES];
    fall f;
    plan p = plan_of(seed);
    bool early = false;
    fall_begin(&f, def, seed, p.frequency);
    vrm_ragdoll_solver_def_default(&params);
    params.def = def;
    if (vrm_ragdoll_solver_create(&params, &solver) != VRM_SUCCESS) {
        abort();
    }
    for (int frame = 0; frame < 600; ++frame) {
        vrm_ragdoll_solver_get_states(solver, &nowhere, s, def->body_count);
        plan_hit(&p, &f, s, frame, &hit);
        for (uint32_t i = 0; i < def->body_count; ++i) {
            f.targets[i].frequency = frame < 180 && i > 0 ? p.frequency : 0.0f;
        }
        vrm_ragdoll_solver_step(solver, &f.exchange, 1.0f / 60.0f);
        early = early || (frame < 480 && vrm_ragdoll_solver_is_asleep(solver));
    }
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, def->body_count);
    vrm_ragdoll_solver_get_energy(solver, &energy);
    out->penetration[k] = out->drift[k] = 0.0f;
    const uint32_t count = vrm_ragdoll_solver_get_contacts(solver, contacts, 128);
    for (uint32_t i = 0; i < count && i < 128; ++i) {
        out->penetration[k] = fmaxf(out->penetration[k], -contacts[i].gap);
    }
    out->violation[k] = beyond(def, s);
    out->energy[k] = energy.kinetic;
    out->early += early;
    out->asleep += vrm_ragdoll_solver_is_asleep(solver);
    out->lost += (vrm_ragdoll_solver_get_status(solver) & VRM_RAGDOLL_SOLVER_NOT_FINITE) != 0;
    vrm_ragdoll_solver_destroy(solver);
}

// Prints the median and the largest value.
static void add_column(float *values, uint32_t count, double factor)
{
    qsort(values, count, sizeof *values, compare_floats);
    printf(" %.2f/%.2f |", factor * (double)values[count / 2], factor * (double)values[count - 1]);
}

static int run_engine(const char *name, const vrm_ragdoll_def *def, bool ode, uint32_t count, uint32_t first)
{
    float *room = calloc((size_t)count * 4, sizeof *room);
    results r = {.count = count,
        .penetration = room,
        .drift = room + count,
        .violation = room + 2 * count,
        .energy = room + 3 * count};
    const clock_t start = clock();
    for (uint32_t k = 0; k < count; ++k) {
        if (ode) {
            run_ode(def, first + k, k, &r);
        } else {
            run_light(def, first + k, k, &r);
        }
    }
    const double micro = 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / (600.0 * count);
    printf("| %s | %s | %u |", name, ode ? "ODE" : "light", count);
    add_column(r.penetration, count, 1000.0);
    add_column(r.drift, count, 1000.0);
    add_column(r.violation, count, 57.29578);
    add_column(r.energy, count, 1.0);
    printf(" %.1f %% | %.1f %% | %u | %.1f |\n", 100.0 * r.early / count, 100.0 * r.asleep / count, r.lost, micro);
    const int bad = r.lost != 0 || (ode && (r.penetration[count / 2] >= 0.005f || r.drift[count / 2] >= 0.002f ||
                                               r.violation[count / 2] >= 0.0873f || r.energy[count / 2] >= 0.1f));
    free(room);
    return bad;
}

static int run_avatar(const char *path, uint32_t count, uint32_t first)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    bool good = path == NULL && fall_sample(&def);
    if (path != NULL && vrm_gltf_load_file(NULL, path, NULL, &gltf) == VRM_SUCCESS &&
        vrm_avatar_import(NULL, gltf, NULL, &avatar) == VRM_SUCCESS) {
        good = vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &def) == VRM_SUCCESS;
    }
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = path == NULL ? "the sample" : slash != NULL ? slash + 1 : path;
    if (!good) {
        printf("| %s | no humanoid | |\n", name);
        return 0;
    }
    return run_engine(name, &def, true, count, first) + run_engine(name, &def, false, count, first);
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000, first = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
    if (count == 0) {
        return 0;
    }
    printf("| avatar | engine | falls | penetration mm | drift mm | beyond limits, degrees | J | asleep 5 s after the "
           "last spring | at 10 s |"
           " not finite | us per frame |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    int bad = run_avatar(NULL, count, first);
    for (int i = 3; i < argc; ++i) {
        bad += run_avatar(argv[i], count, first);
    }
    return bad != 0;
}
