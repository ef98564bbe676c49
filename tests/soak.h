// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SOAK_H
#define TESTS_SOAK_H

// A crowd that gets random input for a long time: poses, places, jumps, sizes, gazes, expressions, colliders, wind,
// levels of detail, frame times from 0 to a second. Every number that comes out must be finite, every rotation unit, and
// no memory may be taken.

#include <vrm/vrm.h>

#include "test.h"
#include "test_allocator.h"
#include "test_random.h"

typedef struct soak {
    test_allocator memory;
    vrm_avatar *avatar;
    vrm_instance **instances;
    uint32_t count;
    test_random random;
    uint64_t allocations; // when the crowd was made
    uint64_t updates;
    vrm_avatar_counts counts;
} soak;

enum { SOAK_HOSTS = 2 };

static inline void soak_begin(soak *s, uint32_t count, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->random = test_random_make(seed);
    vrm_bytes bytes;
    CHECK_INT(vrm_sample_create(NULL, &bytes), VRM_SUCCESS);
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allocator = test_allocator_make(&s->memory);
    CHECK_INT(vrm_avatar_load(&def, bytes.data, bytes.size, NULL, &s->avatar), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    vrm_avatar_get_counts(s->avatar, &s->counts);
    s->instances = calloc(count, sizeof *s->instances);
    vrm_instance_def instance;
    vrm_instance_def_default(&instance);
    instance.avatar = s->avatar;
    instance.host_colliders = SOAK_HOSTS;
    for (uint32_t i = 0; i < count; ++i) {
        CHECK_INT(vrm_instance_create(&instance, &s->instances[i]), VRM_SUCCESS);
    }
    s->count = count;
    s->allocations = s->memory.calls;
}

static inline vrm_quat soak_turn(test_random *random, float size)
{
    vrm_quat q = {test_random_float(random, -size, size), test_random_float(random, -size, size),
        test_random_float(random, -size, size), 1.0f};
    return q; // setters normalise
}

static inline vrm_root soak_root(test_random *random, double far)
{
    vrm_root root = {{0.0, 0.0, 0.0}, soak_turn(random, 1.0f), test_random_float(random, 0.5f, 2.0f)};
    for (int k = 0; k < 3; ++k) {
        root.translation[k] = far * (double)test_random_float(random, -1.0f, 1.0f);
    }
    return root;
}

static inline void soak_collider(test_random *random, vrm_instance *instance)
{
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    vrm_host_collider collider;
    vrm_host_collider_default(&collider);
    collider.enabled = true;
    collider.shape = (vrm_collider_shape)test_random_below(random, VRM_COLLIDER_PLANE);
    collider.radius = test_random_float(random, 0.0f, 0.3f);
    for (int k = 0; k < 3; ++k) {
        collider.offset[k] = root.translation[k] + (double)test_random_float(random, -0.3f, 1.6f);
        collider.tail[k] = collider.offset[k] + (double)test_random_float(random, -0.2f, 0.2f);
    }
    (void)vrm_instance_set_host_collider(
        instance, test_random_below(random, SOAK_HOSTS), test_random_below(random, 2) != 0 ? &collider : NULL);
}

// One thing that a host may do to an avatar.
static inline void soak_disturb(soak *s, vrm_instance *instance)
{
    test_random *random = &s->random;
    const vrm_quat turn = soak_turn(random, 0.5f);
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    switch (test_random_below(random, 16)) {
    case 0: // a step, or a flight
        root.translation[test_random_below(random, 3)] += (double)test_random_float(random, -0.2f, 0.2f);
        (void)vrm_instance_set_root(instance, &root);
        break;
    case 1:
        root = soak_root(random, 1e5);
        (void)(test_random_below(random, 2) != 0 ? vrm_instance_teleport(instance, &root)
                                                 : vrm_instance_set_root(instance, &root));
        break;
    case 2: {
        const vrm_vec3 scale = {test_random_float(random, 0.2f, 2.0f), 1.0f, 1.0f}, one = {1.0f, 1.0f, 1.0f};
        const uint32_t node = test_random_below(random, s->counts.nodes);
        (void)vrm_instance_set_scale(instance, node, test_random_below(random, 4) == 0 ? &scale : &one);
        break;
    }
    case 3: {
        const double target[3] = {root.translation[0] + (double)test_random_float(random, -3.0f, 3.0f),
            root.translation[1] + 1.4, root.translation[2] + (double)test_random_float(random, -3.0f, 3.0f)};
        (void)vrm_instance_set_look_at_target(instance, target);
        break;
    }
    case 4:
        (void)vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST,
            test_random_below(random, s->counts.expressions), test_random_float(random, 0.0f, 1.0f));
        break;
    case 5:
        soak_collider(random, instance);
        break;
    case 6: {
        vrm_spring_settings settings;
        vrm_spring_settings_default(&settings);
        settings.external =
            (vrm_vec3){test_random_float(random, -1.0f, 1.0f), 0.0f, test_random_float(random, -1.0f, 1.0f)};
        settings.root_motion = test_random_float(random, 0.0f, 1.0f);
        (void)vrm_instance_set_spring_settings(instance, &settings);
        break;
    }
    case 7:
        (void)vrm_instance_set_lod(instance, (vrm_lod)test_random_below(random, VRM_LOD_COUNT));
        break;
    case 8:
        vrm_instance_reset_pose(instance);
        break;
    default: // mostly poses
        for (int i = 0; i < 6; ++i) {
            const uint32_t bone = test_random_below(random, VRM_HUMAN_BONE_COUNT);
            (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &turn);
        }
        break;
    }
}

