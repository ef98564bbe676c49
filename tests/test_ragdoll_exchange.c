// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The light solver and the drives as a host uses them: time, places, the world's shapes, sleep, snapshots, bad input.

#include "../dynamics/solver.h"
#include "ragdoll_fall.h"
#include "test.h"

#include <stdlib.h>

static const double nowhere[3] = {0.0, 0.0, 0.0};
static vrm_ragdoll_def person;

static vrm_ragdoll_solver *make(void (*change)(vrm_ragdoll_solver_params *))
{
    figure_person(&person);
    vrm_ragdoll_solver_params params;
    vrm_ragdoll_solver_params_default(&params);
    params.def = &person;
    if (change != NULL) {
        change(&params);
    }
    vrm_ragdoll_solver *solver = NULL;
    CHECK_INT(vrm_ragdoll_solver_create(&params, &solver), VRM_SUCCESS);
    return solver;
}

// Stands (or hangs) in the T-pose with the hips at a height, driven.
static void stand(figure_targets *t, float height, float frequency)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    figure_person(&person);
    figure_t_pose(&person, (vrm_vec3){0, height, 0}, states);
    figure_hold(t, &person, states);
    for (uint32_t i = 0; i < 16; ++i) {
        t->bodies[i].frequency = frequency;
    }
}

static void run(vrm_ragdoll_solver *solver, const figure_targets *t, int frames)
{
    for (int i = 0; i < frames; ++i) {
        vrm_ragdoll_solver_step(solver, &t->targets, 1.0f / 60.0f);
    }
}

static double angle_between(vrm_quat a, vrm_quat b)
{
    return (double)vrmi_vec3_length(vrmi_quat_to_vector(vrmi_quat_mul(a, vrmi_quat_conjugate(b))));
}

// Mean and largest angle of the joints between what is and what is asked, degrees.
static void pose_error(const vrm_ragdoll_solver *solver, const figure_targets *t, double *out_mean, double *out_max)
{
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
    *out_mean = *out_max = 0;
    for (uint32_t i = 1; i < 16; ++i) {
        const int32_t p = person.bodies[i].parent;
        const vrm_quat is = vrmi_quat_mul(vrmi_quat_conjugate(s[p].rotation), s[i].rotation);
        const vrm_quat asked =
            vrmi_quat_mul(vrmi_quat_conjugate(t->bodies[p].state.rotation), t->bodies[i].state.rotation);
        const double off = angle_between(is, asked) * 57.29578;
        *out_mean += off / 15;
        *out_max = off > *out_max ? off : *out_max;
    }
}

static void no_ground(vrm_ragdoll_solver_params *params)
{
    params->ground = false;
}

// --- drives --------------------------------------------------------------------------------------------------------

static void a_held_pelvis_lets_the_rest_sag_little(void)
{
    const struct {
        float frequency;
        double mean, most;
    } bounds[] = {{2, 10, 30}, {4, 3, 9}, {8, 0.9, 2.5}}; // arms stretched out, which is hardest
    for (int i = 0; i < 3; ++i) {
        vrm_ragdoll_solver *solver = make(no_ground);
        figure_targets t;
        stand(&t, 2, bounds[i].frequency);
        t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
        run(solver, &t, 120);
        double mean, most;
        pose_error(solver, &t, &mean, &most);
        CHECK(mean < bounds[i].mean && most < bounds[i].most);
        // A push of 80 N s on the chest; at 4 Hz back within a third of a second.
        const double chest[3] = {0, 2.34, 0.1};
        const vrm_vec3 push = {0, 0, -80};
        CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 2, chest, &push), VRM_SUCCESS);
        run(solver, &t, 2);
        double away;
        pose_error(solver, &t, &away, &most);
        CHECK(i == 2 || away > mean + 2.0);
        run(solver, &t, i == 0 ? 60 : 20);
        pose_error(solver, &t, &away, &most);
        CHECK(away < mean + (i == 0 ? 6.0 : 1.0));
        vrm_ragdoll_solver_destroy(solver);
    }
}

