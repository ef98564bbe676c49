// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Other people's avatars. Each file is written back byte for byte. If it loads, the avatar runs with every bone, the
// gaze and each expression in use, and all numbers are finite. If the models are not available, only generated avatars
// are tested.

#include "avatar_file.h"
#include "plain_instance.h"
#include "pose_of.h"

#if defined(_WIN32)
int main(void)
{
    return 77;
} // the test lists folders by POSIX calls
#else

#include <dirent.h>
#include <math.h>

enum { PATH_SIZE = 1024 };

static int count_not_finite(const float *numbers, size_t count)
{
    int found = 0;
    for (size_t i = 0; i < count; ++i) {
        found += !isfinite(numbers[i]);
    }
    return found;
}

// Returns the largest rotation of a node from rest (component x of the local rotation), or -1 if a number is not
// finite.
static float check_outputs(const vrm_instance *instance)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    int bad = count_not_finite(&out.viewpoint.translation.x, 10) + count_not_finite(&out.box.min.x, 6);
    vrm_transform *locals = poses_of(instance);
    bad += count_not_finite(&locals->translation.x, out.node_count * 10u);
    bad += out.node_count != 0 ? count_not_finite(&out.world[0].m[0][0], out.node_count * 12u) : 0;
    bad += out.palette_joint_count != 0 ? count_not_finite(&out.palette[0].m[0][0], out.palette_joint_count * 12u) : 0;
    bad += count_not_finite(out.morphs, out.morph_count);
    float moved = 0;
    for (uint32_t i = 0; i < out.node_count; ++i) {
        vrm_node node = {.struct_size = sizeof node};
        vrm_avatar_get_node(vrm_instance_get_avatar(instance), i, &node);
        const float change = fabsf(locals[i].rotation.x - node.rest.rotation.x);
        moved = change > moved ? change : moved;
    }
    free(locals);
    return bad != 0 ? -1 : moved;
}

static void run_avatar(const char *path, const vrm_avatar *avatar)
{
    vrm_instance *instance = plain_instance(avatar);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    float moved = 0;
    for (int frame = 0; frame < 60 && instance != NULL && moved >= 0; ++frame) {
        const float swing = sinf(0.2f * (float)frame);
        const vrm_quat rotation = {0.3f * swing, 0.1f, 0.0f, 0.95f};
        const vrm_dvec3 target = {(double)swing, 1.0, 1.0};
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &rotation);
        }
        (void)vrm_instance_set_look_at_target(instance, &target);
        if (counts.expressions != 0) {
            (void)vrm_instance_set_expression(
                instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)frame % counts.expressions, 0.7f);
        }
        vrm_update_dt(instance, 1.0f / 60.0f);
        moved = check_outputs(instance);
    }
    CHECK(moved > 0.01f);
    CHECK(instance == NULL || vrm_instance_get_status(instance) == 0);
    if (moved <= 0.01f) {
        printf("  %s: %s\n", path, moved < 0 ? "a number is not finite" : "nothing moves");
    }
    vrm_instance_destroy(instance);
}

// Returns 1 if the avatar ran, 0 if the file uses an unsupported feature and an error reports this.
static int check_bytes(const char *path, vrm_bytes file)
{
    vrm_bytes saved = {0};
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_gltf_load(NULL, file.data, file.size, report, &gltf), VRM_SUCCESS);
    if (gltf != NULL) {
        CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
        CHECK(saved.size == file.size && memcmp(saved.data, file.data, file.size) == 0);
        const vrm_result result = vrm_avatar_import(NULL, gltf, report, &avatar);
        CHECK(result == VRM_SUCCESS || result == VRM_ERROR_UNSUPPORTED);
        CHECK(result == VRM_SUCCESS || vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR) != 0);
    }
    vrm_gltf_destroy(gltf); // the avatar no longer needs the document
    const int ran = avatar != NULL;
    if (ran) {
        run_avatar(path, avatar);
    }
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
    vrm_bytes_free(&saved);
    return ran;
}

static int check_file(const char *path)
{
    vrm_bytes file = {0};
    CHECK_INT(vrm_read_file(path, UINT64_MAX, NULL, &file), VRM_SUCCESS);
    const int ran = check_bytes(path, file);
    vrm_bytes_free(&file);
    return ran;
}

// Tests generated avatars in the same way, so that the case also runs without other people's files.
static void made_avatars_run_and_are_written_back(void)
{
    for (int detail = VRM_SAMPLE_DETAIL_FULL; detail <= VRM_SAMPLE_DETAIL_MINIMAL; ++detail) {
        vrm_bytes file = {0};
        vrm_sample_params params;
        vrm_sample_params_default(&params);
        params.detail = (vrm_sample_detail)detail;
        CHECK_INT(vrm_sample_create(&params, &file), VRM_SUCCESS);
        CHECK_INT(check_bytes("the sample", file), 1);
        vrm_bytes_free(&file);
    }
    vrm_bytes small = {0};
    small.data = avatar_file_make(&small.size);
    CHECK_INT(check_bytes("an avatar with everything once", small), 1);
    free(small.data);
}

static void every_avatar_runs_and_is_written_back(void)
{
    static const char *const folders[] = {"models/conformance", "models/blender", "models/avatars"};
    int ran = 0, files = 0;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; ++f) {
        char folder[PATH_SIZE / 2], path[PATH_SIZE];
        DIR *dir = opendir(shared_path(folders[f], folder, sizeof folder));
        for (struct dirent *entry = dir != NULL ? readdir(dir) : NULL; entry != NULL; entry = readdir(dir)) {
            const size_t length = strlen(entry->d_name);
            if (length > 4 && strcmp(entry->d_name + length - 4, ".vrm") == 0 &&
                snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path) {
                ran += check_file(path);
                ++files;
            }
        }
        if (dir != NULL) {
            closedir(dir);
        }
    }
    if (files == 0) {
        SKIP("no shared models");
    }
    printf("%d files, %d run\n", files, ran);
    CHECK(ran >= 15); // at least the files of VRM 1.0
}

static const test_case cases[] = {{"made_avatars_run_and_are_written_back", made_avatars_run_and_are_written_back},
    {"every_avatar_runs_and_is_written_back", every_avatar_runs_and_is_written_back}};

RUN_TESTS(cases)

#endif
