// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_FIXTURE_H
#define TESTS_RAGDOLL_FIXTURE_H

// A ragdoll by hand for the avatars of look_fixture.h: bodies as sticks from bone to bone, so that tests of the runtime do
// not hang on how definitions are built; and engines that do exactly what a test says.

#include <vrm/active_ragdoll.h>
#include <vrm/update.h>

#include "look_fixture.h"
#include "ragdoll_bones.h"

// Bone and length of its stick, parents first; the neck has no body, the head's covers it.
static const struct {
    vrm_human_bone bone;
    vrm_ragdoll_group group;
    float mass;
    vrm_vec3 stick;
} ragdoll_sticks[] = {
    {VRM_HUMAN_BONE_HIPS, VRM_RAGDOLL_GROUP_PELVIS, 7.0f, {0.0f, 0.1f, 0.0f}},
    {VRM_HUMAN_BONE_SPINE, VRM_RAGDOLL_GROUP_TORSO, 8.0f, {0.0f, 0.15f, 0.0f}},
    {VRM_HUMAN_BONE_CHEST, VRM_RAGDOLL_GROUP_TORSO, 10.0f, {0.0f, 0.25f, 0.0f}},
    {VRM_HUMAN_BONE_HEAD, VRM_RAGDOLL_GROUP_HEAD, 4.0f, {0.0f, 0.2f, 0.0f}},
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_RAGDOLL_GROUP_LEFT_ARM, 1.5f, {0.25f, 0.0f, 0.0f}},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_RAGDOLL_GROUP_LEFT_ARM, 1.0f, {0.25f, 0.0f, 0.0f}},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_RAGDOLL_GROUP_RIGHT_ARM, 1.5f, {-0.25f, 0.0f, 0.0f}},
    {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_RAGDOLL_GROUP_RIGHT_ARM, 1.0f, {-0.25f, 0.0f, 0.0f}},
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_RAGDOLL_GROUP_LEFT_LEG, 6.0f, {0.0f, -0.4f, 0.0f}},
    {VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_RAGDOLL_GROUP_LEFT_LEG, 3.0f, {0.0f, -0.4f, 0.0f}},
    {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_RAGDOLL_GROUP_RIGHT_LEG, 6.0f, {0.0f, -0.4f, 0.0f}},
    {VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_RAGDOLL_GROUP_RIGHT_LEG, 3.0f, {0.0f, -0.4f, 0.0f}},
};

enum { RAGDOLL_BODIES = sizeof(ragdoll_sticks) / sizeof(ragdoll_sticks[0]) };

static inline vrm_vec3 ragdoll_rest_place(const vrm_avatar *avatar, uint32_t node)
{
    vrm_node info;
    (void)vrm_avatar_get_node(avatar, node, &info);
    return info.rest_position;
}

static inline void ragdoll_fixture_def(const vrm_avatar *avatar, vrm_ragdoll_def *def)
{
    vrm_ragdoll_def_default(def);
    def->height = 1.6f;
    for (uint32_t i = 0; i < RAGDOLL_BODIES; ++i) {
        vrm_ragdoll_body *body = &def->bodies[def->body_count];
        body->bone = ragdoll_sticks[i].bone;
        body->group = ragdoll_sticks[i].group;
        body->node = (uint32_t)vrm_avatar_bone_node(avatar, body->bone);
        body->parent = -1;
        for (int32_t bone = vrm_human_bone_parent(body->bone); bone >= 0 && body->parent < 0;
             bone = vrm_human_bone_parent((vrm_human_bone)bone)) {
            body->parent = ragdoll_body_of(def, (vrm_human_bone)bone);
        }
        const vrm_vec3 stick = ragdoll_sticks[i].stick, middle = vrmi_vec3_scale(stick, 0.5f);
        const float length = vrmi_vec3_length(stick), mass = ragdoll_sticks[i].mass;
        const vrm_vec3 up = {0.0f, 1.0f, 0.0f};
        body->shape = (vrm_ragdoll_shape){.type = VRM_RAGDOLL_SHAPE_CAPSULE,
            .center = middle,
            .rotation = vrmi_quat_from_to(up, vrmi_vec3_scale(stick, 1.0f / length)),
            .radius = 0.05f,
            .half_length = 0.5f * length - 0.04f};
        body->mass = mass;
        body->center_of_mass = middle;
        body->inertia_rotation = body->shape.rotation;
        const float across = mass * (length * length / 12.0f + 0.05f * 0.05f / 4.0f);
        body->inertia = vrmi_vec3(across, 0.5f * mass * 0.05f * 0.05f, across);
        body->joint = (vrm_ragdoll_joint){.type = body->parent < 0 ? VRM_RAGDOLL_JOINT_FREE : VRM_RAGDOLL_JOINT_CONE,
            .frame = vrmi_quat_from_to(vrmi_vec3(1.0f, 0.0f, 0.0f), vrmi_vec3_scale(stick, 1.0f / length)),
            .swing_y = 1.2f,
            .swing_z = 1.2f,
            .min_angle = -0.8f,
            .max_angle = 0.8f};
        if (body->parent >= 0) {
            body->joint.anchor = vrmi_vec3_sub(
                ragdoll_rest_place(avatar, body->node), ragdoll_rest_place(avatar, def->bodies[body->parent].node));
        }
        body->no_contact = ~(uint64_t)0 >> (64 - RAGDOLL_BODIES);
        ++def->body_count;
    }
}