// Seconds until an angle that begins at 0.3 rad is half of that.
static double half_time_of_joint(uint32_t joint)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    solver->params.gravity = (vrm_vec3){0, 0, 0};
    solver->params.step = 1.0f / 480.0f;
    solver->params.joint_friction = 0; // which is the flesh's, not the drive's
    figure_targets t;
    stand(&t, 2, 2);
    t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    vrm_ragdoll_state places[16], s[16];
    figure_t_pose(&person, (vrm_vec3){0, 2, 0}, places);
    // What hangs on the joint turns with it; about X, which all of these can.
    for (uint32_t i = 0; i < 16; ++i) {
        uint32_t up = i;
        while (up > joint) {
            up = (uint32_t)person.bodies[up].parent;
        }
        if (up == joint) {
            places[i].rotation = vrmi_quat_from_vector((vrm_vec3){0.3f, 0, 0});
            if (i != joint) {
                const vrm_ragdoll_state *p = &places[person.bodies[i].parent];
                places[i].position =
                    vrmi_vec3_add(p->position, vrmi_quat_rotate(p->rotation, person.bodies[i].joint.anchor));
            }
        }
    }
    t.targets.places = places;
    int steps = 0;
    for (; steps < 480; ++steps) {
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 480.0f);
        vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
        const vrm_quat parent = s[person.bodies[joint].parent].rotation;
        if (angle_between(s[joint].rotation, parent) < 0.15) {
            break;
        }
    }
    vrm_ragdoll_solver_destroy(solver);
    return steps / 480.0;
}

// The same of a rod on a pivot under the article's torques, whose gains are fixed; a fine explicit integration.
static double half_time_of_rod(vrm_ragdoll_def *def, float mass)
{
    const float h = 1e-4f, inertia = mass / 3;
    vrm_ragdoll_state state = {.rotation = vrmi_quat_from_vector((vrm_vec3){0.3f, 0, 0})};
    const vrm_ragdoll_target target = {.state = {.rotation = {0, 0, 0, 1}}, .motion = VRM_RAGDOLL_MOTION_DYNAMIC};
    vrm_ragdoll_drive_input input;
    vrm_ragdoll_drive_input_default(&input);
    input.def = def;
    input.states = &state;
    input.targets = &target;
    input.dt = h;
    float angle = 0.3f;
    int steps = 0;
    for (; angle > 0.15f && steps < 100000; ++steps) {
        vrm_ragdoll_wrench out;
        vrm_ragdoll_drive_torques_explicit(&input, VRM_RAGDOLL_EXPLICIT_MEANT, 50, 8, &out);
        state.angular_velocity.x += h * out.torque.x / inertia;
        angle += h * state.angular_velocity.x;
        state.rotation = vrmi_quat_from_vector((vrm_vec3){angle, 0, 0});
    }
    return steps * (double)h;
}

static void light_and_heavy_joints_answer_alike(void)
{
    const uint32_t joints[] = {2, 3, 8, 12, 14}; // chest with arms and head, head, hand, shank, foot
    double least = 1, most = 0;
    for (int i = 0; i < 5; ++i) {
        const double time = half_time_of_joint(joints[i]);
        least = time < least ? time : least;
        most = time > most ? time : most;
    }
    CHECK(most / least < 1.15);
    // A thigh is slower: in the long run knee and ankle hold more of the leg to it than they do at once.
    CHECK(half_time_of_joint(10) / least < 1.6);
    // With fixed gains they do not.
    static vrm_ragdoll_def rod;
    figure_person(&rod);
    rod.body_count = 1;
    CHECK(half_time_of_rod(&rod, 10) / half_time_of_rod(&rod, 1) > 1.3);
}

static void a_pin_holds_the_whole(void)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    figure_targets t;
    stand(&t, 2, 6);
    t.bodies[0].pin_frequency = 6;
    run(solver, &t, 120);
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
    // Held by a spring, it hangs lower by g / (2 pi f)^2.
    const double w = 2 * 3.14159265 * 6;
    CHECK_NEAR(s[0].position.y, 2.0 - 9.81 / (w * w), 0.002);
    CHECK(angle_between(s[0].rotation, (vrm_quat){0, 0, 0, 1}) < 0.05);
    vrm_ragdoll_solver_destroy(solver);
}

static void weak_muscles_give_way(void)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    figure_targets t;
    stand(&t, 2, 8);
    t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    t.bodies[4].max_torque = 1.0f; // the left arm weighs 2.7 kg and is 0.6 m long: it takes about 7 N m
    run(solver, &t, 120);
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
    CHECK(angle_between(s[4].rotation, (vrm_quat){0, 0, 0, 1}) > 0.8);
    CHECK(angle_between(s[5].rotation, (vrm_quat){0, 0, 0, 1}) < 0.1);
    vrm_ragdoll_solver_destroy(solver);
}

