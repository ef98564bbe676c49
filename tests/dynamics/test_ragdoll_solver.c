// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The light solver, compared with closed forms, an accurate integration of pendulums and conservation laws; and the
// required outcomes of a person's falls. Definitions are written by hand (ragdoll_figure.h).

#include "../dynamics/solver.h"
#include "hash.h"
#include "ragdoll_fall.h"
#include "test.h"

#include <stdlib.h>

static const vrm_dvec3 nowhere = {0.0, 0.0, 0.0};

static vrm_ragdoll_solver *make(const vrm_ragdoll_def *def, void (*change)(vrm_ragdoll_solver_def *))
{
    vrm_ragdoll_solver_def params;
    vrm_ragdoll_solver_def_default(&params);
    params.def = def;
    if (change != NULL) {
        change(&params);
    }
    vrm_ragdoll_solver *solver = NULL;
    CHECK_INT(vrm_ragdoll_solver_create(&params, &solver), VRM_SUCCESS);
    return solver;
}

// --- rods ----------------------------------------------------------------------------------------------------------

// Builds a fixed body and `count` rods of 1 m that hang on each other by hinges about Z: a pendulum in the XY plane.
static void rods(vrm_ragdoll_def *def, uint32_t count, vrm_ragdoll_joint_type joint)
{
    memset(def, 0, sizeof(*def));
    def->struct_size = sizeof(*def);
    def->body_count = count + 1;
    def->height = (float)count;
    for (uint32_t i = 0; i <= count; ++i) {
        vrm_ragdoll_body *b = &def->bodies[i];
        b->bone = (vrm_human_bone)i;
        b->parent = (int32_t)i - 1;
        b->shape = (vrm_ragdoll_shape){VRM_RAGDOLL_SHAPE_CAPSULE, {0, -0.5f, 0}, {0, 0, 0, 1}, 0.05f, 0.45f, {0, 0, 0}};
        b->mass = i == 1 ? 2.0f : 1.0f;
        b->center_of_mass = (vrm_vec3){0, -0.5f, 0};
        b->inertia_rotation = (vrm_quat){0, 0, 0, 1};
        b->inertia = (vrm_vec3){b->mass / 12, 0.001f, b->mass / 12};
        b->no_contact = ~(uint64_t)0;
        b->joint = (vrm_ragdoll_joint){.type = i == 0 ? VRM_RAGDOLL_JOINT_FREE : joint, .frame = {0, 0, 0, 1}};
        if (i != 0) {
            const float half = 0.70710678f;
            b->joint.anchor = (vrm_vec3){0, i == 1 ? 0.0f : -1.0f, 0};
            b->joint.frame =
                joint == VRM_RAGDOLL_JOINT_HINGE ? (vrm_quat){0, -half, 0, half} : (vrm_quat){0, 0, -half, half};
            b->joint.swing_y = b->joint.swing_z = 3.1f;
            b->joint.min_angle = -3.1f;
            b->joint.max_angle = 3.1f;
        }
    }
    for (uint32_t i = 0; i <= count; ++i) {
        def->bodies[i].no_contact &= (((uint64_t)1 << def->body_count) - 1) & ~((uint64_t)1 << i);
    }
}

static void free_of_friction(vrm_ragdoll_solver_def *params)
{
    params->step = 1.0f / 480.0f;
    params->joint_friction = 0.0f;
    params->ground = false;
    params->sleep = false;
}