// An instance that has the ragdoll, and hair's worth of host slots.
static inline vrm_instance *ragdoll_instance(const vrm_avatar *avatar, const vrm_ragdoll_settings *settings)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.ragdoll_bodies = RAGDOLL_BODIES;
    def.look_chain_bones = VRM_LOOK_CHAIN_MAX_BONES;
    vrm_instance *instance = NULL;
    vrm_ragdoll_def ragdoll;
    ragdoll_fixture_def(avatar, &ragdoll);
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS ||
        vrm_instance_set_ragdoll(instance, &ragdoll, settings) != VRM_SUCCESS) {
        vrm_instance_destroy(instance);
        return NULL;
    }
    return instance;
}

// An engine of one line: what it makes of the targets of a frame.
typedef void ragdoll_engine(const vrm_ragdoll_targets *targets, vrm_ragdoll_state *states, void *user);

// The bodies are where they are asked to be.
static inline void ragdoll_follow(const vrm_ragdoll_targets *targets, vrm_ragdoll_state *states, void *user)
{
    (void)user;
    for (uint32_t i = 0; i < targets->body_count; ++i) {
        states[i] = targets->bodies[i].state;
    }
}

// One frame with an engine between the halves; without one nothing is handed back.
static inline void ragdoll_frame(vrm_instance *instance, float dt, ragdoll_engine *engine, void *user)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    vrm_update_pose(instance, &params);
    vrm_ragdoll_targets targets;
    (void)vrm_instance_get_ragdoll_targets(instance, &targets);
    if (targets.active && engine != NULL) {
        vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
        engine(&targets, states, user);
        (void)vrm_instance_set_ragdoll_states(instance, targets.origin, states, targets.body_count);
    }
    vrm_update_secondary(instance, &params);
}

#define RAGDOLL_FRAME (1.0f / 60.0f)

static inline vrm_quat ragdoll_small_turn(test_random *random, float size)
{
    const vrm_vec3 axis = {
        test_random_float(random, -1, 1), test_random_float(random, -1, 1), test_random_float(random, -1, 1)};
    return vrmi_quat_from_axis_angle(
        vrmi_vec3_normalize_or(axis, vrmi_vec3(0, 1, 0)), test_random_float(random, -size, size));
}

static inline double ragdoll_angle_between(vrm_quat a, vrm_quat b)
{
    return ref_angle(ref_quat_of(a), ref_quat_of(b));
}

static inline void ragdoll_settings_always(vrm_ragdoll_settings *settings)
{
    vrm_ragdoll_settings_default(settings);
    settings->always = true;
    settings->detect_fall = false;
}

static inline void ragdoll_put_root(vrm_instance *instance, double x, float yaw, float scale)
{
    vrm_root root = {{x, 0.5, -2.0 * x}, vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), yaw), scale};
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
}

typedef struct ragdoll_strewn {
    test_random random;
    vrm_quat rotations[RAGDOLL_BODIES];
    vrm_vec3 hips;
} ragdoll_strewn;

// Bodies anywhere, joints pulled apart.
static inline void ragdoll_strew(const vrm_ragdoll_targets *targets, vrm_ragdoll_state *states, void *user)
{
    ragdoll_strewn *s = user;
    ragdoll_follow(targets, states, NULL);
    for (uint32_t i = 0; i < targets->body_count; ++i) {
        s->rotations[i] = ragdoll_small_turn(&s->random, 3.0f);
        states[i].rotation = s->rotations[i];
        states[i].position.x += test_random_float(&s->random, -0.1f, 0.1f);
    }
    s->hips = states[0].position;
}

#endif
