// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Ragdolls in ODE's worlds: falls, values that must never reach ODE, props, and a comparison with the light solver. The
// drives are tested in test_ode_drives.c.

#include <vrm_ode/ode.h>

#include "compare.h"
#include "ragdoll_falls.h"
#include "test.h"

#include <stdlib.h>

static const vrm_dvec3 nowhere = {0, 0, 0};

static vrm_ragdoll_def sample_def(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    CHECK(fall_sample(&def));
    return def;
}

static float median(float *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_floats);
    return values[count / 2];
}

// Twenty limp falls from a height of one metre. After 5 s the bodies are still and on the ground, their joints together
// and within limits; after 10 s the ragdoll is asleep.
static void falls(void)
{
    enum { FALLS = 20, FRAMES = 600 };
    const vrm_ragdoll_def def = sample_def();
    float penetration[FALLS], drift[FALLS], violation[FALLS], energy[FALLS];
    int asleep = 0, gained = 0;
    for (uint32_t k = 0; k < FALLS; ++k) {
        vrm_ode_world *world;
        vrm_ode_ragdoll *ragdoll;
        vrm_ode_measure now = {.struct_size = sizeof now};
        fall f;
        fall_begin(&f, &def, k, 0.0f);
        CHECK_INT(vrm_ode_world_create(NULL, &world), VRM_SUCCESS);
        CHECK_INT(vrm_ode_ragdoll_create(world, &def, VRM_ODE_DRIVE_DEFAULT, &ragdoll), VRM_SUCCESS);
        vrm_ode_ragdoll_set_targets(ragdoll, &f.exchange);
        vrm_ode_ragdoll_measure(ragdoll, &now);
        const float start = now.kinetic + now.potential;
        float most = start;
        for (int frame = 0; frame < FRAMES; ++frame) {
            vrm_ode_ragdoll_set_targets(ragdoll, &f.exchange);
            vrm_ode_world_step(world, 1.0f / 60.0f);
            vrm_ode_ragdoll_measure(ragdoll, &now);
            most = fmaxf(most, now.kinetic + now.potential);
            if (frame == FRAMES / 2) {
                penetration[k] = now.penetration;
                drift[k] = now.joint_drift;
                violation[k] = now.limit_violation;
                energy[k] = now.kinetic;
            }
        }
        // The energy exceeds its initial value only if bodies overlap in the random pose, because ODE pushes them
        // apart.
        gained += most > 1.01f * start;
        CHECK(most <= 1.03f * start);
        asleep += vrm_ode_ragdoll_is_asleep(ragdoll);
        CHECK_INT(vrm_ode_ragdoll_take_status(ragdoll) & (uint32_t)~VRM_ODE_TOO_FAST, 0);
        vrm_ode_world_destroy(world);
    }
    const float p = median(penetration, FALLS), d = median(drift, FALLS), v = median(violation, FALLS);
    const float e = median(energy, FALLS);
    CHECK(p < 0.002f);
    CHECK(d < 0.0001f);
    CHECK(v < 0.5f / 57.29578f);
    CHECK(e < 0.01f);
    CHECK(asleep >= 19);
    CHECK(gained <= 2);
    printf("  %d falls, medians at 5 s: penetration %.2f mm, drift %.2f mm, limits %.2f degrees, %.4f J; asleep at 10 "
           "s: %d\n",
        FALLS, 1000 * (double)p, 1000 * (double)d, 57.29578 * (double)v, (double)e, asleep);
}

// --- compared with the light solver ----------------------------------------------------------------------------------

