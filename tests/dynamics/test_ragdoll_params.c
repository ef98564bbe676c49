// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The effect of each parameter of the light solver, compared with closed formulas or with a run without the parameter.

#include "ragdoll_solver_fixture.h"

static vrm_ragdoll_solver_def usual;

static vrm_ragdoll_solver *create(const vrm_ragdoll_solver_def *params)
{
    vrm_ragdoll_solver *solver = NULL;
    CHECK_INT(vrm_ragdoll_solver_create(params, &solver), VRM_SUCCESS);
    return solver;
}

// --- a sledge: one long box -------------------------------------------------------------------------------------------

enum { SLEDGE_MASS = 10 };
static const vrm_vec3 sledge_size = {0.3f, 0.1f, 0.1f}; // half

static void sledge(vrm_ragdoll_def *def)
{
    *def = (vrm_ragdoll_def){.struct_size = sizeof(*def), .body_count = 1, .height = 1.0f};
    def->bodies[0] = (vrm_ragdoll_body){.bone = VRM_HUMAN_BONE_HIPS,
        .parent = -1,
        .mass = SLEDGE_MASS,
        .shape = {.type = VRM_RAGDOLL_SHAPE_BOX, .rotation = {0, 0, 0, 1}, .half_extents = sledge_size},
        .inertia_rotation = {0, 0, 0, 1},
        .joint = {.type = VRM_RAGDOLL_JOINT_FREE, .frame = {0, 0, 0, 1}}};
    def->bodies[0].inertia = figure_inertia(&def->bodies[0].shape, SLEDGE_MASS);
    vrm_ragdoll_solver_def_default(&usual);
    usual.def = def;
    usual.sleep = false;
}

// Sets the sledge at a position with a velocity; it is limp and not rotated.
static void launch(
    vrm_ragdoll_solver *solver, const vrm_ragdoll_def *def, figure_targets *t, vrm_vec3 position, vrm_vec3 velocity)
{
    const vrm_ragdoll_state start = {position, {0, 0, 0, 1}, velocity, {0, 0, 0}};
    figure_hold(t, def, &start);
    vrm_ragdoll_solver_put(solver, &t->targets, &start);
}

static vrm_ragdoll_state after(vrm_ragdoll_solver *solver, const figure_targets *t, float seconds)
{
    vrm_ragdoll_state state;
    for (int i = 0; i < (int)(seconds * 60.0f + 0.5f); ++i) {
        vrm_ragdoll_solver_step(solver, &t->targets, 1.0f / 60.0f);
    }
    vrm_ragdoll_solver_get_states(solver, &nowhere, &state, 1);
    return state;
}

// By Coulomb's law the sledge slows down by mu g each second, and without friction not at all. Once it has stopped, it
// does not move.
static void friction_stops_a_sledge(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    sledge(&def);
    for (int tenths = 0; tenths <= 8; tenths += 2) {
        figure_targets t;
        usual.friction = 0.1f * (float)tenths;
        vrm_ragdoll_solver *solver = create(&usual);
        launch(solver, &def, &t, (vrm_vec3){0, sledge_size.y, 0}, (vrm_vec3){6, 0, 0});
        const float early = after(solver, &t, 0.2f).linear_velocity.x;
        const float late = after(solver, &t, 0.3f).linear_velocity.x;
        const float lost = 0.3f * usual.friction * 9.81f;
        CHECK_NEAR(early - late, lost, 0.03f * lost + 1e-4f);
        CHECK_NEAR(after(solver, &t, 4.0f).linear_velocity.x, tenths == 0 ? 6.0f : 0.0f, 1e-3f);
        vrm_ragdoll_solver_destroy(solver);
    }
}

// A frame of 2 s takes a limited number of steps of free fall; the remaining time is dropped.
static void max_steps_bound_a_frame(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    sledge(&def);
    for (uint32_t steps = 1; steps <= 64; steps *= 4) {
        figure_targets t;
        usual.max_steps = steps;
        vrm_ragdoll_solver *solver = create(&usual);
        launch(solver, &def, &t, (vrm_vec3){0, 9, 0}, (vrm_vec3){0, 0, 0});
        vrm_ragdoll_solver_step(solver, &t.targets, 2.0f);
        CHECK_INT(vrm_ragdoll_solver_get_status(solver), VRM_RAGDOLL_SOLVER_TIME_CLAMPED);
        vrm_ragdoll_state state;
        vrm_ragdoll_solver_get_states(solver, &nowhere, &state, 1);
        const float seconds = (float)steps / 120.0f;
        CHECK_NEAR(state.linear_velocity.y, -9.81f * seconds, 1e-4);
        CHECK_NEAR(state.position.y, 9.0f - 0.5f * 9.81f * seconds * seconds, 0.05f * seconds);
        vrm_ragdoll_solver_destroy(solver);
    }
}

