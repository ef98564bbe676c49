// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Updates many instances of two avatars at once. The results have the same bits as those of single updates, for any
// number of threads, any order and any partition, at mixed levels of detail. Nothing is allocated.

#include <vrm/vrm.h>

#include "hash.h"
#include "minimal_sample.h"
#include "model_fixture.h"
#include "test.h"
#include "test_random.h"

// By this include the thread sanitizer's run recognises the program as one of its tests.
#if defined(__unix__)
#include <pthread.h>
#endif

enum { INSTANCES = 37, FRAMES = 40 };

static fixture fix;
static vrm_avatar *sample; // the avatar of every third instance

static vrm_avatar *make_avatar(void)
{
    fixture_begin(&fix);
    fixture_everything(&fix);
    vrm_bytes bytes;
    CHECK_INT(scene_minimal_sample(0, &bytes), VRM_SUCCESS);
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allocator = fix.allocator;
    CHECK_INT(vrm_avatar_load(&def, bytes.data, bytes.size, NULL, &sample), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    return fixture_finish(&fix);
}

static void release_both(vrm_avatar *avatar)
{
    vrm_avatar_release(avatar);
    vrm_avatar_release(sample);
}

static void pose(vrm_instance *instance, uint32_t index, int frame)
{
    test_random random = test_random_make(index * 1000u + (uint32_t)frame);
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; bone += 3) {
        const vrm_quat q = {
            test_random_float(&random, -0.3f, 0.3f), 0.0f, test_random_float(&random, -0.2f, 0.2f), 1.0f};
        const vrm_quat turn = vrmi_quat_normalize(q);
        (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &turn);
    }
}

static uint64_t hash_of(uint64_t hash, const vrm_instance *instance)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    return hash_more(hash, out.world, out.node_count * sizeof *out.world);
}

typedef enum how { ONE_BY_ONE, WHOLE, HALVES } how;

// Returns a hash over all instances at the end. `reversed`: the instances are passed in the opposite order, with holes.
static uint64_t run(const vrm_avatar *avatar, how way, const vrm_tasks *tasks, bool reversed)
{
    vrm_instance *instances[INSTANCES], *given[INSTANCES + 2] = {NULL};
    for (uint32_t i = 0; i < INSTANCES; ++i) {
        vrm_instance_def def;
        vrm_instance_def_default(&def);
        def.avatar = i % 3 == 2 ? sample : avatar;
        CHECK_INT(vrm_instance_create(&def, &instances[i]), VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_lod(instances[i], (vrm_lod)(i % VRM_LOD_COUNT)), VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_update_interval(instances[i], i % 5 == 0 ? 0.03f : 0.0f, 0.5f), VRM_SUCCESS);
        given[reversed ? INSTANCES - i : i] = instances[i];
    }
    const uint32_t count = reversed ? INSTANCES + 2 : INSTANCES;
    const long allocations = fix.memory.allocations;
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 72.0f;
    for (int frame = 0; frame < FRAMES; ++frame) {
        for (uint32_t i = 0; i < INSTANCES; ++i) {
            pose(instances[i], i, frame);
        }
        if (way == WHOLE) {
            vrm_update_many(given, count, &params, tasks);
        } else if (way == HALVES) {
            vrm_update_many_pose(given, count, &params, tasks);
            vrm_update_many_secondary(given, count, &params, tasks);
        } else {
            for (uint32_t i = 0; i < INSTANCES; ++i) {
                vrm_update(instances[i], &params);
            }
        }
    }
    CHECK_INT(fix.memory.allocations, allocations);
    uint64_t hash = HASH_OF_NOTHING;
    for (uint32_t i = 0; i < INSTANCES; ++i) {
        hash = hash_of(hash, instances[i]);
        vrm_instance_destroy(instances[i]);
    }
    return hash;
}

static void same_bits(void)
{
    vrm_avatar *avatar = make_avatar();
    const uint64_t expected = run(avatar, ONE_BY_ONE, NULL, false);
    CHECK(run(avatar, WHOLE, NULL, false) == expected);
    CHECK(run(avatar, HALVES, NULL, true) == expected);
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        vrm_task_pool *pool;
        CHECK_INT(vrm_task_pool_create(threads, NULL, &pool), VRM_SUCCESS);
        CHECK_INT(vrm_task_pool_get_thread_count(pool), threads);
        CHECK(run(avatar, WHOLE, vrm_task_pool_get_tasks(pool), false) == expected);
        CHECK(run(avatar, HALVES, vrm_task_pool_get_tasks(pool), true) == expected);
        vrm_task_pool_destroy(pool);
    }
    release_both(avatar);
}

