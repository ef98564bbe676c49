// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Results that must be the same on every processor: the bytes of the generated sample and of its cooked form, and ten
// seconds of an avatar from a file cooked on another machine. `targets FILE` writes the file if it is missing.
// scripts/campaign/targets compares the output of two machines.

#include <stdio.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "base/allocator.h"
#include "hash.h"
#include "math/simd.h"
#include "minimal_sample.h"
#include "procedural_motion.h"

enum { FRAMES = 600 };

static void tell(const char *what, uint64_t hash)
{
    printf("%s: %016llx\n", what, (unsigned long long)hash);
}

// Returns the sample, cooked on this machine.
static void *cook(size_t *out_size)
{
    vrm_bytes bytes;
    vrm_avatar *avatar = NULL;
    if (scene_minimal_sample(0, &bytes) != VRM_SUCCESS ||
        vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) != VRM_SUCCESS ||
        vrm_avatar_save(avatar, NULL, out_size) != VRM_SUCCESS) {
        return NULL;
    }
    tell("the sample's bytes", hash_more(HASH_OF_NOTHING, bytes.data, bytes.size));
    void *cooked = malloc(*out_size);
    if (cooked != NULL && vrm_avatar_save(avatar, cooked, out_size) == VRM_SUCCESS) {
        tell("cooked", hash_more(HASH_OF_NOTHING, cooked, *out_size));
    }
    vrm_avatar_release(avatar);
    vrm_bytes_free(&bytes);
    return cooked;
}

static uint64_t run(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return 0;
    }
    uint64_t hash = HASH_OF_NOTHING;
    for (int frame = 0; frame < FRAMES; ++frame) {
        const scene_motion motion = (scene_motion)(1 + frame / 100 % (SCENE_MOTION_COUNT - 1));
        scene_motion_apply(instance, motion, (double)frame / 60.0);
        const vrm_dvec3 target = {(double)(frame % 90) / 30.0 - 1.5, 1.4, 2.0};
        (void)vrm_instance_set_look_at_target(instance, &target);
        const float weight = (float)(frame % 60) / 59.0f;
        (void)vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)(frame / 60), weight);
        vrm_update_dt(instance, frame < 300 ? 1.0f / 60.0f : 1.0f / 90.0f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        hash = hash_more(hash, out.world, out.node_count * sizeof(*out.world));
        hash = hash_more(hash, out.palette, out.palette_joint_count * sizeof(*out.palette));
        hash = hash_more(hash, out.morphs, out.morph_count * sizeof(*out.morphs));
        hash = hash_more(hash, out.materials, out.material_count * sizeof(*out.materials));
    }
    vrm_instance_destroy(instance);
    return hash;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: targets COOKED-FILE\n");
        return 2;
    }
#if defined(VRMI_SIMD_FOUR)
    fprintf(stderr, "lanes: %s\n", VRMI_SIMD_FOUR);
#endif
    size_t size = 0;
    void *cooked = cook(&size);
    vrm_bytes file = {0};
    if (cooked != NULL && vrm_read_file(argv[1], UINT32_MAX, NULL, &file) != VRM_SUCCESS) {
        FILE *stream = fopen(argv[1], "wb");
        const bool good = stream != NULL && fwrite(cooked, 1, size, stream) == size;
        if (stream == NULL || fclose(stream) != 0 || !good) {
            fprintf(stderr, "targets: %s cannot be written\n", argv[1]);
            return 1;
        }
        (void)vrm_read_file(argv[1], UINT32_MAX, NULL, &file);
    }
    free(cooked);
    vrm_allocator allocator;
    vrmi_default_allocator(&allocator);
    vrm_avatar *avatar = NULL;
    const vrm_result result = vrm_avatar_open(file.data, file.size, &allocator, &avatar);
    if (result != VRM_SUCCESS) {
        fprintf(stderr, "targets: %s: %s\n", argv[1], vrm_result_sentence(result));
        return 1;
    }
    tell("600 frames of the file", run(avatar));
    vrm_avatar_release(avatar);
    vrm_bytes_free(&file);
    return 0;
}
