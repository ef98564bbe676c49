// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Hair of any shape on any skeleton, and hosts that do anything. Every path gives the same bits, and so does an
// instance that continues from a snapshot. With realistic scales no chain is lost, and all outputs are finite.

#include <vrm/vrm.h>

#include "axis.h"
#include "model/model_check.h"
#include "model_fixture.h"
#include "runtime/core/instance.h"
#include "spring_paths.h"
#include "test.h"
#include "test_random.h"

#include <math.h>
#include <stdlib.h>

enum {
    AVATARS = 30 / TEST_SHARE,
    FRAMES = 60,
    HOSTS = 5,
    MAX_STRAND = 9,
    EXTRA = 2,
    INSTANCES = VRMI_LANES_PATH_COUNT + EXTRA
};

// The scales of an avatar's nodes.
typedef enum sizes { PLAIN, EVEN, UNEVEN, MIRRORED, EXTREME, SIZES } sizes;

static fixture f;

static float any(test_random *random, float low, float high)
{
    return test_random_float(random, low, high);
}

static bool one_in(test_random *random, uint32_t count)
{
    return test_random_below(random, count) == 0;
}

static vrm_vec3 any_scale(test_random *random, sizes kind)
{
    static const float odd[] = {0.0f, 1e-20f, 1e20f, -1.0f, 1e-9f, 1e6f, 1.0f};
    const uint32_t odds = sizeof odd / sizeof odd[0];
    vrm_vec3 s = {1.0f, 1.0f, 1.0f};
    if (kind == EXTREME) {
        s.x = odd[test_random_below(random, odds)];
        s.y = one_in(random, 2) ? s.x : odd[test_random_below(random, odds)];
        s.z = one_in(random, 2) ? s.x : odd[test_random_below(random, odds)];
    } else if (kind != PLAIN) {
        s.x = any(random, 0.6f, 1.6f);
        s.y = kind == EVEN ? s.x : any(random, 0.6f, 1.6f);
        s.z = kind == EVEN ? s.x : any(random, 0.6f, 1.6f);
        s.z *= kind == MIRRORED && one_in(random, 2) ? -1.0f : 1.0f;
    }
    return s;
}

static vrm_transform any_place(test_random *random, sizes kind)
{
    vrm_transform t = fixture_turned(any(random, -0.05f, 0.05f), any(random, -0.1f, 0.05f), any(random, -0.05f, 0.05f),
        (vrm_vec3){any(random, -1, 1), any(random, -1, 1), any(random, -1, 1)}, any(random, -2, 2));
    if (one_in(random, 10)) {
        t.translation = (vrm_vec3){0.0f, 0.0f, 0.0f};
    }
    t.scale = one_in(random, 5) ? any_scale(random, kind) : t.scale;
    return t;
}

static int32_t any_node(test_random *random)
{
    return (int32_t)test_random_below(random, f.node_count);
}

static bool is_on_head(int32_t node)
{
    while (node >= 0 && node != f.bones[VRM_HUMAN_BONE_HEAD]) {
        node = f.nodes[node].parent;
    }
    return node >= 0;
}

static void add_colliders(test_random *random)
{
    uint32_t count = one_in(random, 3) ? test_random_below(random, 6) : 0;
    count = one_in(random, 60) ? 70 : count; // more colliders than can be merged
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_collider_row c = {.shape = (vrm_collider_shape)test_random_below(random, VRM_COLLIDER_PLANE + 1),
            .node = (uint32_t)any_node(random)};
        c.offset = (vrm_vec3){any(random, -0.1f, 0.1f), any(random, -0.1f, 0.1f), any(random, -0.1f, 0.1f)};
        c.tail = (vrm_vec3){any(random, -0.1f, 0.1f), any(random, 0.1f, 0.2f), any(random, -0.1f, 0.1f)};
        c.radius = c.shape >= VRM_COLLIDER_INSIDE_SPHERE ? any(random, 0.1f, 0.4f) : any(random, 0.0f, 0.1f);
        const uint32_t index = fixture_collider(&f, c);
        if (one_in(random, 3) && index > 0) { // a collider of an earlier chain, too
            *FIXTURE_PUSH(&f, chain_collider, uint32_t) = test_random_below(random, index);
            ++FIXTURE_ROW(&f, spring_chain, vrmi_chain_row, f.builder.spring_chain.count - 1)->collider_count;
        }
    }
}

