// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The light solver as a host uses it: time, positions, the world's shapes, sleep, snapshots, bad input.

#include "../dynamics/solver.h"
#include "ragdoll_solver_fixture.h"

#include <stdlib.h>

// --- time ----------------------------------------------------------------------------------------------------------

// Writes the state of a driven figure after one second. The figure is pushed after half a second.
static void at_frame_rate(int rate, vrm_ragdoll_state *out)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    figure_targets t;
    stand(&t, 2, 4);
    t.bodies[0].pin_frequency = 4;
    for (int frame = 0; frame < rate; ++frame) {
        vrm_ragdoll_impulse push = {.body = 2, .point = {0, 2.3f, 0.1f}, .impulse = {0, 0, -40}};
        t.targets.impulses = &push;
        t.targets.impulse_count = 2 * frame == rate ? 1 : 0;
        // The hips move forward; targets are those of the frame's end.
        for (uint32_t i = 0; i < 16; ++i) {
            t.bodies[i].state.linear_velocity.z = 1;
            t.bodies[i].state.position.z += 1.0f / (float)rate;
        }
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / (float)rate);
    }
    vrm_ragdoll_solver_get_states(solver, &nowhere, out, 16);
    vrm_ragdoll_solver_destroy(solver);
}

static void frame_rates_agree(void)
{
    vrm_ragdoll_state reference[16], other[16];
    at_frame_rate(120, reference);
    const int rates[] = {30, 60, 144, 90};
    for (int k = 0; k < 4; ++k) {
        at_frame_rate(rates[k], other);
        for (uint32_t i = 0; i < 16; ++i) {
            CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(other[i].position, reference[i].position)), 0, 0.02);
            CHECK(angle_between(other[i].rotation, reference[i].rotation) < 0.06);
        }
    }
}

static void long_frames_are_cut(void)
{
    vrm_ragdoll_solver *solver = make(NULL);
    figure_targets t;
    stand(&t, 3, 0);
    vrm_ragdoll_solver_step(solver, &t.targets, 5.0f);
    CHECK_INT(vrm_ragdoll_solver_get_status(solver), VRM_RAGDOLL_SOLVER_TIME_CLAMPED);
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    CHECK(s[0].position.y > 2.5f); // it fell only for a quarter of a second
    vrm_ragdoll_solver_clear_status(solver);
    CHECK_INT(vrm_ragdoll_solver_get_status(solver), 0);
    vrm_ragdoll_solver_destroy(solver);
}

// --- places --------------------------------------------------------------------------------------------------------

static void far_away_is_the_same(void)
{
    vrm_ragdoll_state near[16] = {{.rotation = {0, 0, 0, 1}}}, far[16] = {{.rotation = {0, 0, 0, 1}}};
    for (int k = 0; k < 2; ++k) {
        vrm_ragdoll_solver *solver = make(no_ground);
        figure_targets t;
        stand(&t, 2, 3);
        const double there = k == 0 ? 0.0 : 1.0e6;
        t.targets.origin = (vrm_dvec3){there, there, there};
        run(solver, &t, 60);
        vrm_ragdoll_solver_get_states(solver, &t.targets.origin, k == 0 ? near : far, 16);
        vrm_ragdoll_solver_destroy(solver);
    }
    CHECK(memcmp(near, far, sizeof(near)) == 0);
}

// The root moves by 100 m with a body attached to it. The solver's origin follows.
static void the_origin_follows(void)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    figure_targets t;
    stand(&t, 2, 6);
    t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    for (uint32_t i = 0; i < 16; ++i) {
        t.bodies[i].state.linear_velocity.x = 10;
    }
    for (int frame = 0; frame < 600; ++frame) {
        t.targets.origin.x += 10.0 / 60;
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 60.0f);
    }
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, &t.targets.origin, s, 16);
    CHECK_NEAR(s[0].position.x, 0, 1e-3);
    CHECK_NEAR(s[3].linear_velocity.x, 10, 0.05);
    CHECK_NEAR(s[3].position.x, 0, 0.02);
    vrm_ragdoll_solver_destroy(solver);
}

