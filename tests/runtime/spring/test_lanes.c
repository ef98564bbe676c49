// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Every path gives the same bits: one chain at a time, and in lanes of plain C, in two registers of four lanes (SSE2,
// NEON, WebAssembly SIMD) and in AVX2. Tested with random motion at several rates and with everything that acts on
// chains: host colliders, parameters, weights, broken state.

#include <vrm/vrm.h>

#include "axis.h"
#include "runtime/core/instance.h"
#include "runtime/core/kernel_matrix.h"
#include "runtime/spring/spring_step.h"
#include "sample_avatar.h"
#include "spring_joint.h"
#include "spring_paths.h"
#include "test.h"
#include "test_random.h"

#include <math.h>

enum { HOSTS = 3, FRAMES = 240 };

static vrm_instance *make_instance(const vrm_avatar *avatar, uint32_t path)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.host_colliders = HOSTS;
    def.spring_parameters = true;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    instance->lanes = path;
    return instance;
}

static vrm_quat random_turn(test_random *random, float size)
{
    const vrm_quat q = {test_random_float(random, -size, size), test_random_float(random, -size, size),
        test_random_float(random, -size, size), 1.0f};
    return vrmi_quat_normalize(q);
}

static void move(vrm_instance *instance, test_random *random, int frame)
{
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const vrm_quat turn = random_turn(random, 0.15f);
        (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &turn);
    }
    const float t = (float)frame / 60.0f;
    const vrm_root root = {{1000.0 + (double)t, 0.0, 0.0}, random_turn(random, 0.02f), frame < 120 ? 1.0f : 1.5f};
    (void)vrm_instance_set_root(instance, &root);
    for (uint32_t slot = 0; slot < HOSTS; ++slot) {
        vrm_host_collider_def collider;
        vrm_host_collider_def_default(&collider);
        collider.enabled = test_random_below(random, 4) != 0;
        collider.shape = (vrm_collider_shape)test_random_below(random, VRM_COLLIDER_PLANE);
        collider.chain = slot == 0 ? 1 : -1;
        collider.radius = slot == 1 ? 1.2f : 0.08f;
        collider.offset = root.translation;
        for (unsigned k = 0; k < 3; ++k) {
            double *offset = test_axis(&collider.offset, k);
            *offset = *offset + (double)test_random_float(random, -0.2f, 0.2f) + (k == 1 ? 1.4 : 0.0);
            *test_axis(&collider.tail, k) = *offset + 0.1;
        }
        (void)vrm_instance_set_host_collider(instance, slot, frame > 60 && slot != 2 ? &collider : NULL);
    }
}

static void change_tail(vrm_instance *instance, uint32_t joint, float scale, float more)
{
    vrmi_spring_motion motion = spring_motion(instance, joint);
    motion.tail = vrmi_vec3_scale(motion.tail, scale);
    motion.tail.y += more;
    set_spring_motion(instance, joint, &motion);
}

// Makes an occasional call of a host.
static void disturb(vrm_instance *instance, test_random *random, int frame)
{
    const uint32_t joints = instance->model->spring_joint.count;
    if (frame % 50 == 20) {
        vrm_spring_joint_params params;
        const uint32_t joint = test_random_below(random, joints);
        (void)vrm_instance_get_spring_joint(instance, joint, &params);
        params.drag_force = test_random_float(random, 0.0f, 1.0f);
        params.hit_radius = test_random_float(random, 0.0f, 0.05f);
        (void)vrm_instance_set_spring_joint(instance, joint, &params);
    }
    if (frame % 70 == 30) {
        change_tail(instance, test_random_below(random, joints), 1.0f, NAN);
    }
    if (frame % 70 == 31) {
        change_tail(instance, test_random_below(random, joints), -1.0f, 0.0f); // straight back: half a turn
    }
    if (frame == 90) {
        const vrm_spring_params settings = {.root_motion = 0.5f,
            .external = {0.1f, 0.0f, 0.05f},
            .gravity_scale = 1.5f,
            .stiffness_scale = 0.7f,
            .hanging = 0.6f,
            .struct_size = sizeof settings};
        CHECK_INT(vrm_instance_set_spring_params(instance, &settings), VRM_SUCCESS);
    }
    if (frame == 150 || frame == 170) {
        const vrm_vec3 scale = {frame == 150 ? 1.25f : 1.0f, 1.0f, 1.0f}; // an uneven scale for some frames
        (void)vrm_instance_set_scale(instance, 3, &scale);
    }
}