static void add_strand(test_random *random, sizes kind)
{
    int32_t nodes[MAX_STRAND];
    const uint32_t length = 2 + (one_in(random, 4) ? 0 : test_random_below(random, MAX_STRAND - 1));
    int32_t parent = any_node(random);
    for (uint32_t i = 0; i < length; ++i) {
        nodes[i] = parent = fixture_node_add(&f, parent, "hair", any_place(random, kind));
    }
    uint32_t count = 1;
    for (uint32_t i = 1; i < length; ++i) {
        nodes[count] = nodes[i];
        count += i + 1 == length || !one_in(random, 6); // the other nodes are skipped
    }
    const vrm_spring_joint_params params = fixture_joint_params(
        any(random, 0, 2), any(random, 0, 1), any(random, 0, 1), one_in(random, 2) ? 0.0f : any(random, 0, 0.05f));
    const int32_t center = one_in(random, 4) ? any_node(random) : -1;
    const uint32_t first = f.builder.spring_joint.count;
    fixture_chain(&f, nodes, count, params, center);
    for (uint32_t j = first; j < f.builder.spring_joint.count; ++j) {
        vrmi_joint_row *joint = FIXTURE_ROW(&f, spring_joint, vrmi_joint_row, j);
        if (f.nodes[joint->tail_node].parent == (int32_t)joint->node) {
            joint->tail = f.nodes[joint->tail_node].rest.translation;
        }
        const float *tail = &joint->tail.x;
        for (int k = 0; k < 3; ++k) { // a scale of 0 has no inverse, so there is no direction
            joint->tail = isfinite(tail[k]) ? joint->tail : (vrm_vec3){0.0f, 0.0f, 0.0f};
        }
        if (one_in(random, 12)) {
            joint->limit = (vrm_spring_limit){.type = (vrm_spring_limit_type)test_random_below(random, 4),
                .angle = any(random, 0, 3.2f),
                .yaw = any(random, 0, 1.6f),
                .rotation = {0, 0, 0, 1}};
        }
    }
    add_colliders(random);
}

static vrm_avatar *any_avatar(test_random *random, sizes kind)
{
    static const uint32_t most[] = {0, 1, 4, 12, 40};
    fixture_begin(&f);
    fixture_humanoid(&f);
    for (uint32_t i = 0; i < f.node_count; ++i) {
        f.nodes[i].rest.scale = one_in(random, 8) ? any_scale(random, kind) : f.nodes[i].rest.scale;
    }
    const uint32_t strands = most[test_random_below(random, 5)];
    for (uint32_t i = 0; i < strands; ++i) {
        add_strand(random, kind);
        if (i == 2 && is_on_head((int32_t)f.node_count - 1)) {
            fixture_bone(&f, VRM_HUMAN_BONE_JAW, (int32_t)f.node_count - 1, any_place(random, kind));
        }
        if (one_in(random, 8)) { // on hair, and inside moving hair
            fixture_constraint(&f, one_in(random, 2) ? VRM_CONSTRAINT_ROTATION : VRM_CONSTRAINT_AIM, any_node(random),
                any_node(random), (vrm_vec3){0, 1, 0}, any(random, 0, 1));
        }
    }
    int32_t joints[8];
    for (int i = 0; i < 8; ++i) {
        joints[i] = any_node(random);
    }
    if (kind != EXTREME) {
        fixture_mesh(&f, 0, 0, joints, 8, 0.1f);
    }
    return fixture_finish(&f);
}

static vrm_instance *make_instance(const vrm_avatar *avatar, uint32_t path)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.hair_inputs = true;
    def.avatar = avatar;
    def.host_colliders = HOSTS;
    def.spring_parameters = true;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    instance->lanes = path;
    return instance;
}

static vrm_quat any_turn(test_random *random, float size)
{
    const vrm_quat q = {any(random, -size, size), any(random, -size, size), any(random, -size, size), 1.0f};
    return vrmi_quat_normalize(q);
}

