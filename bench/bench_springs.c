// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares springs with two references: a plain C program that was written from the specification, and the limit set by
// the processor's arithmetic. `bench_springs [COUNT]` measures one avatar and a crowd of COUNT avatars (default 200) on
// one thread.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "limit.h"
#include "math/cpu.h"
#include "minimal_sample.h"
#include "procedural_motion.h"
#include "spring_sides.h"
#include "timing.h"

enum { ROUNDS = 15 };

// Returns the nanoseconds per joint of libvrm's spring stage: the time of a frame with the stage minus the time without
// it. The frame is run as two halves. In a whole frame the world matrices of hair are computed with the springs, and
// the time saved by that would be subtracted from the stage.
static double measure_stage(spring_sides *sides, int count, int joints)
{
    const vrm_update_params pose = spring_sides_frame(VRM_STAGE_POSE), springs = spring_sides_frame(VRM_STAGE_SPRING);
    const vrm_update_params nothing = spring_sides_frame(0);
    const int frames = count < 20 ? 200 : 4;
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        double spent[2] = {0.0, 0.0};
        for (int frame = 0; frame < frames; ++frame) {
            for (int i = 0; i < count; ++i) {
                scene_motion_apply(
                    sides[i].instance, SCENE_MOTION_SWAY, (double)(round * frames + frame) / 60.0 + 0.37 * i);
            }
            for (int k = 0; k < 2; ++k) {
                const double start = elapsed_seconds();
                for (int i = 0; i < count; ++i) {
                    vrm_update_pose(sides[i].instance, &pose);
                    vrm_update_secondary(sides[i].instance, k == 0 ? &springs : &nothing);
                }
                spent[k] += elapsed_seconds() - start;
            }
        }
        rounds[round] = (spent[0] - spent[1]) * 1e9 / frames / count / joints;
    }
    return median(rounds, ROUNDS);
}

static double measure_naive(spring_sides *sides, int count)
{
    const int frames = count < 20 ? 200 : 4;
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = elapsed_seconds();
        for (int frame = 0; frame < frames; ++frame) {
            for (int i = 0; i < count; ++i) {
                naive_springs_step(&sides[i].naive, 1.0f / 60.0f);
            }
        }
        rounds[round] = (elapsed_seconds() - start) * 1e9 / frames / count / sides[0].naive.joint_count;
    }
    return median(rounds, ROUNDS);
}

static void print_row(const char *what, double ns, double of)
{
    printf("| %s | %.1f | %.2f |\n", what, ns, ns / of);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 200;
    vrm_bytes bytes = {0};
    vrm_avatar *avatar = NULL;
    if (count < 1 || scene_minimal_sample(0, &bytes) != VRM_SUCCESS ||
        vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: bench_springs [COUNT]\n");
        return 2;
    }
    vrm_bytes_free(&bytes);
    spring_sides *sides = calloc((size_t)count, sizeof(*sides));
    for (int i = 0; i < count; ++i) {
        if (sides == NULL || !spring_sides_make(&sides[i], avatar)) {
            fprintf(stderr, "bench_springs: out of memory, or springs that the plain program does not know\n");
            return 1;
        }
    }
    const int joints = sides[0].naive.joint_count;
    printf("the sample: %d spring joints; plain program and library differ by at most %.1e m in a second of motion\n\n",
        joints, spring_sides_difference(avatar));
    const double one = measure_stage(sides, 1, joints), crowd = measure_stage(sides, count, joints);
    const double plain_one = measure_naive(sides, 1), plain_crowd = measure_naive(sides, count);
    limit_mix mix = {0, 0, "not measured: no AVX2"};
    const double limit = vrmi_cpu_has_avx2() ? limit_ns_per_joint(&mix) : (double)NAN;
    printf("| springs, with the world matrices of their nodes | ns a joint | times the limit |\n| --- | --- | --- |\n");
    print_row("limit of the arithmetic", limit, limit);
    print_row("libvrm, one avatar", one, limit);
    print_row("libvrm, crowd", crowd, limit);
    print_row("plain C, one avatar", plain_one, limit);
    print_row("plain C, crowd", plain_crowd, limit);
    printf("\nplain C takes %.1f times as long for one avatar, %.1f times for a crowd of %d\n", plain_one / one,
        plain_crowd / crowd, count);
    printf("limit: %d additions and products, %d divisions and square roots a joint, eight lanes, %s\n", mix.simple,
        mix.slow, mix.path);
    return 0;
}
