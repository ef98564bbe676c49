// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Cooked avatars. An opened avatar runs bit by bit as the loaded avatar does. A file that was truncated, changed or
// cooked by another build is refused. A forged file with a correct checksum cannot make the library read outside its
// tables.

#include "avatar_file.h"
#include "damage.h"
#include "minimal_sample.h"
#include "model/avatar_block.h"
#include "model/cook.h"
#include "plain_instance.h"
#include "test_allocator.h"

// The allocator of opened avatars.
static test_allocator memory;
static vrm_allocator plain;

static uint8_t *cook(const vrm_avatar *avatar, size_t *out_size)
{
    CHECK_INT(vrm_avatar_save(avatar, NULL, out_size), VRM_SUCCESS);
    uint8_t *bytes = malloc(*out_size);
    CHECK_INT(vrm_avatar_save(avatar, bytes, out_size), VRM_SUCCESS);
    return bytes;
}

static vrm_avatar *load(const void *bytes, size_t size)
{
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allow_plain_gltf = true;
    vrm_avatar *avatar = NULL;
    return vrm_avatar_load(&def, bytes, size, NULL, &avatar) == VRM_SUCCESS ? avatar : NULL;
}

static void drive(vrm_instance *instance, int frame)
{
    const vrm_quat turn = {0.02f * (float)(frame % 30), 0.3f, 0.0f, 1.0f};
    const vrm_dvec3 target = {0.5, 1.0, 1.0};
    (void)vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &turn);
    (void)vrm_instance_set_look_at_target(instance, &target);
    vrm_update_dt(instance, 1.0f / 60.0f);
}

static void check_the_same(const vrm_avatar *loaded, const vrm_avatar *opened)
{
    vrm_meta a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_avatar_get_meta(loaded, &a);
    vrm_avatar_get_meta(opened, &b);
    CHECK_INT(a.author_count, b.author_count);
    CHECK(a.name.length == b.name.length && memcmp(a.name.data, b.name.data, a.name.length) == 0);
    for (uint32_t i = 0; i < a.author_count; ++i) {
        CHECK(a.authors[i].length == b.authors[i].length &&
              memcmp(a.authors[i].data, b.authors[i].data, a.authors[i].length) == 0);
    }
    vrm_instance *of_loaded = plain_instance(loaded), *of_opened = plain_instance(opened);
    for (int frame = 0; frame < 30; ++frame) {
        drive(of_loaded, frame);
        drive(of_opened, frame);
    }
    vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
    vrm_instance_get_outputs(of_loaded, &x);
    vrm_instance_get_outputs(of_opened, &y);
    CHECK_INT(x.node_count, y.node_count);
    CHECK(memcmp(x.world, y.world, x.node_count * sizeof(*x.world)) == 0);
    CHECK(memcmp(x.palette, y.palette, x.palette_joint_count * sizeof(*x.palette)) == 0);
    CHECK(memcmp(x.morphs, y.morphs, x.morph_count * sizeof(*x.morphs)) == 0);
    vrm_instance_destroy(of_loaded);
    vrm_instance_destroy(of_opened);
}

// A file that is loaded and cooked twice gives the same bytes. From any address, the opened avatar runs the same and is
// cooked to the same bytes.
static void check_round_trip(const void *file, size_t file_size)
{
    vrm_avatar *loaded = load(file, file_size), *again = load(file, file_size);
    if (loaded == NULL || again == NULL) {
        vrm_avatar_release(loaded);
        vrm_avatar_release(again);
        return;
    }
    size_t size, again_size;
    uint8_t *bytes = cook(loaded, &size), *again_bytes = cook(again, &again_size);
    CHECK_INT(size, again_size);
    CHECK(memcmp(bytes, again_bytes, size) == 0);
    uint8_t *askew = malloc(size + 1);
    memcpy(askew + 1, bytes, size);
    vrm_avatar *opened = NULL;
    CHECK_INT(vrm_avatar_open(askew + 1, size, &plain, &opened), VRM_SUCCESS);
    free(askew);
    if (opened != NULL) {
        check_the_same(loaded, opened);
        size_t opened_size;
        uint8_t *opened_bytes = cook(opened, &opened_size);
        CHECK_INT(opened_size, size);
        CHECK(memcmp(opened_bytes, bytes, size) == 0);
        free(opened_bytes);
    }
    vrm_avatar_release(opened);
    vrm_avatar_release(loaded);
    vrm_avatar_release(again);
    free(bytes);
    free(again_bytes);
}

static void the_sample_and_one_of_everything(void)
{
    plain = test_allocator_make(&memory);
    vrm_bytes sample = {0};
    CHECK_INT(scene_minimal_sample(0, &sample), VRM_SUCCESS);
    check_round_trip(sample.data, sample.size);
    vrm_bytes_free(&sample);
    size_t size;
    uint8_t *file = avatar_file_make(&size);
    check_round_trip(file, size);
    free(file);
}

static void real_files(void)
{
    plain = test_allocator_make(&memory);
    static const char *const files[] = {"models/avatars/Godette_vrm_v4.vrm", "models/blender/VrmaInspector_Example.vrm",
        "models/blender/vrm_node_constraint_examples.glb", "models/blender/mtoon1_2_20_61_vrm1.vrm",
        "models/blender/debug_robot.vrm"};
    int found = 0;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i) {
        char path[512];
        vrm_bytes bytes = {0};
        if (vrm_read_file(shared_path(files[i], path, sizeof(path)), UINT32_MAX, NULL, &bytes) == VRM_SUCCESS) {
            ++found;
            check_round_trip(bytes.data, bytes.size);
        }
        vrm_bytes_free(&bytes);
    }
    if (found == 0) {
        SKIP("../shared/models is not there");
    }
}

