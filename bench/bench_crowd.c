// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures whole frames of a crowd of avatars with light ragdolls, on one thread: the walk, the first half of the frame
// with its targets, the solver in lanes, passing the states, the second half with hair, eyes and outputs. `bench_crowd
// [--json] [COUNT [BATCH]]`: BATCH avatars at a time go through all these steps (default 16, which fit in the cache).

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "minimal_sample.h"
#include "procedural_motion.h"
#include "timing.h"

enum { FRAMES = 60, LARGEST_BATCH = 1024 };

static const float frame_seconds = 1.0f / 60.0f;

enum { MOTION, POSE, SOLVER, STATES, SECONDARY, PARTS };
static const char *const part_names[PARTS] = {
    "motion given", "first half", "solver", "states handed over", "second half"};

// A level of detail for one avatar.
typedef struct level {
    const char *name;
    vrm_ragdoll_detail detail;
    float step;        // the solver's step, seconds
    uint32_t left_out; // stages that are omitted
} level;

static const level levels[] = {
    {"near: 16 bodies, 120 steps a second", VRM_RAGDOLL_DETAIL_16, 1.0f / 120.0f, 0},
    {"far: 7 bodies, 60 steps a second, hair does not swing", VRM_RAGDOLL_DETAIL_7, 1.0f / 60.0f, VRM_STAGE_SPRING},
};
enum { LEVELS = sizeof levels / sizeof levels[0] };

typedef struct crowd {
    uint32_t count, batch, bodies;
    const level *level;
    vrm_instance **instances;
    vrm_ragdoll_solver **solvers;
    vrm_ragdoll_targets targets[LARGEST_BATCH];
    const vrm_ragdoll_targets *pointers[LARGEST_BATCH];
    vrm_update_params update;
    void *scratch;
    size_t scratch_size;
} crowd;

// The event that happens to the avatars.
typedef enum plot { NOTHING, DRIVEN, THROWN, ASLEEP, PLOTS } plot;
static const char *const plot_names[PLOTS] = {
    "without ragdoll", "walking, simulated and driven", "thrown over, in the first second", "lying, asleep"};

static void require(bool good)
{
    if (!good) {
        fputs("bench_crowd: out of memory, or no sample\n", stderr);
        exit(1);
    }
}

static void begin(crowd *c, const vrm_avatar *avatar, const vrm_gltf *gltf)
{
    static vrm_ragdoll_def definition = {.struct_size = sizeof definition};
    const vrm_ragdoll_def *def = &definition;
    vrm_ragdoll_build_params build;
    vrm_ragdoll_build_params_default(&build);
    build.detail = c->level->detail;
    require(vrm_ragdoll_def_build(avatar, gltf, &build, NULL, &definition) == VRM_SUCCESS);
    c->bodies = def->body_count;
    c->scratch_size = vrm_ragdoll_solver_get_scratch_size(c->bodies);
    c->scratch = aligned_alloc(64, (c->scratch_size + 63) / 64 * 64);
    c->instances = calloc(c->count, sizeof(*c->instances));
    c->solvers = calloc(c->count, sizeof(*c->solvers));
    require(c->scratch != NULL && c->instances != NULL && c->solvers != NULL);
    vrm_update_params_default(&c->update);
    c->update.dt = frame_seconds;
    c->update.stages &= ~c->level->left_out;
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_ragdoll_params_default(&settings);
    settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    for (uint32_t i = 0; i < c->count; ++i) {
        vrm_instance_def instance;
        vrm_ragdoll_solver_def params;
        vrm_instance_def_default(&instance);
        instance.avatar = avatar;
        instance.ragdoll_bodies = c->bodies;
        vrm_ragdoll_solver_def_default(&params);
        params.def = def;
        params.step = c->level->step;
        require(vrm_instance_create(&instance, &c->instances[i]) == VRM_SUCCESS &&
                vrm_instance_set_ragdoll(c->instances[i], def, &settings) == VRM_SUCCESS &&
                vrm_ragdoll_solver_create(&params, &c->solvers[i]) == VRM_SUCCESS);
        const vrm_dvec3 gaze = {0.5, 1.2, 3.0};
        (void)vrm_instance_set_look_at_target(c->instances[i], &gaze);
    }
}

static void end(crowd *c)
{
    for (uint32_t i = 0; i < c->count; ++i) {
        vrm_ragdoll_solver_destroy(c->solvers[i]);
        vrm_instance_destroy(c->instances[i]);
    }
    free(c->solvers);
    free(c->instances);
    free(c->scratch);
}

// Adds the time since the last call to an entry of `spent`.
static void mark(double *spent, double *last)
{
    const double now = elapsed_seconds();
    *spent += now - *last;
    *last = now;
}

