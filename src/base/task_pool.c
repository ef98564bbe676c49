// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <vrm/task_pool.h>

#include "base/allocator.h"
#include "base/platform.h"

enum { MAX_THREADS = 64, MAX_WORKS = 32, PARTS_PER_THREAD = 8 };

typedef struct pool_work {
    vrm_task *task; // NULL: a free row
    void *context;
    uint32_t count, range; // `count`: number of items; `range`: items per part
    uint32_t next, done;   // `next`: items started; `done`: items finished
} pool_work;

struct vrm_task_pool {
    vrm_allocator allocator;
    vrm_tasks tasks;
    vrmi_lock lock; // protects all members below
    vrmi_signal has_work, has_finished;
    uint32_t thread_count; // threads that were started
    bool ends;
    pool_work works[MAX_WORKS];
    vrmi_thread threads[MAX_THREADS];
};

// Runs the next part of a task. The lock is held on entry and on return, but not while the part runs.
static void run_part(vrm_task_pool *pool, pool_work *work)
{
    const uint32_t first = work->next;
    const uint32_t left = work->count - first;
    const uint32_t end = first + (left < work->range ? left : work->range);
    work->next = end;
    vrm_task *task = work->task;
    void *context = work->context;
    vrmi_lock_leave(&pool->lock);
    task(first, end, context);
    vrmi_lock_enter(&pool->lock);
    work->done += end - first;
    if (work->done == work->count) {
        vrmi_signal_all(&pool->has_finished);
    }
}

static pool_work *find_part(vrm_task_pool *pool)
{
    for (int i = 0; i < MAX_WORKS; ++i) {
        if (pool->works[i].task != NULL && pool->works[i].next < pool->works[i].count) {
            return &pool->works[i];
        }
    }
    return NULL;
}

static void work_on(void *user)
{
    vrm_task_pool *pool = user;
    vrmi_lock_enter(&pool->lock);
    while (!pool->ends) {
        pool_work *work = find_part(pool);
        if (work != NULL) {
            run_part(pool, work);
        } else {
            vrmi_signal_wait(&pool->has_work, &pool->lock);
        }
    }
    vrmi_lock_leave(&pool->lock);
}

static void *enqueue(vrm_task *task, uint32_t item_count, uint32_t min_range, void *context, void *user)
{
    vrm_task_pool *pool = user;
    if (item_count == 0) {
        return NULL;
    }
    // Small parts balance items of unequal cost, but too small ones spend their time on locking.
    const uint32_t even = item_count / ((pool->thread_count + 1u) * PARTS_PER_THREAD);
    const uint32_t range = even > min_range ? even : (min_range != 0 ? min_range : 1u);
    pool_work *work = NULL;
    vrmi_lock_enter(&pool->lock);
    for (int i = 0; i < MAX_WORKS && pool->thread_count != 0; ++i) {
        if (pool->works[i].task == NULL) {
            work = &pool->works[i];
            *work = (pool_work){.task = task, .context = context, .count = item_count, .range = range};
            vrmi_signal_all(&pool->has_work);
            break;
        }
    }
    vrmi_lock_leave(&pool->lock);
    if (work == NULL) {
        task(0, item_count, context); // no threads, or too many tasks in progress
    }
    return work;
}

// Waits until a task is finished. The waiting thread runs parts of the task too.
static void finish(void *handle, void *user)
{
    vrm_task_pool *pool = user;
    pool_work *work = handle;
    vrmi_lock_enter(&pool->lock);
    while (work->next < work->count) {
        run_part(pool, work);
    }
    while (work->done < work->count) {
        vrmi_signal_wait(&pool->has_finished, &pool->lock);
    }
    work->task = NULL;
    vrmi_lock_leave(&pool->lock);
}

static bool begin_sync(vrm_task_pool *pool)
{
    if (!vrmi_lock_begin(&pool->lock)) {
        return false;
    }
    if (!vrmi_signal_begin(&pool->has_work)) {
        vrmi_lock_end(&pool->lock);
        return false;
    }
    if (!vrmi_signal_begin(&pool->has_finished)) {
        vrmi_signal_end(&pool->has_work);
        vrmi_lock_end(&pool->lock);
        return false;
    }
    return true;
}

vrm_result vrm_task_pool_create(uint32_t threads, const vrm_allocator *allocator, vrm_task_pool **out_pool)
{
    if (out_pool == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_pool = NULL;
    if (threads > MAX_THREADS || (allocator != NULL && (allocator->allocate == NULL) != (allocator->release == NULL))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_allocator resolved;
    vrmi_resolve_allocator(allocator, &resolved);
    vrm_task_pool *pool = vrmi_allocate(&resolved, sizeof *pool, 64);
    if (pool == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *pool = (vrm_task_pool){.allocator = resolved, .tasks = {enqueue, finish, pool}};
    if (!begin_sync(pool)) {
        vrmi_release(&resolved, pool, sizeof *pool);
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const uint32_t processors = vrmi_platform_processors();
    const uint32_t all = threads != 0 ? threads : (processors < MAX_THREADS ? processors : MAX_THREADS);
    uint32_t started = 0;
    while (started + 1 < all && vrmi_thread_start(&pool->threads[started], work_on, pool)) {
        ++started; // starting fewer threads than requested is no error
    }
    vrmi_lock_enter(&pool->lock);
    pool->thread_count = started;
    vrmi_lock_leave(&pool->lock);
    *out_pool = pool;
    return VRM_SUCCESS;
}

void vrm_task_pool_destroy(vrm_task_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    vrmi_lock_enter(&pool->lock);
    pool->ends = true;
    vrmi_signal_all(&pool->has_work);
    vrmi_lock_leave(&pool->lock);
    for (uint32_t i = 0; i < pool->thread_count; ++i) {
        vrmi_thread_join(&pool->threads[i]);
    }
    vrmi_signal_end(&pool->has_finished);
    vrmi_signal_end(&pool->has_work);
    vrmi_lock_end(&pool->lock);
    const vrm_allocator allocator = pool->allocator;
    vrmi_release(&allocator, pool, sizeof *pool);
}

uint32_t vrm_task_pool_get_thread_count(const vrm_task_pool *pool)
{
    return pool != NULL ? pool->thread_count + 1u : 0u;
}

const vrm_tasks *vrm_task_pool_get_tasks(const vrm_task_pool *pool)
{
    return pool != NULL ? &pool->tasks : NULL;
}
