// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares the update of a crowd that is too large for the caches with the bandwidth of memory: `bench_bandwidth
// [COUNT]`, by default 2,000 samples (132 MB) on one thread. The bandwidth is measured by reading and writing each
// instance's whole block once, line by line.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "minimal_sample.h"
#include "procedural_motion.h"
#include "timing.h"

enum { ROUNDS = 9, LINE = 64, FEW = 20 };

// All blocks are in one array, as a host would allocate a crowd.
typedef struct crowd {
    unsigned char *room, *blocks;
    size_t stride;
    uint32_t count;
    vrm_instance **instances;
} crowd;

static bool crowd_make(crowd *c, const vrm_avatar *avatar, uint32_t count)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    c->count = count;
    c->stride = (vrm_instance_get_size(&def) + LINE - 1) / LINE * LINE;
    c->room = malloc(c->stride * count + LINE);
    c->instances = calloc(count, sizeof *c->instances);
    if (c->room == NULL || c->instances == NULL) {
        return false;
    }
    c->blocks = c->room + (LINE - (size_t)((uintptr_t)c->room % LINE));
    for (uint32_t i = 0; i < count; ++i) {
        if (vrm_instance_init(&def, c->blocks + i * c->stride, c->stride, &c->instances[i]) != VRM_SUCCESS) {
            return false;
        }
    }
    return true;
}

static void crowd_free(crowd *c)
{
    for (uint32_t i = 0; c->instances != NULL && i < c->count; ++i) {
        if (c->instances[i] != NULL) {
            vrm_instance_destroy(c->instances[i]);
        }
    }
    free(c->instances);
    free(c->room);
}

// Returns the microseconds of each of the first `count` updates.
static double measure_update(const crowd *c, uint32_t count)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    const int frames = (int)(c->count / count);
    double rounds[ROUNDS];
    for (int round = -1; round < ROUNDS; ++round) { // the first round warms up
        double spent = 0.0;
        for (int frame = 0; frame < frames; ++frame) {
            for (uint32_t i = 0; i < count; ++i) {
                scene_motion_apply(c->instances[i], SCENE_MOTION_WALK,
                    (double)((round + 1) * frames + frame) / 60.0 + 0.37 * (double)i);
            }
            const double start = elapsed_seconds();
            vrm_update_many(c->instances, count, &params, NULL);
            spent += elapsed_seconds() - start;
        }
        if (round >= 0) {
            rounds[round] = spent * 1e6 / frames / count;
        }
    }
    return median(rounds, ROUNDS);
}

// Returns the microseconds for reading a block and writing it unchanged.
static double measure_pace(const crowd *c)
{
    double rounds[ROUNDS];
    for (int round = -1; round < ROUNDS; ++round) {
        const double start = elapsed_seconds();
        for (size_t at = 0; at < c->stride * c->count; at += LINE) {
            volatile uint64_t *word = (volatile uint64_t *)(void *)(c->blocks + at);
            *word = *word;
        }
        if (round >= 0) {
            rounds[round] = (elapsed_seconds() - start) * 1e6 / c->count;
        }
    }
    return median(rounds, ROUNDS);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 2000;
    vrm_bytes bytes = {0};
    vrm_avatar *avatar = NULL;
    if (argc > 2 || count < FEW || scene_minimal_sample(0, &bytes) != VRM_SUCCESS ||
        vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: bench_bandwidth [COUNT], %d or more\n", FEW);
        return 2;
    }
    vrm_bytes_free(&bytes);
    crowd c = {0};
    const bool made = crowd_make(&c, avatar, (uint32_t)count);
    if (made) {
        const double few = measure_update(&c, FEW), all = measure_update(&c, c.count), pace = measure_pace(&c);
        printf("%d avatars of %zu bytes, %.0f MB\n\n", count, c.stride, (double)c.stride * count / 1e6);
        printf("| a whole update | us each | times memory's pace |\n| --- | --- | --- |\n");
        printf("| its block read and written once | %.2f | 1.00 |\n", pace);
        printf("| each of %d, in the caches | %.2f | %.2f |\n", FEW, few, few / pace);
        printf("| each of %d | %.2f | %.2f |\n", count, all, all / pace);
        printf("\nmemory: %.1f GB/s; it adds %.2f us to an update, %.2f times its pace\n",
            2.0 * (double)c.stride / pace / 1e3, all - few, (all - few) / pace);
    } else {
        fprintf(stderr, "bench_bandwidth: out of memory\n");
    }
    crowd_free(&c);
    vrm_avatar_release(avatar);
    return made ? 0 : 1;
}