// If the target pose violates limits, the ground or self-contacts, these constraints give way as far as the drive bears
// the load. Tested with a knee bent the wrong way and off its axis, feet below the ground, and crossed hands. For a
// body that is no longer driven the constraints apply in full.
static void limits_and_contacts_make_way_for_the_target(void)
{
    for (int led = 0; led < 2; ++led) {
        vrm_ragdoll_solver *solver = make(NULL);
        figure_targets t;
        stand(&t, 0.87f, 4); // soles 3 cm below the ground
        t.bodies[0].pin_frequency = 6;
        const vrm_quat bent = vrmi_quat_mul(
            vrmi_quat_from_vector((vrm_vec3){0, 0.15f, 0}), vrmi_quat_from_vector((vrm_vec3){-0.2f, 0, 0}));
        const vrm_vec3 knee = t.bodies[12].state.position;
        t.bodies[12].state.rotation = bent;
        t.bodies[14].state.rotation = bent;
        t.bodies[14].state.position =
            vrmi_vec3_add(knee, vrmi_quat_rotate(bent, vrmi_vec3_sub(t.bodies[14].state.position, knee)));
        const float load = led ? 1.0f : 0.0f;
        vrm_ragdoll_state places[16], s[16];
        for (uint32_t i = 0; i < 16; ++i) {
            t.bodies[i].load = load;
            places[i] = t.bodies[i].state;
        }
        t.targets.places = places;
        run(solver, &t, 120);
        vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
        double off = 0.0;
        for (uint32_t i = 10; i < 16; ++i) {
            off = fmax(off, angle_between(s[i].rotation, t.bodies[i].state.rotation));
        }
        CHECK(led ? off < 0.01 : off > 0.1);
        CHECK(led ? s[15].position.y < 0.075f : s[15].position.y > 0.08f);
        // From here on the figure is limp, and the hinge slowly removes its bend off the axis.
        for (uint32_t i = 0; led && i < 16; ++i) {
            t.bodies[i].load = t.bodies[i].frequency = t.bodies[i].pin_frequency = 0.0f;
        }
        if (led) {
            run(solver, &t, 1);
            vrm_ragdoll_state next[16];
            vrm_ragdoll_solver_get_states(solver, &nowhere, next, 16);
            CHECK(angle_between(next[12].rotation, s[12].rotation) < 0.08);
        }
        vrm_ragdoll_solver_destroy(solver);
    }
}

// At the end of a frame of any length a joint is at its anchor, even if the frame ends between steps. Only internal
// forces move the joint there: in free fall nothing pushes the whole body.
static void a_joint_goes_with_its_anchor(void)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    figure_targets t;
    stand(&t, 2, 0);
    vrm_ragdoll_state states[16];
    figure_t_pose(&person, (vrm_vec3){0, 2, 0}, states);
    vrm_ragdoll_solver_put(solver, &t.targets, states);
    vrm_vec3 anchors[16];
    vrm_ragdoll_energy before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    double time = 0.0, rise = 0.0;
    vrm_ragdoll_solver_get_energy(solver, &before);
    t.targets.anchors = anchors;
    t.targets.moved = 0; // as put
    for (int frame = 0; frame < 60; ++frame) {
        const float dt = frame % 3 == 0 ? 0.005f : frame % 3 == 1 ? 1.0f / 60.0f : 0.021f;
        time += (double)dt;
        rise = 0.05 * sin(6.0 * time);
        for (uint32_t i = 0; i < 16; ++i) {
            anchors[i] = person.bodies[i].joint.anchor;
            anchors[i].y += i >= 3 && i <= 5 ? (float)rise : 0.0f;
        }
        vrm_ragdoll_solver_step(solver, &t.targets, dt);
        vrm_ragdoll_solver_get_states(solver, &nowhere, states, 16);
        for (uint32_t i = 1; i < 16; ++i) {
            const vrm_ragdoll_state *up = &states[person.bodies[i].parent];
            const vrm_vec3 there = vrmi_vec3_add(up->position, vrmi_quat_rotate(up->rotation, anchors[i]));
            CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(states[i].position, there)), 0, 1e-5);
        }
    }
    CHECK(vrmi_abs((float)rise) > 0.01f);
    vrm_ragdoll_solver_get_energy(solver, &after);
    CHECK_NEAR(after.momentum.x - before.momentum.x, 0, 0.01);
    CHECK_NEAR(after.momentum.z - before.momentum.z, 0, 0.01);
    CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(after.angular_momentum, before.angular_momentum)), 0, 0.02);
    const double sunk = 0.5 * 9.81 * time * time;
    CHECK_NEAR(after.center_of_mass.y - before.center_of_mass.y, -sunk, 0.1);
    CHECK_NEAR(after.center_of_mass.x - before.center_of_mass.x, 0, 1e-3);
    vrm_ragdoll_solver_destroy(solver);
}

