// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_LOOK_FIXTURE_H
#define TESTS_LOOK_FIXTURE_H

// Avatars and chains for the tests of the look chain, and what the result looks like from outside, in double precision.

#include <vrm/look_chain.h>
#include <vrm/output.h>

#include "model_fixture.h"
#include "reference_math.h"
#include "test.h"
#include "test_random.h"

#define DEGREES (REF_PI / 180.0)

typedef enum look_rig {
    LOOK_RIG_PLAIN,  // no rest rotations
    LOOK_RIG_RANDOM, // a random rest rotation on every node
    LOOK_RIG_TURNED, // as VRM 0.x: half a turn above the nodes
    LOOK_RIG_COUNT
} look_rig;

static fixture look_fix;

static inline vrm_quat look_random_quat(test_random *random)
{
    const vrm_vec3 axis = {test_random_float(random, -1, 1), test_random_float(random, -1, 1), 0.1f};
    return vrmi_quat_from_axis_angle(
        vrmi_vec3_normalize_or(axis, vrmi_vec3(0, 1, 0)), test_random_float(random, -3, 3));
}

// The humanoid with eyes, where positions at rest are the same in every rig.
static inline vrm_avatar *look_avatar(look_rig rig, vrm_look_at_type type)
{
    fixture *f = &look_fix;
    fixture_begin(f);
    fixture_humanoid(f);
    test_random random = test_random_make(99);
    vrm_quat above[FIXTURE_MAX_NODES]; // what the parent's axes are turned by in the rig
    for (uint32_t i = 0; i < f->node_count; ++i) {
        fixture_node *node = &f->nodes[i];
        const vrm_quat parent = node->parent >= 0 ? above[node->parent] : vrmi_quat_identity();
        const vrm_quat own = rig == LOOK_RIG_RANDOM ? look_random_quat(&random) : vrmi_quat_identity();
        node->rest.translation = vrmi_quat_rotate(vrmi_quat_conjugate(parent), node->rest.translation);
        node->rest.rotation = vrmi_quat_mul(vrmi_quat_conjugate(parent), own);
        above[i] = own;
    }
    if (rig == LOOK_RIG_TURNED) {
        f->builder.head.root_from_nodes = (vrm_quat){0, 1, 0, 0};
        for (uint32_t i = 0; i < f->node_count; ++i) {
            f->nodes[i].rest.translation.x *= -1.0f;
            f->nodes[i].rest.translation.z *= -1.0f;
        }
    }
    f->builder.head.look_at.type = type;
    return fixture_finish(f);
}

static inline int32_t look_node(int bone)
{
    return look_fix.order[look_fix.bones[bone]];
}

static inline vrm_instance *look_instance(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.look_chain_bones = 16;
    def.look_chain_links = 8;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    return instance;
}

typedef struct look_setup {
    vrm_look_chain_def def;
    vrm_look_bone bones[16];
} look_setup;

// A chain of nodes with one limit each, at once and hard, so that one update shows where it looks.
static inline void look_setup_make(look_setup *s, vrm_look_chain_mode mode, const int32_t *nodes, uint32_t count)
{
    vrm_look_chain_def_default(&s->def);
    s->def.mode = mode;
    s->def.blend_speed = 0.0f;
    s->def.soft_limit = 0.0f;
    s->def.behind_margin = 0.0f;
    s->def.bones = s->bones;
    s->def.bone_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        vrm_look_bone_default(&s->bones[i]);
        s->bones[i].node = nodes[i];
    }
}

static inline void look_set(vrm_instance *instance, const look_setup *s)
{
    vrm_look_chain_error error;
    CHECK_INT(vrm_instance_set_look_chain(instance, &s->def, &error), VRM_SUCCESS);
    CHECK_INT(error.fault, VRM_LOOK_CHAIN_FAULT_NONE);
}

static inline void look_at(vrm_instance *instance, ref_vec target)
{
    CHECK_INT(vrm_instance_set_look_at_target(instance, target.v), VRM_SUCCESS);
}