static vrm_quat about_z(double angle)
{
    return (vrm_quat){0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
}

static double angle_of(vrm_quat q)
{
    return 2.0 * atan2((double)q.z, (double)q.w);
}

// Sets the states of rods at angles from straight down.
static void hang(const vrm_ragdoll_def *def, const double *angles, vrm_ragdoll_state *out)
{
    memset(out, 0, def->body_count * sizeof(*out));
    for (uint32_t i = 0; i < def->body_count; ++i) {
        out[i].rotation = i == 0 ? (vrm_quat){0, 0, 0, 1} : about_z(angles[i - 1]);
        if (i > 1) {
            out[i].position.x = out[i - 1].position.x + (float)sin(angles[i - 2]);
            out[i].position.y = out[i - 1].position.y - (float)cos(angles[i - 2]);
        }
    }
}

// Computes the rates of two rods by Lagrange's equations. Masses 2 and 1, length 1, moments of inertia 1/12 of the
// mass.
static void two_rods(const double s[4], double d[4])
{
    const double g = (double)9.81f, m1 = 2, m2 = 1, delta = s[0] - s[1];
    const double a = m1 / 3 + m2, b = m2 / 2 * cos(delta), c = m2 / 3;
    const double p = -m2 / 2 * sin(delta) * s[3] * s[3] - (m1 / 2 + m2) * g * sin(s[0]);
    const double q = m2 / 2 * sin(delta) * s[2] * s[2] - m2 / 2 * g * sin(s[1]);
    d[0] = s[2];
    d[1] = s[3];
    d[2] = (p * c - b * q) / (a * c - b * b);
    d[3] = (a * q - b * p) / (a * c - b * b);
}

static void one_rod(const double s[4], double d[4])
{
    const double rate = -1.5 * (double)9.81f * sin(s[0]);
    d[0] = s[2];
    d[1] = 0;
    d[2] = rate;
    d[3] = 0;
}

static void runge_kutta(void (*f)(const double *, double *), double s[4], double h)
{
    double k[4][4], at[4];
    for (int stage = 0; stage < 4; ++stage) {
        for (int i = 0; i < 4; ++i) {
            at[i] = s[i] + (stage == 0 ? 0.0 : (stage == 3 ? h : h / 2) * k[stage - 1][i]);
        }
        f(at, k[stage]);
    }
    for (int i = 0; i < 4; ++i) {
        s[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static void swing_rods(uint32_t count, vrm_ragdoll_joint_type joint, double seconds, double tolerance)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    rods(&def, count, joint);
    vrm_ragdoll_solver *solver = make(&def, free_of_friction);
    const double start[2] = {1.0, 1.5};
    vrm_ragdoll_state states[3];
    hang(&def, start, states);
    figure_targets t;
    figure_hold(&t, &def, states);
    t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    double s[4] = {start[0], start[1], 0, 0}, worst = 0;
    for (int frame = 1; frame <= (int)(seconds * 60); ++frame) {
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 60.0f);
        for (int i = 0; i < 100; ++i) {
            runge_kutta(count == 1 ? one_rod : two_rods, s, 1.0 / 6000);
        }
        vrm_ragdoll_solver_get_states(solver, &nowhere, states, 3);
        for (uint32_t i = 0; i < count; ++i) {
            const double off = fabs(angle_of(states[i + 1].rotation) - s[i]);
            worst = off > worst ? off : worst;
        }
    }
    CHECK_NEAR(worst, 0.0, tolerance);
    vrm_ragdoll_solver_destroy(solver);
}

static void a_pendulum_swings_as_it_must(void)
{
    swing_rods(1, VRM_RAGDOLL_JOINT_HINGE, 1.0, 0.02);
    swing_rods(1, VRM_RAGDOLL_JOINT_CONE, 1.0, 0.02);
}

static void a_double_pendulum_swings_as_it_must(void)
{
    swing_rods(2, VRM_RAGDOLL_JOINT_HINGE, 1.0, 0.04);
    swing_rods(2, VRM_RAGDOLL_JOINT_CONE, 1.0, 0.04);
}

// A driven rod follows x'' = -w^2 x - 2 w x' (critical damping), so x = (1 + w t) e^(-w t), whatever its mass.
static void the_drive_answers_as_its_frequency_says(void)
{
    for (int heavy = 0; heavy < 2; ++heavy) {
        for (int kind = 0; kind < 2; ++kind) {
            vrm_ragdoll_def def = {.struct_size = sizeof def};
            rods(&def, 1, kind == 0 ? VRM_RAGDOLL_JOINT_HINGE : VRM_RAGDOLL_JOINT_CONE);
            const float scale = heavy == 0 ? 0.01f : 10.0f;
            def.bodies[1].mass *= scale;
            def.bodies[1].inertia = (vrm_vec3){
                def.bodies[1].inertia.x * scale, def.bodies[1].inertia.y * scale, def.bodies[1].inertia.z * scale};
            vrm_ragdoll_solver *solver = make(&def, free_of_friction);
            const double angle = 1.0, none = 0.0;
            vrm_ragdoll_state states[2], wanted[2];
            hang(&def, &angle, states);
            hang(&def, &none, wanted);
            figure_targets t;
            figure_hold(&t, &def, wanted);
            t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
            t.bodies[1].frequency = 1.0f;
            t.targets.places = states;
            double worst = 0;
            solver->params.gravity = (vrm_vec3){0, 0, 0};
            for (int frame = 1; frame <= 60; ++frame) {
                vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 60.0f);
                vrm_ragdoll_solver_get_states(solver, &nowhere, states, 2);
                const double w = 2 * 3.14159265358979 * frame / 60.0;
                const double off = fabs(angle_of(states[1].rotation) - (1 + w) * exp(-w));
                worst = off > worst ? off : worst;
            }
            CHECK_NEAR(worst, 0.0, 0.015);
            vrm_ragdoll_solver_destroy(solver);
        }
    }
}

// --- the person ----------------------------------------------------------------------------------------------------

static void tumbling(vrm_ragdoll_solver_def *params)
{
    params->joint_friction = 0.0f;
    params->ground = params->self_contact = params->sleep = false;
    params->gravity = (vrm_vec3){0, 0, 0};
}

// Without external forces, momentum and angular momentum are conserved and the centre of mass moves in a straight line.
// The step's dissipation reduces the energy, more so at joint limits.
static void a_free_body_keeps_what_it_must(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    figure_person(&def);
    uint64_t seed = vrmi_random_seeded(3);
    vrm_ragdoll_solver *solver = make(&def, tumbling);
    vrm_ragdoll_state states[16];
    random_pose(&def, &seed, (vrm_vec3){0, 2, 0}, 1.0f, states);
    for (uint32_t i = 0; i < 16; ++i) {
        states[i].angular_velocity = (vrm_vec3){3, 1, 2};
        states[i].linear_velocity = (vrm_vec3){1, 0.5f, -0.3f};
    }
    figure_targets t;
    figure_hold(&t, &def, states);
    vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 120.0f); // after this step the given states satisfy the joints
    vrm_ragdoll_energy first = {.struct_size = sizeof first}, last = {.struct_size = sizeof last};
    vrm_ragdoll_solver_get_energy(solver, &first);
    for (int frame = 0; frame < 24; ++frame) {
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 120.0f);
        vrm_ragdoll_solver_get_energy(solver, &last);
        CHECK(last.kinetic <= first.kinetic * 1.0001f);
    }
    CHECK(last.kinetic > first.kinetic * 0.9f);
    CHECK_NEAR(last.momentum.x, first.momentum.x, 2e-3);
    CHECK_NEAR(last.momentum.y, first.momentum.y, 2e-3);
    CHECK_NEAR(last.momentum.z, first.momentum.z, 2e-3);
    CHECK_NEAR(last.angular_momentum.x, first.angular_momentum.x, 0.02);
    CHECK_NEAR(last.angular_momentum.y, first.angular_momentum.y, 0.02);
    CHECK_NEAR(last.angular_momentum.z, first.angular_momentum.z, 0.02);
    const vrm_dvec3 was = first.center_of_mass, is = last.center_of_mass;
    CHECK_NEAR(is.x - was.x, 0.2 * (double)first.momentum.x / 55.0, 1e-5);
    CHECK_NEAR(is.y - was.y, 0.2 * (double)first.momentum.y / 55.0, 1e-5);
    CHECK_NEAR(is.z - was.z, 0.2 * (double)first.momentum.z / 55.0, 1e-5);
    vrm_ragdoll_solver_destroy(solver);
}

