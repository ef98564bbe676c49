// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The drives: the light solver's own, and those that give velocities and torques to other engines.

#include "../dynamics/solver.h"
#include "ragdoll_solver_fixture.h"

#include <stdlib.h>

// Mean and largest angle between the joints of the pose and of the targets, degrees.
static void pose_error(const vrm_ragdoll_solver *solver, const figure_targets *t, double *out_mean, double *out_max)
{
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
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

// --- drives --------------------------------------------------------------------------------------------------------

static void a_held_pelvis_lets_the_rest_sag_little(void)
{
    const struct {
        float frequency;
        double mean, most;
    } bounds[] = {{2, 10, 30}, {4, 3, 9}, {8, 0.9, 2.5}}; // with arms stretched out, the hardest pose
    for (int i = 0; i < 3; ++i) {
        vrm_ragdoll_solver *solver = make(no_ground);
        figure_targets t;
        stand(&t, 2, bounds[i].frequency);
        t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
        run(solver, &t, 120);
        double mean, most;
        pose_error(solver, &t, &mean, &most);
        CHECK(mean < bounds[i].mean && most < bounds[i].most);
        // A push of 80 N s on the chest: at 4 Hz the pose is back within a third of a second.
        const vrm_dvec3 chest = {0, 2.34, 0.1};
        const vrm_vec3 push = {0, 0, -80};
        CHECK_INT(vrm_ragdoll_solver_apply_impulse(solver, 2, &chest, &push), VRM_SUCCESS);
        run(solver, &t, 2);
        double away;
        pose_error(solver, &t, &away, &most);
        CHECK(i == 2 || away > mean + 1.0);
        run(solver, &t, i == 0 ? 60 : 20);
        pose_error(solver, &t, &away, &most);
        CHECK(away < mean + (i == 0 ? 6.0 : 1.0));
        vrm_ragdoll_solver_destroy(solver);
    }
}

// Seconds until an angle of 0.3 rad has fallen to half.
static double half_time_of_joint(uint32_t joint)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    solver->params.gravity = (vrm_vec3){0, 0, 0};
    solver->params.step = 1.0f / 480.0f;
    solver->params.joint_friction = 0; // joint friction belongs to the body, not to the drive
    figure_targets t;
    stand(&t, 2, 2);
    t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    vrm_ragdoll_state places[16], s[16];
    figure_t_pose(&person, (vrm_vec3){0, 2, 0}, places);
    // The bodies below the joint rotate with it, about X, which all of these joints allow.
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
        vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
        const vrm_quat parent = s[person.bodies[joint].parent].rotation;
        if (angle_between(s[joint].rotation, parent) < 0.15) {
            break;
        }
    }
    vrm_ragdoll_solver_destroy(solver);
    return steps / 480.0;
}

// The half time of a rod on a pivot under the article's torques, whose gains are fixed; integrated explicitly with a
// short step.
static double half_time_of_rod(vrm_ragdoll_def *def, float mass)
{
    const float h = 1e-4f, inertia = mass / 3;
    vrm_ragdoll_state state = {.rotation = vrmi_quat_from_vector((vrm_vec3){0.3f, 0, 0})};
    const vrm_ragdoll_target target = {.state = {.rotation = {0, 0, 0, 1}}, .motion = VRM_RAGDOLL_MOTION_DYNAMIC};
    const vrm_ragdoll_drive_params input = drive_input_of(def, &state, &target, h);
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
    // The joints of the spine with all bodies above it, chest, head, upper arm, hand, thigh, shank, foot.
    const uint32_t joints[] = {1, 2, 3, 4, 8, 10, 12, 14};
    double least = 1, most = 0;
    for (int i = 0; i < 8; ++i) {
        const double time = half_time_of_joint(joints[i]);
        least = time < least ? time : least;
        most = time > most ? time : most;
    }
    CHECK(most / least < 1.05);
    // (1 + w t) e^(-w t) is 0.5 at w t = 1.678.
    CHECK_NEAR(most, 1.678 / (2 * 3.14159265 * 2), 0.006);
    // With fixed gains, the half times of a light and a heavy rod differ.
    static vrm_ragdoll_def rod = {.struct_size = sizeof rod};
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
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    // A figure held by a spring hangs lower by g / (2 pi f)^2.
    const double w = 2 * 3.14159265 * 6;
    CHECK_NEAR(s[0].position.y, 2.0 - 9.81 / (w * w), 0.002);
    CHECK(angle_between(s[0].rotation, (vrm_quat){0, 0, 0, 1}) < 0.05);
    vrm_ragdoll_solver_destroy(solver);
}

