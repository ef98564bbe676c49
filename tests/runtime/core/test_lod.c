// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Levels of detail: what they keep exactly (decay, rest pose, lag: closed formulas), how far they are from FULL in
// motion, and that changing between them is not seen.

#include <math.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "model_fixture.h"
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

static vrm_instance *make_instance(const vrm_avatar *avatar, vrm_lod level)
{
    vrm_instance *instance = plain_instance(avatar);
    CHECK_INT(vrm_instance_set_lod(instance, level), VRM_SUCCESS);
    return instance;
}

// --- closed formulas -------------------------------------------------------------------------------------------------

enum { BONE_CM = 10 };

// A joint 10 cm long that hangs down, the avatar's only hair.
static vrm_avatar *one_joint(float stiffness, float gravity, float drag)
{
    static fixture fix;
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    const int32_t hips = fix.bones[VRM_HUMAN_BONE_HIPS]; // straight, also at rest
    int32_t nodes[2];
    nodes[0] = fixture_node_add(&fix, hips, "hair", fixture_at(0.0f, 0.0f, 0.1f));
    nodes[1] = fixture_node_add(&fix, nodes[0], "end", fixture_at(0.0f, -0.01f * BONE_CM, 0.0f));
    fixture_chain(&fix, nodes, 2, fixture_joint_params(stiffness, gravity, drag, 0.0f), -1);
    return fixture_finish(&fix);
}

static void tail_of(const vrm_instance *instance, double *out)
{
    CHECK_INT(vrm_instance_get_spring_tails(instance, out, NULL, 1), VRM_SUCCESS);
}

// Let go off its rest by a little, a joint does what the linearised step says: with s = L / (L + w), w the way that
// stiffness and gravity give in a tick, x[n + 1] = s * (x[n] + keep * (x[n] - x[n - 1])). Half rate must be that at
// every other n.
static void decays_by_the_formula(void)
{
    const float cases[][3] = {{1.0f, 0.0f, 0.4f}, {0.3f, 0.5f, 0.2f}, {4.0f, 0.0f, 0.1f}, {0.05f, 0.0f, 0.9f}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        vrm_avatar *avatar = one_joint(cases[c][0], cases[c][1], cases[c][2]);
        vrm_instance *half = make_instance(avatar, VRM_LOD_HALF_RATE);
        vrm_update_dt(half, 0.0f);
        double rest[3], tail[3];
        tail_of(half, rest);
        const double away = 0.0005, length = 0.01 * BONE_CM;
        memcpy(tail, rest, sizeof tail);
        tail[0] += away;
        CHECK_INT(vrm_instance_set_spring_tails(half, tail, tail, 1), VRM_SUCCESS);
        const double keep = 1.0 - (double)cases[c][2];
        const double s = length / (length + ((double)cases[c][0] + (double)cases[c][1]) / 60.0);
        double before = away, now = away, farthest = 0;
        for (int tick = 1; tick <= 60; ++tick) {
            const double next = s * (now + keep * (now - before));
            before = now;
            now = next;
            vrm_update_dt(half, frame);
            if (tick % 2 == 0) {
                tail_of(half, tail);
                farthest = fmax(farthest, fabs(tail[0] - rest[0] - now));
            }
        }
        if (!(farthest < 1e-3 * away)) {
            printf("stiffness %g gravity %g drag %g: off by %.3g of %.3g m\n", (double)cases[c][0], (double)cases[c][1],
                (double)cases[c][2], farthest, away);
            ++test_failures;
        }
        vrm_instance_destroy(half);
        vrm_avatar_release(avatar);
    }
}

