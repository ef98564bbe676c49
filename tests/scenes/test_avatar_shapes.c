// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Each shape loads without errors. It has the feature in its name and no other feature; otherwise a benchmark or test
// over all shapes would measure the plain shape many times.

#include <vrm/vrm.h>

#include "avatar_shapes.h"
#include "test.h"

enum { WITH_CENTER = 1 << 0, LIMITED = 1 << 1, SKIPPING = 1 << 2, CARRIED = 1 << 3 };

// Features that all chains or joints of a shape have. (WITH_CENTER and CARRIED: all chains except one.)
typedef struct shape_row {
    uint32_t chains, joints;
    uint32_t on_joints; // chains that begin on another chain's joint
    float scale[3];     // scale of hair's world matrices
    int has;
} shape_row;

static const shape_row rows[SCENE_SHAPE_COUNT] = {
    [SCENE_SHAPE_SAMPLE] = {32, 136, 0, {1, 1, 1}, 0},
    [SCENE_SHAPE_PLAIN] = {32, 136, 0, {1, 1, 1}, 0},
    [SCENE_SHAPE_CENTERS] = {32, 136, 0, {1, 1, 1}, WITH_CENTER},
    [SCENE_SHAPE_SCALED] = {32, 136, 0, {1.1f, 1.1f, 1.1f}, 0},
    [SCENE_SHAPE_ARMATURE] = {32, 136, 0, {0.01f, 0.01f, 0.01f}, 0},
    [SCENE_SHAPE_BRANCHING] = {32, 136, 16, {1, 1, 1}, 0},
    [SCENE_SHAPE_SKIPPED] = {32, 104, 0, {1, 1, 1}, SKIPPING},
    [SCENE_SHAPE_LIMITS] = {32, 136, 0, {1, 1, 1}, LIMITED},
    [SCENE_SHAPE_CARRIED] = {32, 136, 0, {1, 1, 1}, CARRIED},
    [SCENE_SHAPE_MIRRORED] = {32, 136, 0, {-1, 1, 1}, 0},
    [SCENE_SHAPE_UNEVEN] = {32, 136, 0, {0.6f, 1, 1.5f}, 0},
    [SCENE_SHAPE_FEW] = {4, 20, 0, {1, 1, 1}, 0},
    [SCENE_SHAPE_LONG] = {8, 160, 0, {1, 1, 1}, 0},
    [SCENE_SHAPE_SHORT] = {42, 126, 0, {1, 1, 1}, 0},
    [SCENE_SHAPE_MANY] = {176, 760, 0, {1, 1, 1}, 0},
    [SCENE_SHAPE_STRUNG] = {32, 136, 28, {1, 1, 1}, 0},
    [SCENE_SHAPE_ROW] = {32, 136, 31, {1, 1, 1}, 0},
};

static vrm_avatar *make(scene_shape shape)
{
    vrm_bytes bytes = {0};
    vrm_avatar *avatar = NULL;
    vrm_report *report = NULL;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    CHECK_INT(scene_shape_create(shape, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_load(NULL, bytes.data, bytes.size, report, &avatar), VRM_SUCCESS);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 0);
    vrm_report_destroy(report);
    vrm_bytes_free(&bytes);
    return avatar;
}

static bool is_joint(const vrm_avatar *avatar, int32_t node, uint32_t joints)
{
    for (uint32_t i = 0; i < joints; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        (void)vrm_avatar_get_spring_joint(avatar, i, &joint);
        if ((int32_t)joint.node == node) {
            return true;
        }
    }
    return false;
}

// Numbers of chains or joints that have a feature.
typedef struct found {
    uint32_t with_center, carried, on_joints, limited, skipping;
} found;

static found count(const vrm_avatar *avatar, const vrm_avatar_counts *counts)
{
    found f = {0};
    for (uint32_t c = 0; c < counts->spring_chains; ++c) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        vrm_spring_joint first = {.struct_size = sizeof first};
        vrm_node node = {.struct_size = sizeof node};
        (void)vrm_avatar_get_spring_chain(avatar, c, &chain);
        (void)vrm_avatar_get_spring_joint(avatar, chain.first_joint, &first);
        (void)vrm_avatar_get_node(avatar, first.node, &node);
        f.with_center += chain.center >= 0;
        f.on_joints += is_joint(avatar, node.parent, counts->spring_joints);
        for (uint32_t k = 0; k < chain.collider_count; ++k) {
            vrm_collider collider = {.struct_size = sizeof collider};
            (void)vrm_avatar_get_collider(
                avatar, vrm_avatar_get_chain_colliders(avatar)[chain.first_collider + k], &collider);
            f.carried += is_joint(avatar, (int32_t)collider.node, counts->spring_joints);
        }
    }
    for (uint32_t i = 0; i < counts->spring_joints; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        vrm_node tail = {.struct_size = sizeof tail};
        (void)vrm_avatar_get_spring_joint(avatar, i, &joint);
        (void)vrm_avatar_get_node(avatar, (uint32_t)joint.tail_node, &tail);
        f.limited += joint.limit.type != VRM_SPRING_LIMIT_NONE;
        f.skipping += tail.parent != (int32_t)joint.node;
    }
    return f;
}

