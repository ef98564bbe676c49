// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What reads bytes of strangers, as targets for libFuzzer: scripts/campaign/fuzz compiles this file with FUZZ_TARGET, the name of one.
// The suite runs each on what it is made from here, and on damage to that; with VRM_FUZZ_CORPUS, a folder, it writes the sound
// inputs there, as libFuzzer's first ones.

#include <stdlib.h>

#include <vrm/vrm.h>

#include "base/allocator.h"
#include "damage.h"
#include "format/json/json.h"
#include "test.h"

// A file costs what its size is worth, not what it says.
enum { MOST_BYTES = 1 << 20, MOST_MEMORY = 256 << 20 };

static vrm_limits small_limits(void)
{
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.limits.max_memory = MOST_MEMORY;
    return def.limits;
}

static vrm_bytes make_sample(void)
{
    vrm_bytes bytes = {0};
    vrm_sample_params params;
    vrm_sample_params_default(&params);
    params.detail = VRM_SAMPLE_DETAIL_MINIMAL;
    CHECK_INT(vrm_sample_create(&params, &bytes), VRM_SUCCESS);
    return bytes;
}

// The avatar that inputs of a running program are read for; made once, which a fuzzer's process keeps.
static vrm_avatar *kept_avatar(void)
{
    static vrm_avatar *avatar;
    if (avatar == NULL) {
        vrm_bytes bytes = make_sample();
        CHECK_INT(vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar), VRM_SUCCESS);
        vrm_bytes_free(&bytes);
    }
    return avatar;
}

static void move(vrm_avatar *avatar)
{
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    if (vrm_instance_create(&def, &instance) == VRM_SUCCESS) {
        vrm_update_dt(instance, 0.02f);
        vrm_update_dt(instance, 0.5f);
    }
    vrm_instance_destroy(instance);
}

// --- targets ---------------------------------------------------------------------------------------------------------

static void run_json(const uint8_t *bytes, size_t size)
{
    vrmi_json json;
    vrm_allocator allocator;
    vrmi_resolve_allocator(NULL, &allocator);
    const vrmi_json_limits limits = {.max_depth = 64, .max_memory = MOST_MEMORY};
    if (vrmi_json_parse(&json, (const char *)bytes, size, &allocator, &limits, NULL) == VRM_SUCCESS) {
        char path[256];
        for (uint32_t value = 0; value < json.count && value < 1000; ++value) {
            vrmi_json_path(&json, value, path, sizeof path);
            (void)vrmi_json_unescape(&json, value, path, sizeof path);
        }
        vrmi_json_free(&json);
    }
}

// GLB, import, a frame, and validation with its repairs.
static void run_model(const uint8_t *bytes, size_t size)
{
    vrm_gltf *gltf = NULL;
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.limits = small_limits();
    def.borrow_bytes = true;
    vrm_report *report = NULL;
    (void)vrm_report_create(NULL, &report);
    if (vrm_gltf_load(&def, bytes, size, report, &gltf) == VRM_SUCCESS) {
        vrm_avatar *avatar = NULL;
        vrm_avatar_def avatar_def;
        vrm_avatar_def_default(&avatar_def);
        avatar_def.limits = small_limits();
        avatar_def.allow_plain_gltf = true;
        if (vrm_avatar_import(&avatar_def, gltf, report, &avatar) == VRM_SUCCESS) {
            move(avatar);
        }
        vrm_avatar_release(avatar);
        vrm_validate_params params;
        vrm_validate_params_default(&params);
        params.limits = small_limits();
        vrm_report_clear(report);
        if (vrm_validate(&params, bytes, size, report, NULL) == VRM_SUCCESS) {
            vrm_bytes repaired = {0};
            (void)vrm_validate_repair(gltf, report, NULL);
            (void)vrm_gltf_save(gltf, &repaired);
            vrm_bytes_free(&repaired);
        }
    }
    vrm_gltf_destroy(gltf);
    vrm_report_destroy(report);
}