// A host's task system that runs its items one by one, from last to first, when finish() is called.
typedef struct backwards {
    vrm_task *task;
    void *context;
    uint32_t count, finished;
} backwards;

static void *take(vrm_task *task, uint32_t item_count, uint32_t min_range, void *context, void *user)
{
    backwards *b = user;
    CHECK(min_range >= 1);
    *b = (backwards){task, context, item_count, b->finished};
    return b;
}

static void give(void *work, void *user)
{
    backwards *b = work;
    CHECK(work == user);
    for (uint32_t i = b->count; i-- > 0;) {
        b->task(i, i + 1, b->context);
    }
    ++b->finished;
}

static void *at_once(vrm_task *task, uint32_t item_count, uint32_t min_range, void *context, void *user)
{
    (void)min_range;
    (void)user;
    task(0, item_count, context);
    return NULL;
}

static void never(void *work, void *user)
{
    (void)work;
    (void)user;
    CHECK(false);
}

static void host_tasks(void)
{
    vrm_avatar *avatar = make_avatar();
    const uint64_t expected = run(avatar, ONE_BY_ONE, NULL, false);
    backwards b = {0};
    const vrm_tasks last_first = {take, give, &b}, immediate = {at_once, never, NULL};
    CHECK(run(avatar, WHOLE, &last_first, false) == expected);
    CHECK_INT(b.finished, FRAMES);
    CHECK(run(avatar, HALVES, &immediate, false) == expected);
    release_both(avatar);
}

static void count_items(uint32_t first, uint32_t end, void *context)
{
    uint32_t *seen = context;
    for (uint32_t i = first; i < end; ++i) {
        ++seen[i]; // each item runs once, so no two threads write the same element
    }
}

// There are more tasks at once than rows in the pool. The other tasks run in the thread that enqueues them.
static void many_works(void)
{
    enum { WORKS = 50, ITEMS = 101 };
    static uint32_t seen[WORKS][ITEMS];
    vrm_task_pool *pool;
    CHECK_INT(vrm_task_pool_create(3, NULL, &pool), VRM_SUCCESS);
    const vrm_tasks *tasks = vrm_task_pool_get_tasks(pool);
    void *works[WORKS];
    for (int i = 0; i < WORKS; ++i) {
        works[i] = tasks->enqueue(count_items, ITEMS, (uint32_t)i, seen[i], tasks->user);
    }
    CHECK(tasks->enqueue(count_items, 0, 1, NULL, tasks->user) == NULL);
    for (int i = WORKS; i-- > 0;) {
        if (works[i] != NULL) {
            tasks->finish(works[i], tasks->user);
        }
    }
    for (int i = 0; i < WORKS; ++i) {
        for (int k = 0; k < ITEMS; ++k) {
            CHECK_INT(seen[i][k], 1);
        }
    }
    vrm_task_pool_destroy(pool);
}

static void wrong_calls(void)
{
    vrm_task_pool *pool = (vrm_task_pool *)&fix;
    CHECK_INT(vrm_task_pool_create(65, NULL, &pool), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(pool == NULL);
    CHECK_INT(vrm_task_pool_create(1, NULL, NULL), VRM_ERROR_INVALID_ARGUMENT);
    fixture_begin(&fix);
    const vrm_allocator half = {fix.allocator.allocate, NULL, NULL};
    CHECK_INT(vrm_task_pool_create(1, &half, &pool), VRM_ERROR_INVALID_ARGUMENT);
    vrm_task_pool_destroy(NULL);
    CHECK_INT(vrm_task_pool_get_thread_count(NULL), 0);
    CHECK(vrm_task_pool_get_tasks(NULL) == NULL);
    vrm_update_params params;
    vrm_update_params_default(&params);
    vrm_update_many(NULL, 0, &params, NULL);
    vrm_update_many(NULL, 3, &params, NULL); // an invalid call has no effect
    vrm_instance *none[2] = {NULL, NULL};
    vrm_update_many(none, 2, NULL, NULL);
    vrm_update_many(none, 2, &params, NULL);
    CHECK_INT(vrm_task_pool_create(0, NULL, &pool), VRM_SUCCESS);
    CHECK(vrm_task_pool_get_thread_count(pool) >= 1);
    vrm_task_pool_destroy(pool);
}

static const test_case cases[] = {
    {"same_bits", same_bits},
    {"host_tasks", host_tasks},
    {"many_works", many_works},
    {"wrong_calls", wrong_calls},
};
RUN_TESTS(cases)
