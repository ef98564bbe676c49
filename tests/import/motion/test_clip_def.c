// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The fields of the defs for reading and writing motions.

#include "clip_fixture.h"
#include "gltf_builder.h"

// --- BVH -------------------------------------------------------------------------------------------------------------

static vrm_bytes written(float rate, float unit)
{
    vrm_clip_write_params def;
    vrm_clip_write_params_default(&def);
    def.rate = rate;
    def.unit = unit;
    vrm_clip *clip = make_clip(3);
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_clip_write_bvh(&def, clip, &bytes), VRM_SUCCESS);
    vrm_clip_release(clip);
    return bytes;
}

static const char *line_of(const vrm_bytes *bytes, const char *word)
{
    static char text[1 << 20];
    const size_t size = bytes->size < sizeof text - 1 ? bytes->size : sizeof text - 1;
    memcpy(text, bytes->data, size);
    text[size] = '\0';
    const char *line = strstr(text, word);
    return line != NULL ? line + strlen(word) : "";
}

// The rate determines the frame time and the number of frames.
static void bvh_is_written_at_the_rate(void)
{
    const float rates[2] = {24.0f, 100.0f};
    for (int i = 0; i < 2; ++i) {
        vrm_bytes bytes = written(rates[i], 0.01f);
        vrm_clip *clip = make_clip(3);
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_get_info(clip, &info);
        CHECK_NEAR(strtod(line_of(&bytes, "Frame Time:"), NULL), 1.0 / (double)rates[i], 1e-6);
        CHECK_NEAR(strtod(line_of(&bytes, "Frames:"), NULL), (double)(info.duration * rates[i]) + 1, 1);
        vrm_clip_release(clip);
        vrm_bytes_free(&bytes);
    }
}

// If a BVH is written and read with the same metres per unit, the hips keep their height. Otherwise the ratio of the
// units scales it.
static void bvh_has_its_unit(void)
{
    const float height = 1.0f; // the legs are four segments of 0.25 m
    const float units[3] = {0.01f, 0.0254f, 1.0f};
    for (int w = 0; w < 3; ++w) {
        vrm_bytes bytes = written(30.0f, units[w]);
        for (int r = 0; r < 3; ++r) {
            vrm_clip_def def;
            vrm_clip_def_default(&def);
            def.unit = units[r];
            vrm_clip *clip = NULL;
            vrm_clip_info info = {.struct_size = sizeof info};
            CHECK_INT(vrm_clip_load(&def, bytes.data, bytes.size, NULL, &clip), VRM_SUCCESS);
            vrm_clip_get_info(clip, &info);
            CHECK_NEAR(info.hips_rest.y, height * units[r] / units[w], 1e-4f * height * units[r] / units[w]);
            vrm_clip_release(clip);
        }
        vrm_bytes_free(&bytes);
    }
}

// --- glTF ------------------------------------------------------------------------------------------------------------

static uint8_t *make_glb(size_t *size)
{
    static const char *const names[4] = {"hips", "spine", "chest", "twig"};
    const float times[2] = {0.0f, 1.0f};
    const vrm_quat keys[2] = {{0, 0, 0, 1}, about(0, 1, 0, 0.5)};
    gltf_builder b = {0};
    const uint32_t input =
        gltf_builder_accessor(&b, times, sizeof times, 5126, 2, "SCALAR", ",\"min\":[0],\"max\":[1]");
    const uint32_t output = gltf_builder_accessor(&b, keys, sizeof keys, 5126, 2, "VEC4", "");
    for (int i = 0; i < 4; ++i) {
        char children[32] = "";
        snprintf(children, sizeof children, i < 3 ? ",\"children\":[%d]" : "", i + 1);
        gltf_builder_add(&b, "nodes", "{\"name\":\"%s\",\"translation\":[0,0.25,0]%s}", names[i], children);
    }
    gltf_builder_add(&b, "scenes", "{\"nodes\":[0]}");
    gltf_builder_add(&b, "animations",
        "{\"samplers\":[{\"input\":%u,\"output\":%u}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,"
        "\"path\":\"rotation\"}},{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"rotation\"}}]}",
        input, output);
    uint8_t *glb = gltf_builder_glb(&b, size);
    gltf_builder_free(&b);
    return glb;
}

