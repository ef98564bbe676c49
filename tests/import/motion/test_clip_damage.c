// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Damaged motions: a .vrma and a BVH of a generated clip, and the files of ../shared. Also extreme values: NaN, keys
// out of order, a single key, a length of 0, a million keys.

#include "clip_damage.h"
#include "gltf_builder.h"
#include "shared_path.h"

static void run(const char *name, const vrm_bytes *file, int count)
{
    stage s;
    set_stage(&s, 1);
    uint8_t *copy = malloc(file->size);
    int good = 0;
    for (int seed = 0; seed < count; ++seed) {
        good += clip_damage_seed(&s, file, copy, (uint64_t)seed) == VRM_SUCCESS;
    }
    printf("%s: %d of %d damaged motions still played\n", name, good, count);
    CHECK(good > 0 && good < count);
    free(copy);
    strike(&s);
}

static void made_files(void)
{
    vrm_clip *clip = make_clip(31);
    vrm_bytes vrma, bvh;
    CHECK_INT(vrm_clip_write_vrma(NULL, clip, &vrma), VRM_SUCCESS);
    CHECK_INT(vrm_clip_write_bvh(NULL, clip, &bvh), VRM_SUCCESS);
    run("vrma", &vrma, 150);
    run("bvh", &bvh, 100);
    vrm_bytes_free(&vrma);
    vrm_bytes_free(&bvh);
    vrm_clip_release(clip);
}

static void real_files(void)
{
    static const char *const names[] = {"idle_loop.vrma", "original_01.vrma", "test.vrma"};
    for (int i = 0; i < 3; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/models/animations/%s", shared_folder(), names[i]);
        vrm_bytes bytes;
        if (vrm_read_file(path, UINT32_MAX, NULL, &bytes) != VRM_SUCCESS) {
            SKIP("the shared motions are not there");
        }
        run(names[i], &bytes, 20);
        vrm_bytes_free(&bytes);
    }
}

// Makes a file of a motion of the hips only, with the given keys.
static uint8_t *hips_file(const float *times_of, const float *rotations, uint32_t keys, size_t *out_size)
{
    gltf_builder b = {0};
    char range[96];
    snprintf(range, sizeof range, ",\"min\":[%.9g],\"max\":[%.9g]", (double)times_of[0], (double)times_of[keys - 1]);
    gltf_builder_accessor(&b, times_of, keys * sizeof(float), 5126, keys, "SCALAR", range);
    gltf_builder_floats(&b, rotations, keys * 4, keys, "VEC4");
    gltf_builder_add(&b, "nodes", "{\"name\":\"hips\",\"translation\":[0,1,0]}");
    gltf_builder_add(&b, "animations",
        "{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,"
        "\"target\":{\"node\":0,\"path\":\"rotation\"}}]}");
    gltf_builder_add(&b, "extensionsUsed", "\"VRMC_vrm_animation\"");
    gltf_builder_member(&b, "extensions",
        "{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{"
        "\"hips\":{\"node\":0}}}}}");
    uint8_t *glb = gltf_builder_glb(&b, out_size);
    gltf_builder_free(&b);
    return glb;
}

static void check_hips(const float *times_of, const float *rotations, uint32_t keys, uint64_t kept, float duration)
{
    size_t size;
    uint8_t *glb = hips_file(times_of, rotations, keys, &size);
    vrm_clip *clip = NULL;
    vrm_report *report;
    vrm_report_create(NULL, &report);
    const vrm_result result = vrm_clip_load(NULL, glb, size, report, &clip);
    if (result == VRM_SUCCESS) {
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_get_info(clip, &info);
        CHECK_INT(info.keys, kept);
        CHECK_NEAR(info.duration, duration, 1e-6);
        stage s;
        set_stage(&s, 1);
        clip_damage_play(&s, clip, &info);
        clip_damage_edit(clip, &info);
        strike(&s);
    } else {
        CHECK_INT(kept, 0);
        CHECK(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR) != 0);
    }
    vrm_report_destroy(report);
    vrm_clip_release(clip);
    free(glb);
}

static void odd_keys(void)
{
    const float rotations[16] = {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0};
    const float one[1] = {0.5f}, zero[1] = {0.0f}, rising[4] = {0, 1, 2, 3}, same[4] = {1, 1, 1, 1};
    const float unsorted[4] = {0, 2, 1, 3};
    check_hips(one, rotations, 1, 1, 0.5f);
    check_hips(zero, rotations, 1, 1, 0.0f);
    check_hips(rising, rotations, 4, 4, 3.0f);
    check_hips(same, rotations, 4, 1, 1.0f);
    check_hips(unsorted, rotations, 4, 3, 3.0f);
    float bad[16];
    memcpy(bad, rotations, sizeof bad);
    bad[5] = NAN;
    bad[8] = INFINITY;
    check_hips(rising, bad, 4, 4, 3.0f);
    const float nothing[16] = {0};
    check_hips(rising, nothing, 4, 4, 3.0f);
}

static void many_keys(void)
{
    enum { MANY = 1000000 };
    float *t = malloc(MANY * sizeof *t), *q = malloc(MANY * 4 * sizeof *q);
    for (int i = 0; i < MANY; ++i) {
        t[i] = (float)i * 0.001f;
        const float v[4] = {0.0f, i % 2 == 0 ? 0.0f : 0.6f, 0.0f, i % 2 == 0 ? 1.0f : 0.8f};
        memcpy(q + (size_t)i * 4, v, sizeof v);
    }
    size_t size;
    uint8_t *glb = hips_file(t, q, MANY, &size);
    vrm_clip *clip = NULL;
    CHECK_INT(vrm_clip_load(NULL, glb, size, NULL, &clip), VRM_SUCCESS);
    if (clip == NULL) {
        free(glb);
        free(t);
        free(q);
        return;
    }
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    CHECK_INT(info.keys, MANY);
    uint32_t seed = 1;
    for (int i = 0; i < 1000; ++i) { // in any order
        const int key = (int)(noise(&seed) * (MANY - 1));
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, t[key], &pose);
        CHECK_NEAR(pose.rotations[0].w, key % 2 == 0 ? 1.0f : 0.8f, 1e-3);
    }
    vrm_clip_release(clip);
    free(glb);
    free(t);
    free(q);
}

static const test_case cases[] = {
    {"made_files", made_files}, {"real_files", real_files}, {"odd_keys", odd_keys}, {"many_keys", many_keys}};
RUN_TESTS(cases)