static float pin_step;

static void no_ground_and_steps(vrm_ragdoll_solver_def *params)
{
    params->ground = false;
    params->step = pin_step;
}

// A limp figure can hang on its left hand as well as on its hips. At any step size the pin bears the whole weight,
// although a hand weighs only half a kilogram, and sags by g / (2 pi f)^2.
static void a_pinned_hand_holds_the_body(void)
{
    const float steps[] = {1.0f / 60.0f, 1.0f / 120.0f, 1.0f / 240.0f};
    for (int k = 0; k < 3; ++k) {
        pin_step = steps[k];
        vrm_ragdoll_solver *solver = make(no_ground_and_steps);
        figure_targets t;
        stand(&t, 2, 0);
        t.bodies[8].pin_frequency = 6;
        run(solver, &t, 600);
        vrm_ragdoll_state s[16];
        vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
        const double w = 2 * 3.14159265 * 6;
        const vrm_vec3 off = vrmi_vec3_sub(s[8].position, t.bodies[8].state.position);
        CHECK_NEAR(vrmi_vec3_length(off), 9.81 / (w * w), 0.006); // the figure still swings a little
        CHECK(s[0].position.y < 1.8f);
        vrm_ragdoll_solver_destroy(solver);
    }
}

// A pin pulls at one metre per second at any distance, and does not overshoot.
static void a_pin_that_is_far_away_draws_gently(void)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    figure_targets t;
    stand(&t, 2, 0);
    t.bodies[0].pin_frequency = 6;
    run(solver, &t, 1);
    t.bodies[0].state.position.x = 1.0f;
    vrm_ragdoll_state s[16];
    float fastest = 0.0f, farthest = 0.0f;
    for (int frame = 0; frame < 180; ++frame) {
        const float before = frame == 0 ? 0.0f : s[0].position.x;
        run(solver, &t, 1);
        vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
        fastest = fmaxf(fastest, 60.0f * (s[0].position.x - before));
        farthest = fmaxf(farthest, s[0].position.x);
        CHECK(frame != 30 || s[0].position.x < 0.6f);
    }
    CHECK_NEAR(s[0].position.x, 1.0, 0.01);
    CHECK(fastest > 0.8f && fastest < 1.2f); // swinging limbs change the speed a little
    CHECK(farthest < 1.05f);
    vrm_ragdoll_solver_destroy(solver);
}

// When the drive bears the load, nothing sags at any softness and any step size, not even the hips on their pin, nor a
// joint whose largest torque is less than its load: that torque limits only spring and damper. Without the load such a
// joint sags (weak_muscles_give_way).
static void a_borne_load_does_not_sag(void)
{
    const float steps[] = {1.0f / 60.0f, 1.0f / 120.0f, 1.0f / 240.0f}, frequencies[] = {1.0f, 2.0f, 4.0f};
    for (int k = 0; k < 9; ++k) {
        pin_step = steps[k % 3];
        vrm_ragdoll_solver *solver = make(no_ground_and_steps);
        figure_targets t;
        stand(&t, 2, frequencies[k / 3]);
        t.bodies[0].pin_frequency = frequencies[k / 3];
        for (uint32_t i = 0; i < 16; ++i) {
            t.bodies[i].load = 1.0f;
        }
        run(solver, &t, 240);
        vrm_ragdoll_state s[16];
        vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
        CHECK_NEAR(s[0].position.y, 2.0, 1e-4);
        for (uint32_t i = 0; i < 16; ++i) {
            CHECK(angle_between(s[i].rotation, (vrm_quat){0, 0, 0, 1}) < 0.1 / 57.3);
        }
        t.bodies[4].max_torque = 1.0f; // holding the arm needs about 7 N m
        run(solver, &t, 120);
        vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
        CHECK(angle_between(s[4].rotation, (vrm_quat){0, 0, 0, 1}) < 0.1 / 57.3);
        vrm_ragdoll_solver_destroy(solver);
    }
}

