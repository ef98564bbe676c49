// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_FIGURE_H
#define TESTS_RAGDOLL_FIGURE_H

// Definitions made by hand: a person of 16 bodies, 1.6 m and 55 kg, and chains of rods; and targets that hold a pose.

#include <vrm/ragdoll.h>

#include <math.h>
#include <string.h>

typedef struct figure_row {
    vrm_human_bone bone;
    int32_t parent;
    float joint[3];  // in the model
    float center[3]; // of the shape, from the joint
    float axis;      // 0: along X, 1: Y, 2: Z
    float radius, half_length;
    float box[3]; // half extents; 0: a capsule
    float mass;   // per cent
    vrm_ragdoll_joint_type type;
    float frame[4];
    float swing_y, swing_z, min_angle, max_angle;
} figure_row;

// Turns X into Y, -Y, -X and (hinges) -Y and Y, X.
#define FIGURE_UP \
    { \
        0, 0, 0.70710678f, 0.70710678f \
    }
#define FIGURE_DOWN \
    { \
        0, 0, -0.70710678f, 0.70710678f \
    }
#define FIGURE_RIGHT \
    { \
        0, 1, 0, 0 \
    }
#define FIGURE_NONE \
    { \
        0, 0, 0, 1 \
    }
#define CONE VRM_RAGDOLL_JOINT_CONE
#define HINGE VRM_RAGDOLL_JOINT_HINGE

// clang-format off: a table
static const figure_row figure_rows[16] = {
    {VRM_HUMAN_BONE_HIPS, -1, {0, 0.90f, 0}, {0, -0.02f, 0}, 0, 0.10f, 0.06f, {0}, 14, VRM_RAGDOLL_JOINT_FREE,
        FIGURE_NONE, 0, 0, 0, 0},
    {VRM_HUMAN_BONE_SPINE, 0, {0, 1.00f, 0}, {0, 0.06f, 0}, 0, 0.10f, 0.06f, {0}, 16, CONE, FIGURE_UP, 0.5f, 0.4f,
        -0.4f, 0.4f},
    {VRM_HUMAN_BONE_CHEST, 1, {0, 1.12f, 0}, {0, 0.12f, 0}, 0, 0.11f, 0.07f, {0}, 18, CONE, FIGURE_UP, 0.4f, 0.3f,
        -0.4f, 0.4f},
    {VRM_HUMAN_BONE_HEAD, 2, {0, 1.38f, 0}, {0, 0.12f, 0.01f}, 1, 0.09f, 0.03f, {0}, 8, CONE, FIGURE_UP, 0.7f, 0.6f,
        -0.9f, 0.9f},
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 2, {0.16f, 1.32f, 0}, {0.12f, 0, 0}, 0, 0.04f, 0.09f, {0}, 2.7f, CONE, FIGURE_NONE,
        1.5f, 1.4f, -1, 1},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, 2, {-0.16f, 1.32f, 0}, {-0.12f, 0, 0}, 0, 0.04f, 0.09f, {0}, 2.7f, CONE,
        FIGURE_RIGHT, 1.5f, 1.4f, -1, 1},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, 4, {0.40f, 1.32f, 0}, {0.11f, 0, 0}, 0, 0.035f, 0.09f, {0}, 1.6f, HINGE,
        FIGURE_DOWN, 0, 0, 0, 2.5f},
    {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, 5, {-0.40f, 1.32f, 0}, {-0.11f, 0, 0}, 0, 0.035f, 0.09f, {0}, 1.6f, HINGE,
        FIGURE_UP, 0, 0, 0, 2.5f},
    {VRM_HUMAN_BONE_LEFT_HAND, 6, {0.62f, 1.32f, 0}, {0.08f, 0, 0}, 0, 0, 0, {0.08f, 0.015f, 0.04f}, 0.6f, CONE,
        FIGURE_NONE, 0.9f, 0.6f, -0.3f, 0.3f},
    {VRM_HUMAN_BONE_RIGHT_HAND, 7, {-0.62f, 1.32f, 0}, {-0.08f, 0, 0}, 0, 0, 0, {0.08f, 0.015f, 0.04f}, 0.6f, CONE,
        FIGURE_RIGHT, 0.9f, 0.6f, -0.3f, 0.3f},
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, 0, {0.09f, 0.86f, 0}, {0, -0.19f, 0}, 1, 0.065f, 0.13f, {0}, 12, CONE, FIGURE_DOWN,
        1.0f, 1.2f, -0.6f, 0.6f},
    {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, 0, {-0.09f, 0.86f, 0}, {0, -0.19f, 0}, 1, 0.065f, 0.13f, {0}, 12, CONE,
        FIGURE_DOWN, 1.0f, 1.2f, -0.6f, 0.6f},
    {VRM_HUMAN_BONE_LEFT_LOWER_LEG, 10, {0.09f, 0.48f, 0}, {0, -0.18f, 0}, 1, 0.045f, 0.14f, {0}, 4.5f, HINGE,
        FIGURE_NONE, 0, 0, 0, 2.4f},
    {VRM_HUMAN_BONE_RIGHT_LOWER_LEG, 11, {-0.09f, 0.48f, 0}, {0, -0.18f, 0}, 1, 0.045f, 0.14f, {0}, 4.5f, HINGE,
        FIGURE_NONE, 0, 0, 0, 2.4f},
    {VRM_HUMAN_BONE_LEFT_FOOT, 12, {0.09f, 0.10f, 0}, {0, -0.06f, 0.06f}, 2, 0, 0, {0.04f, 0.04f, 0.11f}, 1.3f, CONE,
        FIGURE_DOWN, 0.6f, 0.6f, -0.3f, 0.3f},
    {VRM_HUMAN_BONE_RIGHT_FOOT, 13, {-0.09f, 0.10f, 0}, {0, -0.06f, 0.06f}, 2, 0, 0, {0.04f, 0.04f, 0.11f}, 1.3f, CONE,
        FIGURE_DOWN, 0.6f, 0.6f, -0.3f, 0.3f},
};

