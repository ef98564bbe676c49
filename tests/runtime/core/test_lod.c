// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Levels of detail. A moving avatar is the same at SLEEP as at FULL, the errors of an update interval are bounded, and
// every path gives the same bits.

#include <math.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "plain_instance.h"
#include "procedural_motion.h"
#include "runtime/core/instance.h"
#include "runtime/spring/spring_step.h"
#include "sample_avatar.h"
#include "shared_path.h"
#include "spring_paths.h"
#include "test.h"
#include "test_allocator.h"
#include "test_random.h"

static const float frame = 1.0f / 60.0f;

// Motions that move hair, as functions of time.
typedef enum scene { WALK, THROW, TURN, SCENES } scene;
static const char *const scene_names[SCENES] = {"walk", "throw", "turn"};

static double smooth(double t)
{
    const double x = t < 0 ? 0 : (t > 1 ? 1 : t);
    return x * x * (3 - 2 * x);
}

// Poses the avatar at a time within six seconds. WALK: walking in place. THROW: 2 m to the side in 0.6 s and back.
// TURN: by 180 degrees in 0.6 s and back.
static void perform(vrm_instance *instance, scene what, double t)
{
    scene_motion_apply(instance, what == WALK ? SCENE_MOTION_WALK : SCENE_MOTION_IDLE, t);
    const double there = smooth((t - 1.0) / 0.6) - smooth((t - 3.5) / 0.6), angle = there * 3.14159265358979;
    vrm_root root = {{what == THROW ? 2.0 * there : 0.0, 0.0, 0.0}, {0, 0, 0, 1}, 1.0f};
    if (what == TURN) {
        root.rotation = (vrm_quat){0, (float)sin(angle / 2), 0, (float)cos(angle / 2)};
    }
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
}

static vrm_instance *make_instance(const vrm_avatar *avatar, vrm_lod level)
{
    vrm_instance *instance = plain_instance(avatar);
    CHECK_INT(vrm_instance_set_lod(instance, level), VRM_SUCCESS);
    return instance;
}

// --- errors of intervals compared with updates in every frame --------------------------------------------------------

typedef struct error {
    double rms_mm, max_mm, rms_degrees, max_degrees;
} error;

static vrm_vec3 tail_in_world(const vrm_outputs *out, const vrm_spring_joint *joint)
{
    return vrmi_mat34_point(&out->world[joint->node], joint->tail);
}

// Measures the error of all joints' tails over all frames, compared with updates in every frame. Tails are relative to
// their chain's root, and bones are compared by direction.
static error measure(const vrm_avatar *avatar, float interval, scene what)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    vrm_instance *full = make_instance(avatar, VRM_LOD_FULL), *other = make_instance(avatar, VRM_LOD_FULL);
    CHECK_INT(vrm_instance_set_update_interval(other, interval, 0.0f), VRM_SUCCESS);
    error e = {0};
    double samples = 0;
    for (int i = 0; i < 360; ++i) {
        vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        perform(full, what, i / 60.0);
        perform(other, what, i / 60.0);
        vrm_update_dt(full, frame);
        vrm_update_dt(other, frame);
        vrm_instance_get_outputs(full, &x);
        vrm_instance_get_outputs(other, &y);
        for (uint32_t j = 0; j < counts.spring_joints && i >= 60; ++j) {
            vrm_spring_joint joint = {.struct_size = sizeof joint};
            CHECK_INT(vrm_avatar_get_spring_joint(avatar, j, &joint), VRM_SUCCESS);
            const vrm_vec3 a = tail_in_world(&x, &joint), b = tail_in_world(&y, &joint);
            const vrm_vec3 from_a = vrmi_vec3_sub(a, vrmi_mat34_translation(&x.world[joint.node]));
            const vrm_vec3 from_b = vrmi_vec3_sub(b, vrmi_mat34_translation(&y.world[joint.node]));
            const double mm = 1000 * (double)vrmi_vec3_length(vrmi_vec3_sub(a, b));
            const vrm_vec3 across = vrmi_vec3_cross(from_a, from_b);
            const double along = (double)vrmi_vec3_dot(from_a, from_b);
            const double degrees = 57.29577951 * atan2((double)vrmi_vec3_length(across), along);
            e.rms_mm += mm * mm;
            e.rms_degrees += degrees * degrees;
            e.max_mm = fmax(e.max_mm, mm);
            e.max_degrees = fmax(e.max_degrees, degrees);
            ++samples;
        }
    }
    e.rms_mm = sqrt(e.rms_mm / samples);
    e.rms_degrees = sqrt(e.rms_degrees / samples);
    vrm_instance_destroy(full);
    vrm_instance_destroy(other);
    return e;
}