// Swings the targets of the left arm forward by an angle about the shoulder. Velocities and accelerations are
// differences between frames, as an instance computes them.
static void swing_left_arm(figure_targets *t, float angle, bool first)
{
    static const float joints[3] = {0.0f, 0.24f, 0.46f};
    const float rate = 60.0f;
    const vrm_quat turn = vrmi_quat_from_vector((vrm_vec3){0, angle, 0});
    for (int k = 0; k < 3; ++k) {
        vrm_ragdoll_target *b = &t->bodies[4 + 2 * k];
        const vrm_ragdoll_state old = b->state;
        const vrm_vec3 center = person.bodies[4 + 2 * k].center_of_mass;
        b->state.position =
            vrmi_vec3_add(t->bodies[4].state.position, vrmi_quat_rotate(turn, (vrm_vec3){joints[k], 0, 0}));
        b->state.rotation = turn;
        const vrm_vec3 from = vrmi_vec3_add(old.position, vrmi_quat_rotate(old.rotation, center));
        const vrm_vec3 to = vrmi_vec3_add(b->state.position, vrmi_quat_rotate(turn, center));
        const vrm_vec3 linear = vrmi_vec3_scale(vrmi_vec3_sub(to, from), rate);
        const vrm_quat way = vrmi_quat_mul(turn, vrmi_quat_conjugate(old.rotation));
        const vrm_vec3 angular = vrmi_vec3_scale(vrmi_quat_to_vector(way), rate);
        if (!first) {
            b->linear_acceleration = vrmi_vec3_scale(vrmi_vec3_sub(linear, old.linear_velocity), rate);
            b->angular_acceleration = vrmi_vec3_scale(vrmi_vec3_sub(angular, old.angular_velocity), rate);
        }
        b->state.linear_velocity = linear;
        b->state.angular_velocity = angular;
    }
}

// Soft springs alone lag behind a swinging arm. When the drive also bears the load, including accelerations, the arm is
// at its target.
static void a_borne_load_follows_the_animation(void)
{
    double worst[2] = {0.0, 0.0};
    for (int with = 0; with < 2; ++with) {
        vrm_ragdoll_solver *solver = make(no_ground);
        figure_targets t;
        stand(&t, 2, 2);
        t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
        for (int frame = 0; frame < 180; ++frame) {
            const double time = frame / 60.0, angle = 0.3 * fmin(time, 1.0) * sin(9.0 * time);
            for (uint32_t i = 0; i < 16; ++i) {
                t.bodies[i].load = with == 1 ? 1.0f : 0.0f;
            }
            swing_left_arm(&t, (float)angle, frame == 0);
            run(solver, &t, 1);
            vrm_ragdoll_state s[16];
            vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
            worst[with] =
                frame > 60 ? fmax(worst[with], angle_between(s[4].rotation, t.bodies[4].state.rotation)) : 0.0;
        }
        vrm_ragdoll_solver_destroy(solver);
    }
    printf("  an arm that swings by 17 degrees 1.4 times a second: off by %.2f degrees, with its load borne by %.2f\n",
        57.3 * worst[0], 57.3 * worst[1]);
    CHECK(worst[1] < 1.0 / 57.3);
    CHECK(worst[1] < 0.2 * worst[0]);
}

