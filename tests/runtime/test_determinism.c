// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The same bits everywhere. A hash over 600 frames is a constant, for every compiler, optimisation level,
// floating-point environment of the host and thread. If arithmetic is changed on purpose, the constant changes here,
// for all platforms at once.

#include <vrm/output.h>

#include "hash.h"
#include "model_fixture.h"
#include "pose_of.h"
#include "test.h"

#include <fenv.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
// WebAssembly has threads only if requested.
#if defined(__unix__) && (!defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__))
#define HAVE_THREADS
#include <pthread.h>
#endif

static const uint64_t expected_hash = 0x28df602a82fc0742u;

enum { FRAMES = 600, POSED = 6 };

static fixture fix;

static vrm_avatar *make_avatar(void)
{
    fixture_begin(&fix);
    fixture_everything(&fix);
    return fixture_finish(&fix);
}

// Inputs that are computed in advance, so that the test's own arithmetic has no effect.
typedef struct script {
    vrm_quat turns[FRAMES][POSED];
    vrm_vec3 hips[FRAMES];
    vrm_root roots[FRAMES];
    vrm_dvec3 targets[FRAMES];
} script;

static script input;

static void write_script(void)
{
    for (int frame = 0; frame < FRAMES; ++frame) {
        const float t = (float)frame / 60.0f;
        float s, c;
        for (int i = 0; i < POSED; ++i) {
            vrmi_sincos(t * (1.0f + 0.3f * (float)i), &s, &c);
            const vrm_vec3 axis = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
            input.turns[frame][i] = vrmi_quat_from_axis_angle(axis, 0.5f * s);
            // Some components are so small that flush-to-zero changes them. Fading blends leave such values.
            input.turns[frame][i].x += 1e-39f;
        }
        vrmi_sincos(2.0f * t, &s, &c);
        input.hips[frame] = vrmi_vec3(0.2f * s, 0.9f + 0.05f * c, 1e-40f);
        input.roots[frame] = (vrm_root){{1e4 + (double)t, 0, -(double)s}, {0, 0, 0, 1}, 1.0f};
        input.roots[frame].rotation = vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), 0.2f * t);
        input.targets[frame].x = 1e4 + 2.0 * (double)s;
        input.targets[frame].y = 1.5;
        input.targets[frame].z = 1.0;
    }
}

static uint64_t hash_outputs(uint64_t hash, const vrm_instance *instance)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    vrm_transform *locals = poses_of(instance);
    hash = hash_more(hash, locals, out.node_count * sizeof(*locals));
    free(locals);
    hash = hash_more(hash, out.world, out.node_count * sizeof(*out.world));
    hash = hash_more(hash, out.palette, out.palette_joint_count * sizeof(*out.palette));
    hash = hash_more(hash, out.morphs, out.morph_count * sizeof(*out.morphs));
    hash = hash_more(hash, out.materials, out.material_count * sizeof(*out.materials));
    hash = hash_more(hash, out.mesh_boxes, out.mesh_count * sizeof(*out.mesh_boxes));
    return hash_more(hash, &out.viewpoint, sizeof(out.viewpoint));
}

static uint64_t run(const vrm_avatar *avatar)
{
    vrm_instance *instance = fixture_instance(avatar);
    vrm_blink_params blink;
    vrm_blink_params_default(&blink);
    blink.enabled = true;
    vrm_instance_set_blink(instance, &blink);
    vrm_spring_params settings;
    vrm_spring_params_default(&settings);
    settings.external = vrmi_vec3(0.05f, 1e-39f, 0.02f);
    vrm_instance_set_spring_params(instance, &settings);
    const vrm_human_bone bones[POSED] = {VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
        VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_HIPS};
    uint64_t hash = HASH_OF_NOTHING;
    for (int frame = 0; frame < FRAMES; ++frame) {
        for (int i = 0; i < POSED; ++i) {
            vrm_instance_set_normalized_rotation(instance, bones[i], &input.turns[frame][i]);
        }
        vrm_instance_set_hips_position(instance, &input.hips[frame]);
        vrm_instance_set_root(instance, &input.roots[frame]);
        vrm_instance_set_look_at_target(instance, &input.targets[frame]);
        if (frame % 120 == 30) {
            vrm_instance_fade_emotion(instance, frame % 240 == 30 ? 0 : 2, 0.7f, 0.5f);
        }
        const float vowels[5] = {frame % 40 < 20 ? 0.8f : 0.0f, 0, 0.3f, 0, 1e-40f};
        vrm_instance_set_vowels(instance, vowels);
        // Tests two frame rates and both kinds of spring time.
        vrm_update_params params;
        vrm_update_params_default(&params);
        params.dt = frame < 300 ? 1.0f / 60.0f : 1.0f / 90.0f;
        params.spring_time = frame % 200 < 150 ? VRM_SPRING_TIME_DEFAULT : VRM_SPRING_TIME_REFERENCE;
        vrm_update(instance, &params);
        hash = hash_outputs(hash, instance);
    }
    CHECK_INT(vrm_instance_get_status(instance), 0);
    vrm_instance_destroy(instance);
    return hash;
}