// Checks a joint of the fringe. The fringe begins below the head in every shape.
static void check_scale(const vrm_avatar *avatar, const float scale[3])
{
    static const char name[] = "left_fringe0_0";
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    vrm_update_dt(instance, 0.0f);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    const int32_t node = vrm_avatar_find_node(avatar, name, sizeof name - 1);
    CHECK(node >= 0);
    const float(*m)[4] = outputs.world[node < 0 ? 0 : node].m;
    for (int c = 0; c < 3; ++c) {
        // The sample's head and this node have no rotation at rest.
        CHECK_NEAR(m[c][c], scale[c], 1e-5);
    }
    vrm_instance_destroy(instance);
}

static void each_is_what_its_name_says(void)
{
    for (int shape = 0; shape < SCENE_SHAPE_COUNT; ++shape) {
        const shape_row *row = &rows[shape];
        const int before = test_failures;
        vrm_avatar *avatar = make((scene_shape)shape);
        if (avatar == NULL) {
            continue;
        }
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        const found f = count(avatar, &counts);
        CHECK_INT(counts.spring_chains, row->chains);
        CHECK_INT(counts.spring_joints, row->joints);
        CHECK_INT(f.on_joints, row->on_joints);
        CHECK_INT(f.with_center, shape == SCENE_SHAPE_SAMPLE ? 7 : (row->has & WITH_CENTER) != 0 ? row->chains : 0);
        CHECK_INT(f.carried, (row->has & CARRIED) != 0 ? row->chains - 1 : 0);
        CHECK_INT(f.limited, (row->has & LIMITED) != 0 ? row->joints : 0);
        CHECK_INT(f.skipping, (row->has & SKIPPING) != 0 ? row->chains : 0);
        check_scale(avatar, row->scale);
        vrm_avatar_release(avatar);
        if (test_failures > before) {
            printf("in shape %s\n", scene_shape_name((scene_shape)shape));
        }
    }
}

// An armature with scale 0.01 changes the nodes' numbers, but not the figure.
static void an_armature_keeps_the_figure(void)
{
    vrm_avatar *plain = make(SCENE_SHAPE_PLAIN), *armature = make(SCENE_SHAPE_ARMATURE);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(plain, &counts);
    for (uint32_t i = 0; i < counts.nodes; ++i) {
        vrm_node a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        (void)vrm_avatar_get_node(plain, i, &a);
        (void)vrm_avatar_get_node(armature, (uint32_t)vrm_avatar_find_gltf_node(armature, a.gltf_node), &b);
        CHECK_NEAR(b.rest_position.x, a.rest_position.x, 1e-5);
        CHECK_NEAR(b.rest_position.y, a.rest_position.y, 1e-5);
        CHECK_NEAR(b.rest_position.z, a.rest_position.z, 1e-5);
    }
    vrm_avatar_release(plain);
    vrm_avatar_release(armature);
}

static void bytes_are_the_same_again(void)
{
    vrm_bytes bytes = {0}, again = {0};
    CHECK_INT(scene_shape_create(SCENE_SHAPE_MANY, &bytes), VRM_SUCCESS);
    CHECK_INT(scene_shape_create(SCENE_SHAPE_MANY, &again), VRM_SUCCESS);
    CHECK(bytes.size == again.size && memcmp(bytes.data, again.data, bytes.size) == 0);
    vrm_bytes_free(&bytes);
    vrm_bytes_free(&again);
}

static void no_other_shape(void)
{
    vrm_bytes bytes = {0};
    CHECK_INT(scene_shape_create(SCENE_SHAPE_COUNT, &bytes), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_STRING(scene_shape_name(SCENE_SHAPE_COUNT), "");
    CHECK_STRING(scene_shape_name(SCENE_SHAPE_ROW), "row");
}

static const test_case cases[] = {
    {"each_is_what_its_name_says", each_is_what_its_name_says},
    {"an_armature_keeps_the_figure", an_armature_keeps_the_figure},
    {"bytes_are_the_same_again", bytes_are_the_same_again},
    {"no_other_shape", no_other_shape},
};
RUN_TESTS(cases)