static void moved_puts_the_bodies(void)
{
    vrm_ragdoll_solver *solver = make(NULL);
    figure_targets t;
    stand(&t, 0.9f, 0);
    run(solver, &t, 60);
    vrm_ragdoll_state places[16], s[16];
    figure_t_pose(&person, (vrm_vec3){5, 3, 0}, places);
    t.targets.places = places;
    t.targets.moved += 1;
    vrm_ragdoll_solver_step(solver, &t.targets, 0.0f);
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    CHECK_NEAR(s[0].position.x, 5, 1e-6);
    CHECK_NEAR(s[9].position.y, places[9].position.y, 1e-5);
    run(solver, &t, 1); // the next step does not set the bodies' states again
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    CHECK(s[0].position.y < 3.0f);
    t.targets.active = false;
    run(solver, &t, 1);
    t.targets.active = true;
    vrm_ragdoll_solver_step(solver, &t.targets, 0.0f);
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    CHECK_NEAR(s[0].position.y, 3, 1e-6);
    vrm_ragdoll_solver_destroy(solver);
}

// A host may set the bodies' states itself. A body whose given state is not finite keeps its state, and the status
// reports it.
static void the_host_puts_the_bodies(void)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    figure_targets t;
    stand(&t, 0.9f, 0);
    vrm_ragdoll_state places[16], s[16];
    figure_t_pose(&person, (vrm_vec3){2, 3, -1}, places);
    places[0].linear_velocity = (vrm_vec3){0, 1, 0};
    vrm_ragdoll_solver_put(solver, &t.targets, places);
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    CHECK_NEAR(s[0].position.x, 2, 1e-6);
    CHECK_NEAR(s[9].position.y, places[9].position.y, 1e-5);
    CHECK_NEAR(s[0].linear_velocity.y, 1, 1e-6);
    CHECK_INT(vrm_ragdoll_solver_get_status(solver), 0);
    places[0].position.y = 5;
    places[3].rotation.x = (float)NAN;
    vrm_ragdoll_solver_put(solver, &t.targets, places);
    CHECK((vrm_ragdoll_solver_get_status(solver) & VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE) != 0);
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    CHECK_NEAR(s[0].position.y, 5, 1e-6);
    CHECK(isfinite(s[3].position.y) && isfinite(s[3].rotation.x));
    vrm_ragdoll_solver_destroy(solver);
}

static void one_arm_alone(void)
{
    vrm_ragdoll_solver *solver = make(NULL);
    figure_targets t;
    stand(&t, 0.9f, 0);
    for (uint32_t i = 0; i < 16; ++i) {
        t.bodies[i].motion = i == 4 || i == 6 || i == 8 ? VRM_RAGDOLL_MOTION_DYNAMIC : VRM_RAGDOLL_MOTION_KINEMATIC;
    }
    t.bodies[13].motion = VRM_RAGDOLL_MOTION_OFF;
    run(solver, &t, 240);
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    for (uint32_t i = 0; i < 16; ++i) {
        if (t.bodies[i].motion != VRM_RAGDOLL_MOTION_DYNAMIC) {
            CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(s[i].position, t.bodies[i].state.position)), 0, 1e-5);
            CHECK(angle_between(s[i].rotation, t.bodies[i].state.rotation) < 1e-4);
        }
    }
    // The arm hangs down from its shoulder, as far as its cone allows.
    CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(s[4].position, t.bodies[4].state.position)), 0, 1e-5);
    CHECK(s[8].position.y < s[4].position.y - 0.35f);
    vrm_ragdoll_solver_destroy(solver);
}

// --- the world -----------------------------------------------------------------------------------------------------

