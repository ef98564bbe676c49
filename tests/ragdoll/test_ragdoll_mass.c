// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A built ragdoll's masses, debug lines and body states. Numbers are compared with the sources named in
// docs/ragdoll.md.

#include "ragdoll_avatar.h"

// --- masses ----------------------------------------------------------------------------------------------------------

// Means of the two columns of de Leva's table 4, per cent.
static void masses_are_de_levas(void)
{
    static const struct {
        vrm_human_bone bone;
        double female, male;
    } rows[] = {{VRM_HUMAN_BONE_HEAD, 6.68, 6.94}, {VRM_HUMAN_BONE_CHEST, 15.45, 15.96},
        {VRM_HUMAN_BONE_SPINE, 14.65, 16.33}, {VRM_HUMAN_BONE_HIPS, 12.47, 11.17},
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 2.55, 2.71}, {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, 1.38, 1.62},
        {VRM_HUMAN_BONE_LEFT_HAND, 0.56, 0.61}, {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, 14.78, 14.16},
        {VRM_HUMAN_BONE_LEFT_LOWER_LEG, 4.81, 4.33}, {VRM_HUMAN_BONE_RIGHT_FOOT, 1.29, 1.37}};
    loaded l;
    load_sample(&l);
    const vrm_ragdoll_def def = build(&l, VRM_RAGDOLL_DETAIL_16);
    CHECK_INT(def.body_count, 16);
    const double total = total_mass(&def);
    CHECK_NEAR(total, 21.5 * (double)def.height * (double)def.height, 1e-3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const int32_t body = ragdoll_body_of(&def, rows[i].bone);
        CHECK(body >= 0);
        CHECK_NEAR(100.0 * (double)def.bodies[body].mass / total, 0.5 * (rows[i].female + rows[i].male), 0.02);
    }
    unload(&l);
}

// Returns the factor of a body's moments of inertia (docs/ragdoll.md).
static double factor_of(vrm_human_bone bone)
{
    const bool hand = bone == VRM_HUMAN_BONE_LEFT_HAND || bone == VRM_HUMAN_BONE_RIGHT_HAND;
    const bool foot = bone == VRM_HUMAN_BONE_LEFT_FOOT || bone == VRM_HUMAN_BONE_RIGHT_FOOT;
    const bool toes = bone == VRM_HUMAN_BONE_LEFT_TOES || bone == VRM_HUMAN_BONE_RIGHT_TOES;
    const char *name = vrm_human_bone_name(bone);
    const bool finger = strstr(name, "Proximal") != NULL || strstr(name, "Intermediate") != NULL ||
                        strstr(name, "Distal") != NULL || strstr(name, "Metacarpal") != NULL;
    return hand ? 7.0 : foot ? 2.0 : toes ? 30.0 : finger ? 120.0 : 1.0;
}

// Compares a body's moments of inertia with sums over small cubes of its volume.
static void check_inertia(const vrm_ragdoll_body *body)
{
    enum { STEPS = 40 };
    const vrm_ragdoll_shape *s = &body->shape;
    const bool box = s->type == VRM_RAGDOLL_SHAPE_BOX;
    const vrm_vec3 reach = box ? s->half_extents : (vrm_vec3){s->radius, s->half_length + s->radius, s->radius};
    double volume = 0.0, x = 0.0, y = 0.0, z = 0.0;
    for (int i = 0; i < STEPS * STEPS * STEPS; ++i) {
        const float steps[3] = {(float)(i % STEPS), (float)(i / STEPS % STEPS), (float)(i / STEPS / STEPS)};
        const vrm_vec3 p = {reach.x * ((2 * steps[0] + 1) / STEPS - 1), reach.y * ((2 * steps[1] + 1) / STEPS - 1),
            reach.z * ((2 * steps[2] + 1) / STEPS - 1)};
        const vrm_ragdoll_shape at_origin = {
            s->type, {0, 0, 0}, {0, 0, 0, 1}, s->radius, s->half_length, s->half_extents};
        if (surface_distance(&at_origin, p) <= 0.0f) {
            volume += 1.0;
            x += (double)(p.y * p.y + p.z * p.z);
            y += (double)(p.x * p.x + p.z * p.z);
            z += (double)(p.x * p.x + p.y * p.y);
        }
    }
    const double m = factor_of(body->bone) * (double)body->mass / volume;
    CHECK_NEAR((double)body->inertia.x / (x * m), 1.0, 0.02);
    CHECK_NEAR((double)body->inertia.y / (y * m), 1.0, 0.02);
    CHECK_NEAR((double)body->inertia.z / (z * m), 1.0, 0.02);
}

static void moments_are_the_shapes(void)
{
    loaded l;
    load_sample(&l);
    const vrm_ragdoll_def def = build(&l, VRM_RAGDOLL_DETAIL_ALL);
    for (uint32_t i = 0; i < def.body_count; ++i) {
        check_inertia(&def.bodies[i]);
    }
    unload(&l);
}

