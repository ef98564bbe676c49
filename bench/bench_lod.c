// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures avatars at each level of detail and update interval, and a mixed crowd. All awake avatars are samples with a
// clip of a walk. `bench_lod [COUNT [THREADS]] [--json]`: by default 10,000 avatars on 2 threads.
//
// Each level is measured with one avatar repeatedly, and with a crowd of 1,000 by vrm_update_many() on one thread, in
// process time. The levels take turns in every round, so that other programs slow all of them.
//
// The mixed crowd (20 % near, 30 % far, 50 % asleep) is measured in wall-clock time. First all avatars are updated in
// every frame, which is the value for comparing versions. Then they have longer intervals, spread over the frames.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "base/platform.h"
#include "minimal_sample.h"
#include "mixed_crowd.h"
#include "procedural_motion.h"
#include "timing.h"

enum { LEVEL_CROWD = 1000, WARM_UP = 150, FRAMES = 60, ROUNDS = 15, ROUND_FRAMES = 10, ALONE_FRAMES = 2000 };

// The settings of each measured level.
static const struct {
    const char *name, *key;
    vrm_lod level;
    bool moves;
    float interval;
} rows[] = {
    {"full", "full", VRM_LOD_FULL, true, 0.0f},
    {"sleep, in motion", "sleep_moving", VRM_LOD_SLEEP, true, 0.0f},
    {"full at 30 Hz", "full_at_30_hz", VRM_LOD_FULL, true, 1.0f / 30.0f},
    {"full at 15 Hz", "full_at_15_hz", VRM_LOD_FULL, true, 1.0f / 15.0f},
    {"asleep", "asleep", VRM_LOD_SLEEP, false, 0.0f},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

// The update intervals of awake avatars.
static const struct {
    const char *name, *key;
    float near_interval, far_interval;
} ways[] = {
    {"all in every frame", "every_frame", 0.0f, 0.0f},
    {"far at 30 Hz", "far_at_30_hz", 0.0f, 1.0f / 30.0f},
    {"near at 30, far at 15 Hz", "near_at_30_far_at_15_hz", 1.0f / 30.0f, 1.0f / 15.0f},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

typedef struct crowd {
    vrm_avatar *avatar;
    vrm_clip *clip;
    uint32_t count;
    vrm_instance **instances;
    vrm_clip_player **players;
} crowd;

static void need(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "bench_lod: %s failed\n", what);
        exit(1);
    }
}

// Creates the sample, and a clip with two strides of a walk.
static void make_actors(crowd *c)
{
    vrm_bytes bytes;
    vrm_gltf *gltf = NULL;
    vrm_recorder *recorder = NULL;
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    need(scene_minimal_sample(0, &bytes) == VRM_SUCCESS, "the sample");
    need(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf) == VRM_SUCCESS, "the document");
    need(vrm_avatar_import(NULL, gltf, NULL, &c->avatar) == VRM_SUCCESS, "the avatar");
    def.avatar = c->avatar;
    need(vrm_instance_create(&def, &instance) == VRM_SUCCESS, "an instance");
    need(vrm_recorder_create(NULL, c->avatar, &recorder) == VRM_SUCCESS, "the recorder");
    for (int frame = 0; frame <= 60; ++frame) {
        scene_motion_apply(instance, SCENE_MOTION_WALK, frame / 30.0);
        vrm_update_dt(instance, 1.0f / 30.0f);
        need(vrm_recorder_add(recorder, instance, frame / 30.0) == VRM_SUCCESS, "a frame");
    }
    need(vrm_recorder_write(recorder, gltf, NULL) == VRM_SUCCESS, "the animation");
    vrm_bytes_free(&bytes);
    need(vrm_gltf_save(gltf, &bytes) == VRM_SUCCESS, "the document with it");
    need(vrm_clip_load(NULL, bytes.data, bytes.size, NULL, &c->clip) == VRM_SUCCESS, "the clip");
    vrm_recorder_destroy(recorder);
    vrm_instance_destroy(instance);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
}

// Creates an instance. Moving avatars walk, each at its own time of the clip.
static void cast(crowd *c, uint32_t index, vrm_lod level, bool moves, float interval)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = c->avatar;
    need(vrm_instance_create(&def, &c->instances[index]) == VRM_SUCCESS, "an instance");
    vrm_instance *instance = c->instances[index];
    need(vrm_instance_set_lod(instance, level) == VRM_SUCCESS, "the level");
    if (!moves) {
        return;
    }
    vrm_clip_player_def player;
    vrm_clip_player_def_default(&player);
    player.avatar = c->avatar;
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    play.start = 0.37f * (float)(index % 53);
    need(vrm_clip_player_create(&player, &c->players[index]) == VRM_SUCCESS, "a player");
    need(vrm_clip_player_play(c->players[index], 0, c->clip, &play) == VRM_SUCCESS, "the clip's playing");
    need(vrm_instance_set_clip_player(instance, c->players[index]) == VRM_SUCCESS, "the player");
    need(vrm_instance_set_update_interval(instance, interval, scene_mixed_phase(index)) == VRM_SUCCESS, "the interval");
}

static void dismiss(crowd *c)
{
    for (uint32_t i = 0; i < c->count; ++i) {
        vrm_clip_player_destroy(c->players[i]);
        vrm_instance_destroy(c->instances[i]);
    }
    free(c->players);
    free(c->instances);
}

static void make_room(crowd *c, uint32_t count)
{
    c->count = count;
    c->instances = calloc(count, sizeof *c->instances);
    c->players = calloc(count, sizeof *c->players);
    need(c->instances != NULL && c->players != NULL, "memory");
}