static uint64_t bones_with(const char *map)
{
    size_t size;
    uint8_t *glb = make_glb(&size);
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    def.bone_map = (vrm_string){map, (uint32_t)strlen(map)};
    vrm_clip *clip = NULL;
    vrm_clip_info info = {.struct_size = sizeof info};
    if (vrm_clip_load(&def, glb, size, NULL, &clip) == VRM_SUCCESS) {
        vrm_clip_get_info(clip, &info);
    }
    vrm_clip_release(clip);
    free(glb);
    return info.bones;
}

// The map's names take precedence over the built-in names. A joint that is mapped to nothing is ignored.
static void nodes_are_the_bones_of_the_map(void)
{
    const uint64_t chest = UINT64_C(1) << BONE(CHEST), head = UINT64_C(1) << BONE(HEAD);
    const uint64_t neck = UINT64_C(1) << BONE(NECK);
    CHECK(bones_with("") == chest);
    CHECK(bones_with("twig = head\n") == (chest | head));
    CHECK(bones_with("twig = head\nchest = neck\n") == (neck | head));
    CHECK(bones_with("chest =\ntwig = head\n") == head);
}

// A joint that is mapped to two bones is reported, for users who write maps by hand.
static void a_joint_that_is_two_bones_is_named(void)
{
    static const char map[] = "spine = jaw\ntwig = leftUpperArm\n";
    size_t size;
    uint8_t *glb = make_glb(&size);
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    def.bone_map = (vrm_string){map, sizeof map - 1};
    vrm_report *report = NULL;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    vrm_clip *clip = NULL;
    CHECK_INT(vrm_clip_load(&def, glb, size, report, &clip), VRM_ERROR_INVALID_ASSET);
    bool named = false;
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        const vrm_finding *finding = vrm_report_get_finding(report, i);
        named = named || (finding->id == VRM_FINDING_VRM1_BONE_NOT_UNIQUE && strcmp(finding->path, "/nodes/1") == 0 &&
                             strcmp(finding->found, "spine is both spine and jaw") == 0);
    }
    CHECK(named);
    vrm_report_destroy(report);
    free(glb);
}

// --- both ------------------------------------------------------------------------------------------------------------

static bool stop(float fraction, const char *phase, void *user)
{
    (void)fraction;
    return strcmp(phase, user) != 0;
}

// The call ends if the progress function returns false, in any phase.
static void reading_can_be_cancelled(void)
{
    size_t size;
    uint8_t *glb = make_glb(&size);
    vrm_bytes bvh = written(1000.0f, 0.01f);
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    def.progress = stop;
    for (int i = 0; i < 4; ++i) {
        char phase[16];
        snprintf(phase, sizeof phase, "%s", i == 0 ? "animation" : i == 1 ? "frames" : "none");
        def.progress_user = phase;
        const bool text = i % 2 == 1;
        vrm_clip *clip = NULL;
        CHECK_INT(vrm_clip_load(&def, text ? bvh.data : glb, text ? bvh.size : size, NULL, &clip),
            i < 2 ? VRM_ERROR_CANCELLED : VRM_SUCCESS);
        CHECK((clip == NULL) == (i < 2));
        vrm_clip_release(clip);
    }
    free(glb);
    vrm_bytes_free(&bvh);
}