static void mass_ratios_are_tamed(void)
{
    loaded l;
    load_sample(&l);
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = VRM_RAGDOLL_DETAIL_ALL;
    params.mass = 70.0f;
    static const float ratios[] = {2.0f, 6.0f, 0.0f};
    for (int r = 0; r < 3; ++r) {
        vrm_ragdoll_def def = {.struct_size = sizeof def};
        params.max_mass_ratio = ratios[r];
        CHECK_INT(vrm_ragdoll_def_build(l.avatar, l.gltf, &params, NULL, &def), VRM_SUCCESS);
        CHECK_NEAR(total_mass(&def), 70.0, 1e-3);
        float largest = 1.0f;
        for (uint32_t i = 1; i < def.body_count; ++i) {
            const float ratio = def.bodies[def.bodies[i].parent].mass / def.bodies[i].mass;
            largest = fmaxf(largest, fmaxf(ratio, 1.0f / ratio));
        }
        CHECK(ratios[r] > 0.0f ? largest <= 1.0001f * ratios[r] : largest > 10.0f);
    }
    params.max_mass_ratio = 1.2f;
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    CHECK_INT(vrm_ragdoll_def_build(l.avatar, l.gltf, &params, NULL, &def), VRM_ERROR_INVALID_ARGUMENT);
    unload(&l);
}

static uint32_t lines_of(const vrm_ragdoll_lines_params *of, uint32_t what, vrm_debug_line *lines, uint32_t capacity)
{
    vrm_ragdoll_lines_params params = *of;
    params.what = what;
    return vrm_ragdoll_get_lines(&params, lines, capacity);
}

// --- lines and places ------------------------------------------------------------------------------------------------

// Both ends of each line are on the shape's surface, whatever the body's state is. At half the scale, lines have half
// the length.
static void lines_lie_on_the_shapes(void)
{
    enum { MOST = 2048 };
    static vrm_debug_line lines[MOST], small[MOST];
    loaded l;
    load_sample(&l);
    const vrm_ragdoll_def def = build(&l, VRM_RAGDOLL_DETAIL_16);
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_get_rest_states(&def, l.avatar, states);
    for (uint32_t i = 0; i < def.body_count; ++i) {
        states[i].rotation = turn_about((vrm_vec3){0.6f, 0.8f, 0}, 0.3f * (float)i);
    }
    vrm_ragdoll_lines_params posed, standing;
    vrm_ragdoll_lines_params_default(&posed);
    posed.def = &def;
    standing = posed;
    posed.states = states;
    const uint32_t count = lines_of(&posed, VRM_RAGDOLL_LINE_SHAPES, lines, MOST);
    CHECK(count > 16 * 12 && count < MOST);
    for (uint32_t i = 0; i < count; ++i) {
        for (int end = 0; end < 2; ++end) {
            const vrm_vec3 p = end == 0 ? lines[i].from : lines[i].to;
            float nearest = 1.0f;
            for (uint32_t b = 0; b < def.body_count; ++b) {
                const vrm_vec3 local = rotate(inverse(states[b].rotation), minus(p, states[b].position));
                nearest = fminf(nearest, fabsf(surface_distance(&def.bodies[b].shape, local)));
            }
            CHECK_NEAR(nearest, 0.0, 1e-5);
        }
    }
    CHECK_INT(lines_of(&posed, VRM_RAGDOLL_LINE_SHAPES, NULL, 0), count);
    lines[10].color = 7;
    CHECK_INT(lines_of(&posed, VRM_RAGDOLL_LINE_SHAPES, lines, 10), count);
    CHECK_INT(lines[10].color, 7);
    const uint32_t all = VRM_RAGDOLL_LINE_SHAPES | VRM_RAGDOLL_LINE_JOINTS | VRM_RAGDOLL_LINE_LIMITS;
    const uint32_t joints = lines_of(&standing, VRM_RAGDOLL_LINE_JOINTS, lines, MOST);
    CHECK_INT(joints, 3 * 15);
    CHECK(lines_of(&standing, all, NULL, 0) > count + joints);
    standing.scale = 0.5f;
    CHECK_INT(lines_of(&standing, VRM_RAGDOLL_LINE_JOINTS, small, MOST), joints);
    for (uint32_t i = 0; i < joints; ++i) {
        CHECK_NEAR(length(small[i].to), 0.5 * (double)length(lines[i].to), 1e-5);
    }
    unload(&l);
}

static bool has_line(const vrm_debug_line *lines, uint32_t count, vrm_vec3 from, vrm_vec3 to)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (length(minus(lines[i].from, from)) < 1e-6f && length(minus(lines[i].to, to)) < 1e-6f) {
            return true;
        }
    }
    return false;
}