// Returns a hair node if there is one, otherwise any node.
static uint32_t hair_node(test_random *random, const vrm_instance *instance)
{
    const uint32_t joints = instance->model->spring_joint.count;
    const uint32_t joint = test_random_below(random, joints != 0 ? joints : 1);
    const uint32_t other = test_random_below(random, instance->model->node_parent.count);
    const uint32_t node = joints != 0 ? vrmi_model_spring_joint(instance->model)[joint].node : other;
    return one_in(random, 3) ? other : node;
}

static void set_host(test_random *random, vrm_instance *instance)
{
    vrm_host_collider_def c;
    vrm_host_collider_def_default(&c);
    const uint32_t slot = test_random_below(random, HOSTS), chains = instance->model->spring_chain.count;
    c.shape = (vrm_collider_shape)test_random_below(random, VRM_COLLIDER_PLANE + 1);
    c.enabled = !one_in(random, 4);
    c.node = one_in(random, 4) ? -1 : (int32_t)hair_node(random, instance);
    c.chain = one_in(random, 4) && chains != 0 ? (int32_t)test_random_below(random, chains) : -1;
    c.radius = c.shape >= VRM_COLLIDER_INSIDE_SPHERE ? 0.5f : any(random, 0.0f, 0.1f);
    vrm_dvec3 base = {0.0, 0.0, 0.0};
    base = c.node < 0 ? instance->root.translation : base;
    for (unsigned k = 0; k < 3; ++k) {
        *test_axis(&c.offset, k) = (double)any(random, -0.1f, 0.1f) + *test_axis(&base, k);
        *test_axis(&c.tail, k) = *test_axis(&c.offset, k) + 0.05;
    }
    c.tail.y += 1.0;
    CHECK_INT(vrm_instance_set_host_collider(instance, slot, one_in(random, 5) ? NULL : &c), VRM_SUCCESS);
}

static void move_root(test_random *random, vrm_instance *instance, int frame)
{
    vrm_root root = {{0.03 * (double)frame, 0.0, 5.0}, any_turn(random, 0.05f), one_in(random, 20) ? 1.3f : 1.0f};
    const uint32_t how = test_random_below(random, 12);
    if (how == 0) {
        root.translation.x += 1e6;
        CHECK_INT(vrm_instance_teleport(instance, &root), VRM_SUCCESS);
    } else if (how == 1) {
        root.rotation = any_turn(random, 3.0f);
        CHECK_INT(vrm_instance_warp(instance, &root), VRM_SUCCESS);
    } else if (how < 9) {
        CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
    }
    if (one_in(random, 8)) {
        CHECK_INT(vrm_instance_set_platform(instance, one_in(random, 2) ? NULL : &root), VRM_SUCCESS);
    }
}

static void move_nodes(test_random *random, vrm_instance *instance, sizes kind)
{
    const uint32_t node = hair_node(random, instance);
    vrm_transform t = vrmi_model_node_rest(instance->model)[node];
    switch (test_random_below(random, 8)) {
    case 0:
        t.scale = any_scale(random, kind);
        break;
    case 1:
        t.translation.y += any(random, -0.05f, 0.05f);
        break;
    case 2:
        t.rotation = any_turn(random, 1.0f);
        break;
    case 3:
        vrm_instance_reset_pose(instance);
        break;
    default:
        break;
    }
    CHECK_INT(vrm_instance_set_local(instance, node, &t), VRM_SUCCESS);
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const vrm_quat turn = any_turn(random, 0.1f);
        (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &turn);
    }
}

// Makes calls that are refused and must have no effect.
static void refused(vrm_instance *instance)
{
    const vrm_transform t = {{NAN, 0, 0}, {0, 0, 0, 1}, {INFINITY, 1, 1}};
    CHECK(vrm_instance_set_local(instance, 0, &t) != VRM_SUCCESS);
}

