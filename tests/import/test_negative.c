// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Files of other projects. Broken files must give the expected findings, valid files must load, and all are written
// back byte for byte. Skipped if the models are not available.

#include "avatar_file.h"

#if defined(_WIN32)
int main(void)
{
    return 77;
} // the test lists folders by POSIX calls
#else

#include <dirent.h>

enum { PATH_SIZE = 512, LIST_SIZE = 64 };

typedef struct negative_case {
    const char *file;
    vrm_result result;
    vrm_finding_id id;
    const char *path;
} negative_case;

#define HUMAN_BONES_0 "/extensions/VRM/humanoid/humanBones"
#define HUMAN_BONES "/extensions/VRMC_vrm/humanoid/humanBones"

// The expected result of every file of negative/.
static const negative_case negatives[] = {
    {"dangling_texture_index.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_UNRESOLVED_REFERENCE,
        "/materials/0/pbrMetallicRoughness/baseColorTexture/index"},
    {"draco.vrm", VRM_SUCCESS, VRM_FINDING_EXTENSION_GEOMETRY_UNREADABLE, "/extensionsRequired/0"},
    {"duplicate_humanoid_bone.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_VRM0_BONE_DUPLICATE, HUMAN_BONES_0 "/1/bone"},
    {"empty.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_VRM1_NO_VRM_EXTENSION, ""},
    {"extensions_required.vrm", VRM_SUCCESS, VRM_FINDING_VRM0_VRM_EXTENSION, "/extensions/VRM"},
    {"human_bone.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_UNRESOLVED_REFERENCE, HUMAN_BONES_0 "/0/node"},
    {"malformed_glb_json.vrm", VRM_ERROR_NOT_GLTF, VRM_FINDING_INVALID_JSON, ""},
    {"missing_spring_collider_group.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_UNRESOLVED_REFERENCE,
        "/extensions/VRMC_springBone/springs/0/colliderGroups/0"},
    {"nonfinite_transform.vrm", VRM_ERROR_NOT_GLTF, VRM_FINDING_INVALID_JSON, ""},
    {"nonobject_vrm_extension.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_TYPE_MISMATCH, "/extensions/VRMC_vrm"},
    {"oob_expression_morph.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_VRM1_MORPH_TARGET_INDEX_OOB,
        "/extensions/VRMC_vrm/expressions/preset/happy/morphTargetBinds/0/index"},
    {"out_of_range_joints.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_ACCESSOR_JOINTS_INDEX_OOB, "/accessors/1"},
    {"unmapped_humanoid_node.vrm", VRM_ERROR_INVALID_ASSET, VRM_FINDING_UNRESOLVED_REFERENCE,
        HUMAN_BONES "/spine/node"},
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Lists the sorted names in a folder of the shared models. Returns 0 if the folder does not exist.
static int list_models(const char *folder, char names[LIST_SIZE][128])
{
    char path[PATH_SIZE], below[256];
    CHECK(snprintf(below, sizeof below, "models/%s", folder) < (int)sizeof below);
    DIR *dir = opendir(shared_path(below, path, sizeof path));
    int count = 0;
    for (struct dirent *entry = dir != NULL ? readdir(dir) : NULL; entry != NULL && count < LIST_SIZE;
         entry = readdir(dir)) {
        if (entry->d_name[0] != '.' && strlen(entry->d_name) < 128) {
            strcpy(names[count++], entry->d_name);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    qsort(names, (size_t)count, 128, compare_names);
    return count;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static char *model_path(const char *folder, const char *name, char *out)
{
    char below[256];
    CHECK(snprintf(below, sizeof below, "models/%s/%s", folder, name) < (int)sizeof below);
    shared_path(below, out, PATH_SIZE);
    return out;
}

static void broken_files_are_named(void)
{
    static char names[LIST_SIZE][128];
    const int count = list_models("negative", names);
    if (count == 0) {
        SKIP("no shared models");
    }
    for (int i = 0; i < count; ++i) {
        const negative_case *expected = NULL;
        for (size_t k = 0; k < sizeof negatives / sizeof *negatives; ++k) {
            expected = strcmp(negatives[k].file, names[i]) == 0 ? &negatives[k] : expected;
        }
        CHECK(expected != NULL); // a new file needs a row in `negatives`
        if (expected == NULL) {
            printf("    %s\n", names[i]);
            continue;
        }
        char path[PATH_SIZE];
        vrm_report *report;
        vrm_report_create(NULL, &report);
        vrm_avatar *avatar = NULL;
        const vrm_result result = vrm_avatar_load_file(NULL, model_path("negative", names[i], path), report, &avatar);
        CHECK_INT(result, expected->result);
        const int found = has_finding(report, expected->id, expected->path);
        CHECK(found);
        if (!found || result != expected->result) {
            printf("  %s:\n", names[i]);
            print_report(report);
        }
        vrm_avatar_release(avatar);
        vrm_report_destroy(report);
    }
}

static bool is_old(const char *path)
{
    vrm_bytes bytes = {0};
    vrm_peek *peek = NULL;
    vrm_peek_info info = {.struct_size = sizeof info, .dialect = ""};
    if (vrm_read_file(path, UINT64_MAX, NULL, &bytes) == VRM_SUCCESS &&
        vrm_peek_create(NULL, bytes.data, bytes.size, NULL, &peek) == VRM_SUCCESS) {
        vrm_peek_get_info(peek, &info);
    }
    const bool old = strcmp(info.dialect, "0.x") == 0;
    vrm_peek_destroy(peek);
    vrm_bytes_free(&bytes);
    return old;
}

static void check_sound(const char *path, bool plain)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allow_plain_gltf = plain;
    CHECK_INT(vrm_gltf_load_file(NULL, path, report, &gltf), VRM_SUCCESS);
    const vrm_result result = gltf != NULL ? vrm_avatar_import(&def, gltf, report, &avatar) : VRM_ERROR_READ;
    const bool old = is_old(path);
    CHECK_INT(result, VRM_SUCCESS);
    CHECK(old == (has_finding(report, VRM_FINDING_VRM0_VRM_EXTENSION, "/extensions/VRM") != 0));
    if (avatar == NULL) {
        printf("  %s:\n", path);
        print_report(report);
    }
    if (avatar != NULL) {
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        CHECK_INT(counts.nodes, vrm_gltf_get_count(gltf, VRM_GLTF_NODES));
        CHECK_INT(counts.flags, 0);
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            CHECK(!plain || vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone) == -1);
        }
        CHECK_STRING(vrm_avatar_get_dialect(avatar), plain ? "" : old ? "0.x" : "1.0");
    }
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_report_destroy(report);
}

static void sound_files_load(void)
{
    static const char *const folders[] = {"conformance", "blender", "avatars"};
    static char names[LIST_SIZE][128];
    int total = 0;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; ++f) {
        const int count = list_models(folders[f], names);
        for (int i = 0; i < count; ++i) {
            char path[PATH_SIZE];
            if (ends_with(names[i], ".vrm")) {
                check_sound(model_path(folders[f], names[i], path), false);
                ++total;
            }
        }
    }
    if (total == 0) {
        SKIP("no shared models");
    }
}

static void plain_gltf_loads_when_asked(void)
{
    static const char *const files[][2] = {{"conformance", "vrm_node_constraint_examples.glb"},
        {"gltf/three-vrm-springbone", "sphere-collider.gltf"}, {"gltf/three-vrm-springbone", "inside-collider.gltf"},
        {"gltf/three-vrm-springbone", "plane-collider.gltf"}, {"gltf/three-vrm-node-constraint", "cubes.gltf"},
        {"gltf", "AnimatedMorphCube.glb"}, {"gltf", "RiggedFigure.glb"}};
    static char names[LIST_SIZE][128];
    if (list_models("gltf", names) == 0) {
        SKIP("no shared models");
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        char path[PATH_SIZE];
        check_sound(model_path(files[i][0], files[i][1], path), true);
        vrm_avatar *avatar = NULL;
        CHECK_INT(vrm_avatar_load_file(NULL, path, NULL, &avatar), VRM_ERROR_INVALID_ASSET);
    }
}

// Values that other tools read from the same files.
static void known_values(void)
{
    char path[PATH_SIZE];
    vrm_avatar *avatar = NULL;
    if (vrm_avatar_load_file(NULL, model_path("conformance", "springbone_extended_icaps_pmed.vrm", path), NULL,
            &avatar) != VRM_SUCCESS) {
        SKIP("no shared models");
    }
    vrm_collider collider = {.struct_size = sizeof collider};
    CHECK_INT(vrm_avatar_get_collider(avatar, 0, &collider), VRM_SUCCESS);
    CHECK_INT(collider.shape, VRM_COLLIDER_INSIDE_CAPSULE);
    CHECK_NEAR(collider.offset.y, -0.1, 1e-7);
    CHECK_NEAR(collider.tail.y, 0.3, 1e-7);
    CHECK_NEAR(collider.radius, 0.2, 1e-7);
    vrm_spring_chain chain = {.struct_size = sizeof chain};
    CHECK_INT(vrm_avatar_get_spring_chain(avatar, 0, &chain), VRM_SUCCESS);
    CHECK_INT(chain.joint_count, 3);
    CHECK_INT(chain.collider_count, 1);
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    CHECK_INT(vrm_avatar_get_spring_joint(avatar, 0, &joint), VRM_SUCCESS);
    CHECK_INT(joint.node, vrm_avatar_find_gltf_node(avatar, 19));
    CHECK_INT(joint.tail_node, vrm_avatar_find_gltf_node(avatar, 20));
    CHECK_NEAR(joint.params.gravity_power, 0.5, 0);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"broken_files_are_named", broken_files_are_named},
    {"sound_files_load", sound_files_load},
    {"plain_gltf_loads_when_asked", plain_gltf_loads_when_asked},
    {"known_values", known_values},
};

RUN_TESTS(cases)

#endif
