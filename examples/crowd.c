// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// A crowd: one avatar, many instances, and one call that updates all of them on all processors.
//
//     cc crowd.c $(pkg-config --cflags --libs vrm) -o crowd
//     ./crowd avatar.vrm
//
// Prints the time of a frame on one thread and on the pool, and whether both gave the same bits: results do not depend
// on threads.
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <vrm/vrm.h>

enum { FIGURES = 200, FRAMES = 60 };

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool make(vrm_avatar *avatar, vrm_instance **crowd)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    for (uint32_t i = 0; i < FIGURES; ++i) {
        if (vrm_instance_create(&def, &crowd[i]) != VRM_SUCCESS) {
            return false;
        }
    }
    return true;
}

// Every figure turns on the spot at its own speed, so that hair swings. Returns the seconds of a frame.
static double run(vrm_instance **crowd, const vrm_tasks *tasks)
{
    const double start = seconds();
    for (int frame = 0; frame < FRAMES; ++frame) {
        for (uint32_t i = 0; i < FIGURES; ++i) {
            const float sine = 0.002f * (float)i * (float)frame / FRAMES;
            const vrm_root root = {
                {(double)(i % 20), 0.0, (double)(i / 20)}, {0.0f, sine, 0.0f, 1.0f - sine * sine / 2.0f}, 1.0f};
            vrm_instance_set_root(crowd[i], &root);
        }
        vrm_update_params params;
        vrm_update_params_default(&params);
        params.dt = 1.0f / 60.0f;
        vrm_update_many(crowd, FIGURES, &params, tasks);
    }
    return (seconds() - start) / FRAMES;
}

static bool is_same(vrm_instance *const *a, vrm_instance *const *b)
{
    bool same = true;
    for (uint32_t i = 0; i < FIGURES; ++i) {
        vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        vrm_instance_get_outputs(a[i], &x);
        vrm_instance_get_outputs(b[i], &y);
        same = same && memcmp(x.palette, y.palette, x.palette_joint_count * sizeof *x.palette) == 0;
    }
    return same;
}

int main(int argc, char **argv)
{
    static vrm_instance *alone[FIGURES], *together[FIGURES];
    vrm_avatar *avatar = NULL;
    vrm_task_pool *pool = NULL;
    if (argc < 2 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: crowd avatar.vrm\n");
        return 1;
    }
    const bool made =
        make(avatar, alone) && make(avatar, together) && vrm_task_pool_create(0, NULL, &pool) == VRM_SUCCESS;
    if (made) {
        printf("%d figures, one thread: %.3f ms\n", FIGURES, 1e3 * run(alone, NULL));
        printf("%d figures, a pool of %u: %.3f ms\n", FIGURES, vrm_task_pool_get_thread_count(pool),
            1e3 * run(together, vrm_task_pool_get_tasks(pool)));
        printf("%s\n", is_same(alone, together) ? "the same bits" : "other bits");
    }
    for (uint32_t i = 0; i < FIGURES; ++i) {
        vrm_instance_destroy(alone[i]);
        vrm_instance_destroy(together[i]);
    }
    vrm_task_pool_destroy(pool);
    vrm_avatar_release(avatar);
    return made ? 0 : 1;
}