// Compares the slots that have a joint. Other slots are never read.
static bool same_state(const vrm_instance *a, const vrm_instance *b)
{
    bool same = true;
    for (uint32_t j = 0; j < a->model->spring_joint.count; ++j) {
        const vrmi_spring_motion of_a = spring_motion(a, j), of_b = spring_motion(b, j);
        const vrm_quat shown_a = spring_shown(a, j), shown_b = spring_shown(b, j);
        same &= memcmp(&of_a, &of_b, sizeof of_a) == 0 && memcmp(&shown_a, &shown_b, sizeof shown_a) == 0 &&
                spring_hit(a, j) == spring_hit(b, j);
    }
    return same;
}

static void same_bits(vrm_instance *a, vrm_instance *b, int frame)
{
    const vrmi_model *m = a->model;
    const bool same = memcmp(a->local, b->local, m->node_parent.count * sizeof *a->local) == 0 &&
                      memcmp(a->world, b->world, m->node_parent.count * sizeof *a->world) == 0 &&
                      memcmp(a->palette, b->palette, m->palette_node.count * sizeof *a->palette) == 0 &&
                      same_state(a, b) && a->status == b->status;
    if (!same) {
        printf("path %u differs in frame %d\n", b->lanes, frame);
    }
    CHECK(same);
}

static void run(uint32_t seed, float rate, vrm_spring_time time)
{
    vrm_avatar *avatar = sample_avatar(seed);
    vrm_instance *instances[VRMI_LANES_PATH_COUNT] = {NULL};
    uint32_t hits = 0;
    for (uint32_t path = 0; path < VRMI_LANES_PATH_COUNT; ++path) {
        instances[path] = make_instance(avatar, path);
    }
    for (int frame = 0; frame < FRAMES && test_failures == 0; ++frame) {
        for (uint32_t path = 0; path < VRMI_LANES_PATH_COUNT; ++path) {
            if (!spring_path_runs(path)) {
                continue;
            }
            test_random random = test_random_make(seed * 1000u + (uint32_t)frame);
            move(instances[path], &random, frame);
            disturb(instances[path], &random, frame);
            vrm_update_params params;
            vrm_update_params_default(&params);
            params.dt = 1.0f / rate;
            params.spring_time = time;
            vrm_update(instances[path], &params);
            same_bits(instances[0], instances[path], frame);
        }
        for (uint32_t j = 0; j < instances[0]->model->spring_joint.count; ++j) {
            hits += spring_hit(instances[0], j);
        }
    }
    CHECK(hits > 1000);
    CHECK(instances[0]->status & VRM_STATUS_SPRING_RESET);
    for (uint32_t path = 0; path < VRMI_LANES_PATH_COUNT; ++path) {
        vrm_instance_destroy(instances[path]);
    }
    vrm_avatar_release(avatar);
}

static void ticks(void)
{
    run(0, 60.0f, VRM_SPRING_TIME_DEFAULT);
}
static void looking_ahead(void)
{
    run(1, 144.0f, VRM_SPRING_TIME_DEFAULT);
    run(2, 90.0f, VRM_SPRING_TIME_DEFAULT);
}
static void several_ticks_a_frame(void)
{
    run(3, 24.0f, VRM_SPRING_TIME_DEFAULT);
}
static void reference(void)
{
    run(4, 75.0f, VRM_SPRING_TIME_REFERENCE);
}

static vrm_transform random_transform(test_random *random, bool plain)
{
    vrm_transform t = {.rotation = random_turn(random, 3.0f), .scale = {1.0f, 1.0f, 1.0f}};
    t.translation = vrmi_vec3(test_random_float(random, -9, 9), plain ? -0.0f : 0.1f, test_random_float(random, -1, 1));
    if (!plain) {
        t.scale = vrmi_vec3(test_random_float(random, -2, 2), 0.0f, test_random_float(random, 0.1f, 9));
    }
    return t;
}