// --- shapes below a body ---------------------------------------------------------------------------------------------

// Drops the sledge, which has neither friction nor sleep. Returns its position after two seconds.
static vrm_vec3 comes_to(vrm_ragdoll_solver *solver, const vrm_ragdoll_def *def, vrm_vec3 from)
{
    figure_targets t;
    launch(solver, def, &t, from, (vrm_vec3){0, 0, 0});
    return after(solver, &t, 2.0f).position;
}

static void the_ground_bears_at_its_height(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    sledge(&def);
    usual.ground_height = -1.5;
    vrm_ragdoll_solver *solver = create(&usual);
    CHECK_NEAR(comes_to(solver, &def, (vrm_vec3){0, 0, 0}).y, -1.5f + sledge_size.y, 2e-3f);
    CHECK_INT(vrm_ragdoll_solver_set_ground(solver, 2.5), VRM_SUCCESS);
    CHECK_NEAR(comes_to(solver, &def, (vrm_vec3){0, 3, 0}).y, 2.5f + sledge_size.y, 2e-3f);
    CHECK_INT(vrm_ragdoll_solver_clear_ground(solver), VRM_SUCCESS);
    CHECK(comes_to(solver, &def, (vrm_vec3){0, 3, 0}).y < -10.0f);
    CHECK_INT(vrm_ragdoll_solver_set_ground(solver, 2.5), VRM_SUCCESS);
    CHECK_NEAR(comes_to(solver, &def, (vrm_vec3){0, 3, 0}).y, 2.5f + sledge_size.y, 2e-3f);
    vrm_ragdoll_solver_destroy(solver);
}

// Each field of a shape decides where a falling body comes to rest, or whether it misses the shape.
static void shapes_bear_where_they_are(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    sledge(&def);
    const float top = sledge_size.y, quarter = 0.70710678f;
    const vrm_vec3 above = {0, 3, 0};
    vrm_ragdoll_world_shape_def s;
    usual.shape_slots = 12;
    vrm_ragdoll_solver *solver = create(&usual);
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 12, NULL), VRM_ERROR_INVALID_ARGUMENT);
    // A box, which is then moved aside, rotated onto its side, and removed.
    vrm_ragdoll_world_shape_def_default(&s);
    s.half_extents = (vrm_vec3){0.8f, 1.25f, 0.8f};
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 11, &s), VRM_SUCCESS);
    CHECK_NEAR(comes_to(solver, &def, above).y, 1.25f + top, 2e-3f);
    s.center.x = 2.0;
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 11, &s), VRM_SUCCESS);
    CHECK_NEAR(comes_to(solver, &def, above).y, top, 2e-3f);
    CHECK_NEAR(comes_to(solver, &def, (vrm_vec3){2, 3, 0}).y, 1.25f + top, 2e-3f);
    s.center.y = 0.25;
    s.rotation = (vrm_quat){quarter, 0, 0, quarter};
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 11, &s), VRM_SUCCESS);
    CHECK_NEAR(comes_to(solver, &def, (vrm_vec3){2, 3, 0}).y, 0.25f + 0.8f + top, 2e-3f);
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 11, NULL), VRM_SUCCESS);
    CHECK_NEAR(comes_to(solver, &def, (vrm_vec3){2, 3, 0}).y, top, 2e-3f);
    // A sphere and a capsule. They touch the falling box on its edge, which is inset by a tenth.
    const float edge = 0.9f * top;
    vrm_ragdoll_world_shape_def_default(&s);
    s.type = VRM_RAGDOLL_WORLD_SPHERE;
    s.radius = 1.75f;
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &s), VRM_SUCCESS);
    CHECK_NEAR(comes_to(solver, &def, above).y, 1.75f + edge, 2e-3f);
    s.type = VRM_RAGDOLL_WORLD_CAPSULE;
    s.radius = 0.25f;
    s.half_length = 1.25f;
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &s), VRM_SUCCESS);
    CHECK_NEAR(comes_to(solver, &def, above).y, 1.5f + edge, 2e-3f);
    vrm_ragdoll_solver_destroy(solver);
}