static void control(test_random *random, vrm_instance *instance)
{
    const uint32_t joints = instance->model->spring_joint.count, chains = instance->model->spring_chain.count;
    vrm_spring_joint_params params;
    vrm_spring_params settings;
    switch (test_random_below(random, 12)) {
    case 0:
        CHECK_INT(vrm_instance_settle_springs(instance, 0.2f), VRM_SUCCESS);
        break;
    case 1:
        vrm_instance_reset_springs(instance);
        break;
    case 2:
        CHECK_INT(vrm_instance_set_lod(instance, (vrm_lod)test_random_below(random, VRM_LOD_COUNT)), VRM_SUCCESS);
        break;
    case 3:
        refused(instance);
        break;
    case 4:
        if (joints != 0) {
            const uint32_t joint = test_random_below(random, joints);
            CHECK_INT(vrm_instance_get_spring_joint(instance, joint, &params), VRM_SUCCESS);
            params.drag_force = any(random, 0, 1);
            params.hit_radius = any(random, 0, 0.1f);
            CHECK_INT(vrm_instance_set_spring_joint(instance, joint, &params), VRM_SUCCESS);
        }
        break;
    case 5:
        vrm_spring_params_default(&settings);
        settings.paused = one_in(random, 3);
        settings.root_motion = any(random, 0, 1);
        settings.external.x = any(random, -1, 1);
        CHECK_INT(vrm_instance_set_spring_params(instance, &settings), VRM_SUCCESS);
        break;
    default:
        break;
    }
    for (uint32_t chain = 0; chain < chains && one_in(random, 2); ++chain) {
        const float weight = one_in(random, 2) ? 1.0f : any(random, 0, 1);
        CHECK_INT(vrm_instance_set_chain_weight(instance, chain, weight), VRM_SUCCESS);
    }
}

static void play(test_random *random, vrm_instance *instance, sizes kind, int frame, bool taken)
{
    static const float times[] = {1.0f / 60.0f, 1.0f / 60.0f, 1.0f / 144.0f, 0.04f, 0.0f, 0.4f, 1e-5f, 2.0f};
    vrm_update_params params;
    vrm_update_params_default(&params);
    move_root(random, instance, frame);
    move_nodes(random, instance, kind);
    control(random, instance);
    if (one_in(random, 2)) {
        set_host(random, instance);
    }
    params.dt = times[test_random_below(random, sizeof times / sizeof times[0])];
    params.stages &= one_in(random, 6) ? ~(uint32_t)VRM_STAGE_SPRING : ~0u;
    // A snapshot contains the input, not the last output pose.
    params.stages &= one_in(random, 9) && !taken ? ~(uint32_t)VRM_STAGE_POSE : ~0u;
    params.spring_time = one_in(random, 9) ? VRM_SPRING_TIME_REFERENCE : VRM_SPRING_TIME_DEFAULT;
    if (one_in(random, 3)) {
        vrm_update_pose(instance, &params);
        const uint32_t node = hair_node(random, instance);
        vrm_transform t = vrmi_model_node_rest(instance->model)[node];
        t.rotation = any_turn(random, 1.0f);
        t.translation.x += one_in(random, 2) ? 0.02f : 0.0f;
        CHECK_INT(vrm_instance_set_pose(instance, node, &t), VRM_SUCCESS);
        vrm_update_secondary(instance, &params);
    } else {
        vrm_update(instance, &params);
    }
}

static bool same_outputs(const vrm_instance *a, const vrm_instance *b)
{
    const vrmi_model *m = a->model;
    return memcmp(a->local, b->local, m->node_parent.count * sizeof *a->local) == 0 &&
           memcmp(a->world, b->world, m->node_parent.count * sizeof *a->world) == 0 &&
           memcmp(a->palette, b->palette, m->palette_node.count * sizeof *a->palette) == 0 && a->status == b->status;
}

static bool is_finite(const vrm_instance *instance)
{
    bool finite = true;
    for (uint32_t i = 0; i < instance->model->node_parent.count; ++i) {
        const float *world = &instance->world[i].m[0][0], *local = &vrmi_local(instance, i)->translation.x;
        for (int k = 0; k < 12; ++k) {
            finite &= isfinite(world[k]) != 0 && (k >= 10 || isfinite(local[k]) != 0);
        }
    }
    return finite;
}