enum { NODES = 64, BOUNDS = 21 };

// A tree whose world transforms are computed by the plain functions.
typedef struct tree {
    int32_t parents[NODES];
    vrm_transform local[NODES];
    vrm_mat34 root, world[NODES];
    vrm_quat root_rotation, rotation[NODES];
} tree;

static void grow_tree(test_random *random, tree *t)
{
    const vrm_transform top = random_transform(random, true);
    vrmi_mat34_from_transform(&top, &t->root);
    t->root_rotation = top.rotation;
    for (int i = 0; i < NODES; ++i) {
        const int32_t parent = t->parents[i] = i == 0 || i == 40 ? -1 : (int32_t)test_random_below(random, (uint32_t)i);
        t->local[i] = random_transform(random, i % 3 == 0);
        if (i % 7 == 0) {
            t->local[i].rotation = (vrm_quat){0.0f, -0.0f, 0.0f, 1.0f};
        }
        vrm_mat34 own;
        vrmi_mat34_from_transform(&t->local[i], &own);
        vrmi_mat34_mul(parent >= 0 ? &t->world[parent] : &t->root, &own, &t->world[i]);
        t->rotation[i] = vrmi_quat_mul(parent >= 0 ? t->rotation[parent] : t->root_rotation, t->local[i].rotation);
    }
}

static void worlds_of(const vrmi_matrix_kernels *kernels, const tree *t)
{
    vrm_mat34 world[NODES] = {0};
    vrm_quat rotation[NODES] = {0};
    uint32_t poses[NODES];
    for (uint32_t i = 0; i < NODES; ++i) {
        poses[i] = i;
    }
    const vrmi_hierarchy_rows rows = {
        t->parents, poses, NODES, t->local, NULL, NULL, world, rotation, &t->root, &t->root_rotation};
    if (kernels == NULL) {
        vrmi_kernel_worlds(&rows, 0, 10);
        vrmi_kernel_worlds(&rows, 10, NODES);
    }
    uint32_t depth[NODES], deepest = 0;
    for (uint32_t i = 0; i < NODES; ++i) {
        depth[i] = t->parents[i] >= 0 ? depth[t->parents[i]] + 1 : 0;
        deepest = depth[i] > deepest ? depth[i] : deepest;
    }
    for (uint32_t d = 0; kernels != NULL && d <= deepest; ++d) {
        uint32_t list[NODES], count = 0;
        for (uint32_t i = 0; i < NODES; ++i) {
            list[count] = i;
            count += depth[i] == d;
        }
        kernels->nodes(&rows, list, count);
    }
    CHECK(memcmp(world, t->world, sizeof world) == 0);
    CHECK(memcmp(rotation, t->rotation, sizeof rotation) == 0);
}

static void palettes_of(const vrmi_matrix_kernels *kernels, const tree *t)
{
    const uint32_t changed[2] = {0x0f0f0f0fu, 0x81000000u}, none[2] = {0, 0};
    vrm_mat34 inverse_binds[NODES], palette[NODES] = {0}, product;
    uint32_t nodes[NODES];
    for (uint32_t i = 0; i < NODES; ++i) {
        nodes[i] = NODES - 1 - i;
        vrmi_mat34_from_transform(&t->local[i > NODES / 2 ? 0 : NODES - 1 - i], &inverse_binds[i]);
    }
    CHECK(!kernels->palette(t->world, nodes, none, inverse_binds, NODES, palette));
    CHECK(kernels->palette(t->world, nodes, changed, inverse_binds, NODES - 1, palette)); // the number is odd
    for (uint32_t i = 0; i < NODES; ++i) {
        const bool is_written = (changed[nodes[i] / 32] >> (nodes[i] % 32) & 1u) != 0 && i != NODES - 1;
        vrmi_mat34_mul(&t->world[nodes[i]], &inverse_binds[i], &product);
        const vrm_mat34 zero = {0};
        CHECK(memcmp(&palette[i], is_written ? &product : &zero, sizeof product) == 0);
    }
}