static void shapes_hold_and_push(void)
{
    for (int type = 0; type < VRM_RAGDOLL_WORLD_SHAPE_COUNT; ++type) {
        vrm_ragdoll_solver *solver = make(NULL);
        vrm_ragdoll_world_shape_def shape;
        vrm_ragdoll_world_shape_def_default(&shape);
        shape.type = (vrm_ragdoll_world_shape_type)type;
        shape.center.y = type == VRM_RAGDOLL_WORLD_BOX ? 0.5 : 0.0;
        shape.half_extents = (vrm_vec3){2, 0.5f, 2};
        shape.radius = 1.0f;
        shape.half_length = 3.0f;
        shape.rotation =
            type == VRM_RAGDOLL_WORLD_CAPSULE ? (vrm_quat){0.70710678f, 0, 0, 0.70710678f} : shape.rotation;
        CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 1, &shape), VRM_SUCCESS);
        figure_targets t;
        stand(&t, 2.2f, 0);
        float deepest = 0, at_rest = 0;
        for (int frame = 0; frame < 300; ++frame) {
            run(solver, &t, 1);
            at_rest = fall_penetration(solver);
            deepest = fmaxf(deepest, at_rest);
        }
        vrm_ragdoll_energy e = {.struct_size = sizeof e};
        vrm_ragdoll_solver_get_energy(solver, &e);
        CHECK(deepest < 0.1f);
        CHECK(at_rest < 0.005f);
        CHECK_INT(vrm_ragdoll_solver_get_status(solver), 0);
        if (type == VRM_RAGDOLL_WORLD_BOX) {
            CHECK(e.center_of_mass.y > 1.0); // on the table
        }
        vrm_ragdoll_solver_destroy(solver);
    }
}

static void a_moving_shape_pushes_a_sleeper(void)
{
    vrm_ragdoll_solver *solver = make(NULL);
    figure_targets t;
    stand(&t, 0.9f, 0);
    for (int frame = 0; frame < 600 && !vrm_ragdoll_solver_is_asleep(solver); ++frame) {
        run(solver, &t, 1);
    }
    CHECK(vrm_ragdoll_solver_is_asleep(solver));
    vrm_ragdoll_energy before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    vrm_ragdoll_solver_get_energy(solver, &before);
    vrm_ragdoll_world_shape_def wall;
    vrm_ragdoll_world_shape_def_default(&wall);
    wall.half_extents = (vrm_vec3){0.2f, 1, 5};
    wall.center.x = -2.5;
    wall.linear_velocity.x = 1;
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &wall), VRM_SUCCESS);
    run(solver, &t, 240);
    vrm_ragdoll_solver_get_energy(solver, &after);
    CHECK(after.center_of_mass.x > before.center_of_mass.x + 0.5);
    CHECK_INT(vrm_ragdoll_solver_get_status(solver), 0);
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, NULL), VRM_SUCCESS);
    vrm_ragdoll_solver_destroy(solver);
}

static void what_wakes_a_sleeper(void)
{
    vrm_ragdoll_solver *solver = make(NULL);
    figure_targets t;
    stand(&t, 0.9f, 0);
    for (int frame = 0; frame < 600 && !vrm_ragdoll_solver_is_asleep(solver); ++frame) {
        run(solver, &t, 1);
    }
    vrm_ragdoll_state a[16], b[16];
    vrm_ragdoll_solver_get_states(solver, &nowhere, a, 16);
    run(solver, &t, 10);
    CHECK(vrm_ragdoll_solver_is_asleep(solver));
    vrm_ragdoll_solver_get_states(solver, &nowhere, b, 16);
    CHECK(memcmp(a, b, sizeof(a)) == 0);
    t.bodies[3].frequency = 4;
    run(solver, &t, 1);
    CHECK(!vrm_ragdoll_solver_is_asleep(solver));
    t.bodies[3].frequency = 0;
    for (int frame = 0; frame < 600 && !vrm_ragdoll_solver_is_asleep(solver); ++frame) {
        run(solver, &t, 1);
    }
    const vrm_vec3 push = {0, 20, 0};
    CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 0, &nowhere, &push), VRM_SUCCESS);
    CHECK(!vrm_ragdoll_solver_is_asleep(solver));
    vrm_ragdoll_solver_destroy(solver);
}