// Lets a body land at 4 m/s. Returns the largest fraction of its speed that it loses in a step of 1/120 s while it is
// faster than 1 m/s. `out_deepest`: its greatest depth below `rest`.
static float braked(vrm_ragdoll_solver *solver, const vrm_ragdoll_def *def, float rest, float led, float *out_deepest)
{
    figure_targets t;
    float most = 0.0f, before = 4.0f;
    launch(solver, def, &t, (vrm_vec3){0, rest + 0.5f, 0}, (vrm_vec3){0, -before, 0});
    t.bodies[0].load = led;
    *out_deepest = 0.0f;
    for (int step = 0; step < 60; ++step) {
        vrm_ragdoll_state state;
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 120.0f);
        vrm_ragdoll_solver_get_states(solver, &nowhere, &state, 1);
        const float now = -state.linear_velocity.y;
        most = before > 1.0f ? fmaxf(most, 1.0f - now / before) : most;
        before = now;
        *out_deepest = fmaxf(*out_deepest, rest - state.position.y);
    }
    CHECK_NEAR(before, 0.0, 0.02);
    return most;
}

// A limp body is soft: the ground or a shape stops it over several steps, and it comes to rest on the surface, not
// above it. A body that an animation drives stops at once, as the animation does.
static void what_is_limp_lands_soft(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    sledge(&def);
    const float top = sledge_size.y;
    float deepest;
    vrm_ragdoll_world_shape_def box;
    vrm_ragdoll_solver *solver = create(&usual);
    CHECK(braked(solver, &def, top, 0.0f, &deepest) < 0.4f);
    CHECK(deepest < 1e-3f);
    CHECK_NEAR(comes_to(solver, &def, (vrm_vec3){0, 1, 0}).y, top, 1e-3);
    CHECK(braked(solver, &def, top, 1.0f, &deepest) > 0.6f);
    vrm_ragdoll_world_shape_def_default(&box);
    box.half_extents = (vrm_vec3){0.8f, 0.5f, 0.8f};
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &box), VRM_SUCCESS);
    CHECK(braked(solver, &def, 0.5f + top, 0.0f, &deepest) < 0.4f);
    CHECK(deepest < 1e-3f);
    vrm_ragdoll_solver_destroy(solver);
}

// A turntable carries bodies along: a sledge far from its axis soon moves as fast as the table does there.
static void a_turning_shape_takes_along(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    sledge(&def);
    usual.friction = 4.0f;
    vrm_ragdoll_solver *solver = create(&usual);
    vrm_ragdoll_world_shape_def table;
    vrm_ragdoll_world_shape_def_default(&table);
    table.half_extents = (vrm_vec3){4, 0.5f, 4};
    table.angular_velocity.y = 0.5f;
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &table), VRM_SUCCESS);
    figure_targets t;
    launch(solver, &def, &t, (vrm_vec3){0, 0.5f + sledge_size.y, 2}, (vrm_vec3){0, 0, 0});
    const vrm_ragdoll_state s = after(solver, &t, 2.0f);
    const float far = sqrtf(s.position.x * s.position.x + s.position.z * s.position.z);
    CHECK_NEAR(far, 2.0f, 0.05f);
    CHECK_NEAR(atan2f(s.position.x, s.position.z), 1.0f, 0.05f);
    CHECK_NEAR(s.angular_velocity.y, 0.5f, 0.02f);
    CHECK_NEAR(s.linear_velocity.x, 0.5f * s.position.z, 0.05f);
    vrm_ragdoll_solver_destroy(solver);
}

static void sleep_can_be_forbidden(void)
{
    for (int sleeps = 0; sleeps < 2; ++sleeps) {
        vrm_ragdoll_def def = {.struct_size = sizeof def};
        sledge(&def);
        usual.sleep = sleeps != 0;
        vrm_ragdoll_solver *solver = create(&usual);
        (void)comes_to(solver, &def, (vrm_vec3){0, sledge_size.y, 0});
        CHECK_INT(vrm_ragdoll_solver_is_asleep(solver), sleeps);
        vrm_ragdoll_solver_destroy(solver);
    }
}