// VRMA, glTF or BVH.
static void run_motion(const uint8_t *bytes, size_t size)
{
    vrm_clip *clip = NULL;
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    def.limits = small_limits();
    if (vrm_clip_load(&def, bytes, size, NULL, &clip) == VRM_SUCCESS) {
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, 0.25f, &pose);
    }
    vrm_clip_release(clip);
}

static void run_cooked(const uint8_t *bytes, size_t size)
{
    vrm_avatar *avatar = NULL;
    vrm_allocator allocator;
    vrmi_resolve_allocator(NULL, &allocator);
    if (vrm_avatar_open(bytes, size, &allocator, &avatar) == VRM_SUCCESS) {
        move(avatar);
    }
    vrm_avatar_release(avatar);
}

static void run_snapshot(const uint8_t *bytes, size_t size)
{
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = kept_avatar();
    if (vrm_instance_create(&def, &instance) == VRM_SUCCESS) {
        if (vrm_instance_restore(instance, bytes, size) == VRM_SUCCESS) {
            vrm_update_dt(instance, 0.02f);
        }
    }
    vrm_instance_destroy(instance);
}

static void run_ragdoll(const uint8_t *bytes, size_t size)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    const vrm_string json = {(const char *)bytes, (uint32_t)size};
    (void)vrm_ragdoll_def_from_json(kept_avatar(), json, NULL, NULL, &def);
}

// A script may ask for any number of frames: the first ones will do.
static bool few_calls(float fraction, const char *phase, void *user)
{
    (void)fraction, (void)phase;
    return ++*(int *)user < 20;
}

static void run_script(const uint8_t *bytes, size_t size)
{
    const vrm_string script = {(const char *)bytes, (uint32_t)size};
    vrm_bytes trace = {0};
    int calls = 0;
    vrm_trace_params params;
    vrm_trace_params_default(&params);
    params.progress = few_calls;
    params.progress_user = &calls;
    (void)vrm_trace_run(&params, kept_avatar(), script, NULL, &trace);
    vrm_bytes_free(&trace);
}

// --- what they begin with --------------------------------------------------------------------------------------------

static vrm_bytes copy_of(const void *data, size_t size)
{
    vrm_bytes bytes = {.size = size};
    vrmi_resolve_allocator(NULL, &bytes.allocator);
    bytes.data = vrmi_allocate(&bytes.allocator, size, 16);
    memcpy(bytes.data, data, size);
    return bytes;
}

static vrm_bytes seed_json(void)
{
    vrm_bytes sample = make_sample();
    const size_t end = damage_json_end(sample.data, sample.size);
    const vrm_bytes json = copy_of((const char *)sample.data + 20, end - 20);
    vrm_bytes_free(&sample);
    return json;
}

static vrm_bytes seed_motion(void)
{
    static const char bvh[] =
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation Yrotation\nJOINT Spine\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation "
        "Yrotation\nJOINT Head\n{\nOFFSET 0 40 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd "
        "Site\n{\nOFFSET 0 10 0\n}\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.033333\n0 90 0 0 0 0 "
        "0 0 0 0 0 0\n1 90 0 10 0 0 0 5 0 0 0 1.5e1\n";
    return copy_of(bvh, sizeof bvh - 1);
}

static vrm_bytes seed_cooked(void)
{
    size_t size = 0;
    CHECK_INT(vrm_avatar_save(kept_avatar(), NULL, &size), VRM_SUCCESS);
    void *buffer = malloc(size);
    CHECK_INT(vrm_avatar_save(kept_avatar(), buffer, &size), VRM_SUCCESS);
    const vrm_bytes bytes = copy_of(buffer, size);
    free(buffer);
    return bytes;
}