// Restores a snapshot into an instance that has run something else, or nothing.
static void take_over(const vrm_instance *from, vrm_instance *to)
{
    size_t size = 0;
    CHECK_INT(vrm_instance_snapshot(from, NULL, &size), VRM_SUCCESS);
    void *bytes = malloc(size);
    CHECK_INT(vrm_instance_snapshot(from, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_instance_restore(to, bytes, size), VRM_SUCCESS);
    free(bytes);
}

static void run(uint32_t seed)
{
    const sizes kind = (sizes)(seed % SIZES);
    test_random shape = test_random_make(seed);
    vrm_avatar *avatar = any_avatar(&shape, kind);
    CHECK(avatar != NULL && (kind == EXTREME || vrmi_model_check(avatar->model)));
    vrm_instance *instances[INSTANCES] = {NULL};
    const int before = test_failures, since = 1 + (int)(seed * 7 % (FRAMES / 2));
    for (uint32_t i = 0; i < INSTANCES; ++i) {
        const bool runs = i >= VRMI_LANES_PATH_COUNT || spring_path_runs(i);
        instances[i] = runs ? make_instance(avatar, i < VRMI_LANES_PATH_COUNT ? i : vrmi_lanes_best_path()) : NULL;
    }
    for (int frame = 0; frame < FRAMES && test_failures == before; ++frame) {
        const bool taken = kind != EXTREME && (frame == since || frame == since + FRAMES / 2);
        if (taken) {
            take_over(instances[0], instances[INSTANCES - 1]);
        }
        if (frame == since + 10) {
            vrm_instance_destroy(instances[INSTANCES - 2]);
            CHECK_INT(vrm_instance_clone(instances[0], &instances[INSTANCES - 2]), VRM_SUCCESS);
        }
        for (uint32_t i = 0; i < INSTANCES; ++i) {
            // Until it is restored, one instance runs something else.
            const bool other = i == INSTANCES - 1 && (frame < since || kind == EXTREME);
            test_random random = test_random_make((uint64_t)seed * 1000u + (uint32_t)frame + (other ? 500u : 0u));
            if (instances[i] == NULL) {
                continue;
            }
            play(&random, instances[i], kind, frame, taken);
            if (!other && !same_outputs(instances[0], instances[i])) {
                printf("avatar %u, instance %u differs in frame %d\n", seed, i, frame);
                CHECK(false);
            }
        }
        if (kind != EXTREME && !is_finite(instances[0])) {
            printf("avatar %u is not finite in frame %d\n", seed, frame);
            CHECK(false);
        }
    }
    if (kind != EXTREME && (instances[0]->status & VRM_STATUS_SPRING_RESET) != 0) {
        printf("avatar %u: chains were lost\n", seed);
        CHECK(false);
    }
    for (uint32_t i = 0; i < INSTANCES; ++i) {
        vrm_instance_destroy(instances[i]);
    }
    vrm_avatar_release(avatar);
    CHECK_INT(f.memory.live, 0);
}

static void any_hair_gives_the_same_bits(void)
{
    for (uint32_t seed = 0; seed < AVATARS; ++seed) {
        run(seed);
    }
}

static void a_joint_that_cannot_turn_is_as_the_host_has_it(void)
{
    int32_t nodes[4];
    fixture_begin(&f);
    fixture_humanoid(&f);
    for (int i = 0; i < 4; ++i) {
        nodes[i] = fixture_node_add(&f, i == 0 ? f.bones[VRM_HUMAN_BONE_HEAD] : nodes[i - 1], "hair",
            fixture_turned(0, i == 2 ? 0.0f : -0.1f, 0, (vrm_vec3){1, 2, 3}, 0.7f));
    }
    fixture_chain(&f, nodes, 4, fixture_joint_params(1.0f, 0.2f, 0.4f, 0.02f), -1);
    FIXTURE_ROW(&f, spring_joint, vrmi_joint_row, 1)->tail = (vrm_vec3){0, 0, 0};
    vrm_avatar *avatar = fixture_finish(&f);
    const uint32_t stiff = (uint32_t)f.order[nodes[1]], moved = (uint32_t)f.order[nodes[2]];
    vrm_instance *instance = make_instance(avatar, vrmi_lanes_best_path());
    const vrm_quat rest = vrmi_model_node_rest(avatar->model)[stiff].rotation, turned = {0, 0, 1, 0};
    const vrm_vec3 place = {0.0f, 0.03f, 0.0f}; // set permanently, since rows are made for this pose
    CHECK_INT(vrm_instance_set_translation(instance, moved, &place), VRM_SUCCESS);
    for (int frame = 0; frame < 500; ++frame) {
        CHECK_INT(vrm_instance_set_chain_weight(instance, 0, frame % 2 == 0 ? 0.5f : 1.0f), VRM_SUCCESS);
        vrm_update_dt(instance, 1.0f / 60.0f);
    }
    CHECK(instance->springs.posed);
    CHECK(memcmp(&vrmi_local(instance, stiff)->rotation, &rest, sizeof rest) == 0);
    // A frame with dt 0 reverts the rotation.
    CHECK_INT(vrm_instance_set_rotation(instance, stiff, &turned), VRM_SUCCESS);
    vrm_update_dt(instance, 1.0f / 60.0f);
    CHECK_NEAR(vrmi_local(instance, stiff)->rotation.z, 1.0f, 0.0);
    vrm_instance_reset_pose(instance);
    CHECK_INT(vrm_instance_set_translation(instance, moved, &place), VRM_SUCCESS);
    vrm_update_dt(instance, 0.0f);
    vrm_update_dt(instance, 1.0f / 60.0f);
    CHECK(memcmp(&vrmi_local(instance, stiff)->rotation, &rest, sizeof rest) == 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Compares position and size, for hair at rest and in motion.
static void a_host_collider_on_hair_is_as_one_of_the_file(void)
{
    for (int posed = 0; posed < 2; ++posed) {
        int32_t nodes[6];
        fixture_begin(&f);
        fixture_humanoid(&f);
        const int32_t head = f.bones[VRM_HUMAN_BONE_HEAD];
        f.nodes[head].rest.scale = (vrm_vec3){2.0f, 2.0f, 2.0f};
        for (int i = 0; i < 6; ++i) {
            nodes[i] = fixture_node_add(
                &f, i % 3 == 0 ? head : nodes[i - 1], "hair", fixture_at(i % 3 == 0 ? 0.02f : 0.0f, -0.05f, 0));
        }
        fixture_chain(&f, nodes, 3, fixture_joint_params(1.0f, 0.2f, 0.4f, 0.02f), -1);
        fixture_chain(&f, nodes + 3, 3, fixture_joint_params(1.0f, 0.2f, 0.4f, 0.02f), -1);
        fixture_collider(
            &f, (vrmi_collider_row){VRM_COLLIDER_SPHERE, (uint32_t)nodes[1], {0.01f, 0.02f, 0.0f}, {0, 0, 0}, 0.01f});
        vrm_avatar *avatar = fixture_finish(&f);
        vrm_instance *instance = make_instance(avatar, vrmi_lanes_best_path());
        const vrm_vec3 place = {0.0f, -0.06f, 0.0f};
        vrm_host_collider_def host;
        vrm_host_collider_def_default(&host);
        host.node = f.order[nodes[1]];
        host.offset.x = 0.01;
        host.offset.y = 0.02;
        host.radius = 0.01f;
        vrm_update_dt(instance, 1.0f / 60.0f);
        CHECK_INT(vrm_instance_set_host_collider(instance, 0, &host), VRM_SUCCESS);
        if (posed) {
            CHECK_INT(vrm_instance_set_translation(instance, (uint32_t)f.order[nodes[4]], &place), VRM_SUCCESS);
        }
        for (int frame = 0; frame < 10; ++frame) {
            const vrm_quat turn = vrmi_quat_from_axis_angle((vrm_vec3){1, 0, 0}, 0.05f * (float)frame);
            (void)vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_NECK, &turn);
            vrm_update_dt(instance, 1.0f / 60.0f);
            const vrmi_spring_collider *of_file = &instance->spring_collider[0], *of_host = of_file + 1;
            CHECK_NEAR(of_file->radius, 0.02f, 1e-6);
            CHECK_NEAR(of_host->radius, of_file->radius, 1e-6);
            CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(of_host->a, of_file->a)), 0.0, 1e-5);
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

static const test_case cases[] = {
    {"a_joint_that_cannot_turn_is_as_the_host_has_it", a_joint_that_cannot_turn_is_as_the_host_has_it},
    {"a_host_collider_on_hair_is_as_one_of_the_file", a_host_collider_on_hair_is_as_one_of_the_file},
    {"any_hair_gives_the_same_bits", any_hair_gives_the_same_bits},
};
RUN_TESTS(cases)
