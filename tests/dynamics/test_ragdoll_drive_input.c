// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The effect of each field of the drives' input and of each number of a target, compared with the formulas of
// ragdoll_drive.h.

#include "ragdoll_solver_fixture.h"

// Puts the person at a scale into a random pose, and its targets into another random pose. All bodies are driven.
static void pose(float scale, vrm_ragdoll_state *states, figure_targets *t)
{
    uint64_t seed = vrmi_random_seeded(7);
    vrm_ragdoll_state wanted[16];
    figure_person(&person);
    random_pose(&person, &seed, (vrm_vec3){0.1f, scale, 0.2f}, scale, states);
    random_pose(&person, &seed, (vrm_vec3){0, scale, 0}, scale, wanted);
    figure_hold(t, &person, wanted);
}

static vrm_vec3 middle_of(uint32_t body, const vrm_ragdoll_state *state, float scale)
{
    const vrm_vec3 arm = vrmi_vec3_scale(person.bodies[body].center_of_mass, scale);
    return vrmi_vec3_add(state->position, vrmi_quat_rotate(state->rotation, arm));
}

// The plain mode: within dt a body covers the weight's fraction of the centre's displacement and of the rotation. A
// weight of 0 keeps the velocity.
static void plain_velocities_are_the_weights_parts(void)
{
    const float scale = 2.0f, dt = 1.0f / 90.0f;
    vrm_ragdoll_state states[16];
    vrm_ragdoll_velocity out[16];
    figure_targets t;
    pose(scale, states, &t);
    for (uint32_t i = 0; i < 16; ++i) {
        t.bodies[i].translation_weight = 0.25f * (float)(i % 4);
        t.bodies[i].rotation_weight = 0.5f * (float)(i % 3);
        states[i].linear_velocity = (vrm_vec3){1, 2, 3};
        states[i].angular_velocity = (vrm_vec3){-3, 2, 1};
    }
    vrm_ragdoll_drive_params input = drive_input_of(&person, states, t.bodies, dt);
    input.scale = scale;
    vrm_ragdoll_drive_velocities_plain(&input, out);
    for (uint32_t i = 0; i < 16; ++i) {
        const float shift = t.bodies[i].translation_weight, turn = t.bodies[i].rotation_weight;
        const vrm_vec3 way = vrmi_vec3_sub(middle_of(i, &t.bodies[i].state, scale), middle_of(i, &states[i], scale));
        const vrm_vec3 linear = shift > 0.0f ? vrmi_vec3_scale(way, shift / dt) : states[i].linear_velocity;
        const vrm_quat arc = vrmi_quat_mul(t.bodies[i].state.rotation, vrmi_quat_conjugate(states[i].rotation));
        const vrm_vec3 angular =
            turn > 0.0f ? vrmi_vec3_scale(vrmi_quat_to_vector(arc), turn / dt) : states[i].angular_velocity;
        const float size = vrmi_vec3_length(linear);
        CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(out[i].linear, linear)), 0, 1e-4f * size);
        CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(out[i].angular, angular)), 0, 1e-3f * vrmi_vec3_length(angular));
    }
}

// The article's listing: a body's velocity is the displacement of its origin to the target, divided by dt, times the
// weight. Its rotation has no effect.
static void the_article_leads_the_origin(void)
{
    const float scale = 2.0f, dt = 1.0f / 90.0f;
    vrm_ragdoll_state states[16];
    vrm_ragdoll_velocity out[16], ours[16], consistent[16];
    figure_targets t;
    pose(scale, states, &t);
    for (uint32_t i = 0; i < 16; ++i) {
        t.bodies[i].translation_weight = 0.25f * (float)(i % 5);
        t.bodies[i].rotation_weight = i % 2 == 0 ? 0.5f : 0.0f;
        states[i].linear_velocity = (vrm_vec3){1, 2, 3};
    }
    vrm_ragdoll_drive_params input = drive_input_of(&person, states, t.bodies, dt);
    input.scale = scale;
    CHECK_INT(input.velocity_mode, VRM_RAGDOLL_VELOCITY_MODE_DEFAULT);
    vrm_ragdoll_drive_velocities_plain(&input, ours);
    input.velocity_mode = VRM_RAGDOLL_VELOCITY_MODE_ARTICLE;
    vrm_ragdoll_drive_velocities_plain(&input, out);
    vrm_ragdoll_drive_velocities(&input, consistent);
    for (uint32_t i = 0; i < 16; ++i) {
        const float weight = t.bodies[i].translation_weight;
        const vrm_vec3 way = vrmi_vec3_sub(t.bodies[i].state.position, states[i].position);
        const vrm_vec3 linear = weight > 0.0f ? vrmi_vec3_scale(way, weight / dt) : states[i].linear_velocity;
        CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(out[i].linear, linear)), 0, 1e-4f * vrmi_vec3_length(linear));
        CHECK(memcmp(&out[i].angular, &ours[i].angular, sizeof(vrm_vec3)) == 0);
        if (weight >= 1.0f) { // only the target counts
            CHECK_NEAR(
                vrmi_vec3_length(vrmi_vec3_sub(consistent[i].linear, linear)), 0, 1e-3f * vrmi_vec3_length(linear));
        }
        // The article ignores that the centre of mass rotates about the origin, from the current rotation to the
        // target's.
        const vrm_vec3 centers = vrmi_vec3_sub(middle_of(i, &t.bodies[i].state, scale), t.bodies[i].state.position);
        const vrm_vec3 center = vrmi_vec3_sub(middle_of(i, &states[i], scale), states[i].position);
        const vrm_vec3 less = vrmi_vec3_scale(vrmi_vec3_sub(centers, center), weight / dt);
        CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(vrmi_vec3_sub(ours[i].linear, out[i].linear), less)), 0,
            1e-4f * vrmi_vec3_length(ours[i].linear));
    }
}

