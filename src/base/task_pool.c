// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// The second file with calls of the system's, beside platform.c: its threads.
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#if defined(__linux__)
#define _GNU_SOURCE // the processors that a process may use
#endif
#define _DARWIN_C_SOURCE
#define _DEFAULT_SOURCE // sysconf's number of processors
#endif

#include <vrm/task_pool.h>

#include "base/allocator.h"

enum { MAX_THREADS = 64, MAX_WORKS = 32, PARTS_PER_THREAD = 8 };

// --- the system's threads ------------------------------------------------------------------------------------------

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef SRWLOCK pool_lock;
typedef CONDITION_VARIABLE pool_signal;
typedef HANDLE pool_thread;

static bool begin_sync(pool_lock *lock, pool_signal *a, pool_signal *b)
{
    InitializeSRWLock(lock);
    InitializeConditionVariable(a);
    InitializeConditionVariable(b);
    return true;
}
static void end_sync(pool_lock *lock, pool_signal *a, pool_signal *b)
{
    (void)lock;
    (void)a;
    (void)b;
}
static void lock_pool(pool_lock *lock)
{
    AcquireSRWLockExclusive(lock);
}
static void unlock_pool(pool_lock *lock)
{
    ReleaseSRWLockExclusive(lock);
}
static void wait_for(pool_signal *signal, pool_lock *lock)
{
    SleepConditionVariableSRW(signal, lock, INFINITE, 0);
}
static void wake_all(pool_signal *signal)
{
    WakeAllConditionVariable(signal);
}
static uint32_t processor_count(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (uint32_t)info.dwNumberOfProcessors;
}
static void work_on(void *pool);
static DWORD WINAPI thread_main(void *pool)
{
    work_on(pool);
    return 0;
}
static bool start_thread(pool_thread *thread, void *pool)
{
    *thread = CreateThread(NULL, 0, thread_main, pool, 0, NULL);
    return *thread != NULL;
}
static void join_thread(pool_thread *thread)
{
    WaitForSingleObject(*thread, INFINITE);
    CloseHandle(*thread);
}

#else

#include <pthread.h>
#if defined(__linux__)
#include <sched.h>
#endif
#include <unistd.h>

typedef pthread_mutex_t pool_lock;
typedef pthread_cond_t pool_signal;
typedef pthread_t pool_thread;

static void end_sync(pool_lock *lock, pool_signal *a, pool_signal *b)
{
    (void)pthread_cond_destroy(b);
    (void)pthread_cond_destroy(a);
    (void)pthread_mutex_destroy(lock);
}
static bool begin_sync(pool_lock *lock, pool_signal *a, pool_signal *b)
{
    if (pthread_mutex_init(lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(a, NULL) != 0) {
        (void)pthread_mutex_destroy(lock);
        return false;
    }
    if (pthread_cond_init(b, NULL) != 0) {
        (void)pthread_cond_destroy(a);
        (void)pthread_mutex_destroy(lock);
        return false;
    }
    return true;
}
static void lock_pool(pool_lock *lock)
{
    (void)pthread_mutex_lock(lock);
}
static void unlock_pool(pool_lock *lock)
{
    (void)pthread_mutex_unlock(lock);
}
static void wait_for(pool_signal *signal, pool_lock *lock)
{
    (void)pthread_cond_wait(signal, lock);
}
static void wake_all(pool_signal *signal)
{
    (void)pthread_cond_broadcast(signal);
}
static uint32_t processor_count(void)
{
#if defined(__linux__)
    cpu_set_t allowed; // a machine with more processors than fit says no, and all count
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return (uint32_t)CPU_COUNT(&allowed);
    }
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1u;
}
static void work_on(void *pool);
static void *thread_main(void *pool)
{
    work_on(pool);
    return NULL;
}
static bool start_thread(pool_thread *thread, void *pool)
{
    return pthread_create(thread, NULL, thread_main, pool) == 0;
}
static void join_thread(pool_thread *thread)
{
    (void)pthread_join(*thread, NULL);
}

#endif

// --- the pool ------------------------------------------------------------------------------------------------------

typedef struct pool_work {
    vrm_task *task; // NULL: a free row
    void *context;
    uint32_t count, range; // items; how many of them are a part
    uint32_t next, done;   // items handed out; items that have run
} pool_work;

