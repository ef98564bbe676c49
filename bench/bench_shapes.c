// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures springs on avatars of every shape (scenes/avatar_shapes.h), and compares them with a plain C program that
// was written from the specification. `bench_shapes [--round] [MODEL...]` uses the generated shapes if there are no
// models. The values are medians of seven rounds, in which all shapes take turns. --round prints a single round as
// JSON, for bench/shapes.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avatar_shapes.h"
#include "base/platform.h"
#include "procedural_motion.h"
#include "spring_sides.h"
#include "timing.h"

enum { MOST_SHAPES = 64, ROUNDS = 7, FRAMES = 360 };

// Microseconds per frame.
typedef struct shape_times {
    double springs, update, naive;
} shape_times;

typedef struct shape_bench {
    const char *name;
    vrm_avatar *avatar;
    spring_sides sides;
    vrm_avatar_counts counts;
    double difference; // metres
    shape_times rounds[ROUNDS], median;
} shape_bench;

static double now(void)
{
    return vrmi_platform_seconds() * 1e6;
}

// Returns the microseconds that reading the clock twice takes.
static double clock_cost(void)
{
    double spent[FRAMES];
    for (int i = 0; i < FRAMES; ++i) {
        const double start = now();
        spent[i] = now() - start;
    }
    return median(spent, FRAMES);
}

// Measures the spring stage alone, including the world matrices of hair: the second half of a frame without any other
// stage.
static double time_springs(vrm_instance *instance)
{
    const vrm_update_params pose = spring_sides_frame(VRM_STAGE_POSE), springs = spring_sides_frame(VRM_STAGE_SPRING);
    double spent[FRAMES];
    for (int i = 0; i < FRAMES; ++i) {
        scene_motion_apply(instance, SCENE_MOTION_WALK, i / 60.0);
        vrm_update_pose(instance, &pose);
        const double start = now();
        vrm_update_secondary(instance, &springs);
        spent[i] = now() - start;
    }
    return median(spent, FRAMES);
}

static double time_update(vrm_instance *instance)
{
    const vrm_update_params params = spring_sides_frame(VRM_STAGE_ALL);
    double spent[FRAMES];
    for (int i = 0; i < FRAMES; ++i) {
        scene_motion_apply(instance, SCENE_MOTION_WALK, i / 60.0);
        const double start = now();
        vrm_update(instance, &params);
        spent[i] = now() - start;
    }
    return median(spent, FRAMES);
}

// Measures the plain program's step. The world matrices above the springs are copied from the instance.
static double time_naive(spring_sides *sides)
{
    const vrm_update_params pose = spring_sides_frame(VRM_STAGE_POSE);
    double spent[FRAMES];
    for (int i = 0; i < FRAMES; ++i) {
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        scene_motion_apply(sides->instance, SCENE_MOTION_WALK, i / 60.0);
        vrm_update(sides->instance, &pose);
        vrm_instance_get_outputs(sides->instance, &outputs);
        naive_springs_place(&sides->naive, &outputs);
        const double start = now();
        naive_springs_step(&sides->naive, pose.dt);
        spent[i] = now() - start;
    }
    return median(spent, FRAMES);
}

static void run_round(shape_bench *b, int round)
{
    const double clock = clock_cost();
    shape_times *out = &b->rounds[round];
    out->springs = time_springs(b->sides.instance) - clock;
    out->naive = time_naive(&b->sides) - clock;
    out->update = time_update(b->sides.instance) - clock;
}

static void take_median(shape_bench *b, int rounds)
{
    double springs[ROUNDS], update[ROUNDS], naive[ROUNDS];
    for (int i = 0; i < rounds; ++i) {
        springs[i] = b->rounds[i].springs;
        update[i] = b->rounds[i].update;
        naive[i] = b->rounds[i].naive;
    }
    b->median = (shape_times){median(springs, rounds), median(update, rounds), median(naive, rounds)};
}

