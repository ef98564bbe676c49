// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// `native FILE.vrm FRAMES`: for each line on stdin, runs this number of frames of native.mjs' motion, and prints the
// median time of an update in microseconds, without the time for setting its inputs.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vrm/vrm.h>

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sets the same inputs as native.mjs.
static void set_inputs(vrm_instance *instance, int frame)
{
    const vrm_human_bone bones[] = {VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
        VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_UPPER_LEG,
        VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG};
    for (int i = 0; i < 8; ++i) {
        const int period = 40 + 10 * i;
        const vrm_quat turn = {0.0f, (float)(frame % period) / (float)period - 0.5f, i == 1 ? 0.125f : 0.0f, 1.0f};
        (void)vrm_instance_set_normalized_rotation(instance, bones[i], &turn);
    }
    const vrm_dvec3 target = {(double)(frame % 90) / 30.0 - 1.5, 1.25, 2.0};
    (void)vrm_instance_set_look_at_target(instance, &target);
    (void)vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, 0, (float)(frame % 50) / 64.0f);
}

int main(int argc, char **argv)
{
    const int frames = argc == 3 ? atoi(argv[2]) : 0;
    double *spent = frames > 0 ? malloc((size_t)frames * sizeof *spent) : NULL;
    vrm_avatar *avatar = NULL;
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    if (spent != NULL && vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) == VRM_SUCCESS) {
        def.avatar = avatar;
        (void)vrm_instance_create(&def, &instance);
    }
    if (instance == NULL) {
        fprintf(stderr, "usage: native FILE.vrm FRAMES\n");
        return 1;
    }
    char line[64];
    for (int frame = 0; fgets(line, sizeof line, stdin) != NULL;) {
        for (int i = 0; i < frames; ++i, ++frame) {
            set_inputs(instance, frame);
            const double start = now_us();
            vrm_update_dt(instance, 1.0f / 60.0f);
            spent[i] = now_us() - start;
        }
        qsort(spent, (size_t)frames, sizeof *spent, by_value);
        printf("%.3f\n", spent[frames / 2]);
        fflush(stdout);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    free(spent);
    return 0;
}