static void run_batch(crowd *c, uint32_t first, uint32_t count, double time, double spent[PARTS])
{
    vrm_instance *const *instances = c->instances + first;
    double last = elapsed_seconds();
    for (uint32_t i = 0; i < count; ++i) {
        scene_motion_apply(instances[i], SCENE_MOTION_WALK, time + 0.37 * (double)(first + i));
    }
    mark(&spent[MOTION], &last);
    vrm_update_many_pose(instances, count, &c->update, NULL);
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
        c->targets[i].struct_size = sizeof c->targets[i];
        (void)vrm_instance_get_ragdoll_targets(instances[i], &c->targets[i]);
        c->pointers[i] = &c->targets[i];
        any = any || c->targets[i].active;
    }
    mark(&spent[POSE], &last);
    if (any) {
        vrm_ragdoll_solver_step_many(
            c->solvers + first, c->pointers, count, frame_seconds, (vrm_scratch){c->scratch, c->scratch_size});
    }
    mark(&spent[SOLVER], &last);
    for (uint32_t i = 0; i < count && any; ++i) {
        vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
        const vrm_dvec3 *origin = &c->targets[i].origin;
        vrm_ragdoll_solver_get_states(c->solvers[first + i], origin, states, c->bodies);
        (void)vrm_instance_set_ragdoll_states(instances[i], origin, states, c->bodies);
    }
    mark(&spent[STATES], &last);
    vrm_update_many_secondary(instances, count, &c->update, NULL);
    mark(&spent[SECONDARY], &last);
}

static void run(crowd *c, double start, int frames, double spent[PARTS])
{
    for (int frame = 0; frame < frames; ++frame) {
        for (uint32_t first = 0; first < c->count; first += c->batch) {
            const uint32_t left = c->count - first;
            run_batch(c, first, left < c->batch ? left : c->batch, start + frame / 60.0, spent);
        }
    }
}

static void happen(crowd *c, plot what)
{
    for (uint32_t i = 0; i < c->count; ++i) {
        vrm_ragdoll_params settings = {.struct_size = sizeof settings};
        vrm_instance_get_ragdoll_params(c->instances[i], &settings);
        settings.always = what == DRIVEN;
        (void)vrm_instance_set_ragdoll_params(c->instances[i], &settings);
        if (what == THROWN) {
            const vrm_dvec3 center = {0.1, 0.2, i % 2 == 0 ? 0.5 : -0.5};
            (void)vrm_instance_explode_ragdoll(c->instances[i], &center, 120.0f + (float)(i % 7) * 10.0f, 3.0f);
        }
    }
}

static void print(plot what, const double spent[PARTS], uint32_t count, bool json)
{
    const double per = 1e6 / ((double)FRAMES * count);
    double sum = 0.0;
    if (json) {
        printf("%s\"%s\": {", what != NOTHING ? ", " : "", plot_names[what]);
    } else {
        printf("  %s\n", plot_names[what]);
    }
    for (int i = 0; i < PARTS; ++i) {
        sum += spent[i] * per;
        printf(json ? "\"%s\": %.3f, " : "    %-20s %7.2f\n", part_names[i], spent[i] * per);
    }
    printf(json ? "\"sum\": %.3f, \"fit\": %.0f}" : "    sum                  %7.2f: %.0f fit one thread at 60 Hz\n",
        sum, 1e6 / 60.0 / sum);
}

static void tell(crowd *c, bool json)
{
    // The number of frames before the measurement: the avatars then walk in step with their bodies, or sleep.
    static const int before[PLOTS] = {30, 30, 0, 240};
    static const double starts[PLOTS] = {0.0, 1.0, 2.5, 3.5};
    for (plot what = NOTHING; what < PLOTS; what = (plot)(what + 1)) {
        double unused[PARTS] = {0}, spent[PARTS] = {0};
        happen(c, what);
        run(c, starts[what], before[what], unused);
        run(c, starts[what] + before[what] / 60.0, FRAMES, spent);
        print(what, spent, c->count, json);
    }
}

int main(int argc, char **argv)
{
    static crowd c;
    const bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    const char *const *numbers = (const char *const *)argv + (json ? 2 : 1);
    const int given = argc - (json ? 2 : 1);
    c.count = given > 0 ? (uint32_t)atoi(numbers[0]) : 1000;
    c.batch = given > 1 ? (uint32_t)atoi(numbers[1]) : 16;
    vrm_bytes bytes = {0};
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    require(c.count > 0 && c.batch > 0 && c.batch <= LARGEST_BATCH);
    require(scene_minimal_sample(0, &bytes) == VRM_SUCCESS &&
            vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf) == VRM_SUCCESS &&
            vrm_avatar_import(NULL, gltf, NULL, &avatar) == VRM_SUCCESS);
    printf(json ? "{" : "%u avatars, %u at a time; microseconds an avatar and frame\n", c.count, c.batch);
    for (int i = 0; i < LEVELS; ++i) {
        c.level = &levels[i];
        begin(&c, avatar, gltf);
        printf(json ? "%s\"%s\": {" : "%s\n%s\n", json && i > 0 ? ", " : "", c.level->name);
        tell(&c, json);
        printf(json ? "}" : "");
        end(&c);
    }
    printf(json ? "}\n" : "");
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
    return 0;
}
