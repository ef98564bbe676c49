// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// World matrices of hair that the springs' own step computes. They equal those of the node tree, they do not depend on
// whether one update runs both halves, and an update with dt 0 gives the same bits.

#include <vrm/vrm.h>

#include "pose_of.h"
#include "sample_avatar.h"
#include "test.h"
#include "test_random.h"
#include "world_tree.h"

#include <math.h>
#include <stdlib.h>

enum { FRAMES = 200 };

static vrm_instance *make_instance(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.hair_inputs = true;
    def.avatar = avatar;
    def.host_colliders = 1;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    return instance;
}

static vrm_quat turn(test_random *random, float size)
{
    const vrm_quat q = {test_random_float(random, -size, size), test_random_float(random, -size, size),
        test_random_float(random, -size, size), 1.0f};
    return q;
}

// Moves the avatar, and sometimes does something that excludes chains from the lanes or changes the shown pose.
static void drive(vrm_instance *instance, test_random *random, int frame)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(vrm_instance_get_avatar(instance), &counts);
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const vrm_quat q = turn(random, 0.1f);
        (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &q);
    }
    const vrm_quat q = turn(random, 0.2f);
    const vrm_root root = {{(double)frame * 0.01, 0.0, 5e4}, {q.x, q.y, q.z, q.w}, frame < 100 ? 1.0f : 0.7f};
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
    const uint32_t chain = test_random_below(random, counts.spring_chains);
    vrm_spring_chain row = {.struct_size = sizeof row};
    (void)vrm_avatar_get_spring_chain(vrm_instance_get_avatar(instance), chain, &row);
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    (void)vrm_avatar_get_spring_joint(vrm_instance_get_avatar(instance), row.first_joint, &joint);
    if (frame % 11 == 5) {
        const float weights[] = {0.0f, 0.5f, 1.0f};
        CHECK_INT(vrm_instance_set_chain_weight(instance, chain, weights[test_random_below(random, 3)]), VRM_SUCCESS);
    }
    if (frame % 13 == 6) { // the host's pose moves hair: translations apply in full, rotations by the chain's weight
        const vrm_vec3 offset = {test_random_float(random, -0.05f, 0.05f), 0.02f, 0.03f};
        const vrm_quat rotation = turn(random, 0.5f);
        CHECK_INT(vrm_instance_set_translation(instance, joint.node + 1, &offset), VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_rotation(instance, joint.node, &rotation), VRM_SUCCESS);
    }
    if (frame == 60 || frame == 80) {
        const vrm_vec3 scale = {1.0f, frame == 60 ? 1.5f : 1.0f, 1.0f};
        CHECK_INT(vrm_instance_set_scale(instance, 3, &scale), VRM_SUCCESS);
    }
    if (frame == 120 || frame == 140) { // with a collider on hair, no chain is independent
        vrm_host_collider_def collider;
        vrm_host_collider_def_default(&collider);
        collider.node = (int32_t)joint.node;
        collider.radius = 0.02f;
        CHECK_INT(vrm_instance_set_host_collider(instance, 0, frame == 120 ? &collider : NULL), VRM_SUCCESS);
    }
    if (frame % 40 == 10) {
        vrm_spring_params settings = {.struct_size = sizeof settings};
        vrm_instance_get_spring_params(instance, &settings);
        settings.paused = !settings.paused;
        CHECK_INT(vrm_instance_set_spring_params(instance, &settings), VRM_SUCCESS);
    }
    if (frame % 50 == 45) {
        vrm_instance_reset_springs(instance);
        CHECK_INT(vrm_instance_settle_springs(instance, 0.1f), VRM_SUCCESS);
    }
}

static bool same(const vrm_outputs *a, const vrm_outputs *b)
{
    return memcmp(a->world, b->world, a->node_count * sizeof *a->world) == 0 &&
           memcmp(a->palette, b->palette, a->palette_joint_count * sizeof *a->palette) == 0;
}