static void torques_are_what_the_formula_says(void)
{
    // One body on a held one, no gravity: J w' = J w + h T, T = J (k (e - h w') - d w') with k = u^2, d = 2 u.
    static vrm_ragdoll_def def;
    figure_person(&def);
    def.body_count = 2;
    def.bodies[0].no_contact = 2;
    def.bodies[1].no_contact = 1;
    vrm_ragdoll_state states[2] = {{.rotation = {0, 0, 0, 1}}};
    figure_t_pose(&def, (vrm_vec3){0, 1, 0}, states);
    figure_targets t;
    figure_hold(&t, &def, states);
    t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    t.bodies[1].frequency = 5;
    const double e = 0.2, h = 1.0 / 60, u = 2 * 3.14159265358979 * 5;
    t.bodies[1].state.rotation = vrmi_quat_from_vector((vrm_vec3){(float)e, 0, 0});
    vrm_ragdoll_drive_input input;
    vrm_ragdoll_drive_input_default(&input);
    input.def = &def;
    input.states = states;
    input.targets = t.bodies;
    input.dt = (float)h;
    input.gravity = (vrm_vec3){0, 0, 0};
    vrm_ragdoll_wrench out[2];
    vrm_ragdoll_drive_torques(&input, out);
    const vrm_ragdoll_body *b = &def.bodies[1];
    const double y = (double)b->center_of_mass.y;
    // The capsule lies along X, its principal Y.
    const double about_x =
        (double)(b->inertia_rotation.z != 0.0f ? b->inertia.y : b->inertia.x) + (double)b->mass * y * y;
    const double speed = u * u * h * e / (1 + 2 * u * h + u * u * h * h);
    CHECK_NEAR(out[1].torque.x, about_x * speed / h, 0.001 * about_x * speed / h);
    CHECK_NEAR(out[1].torque.y, 0, 1e-3);
    // With a strength, no more than that.
    t.bodies[1].max_torque = 0.5f;
    vrm_ragdoll_drive_torques(&input, out);
    CHECK_NEAR(out[1].torque.x, 0.5, 0.02);
    // To the letter: k without the angle, or with it.
    vrm_ragdoll_drive_torques_explicit(&input, VRM_RAGDOLL_EXPLICIT_PRINTED, 3, 1, out);
    CHECK_NEAR(out[1].torque.x, 3, 1e-5);
    states[1].angular_velocity.y = 0.5f;
    vrm_ragdoll_drive_torques_explicit(&input, VRM_RAGDOLL_EXPLICIT_MEANT, 3, 1, out);
    CHECK_NEAR(out[1].torque.x, 3 * e, 1e-5);
    CHECK_NEAR(out[1].torque.y, -0.5, 1e-6);
}

static void torques_of_a_floating_body_cancel(void)
{
    figure_targets t;
    stand(&t, 2, 5);
    uint64_t seed = vrmi_random_seeded(9);
    vrm_ragdoll_state states[16];
    random_pose(&person, &seed, (vrm_vec3){0, 2, 0}, 1, states);
    t.bodies[0].frequency = 0; // it has no spring to the world
    vrm_ragdoll_drive_input input;
    vrm_ragdoll_drive_input_default(&input);
    input.def = &person;
    input.states = states;
    input.targets = t.bodies;
    input.dt = 1.0f / 120.0f;
    vrm_ragdoll_wrench out[16];
    vrm_ragdoll_drive_torques(&input, out);
    vrm_vec3 sum = {0, 0, 0};
    float size = 0;
    for (uint32_t i = 0; i < 16; ++i) {
        sum = vrmi_vec3_add(sum, out[i].torque);
        size += vrmi_vec3_length(out[i].torque);
        CHECK_NEAR(vrmi_vec3_length(out[i].force), 0, 1e-6);
    }
    CHECK(size > 10);
    CHECK_NEAR(vrmi_vec3_length(sum), 0, 1e-4 * (double)size);
}