// Carried along evenly, the joint lags by what drag takes: in the direction of travel w * sin + c * (1 - keep) * cos
// = 0 about the head's way c in a tick, with the rest direction straight down: tan = c * (1 - keep) / w.
static void lags_by_the_formula(void)
{
    const double speed = 0.5, keep = 0.6, stiffness = 1.0;
    vrm_avatar *avatar = one_joint((float)stiffness, 0.0f, (float)(1.0 - keep));
    for (int level = VRM_LOD_FULL; level <= VRM_LOD_HALF_RATE; ++level) {
        vrm_instance *instance = make_instance(avatar, (vrm_lod)level);
        vrm_outputs out;
        for (int i = 1; i <= 240; ++i) {
            const vrm_root root = {{speed * i / 60.0, 0, 0}, {0, 0, 0, 1}, 1.0f};
            CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
            vrm_update_dt(instance, frame);
        }
        vrm_instance_get_outputs(instance, &out);
        vrm_spring_joint joint;
        CHECK_INT(vrm_avatar_get_spring_joint(avatar, 0, &joint), VRM_SUCCESS);
        const vrm_mat34 *a = &out.world[joint.node], *b = &out.world[joint.tail_node];
        const double lag = (double)(a->m[0][3] - b->m[0][3]) / (double)(a->m[1][3] - b->m[1][3]);
        CHECK_NEAR(lag, speed / 60.0 * (1.0 - keep) / (stiffness / 60.0), 1e-4);
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
}

// Farthest that a node of one is from the other's.
static double farthest_node(const vrm_instance *a, const vrm_instance *b)
{
    vrm_outputs x, y;
    vrm_instance_get_outputs(a, &x);
    vrm_instance_get_outputs(b, &y);
    double farthest = 0;
    for (uint32_t n = 0; n < x.node_count; ++n) {
        double squared = 0;
        for (int k = 0; k < 3; ++k) {
            const double d = (double)(x.world[n].m[k][3] - y.world[n].m[k][3]);
            squared += d * d;
        }
        farthest = fmax(farthest, sqrt(squared));
    }
    return farthest;
}

// Whatever hangs or lies still is where FULL has it: all chains of the sample in a bent pose, on their colliders.
static void rests_where_full_does(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    vrm_instance *full = make_instance(avatar, VRM_LOD_FULL), *half = make_instance(avatar, VRM_LOD_HALF_RATE);
    const vrm_quat bent = {0.25881905f, 0.0f, 0.0f, 0.9659258f};
    for (int i = 0; i < 600; ++i) {
        for (int k = 0; k < 2; ++k) {
            vrm_instance *instance = k == 0 ? full : half;
            CHECK_INT(vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_SPINE, &bent), VRM_SUCCESS);
            CHECK_INT(vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &bent), VRM_SUCCESS);
            vrm_update_dt(instance, frame);
        }
    }
    const double apart = farthest_node(full, half);
    printf("at rest half rate is at most %.3g m from full\n", apart);
    CHECK(apart < 1e-4);
    vrm_instance_destroy(full);
    vrm_instance_destroy(half);
    vrm_avatar_release(avatar);
}

// --- how far from FULL -----------------------------------------------------------------------------------------------

typedef enum scene { WALK, THROW, TURN, SCENES } scene;
static const char *const scene_names[SCENES] = {"walk", "throw", "turn"};

static double smooth(double t)
{
    const double x = t < 0 ? 0 : (t > 1 ? 1 : t);
    return x * x * (3 - 2 * x);
}

// Six seconds: walking on the spot; thrown 2 m aside in 0.6 s and back; turned by 180 degrees in 0.6 s and back.
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

typedef struct error {
    double rms_mm, max_mm, rms_degrees, max_degrees;
} error;

static vrm_vec3 tail_in_world(const vrm_outputs *out, const vrm_spring_joint *joint)
{
    return vrmi_mat34_point(&out->world[joint->node], joint->tail);
}