static void run(const crowd *c, const vrm_tasks *tasks, int frames)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    for (int i = 0; i < frames; ++i) {
        vrm_update_many(c->instances, c->count, &params, tasks);
    }
}

// Measures the median microseconds of an avatar's frame at each level.
static void time_levels(crowd *actors, uint32_t count, int frames, double *out)
{
    static double times[ROWS][ROUNDS];
    crowd crowds[ROWS];
    for (int row = 0; row < ROWS; ++row) {
        crowds[row] = *actors;
        make_room(&crowds[row], count);
        for (uint32_t i = 0; i < count; ++i) {
            cast(&crowds[row], i, rows[row].level, rows[row].moves, rows[row].interval);
        }
        run(&crowds[row], NULL, WARM_UP);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int k = 0; k < ROWS; ++k) {
            const int row = (k + round) % ROWS;
            run(&crowds[row], NULL, 1); // brings the memory of this crowd into the cache
            const double start = elapsed_seconds();
            run(&crowds[row], NULL, frames);
            times[row][round] = (elapsed_seconds() - start) * 1e6 / ((double)frames * count);
        }
    }
    for (int row = 0; row < ROWS; ++row) {
        need(vrm_instance_is_asleep(crowds[row].instances[0]) == !rows[row].moves, "sleep");
        out[row] = median(times[row], ROUNDS);
        dismiss(&crowds[row]);
    }
}

typedef struct frames {
    double median, low, high; // milliseconds of wall-clock time
    double busy;              // mean milliseconds, summed over all threads
} frames;

static frames time_crowd(crowd *c, uint32_t count, vrm_task_pool *pool, int way)
{
    double times[FRAMES];
    make_room(c, count);
    for (uint32_t i = 0; i < count; ++i) {
        const vrm_lod level = scene_mixed_level(i);
        cast(c, i, level, level != VRM_LOD_SLEEP,
            scene_mixed_is_far(i) ? ways[way].far_interval : ways[way].near_interval);
    }
    run(c, vrm_task_pool_get_tasks(pool), WARM_UP);
    const double busy = process_seconds();
    for (int i = 0; i < FRAMES; ++i) {
        const double start = vrmi_platform_seconds();
        run(c, vrm_task_pool_get_tasks(pool), 1);
        times[i] = (vrmi_platform_seconds() - start) * 1e3;
    }
    const double spent = (process_seconds() - busy) * 1e3 / FRAMES;
    dismiss(c);
    const double middle = median(times, FRAMES); // also sorts the times
    return (frames){middle, times[0], times[FRAMES - 1], spent};
}

static void print_text(double levels[2][ROWS], const frames crowds[WAYS], uint32_t count, uint32_t threads)
{
    printf("an avatar's frame, microseconds: alone, one of %d\n", LEVEL_CROWD);
    for (int i = 0; i < ROWS; ++i) {
        printf("  %-20s %8.3f %8.3f\n", rows[i].name, levels[0][i], levels[1][i]);
    }
    printf("%u avatars, %u threads, a frame's milliseconds: median (lowest to highest), of all threads together\n",
        count, threads);
    for (int i = 0; i < WAYS; ++i) {
        printf("  %-28s %7.2f (%.2f to %.2f) %7.2f: %.0f avatars at 60 Hz, by the threads' own time %.0f\n",
            ways[i].name, crowds[i].median, crowds[i].low, crowds[i].high, crowds[i].busy,
            count * 1e3 / 60.0 / crowds[i].median, threads * (count * 1e3 / 60.0 / crowds[i].busy));
    }
}

static void print_json(double levels[2][ROWS], const frames crowds[WAYS], uint32_t count, uint32_t threads)
{
    printf("{\"avatars\": %u, \"threads\": %u, \"levels\": {", count, threads);
    for (int i = 0; i < ROWS; ++i) {
        printf("%s\"%s\": {\"us\": %.4f, \"us_of_crowd\": %.4f}", i > 0 ? ", " : "", rows[i].key, levels[0][i],
            levels[1][i]);
    }
    printf("}, \"crowd\": {");
    for (int i = 0; i < WAYS; ++i) {
        printf("%s\"%s\": {\"ms\": %.3f, \"low\": %.3f, \"high\": %.3f, \"busy_ms\": %.3f}", i > 0 ? ", " : "",
            ways[i].key, crowds[i].median, crowds[i].low, crowds[i].high, crowds[i].busy);
    }
    printf("}}\n");
}

int main(int argc, char **argv)
{
    const bool json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0;
    const int numbers = argc - 1 - (json ? 1 : 0);
    const uint32_t count = numbers > 0 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000;
    const uint32_t threads = numbers > 1 ? (uint32_t)strtoul(argv[2], NULL, 10) : 2;
    crowd c = {0};
    double levels[2][ROWS];
    frames crowds[WAYS];
    vrm_task_pool *pool = NULL;
    if (count == 0 || numbers > 2) {
        fprintf(stderr, "usage: bench_lod [COUNT [THREADS]] [--json]\n");
        return 2;
    }
    make_actors(&c);
    need(vrm_task_pool_create(threads, NULL, &pool) == VRM_SUCCESS, "the threads");
    time_levels(&c, 1, ALONE_FRAMES, levels[0]);
    time_levels(&c, LEVEL_CROWD, ROUND_FRAMES, levels[1]);
    for (int i = 0; i < WAYS; ++i) {
        crowds[i] = time_crowd(&c, count, pool, i);
    }
    (json ? print_json : print_text)(levels, crowds, count, vrm_task_pool_get_thread_count(pool));
    vrm_task_pool_destroy(pool);
    vrm_clip_release(c.clip);
    vrm_avatar_release(c.avatar);
    return 0;
}