static void velocities_fit_the_joints_and_keep_momentum(void)
{
    figure_targets t;
    stand(&t, 2, 0);
    uint64_t seed = vrmi_random_seeded(4);
    vrm_ragdoll_state states[16];
    random_pose(&person, &seed, (vrm_vec3){0, 2, 0}, 1, states);
    vrm_vec3 before = {0, 0, 0}, after = {0, 0, 0};
    for (uint32_t i = 0; i < 16; ++i) {
        states[i].linear_velocity = random_vector(&seed, 1);
        t.bodies[i].rotation_weight = 0.5f;
        before = vrmi_vec3_add(before, vrmi_vec3_scale(states[i].linear_velocity, person.bodies[i].mass));
    }
    vrm_ragdoll_drive_input input;
    vrm_ragdoll_drive_input_default(&input);
    input.def = &person;
    input.states = states;
    input.targets = t.bodies;
    input.dt = 0.01f;
    vrm_ragdoll_velocity plain[16], out[16];
    vrm_ragdoll_drive_velocities_plain(&input, plain);
    vrm_ragdoll_drive_velocities(&input, out);
    for (uint32_t i = 0; i < 16; ++i) {
        const vrm_ragdoll_body *b = &person.bodies[i];
        // Half of the arc in a hundredth of a second.
        const vrm_vec3 arc = vrmi_quat_to_vector(vrmi_quat_conjugate(states[i].rotation));
        CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(plain[i].angular, vrmi_vec3_scale(arc, 50))), 0, 1e-3);
        CHECK(memcmp(&plain[i].linear, &states[i].linear_velocity, sizeof(vrm_vec3)) == 0);
        CHECK(memcmp(&plain[i].angular, &out[i].angular, sizeof(vrm_vec3)) == 0);
        after = vrmi_vec3_add(after, vrmi_vec3_scale(out[i].linear, b->mass));
        if (i != 0) {
            const vrm_ragdoll_state *p = &states[b->parent];
            const vrm_vec3 from = vrmi_vec3_sub(b->joint.anchor, person.bodies[b->parent].center_of_mass);
            const vrm_vec3 a =
                vrmi_velocity_at(out[b->parent].linear, out[b->parent].angular, vrmi_quat_rotate(p->rotation, from));
            const vrm_vec3 to = vrmi_quat_rotate(states[i].rotation, vrmi_vec3_scale(b->center_of_mass, -1));
            CHECK_NEAR(
                vrmi_vec3_length(vrmi_vec3_sub(a, vrmi_velocity_at(out[i].linear, out[i].angular, to))), 0, 1e-3);
        }
    }
    CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(after, before)), 0, 1e-2);
}

// The article's weights in the light solver, floating: 1 follows, 0.5 not completely, 0.1 is loose.
static void velocity_weights_order_the_pose(void)
{
    const float weights[3] = {1, 0.5f, 0.1f};
    double means[3];
    for (int k = 0; k < 3; ++k) {
        vrm_ragdoll_solver *solver = make(no_ground);
        figure_targets t;
        stand(&t, 2, 0);
        t.targets.drive = VRM_RAGDOLL_DRIVE_VELOCITY;
        for (uint32_t i = 0; i < 16; ++i) {
            t.bodies[i].rotation_weight = weights[k];
        }
        double sum = 0, most;
        for (int frame = 0; frame < 120; ++frame) {
            // Both arms swing by a radian at 1 Hz.
            for (uint32_t arm = 4; arm <= 5; ++arm) {
                const float phase = 6.2831853f * (float)frame / 60;
                const vrm_vec3 turn = {0, 0, sinf(phase)}, speed = {0, 0, 6.2831853f * cosf(phase)};
                for (uint32_t i = arm; i < 10; i += 2) {
                    t.bodies[i].state.rotation = vrmi_quat_from_vector(turn);
                    t.bodies[i].state.angular_velocity = speed;
                }
            }
            run(solver, &t, 1);
            pose_error(solver, &t, &means[k], &most);
            sum += frame >= 60 ? means[k] / 60 : 0;
        }
        means[k] = sum;
        vrm_ragdoll_solver_destroy(solver);
    }
    CHECK(means[0] < 0.3);
    CHECK(means[0] < means[1] && means[1] < means[2]);
    CHECK(means[2] > 1.0 && means[2] < 15.0);
}

// --- time ----------------------------------------------------------------------------------------------------------