// A held body is shown at its target. So however slowly its target moves, a sleeping ragdoll does not leave it behind.
static void held_bodies_of_a_sleeper_follow(void)
{
    enum { HELD = 3 };
    vrm_ragdoll_solver *solver = make(NULL);
    figure_targets t;
    stand(&t, 0.9f, 0);
    for (int i = 0; i <= HELD; ++i) {
        t.bodies[i].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    }
    double most = 0.0, angle = 0.0;
    const vrm_quat from = t.bodies[HELD].state.rotation;
    for (int frame = 0; frame < 600; ++frame) {
        angle += 0.0005 * sin(0.02 * frame); // at most 1.7 degrees a second
        const vrm_quat turn = {(float)sin(0.5 * angle), 0, 0, (float)cos(0.5 * angle)};
        t.bodies[HELD].state.rotation = vrmi_quat_mul(turn, from);
        t.bodies[HELD].state.angular_velocity.x = (float)(0.0005 * sin(0.02 * frame) * 60.0);
        run(solver, &t, 1);
        vrm_ragdoll_state states[16];
        vrm_ragdoll_solver_get_states(solver, &nowhere, states, 16);
        const vrm_quat off = vrmi_quat_mul(t.bodies[HELD].state.rotation, vrmi_quat_conjugate(states[HELD].rotation));
        most = fmax(most, (double)vrmi_vec3_length(vrmi_quat_to_vector(off)));
    }
    printf("a held body is at most %.3f degrees off its target\n", most * 57.29578);
    CHECK(most < 0.03 / 57.29578);
    vrm_ragdoll_solver_destroy(solver);
}

// In each step, the soles of a standing figure bear its weight: 55 kg for 1/120 s.
static void contacts_tell_what_bears_the_weight(void)
{
    vrm_ragdoll_solver *solver = make(NULL);
    CHECK_INT(vrm_ragdoll_solver_get_ragdoll_def(solver)->body_count, 16);
    figure_targets t;
    stand(&t, 0.9f, 8);
    run(solver, &t, 20);
    vrm_ragdoll_solver_wake(solver);
    run(solver, &t, 1);
    vrm_ragdoll_contact contacts[64];
    const uint32_t count = vrm_ragdoll_solver_get_contacts(solver, contacts, 64);
    double impulse = 0;
    for (uint32_t i = 0; i < count && i < 64; ++i) {
        if (contacts[i].other < 0 && contacts[i].impulse > 0) {
            CHECK(contacts[i].body >= 14);
            CHECK_NEAR(contacts[i].normal.y, 1, 1e-6);
            CHECK_NEAR(contacts[i].point.y, 0, 0.002);
            impulse += (double)contacts[i].impulse;
        }
    }
    CHECK_NEAR(impulse, 55 * 9.81 / 120, 0.1 * 55 * 9.81 / 120);
    vrm_ragdoll_solver_destroy(solver);
}

// --- many ----------------------------------------------------------------------------------------------------------

// Ragdolls that are stepped together, with or without room for lanes, move as each of them does alone.
static void many_at_once(void)
{
    enum { COUNT = 11 };
    vrm_ragdoll_solver *solvers[3][COUNT];
    figure_targets t[COUNT];
    const vrm_ragdoll_targets *targets[COUNT];
    const size_t size = vrm_ragdoll_solver_get_scratch_size(16);
    CHECK(size > 0 && vrm_ragdoll_solver_get_scratch_size(4) < size);
    void *scratch = aligned_alloc(64, (size + 63) / 64 * 64);
    for (int i = 0; i < COUNT; ++i) {
        stand(&t[i], 0.9f + 0.1f * (float)i, i % 2 == 0 ? 4.0f : 0.0f);
        targets[i] = &t[i].targets;
        for (int way = 0; way < 3; ++way) {
            solvers[way][i] = make(NULL);
        }
    }
    for (int frame = 0; frame < 60; ++frame) {
        const float dt = frame % 5 == 0 ? 0.021f : 1.0f / 60.0f;
        vrm_ragdoll_solver_step_many(solvers[0], targets, COUNT, dt, (vrm_scratch){scratch, size});
        vrm_ragdoll_solver_step_many(solvers[1], targets, COUNT, dt, (vrm_scratch){NULL, 0});
        for (int i = 0; i < COUNT; ++i) {
            vrm_ragdoll_solver_step(solvers[2][i], targets[i], dt);
        }
    }
    for (int i = 0; i < COUNT; ++i) {
        vrm_ragdoll_state s[3][16];
        for (int way = 0; way < 3; ++way) {
            vrm_ragdoll_solver_get_states(solvers[way][i], &nowhere, s[way], 16);
            vrm_ragdoll_solver_destroy(solvers[way][i]);
        }
        CHECK(memcmp(s[0], s[2], sizeof s[0]) == 0 && memcmp(s[1], s[2], sizeof s[1]) == 0);
    }
    free(scratch);
}