static void what_falls_lies_still_soon(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    figure_person(&def);
    int early = 0, falls = 0;
    for (uint32_t i = 1; i <= 20; i += TEST_SHARE, ++falls) {
        const fall f = let_fall(&def, &(fall_case){.seed = i, .hertz = 120, .scale = 1, .blow = (fall_blow)(i % 3)});
        CHECK_INT(f.status, 0);
        CHECK(f.slept >= 0);
        CHECK(f.penetration < 0.005f);
        CHECK(f.kinetic < 0.1f);
        CHECK(f.rise < 0.01f);
        CHECK(f.limit < 0.087f);
        early += f.slept >= 0 && f.slept <= 5 ? 1 : 0;
    }
    CHECK(early * 10 >= falls * 9);
}

static void falls_of_driven_small_and_tall_ones(void)
{
    const fall_case falls[] = {{.hertz = 120, .scale = 1, .frequency = 2}, {.hertz = 120, .scale = 1, .frequency = 8},
        {.hertz = 120, .scale = 1, .frequency = 20}, {.hertz = 120, .scale = 0.19f},
        {.hertz = 120, .scale = 0.19f, .frequency = 4}, {.hertz = 120, .scale = 1.9f},
        {.hertz = 120, .scale = 1.9f, .frequency = 20}, {.hertz = 60, .scale = 1, .frequency = 4}};
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    figure_person(&def);
    for (uint32_t i = 0; i < sizeof(falls) / sizeof(falls[0]); ++i) {
        fall_case one = falls[i];
        one.seed = 100 + i;
        one.blow = FALL_BLOW_LIMB;
        const fall f = let_fall(&def, &one);
        CHECK_INT(f.status, 0);
        CHECK(f.slept >= 0);
        CHECK(f.penetration < 0.005f);
    }
}