static vrm_bytes seed_snapshot(void)
{
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = kept_avatar();
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    vrm_update_dt(instance, 0.1f);
    size_t size = 0;
    CHECK_INT(vrm_instance_snapshot(instance, NULL, &size), VRM_SUCCESS);
    void *buffer = malloc(size);
    CHECK_INT(vrm_instance_snapshot(instance, buffer, &size), VRM_SUCCESS);
    const vrm_bytes bytes = copy_of(buffer, size);
    free(buffer);
    vrm_instance_destroy(instance);
    return bytes;
}

static vrm_bytes seed_ragdoll(void)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrm_bytes json = {0};
    CHECK_INT(vrm_ragdoll_def_build(kept_avatar(), NULL, NULL, NULL, &def), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_def_to_json(&def, NULL, &json), VRM_SUCCESS);
    return json;
}

static vrm_bytes seed_script(void)
{
    static const char script[] =
        "{\"dt\":0.02,\"frames\":4,\"mode\":\"normalized\",\"time\":\"reference\",\"sample\":{\"every\":2},\"events\":["
        "{\"frame\":0,\"humanBoneRotation\":{\"head\":[0.6,0,0,0.8]},\"expression\":{\"happy\":0.5}},"
        "{\"frame\":1,\"root\":{\"translation\":[5,0,0]},\"lookAtTarget\":[0,1,2],\"lookChain\":\"upper-body\"},"
        "{\"frame\":2,\"yawPitch\":[10,20],\"resetSprings\":true,\"lod\":\"sleep\"}]}";
    return copy_of(script, sizeof script - 1);
}

static const struct {
    const char *name;
    void (*run)(const uint8_t *bytes, size_t size);
    vrm_bytes (*seed)(void);
} targets[] = {
    {"json", run_json, seed_json},
    {"model", run_model, make_sample},
    {"motion", run_motion, seed_motion},
    {"cooked", run_cooked, seed_cooked},
    {"snapshot", run_snapshot, seed_snapshot},
    {"ragdoll", run_ragdoll, seed_ragdoll},
    {"script", run_script, seed_script},
};

#ifdef FUZZ_TARGET

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets && size <= MOST_BYTES; ++i) {
        if (strcmp(targets[i].name, FUZZ_TARGET) == 0) {
            targets[i].run(bytes, size);
        }
    }
    return 0;
}

#else

static void write_seed(const char *name, const vrm_bytes *seed)
{
    const char *folder = getenv("VRM_FUZZ_CORPUS");
    char path[512];
    if (folder != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        FILE *file = fopen(path, "wb");
        CHECK(file != NULL && fwrite(seed->data, 1, seed->size, file) == seed->size);
        if (file != NULL) {
            fclose(file);
        }
    }
}

// Whole, cut off, and with bytes changed: nothing of it may end the program or, under the sanitizers, touch what is not its own.
static void targets_survive_damage(void)
{
    test_random random = test_random_make(14);
    for (size_t t = 0; t < sizeof targets / sizeof *targets; ++t) {
        vrm_bytes seed = targets[t].seed();
        CHECK(seed.size > 100);
        write_seed(targets[t].name, &seed);
        targets[t].run(seed.data, seed.size);
        targets[t].run(seed.data, 0);
        uint8_t *copy = malloc(seed.size);
        for (int i = 0; i < 40; ++i) {
            memcpy(copy, seed.data, seed.size);
            for (uint32_t change = test_random_below(&random, 6); change > 0; --change) {
                copy[test_random_below(&random, (uint32_t)seed.size)] ^= (uint8_t)(1u << test_random_below(&random, 8));
            }
            targets[t].run(copy, i % 4 == 0 ? test_random_below(&random, (uint32_t)seed.size) : seed.size);
        }
        free(copy);
        vrm_bytes_free(&seed);
    }
    vrm_avatar_release(kept_avatar());
}

static const test_case cases[] = {{"targets_survive_damage", targets_survive_damage}};

RUN_TESTS(cases)

#endif