// --- snapshots and bad input ---------------------------------------------------------------------------------------

static void a_snapshot_goes_on_with_the_same_bits(void)
{
    vrm_ragdoll_solver *a = make(NULL), *b = make(NULL);
    vrm_ragdoll_world_shape_def ball;
    vrm_ragdoll_world_shape_def_default(&ball);
    ball.type = VRM_RAGDOLL_WORLD_SPHERE;
    ball.angular_velocity.y = 1;
    CHECK_INT(vrm_ragdoll_solver_set_shape(a, 2, &ball), VRM_SUCCESS);
    figure_targets t;
    stand(&t, 1.5f, 1);
    t.bodies[7].max_torque = 2;
    run(a, &t, 45);
    vrm_ragdoll_solver_step(a, &t.targets, 0.003f);
    size_t size = 0;
    CHECK_INT(vrm_ragdoll_solver_snapshot(a, NULL, &size), VRM_SUCCESS);
    uint8_t *bytes = malloc(size);
    size_t room = size - 1;
    CHECK_INT(vrm_ragdoll_solver_snapshot(a, bytes, &room), VRM_ERROR_LIMIT);
    CHECK_INT(vrm_ragdoll_solver_snapshot(a, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_solver_restore(b, bytes, size - 1), VRM_ERROR_INVALID_ASSET);
    CHECK_INT(vrm_ragdoll_solver_restore(b, bytes, size), VRM_SUCCESS);
    vrm_ragdoll_state sa[16], sb[16];
    for (int frame = 0; frame < 120; ++frame) {
        run(a, &t, 1);
        run(b, &t, 1);
        vrm_ragdoll_solver_get_states(a, &nowhere, sa, 16);
        vrm_ragdoll_solver_get_states(b, &nowhere, sb, 16);
        CHECK(memcmp(sa, sb, sizeof(sa)) == 0);
    }
    // Damaged snapshots are refused or restore a state that can be stepped.
    uint64_t seed = vrmi_random_seeded(1);
    for (int i = 0; i < 300; ++i) {
        uint8_t *bad = malloc(size);
        memcpy(bad, bytes, size);
        bad[vrmi_random_next(&seed) % size] ^= (uint8_t)(1u << (vrmi_random_next(&seed) % 8));
        if (vrm_ragdoll_solver_restore(b, bad, size) == VRM_SUCCESS) {
            run(b, &t, 2);
        }
        free(bad);
    }
    free(bytes);
    vrm_ragdoll_solver_destroy(a);
    vrm_ragdoll_solver_destroy(b);
}

static bool all_finite(const vrm_ragdoll_solver *solver)
{
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    for (uint32_t i = 0; i < 16; ++i) {
        if (!vrmi_vec3_finite(s[i].position) || !vrmi_vec3_finite(s[i].linear_velocity) ||
            !vrmi_finite(vrmi_quat_dot(s[i].rotation, s[i].rotation))) {
            return false;
        }
    }
    return true;
}

static void bad_input_is_survived(void)
{
    vrm_ragdoll_solver *solver = make(NULL);
    figure_targets t, bad;
    stand(&t, 0.9f, 4);
    run(solver, &t, 5);
    for (int k = 0; k < 6; ++k) {
        bad = t;
        bad.targets.bodies = bad.bodies;
        bad.bodies[3].state.position.x = k == 0 ? NAN : 0;
        bad.bodies[3].state.rotation.w = k == 1 ? INFINITY : 1;
        bad.bodies[3].frequency = k == 2 ? NAN : 4;
        bad.targets.origin.y = k == 3 ? (double)NAN : 0.0;
        bad.targets.body_count = k == 4 ? 15 : 16;
        const vrm_ragdoll_impulse hit = {.body = k == 5 ? 99 : 1};
        bad.targets.impulses = &hit;
        bad.targets.impulse_count = k == 5 ? 1 : 0;
        vrm_ragdoll_solver_clear_status(solver);
        run(solver, &bad, 2);
        CHECK_INT(vrm_ragdoll_solver_get_status(solver), VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE);
        CHECK(all_finite(solver));
    }
    vrm_ragdoll_solver_clear_status(solver);
    // An impulse beyond the range of floats puts the bodies back to their targets.
    const vrm_vec3 huge = {3e38f, 3e38f, 0};
    CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 3, &nowhere, &huge), VRM_SUCCESS);
    run(solver, &t, 2);
    CHECK_INT(vrm_ragdoll_solver_get_status(solver), VRM_RAGDOLL_SOLVER_NOT_FINITE);
    CHECK(all_finite(solver));
    const vrm_vec3 none = {NAN, 0, 0};
    CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 3, &nowhere, &none), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 16, &nowhere, &huge), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ragdoll_world_shape_def shape;
    vrm_ragdoll_world_shape_def_default(&shape);
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 8, &shape), VRM_ERROR_INVALID_ARGUMENT);
    shape.half_extents.z = 0;
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &shape), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_ragdoll_solver_set_ground(solver, (double)NAN), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_ragdoll_solver_clear_ground(NULL), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ragdoll_solver_destroy(solver);
    vrm_ragdoll_solver_destroy(NULL);
}