// Prints the figures of docs/level-of-detail.md; `bounded`: checks the sample's bounds.
static void print_errors(const char *name, const vrm_avatar *avatar, bool bounded)
{
    static const struct {
        int every;            // frames per update
        double mm[SCENES][2]; // RMS: lower and upper bound
    } ways[] = {
        {2, {{2.0, 7.0}, {3.0, 12.0}, {2.0, 8.0}}},
        {4, {{5.0, 20.0}, {10.0, 40.0}, {7.0, 27.0}}},
    };
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; ++w) {
        for (int what = 0; what < SCENES; ++what) {
            const error e = measure(avatar, (float)ways[w].every * frame, (scene)what);
            printf("| %s | every 1/%d s | %s | %.2f | %.1f | %.2f | %.1f |\n", name, 60 / ways[w].every,
                scene_names[what], e.rms_mm, e.max_mm, e.rms_degrees, e.max_degrees);
            CHECK(!bounded || (e.rms_mm > ways[w].mm[what][0] && e.rms_mm < ways[w].mm[what][1]));
        }
    }
}

static void errors_of_intervals(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    print_errors("sample", avatar, true);
    vrm_avatar_release(avatar);
}

static void errors_of_intervals_of_a_real_one(void)
{
    char path[512];
    shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path);
    vrm_avatar *avatar = NULL;
    if (vrm_avatar_load_file(NULL, path, NULL, &avatar) != VRM_SUCCESS) {
        SKIP("no shared models");
    }
    print_errors("Godette", avatar, false);
    vrm_avatar_release(avatar);
}

// --- sleep -------------------------------------------------------------------------------------------------

// A moving avatar does not sleep, and has the same bits as at FULL.
static void sleep_is_full_in_motion(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance *full = make_instance(avatar, VRM_LOD_FULL), *sleep = make_instance(avatar, VRM_LOD_SLEEP);
    for (int i = 0; i < 240; ++i) {
        vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        perform(full, THROW, i / 60.0);
        perform(sleep, THROW, i / 60.0);
        vrm_update_dt(full, frame);
        vrm_update_dt(sleep, frame);
        vrm_instance_get_outputs(full, &x);
        vrm_instance_get_outputs(sleep, &y);
        CHECK(memcmp(x.world, y.world, x.node_count * sizeof *x.world) == 0);
        CHECK(!vrm_instance_is_asleep(sleep));
    }
    vrm_instance_destroy(full);
    vrm_instance_destroy(sleep);
    vrm_avatar_release(avatar);
}

// --- the same bits on every path, and no memory ----------------------------------------------------------------------

static void same_bits_on_every_path(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance *paths[VRMI_LANES_PATH_COUNT] = {NULL};
    for (uint32_t path = 0; path < VRMI_LANES_PATH_COUNT; ++path) {
        paths[path] = spring_path_runs(path) ? make_instance(avatar, VRM_LOD_FULL) : NULL;
        if (paths[path] != NULL) {
            paths[path]->lanes = path;
        }
    }
    test_random random = test_random_make(4);
    for (int i = 0; i < 400; ++i) {
        const vrm_lod level = (vrm_lod)test_random_below(&random, VRM_LOD_COUNT);
        const bool changes = i % 29 == 0; // 0.7 s
        const float dt = test_random_float(&random, 0.003f, 0.045f);
        for (uint32_t path = 0; path < VRMI_LANES_PATH_COUNT; ++path) {
            if (paths[path] != NULL) {
                if (changes) {
                    CHECK_INT(vrm_instance_set_lod(paths[path], level), VRM_SUCCESS);
                }
                perform(paths[path], i < 200 ? TURN : THROW, i / 60.0);
                vrm_update_dt(paths[path], dt);
            }
        }
        for (uint32_t path = 1; path < VRMI_LANES_PATH_COUNT; ++path) {
            vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
            vrm_instance_get_outputs(paths[0], &x);
            if (paths[path] == NULL) {
                continue;
            }
            vrm_instance_get_outputs(paths[path], &y);
            if (memcmp(x.world, y.world, x.node_count * sizeof *x.world) != 0) {
                printf("path %u differs in frame %d\n", path, i);
                ++test_failures;
                i = 400;
                break;
            }
        }
    }
    for (uint32_t path = 0; path < VRMI_LANES_PATH_COUNT; ++path) {
        vrm_instance_destroy(paths[path]);
    }
    vrm_avatar_release(avatar);
}

static void takes_no_memory(void)
{
    test_allocator memory;
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.allocator = test_allocator_make(&memory);
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    const uint64_t calls = memory.calls;
    for (int i = 0; i < 1000; ++i) {
        CHECK_INT(vrm_instance_set_lod(instance, (vrm_lod)(i / 50 % VRM_LOD_COUNT)), VRM_SUCCESS);
        perform(instance, WALK, i / 60.0);
        vrm_update_dt(instance, frame);
    }
    CHECK_INT(memory.calls, calls);
    vrm_instance_destroy(instance);
    CHECK_INT(memory.live, 0);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"errors_of_intervals", errors_of_intervals},
    {"errors_of_intervals_of_a_real_one", errors_of_intervals_of_a_real_one},
    {"sleep_is_full_in_motion", sleep_is_full_in_motion},
    {"same_bits_on_every_path", same_bits_on_every_path},
    {"takes_no_memory", takes_no_memory},
};
RUN_TESTS(cases)