static void run(uint32_t seed, float rate)
{
    vrm_avatar *avatar = sample_avatar(seed);
    vrm_instance *whole = make_instance(avatar), *halves = make_instance(avatar);
    double worst = 0.0;
    for (int frame = 0; frame < FRAMES && test_failures == 0; ++frame) {
        vrm_update_params params;
        vrm_update_params_default(&params);
        params.dt = 1.0f / rate;
        test_random random = test_random_make(seed * 1000u + (uint32_t)frame), again = random;
        drive(whole, &random, frame);
        drive(halves, &again, frame);
        vrm_update(whole, &params);
        vrm_update_pose(halves, &params);
        vrm_update_secondary(halves, &params);
        vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        vrm_instance_get_outputs(whole, &a);
        vrm_instance_get_outputs(halves, &b);
        CHECK(same(&a, &b) && same_poses(whole, halves));
        worst = fmax(worst, error_of_tree(whole));
        if (frame % 3 == 0) { // with dt 0 the outputs stay, and none is marked as changed
            params.dt = 0.0f;
            const uint32_t counter = a.node_changes.counter;
            vrm_update(whole, &params);
            vrm_instance_get_outputs(whole, &a);
            CHECK(same(&a, &b) && same_poses(whole, halves));
            CHECK_INT(a.node_changes.counter, counter);
        }
    }
    printf("seed %u at %g Hz: matrices agree with the tree within %.1e m\n", seed, (double)rate, worst);
    CHECK(worst < 3e-6);
    vrm_instance_destroy(whole);
    vrm_instance_destroy(halves);
    vrm_avatar_release(avatar);
}

static void ticks(void)
{
    run(0, 60.0f);
}
static void looking_ahead(void)
{
    run(1, 144.0f);
}
static void rarely_a_tick(void)
{
    run(2, 1500.0f);
}

static void *snapshot_of(const vrm_instance *instance, size_t *out_size)
{
    CHECK_INT(vrm_instance_snapshot(instance, NULL, out_size), VRM_SUCCESS);
    void *bytes = malloc(*out_size);
    CHECK_INT(vrm_instance_snapshot(instance, bytes, out_size), VRM_SUCCESS);
    return bytes;
}

static bool same_palettes(const vrm_instance *a, const vrm_instance *b)
{
    vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
    vrm_instance_get_outputs(a, &x);
    vrm_instance_get_outputs(b, &y);
    return same(&x, &y) && memcmp(x.palette, y.palette, x.palette_joint_count * sizeof *x.palette) == 0;
}

// If any node has a scale, the node tree computes the matrices of hair instead of the springs. The same pose then has
// other bits, and palettes must follow them. A restored instance has no earlier matrices to compare with, so it
// computes all palettes.
static void palettes_follow(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance *going_on = make_instance(avatar), *restored = make_instance(avatar);
    const vrm_root root = {{0.0, 0.0, 0.0}, {0.1f, 0.2f, -0.1f, 0.97f}, 0.83f};
    CHECK_INT(vrm_instance_set_root(going_on, &root), VRM_SUCCESS);
    const int32_t foot = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_FOOT);
    for (int frame = 0; frame < 660 && test_failures == 0; ++frame) {
        vrm_update_dt(going_on, 1.0f / 60.0f);
        if (frame < 600 || frame % 4 != 0) { // from frame 600 on hair is at rest; every fourth frame is compared
            continue;
        }
        size_t size = 0;
        void *bytes = snapshot_of(going_on, &size);
        CHECK_INT(vrm_instance_restore(restored, bytes, size), VRM_SUCCESS);
        free(bytes);
        const float size_of_foot = frame % 8 == 0 ? 1.01f : 1.0f;
        const vrm_vec3 scale = {size_of_foot, size_of_foot, size_of_foot};
        CHECK_INT(vrm_instance_set_scale(going_on, (uint32_t)foot, &scale), VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_scale(restored, (uint32_t)foot, &scale), VRM_SUCCESS);
        vrm_update_dt(going_on, 1.0f / 60.0f);
        vrm_update_dt(restored, 1.0f / 60.0f);
        CHECK(same_palettes(going_on, restored));
    }
    vrm_instance_destroy(going_on);
    vrm_instance_destroy(restored);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {{"ticks", ticks}, {"looking_ahead", looking_ahead}, {"rarely_a_tick", rarely_a_tick},
    {"palettes_follow", palettes_follow}};
RUN_TESTS(cases)