static float wild(uint64_t *seed)
{
    static const float sizes[] = {0.0f, 1e-30f, 1e-6f, 1.0f, 1.0f, 1.0f, 30.0f, 1e6f, 1e30f, 3e38f, INFINITY, NAN};
    const float x = 2.0f * vrmi_random_unit(seed) - 1.0f;
    return x * sizes[vrmi_random_next(seed) % (sizeof(sizes) / sizeof(sizes[0]))];
}

// Replaces one of the definition's numbers by a wild one; the definition passes the check or is refused.
static void change_def(vrm_ragdoll_def *def, uint64_t *seed)
{
    vrm_ragdoll_body *b = &def->bodies[vrmi_random_next(seed) % def->body_count];
    float *const numbers[] = {&b->mass, &b->inertia.x, &b->inertia.z, &b->center_of_mass.y, &b->shape.radius,
        &b->shape.half_length, &b->shape.half_extents.x, &b->shape.center.y, &b->joint.anchor.x, &b->joint.swing_y,
        &b->joint.center_z, &b->joint.min_angle, &b->joint.max_angle, &b->shape.rotation.x, &b->joint.frame.w};
    *numbers[vrmi_random_next(seed) % (sizeof(numbers) / sizeof(numbers[0]))] = wild(seed);
}

static void change_target(vrm_ragdoll_target *t, uint64_t *seed)
{
    float *const numbers[] = {&t->state.position.x, &t->state.position.y, &t->state.rotation.z, &t->state.rotation.w,
        &t->state.linear_velocity.y, &t->state.angular_velocity.x, &t->rotation_weight, &t->translation_weight,
        &t->frequency, &t->damping_ratio, &t->max_torque, &t->pin_frequency};
    *numbers[vrmi_random_next(seed) % (sizeof(numbers) / sizeof(numbers[0]))] = wild(seed);
    t->motion = (vrm_ragdoll_motion)(vrmi_random_next(seed) % 8 < 6 ? 2 : vrmi_random_next(seed) % 3);
}