// A driven figure is pushed after half a second; where are its bodies after one?
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
        // The hips go forward, as seen at the frame's end.
        for (uint32_t i = 0; i < 16; ++i) {
            t.bodies[i].state.linear_velocity.z = 1;
            t.bodies[i].state.position.z += 1.0f / (float)rate;
        }
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / (float)rate);
    }
    vrm_ragdoll_solver_get_states(solver, nowhere, out, 16);
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
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
    CHECK(s[0].position.y > 2.5f); // a quarter of a second
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
        for (int i = 0; i < 3; ++i) {
            t.targets.origin[i] = there;
        }
        run(solver, &t, 60);
        vrm_ragdoll_solver_get_states(solver, t.targets.origin, k == 0 ? near : far, 16);
        vrm_ragdoll_solver_destroy(solver);
    }
    CHECK(memcmp(near, far, sizeof(near)) == 0);
}

// A root that walks 100 m while the body hangs on it: the solver's origin follows.
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
        t.targets.origin[0] += 10.0 / 60;
        vrm_ragdoll_solver_step(solver, &t.targets, 1.0f / 60.0f);
    }
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, t.targets.origin, s, 16);
    CHECK_NEAR(s[0].position.x, 0, 1e-3);
    CHECK_NEAR(s[3].linear_velocity.x, 10, 0.05);
    CHECK_NEAR(s[3].position.x, 0, 0.02);
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
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
    CHECK_NEAR(s[0].position.x, 5, 1e-6);
    CHECK_NEAR(s[9].position.y, places[9].position.y, 1e-5);
    run(solver, &t, 1); // and not again
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
    CHECK(s[0].position.y < 3.0f);
    t.targets.active = false;
    run(solver, &t, 1);
    t.targets.active = true;
    vrm_ragdoll_solver_step(solver, &t.targets, 0.0f);
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
    CHECK_NEAR(s[0].position.y, 3, 1e-6);
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
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
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
        vrm_ragdoll_world_shape shape;
        vrm_ragdoll_world_shape_default(&shape);
        shape.type = (vrm_ragdoll_world_shape_type)type;
        shape.center[1] = type == VRM_RAGDOLL_WORLD_BOX ? 0.5 : 0.0;
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
        vrm_ragdoll_energy e;
        vrm_ragdoll_solver_get_energy(solver, &e);
        CHECK(deepest < 0.1f);
        CHECK(at_rest < 0.005f);
        CHECK_INT(vrm_ragdoll_solver_get_status(solver), 0);
        if (type == VRM_RAGDOLL_WORLD_BOX) {
            CHECK(e.center_of_mass[1] > 1.0); // on the table
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
    vrm_ragdoll_energy before, after;
    vrm_ragdoll_solver_get_energy(solver, &before);
    vrm_ragdoll_world_shape wall;
    vrm_ragdoll_world_shape_default(&wall);
    wall.half_extents = (vrm_vec3){0.2f, 1, 5};
    wall.center[0] = -2.5;
    wall.linear_velocity.x = 1;
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &wall), VRM_SUCCESS);
    run(solver, &t, 240);
    vrm_ragdoll_solver_get_energy(solver, &after);
    CHECK(after.center_of_mass[0] > before.center_of_mass[0] + 0.5);
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
    vrm_ragdoll_solver_get_states(solver, nowhere, a, 16);
    run(solver, &t, 10);
    CHECK(vrm_ragdoll_solver_is_asleep(solver));
    vrm_ragdoll_solver_get_states(solver, nowhere, b, 16);
    CHECK(memcmp(a, b, sizeof(a)) == 0);
    t.bodies[3].frequency = 4;
    run(solver, &t, 1);
    CHECK(!vrm_ragdoll_solver_is_asleep(solver));
    t.bodies[3].frequency = 0;
    for (int frame = 0; frame < 600 && !vrm_ragdoll_solver_is_asleep(solver); ++frame) {
        run(solver, &t, 1);
    }
    const vrm_vec3 push = {0, 20, 0};
    CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 0, nowhere, &push), VRM_SUCCESS);
    CHECK(!vrm_ragdoll_solver_is_asleep(solver));
    vrm_ragdoll_solver_destroy(solver);
}

// Standing, the soles bear the weight: 55 kg for a 120th of a second, in each step.
static void contacts_tell_what_bears_the_weight(void)
{
    vrm_ragdoll_solver *solver = make(NULL);
    CHECK_INT(vrm_ragdoll_solver_def(solver)->body_count, 16);
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
            CHECK_NEAR(contacts[i].point[1], 0, 0.002);
            impulse += (double)contacts[i].impulse;
        }
    }
    CHECK_NEAR(impulse, 55 * 9.81 / 120, 0.1 * 55 * 9.81 / 120);
    vrm_ragdoll_solver_destroy(solver);
}

