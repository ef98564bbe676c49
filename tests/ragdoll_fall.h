// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_FALL_H
#define TESTS_RAGDOLL_FALL_H

// Falls in the light solver from a random pose, with a blow on the way, and what came of them. Shared by the suite and
// the campaign.

#include "math/quat.h"
#include "math/random.h"
#include "ragdoll_figure.h"

#include <vrm/ragdoll_solver.h>

#include <math.h>

static vrm_vec3 random_vector(uint64_t *seed, float size)
{
    const float x = vrmi_random_unit(seed), y = vrmi_random_unit(seed), z = vrmi_random_unit(seed);
    return (vrm_vec3){size * (2 * x - 1), size * (2 * y - 1), size * (2 * z - 1)};
}

// A pose inside the joints' limits, the hips anyhow, at rest.
static void random_pose(const vrm_ragdoll_def *def, uint64_t *seed, vrm_vec3 hips, float scale, vrm_ragdoll_state *out)
{
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_ragdoll_joint *j = &def->bodies[i].joint;
        vrm_quat q;
        if (j->type == VRM_RAGDOLL_JOINT_HINGE) {
            q = vrmi_quat_from_axis_angle((vrm_vec3){1, 0, 0}, 0.8f * vrmi_random_unit(seed) * j->max_angle);
        } else {
            q = vrmi_quat_from_vector(random_vector(seed, i == 0 ? 3.0f : 0.4f * fminf(j->swing_y, j->swing_z)));
        }
        const vrm_quat local = vrmi_quat_mul(vrmi_quat_mul(j->frame, q), vrmi_quat_conjugate(j->frame));
        out[i] = (vrm_ragdoll_state){.position = hips, .rotation = local};
        if (i != 0) {
            const vrm_ragdoll_state *p = &out[def->bodies[i].parent];
            out[i].rotation = vrmi_quat_mul(p->rotation, local);
            out[i].position =
                vrmi_vec3_add(p->position, vrmi_quat_rotate(p->rotation, vrmi_vec3_scale(j->anchor, scale)));
        }
    }
}

typedef enum fall_blow {
    FALL_BLOW_NONE,
    FALL_BLOW_LIMB, // up to 10 m/s times the mass of the body that it hits
    FALL_BLOW_TRUNK // up to 5 m/s times the whole mass, on one of the three first bodies
} fall_blow;

typedef struct fall_case {
    uint32_t seed;
    float hertz;     // steps per second
    float scale;     // of the root
    float frequency; // of the drive, which holds the first pose; 0: limp
    fall_blow blow;
} fall_case;

typedef struct fall {
    float slept;             // seconds, -1: not within 10
    float peak, penetration; // deepest in the world on the way and at the end, metres
    float kinetic;           // at the end, joules
    float rise;              // of the energy above start and work, relative to the start
    float limit;             // worst excess of a joint's limits at the end, radians
    uint32_t status;
} fall;

static inline float fall_penetration(const vrm_ragdoll_solver *solver)
{
    vrm_ragdoll_contact contacts[256];
    const uint32_t count = vrm_ragdoll_solver_get_contacts(solver, contacts, 256);
    float deepest = 0;
    for (uint32_t i = 0; i < count && i < 256; ++i) {
        deepest = contacts[i].other < 0 ? fmaxf(deepest, -contacts[i].gap) : deepest;
    }
    return deepest;
}

static inline float fall_limit(const vrm_ragdoll_def *def, const vrm_ragdoll_state *states)
{
    float worst = 0;
    for (uint32_t i = 1; i < def->body_count; ++i) {
        const vrm_ragdoll_joint *j = &def->bodies[i].joint;
        float a[3];
        vrm_ragdoll_joint_angles(j, states[def->bodies[i].parent].rotation, states[i].rotation, a);
        worst = fmaxf(worst, fmaxf(j->min_angle - a[0], a[0] - j->max_angle));
        if (j->type == VRM_RAGDOLL_JOINT_CONE) {
            const float y = (a[1] - j->center_y) / j->swing_y, z = (a[2] - j->center_z) / j->swing_z;
            worst = fmaxf(worst, (sqrtf(y * y + z * z) - 1) * fminf(j->swing_y, j->swing_z));
        }
    }
    return worst;
}