// Seconds of a frame: mostly one of the usual rates, now and then anything.
static inline float soak_dt(test_random *random)
{
    static const float usual[4] = {1.0f / 60.0f, 1.0f / 60.0f, 1.0f / 90.0f, 1.0f / 30.0f};
    const uint32_t kind = test_random_below(random, 400);
    return kind == 0 ? 0.0f : kind == 1 ? 1.0f : kind == 2 ? 0.002f : usual[kind % 4];
}

// One frame; `tasks` may be NULL. Returns its seconds.
static inline float soak_frame(soak *s, const vrm_tasks *tasks)
{
    for (uint32_t i = 0; i < s->count / 8 + 1; ++i) {
        soak_disturb(s, s->instances[test_random_below(&s->random, s->count)]);
    }
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = soak_dt(&s->random);
    vrm_update_many(s->instances, s->count, &params, tasks);
    s->updates += s->count;
    return params.dt;
}

static inline int soak_finite(const void *numbers, size_t count)
{
    const float *values = numbers;
    float sum = 0.0f; // of what is 0 for numbers that are finite, and NaN else
    for (size_t i = 0; i < count; ++i) {
        sum += values[i] - values[i];
    }
    return sum == 0.0f;
}

static inline void soak_check_instance(const vrm_instance *instance)
{
    vrm_outputs out;
    vrm_instance_get_outputs(instance, &out);
    CHECK(soak_finite(out.local, out.node_count * sizeof *out.local / sizeof(float)));
    CHECK(soak_finite(out.world, out.node_count * sizeof *out.world / sizeof(float)));
    CHECK(soak_finite(out.palette, out.palette_joint_count * sizeof *out.palette / sizeof(float)));
    CHECK(soak_finite(out.morphs, out.morph_count));
    CHECK(soak_finite(&out.viewpoint, sizeof out.viewpoint / sizeof(float)));
    for (uint32_t i = 0; i < out.node_count; ++i) {
        const vrm_quat q = out.local[i].rotation;
        const float length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        CHECK(length > 0.999f && length < 1.001f);
    }
}

static inline void soak_check(const soak *s)
{
    for (uint32_t i = 0; i < s->count && test_failures == 0; ++i) {
        soak_check_instance(s->instances[i]);
        CHECK_INT(vrm_instance_status(s->instances[i]) & (VRM_STATUS_INPUT_NOT_FINITE | VRM_STATUS_SPRING_RESET), 0);
    }
    CHECK_INT(s->memory.calls, s->allocations);
}

static inline void soak_end(soak *s)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        vrm_instance_destroy(s->instances[i]);
    }
    free(s->instances);
    vrm_avatar_release(s->avatar);
    CHECK_INT(s->memory.live_blocks, 0);
    CHECK_INT(s->memory.wrong, 0);
}

#endif