static void weak_muscles_give_way(void)
{
    vrm_ragdoll_solver *solver = make(no_ground);
    figure_targets t;
    stand(&t, 2, 8);
    t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    t.bodies[4].max_torque = 1.0f; // the left arm weighs 2.7 kg and is 0.6 m long: holding it needs about 7 N m
    run(solver, &t, 120);
    vrm_ragdoll_state s[16];
    vrm_ragdoll_solver_get_states(solver, &nowhere, s, 16);
    CHECK(angle_between(s[4].rotation, (vrm_quat){0, 0, 0, 1}) > 0.8);
    CHECK(angle_between(s[5].rotation, (vrm_quat){0, 0, 0, 1}) < 0.1);
    vrm_ragdoll_solver_destroy(solver);
}

static void torques_are_what_the_formula_says(void)
{
    // A body jointed to a fixed body, without gravity: J w' = J w + h T, T = J (k (e - h w') - d w') with k = u^2, d =
    // 2 u.
    static vrm_ragdoll_def def = {.struct_size = sizeof def};
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
    vrm_ragdoll_drive_params input = drive_input_of(&def, states, t.bodies, (float)h);
    input.gravity = (vrm_vec3){0, 0, 0};
    vrm_ragdoll_wrench out[2];
    vrm_ragdoll_drive_torques(&input, out);
    const vrm_ragdoll_body *b = &def.bodies[1];
    const double y = (double)b->center_of_mass.y;
    // The capsule is along X, which is Y of its principal axes.
    const double about_x =
        (double)(b->inertia_rotation.z != 0.0f ? b->inertia.y : b->inertia.x) + (double)b->mass * y * y;
    const double speed = u * u * h * e / (1 + 2 * u * h + u * u * h * h);
    CHECK_NEAR(out[1].torque.x, about_x * speed / h, 0.001 * about_x * speed / h);
    CHECK_NEAR(out[1].torque.y, 0, 1e-3);
    // A limited strength limits the torque.
    t.bodies[1].max_torque = 0.5f;
    vrm_ragdoll_drive_torques(&input, out);
    CHECK_NEAR(out[1].torque.x, 0.5, 0.02);
    // The article's formula as printed, where k is not multiplied by the angle, and as meant, where it is.
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
    t.bodies[0].frequency = 0; // no spring to the world
    const vrm_ragdoll_drive_params input = drive_input_of(&person, states, t.bodies, 1.0f / 120.0f);
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
    const vrm_ragdoll_drive_params input = drive_input_of(&person, states, t.bodies, 0.01f);
    vrm_ragdoll_velocity plain[16], out[16];
    vrm_ragdoll_drive_velocities_plain(&input, plain);
    vrm_ragdoll_drive_velocities(&input, out);
    for (uint32_t i = 0; i < 16; ++i) {
        const vrm_ragdoll_body *b = &person.bodies[i];
        // Half of the arc in a hundredth of a second: 50 times the arc per second.
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

// The article's weights in the light solver, floating: 1 follows, 0.5 follows less closely, 0.1 is loose.
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

// Eight at a time or one by one, on every path: the bits are the same, whatever the neighbouring lanes contain.
static void torques_in_lanes_have_the_same_bits(void)
{
    enum { MANY = 21, OTHER = 10 };
    static vrm_ragdoll_def defs[2];
    static vrm_ragdoll_state states[MANY][16];
    static figure_targets t[MANY];
    static vrm_ragdoll_drive_params inputs[MANY];
    static vrm_ragdoll_wrench alone[MANY][16], many[MANY][16];
    vrm_ragdoll_wrench *out[MANY];
    const vrm_ragdoll_drive_params *given[MANY];
    uint64_t seed = vrmi_random_seeded(11);
    figure_person(&person);
    defs[0] = defs[1] = person;
    defs[1].bodies[3].mass *= 2.0f;
    for (uint32_t i = 0; i < MANY; ++i) {
        const float scale = i < 18 ? 1.0f : 1.5f;
        vrm_ragdoll_state wanted[16];
        random_pose(&person, &seed, (vrm_vec3){0.1f, scale, 0.2f}, scale, states[i]);
        random_pose(&person, &seed, (vrm_vec3){0, scale, 0}, scale, wanted);
        figure_hold(&t[i], &person, wanted);
        for (uint32_t k = 0; k < 16; ++k) {
            vrm_ragdoll_target *target = &t[i].bodies[k];
            states[i][k].angular_velocity = random_vector(&seed, 3);
            target->frequency = (i + k) % 4 == 0 ? 0.0f : 4.0f;
            target->pin_frequency = i % 5 == 2 && k % 7 == 0 ? 6.0f : 0.0f;
            target->max_torque = i % 3 == 1 ? 2.0f : 0.0f;
            target->motion = i == 6 && k == 5 ? VRM_RAGDOLL_MOTION_KINEMATIC : VRM_RAGDOLL_MOTION_DYNAMIC;
        }
        inputs[i] = drive_input_of(&defs[i < OTHER ? 0 : 1], states[i], t[i].bodies, i == 4 ? 1.0f / 60 : 1.0f / 120);
        inputs[i].scale = scale;
        out[i] = many[i];
        given[i] = &inputs[i];
        vrm_ragdoll_drive_torques(&inputs[i], alone[i]);
        CHECK(vrmi_vec3_length(alone[i][1].torque) > 0);
    }
    const size_t size = vrm_ragdoll_drive_get_scratch_size(16);
    void *memory = malloc(size + 64);
    void *scratch = (char *)memory + (64 - (uintptr_t)memory % 64);
    for (int path = VRMI_STEP_PATH_SCALAR; path <= VRMI_STEP_PATH_BEST; ++path) {
        memset(scratch, 0xff, size); // bytes that are not written stay NaN
        memset(many, 0, sizeof(many));
        vrmi_drive_torques_many(vrmi_step_lanes((vrmi_step_path)path), given, out, MANY, scratch, size);
        CHECK(memcmp(many, alone, sizeof(many)) == 0);
    }
    memset(many, 0, sizeof(many));
    vrm_ragdoll_drive_torques_many(given, out, MANY, (vrm_scratch){NULL, 0}); // no scratch memory: one by one
    CHECK(memcmp(many, alone, sizeof(many)) == 0);
    memset(many, 0, sizeof(many));
    vrm_ragdoll_drive_torques_many(given, out, MANY, (vrm_scratch){scratch, size});
    CHECK(memcmp(many, alone, sizeof(many)) == 0);
    free(memory);
}

static const test_case cases[] = {
    {"a_held_pelvis_lets_the_rest_sag_little", a_held_pelvis_lets_the_rest_sag_little},
    {"light_and_heavy_joints_answer_alike", light_and_heavy_joints_answer_alike},
    {"a_pin_holds_the_whole", a_pin_holds_the_whole},
    {"a_pinned_hand_holds_the_body", a_pinned_hand_holds_the_body},
    {"a_pin_that_is_far_away_draws_gently", a_pin_that_is_far_away_draws_gently},
    {"a_borne_load_does_not_sag", a_borne_load_does_not_sag},
    {"a_borne_load_follows_the_animation", a_borne_load_follows_the_animation},
    {"weak_muscles_give_way", weak_muscles_give_way},
    {"torques_are_what_the_formula_says", torques_are_what_the_formula_says},
    {"torques_of_a_floating_body_cancel", torques_of_a_floating_body_cancel},
    {"velocities_fit_the_joints_and_keep_momentum", velocities_fit_the_joints_and_keep_momentum},
    {"velocity_weights_order_the_pose", velocity_weights_order_the_pose},
    {"torques_in_lanes_have_the_same_bits", torques_in_lanes_have_the_same_bits},
};

RUN_TESTS(cases)
