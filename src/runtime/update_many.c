// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Updates many instances. They share nothing that an update writes, so they only have to be distributed to threads.

#include <vrm/update_many.h>

#include "base/checks.h"
#include "runtime/clip/clip.h"

// The least number of instances that a thread takes at a time. With fewer, the cost of taking them would be noticeable.
enum { MIN_RANGE = 4 };

enum {
    LOOK_AHEAD = 64,  // number of instances to look ahead; with update intervals, only a few of them run in a frame
    LINE = 64,        // bytes of a cache line
    PLAYER_LINES = 12 // memory that a player uses for one clip
};

typedef struct many {
    vrm_instance *const *instances;
    const vrm_update_params *params;
    void (*update)(vrm_instance *instance, const vrm_update_params *params);
} many;

// Chooses the next instance to compute among the next few, by the first cache line of each.
static const vrm_instance *next_awake(const many *work, uint32_t first, uint32_t end)
{
    end = end - first < LOOK_AHEAD ? end : first + LOOK_AHEAD;
    for (uint32_t i = first; i < end; ++i) {
        const vrm_instance *instance = work->instances[i];
        if (instance != NULL && vrmi_lod_will_run(&instance->lod, work->params->dt)) {
            return instance;
        }
    }
    return NULL;
}

// Prefetches the memory of the next instance while the current one is computed, because a crowd does not fit into the
// cache. Prefetching stops after the springs: palettes are read in sequence, which processors prefetch themselves, and
// face and input rarely change.
static void fetch(const vrm_instance *next)
{
#if defined(__GNUC__)
    if (next != NULL) {
        const char *player = (const char *)next->player;
        for (int i = 0; player != NULL && i < PLAYER_LINES; ++i) {
            __builtin_prefetch(player + i * LINE);
        }
        for (const char *at = (const char *)next; at < (const char *)next->palette; at += LINE) {
            __builtin_prefetch(at);
        }
    }
#else
    (void)next;
#endif
}

static void run_range(uint32_t first, uint32_t end, void *context)
{
    const many *work = context;
    for (uint32_t i = first; i < end; ++i) {
        vrm_instance *instance = work->instances[i];
        if (instance == NULL) {
            continue;
        }
        if (vrmi_lod_will_run(&instance->lod, work->params->dt)) {
            fetch(next_awake(work, i + 1, end));
        }
        work->update(instance, work->params);
    }
}

static void run_many(many *work, uint32_t count, const vrm_tasks *tasks)
{
    if (count == 0 || !VRM_ASSERT(work->instances != NULL) || !VRM_ASSERT(work->params != NULL)) {
        return;
    }
    const bool can_spread = tasks != NULL && VRM_ASSERT(tasks->enqueue != NULL && tasks->finish != NULL);
    if (!can_spread || count <= MIN_RANGE) {
        run_range(0, count, work);
        return;
    }
    void *queued = tasks->enqueue(run_range, count, MIN_RANGE, work, tasks->user);
    if (queued != NULL) {
        tasks->finish(queued, tasks->user);
    }
}

void vrm_update_many(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks)
{
    many work = {instances, params, vrm_update};
    run_many(&work, count, tasks);
}

void vrm_update_many_pose(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks)
{
    many work = {instances, params, vrm_update_pose};
    run_many(&work, count, tasks);
}

void vrm_update_many_secondary(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks)
{
    many work = {instances, params, vrm_update_secondary};
    run_many(&work, count, tasks);
}
