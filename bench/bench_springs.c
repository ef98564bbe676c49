// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What springs cost beside two measures: a plain C program written from the specification's text, and the limit that the
// processor's arithmetic sets. `bench_springs [COUNT]`: one avatar and a crowd of COUNT (default 200), one thread.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "limit.h"
#include "math/cpu.h"
#include "naive_springs.h"
#include "procedural_motion.h"
#include "timing.h"

enum { ROUNDS = 15 };

static vrm_instance *make_instance(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    (void)vrm_instance_create(&def, &instance);
    return instance;
}

static vrm_update_params params_of(uint32_t stages)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    params.stages = stages;
    return params;
}

// Both must do the same: the largest angle between their shown rotations over a second of motion, in radians.
static double disagreement(const vrm_avatar *avatar)
{
    vrm_instance *instance = make_instance(avatar);
    naive_springs naive;
    if (!naive_springs_make(&naive, avatar)) {
        return -1.0;
    }
    vrm_update_params params = params_of(VRM_STAGE_ALL & ~(uint32_t)VRM_STAGE_SPRING);
    vrm_update(instance, &params);
    vrm_outputs outputs;
    vrm_instance_get_outputs(instance, &outputs);
    naive_springs_place(&naive, &outputs);
    params = params_of(VRM_STAGE_ALL);
    params.spring_time = VRM_SPRING_TIME_REFERENCE;
    double worst = 0.0;
    vrm_update_params still = params;
    still.dt = 0.0f;
    vrm_update(instance, &still);
    for (int frame = 1; frame <= 60; ++frame) {
        scene_motion_apply(instance, SCENE_MOTION_SWAY, frame / 60.0);
        vrm_update(instance, &params);
        vrm_instance_get_outputs(instance, &outputs);
        // World matrices of what moves springs are the instance's; those of joints the program makes itself.
        for (uint32_t i = 0; i < outputs.node_count; ++i) {
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 4; ++c) {
                    naive.world[i][4 * c + r] = outputs.world[i].m[r][c];
                }
            }
        }
        naive_springs_step(&naive, 1.0f / 60.0f);
        for (int j = 0; j < naive.joint_count; ++j) {
            const vrm_quat a = naive.rotations[naive.joints[j].node];
            const vrm_quat b = outputs.local[naive.joints[j].node].rotation;
            const double x = (double)(a.w * b.x - a.x * b.w + a.y * b.z - a.z * b.y);
            const double y = (double)(a.w * b.y - a.y * b.w + a.z * b.x - a.x * b.z);
            const double z = (double)(a.w * b.z - a.z * b.w + a.x * b.y - a.y * b.x);
            worst = fmax(worst, 2.0 * asin(fmin(1.0, sqrt(x * x + y * y + z * z))));
        }
    }
    naive_springs_free(&naive);
    vrm_instance_destroy(instance);
    return worst;
}

// Nanoseconds a joint of libvrm's spring stage: of the frame with it less the frame without it. In halves: at once, world
// matrices of hair wait for the springs, and what they save the other half would be taken off.
static double measure_stage(vrm_instance **instances, int count, int joints)
{
    const vrm_update_params pose = params_of(VRM_STAGE_POSE), springs = params_of(VRM_STAGE_SPRING);
    const vrm_update_params nothing = params_of(0);
    const int frames = count < 20 ? 200 : 4;
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        double spent[2] = {0.0, 0.0};
        for (int frame = 0; frame < frames; ++frame) {
            for (int i = 0; i < count; ++i) {
                scene_motion_apply(instances[i], SCENE_MOTION_SWAY, (double)(round * frames + frame) / 60.0 + 0.37 * i);
            }
            for (int k = 0; k < 2; ++k) {
                const double start = process_seconds();
                for (int i = 0; i < count; ++i) {
                    vrm_update_pose(instances[i], &pose);
                    vrm_update_secondary(instances[i], k == 0 ? &springs : &nothing);
                }
                spent[k] += process_seconds() - start;
            }
        }
        rounds[round] = (spent[0] - spent[1]) * 1e9 / frames / count / joints;
    }
    return median(rounds, ROUNDS);
}

static double measure_naive(naive_springs *springs, int count)
{
    const int frames = count < 20 ? 200 : 4;
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = process_seconds();
        for (int frame = 0; frame < frames; ++frame) {
            for (int i = 0; i < count; ++i) {
                naive_springs_step(&springs[i], 1.0f / 60.0f);
            }
        }
        rounds[round] = (process_seconds() - start) * 1e9 / frames / count / springs[0].joint_count;
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
    if (count < 1 || vrm_sample_create(NULL, &bytes) != VRM_SUCCESS ||
        vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: bench_springs [COUNT]\n");
        return 2;
    }
    vrm_bytes_free(&bytes);
    vrm_instance **instances = calloc((size_t)count, sizeof(*instances));
    naive_springs *naive = calloc((size_t)count, sizeof(*naive));
    for (int i = 0; i < count; ++i) {
        if (instances == NULL || naive == NULL || (instances[i] = make_instance(avatar)) == NULL ||
            !naive_springs_make(&naive[i], avatar)) {
            fprintf(stderr, "bench_springs: out of memory, or springs that the plain program does not know\n");
            return 1;
        }
        vrm_outputs outputs;
        vrm_update_dt(instances[i], 0.0f);
        vrm_instance_get_outputs(instances[i], &outputs);
        naive_springs_place(&naive[i], &outputs);
    }
    const int joints = naive[0].joint_count;
    printf(
        "the sample: %d spring joints; plain program and library differ by at most %.1e rad in a second of motion\n\n",
        joints, disagreement(avatar));
    const double one = measure_stage(instances, 1, joints), crowd = measure_stage(instances, count, joints);
    const double plain_one = measure_naive(naive, 1), plain_crowd = measure_naive(naive, count);
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