// --- snapshots and bad input ---------------------------------------------------------------------------------------

static void a_snapshot_goes_on_with_the_same_bits(void)
{
    vrm_ragdoll_solver *a = make(NULL), *b = make(NULL);
    vrm_ragdoll_world_shape ball;
    vrm_ragdoll_world_shape_default(&ball);
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
        vrm_ragdoll_solver_get_states(a, nowhere, sa, 16);
        vrm_ragdoll_solver_get_states(b, nowhere, sb, 16);
        CHECK(memcmp(sa, sb, sizeof(sa)) == 0);
    }
    // Damaged bytes are refused or give a state that can be stepped.
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
    vrm_ragdoll_solver_get_states(solver, nowhere, s, 16);
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
        bad.targets.origin[1] = k == 3 ? (double)NAN : 0.0;
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
    // A blow that no float survives: back to the targets.
    const vrm_vec3 huge = {3e38f, 3e38f, 0};
    CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 3, nowhere, &huge), VRM_SUCCESS);
    run(solver, &t, 2);
    CHECK_INT(vrm_ragdoll_solver_get_status(solver), VRM_RAGDOLL_SOLVER_NOT_FINITE);
    CHECK(all_finite(solver));
    const vrm_vec3 none = {NAN, 0, 0};
    CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 3, nowhere, &none), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 16, nowhere, &huge), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ragdoll_world_shape shape;
    vrm_ragdoll_world_shape_default(&shape);
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 8, &shape), VRM_ERROR_INVALID_ARGUMENT);
    shape.half_extents.z = 0;
    CHECK_INT(vrm_ragdoll_solver_set_shape(solver, 0, &shape), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_ragdoll_solver_set_ground(solver, true, (double)NAN), VRM_ERROR_INVALID_ARGUMENT);
    vrm_ragdoll_solver_destroy(solver);
    vrm_ragdoll_solver_destroy(NULL);
}

static void bad_params_are_refused(void)
{
    vrm_ragdoll_solver_params good;
    vrm_ragdoll_solver_params_default(&good);
    CHECK_INT((long long)vrm_ragdoll_solver_size(&good), 0); // no definition
    figure_person(&person);
    good.def = &person;
    CHECK(vrm_ragdoll_solver_size(&good) > 0);
    for (int k = 0; k < 11; ++k) {
        vrm_ragdoll_solver_params p = good;
        static vrm_ragdoll_def def;
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
    {"a_held_pelvis_lets_the_rest_sag_little", a_held_pelvis_lets_the_rest_sag_little},
    {"light_and_heavy_joints_answer_alike", light_and_heavy_joints_answer_alike},
    {"a_pin_holds_the_whole", a_pin_holds_the_whole},
    {"weak_muscles_give_way", weak_muscles_give_way},
    {"torques_are_what_the_formula_says", torques_are_what_the_formula_says},
    {"torques_of_a_floating_body_cancel", torques_of_a_floating_body_cancel},
    {"velocities_fit_the_joints_and_keep_momentum", velocities_fit_the_joints_and_keep_momentum},
    {"velocity_weights_order_the_pose", velocity_weights_order_the_pose},
    {"frame_rates_agree", frame_rates_agree},
    {"long_frames_are_cut", long_frames_are_cut},
    {"far_away_is_the_same", far_away_is_the_same},
    {"the_origin_follows", the_origin_follows},
    {"moved_puts_the_bodies", moved_puts_the_bodies},
    {"one_arm_alone", one_arm_alone},
    {"shapes_hold_and_push", shapes_hold_and_push},
    {"a_moving_shape_pushes_a_sleeper", a_moving_shape_pushes_a_sleeper},
    {"what_wakes_a_sleeper", what_wakes_a_sleeper},
    {"contacts_tell_what_bears_the_weight", contacts_tell_what_bears_the_weight},
    {"a_snapshot_goes_on_with_the_same_bits", a_snapshot_goes_on_with_the_same_bits},
    {"bad_input_is_survived", bad_input_is_survived},
    {"bad_params_are_refused", bad_params_are_refused},
};

RUN_TESTS(cases)