// Tails of all joints over all frames beside FULL, each from the heads of its own chain's root; bones by their
// direction.
static error measure(const vrm_avatar *avatar, vrm_lod level, float interval, scene what)
{
    vrm_avatar_counts counts;
    vrm_avatar_get_counts(avatar, &counts);
    vrm_instance *full = make_instance(avatar, VRM_LOD_FULL), *other = make_instance(avatar, level);
    CHECK_INT(vrm_instance_set_update_interval(other, interval, 0.0f), VRM_SUCCESS);
    error e = {0};
    double samples = 0;
    for (int i = 0; i < 360; ++i) {
        vrm_outputs x, y;
        perform(full, what, i / 60.0);
        perform(other, what, i / 60.0);
        vrm_update_dt(full, frame);
        vrm_update_dt(other, frame);
        vrm_instance_get_outputs(full, &x);
        vrm_instance_get_outputs(other, &y);
        for (uint32_t j = 0; j < counts.spring_joints && i >= 60; ++j) {
            vrm_spring_joint joint;
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

// Figures of docs/level-of-detail.md, with bounds on the sample's.
static void print_errors(const char *name, const vrm_avatar *avatar, bool bounded)
{
    static const struct {
        const char *name;
        vrm_lod level;
        float interval;
        double mm[SCENES]; // RMS
    } ways[] = {
        {"half rate", VRM_LOD_HALF_RATE, 0.0f, {1.5, 3.0, 3.5}},
        {"tips frozen", VRM_LOD_TIPS_FROZEN, 0.0f, {10.0, 20.0, 20.0}},
        {"half rate, every 1/30 s", VRM_LOD_HALF_RATE, 1.0f / 30.0f, {6.0, 8.0, 7.0}},
        {"tips frozen, every 1/30 s", VRM_LOD_TIPS_FROZEN, 1.0f / 30.0f, {10.0, 20.0, 20.0}},
    };
    vrm_instance *instance = make_instance(avatar, VRM_LOD_FULL);
    vrm_avatar_counts counts;
    vrm_avatar_get_counts(avatar, &counts);
    printf("%s: %u of %u joints are tips\n", name, vrm_instance_frozen_joints(instance), counts.spring_joints);
    vrm_instance_destroy(instance);
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; ++w) {
        for (int what = 0; what < SCENES; ++what) {
            const error e = measure(avatar, ways[w].level, ways[w].interval, (scene)what);
            printf("| %s | %s | %s | %.2f | %.1f | %.2f | %.1f |\n", name, ways[w].name, scene_names[what], e.rms_mm,
                e.max_mm, e.rms_degrees, e.max_degrees);
            CHECK(!bounded || e.rms_mm < ways[w].mm[what]);
        }
    }
}

static void errors_beside_full(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    print_errors("sample", avatar, true);
    vrm_avatar_release(avatar);
}

static void errors_beside_full_of_a_real_one(void)
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

// --- changing levels -------------------------------------------------------------------------------------------------

static vrm_vec3 unit_bone(const vrm_outputs *out, const vrm_spring_joint *joint)
{
    const vrm_vec3 from = vrmi_mat34_translation(&out->world[joint->node]);
    return vrmi_vec3_normalize_or(vrmi_vec3_sub(tail_in_world(out, joint), from), (vrm_vec3){0, 1, 0});
}

enum { MOST_JOINTS = 256, SWITCH_FRAMES = 600 };

// The most that a bone of hair turns from frame to frame in a scene, degrees. `seed` 0: at FULL; else levels change at
// random, every few frames.
static double fastest_bone(const vrm_avatar *avatar, scene what, uint32_t seed)
{
    vrm_avatar_counts counts;
    vrm_avatar_get_counts(avatar, &counts);
    CHECK(counts.spring_joints <= MOST_JOINTS);
    vrm_instance *instance = make_instance(avatar, VRM_LOD_FULL);
    test_random random = test_random_make(seed);
    vrm_vec3 before[MOST_JOINTS];
    double fastest = 0;
    int next = 30;
    for (int i = 0; i < SWITCH_FRAMES; ++i) {
        if (seed != 0 && i == next) {
            const vrm_lod level = (vrm_lod)test_random_below(&random, VRM_LOD_COUNT);
            CHECK_INT(vrm_instance_set_lod(instance, level), VRM_SUCCESS);
            next += 1 + (int)test_random_float(&random, 0.0f, 40.0f);
        }
        perform(instance, what, i / 60.0);
        vrm_update_dt(instance, frame);
        vrm_outputs out;
        vrm_instance_get_outputs(instance, &out);
        for (uint32_t j = 0; j < counts.spring_joints; ++j) {
            vrm_spring_joint joint;
            CHECK_INT(vrm_avatar_get_spring_joint(avatar, j, &joint), VRM_SUCCESS);
            const vrm_vec3 bone = unit_bone(&out, &joint);
            const vrm_vec3 across = vrmi_vec3_cross(bone, before[j]);
            if (i > 0) {
                fastest = fmax(fastest, 57.29577951 * asin(fmin(1.0, (double)vrmi_vec3_length(across))));
            }
            before[j] = bone;
        }
    }
    vrm_instance_destroy(instance);
    return fastest;
}

static void changing_levels_is_not_seen(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    for (int what = 0; what < SCENES; ++what) {
        const double full = fastest_bone(avatar, (scene)what, 0);
        double mixed = 0;
        for (uint32_t seed = 1; seed <= 4; ++seed) {
            mixed = fmax(mixed, fastest_bone(avatar, (scene)what, seed));
        }
        printf("%s: a bone turns by %.2f degrees a frame at most, with changing levels %.2f\n", scene_names[what], full,
            mixed);
        CHECK(mixed < 2.0 * full + 0.5); // at half rate what lies on something goes in steps
    }
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
        const bool changes = i % 13 == 0;
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
            vrm_outputs x, y;
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
    {"decays_by_the_formula", decays_by_the_formula},
    {"lags_by_the_formula", lags_by_the_formula},
    {"rests_where_full_does", rests_where_full_does},
    {"errors_beside_full", errors_beside_full},
    {"errors_beside_full_of_a_real_one", errors_beside_full_of_a_real_one},
    {"changing_levels_is_not_seen", changing_levels_is_not_seen},
    {"same_bits_on_every_path", same_bits_on_every_path},
    {"takes_no_memory", takes_no_memory},
};
RUN_TESTS(cases)