static inline vrm_ragdoll_impulse fall_hit(const vrm_ragdoll_def *def, const fall_case *c, uint64_t *seed, float mass)
{
    vrm_ragdoll_impulse hit = {0};
    const vrm_vec3 way = random_vector(seed, 0.57735f);
    const float volume = c->scale * c->scale * c->scale;
    if (c->blow == FALL_BLOW_TRUNK) {
        hit.body = vrmi_random_next(seed) % 3;
        hit.impulse = vrmi_vec3_scale(way, 5 * mass * volume);
    } else if (c->blow == FALL_BLOW_LIMB) {
        hit.body = vrmi_random_next(seed) % def->body_count;
        hit.impulse = vrmi_vec3_scale(way, 10 * def->bodies[hit.body].mass * volume);
    }
    return hit;
}

// From 1 m above where it would stand, the blow after two thirds of a second.
static inline fall let_fall(const vrm_ragdoll_def *def, const fall_case *c)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    uint64_t seed = vrmi_random_seeded(c->seed);
    fall f = {.slept = -1};
    vrm_ragdoll_solver_params params;
    vrm_ragdoll_solver_params_default(&params);
    params.def = def;
    params.step = 1.0f / c->hertz;
    vrm_ragdoll_solver *solver = NULL;
    if (vrm_ragdoll_solver_create(&params, &solver) != VRM_SUCCESS) {
        f.status = 0xffffffffu;
        return f;
    }
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    random_pose(def, &seed, (vrm_vec3){0, (0.56f * def->height + 1.0f) * c->scale, 0}, c->scale, states);
    figure_targets t;
    figure_hold(&t, def, states);
    t.targets.root.scale = c->scale;
    float start = 0, work = 0, most = 0, mass = 0;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        t.bodies[i].frequency = i != 0 ? c->frequency : 0;
        mass += def->bodies[i].mass;
    }
    for (int frame = 0; frame < 600 && f.slept < 0; ++frame) {
        vrm_ragdoll_energy e;
        if (frame == 40) {
            vrm_ragdoll_impulse hit = fall_hit(def, c, &seed, mass);
            vrm_ragdoll_solver_get_energy(solver, &e);
            const float before = e.kinetic + e.potential;
            vrm_ragdoll_solver_get_states(solver, origin, states, def->body_count);
            hit.point = states[hit.body].position;
            t.targets.impulses = &hit;
            t.targets.impulse_count = 1;
            vrm_ragdoll_solver_step(solver, &t.targets, params.step); // one step, whose work can be told
            t.targets.impulse_count = 0;
            vrm_ragdoll_solver_get_energy(solver, &e);
            work = fmaxf(e.kinetic + e.potential - before, 0.0f);
        }
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 60.0f);
        vrm_ragdoll_solver_get_energy(solver, &e);
        const float energy = e.kinetic + e.potential;
        start = frame == 0 ? energy : start;
        most = frame == 0 || energy - work > most ? energy - work : most;
        f.kinetic = e.kinetic;
        f.slept = vrm_ragdoll_solver_is_asleep(solver) ? (float)frame / 60.0f : -1.0f;
        f.penetration = fall_penetration(solver);
        f.peak = fmaxf(f.peak, f.penetration);
    }
    f.rise = (most - start) / (start + work);
    vrm_ragdoll_solver_get_states(solver, origin, states, def->body_count);
    f.limit = fall_limit(def, states);
    f.status = vrm_ragdoll_solver_get_status(solver);
    vrm_ragdoll_solver_destroy(solver);
    return f;
}

#endif
