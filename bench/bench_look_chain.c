// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures a look chain: the solver alone on six bones, and the stage within an avatar's frame, which also updates the
// nodes below the chain. `bench_look_chain [MODEL] [--json]` uses the generated sample if there is no model. The
// solver's problem is the same as in tools/compare/bench_look_chain.mjs, and the results are printed for comparison.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "math/look_solve.h"
#include "minimal_sample.h"
#include "procedural_motion.h"
#include "timing.h"

enum {
    TARGETS = 256,
    SHOWN = 16,
    ROUNDS = 15,
    REPEATS = 40,
    FRAMES = 100,
    FRAME_REPEATS = 20
}; // repeats make each measurement longer than the resolution of the clock, 1 us

static void make_problem(vrmi_look_problem *p)
{
    static const float degrees[6] = {10, 45, 25, 12, 12, 15}, around_up[6] = {0, 0, 0, 0.1f, 0.2f, 0.7f};
    static const vrm_vec3 offsets[6] = {
        {0, 0.06f, 0.08f}, {0, 0.08f, 0}, {0, 0.25f, 0}, {0, 0.12f, 0}, {0, 0.12f, 0}, {0, 1, 0}};
    const vrm_quat none = {0, 0, 0, 1};
    *p = (vrmi_look_problem){
        .count = 6, .up = {0, 1, 0}, .unit = 1.4f, .soft = 0.2f, .max_passes = VRMI_LOOK_MAX_PASSES};
    for (int i = 0; i < 6; ++i) {
        const float limit = degrees[i] * VRMI_PI / 180.0f;
        p->bones[i] = (vrmi_look_solve_bone){.hold = none,
            .offset = offsets[i],
            .local = none,
            .forward = {0, 0, 1},
            .frame = none,
            .rest = none,
            .limits = {limit, limit, limit},
            .roll = VRMI_PI,
            .around_up = around_up[i]};
    }
}

static vrm_vec3 target_at(int i)
{
    float turn, a, height, unused, sine, cosine;
    vrmi_sincos(0.37f * (float)i, &turn, &unused);
    a = 2.2f * turn;
    vrmi_sincos(1.7f * (float)i, &height, &unused);
    vrmi_sincos(a, &sine, &cosine);
    return vrmi_vec3(2.0f * sine, 1.5f + 0.5f * height, 2.0f * cosine);
}

static double time_solver(void)
{
    vrmi_look_problem template, p;
    make_problem(&template);
    double rounds[ROUNDS];
    volatile float sink = 0.0f;
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = elapsed_seconds();
        for (int i = 0; i < TARGETS * REPEATS; ++i) {
            p = template;
            p.target = target_at(i % TARGETS);
            vrmi_look_prepare(&p);
            vrmi_look_solve(&p);
            sink = sink + p.error;
        }
        rounds[round] = (elapsed_seconds() - start) * 1e6 / (TARGETS * REPEATS);
    }
    return median(rounds, ROUNDS);
}

static double time_frames(vrm_instance *instance, uint32_t mask)
{
    double rounds[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        double spent = 0.0;
        for (int frame = 0; frame < FRAMES; ++frame) {
            const vrm_vec3 t = target_at(frame / 4);
            const vrm_dvec3 target = {(double)t.x, (double)t.y, (double)t.z};
            scene_motion_apply(instance, SCENE_MOTION_WALK, (double)frame / 60.0);
            (void)vrm_instance_set_look_at_target(instance, &target);
            const vrm_update_params params = {.struct_size = sizeof params, .dt = 1.0f / 60.0f, .stages = mask};
            const double start = elapsed_seconds();
            for (int i = 0; i < FRAME_REPEATS; ++i) {
                vrm_update(instance, &params);
            }
            spent += elapsed_seconds() - start;
        }
        rounds[round] = spent * 1e6 / FRAMES / FRAME_REPEATS;
    }
    return median(rounds, ROUNDS);
}

static double time_stage(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.look_chain_bones = VRM_LOOK_CHAIN_PRESET_BONES;
    vrm_instance *instance;
    vrm_look_chain_def chain = {.struct_size = sizeof chain};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return -1.0;
    }
    double spent = -1.0;
    if (vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE, &chain, bones) == VRM_SUCCESS &&
        vrm_instance_set_look_chain(instance, &chain, NULL) == VRM_SUCCESS) {
        const double without = time_frames(instance, VRM_STAGE_POSE);
        spent = time_frames(instance, VRM_STAGE_POSE | VRM_STAGE_LOOK_CHAIN) - without;
    }
    vrm_instance_destroy(instance);
    return spent;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else {
            path = argv[i];
        }
    }
    vrm_bytes bytes;
    const vrm_result result =
        path != NULL ? vrm_read_file(path, UINT32_MAX, NULL, &bytes) : scene_minimal_sample(0, &bytes);
    vrm_avatar *avatar = NULL;
    if (result != VRM_SUCCESS || vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "bench_look_chain: cannot load %s\n", path != NULL ? path : "the sample");
        return 1;
    }
    const double solver = time_solver(), stage = time_stage(avatar);
    if (!json) {
        printf("six bones: %.2f us for the solver; %.2f us for the stage with the nodes below\n", solver, stage);
    } else {
        printf("{\"solver_us\":%.4f,\"stage_us\":%.4f,\"forward\":[", solver, stage);
        for (int i = 0; i < SHOWN; ++i) {
            vrmi_look_problem p;
            make_problem(&p);
            p.target = target_at(i);
            vrmi_look_prepare(&p);
            vrmi_look_solve(&p);
            const vrm_vec3 f = vrmi_quat_rotate(p.bones[0].world, p.bones[0].forward);
            printf("%s[%.7f,%.7f,%.7f]", i > 0 ? "," : "", (double)f.x, (double)f.y, (double)f.z);
        }
        printf("]}\n");
    }
    vrm_avatar_release(avatar);
    vrm_bytes_free(&bytes);
    return 0;
}