// clang-format on

#undef CONE
#undef HINGE

static inline vrm_ragdoll_shape figure_shape(const figure_row *row)
{
    vrm_ragdoll_shape s = {VRM_RAGDOLL_SHAPE_CAPSULE, {row->center[0], row->center[1], row->center[2]}, {0, 0, 0, 1},
        row->radius, row->half_length, {row->box[0], row->box[1], row->box[2]}};
    if (row->box[0] > 0.0f) {
        s.type = VRM_RAGDOLL_SHAPE_BOX;
    } else if (row->axis == 0.0f) {
        s.rotation = (vrm_quat)FIGURE_DOWN;
    } else if (row->axis == 2.0f) {
        s.rotation = (vrm_quat){0.70710678f, 0, 0, 0.70710678f};
    }
    return s;
}

// Of a box, and of the box about a capsule; principal axes are the shape's.
static inline vrm_vec3 figure_inertia(const vrm_ragdoll_shape *s, float mass)
{
    vrm_vec3 e = s->half_extents;
    if (s->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        e = (vrm_vec3){0.8f * s->radius, s->half_length + 0.7f * s->radius, 0.8f * s->radius};
    }
    return (vrm_vec3){
        mass / 3 * (e.y * e.y + e.z * e.z), mass / 3 * (e.x * e.x + e.z * e.z), mass / 3 * (e.x * e.x + e.y * e.y)};
}

static inline int figure_steps_between(uint32_t a, uint32_t b)
{
    for (int steps = 0;; ++steps) {
        if (a == b) {
            return steps;
        }
        if (a > b) {
            a = (uint32_t)figure_rows[a].parent;
        } else {
            b = (uint32_t)figure_rows[b].parent;
        }
    }
}

// The person; bodies that are neighbours or have one between them never collide.
static inline void figure_person(vrm_ragdoll_def *def)
{
    memset(def, 0, sizeof(*def));
    def->struct_size = sizeof(*def);
    def->body_count = 16;
    def->height = 1.6f;
    float sum = 0;
    for (uint32_t i = 0; i < 16; ++i) {
        sum += figure_rows[i].mass;
    }
    for (uint32_t i = 0; i < 16; ++i) {
        const figure_row *row = &figure_rows[i];
        vrm_ragdoll_body *b = &def->bodies[i];
        b->bone = row->bone;
        b->node = i;
        b->parent = row->parent;
        b->group = VRM_RAGDOLL_GROUP_TORSO;
        b->shape = figure_shape(row);
        b->mass = 55.0f * row->mass / sum;
        b->center_of_mass = b->shape.center;
        b->inertia_rotation = b->shape.rotation;
        b->inertia = figure_inertia(&b->shape, b->mass);
        b->joint = (vrm_ragdoll_joint){.type = row->type,
            .frame = {row->frame[0], row->frame[1], row->frame[2], row->frame[3]},
            .swing_y = row->swing_y,
            .swing_z = row->swing_z,
            .min_angle = row->min_angle,
            .max_angle = row->max_angle};
        if (row->parent >= 0) {
            const float *p = figure_rows[row->parent].joint;
            b->joint.anchor = (vrm_vec3){row->joint[0] - p[0], row->joint[1] - p[1], row->joint[2] - p[2]};
        }
        for (uint32_t k = 0; k < 16; ++k) {
            b->no_contact |= k != i && figure_steps_between(i, k) <= 2 ? (uint64_t)1 << k : 0;
        }
    }
}

// The state of the T-pose with the hips' joint at `hips`.
static inline void figure_t_pose(const vrm_ragdoll_def *def, vrm_vec3 hips, vrm_ragdoll_state *out)
{
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_ragdoll_body *b = &def->bodies[i];
        const vrm_vec3 from = b->parent < 0 ? hips : out[b->parent].position;
        out[i] = (vrm_ragdoll_state){
            .position = {from.x + b->joint.anchor.x, from.y + b->joint.anchor.y, from.z + b->joint.anchor.z},
            .rotation = {0, 0, 0, 1}};
    }
}

// Targets that hold `states`, limp until something is set.
typedef struct figure_targets {
    vrm_ragdoll_target bodies[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_targets targets;
} figure_targets;

static inline void figure_hold(figure_targets *t, const vrm_ragdoll_def *def, const vrm_ragdoll_state *states)
{
    memset(t, 0, sizeof(*t));
    for (uint32_t i = 0; i < def->body_count; ++i) {
        t->bodies[i].state = states[i];
        t->bodies[i].motion = VRM_RAGDOLL_MOTION_DYNAMIC;
        t->bodies[i].damping_ratio = 1.0f;
    }
    t->targets = (vrm_ragdoll_targets){.root = {.rotation = {0, 0, 0, 1}, .scale = 1.0f},
        .root_from_model = {0, 0, 0, 1},
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .body_count = def->body_count,
        .bodies = t->bodies,
        .active = true,
        .moved = 1};
}

#endif