static void constant(void)
{
    vrm_avatar *avatar = make_avatar();
    write_script();
    const uint64_t hash = run(avatar);
    printf("hash over %d frames: 0x%016llx\n", FRAMES, (unsigned long long)hash);
    CHECK(hash == expected_hash);
    CHECK(run(avatar) == hash); // a second run, at another address
    vrm_avatar_release(avatar);
}

// The modes: flush-to-zero (with denormals-are-zero if that is a separate bit), rounding up, and rounding to zero with
// both.
#if defined(__SSE2__)
#define MODES \
    { \
        0x9fc0u, 0x5f80u, 0xffc0u \
    }
static uint64_t get_mode(void)
{
    return _mm_getcsr() & 0xffc0u; // without the sticky flags
}
static void set_mode(uint64_t mode)
{
    _mm_setcsr((unsigned)mode);
}
#elif defined(__aarch64__) && defined(__GNUC__)
#define MODES \
    { \
        0x1000000u, 0x400000u, 0x1c00000u \
    }
static uint64_t get_mode(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}
static void set_mode(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}
#elif defined(FE_UPWARD) && !defined(__EMSCRIPTEN__) // Emscripten has the function but no modes
#define MODES \
    { \
        FE_UPWARD \
    }
static uint64_t get_mode(void)
{
    return (uint64_t)fegetround();
}
static void set_mode(uint64_t mode)
{
    (void)fesetround((int)mode);
}
#endif

// Returns an avatar as a game has it: cooked on one machine and opened on another, whose audio thread has changed the
// settings.
static vrm_avatar *make_cooked_avatar(void)
{
    vrm_avatar *loaded = make_avatar(), *opened = NULL;
    size_t size = 0;
    CHECK_INT(vrm_avatar_save(loaded, NULL, &size), VRM_SUCCESS);
    void *bytes = malloc(size);
    CHECK_INT(vrm_avatar_save(loaded, bytes, &size), VRM_SUCCESS);
    vrm_avatar_release(loaded);
    CHECK_INT(vrm_avatar_open(bytes, size, &fix.allocator, &opened), VRM_SUCCESS);
    free(bytes);
    return opened;
}

static void cooked(void)
{
    vrm_avatar *avatar = make_cooked_avatar();
    write_script();
    CHECK(run(avatar) == expected_hash);
    vrm_avatar_release(avatar);
}

static void host_floating_point(void)
{
#if defined(MODES)
    vrm_avatar *avatar = make_cooked_avatar();
    write_script();
    const uint64_t before = get_mode();
    const uint64_t modes[] = MODES;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); ++i) {
        set_mode(modes[i]);
        const uint64_t hash = run(avatar);
        const uint64_t after = get_mode();
        set_mode(before);
        CHECK_INT(after, modes[i]); // the update has restored the host's settings
        CHECK(hash == expected_hash);
    }
    vrm_avatar_release(avatar);
#else
    SKIP("nothing to set on this machine");
#endif
}

#if defined(HAVE_THREADS)

typedef struct worker {
    const vrm_avatar *avatar;
    uint64_t hash;
} worker;

static void *work(void *user)
{
    worker *w = user;
    w->hash = run(w->avatar);
    return NULL;
}

static void *serve(size_t size, size_t alignment, void *user)
{
    (void)user;
    return test_aligned_alloc(alignment, size);
}

static void take_back(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    test_aligned_free(memory);
}

// Two threads update two instances of one avatar, which counts its references atomically.
static void two_threads(void)
{
    fixture_begin(&fix);
    // The counting allocator is not used, because it is for a single thread.
    fix.allocator = (vrm_allocator){serve, take_back, NULL};
    fixture_everything(&fix);
    vrm_avatar *avatar = fixture_finish(&fix);
    write_script();
    worker workers[2] = {{avatar, 0}, {avatar, 1}};
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
    }
    CHECK(workers[0].hash == expected_hash && workers[1].hash == expected_hash);
    vrm_avatar_release(avatar);
}

#else
static void two_threads(void)
{
    SKIP("no POSIX threads");
}
#endif

static const test_case cases[] = {
    {"constant", constant},
    {"cooked", cooked},
    {"host_floating_point", host_floating_point},
    {"two_threads", two_threads},
};

RUN_TESTS(cases)
