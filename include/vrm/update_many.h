// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_UPDATE_MANY_H
#define VRM_UPDATE_MANY_H

/// @file update_many.h
/// The update of many avatars in one frame, on as many threads as the host's task system has. Like a single update it
/// cannot fail, and does not allocate or log. The results do not depend on the number of threads or on the order of
/// work.

#include <vrm/update.h>

/// Runs a range of the work, the items from `first` to `end` - 1. Ranges may run at the same time on different threads.
typedef void vrm_task(uint32_t first, uint32_t end, void *context);

/// A task system: the host's own, or that of a vrm_task_pool.
typedef struct vrm_tasks {
    /// Runs `task` for all items from 0 to item_count - 1, each once, in ranges of at least `min_range` items (the last
    /// one may have fewer). Returns a handle for `finish`, or NULL if all of the work has already run.
    void *(*enqueue)(vrm_task *task, uint32_t item_count, uint32_t min_range, void *context, void *user);
    /// Waits until the work has run. Called once for each handle from `enqueue` that is not NULL.
    void (*finish)(void *work, void *user);
    /// Passed to both functions unchanged.
    void *user;
} vrm_tasks;

/// Runs vrm_update() for each of `count` different instances, of one avatar or of many. `tasks` NULL: on this thread.
/// Returns when all are done. NULL entries are skipped.
VRM_API void vrm_update_many(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks);
/// Runs vrm_update_pose() for each instance, in the same way as vrm_update_many().
VRM_API void vrm_update_many_pose(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks);
/// Runs vrm_update_secondary() for each instance, in the same way as vrm_update_many().
VRM_API void vrm_update_many_secondary(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks);

#endif
