// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// crowd [MOST]: what each avatar of crowds from 10 to MOST (100,000) costs, on one thread and on two (time of the process
// and by the clock, which other programs add to), and what of an update of many is serial: the time outside of all parts.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vrm/vrm.h>

#include "base/platform.h"
#include "procedural_motion.h"

enum { ROUNDS = 5, THREADS = 2 };

// A task system of one thread that times its parts, as many as a pool makes of it.
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

// The fastest of some frames, microseconds an avatar.
static double measure(vrm_instance **instances, uint32_t count, const vrm_tasks *tasks, double (*now)(void))
{
    const vrm_update_params params = {.struct_size = sizeof params, .dt = 1.0f / 60.0f, .stages = VRM_STAGE_ALL};
    const int frames = count < 1000 ? (int)(1000 / count) : 1; // long enough for the clock
    double best = 1e30;
    for (int round = -1; round < ROUNDS; ++round) {
        double spent = 0.0;
        for (int frame = 0; frame < frames; ++frame) {
            move(instances, count, (round + 1) * frames + frame);
            const double start = now();
            vrm_update_many(instances, count, &params, tasks);
            spent += now() - start;
        }
        if (round >= 0 && spent < best) {
            best = spent;
        }
    }
    return best * 1e6 / frames / count;
}

// Part of an update of many that no second thread can take.
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

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {10, 100, 1000, 10000, 20000, 40000, 70000, 100000};
    const uint32_t most = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
    vrm_bytes bytes;
    vrm_avatar *avatar = NULL;
    vrm_task_pool *pool = NULL;
    vrm_instance **instances = calloc(most > 0 ? most : 1, sizeof *instances);
    if (instances == NULL || vrm_sample_create(NULL, &bytes) != VRM_SUCCESS ||
        vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) != VRM_SUCCESS ||
        vrm_task_pool_create(THREADS, NULL, &pool) != VRM_SUCCESS) {
        fprintf(stderr, "crowd: out of memory\n");
        return 1;
    }
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    printf("| avatars | us each, one thread | of that of 10,000 | %d threads, processor time | by the clock | serial part |\n"
           "| --- | --- | --- | --- | --- | --- |\n",
        THREADS);
    double reference = 0.0;
    uint32_t made = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; ++i) {
        for (; made < sizes[i]; ++made) {
            if (vrm_instance_create(&def, &instances[made]) != VRM_SUCCESS) {
                fprintf(stderr, "crowd: no memory for more than %u avatars\n", made);
                return 1;
            }
        }
        const double one = measure(instances, sizes[i], NULL, process_seconds);
        const vrm_tasks *tasks = vrm_task_pool_tasks(pool);
        const double two = measure(instances, sizes[i], tasks, process_seconds);
        const double clock_of_two = measure(instances, sizes[i], tasks, vrmi_platform_seconds);
        reference = sizes[i] == 10000 ? one : reference;
        printf("| %u | %.2f | ", sizes[i], one);
        if (reference > 0.0) {
            printf("%.1f %%", 100.0 * one / reference);
        }
        printf(" | %.2f | %.2f | %.5f %% |\n", two, clock_of_two, 100.0 * serial_part(instances, sizes[i]));
        fflush(stdout);
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