// After its release the whole figure rotates as a rigid body for 0.2 s, in both engines, with gravity and without
// ground.
static void tumbling_agrees_with_the_light_solver(void)
{
    vrm_ragdoll_def def = sample_def();
    // The ragdoll has no shapes and limits here, because contacts and joint stops differ between the engines.
    for (uint32_t i = 0; i < def.body_count; ++i) {
        def.bodies[i].no_contact = (UINT64_C(1) << def.body_count) - 1;
        vrm_ragdoll_joint *joint = &def.bodies[i].joint;
        joint->swing_y = joint->swing_z = joint->max_angle = VRMI_PI;
        joint->min_angle = -VRMI_PI;
    }
    for (uint32_t k = 0; k < 5; ++k) {
        fall f;
        fall_begin(&f, &def, 100 + k, 0.0f);
        const vrm_vec3 spin = {2.0f - (float)k, 1.0f + 0.5f * (float)k, 3.0f}, hips = f.places[0].position;
        for (uint32_t i = 0; i < def.body_count; ++i) {
            vrm_ragdoll_state *s = &f.places[i];
            const vrm_vec3 center =
                vrmi_vec3_add(s->position, vrmi_quat_rotate(s->rotation, def.bodies[i].center_of_mass));
            s->angular_velocity = spin;
            s->linear_velocity = vrmi_vec3_cross(spin, vrmi_vec3_sub(center, hips));
        }
        vrm_ode_world_params world_params;
        vrm_ode_world_params_default(&world_params);
        world_params.ground = false;
        world_params.iterations = 0;
        world_params.substeps = 16;
        world_params.joint_friction = 0.0f;
        vrm_ragdoll_solver_def solver_params;
        vrm_ragdoll_solver_def_default(&solver_params);
        solver_params.def = &def;
        solver_params.ground = false;
        solver_params.step = 1.0f / 480.0f;
        solver_params.joint_friction = 0.0f;
        vrm_ode_world *world;
        vrm_ode_ragdoll *ragdoll;
        vrm_ragdoll_solver *solver;
        CHECK_INT(vrm_ode_world_create(&world_params, &world), VRM_SUCCESS);
        CHECK_INT(vrm_ode_ragdoll_create(world, &def, VRM_ODE_DRIVE_DEFAULT, &ragdoll), VRM_SUCCESS);
        CHECK_INT(vrm_ragdoll_solver_create(&solver_params, &solver), VRM_SUCCESS);
        for (int frame = 0; frame < 12; ++frame) {
            for (int part = 0; part < 4; ++part) { // at 1/3840 s, the error of ODE's exact step is negligible
                vrm_ode_ragdoll_set_targets(ragdoll, &f.exchange);
                vrm_ode_world_step(world, 1.0f / 240.0f);
            }
            vrm_ragdoll_solver_step(solver, &f.exchange, 1.0f / 60.0f);
        }
        vrm_ragdoll_state a[VRM_RAGDOLL_MAX_BODIES], b[VRM_RAGDOLL_MAX_BODIES];
        vrm_ode_ragdoll_get_states(ragdoll, &nowhere, a, def.body_count);
        vrm_ragdoll_solver_get_states(solver, &nowhere, b, def.body_count);
        float most = 0.0f, moved = 0.0f;
        for (uint32_t i = 0; i < def.body_count; ++i) {
            most = fmaxf(most, vrmi_vec3_length(vrmi_vec3_sub(a[i].position, b[i].position)));
            moved = fmaxf(moved, vrmi_vec3_length(vrmi_vec3_sub(a[i].position, f.places[i].position)));
        }
        CHECK(most < 0.005f);
        CHECK(moved > 0.2f);
        printf("  tumbling %u: moved %.0f mm, apart by %.2f mm\n", k, 1000 * (double)moved, 1000 * (double)most);
        vrm_ragdoll_solver_destroy(solver);
        vrm_ode_world_destroy(world);
    }
}

// --- values that ODE must never get ----------------------------------------------------------------------------------