static void limits_hold(void)
{
    size_t size;
    uint8_t *glb = make_glb(&size);
    vrm_bytes bvh = written(60.0f, 0.01f);
    vrm_clip_def def;
    vrm_clip *clip = NULL;
    vrm_clip_def_default(&def);
    def.limits.max_nodes = 3;
    CHECK_INT(vrm_clip_load(&def, glb, size, NULL, &clip), VRM_ERROR_LIMIT);
    def.limits.max_nodes = 4;
    CHECK_INT(vrm_clip_load(&def, glb, size, NULL, &clip), VRM_SUCCESS);
    vrm_clip_release(clip);
    vrm_clip_def_default(&def);
    def.limits.max_memory = 64;
    clip = NULL;
    CHECK(vrm_clip_load(&def, bvh.data, bvh.size, NULL, &clip) != VRM_SUCCESS && clip == NULL);
    free(glb);
    vrm_bytes_free(&bvh);
}

// --- operations ------------------------------------------------------------------------------------------------------

static double farthest(const vrm_clip *a, const vrm_clip *b, float from, float to)
{
    double most = 0.0;
    for (float time = from; time <= to; time += 0.01f) {
        vrm_clip_pose x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        vrm_clip_sample(a, time, &x);
        vrm_clip_sample(b, time, &y);
        for (uint32_t i = 0; i < MOVED; ++i) {
            most = fmax(most, apart(x.rotations[moved[i]], y.rotations[moved[i]]));
        }
    }
    return most;
}

// The smaller the allowed error is, the more keys remain, and the closer their motion is to the original.
static void less_error_leaves_more_keys(void)
{
    vrm_clip *clip = make_clip(3), *fine = NULL;
    CHECK_INT(vrm_clip_resample(clip, 120.0f, &fine), VRM_SUCCESS);
    uint64_t before = UINT64_MAX;
    double off = -1.0;
    for (float error = 0.0005f; error < 0.1f; error *= 10.0f) {
        vrm_clip *less = NULL;
        vrm_clip_info info = {.struct_size = sizeof info};
        CHECK_INT(vrm_clip_reduce(fine, error, &less), VRM_SUCCESS);
        vrm_clip_get_info(less, &info);
        CHECK(info.keys < before);
        CHECK(farthest(fine, less, 0.0f, info.duration) > off);
        before = info.keys;
        off = farthest(fine, less, 0.0f, info.duration);
        vrm_clip_release(less);
    }
    vrm_clip_release(fine);
    vrm_clip_release(clip);
}

// Making a loop changes the clip's last seconds and nothing before them.
static void loops_change_their_end(void)
{
    const float seconds[3] = {0.2f, 0.5f, 1.0f};
    vrm_clip *clip = make_clip(3);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    for (int i = 0; i < 3; ++i) {
        vrm_clip *loop = NULL, *plain = NULL;
        CHECK_INT(vrm_clip_make_loop(clip, seconds[i], 240.0f, &loop), VRM_SUCCESS);
        CHECK_INT(vrm_clip_resample(clip, 240.0f, &plain), VRM_SUCCESS);
        const float begins = info.duration - seconds[i];
        CHECK(farthest(plain, loop, 0.0f, begins - 0.01f) < 1e-4);
        CHECK(farthest(plain, loop, begins + 0.4f * seconds[i], begins + 0.45f * seconds[i]) > 0.02);
        vrm_clip_release(loop);
        vrm_clip_release(plain);
    }
    vrm_clip_release(clip);
}

static const test_case cases[] = {
    {"bvh_is_written_at_the_rate", bvh_is_written_at_the_rate},
    {"bvh_has_its_unit", bvh_has_its_unit},
    {"a_joint_that_is_two_bones_is_named", a_joint_that_is_two_bones_is_named},
    {"nodes_are_the_bones_of_the_map", nodes_are_the_bones_of_the_map},
    {"reading_can_be_cancelled", reading_can_be_cancelled},
    {"limits_hold", limits_hold},
    {"less_error_leaves_more_keys", less_error_leaves_more_keys},
    {"loops_change_their_end", loops_change_their_end},
};

RUN_TESTS(cases)
