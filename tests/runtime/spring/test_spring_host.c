// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Each field of a host's collider decides which hair is pushed aside and which hair hangs freely.

#include <vrm/output.h>
#include <vrm/update.h>

#include "axis.h"
#include "model_fixture.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 2, CHAIN_JOINTS = 4, ALL_JOINTS = CHAINS * CHAIN_JOINTS, THIRD = 2 };

static fixture f;
static int32_t head;
static vrm_dvec3 hanging[ALL_JOINTS]; // tails without a collider
static double head_world[3][4];

// Computes two chains after two seconds. They hang from both sides of the head, 0.5 m apart, and are 0.4 m long.
static void hang(const vrm_host_collider_def *collider, vrm_dvec3 tails[ALL_JOINTS])
{
    fixture_begin(&f);
    fixture_humanoid(&f);
    const int32_t top = f.bones[VRM_HUMAN_BONE_HEAD];
    for (int chain = 0; chain < CHAINS; ++chain) {
        int32_t nodes[CHAIN_JOINTS + 1];
        for (int i = 0; i <= CHAIN_JOINTS; ++i) {
            nodes[i] = fixture_node_add(&f, i == 0 ? top : nodes[i - 1], "hair",
                i == 0 ? fixture_at(chain == 0 ? -0.25f : 0.25f, 0.1f, 0) : fixture_at(0, -0.1f, 0));
        }
        fixture_chain(&f, nodes, CHAIN_JOINTS + 1, fixture_joint_params(0.0f, 1.0f, 0.4f, 0.02f), -1);
    }
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.host_colliders = 2;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    head = f.order[top];
    CHECK_INT(vrm_instance_set_host_collider(instance, 1, collider), VRM_SUCCESS);
    for (int frame = 0; frame < 120; ++frame) {
        vrm_update_dt(instance, 1.0f / 60.0f);
    }
    CHECK_INT(vrm_instance_get_spring_tails(instance, tails, NULL, ALL_JOINTS), VRM_SUCCESS);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    for (int i = 0; i < 12; ++i) {
        head_world[i / 4][i % 4] = (double)out.world[head].m[i / 4][i % 4];
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Returns a bit mask of the chains that the collider has moved.
static int pushed_by(const vrm_host_collider_def *collider)
{
    vrm_dvec3 tails[ALL_JOINTS];
    hang(collider, tails);
    int pushed = 0;
    for (int i = 0; i < 3 * ALL_JOINTS; ++i) {
        const unsigned joint = (unsigned)i / 3, axis = (unsigned)i % 3;
        const double way = *test_axis(&tails[joint], axis) - *test_axis(&hanging[joint], axis);
        pushed |= fabs(way) > 0.01 ? 1 << i / (3 * CHAIN_JOINTS) : 0;
    }
    return pushed;
}

// Returns a sphere beside the third tail of a chain, moved by an offset. Chain -1: in the middle between both chains.
static vrm_host_collider_def sphere_at(int chain, double x, double y, double z, float radius)
{
    hang(NULL, hanging);
    vrm_host_collider_def collider;
    vrm_host_collider_def_default(&collider);
    const vrm_dvec3 a = hanging[THIRD], b = hanging[THIRD + CHAIN_JOINTS];
    const vrm_dvec3 middle = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
    const vrm_dvec3 place = chain < 0 ? middle : chain == 0 ? a : b;
    collider.offset = (vrm_dvec3){place.x + x, place.y + y, place.z + (z - 0.03)};
    collider.radius = radius;
    return collider;
}

static void a_sphere_is_where_it_is(void)
{
    vrm_host_collider_def c = sphere_at(0, 0, 0, 0, 0.05f);
    CHECK_INT(pushed_by(&c), 1);
    c.enabled = false;
    CHECK_INT(pushed_by(&c), 0);
    for (int axis = 0; axis < 3; ++axis) {
        c = sphere_at(0, axis == 0 ? -0.2 : 0.0, axis == 1 ? -0.4 : 0.0, axis == 2 ? -0.2 : 0.0, 0.05f);
        CHECK_INT(pushed_by(&c), 0);
    }
    c = sphere_at(-1, 0, 0, 0, 0.05f);
    CHECK_INT(pushed_by(&c), 0);
    c.radius = 0.3f;
    CHECK_INT(pushed_by(&c), 3);
}

// The middle of a capsule pushes a chain, although both its ends are far away. The capsule lies along each axis in
// turn.
static void a_capsule_goes_to_its_tail(void)
{
    for (int axis = 0; axis < 3; ++axis) {
        const double way[3] = {axis == 0, axis == 1, axis == 2};
        vrm_host_collider_def c = sphere_at(0, -0.7 * way[0], -0.7 * way[1], -0.7 * way[2], 0.05f);
        CHECK_INT(pushed_by(&c), 0);
        c.shape = VRM_COLLIDER_CAPSULE;
        c.tail = (vrm_dvec3){c.offset.x + 0.9 * way[0], c.offset.y + 0.9 * way[1], c.offset.z + 0.9 * way[2]};
        CHECK_INT(pushed_by(&c), 1);
    }
}

// A plane keeps hair on the side to which its normal points.
static void a_plane_keeps_to_one_side(void)
{
    vrm_host_collider_def c = sphere_at(-1, 0, 0, 0, 0.0f);
    c.shape = VRM_COLLIDER_PLANE;
    c.tail.x = 3.0; // any length
    CHECK_INT(pushed_by(&c), 1);
    c.tail.x = -1.0;
    CHECK_INT(pushed_by(&c), 2);
    c.tail.x = 0.0;
    c.tail.y = 1.0;
    CHECK_INT(pushed_by(&c), 3);
    c.tail.y = -1.0;
    c.offset.y += 1.0;
    CHECK_INT(pushed_by(&c), 0);
}

static void one_chain_alone_can_meet_it(void)
{
    vrm_host_collider_def c = sphere_at(-1, 0, 0, 0, 0.3f);
    for (int32_t chain = -1; chain < CHAINS; ++chain) {
        c.chain = chain;
        CHECK_INT(pushed_by(&c), chain < 0 ? 3 : 1 << chain);
    }
}

// If a collider is attached to a node, its positions are in the node's space.
static void a_node_carries_it(void)
{
    vrm_host_collider_def c = sphere_at(1, 0, 0, 0, 0.05f);
    CHECK_INT(pushed_by(&c), 2);
    c.node = head;
    CHECK_INT(pushed_by(&c), 0);
    vrm_dvec3 local = {0, 0, 0};
    for (unsigned k = 0; k < 3; ++k) {
        for (unsigned row = 0; row < 3; ++row) {
            *test_axis(&local, k) += head_world[row][k] * (*test_axis(&c.offset, row) - head_world[row][3]);
        }
    }
    c.offset = local;
    CHECK_INT(pushed_by(&c), 2);
    c.node = -1;
    CHECK_INT(pushed_by(&c), 0);
}

// Swings a chain beside a node that is rotated and scaled unevenly and has a collider, the avatar's or the host's.
static void swing_beside(const vrmi_collider_row *collider, bool is_the_hosts, vrm_dvec3 tails[CHAIN_JOINTS])
{
    fixture_begin(&f);
    fixture_humanoid(&f);
    vrm_transform uneven = fixture_turned(0.3f, 0.1f, 0.05f, (vrm_vec3){1, 2, 3}, 0.7f);
    uneven.scale = (vrm_vec3){0.6f, 1.0f, 1.5f};
    const int32_t holder = fixture_node_add(&f, f.bones[VRM_HUMAN_BONE_HEAD], "holder", uneven);
    int32_t nodes[CHAIN_JOINTS + 1];
    for (int i = 0; i <= CHAIN_JOINTS; ++i) {
        nodes[i] = fixture_node_add(&f, i == 0 ? f.bones[VRM_HUMAN_BONE_HEAD] : nodes[i - 1], "hair",
            i == 0 ? fixture_at(0.25f, 0.1f, 0) : fixture_at(0, -0.1f, 0));
    }
    fixture_chain(&f, nodes, CHAIN_JOINTS + 1, fixture_joint_params(0.0f, 1.0f, 0.4f, 0.02f), -1);
    vrmi_collider_row own = *collider;
    own.node = (uint32_t)holder;
    if (!is_the_hosts) {
        (void)fixture_collider(&f, own);
    }
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.host_colliders = 2;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    if (is_the_hosts) {
        vrm_host_collider_def host;
        vrm_host_collider_def_default(&host);
        host.shape = own.shape;
        host.node = f.order[holder];
        host.offset = (vrm_dvec3){(double)own.offset.x, (double)own.offset.y, (double)own.offset.z};
        host.tail = (vrm_dvec3){(double)own.tail.x, (double)own.tail.y, (double)own.tail.z};
        host.radius = own.radius;
        CHECK_INT(vrm_instance_set_host_collider(instance, 1, &host), VRM_SUCCESS);
    }
    for (int frame = 0; frame < 90; ++frame) {
        const float angle = 0.02f * (float)(frame % 40);
        const vrm_quat turn = {0, angle / 2, 0, 1};
        CHECK_INT(
            vrm_instance_set_rotation(instance, (uint32_t)f.order[f.bones[VRM_HUMAN_BONE_HEAD]], &turn), VRM_SUCCESS);
        vrm_update_dt(instance, 1.0f / 70.0f);
    }
    CHECK_INT(vrm_instance_get_spring_tails(instance, tails, NULL, CHAIN_JOINTS), VRM_SUCCESS);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// A host's collider on a node equals the avatar's own collider there, bit by bit. An uneven scale tilts a plane's
// surface, and the plane follows it.
static void a_node_carries_it_as_the_avatars_own(void)
{
    const vrmi_collider_row colliders[] = {{VRM_COLLIDER_SPHERE, 0, {0.02f, -0.2f, 0.03f}, {0, 0, 0}, 0.12f},
        {VRM_COLLIDER_CAPSULE, 0, {0.02f, -0.3f, 0.03f}, {-0.05f, 0.1f, 0.02f}, 0.08f},
        {VRM_COLLIDER_INSIDE_SPHERE, 0, {0.02f, -0.1f, 0.03f}, {0, 0, 0}, 0.2f},
        {VRM_COLLIDER_INSIDE_CAPSULE, 0, {0.02f, -0.1f, 0.03f}, {0.02f, 0.1f, 0}, 0.2f},
        {VRM_COLLIDER_PLANE, 0, {0, -0.1f, 0}, {0.3f, 1, 0.5f}, 0}};
    vrm_dvec3 free_tails[CHAIN_JOINTS], own[CHAIN_JOINTS], hosts[CHAIN_JOINTS];
    const vrmi_collider_row none = {.shape = VRM_COLLIDER_SPHERE, .offset = {50, 0, 0}};
    swing_beside(&none, false, free_tails);
    for (size_t i = 0; i < sizeof colliders / sizeof colliders[0]; ++i) {
        swing_beside(&colliders[i], false, own);
        swing_beside(&colliders[i], true, hosts);
        CHECK(memcmp(own, free_tails, sizeof own) != 0);
        CHECK(memcmp(own, hosts, sizeof own) == 0);
    }
}

static const test_case cases[] = {
    {"a_sphere_is_where_it_is", a_sphere_is_where_it_is},
    {"a_capsule_goes_to_its_tail", a_capsule_goes_to_its_tail},
    {"a_plane_keeps_to_one_side", a_plane_keeps_to_one_side},
    {"one_chain_alone_can_meet_it", one_chain_alone_can_meet_it},
    {"a_node_carries_it", a_node_carries_it},
    {"a_node_carries_it_as_the_avatars_own", a_node_carries_it_as_the_avatars_own},
};

RUN_TESTS(cases)
