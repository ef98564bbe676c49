// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// crowd [COUNT...]: measures the cost per avatar in crowds of these sizes (default: 10 to 100,000), on one thread and
// on two, in processor time and wall time (other programs increase the latter). Also measures the serial fraction of a
// batch update, which is the time outside of all its parts.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vrm/vrm.h>

#include "base/platform.h"
#include "minimal_sample.h"
#include "procedural_motion.h"

enum { ROUNDS = 5, THREADS = 2 };

// A task system with one thread that times its parts. It makes as many parts as a pool.
typedef struct timed_tasks {
    double inside; // seconds
} timed_tasks;

static void *run_timed(vrm_task *task, uint32_t item_count, uint32_t min_range, void *context, void *user)
{
    timed_tasks *timed = user;
    const uint32_t range = item_count / (8 * THREADS) > min_range ? item_count / (8 * THREADS) : min_range;
    for (uint32_t first = 0; first < item_count; first += range) {
        const double start = vrmi_platform_seconds();
        task(first, item_count - first < range ? item_count : first + range, context);
        timed->inside += vrmi_platform_seconds() - start;
    }
    return NULL;
}

static void finish_none(void *work, void *user)
{
    (void)work;
    (void)user;
}

static void move(vrm_instance **instances, uint32_t count, int frame)
{
    for (uint32_t i = 0; i < count; ++i) {
        scene_motion_apply(instances[i], SCENE_MOTION_WALK, (double)frame / 60.0 + 0.37 * (double)(i % 1000));
    }
}

static double process_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// Microseconds per avatar: processor time and wall time.
typedef struct cost {
    double process, clock;
} cost;

// Returns the smallest of each time over several rounds.
static cost measure(vrm_instance **instances, uint32_t count, const vrm_tasks *tasks)
{
    const vrm_update_params params = {.struct_size = sizeof params, .dt = 1.0f / 60.0f, .stages = VRM_STAGE_ALL};
    const int frames = count < 1000 ? (int)(1000 / count) : 1; // enough frames for the clock
    const double scale = 1e6 / frames / count;
    cost best = {1e30, 1e30};
    for (int round = -1; round < ROUNDS; ++round) {
        cost spent = {0.0, 0.0};
        for (int frame = 0; frame < frames; ++frame) {
            move(instances, count, (round + 1) * frames + frame);
            const double process = process_seconds(), start = vrmi_platform_seconds();
            vrm_update_many(instances, count, &params, tasks);
            spent.clock += (vrmi_platform_seconds() - start) * scale;
            spent.process += (process_seconds() - process) * scale;
        }
        if (round >= 0) {
            best.process = spent.process < best.process ? spent.process : best.process;
            best.clock = spent.clock < best.clock ? spent.clock : best.clock;
        }
    }
    return best;
}

// Returns the fraction of a batch update that a second thread cannot take over.
static double serial_part(vrm_instance **instances, uint32_t count)
{
    timed_tasks timed = {0};
    const vrm_tasks tasks = {run_timed, finish_none, &timed};
    const vrm_update_params params = {.struct_size = sizeof params, .dt = 1.0f / 60.0f, .stages = VRM_STAGE_ALL};
    move(instances, count, 100);
    const double start = vrmi_platform_seconds();
    vrm_update_many(instances, count, &params, &tasks);
    const double all = vrmi_platform_seconds() - start;
    return (all - timed.inside) / all;
}

// Prints a row of the table. The reference is the cost of an avatar in a crowd of 10,000; 0: not measured yet.
static void print_row(vrm_instance **instances, uint32_t count, const vrm_tasks *tasks, double *reference)
{
    const cost one = measure(instances, count, NULL), two = measure(instances, count, tasks);
    *reference = count == 10000 ? one.process : *reference;
    printf("| %u | %.2f | ", count, one.process);
    if (*reference > 0.0) {
        printf("%.1f %%", 100.0 * one.process / *reference);
    }
    printf(" | %.2f | %.2f | %.2f | %.5f %% |\n", two.process, two.clock, one.clock / two.clock,
        100.0 * serial_part(instances, count));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const uint32_t usual[] = {10, 100, 1000, 10000, 20000, 40000, 70000, 100000};
    const int sizes = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
    vrm_bytes bytes;
    vrm_avatar *avatar = NULL;
    vrm_task_pool *pool = NULL;
    vrm_instance **instances = NULL;
    if (scene_minimal_sample(0, &bytes) != VRM_SUCCESS ||
        vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) != VRM_SUCCESS ||
        vrm_task_pool_create(THREADS, NULL, &pool) != VRM_SUCCESS) {
        fprintf(stderr, "crowd: out of memory\n");
        return 1;
    }
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    printf("| avatars | us each, one thread | of that of 10,000 | %d threads, processor time | by the clock | faster "
           "than one | "
           "serial part |\n| --- | --- | --- | --- | --- | --- | --- |\n",
        THREADS);
    double reference = 0.0;
    uint32_t made = 0;
    for (int i = 0; i < sizes; ++i) {
        const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[i + 1], NULL, 10) : usual[i];
        vrm_instance **more = count > made ? realloc(instances, count * sizeof *instances) : instances;
        instances = more != NULL ? more : instances;
        for (; more != NULL && made < count && vrm_instance_create(&def, &instances[made]) == VRM_SUCCESS; ++made) {
        }
        if (count == 0 || made < count) {
            fprintf(
                stderr, "crowd: %s avatars: not a number, or not enough memory\n", argc > 1 ? argv[i + 1] : "these");
            return 1;
        }
        print_row(instances, count, vrm_task_pool_get_tasks(pool), &reference);
    }
    for (uint32_t i = 0; i < made; ++i) {
        vrm_instance_destroy(instances[i]);
    }
    free(instances);
    vrm_task_pool_destroy(pool);
    vrm_avatar_release(avatar);
    vrm_bytes_free(&bytes);
    return 0;
}
