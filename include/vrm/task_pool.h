// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_TASK_POOL_H
#define VRM_TASK_POOL_H

/// @file task_pool.h
/// A pool of threads that runs vrm_update_many() for hosts without a task system. Not part of libvrm-runtime.

#include <vrm/result.h>
#include <vrm/update_many.h>

/// A pool of threads that wait for work.
typedef struct vrm_task_pool vrm_task_pool;

/// Creates a pool of `threads` threads, including the caller's, which also works while it waits. 0: one for each
/// processor that the process may use, at most 64. `allocator` NULL: malloc and free. Returns INVALID_ARGUMENT for more
/// than 64 threads.
VRM_API vrm_result vrm_task_pool_create(uint32_t threads, const vrm_allocator *allocator, vrm_task_pool **out_pool);
/// Ends the threads and frees the pool. All enqueued work must be finished. NULL is allowed.
VRM_API void vrm_task_pool_destroy(vrm_task_pool *pool);
/// Returns the number of threads, including the caller's.
VRM_API uint32_t vrm_task_pool_get_thread_count(const vrm_task_pool *pool);
/// Returns the pool as a task system. Valid as long as the pool.
VRM_API const vrm_tasks *vrm_task_pool_get_tasks(const vrm_task_pool *pool);

#endif