static vrm_result load(shape_bench *b, const char *path, int shape)
{
    vrm_bytes bytes = {0};
    b->name = path != NULL ? path : scene_shape_name((scene_shape)shape);
    vrm_result result =
        path != NULL ? vrm_read_file(path, UINT32_MAX, NULL, &bytes) : scene_shape_create((scene_shape)shape, &bytes);
    if (result == VRM_SUCCESS) {
        result = vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &b->avatar);
    }
    vrm_bytes_free(&bytes);
    if (result != VRM_SUCCESS) {
        return result;
    }
    b->counts.struct_size = sizeof b->counts;
    vrm_avatar_get_counts(b->avatar, &b->counts);
    b->difference = spring_sides_difference(b->avatar);
    if (!spring_sides_make(&b->sides, b->avatar)) {
        return VRM_ERROR_UNSUPPORTED;
    }
    const vrm_dvec3 target = {0.4, 1.4, 2.0};
    (void)vrm_instance_set_look_at_target(b->sides.instance, &target);
    return VRM_SUCCESS;
}

static double per_joint(const shape_bench *b, double microseconds)
{
    return microseconds * 1e3 / (double)(b->counts.spring_joints > 0 ? b->counts.spring_joints : 1);
}

static void print_json(const shape_bench *shapes, int count)
{
    for (int i = 0; i < count; ++i) {
        const shape_bench *b = &shapes[i];
        printf("%s{\"joints\":%u,\"springs_us\":%.4f,\"update_us\":%.4f,\"plain_us\":%.4f,\"difference\":%.3g}",
            i > 0 ? ",\n" : "[", b->counts.spring_joints, b->median.springs, b->median.update, b->median.naive,
            b->difference);
    }
    printf("]\n");
}

static void print_table(const shape_bench *shapes, int count)
{
    double plain = 0.0;
    for (int i = 0; i < count; ++i) {
        plain = strcmp(shapes[i].name, scene_shape_name(SCENE_SHAPE_PLAIN)) == 0
                    ? per_joint(&shapes[i], shapes[i].median.springs)
                    : plain;
    }
    printf("| shape | ns a joint | of plain | joints | plain C, ns | times | update, us | differ by, m |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < count; ++i) {
        const shape_bench *b = &shapes[i];
        const double own = per_joint(b, b->median.springs), naive = per_joint(b, b->median.naive);
        printf("| %s | %.1f | %.2f | %u | %.0f | %.1f | %.2f | %.1e |\n", b->name, own, plain > 0.0 ? own / plain : 1.0,
            b->counts.spring_joints, naive, naive / own, b->median.update, b->difference);
    }
}

int main(int argc, char **argv)
{
    static shape_bench shapes[MOST_SHAPES];
    const bool single = argc > 1 && strcmp(argv[1], "--round") == 0;
    char **paths = argv + (single ? 2 : 1);
    const int path_count = argc - (single ? 2 : 1), count = path_count > 0 ? path_count : SCENE_SHAPE_COUNT;
    const int rounds = single ? 1 : ROUNDS;
    for (int i = 0; i < count && i < MOST_SHAPES; ++i) {
        const vrm_result result = load(&shapes[i], path_count > 0 ? paths[i] : NULL, i);
        if (result != VRM_SUCCESS) {
            fprintf(stderr, "bench_shapes: %s: %s\n", shapes[i].name, vrm_result_sentence(result));
            return 1;
        }
    }
    for (int round = -1; round < rounds; ++round) { // the first round warms up
        for (int i = 0; i < count && i < MOST_SHAPES; ++i) {
            run_round(&shapes[i], round < 0 ? 0 : round);
        }
    }
    for (int i = 0; i < count && i < MOST_SHAPES; ++i) {
        take_median(&shapes[i], rounds);
    }
    (single ? print_json : print_table)(shapes, count < MOST_SHAPES ? count : MOST_SHAPES);
    for (int i = 0; i < count && i < MOST_SHAPES; ++i) {
        spring_sides_free(&shapes[i].sides);
        vrm_avatar_release(shapes[i].avatar);
    }
    return 0;
}