static vrm_vec3 corner_of(const vrm_box *box, int corner)
{
    return vrmi_vec3(corner & 1 ? box->max.x : box->min.x, corner & 2 ? box->max.y : box->min.y,
        corner & 4 ? box->max.z : box->min.z);
}

// Checks that a box contains the corners of all boxes and is not much wider.
static void boxes_of(const vrmi_matrix_kernels *kernels, const tree *t, const vrmi_bound_row *bounds, vrm_box *out)
{
    const vrm_box none = {
        {VRMI_FLOAT_MAX, VRMI_FLOAT_MAX, VRMI_FLOAT_MAX}, {-VRMI_FLOAT_MAX, -VRMI_FLOAT_MAX, -VRMI_FLOAT_MAX}};
    vrm_box around = none;
    *out = none;
    for (int i = 0; i < BOUNDS; ++i) {
        for (int corner = 0; corner < 8 && bounds[i].box.min.x <= bounds[i].box.max.x; ++corner) {
            const vrm_vec3 p = vrmi_mat34_point(&t->world[bounds[i].node], corner_of(&bounds[i].box, corner));
            for (int k = 0; k < 3; ++k) {
                float *low = &around.min.x + k, *high = &around.max.x + k;
                *low = vrmi_min(*low, (&p.x)[k]);
                *high = vrmi_max(*high, (&p.x)[k]);
            }
        }
    }
    kernels->grow_box(t->world, bounds, BOUNDS, out);
    for (int k = 0; k < 3; ++k) {
        const float low = (&around.min.x)[k], high = (&around.max.x)[k];
        const float slack = 1e-4f * (vrmi_abs(low) + vrmi_abs(high));
        CHECK((&out->min.x)[k] <= low && (&out->min.x)[k] > low - slack);
        CHECK((&out->max.x)[k] >= high && (&out->max.x)[k] < high + slack);
    }
    vrm_box first = none, all = none;
    kernels->grow_box(t->world, bounds, 3, &first);
    kernels->grow_box(t->world, bounds + 3, BOUNDS - 3, &first);
    kernels->grow_box(t->world, bounds, BOUNDS, &all);
    CHECK(memcmp(&first, &all, sizeof all) == 0);
}

static void matrices(void)
{
    test_random random = test_random_make(5);
    tree t;
    vrmi_bound_row bounds[BOUNDS];
    vrm_box expected, box;
    grow_tree(&random, &t);
    for (uint32_t i = 0; i < BOUNDS; ++i) {
        const float x = test_random_float(&random, -1, 1), size = i == 5 ? -1.0f : 0.2f; // the sixth box is empty
        bounds[i] = (vrmi_bound_row){test_random_below(&random, NODES), {{x, 1, -x}, {x + size, 1 + size, size - x}}};
    }
    worlds_of(NULL, &t);
    boxes_of(&vrmi_matrix_kernels_scalar, &t, bounds, &expected);
    for (uint32_t path = 0; path < VRMI_LANES_PATH_COUNT; ++path) {
        if (spring_path_runs(path)) {
            const vrmi_matrix_kernels *kernels = vrmi_matrix_kernels_of(path);
            worlds_of(kernels, &t);
            palettes_of(kernels, &t);
            boxes_of(kernels, &t, bounds, &box);
            CHECK(memcmp(&box, &expected, sizeof box) == 0);
        }
    }
}

static void best_path(void)
{
    CHECK(spring_path_runs(vrmi_lanes_best_path()));
#if defined(__x86_64__) && defined(__GNUC__) && !defined(VRM_LANES_SCALAR) && !defined(VRM_LANES_FOUR)
    __builtin_cpu_init();
    CHECK_INT(vrmi_lanes_best_path() == VRMI_LANES_AVX2, __builtin_cpu_supports("avx2") != 0);
#endif
    printf("best path here: %u\n", vrmi_lanes_best_path());
}

static const test_case cases[] = {
    {"ticks", ticks},
    {"looking_ahead", looking_ahead},
    {"several_ticks_a_frame", several_ticks_a_frame},
    {"reference", reference},
    {"matrices", matrices},
    {"best_path", best_path},
};
RUN_TESTS(cases)