#define FALL_HASH 0xffc3c21f54d478f2u

enum { FALLING = 11 }; // one full set of lanes and three more

// Makes one of many people that differ in height, scale, drive, strength, pins, held hands, impulses, shapes, steps and
// feet.
static vrm_ragdoll_solver *make_one_of_many(uint32_t i, vrm_ragdoll_def *def, uint64_t *seed, figure_targets *t)
{
    figure_person(def);
    def->bodies[14].shape.half_extents.x *= 1.0f + 0.1f * (float)(i % 3);
    if (i % 4 == 1) {
        def->bodies[15].shape.type = VRM_RAGDOLL_SHAPE_CAPSULE;
        def->bodies[15].shape.radius = def->bodies[15].shape.half_length = 0.04f;
    }
    vrm_ragdoll_solver_def params;
    vrm_ragdoll_solver_def_default(&params);
    params.def = def;
    params.step = i == 5 ? 1.0f / 60.0f : params.step;
    vrm_ragdoll_solver *solver = NULL;
    CHECK_INT(vrm_ragdoll_solver_create(&params, &solver), VRM_SUCCESS);
    const float scale = i == 3 ? 0.5f : 1.0f;
    vrm_ragdoll_state states[16];
    random_pose(def, seed, (vrm_vec3){0, 1.0f + 0.1f * (float)i, 0}, scale, states);
    figure_hold(t, def, states);
    t->targets.root.scale = scale;
    for (uint32_t k = 1; k < 16; ++k) {
        t->bodies[k].frequency = i % 3 == 0 ? 3.0f : 0.0f;
        t->bodies[k].max_torque = i % 2 == 0 ? 20.0f : 0.0f;
        t->bodies[k].state.angular_velocity = (vrm_vec3){i == 6 ? 0.5f : 0.0f, 0, 0};
        t->bodies[k].rotation_weight = 0.3f;
    }
    t->bodies[3].pin_frequency = i == 9 ? 2.0f : 0.0f;
    for (uint32_t k = 0; i == 0 && k < 16; ++k) {
        t->bodies[k].load = 0.1f * (float)(k % 8);
        t->bodies[k].linear_acceleration.y = t->bodies[k].angular_acceleration.x = 0.5f * (float)(k % 3);
    }
    t->bodies[9].motion = i == 7 ? VRM_RAGDOLL_MOTION_KINEMATIC : VRM_RAGDOLL_MOTION_DYNAMIC;
    t->targets.drive = i == 2 ? VRM_RAGDOLL_DRIVE_VELOCITY : VRM_RAGDOLL_DRIVE_TORQUE;
    if (i == 4) {
        vrm_ragdoll_world_shape_def ball;
        vrm_ragdoll_world_shape_def_default(&ball);
        ball.type = VRM_RAGDOLL_WORLD_SPHERE;
        CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &ball), VRM_SUCCESS);
    }
    return solver;
}