static void cut_changed_and_foreign_bytes(void)
{
    plain = test_allocator_make(&memory);
    size_t file_size, size;
    uint8_t *file = avatar_file_make(&file_size);
    vrm_avatar *avatar = load(file, file_size), *opened = NULL;
    uint8_t *bytes = cook(avatar, &size);
    for (size_t cut = 0; cut < size; cut += cut < 256 ? 1 : 97) {
        CHECK_INT(vrm_avatar_open(bytes, cut, &plain, &opened), VRM_ERROR_INVALID_ASSET);
        CHECK(opened == NULL);
    }
    // Changes each bit of the header, and some bits of the model after it.
    const uint32_t head_bits = 8 * sizeof(vrmi_cooked_head);
    test_random random = test_random_make(1);
    for (uint32_t i = 0; i < head_bits + 1000; ++i) {
        const uint32_t bit = i < head_bits ? i : head_bits + test_random_below(&random, 8 * (uint32_t)size - head_bits);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(vrm_avatar_open(bytes, size, &plain, &opened) != VRM_SUCCESS);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(opened == NULL);
    }
    vrmi_cooked_head head;
    memcpy(&head, bytes, sizeof(head));
    ++head.version;
    memcpy(bytes, &head, sizeof(head));
    CHECK_INT(vrm_avatar_open(bytes, size, &plain, &opened), VRM_ERROR_UNSUPPORTED);
    --head.version;
    ++head.layout;
    memcpy(bytes, &head, sizeof(head));
    CHECK_INT(vrm_avatar_open(bytes, size, &plain, &opened), VRM_ERROR_UNSUPPORTED);
    CHECK_INT(vrm_avatar_open(file, file_size, &plain, &opened), VRM_ERROR_INVALID_ASSET);
    CHECK_INT(vrm_avatar_open(bytes, size, NULL, &opened), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_avatar_open(NULL, size, &plain, &opened), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_avatar_open(bytes, size, &plain, NULL), VRM_ERROR_INVALID_ARGUMENT);
    size_t little = size - 1;
    CHECK_INT(vrm_avatar_save(avatar, bytes, &little), VRM_ERROR_LIMIT);
    CHECK_INT(little, size);
    vrm_avatar_release(avatar);
    free(bytes);
    free(file);
}

// Readers of glTF and of motions recognise a cooked file, even one of another version.
static void other_readers_know_it(void)
{
    plain = test_allocator_make(&memory);
    size_t file_size, size;
    uint8_t *file = avatar_file_make(&file_size);
    vrm_avatar *avatar = load(file, file_size);
    uint8_t *bytes = cook(avatar, &size);
    ++bytes[offsetof(vrmi_cooked_head, version)];
    CHECK(vrm_avatar_is_cooked(bytes, size) && vrm_avatar_is_cooked(bytes, 8));
    CHECK(!vrm_avatar_is_cooked(bytes, 7) && !vrm_avatar_is_cooked(file, file_size) && !vrm_avatar_is_cooked(NULL, 0));
    vrm_report *report = NULL;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    vrm_gltf *gltf = NULL;
    vrm_clip *clip = NULL;
    for (int motion = 0; motion < 2; ++motion) {
        vrm_report_clear(report);
        CHECK_INT(
            motion ? vrm_clip_load(NULL, bytes, size, report, &clip) : vrm_gltf_load(NULL, bytes, size, report, &gltf),
            VRM_ERROR_NOT_GLTF);
        CHECK_INT(vrm_report_get_count(report), 1);
        CHECK(vrm_report_get_count(report) > 0 && vrm_report_get_finding(report, 0)->id == VRM_FINDING_COOKED_AVATAR);
    }
    CHECK(gltf == NULL && clip == NULL);
    vrm_report_destroy(report);
    vrm_avatar_release(avatar);
    free(bytes);
    free(file);
}

static void nothing_leaks_without_memory(void)
{
    size_t file_size, size;
    uint8_t *file = avatar_file_make(&file_size);
    vrm_avatar *avatar = load(file, file_size), *opened = NULL;
    uint8_t *bytes = cook(avatar, &size);
    plain = test_allocator_make(&memory);
    memory.fail_at = 0;
    CHECK_INT(vrm_avatar_open(bytes, size, &plain, &opened), VRM_ERROR_OUT_OF_MEMORY);
    CHECK(opened == NULL);
    vrm_avatar_release(avatar);
    free(bytes);
    free(file);
}

// Changes numbers of the model and corrects the checksum: the file is refused or gives an avatar that runs.
static void forged_models_are_refused_or_run(void)
{
    plain = test_allocator_make(&memory);
    size_t file_size, size;
    uint8_t *file = avatar_file_make(&file_size);
    vrm_avatar *avatar = load(file, file_size);
    uint8_t *bytes = cook(avatar, &size), *forged = malloc(size);
    int opened_count = 0;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        memcpy(forged, bytes, size);
        opened_count += damage_cooked(seed, forged, size, &plain) == VRM_SUCCESS;
    }
    CHECK(opened_count > 100); // false if nothing was tested
    CHECK(opened_count < 1900);
    vrm_avatar_release(avatar);
    CHECK_INT(memory.live_blocks, 0);
    CHECK_INT(memory.wrong, 0);
    free(forged);
    free(bytes);
    free(file);
}

static const test_case cases[] = {
    {"the_sample_and_one_of_everything", the_sample_and_one_of_everything},
    {"real_files", real_files},
    {"cut_changed_and_foreign_bytes", cut_changed_and_foreign_bytes},
    {"other_readers_know_it", other_readers_know_it},
    {"nothing_leaks_without_memory", nothing_leaks_without_memory},
    {"forged_models_are_refused_or_run", forged_models_are_refused_or_run},
};

RUN_TESTS(cases)