// Both bodies of a joint give the same velocity to the joint's anchor, at any scale.
static void joints_agree_at_any_scale(void)
{
    const float scales[3] = {0.5f, 1.0f, 3.0f};
    for (int k = 0; k < 3; ++k) {
        const float scale = scales[k];
        vrm_ragdoll_state states[16];
        vrm_ragdoll_velocity out[16];
        figure_targets t;
        pose(scale, states, &t);
        for (uint32_t i = 0; i < 16; ++i) {
            t.bodies[i].rotation_weight = 1.0f;
        }
        vrm_ragdoll_drive_params input = drive_input_of(&person, states, t.bodies, 1.0f / 60.0f);
        input.scale = scale;
        vrm_ragdoll_drive_velocities(&input, out);
        for (uint32_t i = 1; i < 16; ++i) {
            const uint32_t up = (uint32_t)person.bodies[i].parent;
            const vrm_vec3 own = vrmi_vec3_sub(states[i].position, middle_of(i, &states[i], scale));
            const vrm_vec3 above = vrmi_vec3_sub(states[i].position, middle_of(up, &states[up], scale));
            const vrm_vec3 a = vrmi_vec3_add(out[i].linear, vrmi_vec3_cross(out[i].angular, own));
            const vrm_vec3 b = vrmi_vec3_add(out[up].linear, vrmi_vec3_cross(out[up].angular, above));
            CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(a, b)), 0, 1e-3f * (1.0f + vrmi_vec3_length(a)));
        }
    }
}

// --- torques: one body on a held one ---------------------------------------------------------------------------------

static vrm_ragdoll_def two = {.struct_size = sizeof two};

static vrm_ragdoll_wrench torque_of(float scale, float frequency, float ratio, float turn, vrm_vec3 gravity, float dt)
{
    vrm_ragdoll_state states[2] = {{.rotation = {0, 0, 0, 1}}};
    vrm_ragdoll_wrench out[2];
    figure_targets t;
    figure_person(&two);
    two.body_count = 2;
    two.bodies[0].no_contact = 2;
    two.bodies[1].no_contact = 1;
    figure_t_pose(&two, (vrm_vec3){0, 1, 0}, states);
    states[1].position = vrmi_vec3_add(states[0].position, vrmi_vec3_scale(two.bodies[1].joint.anchor, scale));
    figure_hold(&t, &two, states);
    t.bodies[0].motion = VRM_RAGDOLL_MOTION_KINEMATIC;
    t.bodies[1].frequency = frequency;
    t.bodies[1].damping_ratio = ratio;
    t.bodies[1].state.rotation = vrmi_quat_from_vector((vrm_vec3){turn, 0, 0});
    vrm_ragdoll_drive_params input = drive_input_of(&two, states, t.bodies, dt);
    input.scale = scale;
    input.gravity = gravity;
    vrm_ragdoll_drive_torques(&input, out);
    return out[1];
}

// The torque of a spring on one body: J w' = h T, T = J (k (e - h w') - d w'), with k = u^2, d = 2 ratio u. Hence
// T = J k e / (1 + d h + k h^2).
static void torques_go_by_frequency_ratio_and_scale(void)
{
    const vrm_vec3 none = {0, 0, 0};
    const double e = 0.1, h = 1.0 / 60.0;
    double inertia = 0.0; // from the first case; the other cases must agree with it
    for (int k = 0; k < 4; ++k) {
        const double hertz = k == 1 ? 9.0 : 5.0, ratio = k == 2 ? 0.25 : 1.0, scale = k == 3 ? 2.0 : 1.0;
        const double u = 2.0 * 3.14159265358979 * hertz, share = u * u * e / (1 + 2 * ratio * u * h + u * u * h * h);
        const double torque =
            (double)torque_of((float)scale, (float)hertz, (float)ratio, (float)e, none, (float)h).torque.x;
        inertia = k == 0 ? torque / share : inertia;
        CHECK_NEAR(
            // Mass grows with the cube of the scale, squared lever arms with its square.
            torque, inertia * pow(scale, 5) * share, 2e-3 * torque);
    }
}

// A force at the centre of mass rotates the joint. The spring's torque is (k h + d) h / (1 + d h + k h^2) of the
// force's moment.
static void torques_foresee_gravity(void)
{
    const double h = 1.0 / 120.0, u = 2.0 * 3.14159265358979 * 5.0;
    const double part = (u * u * h + 2 * u) * h / (1 + 2 * u * h + u * u * h * h);
    for (int k = 0; k < 3; ++k) {
        const float pull = 4.0f * (float)k;
        const vrm_ragdoll_wrench w = torque_of(1.0f, 5.0f, 1.0f, 0.0f, (vrm_vec3){pull, 0, 0}, (float)h);
        const double moment = (double)(two.bodies[1].mass * pull * two.bodies[1].center_of_mass.y);
        CHECK_NEAR(w.torque.z, part * moment, 1e-3 * moment + 1e-6);
        CHECK_NEAR(w.torque.x, 0, 1e-5);
    }
}

static const test_case cases[] = {
    {"plain_velocities_are_the_weights_parts", plain_velocities_are_the_weights_parts},
    {"the_article_leads_the_origin", the_article_leads_the_origin},
    {"joints_agree_at_any_scale", joints_agree_at_any_scale},
    {"torques_go_by_frequency_ratio_and_scale", torques_go_by_frequency_ratio_and_scale},
    {"torques_foresee_gravity", torques_foresee_gravity},
};

RUN_TESTS(cases)
