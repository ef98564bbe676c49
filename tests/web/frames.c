// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// `frames FILE.vrm...` runs 1,000 frames of each file, as frames.mjs does in WebAssembly, and prints a checksum of all
// outputs. Inputs are quotients of small whole numbers, which C and JavaScript compute alike.

#include <stdio.h>
#include <stdlib.h>
#include <vrm/vrm.h>

enum { FRAMES = 1000 };

static uint32_t sums[2];

static void sum(const void *memory, size_t size)
{
    const uint32_t *words = memory;
    for (size_t i = 0; i < size / 4; ++i) {
        sums[0] = (sums[0] ^ words[i]) * 16777619u;
        sums[1] = (sums[1] + words[i]) * 2246822507u;
        sums[1] ^= sums[1] >> 13;
    }
}

static float swing(int frame, int period)
{
    return (float)(frame % period) / (float)period - 0.5f;
}

static void set_inputs(vrm_instance *instance, const vrm_avatar *avatar, int frame)
{
    const vrm_human_bone bones[] = {
        VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_LEG};
    for (int i = 0; i < 4; ++i) {
        if (vrm_avatar_get_bone_node(avatar, bones[i]) >= 0) {
            const vrm_quat turn = {
                i == 2 ? swing(frame, 50) : 0.0f, swing(frame, 40 + 10 * i), i == 1 ? 0.125f : 0.0f, 1.0f};
            vrm_instance_set_normalized_rotation(instance, bones[i], &turn);
        }
    }
    const vrm_dvec3 target = {(double)(frame % 90) / 30.0 - 1.5, 1.25, 2.0};
    vrm_instance_set_look_at_target(instance, &target);
    const vrm_root root = {
        {(double)(frame % 200) / 100.0, 0.0, (double)frame / 64.0}, {0.0f, swing(frame, 128), 0.0f, 1.0f}, 1.0f};
    vrm_instance_set_root(instance, &root);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    if (counts.expressions > 0) {
        const uint32_t expression = (uint32_t)(frame / 50) % counts.expressions;
        vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, expression, (float)(frame % 50) / 64.0f);
    }
    if (frame == 500) {
        vrm_spring_params springs;
        vrm_spring_params_default(&springs);
        springs.external = (vrm_vec3){0.25f, 0.0f, -0.125f};
        vrm_instance_set_spring_params(instance, &springs);
    }
}

static int run(const char *path)
{
    vrm_avatar *avatar = NULL;
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    if (vrm_avatar_load_file(NULL, path, NULL, &avatar) == VRM_SUCCESS) {
        def.avatar = avatar;
        (void)vrm_instance_create(&def, &instance);
    }
    if (instance == NULL) {
        fprintf(stderr, "frames: %s cannot be loaded\n", path);
        return 1;
    }
    sums[0] = sums[1] = 2166136261u;
    for (int frame = 0; frame < FRAMES; ++frame) {
        set_inputs(instance, avatar, frame);
        vrm_update_dt(instance, frame < 600 ? 1.0f / 64.0f : 3.0f / 256.0f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        sum(out.world, out.node_count * sizeof *out.world);
        sum(out.palette, out.palette_joint_count * sizeof *out.palette);
        sum(out.morphs, out.morph_count * sizeof *out.morphs);
        sum(out.materials, out.material_count * sizeof *out.materials);
        sum(out.expressions, out.expression_count * sizeof *out.expressions);
        sum(out.mesh_boxes, out.mesh_count * sizeof *out.mesh_boxes);
    }
    printf("%08x%08x\n", (unsigned)sums[0], (unsigned)sums[1]);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; ++i) {
        failed |= run(argv[i]);
    }
    return failed;
}