// Definitions at the edge of the allowed range, with targets and impulses beyond it: states are finite in every case.
static void wild_numbers_are_survived(void)
{
    static vrm_ragdoll_def def = {.struct_size = sizeof def};
    uint64_t seed = vrmi_random_seeded(8);
    int accepted = 0;
    for (int round = 0; round < 300; ++round) {
        figure_person(&def);
        change_def(&def, &seed);
        vrm_ragdoll_solver_def params;
        vrm_ragdoll_solver_def_default(&params);
        params.def = &def;
        vrm_ragdoll_solver *solver = NULL;
        if (vrm_ragdoll_solver_create(&params, &solver) != VRM_SUCCESS) {
            CHECK(solver == NULL);
            continue;
        }
        ++accepted;
        figure_targets t;
        stand(&t, 0.9f, 4);
        t.targets.drive = round % 3 == 0 ? VRM_RAGDOLL_DRIVE_VELOCITY : VRM_RAGDOLL_DRIVE_TORQUE;
        vrm_ragdoll_impulse blow = {.body = 1};
        t.targets.impulses = &blow;
        for (int frame = 0; frame < 12; ++frame) {
            change_target(&t.bodies[vrmi_random_next(&seed) % 16], &seed);
            t.targets.root.scale = round % 5 == 0 && frame == 6 ? vrmi_abs(wild(&seed)) : t.targets.root.scale;
            blow.impulse = (vrm_vec3){wild(&seed), wild(&seed), 0};
            blow.point.x = wild(&seed);
            t.targets.impulse_count = frame % 4 == 1 ? 1 : 0;
            run(solver, &t, 1);
            CHECK(all_finite(solver));
            vrm_ragdoll_wrench out[16];
            vrm_ragdoll_state states[16];
            vrm_ragdoll_solver_get_states(solver, &nowhere, states, 16);
            const vrm_ragdoll_drive_params input = drive_input_of(&def, states, t.bodies, 1.0f / 60.0f);
            vrm_ragdoll_drive_torques(&input, out);
            for (int i = 0; i < 16; ++i) {
                CHECK(vrmi_vec3_finite(out[i].torque) && vrmi_vec3_finite(out[i].force));
            }
        }
        vrm_ragdoll_solver_destroy(solver);
    }
    CHECK(accepted > 100);
    // The count says three impulses, but the pointer is NULL.
    vrm_ragdoll_solver *solver = make(NULL);
    figure_targets t;
    stand(&t, 0.9f, 4);
    t.targets.impulse_count = 3;
    run(solver, &t, 1);
    CHECK_INT(vrm_ragdoll_solver_get_status(solver), VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE);
    vrm_ragdoll_solver_destroy(solver);
}

static void bad_params_are_refused(void)
{
    vrm_ragdoll_solver_def good;
    vrm_ragdoll_solver_def_default(&good);
    CHECK_INT((long long)vrm_ragdoll_solver_get_size(&good), 0); // no definition
    figure_person(&person);
    good.def = &person;
    CHECK(vrm_ragdoll_solver_get_size(&good) > 0);
    for (int k = 0; k < 11; ++k) {
        vrm_ragdoll_solver_def p = good;
        static vrm_ragdoll_def def = {.struct_size = sizeof def};
        def = person;
        p.def = &def;
        switch (k) {
        case 0:
            p.struct_size = 3;
            break;
        case 1:
            p.shape_slots = 65;
            break;
        case 2:
            def.bodies[2].mass = -1;
            break;
        case 3:
            p.step = 0;
            break;
        case 4:
            p.step = NAN;
            break;
        case 5:
            p.max_steps = 0;
            break;
        case 6:
            p.iterations = 17;
            break;
        case 7:
            p.gravity.y = INFINITY;
            break;
        case 8:
            p.joint_friction = -1;
            break;
        case 9:
            p.friction = 11;
            break;
        default:
            p.ground_height = (double)NAN;
            break;
        }
        vrm_ragdoll_solver *solver = NULL;
        CHECK_INT(vrm_ragdoll_solver_create(&p, &solver), VRM_ERROR_INVALID_ARGUMENT);
        CHECK(solver == NULL);
    }
}

static const test_case cases[] = {
    {"frame_rates_agree", frame_rates_agree},
    {"long_frames_are_cut", long_frames_are_cut},
    {"far_away_is_the_same", far_away_is_the_same},
    {"the_origin_follows", the_origin_follows},
    {"limits_and_contacts_make_way_for_the_target", limits_and_contacts_make_way_for_the_target},
    {"a_joint_goes_with_its_anchor", a_joint_goes_with_its_anchor},
    {"moved_puts_the_bodies", moved_puts_the_bodies},
    {"the_host_puts_the_bodies", the_host_puts_the_bodies},
    {"one_arm_alone", one_arm_alone},
    {"shapes_hold_and_push", shapes_hold_and_push},
    {"a_moving_shape_pushes_a_sleeper", a_moving_shape_pushes_a_sleeper},
    {"what_wakes_a_sleeper", what_wakes_a_sleeper},
    {"held_bodies_of_a_sleeper_follow", held_bodies_of_a_sleeper_follow},
    {"contacts_tell_what_bears_the_weight", contacts_tell_what_bears_the_weight},
    {"many_at_once", many_at_once},
    {"a_snapshot_goes_on_with_the_same_bits", a_snapshot_goes_on_with_the_same_bits},
    {"bad_input_is_survived", bad_input_is_survived},
    {"wild_numbers_are_survived", wild_numbers_are_survived},
    {"bad_params_are_refused", bad_params_are_refused},
};

RUN_TESTS(cases)