// Lines show the targets, which are to the left of the bodies, a torque, and a force, whose line is shortened. Of three
// contacts only the first gets a line: the second has no impulse, and the third is not finite.
static void exchange_lines_say_what_happens(void)
{
    loaded l;
    load_sample(&l);
    const vrm_ragdoll_def def = build(&l, VRM_RAGDOLL_DETAIL_16);
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_target wanted[VRM_RAGDOLL_MAX_BODIES] = {{.motion = VRM_RAGDOLL_MOTION_DYNAMIC}};
    vrm_ragdoll_wrench wrenches[VRM_RAGDOLL_MAX_BODIES] = {{{0, 0, 0}, {0, 0, 0}}};
    vrm_ragdoll_get_rest_states(&def, l.avatar, states);
    for (uint32_t i = 0; i < def.body_count; ++i) {
        wanted[i].state = states[i];
        wanted[i].state.position.x += 0.25f;
    }
    wrenches[3].torque = (vrm_vec3){0, 20, 0};
    wrenches[0].force = (vrm_vec3){0, 0, -9000};
    const vrm_ragdoll_contact contacts[3] = {
        {.body = 6, .other = -1, .point = {100.5, 0, 2}, .normal = {0, 1, 0}, .impulse = 4},
        {.body = 9, .other = -1, .point = {100, 0, 0}, .normal = {0, 1, 0}, .impulse = 0},
        {.body = 9, .other = -1, .point = {(double)NAN, 0, 0}, .normal = {0, 1, 0}, .impulse = 1},
    };
    const vrm_ragdoll_targets targets = {
        .struct_size = sizeof targets, .origin = {100, 0, 0}, .body_count = def.body_count, .bodies = wanted};
    vrm_ragdoll_exchange_params exchange;
    vrm_ragdoll_exchange_params_default(&exchange);
    exchange.def = &def;
    exchange.targets = &targets;
    exchange.states = states;
    vrm_debug_line lines[64];
    CHECK_INT(vrm_ragdoll_get_exchange_lines(&exchange, lines, 64), 15 + 16);
    exchange.wrenches = wrenches;
    exchange.contacts = contacts;
    exchange.contact_count = 3;
    const uint32_t count = vrm_ragdoll_get_exchange_lines(&exchange, lines, 64);
    CHECK_INT(count, 15 + 16 + 2 + 1);
    CHECK_INT(vrm_ragdoll_get_exchange_lines(&exchange, NULL, 0), count);
    const vrm_vec3 head = states[3].position, hips = states[0].position;
    CHECK(has_line(lines, count, head, wanted[3].state.position));
    CHECK(has_line(lines, count, wanted[def.bodies[3].parent].state.position, wanted[3].state.position));
    CHECK(has_line(lines, count, head, (vrm_vec3){head.x, head.y + 0.2f, head.z}));
    CHECK(has_line(lines, count, hips, (vrm_vec3){hips.x, hips.y, hips.z - 0.5f}));
    CHECK(has_line(lines, count, (vrm_vec3){0.5f, 0, 2}, (vrm_vec3){0.5f, 0.2f, 2}));
    unload(&l);
}

// At rest each body is at its bone, and rotating a bone rotates its body.
static void bodies_are_where_the_bones_are(void)
{
    loaded l;
    load_sample(&l);
    const vrm_ragdoll_def def = build(&l, VRM_RAGDOLL_DETAIL_16);
    vrm_ragdoll_state rest[VRM_RAGDOLL_MAX_BODIES], pose[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_get_rest_states(&def, l.avatar, rest);
    vrm_ragdoll_get_pose_states(&def, l.instance, pose);
    for (uint32_t i = 0; i < def.body_count; ++i) {
        near_vector(rest[i].position, rest_place(&l, def.bodies[i].node), 1e-5);
        near_vector(pose[i].position, rest[i].position, 1e-5);
        CHECK_NEAR(fabsf(pose[i].rotation.w), 1.0, 1e-5);
    }
    const vrm_quat raise = turn_about((vrm_vec3){0, 0, 1}, 0.8f);
    CHECK_INT(vrm_instance_set_normalized_rotation(l.instance, VRM_HUMAN_BONE_LEFT_UPPER_ARM, &raise), VRM_SUCCESS);
    vrm_update_dt(l.instance, 0.0f);
    vrm_ragdoll_get_pose_states(&def, l.instance, pose);
    const int32_t arm = ragdoll_body_of(&def, VRM_HUMAN_BONE_LEFT_UPPER_ARM);
    const int32_t hand = ragdoll_body_of(&def, VRM_HUMAN_BONE_LEFT_HAND);
    CHECK_NEAR(pose[arm].rotation.z, raise.z, 1e-4);
    const vrm_vec3 way = rotate(raise, minus(rest[hand].position, rest[arm].position));
    near_vector(minus(pose[hand].position, pose[arm].position), way, 1e-4);
    unload(&l);
}

static const test_case cases[] = {
    {"masses_are_de_levas", masses_are_de_levas},
    {"moments_are_the_shapes", moments_are_the_shapes},
    {"mass_ratios_are_tamed", mass_ratios_are_tamed},
    {"lines_lie_on_the_shapes", lines_lie_on_the_shapes},
    {"exchange_lines_say_what_happens", exchange_lines_say_what_happens},
    {"bodies_are_where_the_bones_are", bodies_are_where_the_bones_are},
};

RUN_TESTS(cases)