// --- many ------------------------------------------------------------------------------------------------------------

// Ragdolls with different iterations or friction are stepped in separate lanes. Each gets the same bits as when it is
// stepped alone.
static void neighbours_keep_their_numbers(void)
{
    enum { COUNT = 8, FRAMES = 40 };
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    sledge(&def);
    vrm_ragdoll_solver *many[COUNT], *alone[COUNT];
    figure_targets t[COUNT];
    const vrm_ragdoll_targets *targets[COUNT];
    static _Alignas(64) char scratch[1 << 18];
    CHECK(vrm_ragdoll_solver_get_scratch_size(1) <= sizeof scratch);
    for (int i = 0; i < COUNT; ++i) {
        usual.friction = i < 4 ? 0.2f : 0.1f * (float)i;
        usual.iterations = i < 4 ? 1 + (uint32_t)i % 2 : 8;
        many[i] = create(&usual);
        alone[i] = create(&usual);
        launch(many[i], &def, &t[i], (vrm_vec3){0, 0.05f, 0}, (vrm_vec3){2, -9, 1});
        launch(alone[i], &def, &t[i], (vrm_vec3){0, 0.05f, 0}, (vrm_vec3){2, -9, 1});
        targets[i] = &t[i].targets;
    }
    vrm_ragdoll_state states[COUNT];
    for (int frame = 0; frame < FRAMES; ++frame) {
        vrm_ragdoll_solver_step_many(many, targets, COUNT, 1.0f / 60.0f, (vrm_scratch){scratch, sizeof scratch});
    }
    for (int i = 0; i < COUNT; ++i) {
        const vrm_ragdoll_state own = after(alone[i], &t[i], FRAMES / 60.0f);
        vrm_ragdoll_solver_get_states(many[i], &nowhere, &states[i], 1);
        CHECK(memcmp(&states[i], &own, sizeof own) == 0);
        CHECK(i == 0 || memcmp(&states[i], &states[i - 1], sizeof own) != 0);
        vrm_ragdoll_solver_destroy(many[i]);
        vrm_ragdoll_solver_destroy(alone[i]);
    }
}

// --- a person --------------------------------------------------------------------------------------------------------

// Returns how deep bodies sink into the ground, metres: the mean of falls from 20 poses.
static double depth_of_falls(uint32_t iterations)
{
    enum { POSES = 20 };
    double sum = 0.0;
    vrm_ragdoll_solver_def_default(&usual);
    figure_person(&person);
    usual.def = &person;
    usual.iterations = iterations;
    for (uint32_t pose = 0; pose < POSES; ++pose) {
        uint64_t seed = vrmi_random_seeded(pose);
        vrm_ragdoll_state states[16];
        figure_targets t;
        vrm_ragdoll_solver *solver = create(&usual);
        random_pose(&person, &seed, (vrm_vec3){0, 6.0f, 0}, 1.0f, states);
        figure_hold(&t, &person, states);
        float deepest = 0.0f;
        for (int frame = 0; frame < 90; ++frame) {
            run(solver, &t, 1);
            deepest = fmaxf(deepest, fall_penetration(solver));
        }
        sum += (double)deepest / POSES;
        vrm_ragdoll_solver_destroy(solver);
    }
    return sum;
}

static void iterations_keep_contacts_apart(void)
{
    const double one = depth_of_falls(1), two = depth_of_falls(2), eight = depth_of_falls(8);
    CHECK(one > 1.5 * eight);
    CHECK(two > 1.5 * eight);
    CHECK(one < 0.013 && eight < 0.007); // because limp bodies are braked, few iterations are enough
}

static const test_case cases[] = {
    {"friction_stops_a_sledge", friction_stops_a_sledge},
    {"max_steps_bound_a_frame", max_steps_bound_a_frame},
    {"the_ground_bears_at_its_height", the_ground_bears_at_its_height},
    {"shapes_bear_where_they_are", shapes_bear_where_they_are},
    {"what_is_limp_lands_soft", what_is_limp_lands_soft},
    {"a_turning_shape_takes_along", a_turning_shape_takes_along},
    {"sleep_can_be_forbidden", sleep_can_be_forbidden},
    {"neighbours_keep_their_numbers", neighbours_keep_their_numbers},
    {"iterations_keep_contacts_apart", iterations_keep_contacts_apart},
};

RUN_TESTS(cases)