struct vrm_task_pool {
    vrm_allocator allocator;
    vrm_tasks tasks;
    pool_lock lock; // of all below
    pool_signal has_work, has_finished;
    uint32_t thread_count; // started ones
    bool ends;
    pool_work works[MAX_WORKS];
    pool_thread threads[MAX_THREADS];
};

// Runs the next part of a work. Called and left with the lock held.
static void run_part(vrm_task_pool *pool, pool_work *work)
{
    const uint32_t first = work->next;
    const uint32_t left = work->count - first;
    const uint32_t end = first + (left < work->range ? left : work->range);
    work->next = end;
    vrm_task *task = work->task;
    void *context = work->context;
    unlock_pool(&pool->lock);
    task(first, end, context);
    lock_pool(&pool->lock);
    work->done += end - first;
    if (work->done == work->count) {
        wake_all(&pool->has_finished);
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
    lock_pool(&pool->lock);
    while (!pool->ends) {
        pool_work *work = find_part(pool);
        if (work != NULL) {
            run_part(pool, work);
        } else {
            wait_for(&pool->has_work, &pool->lock);
        }
    }
    unlock_pool(&pool->lock);
}

static void *enqueue(vrm_task *task, uint32_t item_count, uint32_t min_range, void *context, void *user)
{
    vrm_task_pool *pool = user;
    if (item_count == 0) {
        return NULL;
    }
    // Small parts even out what differs between items; too small ones are all locking.
    const uint32_t even = item_count / ((pool->thread_count + 1u) * PARTS_PER_THREAD);
    const uint32_t range = even > min_range ? even : (min_range != 0 ? min_range : 1u);
    pool_work *work = NULL;
    lock_pool(&pool->lock);
    for (int i = 0; i < MAX_WORKS && pool->thread_count != 0; ++i) {
        if (pool->works[i].task == NULL) {
            work = &pool->works[i];
            *work = (pool_work){.task = task, .context = context, .count = item_count, .range = range};
            wake_all(&pool->has_work);
            break;
        }
    }
    unlock_pool(&pool->lock);
    if (work == NULL) {
        task(0, item_count, context); // no threads, or too many works under way
    }
    return work;
}

// The thread that waits works too.
static void finish(void *handle, void *user)
{
    vrm_task_pool *pool = user;
    pool_work *work = handle;
    lock_pool(&pool->lock);
    while (work->next < work->count) {
        run_part(pool, work);
    }
    while (work->done < work->count) {
        wait_for(&pool->has_finished, &pool->lock);
    }
    work->task = NULL;
    unlock_pool(&pool->lock);
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
    if (!begin_sync(&pool->lock, &pool->has_work, &pool->has_finished)) {
        vrmi_release(&resolved, pool, sizeof *pool);
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const uint32_t processors = processor_count();
    const uint32_t all = threads != 0 ? threads : (processors < MAX_THREADS ? processors : MAX_THREADS);
    uint32_t started = 0;
    while (started + 1 < all && start_thread(&pool->threads[started], pool)) {
        ++started; // fewer than asked for is slower, not wrong
    }
    lock_pool(&pool->lock);
    pool->thread_count = started;
    unlock_pool(&pool->lock);
    *out_pool = pool;
    return VRM_SUCCESS;
}

void vrm_task_pool_destroy(vrm_task_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    lock_pool(&pool->lock);
    pool->ends = true;
    wake_all(&pool->has_work);
    unlock_pool(&pool->lock);
    for (uint32_t i = 0; i < pool->thread_count; ++i) {
        join_thread(&pool->threads[i]);
    }
    end_sync(&pool->lock, &pool->has_work, &pool->has_finished);
    const vrm_allocator allocator = pool->allocator;
    vrmi_release(&allocator, pool, sizeof *pool);
}

uint32_t vrm_task_pool_threads(const vrm_task_pool *pool)
{
    return pool != NULL ? pool->thread_count + 1u : 0u;
}

const vrm_tasks *vrm_task_pool_tasks(const vrm_task_pool *pool)
{
    return pool != NULL ? &pool->tasks : NULL;
}