static void nothing_ends_the_process(void)
{
    const vrm_ragdoll_def def = sample_def();
    const float infinite = 3e38f * 10.0f, nan = infinite - infinite;
    vrm_ode_world *world;
    vrm_ode_ragdoll *ragdoll;
    fall f;
    fall_begin(&f, &def, 3, 4.0f);
    CHECK_INT(vrm_ode_world_create(NULL, &world), VRM_SUCCESS);
    CHECK_INT(vrm_ode_ragdoll_create(world, &def, VRM_ODE_DRIVE_DEFAULT, &ragdoll), VRM_SUCCESS);
    vrm_ode_world_step(world, 1.0f / 60.0f); // before any targets are set
    uint32_t seen = 0;
    for (uint32_t k = 0; k < 300; ++k) {
        fall g = f;
        vrm_ragdoll_impulse blow = {.body = k % 20, .point = f.places[0].position, .impulse = {0, 1, 0}};
        g.exchange.bodies = g.targets;
        g.exchange.places = g.places;
        g.exchange.impulses = &blow;
        g.exchange.impulse_count = 1;
        g.exchange.drive = k % 2 == 0 ? VRM_RAGDOLL_DRIVE_TORQUE : VRM_RAGDOLL_DRIVE_VELOCITY;
        switch (k % 10) {
        case 0:
            g.targets[k % 16].state.position.x = nan;
            break;
        case 1:
            g.targets[k % 16].state.rotation = (vrm_quat){0, 0, 0, 0};
            break;
        case 2:
            blow.impulse.x = nan;
            break;
        case 3:
            blow.impulse.x = 1e30f;
            break;
        case 4:
            g.targets[k % 16].frequency = infinite;
            break;
        case 5:
            g.exchange.body_count = 3;
            break;
        case 6:
            g.exchange.root.scale = k % 3 == 0 ? nan : 0.5f;
            break;
        case 7:
            g.exchange.moved = k;
            g.places[1].position.y = nan;
            break;
        case 8:
            g.targets[2].state.position.x = 1e9f;
            g.targets[2].translation_weight = 1.0f;
            break;
        default:
            g.exchange.origin.x = (double)infinite;
            break;
        }
        vrm_ode_ragdoll_set_targets(ragdoll, &g.exchange);
        vrm_ode_world_step(world, k % 7 == 0 ? nan : 1.0f / 60.0f);
        seen |= vrm_ode_ragdoll_take_status(ragdoll);
        vrm_ragdoll_state s[VRM_RAGDOLL_MAX_BODIES];
        vrm_ode_ragdoll_get_states(ragdoll, &nowhere, s, def.body_count);
        for (uint32_t i = 0; i < def.body_count; ++i) {
            CHECK(vrmi_vec3_finite(s[i].position) && fabsf(vrmi_quat_dot(s[i].rotation, s[i].rotation) - 1.0f) < 1e-3f);
        }
    }
    CHECK((seen & VRM_ODE_INPUT_NOT_FINITE) != 0);
    CHECK((seen & VRM_ODE_TOO_FAST) != 0);
    vrm_ode_world_destroy(world);
    vrm_ode_world_params params;
    vrm_ode_world_params_default(&params);
    params.substeps = 0;
    CHECK_INT(vrm_ode_world_create(&params, &world), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ode_world_params_default(&params);
    params.joint_friction = -1.0f;
    CHECK_INT(vrm_ode_world_create(&params, &world), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ragdoll_def broken = def;
    broken.bodies[3].mass = -1.0f;
    CHECK_INT(vrm_ode_world_create(NULL, &world), VRM_SUCCESS);
    CHECK_INT(vrm_ode_ragdoll_create(world, &broken, VRM_ODE_DRIVE_DEFAULT, &ragdoll), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ode_prop_def prop;
    vrm_ode_prop *made;
    vrm_ode_prop_def_default(&prop);
    prop.mass = nan;
    CHECK_INT(vrm_ode_prop_create(world, &prop, &made), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ode_world_destroy(world);
    vrm_ode_world_destroy(NULL);
}

// Without gravity, a bent wrist keeps rotating unless it has friction. A driven joint has no friction.
static void limp_joints_rub(void)
{
    enum { HAND = 12, FOREARM = 11 };
    const vrm_ragdoll_def def = sample_def();
    const vrm_vec3 spin = {0.0f, 0.4f, 0.3f};
    float left[3];
    for (int k = 0; k < 3; ++k) {
        vrm_ode_world_params params;
        vrm_ode_world *world;
        vrm_ode_ragdoll *ragdoll;
        vrm_ragdoll_state s[VRM_RAGDOLL_MAX_BODIES];
        fall f;
        fall_begin(&f, &def, 7, 0.0f);
        for (uint32_t i = 0; i < def.body_count; ++i) {
            const int32_t parent = def.bodies[i].parent;
            f.places[i] = (vrm_ragdoll_state){.rotation = {0, 0, 0, 1}};
            if (parent >= 0) {
                f.places[i].position = vrmi_vec3_add(f.places[parent].position, def.bodies[i].joint.anchor);
            }
            f.targets[i].state = f.places[i];
        }
        // The hand rotates about its wrist.
        f.places[HAND].angular_velocity = spin;
        f.places[HAND].linear_velocity = vrmi_vec3_cross(spin, def.bodies[HAND].center_of_mass);
        f.targets[HAND].frequency = k == 2 ? 0.1f : 0.0f; // 0.1 Hz: a very weak spring
        f.targets[HAND].damping_ratio = 0.0f;
        vrm_ode_world_params_default(&params);
        CHECK_NEAR(params.joint_friction, 5.0, 0.0);
        params.joint_friction = k == 0 ? 0.0f : 5.0f;
        params.gravity = (vrm_vec3){0, 0, 0};
        params.ground = false;
        CHECK_INT(vrm_ode_world_create(&params, &world), VRM_SUCCESS);
        CHECK_INT(vrm_ode_ragdoll_create(world, &def, VRM_ODE_DRIVE_DEFAULT, &ragdoll), VRM_SUCCESS);
        for (int frame = 0; frame < 20; ++frame) {
            vrm_ode_ragdoll_set_targets(ragdoll, &f.exchange);
            vrm_ode_world_step(world, 1.0f / 60.0f);
        }
        vrm_ode_ragdoll_get_states(ragdoll, &nowhere, s, def.body_count);
        left[k] = vrmi_vec3_length(vrmi_vec3_sub(s[HAND].angular_velocity, s[FOREARM].angular_velocity));
        vrm_ode_world_destroy(world);
    }
    printf("  a wrist's 0.5 rad/s after a third of a second: %.3f free, %.3f rubbing, %.3f driven\n", (double)left[0],
        (double)left[1], (double)left[2]);
    CHECK(left[0] > 0.3f);
    CHECK(left[1] < 0.01f);
    CHECK(left[2] > 0.3f);
}

// Impulses of every size on limp and driven bodies, small and large.
static void blows_of_all_sizes(void)
{
    static const float scales[3] = {0.2f, 1.0f, 2.0f}, frequencies[4] = {0.0f, 2.0f, 8.0f, 20.0f};
    const vrm_ragdoll_def def = sample_def();
    float total = 0.0f;
    for (uint32_t i = 0; i < def.body_count; ++i) {
        total += def.bodies[i].mass;
    }
    for (int k = 0; k < 12; ++k) {
        vrm_ode_world *world;
        vrm_ode_ragdoll *ragdoll;
        vrm_ode_measure m = {.struct_size = sizeof m};
        fall f;
        const float scale = scales[k % 3], mass = total * scale * scale * scale;
        fall_begin(&f, &def, 200 + (uint32_t)k, frequencies[k / 3]);
        CHECK_INT(vrm_ode_world_create(NULL, &world), VRM_SUCCESS);
        CHECK_INT(vrm_ode_ragdoll_create(world, &def, VRM_ODE_DRIVE_DEFAULT, &ragdoll), VRM_SUCCESS);
        f.exchange.root.scale = scale;
        for (uint32_t i = 0; i < def.body_count; ++i) {
            f.places[i].position = vrmi_vec3_scale(f.places[i].position, scale);
            f.targets[i].state = f.places[i];
        }
        for (int frame = 0; frame < 300; ++frame) {
            const bool chest = frame % 60 == 30, hand = frame % 60 == 0;
            const uint32_t body = chest ? 2u : 12u;
            vrm_ragdoll_state s[VRM_RAGDOLL_MAX_BODIES];
            vrm_ode_ragdoll_get_states(ragdoll, &nowhere, s, def.body_count);
            const float size = chest ? 5.0f * mass : 10.0f * def.bodies[12].mass * scale * scale * scale;
            const vrm_ragdoll_impulse blow = {body, s[body].position, {size, 0.0f, 0.3f * size}};
            f.exchange.impulses = &blow;
            f.exchange.impulse_count = (chest || hand) && frame < 200;
            vrm_ode_ragdoll_set_targets(ragdoll, &f.exchange);
            vrm_ode_world_step(world, 1.0f / 60.0f);
        }
        vrm_ode_ragdoll_measure(ragdoll, &m);
        CHECK((vrm_ode_ragdoll_take_status(ragdoll) & VRM_ODE_NOT_FINITE) == 0);
        CHECK(m.kinetic < 0.5f * mass * 4.0f); // the energy of the whole mass at 2 m/s
        CHECK(m.joint_drift < 0.0001f);
        vrm_ode_world_destroy(world);
    }
}

// --- a world ---------------------------------------------------------------------------------------------------------

// Two ragdolls fall on a box and on each other beside a wall. A second run gives the same bits.
static void props_ragdolls_and_the_same_bits(void)
{
    const vrm_ragdoll_def def = sample_def();
    const vrm_dvec3 origin = {1000.0, 50.0, -2000.0};
    vrm_ragdoll_state end[2][2][VRM_RAGDOLL_MAX_BODIES], box[2];
    for (int run = 0; run < 2; ++run) {
        vrm_ode_world_params params;
        vrm_ode_world_params_default(&params);
        memcpy(&params.origin, &origin, sizeof origin);
        params.ground_height = 50.0;
        vrm_ode_world *world;
        vrm_ode_ragdoll *ragdolls[2];
        vrm_ode_prop *crate, *wall;
        vrm_ode_prop_def prop;
        fall f[2];
        CHECK_INT(vrm_ode_world_create(&params, &world), VRM_SUCCESS);
        vrm_ode_prop_def_default(&prop);
        prop.mass = 5.0f;
        memcpy(&prop.position, &origin, sizeof origin);
        prop.position.x -= 0.9;
        prop.position.y += 0.3;
        CHECK_INT(vrm_ode_prop_create(world, &prop, &crate), VRM_SUCCESS);
        prop.mass = 0.0f;
        prop.shape.half_extents = (vrm_vec3){0.1f, 2.0f, 4.0f};
        prop.position.x -= 1.1;
        CHECK_INT(vrm_ode_prop_create(world, &prop, &wall), VRM_SUCCESS);
        for (uint32_t k = 0; k < 2; ++k) {
            fall_begin(&f[k], &def, 50 + k, 0.0f);
            memcpy(&f[k].exchange.origin, &origin, sizeof origin);
            for (uint32_t i = 0; i < def.body_count; ++i) {
                f[k].places[i].position.y += 1.5f * (float)k;
                f[k].places[i].linear_velocity.x = -2.0f;
            }
            CHECK_INT(vrm_ode_ragdoll_create(world, &def, VRM_ODE_DRIVE_DEFAULT, &ragdolls[k]), VRM_SUCCESS);
        }
        for (int frame = 0; frame < 240; ++frame) {
            for (uint32_t k = 0; k < 2; ++k) {
                vrm_ode_ragdoll_set_targets(ragdolls[k], &f[k].exchange);
            }
            vrm_ode_world_step(world, 1.0f / 60.0f);
        }
        vrm_ode_prop_get_state(crate, &origin, &box[run]);
        for (uint32_t k = 0; k < 2; ++k) {
            vrm_ode_ragdoll_get_states(ragdolls[k], &origin, end[run][k], def.body_count);
            for (uint32_t i = 0; i < def.body_count; ++i) {
                CHECK(end[run][k][i].position.y > -0.05f && end[run][k][i].position.x > -2.1f);
            }
        }
        vrm_ode_prop_destroy(wall);
        vrm_ode_ragdoll_destroy(ragdolls[1]);
        vrm_ode_world_step(world, 1.0f / 60.0f);
        CHECK(vrm_ode_world_handle(world) != NULL && vrm_ode_world_space(world) != NULL);
        vrm_ode_world_destroy(world);
    }
    CHECK(fabsf(box[0].position.x + 0.9f) + fabsf(box[0].position.z) > 0.01f); // the ragdolls pushed the box
    CHECK(memcmp(&box[0], &box[1], sizeof box[0]) == 0);
    for (uint32_t k = 0; k < 2; ++k) {
        CHECK(memcmp(end[0][k], end[1][k], def.body_count * sizeof end[0][k][0]) == 0);
    }
}

// The animation moves the joints' anchors. The joints follow them as accurately as ODE keeps joints together.
static void joints_go_with_their_anchors(void)
{
    const vrm_ragdoll_def def = sample_def();
    vrm_ode_world *world;
    vrm_ode_ragdoll *ragdoll;
    vrm_ode_measure now = {.struct_size = sizeof now};
    fall f;
    fall_begin(&f, &def, 3, 0.0f);
    CHECK_INT(vrm_ode_world_create(NULL, &world), VRM_SUCCESS);
    CHECK_INT(vrm_ode_ragdoll_create(world, &def, VRM_ODE_DRIVE_DEFAULT, &ragdoll), VRM_SUCCESS);
    vrm_vec3 anchors[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    double farthest = 0.0;
    f.exchange.anchors = anchors;
    for (int frame = 0; frame < 30; ++frame) { // ends before the figure lands
        for (uint32_t i = 0; i < def.body_count; ++i) {
            anchors[i] = def.bodies[i].joint.anchor;
            const bool ball = def.bodies[i].joint.type == VRM_RAGDOLL_JOINT_CONE;
            anchors[i].y += ball && i > 2 ? 0.03f * sinf(0.2f * (float)frame) : 0.0f;
        }
        vrm_ode_ragdoll_set_targets(ragdoll, &f.exchange);
        vrm_ode_world_step(world, 1.0f / 60.0f);
        vrm_ode_ragdoll_get_states(ragdoll, &nowhere, states, def.body_count);
        for (uint32_t i = 1; i < def.body_count; ++i) {
            const vrm_ragdoll_state *up = &states[def.bodies[i].parent];
            const vrm_vec3 there = vrmi_vec3_add(up->position, vrmi_quat_rotate(up->rotation, anchors[i]));
            farthest = fmax(farthest, (double)vrmi_vec3_length(vrmi_vec3_sub(states[i].position, there)));
        }
    }
    vrm_ode_ragdoll_measure(ragdoll, &now);
    printf("  anchors that swing by 30 mm: joints at most %.1f mm off\n", 1e3 * farthest);
    CHECK(farthest < 0.012);
    CHECK(now.joint_drift < 0.012f);
    vrm_ode_world_destroy(world);
}

static const test_case cases[] = {
    {"falls", falls},
    {"tumbling_agrees_with_the_light_solver", tumbling_agrees_with_the_light_solver},
    {"nothing_ends_the_process", nothing_ends_the_process},
    {"joints_go_with_their_anchors", joints_go_with_their_anchors},
    {"limp_joints_rub", limp_joints_rub},
    {"blows_of_all_sizes", blows_of_all_sizes},
    {"props_ragdolls_and_the_same_bits", props_ragdolls_and_the_same_bits},
};

RUN_TESTS(cases)
