// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The library's readers of untrusted bytes, as targets for libFuzzer (fixtures/fuzz.h).

#include <stdlib.h>

#include <vrm/vrm.h>

#include "avatar_file.h"
#include "damage.h"
#include "format/image_header.h"
#include "format/json/json.h"
#include "fuzz.h"

// The size of a file limits the memory that it may use; the sizes that the file declares do not.
enum { MOST_MEMORY = 256 << 20 };

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

// Returns the avatar for targets that read inputs at run time. It is created once per process.
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

// Loads a GLB, imports it, runs a frame, validates and repairs it.
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

static void read_geometry(const vrm_geometry *geometry)
{
    static const vrm_vertex_attribute attributes[] = {{VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 3, 0},
        {VRM_VERTEX_NORMAL, 0, VRM_VERTEX_SNORM16, 3, 12}, {VRM_VERTEX_TANGENT, 0, VRM_VERTEX_FLOAT16, 4, 20},
        {VRM_VERTEX_TEX_COORD, 0, VRM_VERTEX_FLOAT16, 2, 28}, {VRM_VERTEX_COLOR, 0, VRM_VERTEX_UNORM8, 4, 32},
        {VRM_VERTEX_JOINTS, 0, VRM_VERTEX_UINT16, 4, 36}, {VRM_VERTEX_WEIGHTS, 0, VRM_VERTEX_UNORM8, 4, 44}};
    vrm_geometry_info info = {.struct_size = sizeof info};
    vrm_geometry_get_info(geometry, &info);
    if (info.vertex_count > 100000 || info.index_count > 300000) {
        return;
    }
    const size_t size = (size_t)info.vertex_count * 48, index_size = (size_t)info.index_count * 4;
    void *vertices = malloc(size + 1), *indices = malloc(index_size + 1);
    vrm_vec3 *deltas = calloc((size_t)info.vertex_count + 1, sizeof *deltas);
    const vrm_vertex_target target = {.struct_size = sizeof target,
        .memory = vertices,
        .size = size,
        .stride = 48,
        .attributes = attributes,
        .attribute_count = sizeof attributes / sizeof *attributes};
    (void)vrm_geometry_write_vertices(geometry, &target);
    (void)vrm_geometry_write_indices(geometry, 4, indices, index_size);
    for (uint32_t i = 0; i < info.target_count && i < 8; ++i) {
        vrm_morph_deltas morph = {.struct_size = sizeof morph, .positions = deltas, .capacity = info.vertex_count};
        (void)vrm_geometry_read_deltas(geometry, i, &morph);
    }
    free(deltas);
    free(vertices);
    free(indices);
}

// Reads vertices as a renderer does: the file's own, and with everything generated.
static void run_mesh(const uint8_t *bytes, size_t size)
{
    vrm_gltf *gltf = NULL;
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.limits = small_limits();
    def.borrow_bytes = true;
    if (vrm_gltf_load(&def, bytes, size, NULL, &gltf) != VRM_SUCCESS) {
        return;
    }
    for (uint32_t i = 0; i < 16; ++i) { // two primitives each of four meshes, in two ways
        vrm_geometry *geometry = NULL;
        vrm_geometry_def how;
        vrm_geometry_def_default(&how);
        how.mesh = i / 4;
        how.primitive = i / 2 % 2;
        how.four_joints = how.flat_normals = how.flip_v = i % 2 == 1;
        how.tangents = i % 2 == 1 ? VRM_TANGENTS_MADE : VRM_TANGENTS_FILE;
        if (vrm_geometry_create(gltf, &how, NULL, &geometry) == VRM_SUCCESS) {
            read_geometry(geometry);
        }
        vrm_geometry_destroy(geometry);
    }
    vrm_gltf_destroy(gltf);
}

static void run_image(const uint8_t *bytes, size_t size)
{
    vrmi_image_header header;
    vrmi_image_header_read(bytes, size, &header);
    (void)vrmi_image_unsupported(bytes, size);
}

// Determines the type of a file from its first bytes.
static void run_peek(const uint8_t *bytes, size_t size)
{
    vrm_peek *peek = NULL;
    if (vrm_peek_create(NULL, bytes, size, NULL, &peek) == VRM_SUCCESS) {
        vrm_peek_info info = {.struct_size = sizeof info};
        vrm_peek_get_info(peek, &info);
    }
    vrm_peek_destroy(peek);
}

// Loads VRMA, glTF or BVH.
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

// Cancels after 20 calls: a script may ask for any number of frames, but the first ones are enough.
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

// --- the initial inputs
// ------------------------------------------------------------------------------------------------

// A file of 20 KB that has every feature once: it costs little time, and each change affects a feature.
static vrm_bytes seed_small(void)
{
    size_t size = 0;
    uint8_t *file = avatar_file_make(&size);
    const vrm_bytes bytes = fuzz_copy_of(file, size);
    free(file);
    return bytes;
}

// An animated WebP with a colour profile, whose header has the most content.
static vrm_bytes seed_image(void)
{
    static const char webp[] =
        "RIFF\x4a\0\0\0WEBPVP8X\x0a\0\0\0\x32\0\0\0\x0f\0\0\x0f\0\0ICCP\x04\0\0\0abcdANIM\6\0\0\0"
        "\0\0\0\0\0\0VP8L\x0d\0\0\0\x2f\x0f\xc0\x03\0\x88\x88\x08\xf9\x9f\0\0\0";
    return fuzz_copy_of(webp, sizeof webp - 1);
}

static vrm_bytes seed_json(void)
{
    vrm_bytes sample = make_sample();
    const size_t end = damage_json_end(sample.data, sample.size);
    const vrm_bytes json = fuzz_copy_of((const char *)sample.data + 20, end - 20);
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
    return fuzz_copy_of(bvh, sizeof bvh - 1);
}

static vrm_bytes seed_cooked(void)
{
    size_t size = 0;
    CHECK_INT(vrm_avatar_save(kept_avatar(), NULL, &size), VRM_SUCCESS);
    void *buffer = malloc(size);
    CHECK_INT(vrm_avatar_save(kept_avatar(), buffer, &size), VRM_SUCCESS);
    const vrm_bytes bytes = fuzz_copy_of(buffer, size);
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
    const vrm_bytes bytes = fuzz_copy_of(buffer, size);
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
    return fuzz_copy_of(script, sizeof script - 1);
}

static const fuzz_target targets[] = {
    {"json", run_json, seed_json},
    {"model", run_model, make_sample},
    {"small", run_model, seed_small}, // runs the same code as "model"
    {"mesh", run_mesh, seed_small},
    {"image", run_image, seed_image},
    {"peek", run_peek, seed_small},
    {"motion", run_motion, seed_motion},
    {"cooked", run_cooked, seed_cooked},
    {"snapshot", run_snapshot, seed_snapshot},
    {"ragdoll", run_ragdoll, seed_ragdoll},
    {"script", run_script, seed_script},
};

FUZZ_TARGETS(targets, vrm_avatar_release(kept_avatar()))