// Returns a hash of the motion of several people in different poses. Without a kernel they run one after the other.
static uint64_t fall_together(const vrmi_step_kernel *kernel, uint32_t frames)
{
    static vrm_ragdoll_def defs[FALLING];
    static figure_targets t[FALLING];
    vrm_ragdoll_solver *solvers[FALLING];
    const vrm_ragdoll_targets *targets[FALLING];
    uint64_t seed = vrmi_random_seeded(77), hash = HASH_OF_NOTHING;
    for (uint32_t i = 0; i < FALLING; ++i) {
        solvers[i] = make_one_of_many(i, &defs[i], &seed, &t[i]);
        targets[i] = &t[i].targets;
    }
    const size_t size = vrm_ragdoll_solver_get_scratch_size(16);
    void *memory = malloc(size + 64);
    void *scratch = (char *)memory + (64 - (uintptr_t)memory % 64);
    memset(scratch, 0xff, size); // bytes that are not written stay NaN
    vrm_ragdoll_impulse blow = {.body = 9, .impulse = {3, 5, 0}};
    for (uint32_t frame = 0; frame < frames; ++frame) {
        t[8].targets.impulses = &blow;
        t[8].targets.impulse_count = frame % 100 == 50 ? 1 : 0;
        vrm_vec3 anchors[16];
        for (uint32_t k = 0; k < 16; ++k) {
            anchors[k] = defs[6].bodies[k].joint.anchor;
            anchors[k].y += 0.01f * (float)(frame % 20 < 10 ? frame % 10 : 10 - frame % 10);
        }
        t[6].targets.anchors = frame > 30 ? anchors : NULL;
        vrmi_solver_step_many(kernel, solvers, targets, FALLING, frame % 7 == 3 ? 0.011f : 1.0f / 60.0f, scratch, size);
        for (uint32_t i = 0; i < FALLING; ++i) {
            vrm_ragdoll_state states[16];
            vrm_ragdoll_solver_get_states(solvers[i], &nowhere, states, 16);
            hash = hash_more(hash, states, sizeof(states));
        }
    }
    free(memory);
    for (uint32_t i = 0; i < FALLING; ++i) {
        CHECK_INT(vrm_ragdoll_solver_get_status(solvers[i]), 0);
        vrm_ragdoll_solver_destroy(solvers[i]);
    }
    return hash;
}

static void bits_are_the_same_everywhere(void)
{
    const uint32_t frames = 600 / TEST_SHARE;
    const uint64_t alone = fall_together(NULL, frames);
    for (int path = VRMI_STEP_PATH_SCALAR; path <= VRMI_STEP_PATH_BEST; ++path) {
        const vrmi_step_kernel *kernel = vrmi_step_lanes((vrmi_step_path)path);
        CHECK(kernel == NULL || fall_together(kernel, frames) == alone);
    }
    if (TEST_SHARE == 1) {
        if (alone != FALL_HASH) {
            printf("hash 0x%016llxu\n", (unsigned long long)alone);
        }
        CHECK(alone == FALL_HASH);
    }
}

static const test_case cases[] = {
    {"a_pendulum_swings_as_it_must", a_pendulum_swings_as_it_must},
    {"a_double_pendulum_swings_as_it_must", a_double_pendulum_swings_as_it_must},
    {"the_drive_answers_as_its_frequency_says", the_drive_answers_as_its_frequency_says},
    {"a_free_body_keeps_what_it_must", a_free_body_keeps_what_it_must},
    {"what_falls_lies_still_soon", what_falls_lies_still_soon},
    {"falls_of_driven_small_and_tall_ones", falls_of_driven_small_and_tall_ones},
    {"bits_are_the_same_everywhere", bits_are_the_same_everywhere},
};

RUN_TESTS(cases)