// A node's place in the world in double, from the output pose alone.
static inline void look_world(const vrm_instance *instance, int32_t node, ref_mat *out_matrix, ref_quat *out_rotation)
{
    const vrm_avatar *avatar = vrm_instance_avatar(instance);
    vrm_outputs out;
    vrm_instance_get_outputs(instance, &out);
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    const double s = (double)root.scale;
    const ref_quat nodes = ref_quat_of(avatar->model->head.root_from_nodes);
    ref_mat matrix = ref_trs(ref_v(0, 0, 0), (ref_quat){{0, 0, 0, 1}}, ref_v(1, 1, 1));
    ref_quat rotation = {{0, 0, 0, 1}};
    while (node >= 0) {
        vrm_node row;
        CHECK_INT(vrm_avatar_get_node(avatar, (uint32_t)node, &row), VRM_SUCCESS);
        matrix = ref_mat_mul(ref_trs_of(&out.local[node]), matrix);
        rotation = ref_mul(ref_quat_of(out.local[node].rotation), rotation);
        node = row.parent;
    }
    const ref_quat above = ref_mul(ref_quat_of(root.rotation), nodes);
    const ref_vec at = ref_v(root.translation[0], root.translation[1], root.translation[2]);
    *out_matrix = ref_mat_mul(ref_trs(at, above, ref_v(s, s, s)), matrix);
    *out_rotation = ref_normalized(ref_mul(above, rotation));
}

static inline ref_vec look_position(const vrm_instance *instance, int32_t node)
{
    ref_mat matrix;
    ref_quat rotation;
    look_world(instance, node, &matrix, &rotation);
    return ref_v(matrix.m[0][3], matrix.m[1][3], matrix.m[2][3]);
}

// What was the model's +Z at rest.
static inline ref_vec look_forward(const vrm_instance *instance, int32_t node)
{
    ref_mat matrix;
    ref_quat rotation;
    look_world(instance, node, &matrix, &rotation);
    vrm_node row;
    CHECK_INT(vrm_avatar_get_node(vrm_instance_avatar(instance), (uint32_t)node, &row), VRM_SUCCESS);
    return ref_rotate(ref_mul(rotation, ref_inverse(ref_quat_of(row.rest_rotation))), ref_v(0, 0, 1));
}

static inline double look_angle(ref_vec a, ref_vec b)
{
    return atan2(ref_length(ref_cross(a, b)), ref_dot(a, b));
}

// Between the node's forward vector and the target.
static inline double look_error(const vrm_instance *instance, int32_t node, ref_vec target)
{
    return look_angle(look_forward(instance, node), ref_sub(target, look_position(instance, node)));
}

// Between the forward vectors of a node and its parent, which is also the angle to rest.
static inline double look_bend(const vrm_instance *instance, int32_t node)
{
    vrm_node row;
    CHECK_INT(vrm_avatar_get_node(vrm_instance_avatar(instance), (uint32_t)node, &row), VRM_SUCCESS);
    return look_angle(look_forward(instance, node), look_forward(instance, row.parent));
}

// How far the node's rotation is from its rest rotation.
static inline double look_turn(const vrm_instance *instance, int32_t node)
{
    vrm_outputs out;
    vrm_instance_get_outputs(instance, &out);
    vrm_node row;
    CHECK_INT(vrm_avatar_get_node(vrm_instance_avatar(instance), (uint32_t)node, &row), VRM_SUCCESS);
    return ref_angle(ref_quat_of(out.local[node].rotation), ref_quat_of(row.rest.rotation));
}

// A point at a distance from a node, in a direction.
static inline ref_vec look_around(const vrm_instance *instance, int32_t node, double yaw, double pitch, double distance)
{
    const ref_vec at = look_position(instance, node);
    return ref_add(at, ref_scale(ref_v(sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch)), distance));
}

static inline void look_once(vrm_instance *instance)
{
    vrm_update_dt(instance, 0.0f);
}

#endif
