// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Default loading repairs a single fault as docs/validation.md describes: it removes or clamps the smallest part, and
// leaves the rest as it is without the fault. test_mutations.c tests that the fault is reported and that `strict`
// refuses it.

#include "avatar_file.h"

#define V "/extensions/VRMC_vrm"
#define S "/extensions/VRMC_springBone"
#define HAIR S "/springs/2"

// Loads the valid file with one change. Returns NULL if the file does not load.
static vrm_avatar *load_with(const char *pointer, const char *json)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(json != NULL ? vrm_gltf_set_json(gltf, pointer, json, strlen(json)) : vrm_gltf_remove_json(gltf, pointer),
        VRM_SUCCESS);
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    vrm_gltf_destroy(gltf);
    free(glb);
    return avatar;
}

static vrm_avatar_counts counts_of(const vrm_avatar *avatar)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    return counts;
}

// Finds joint `joint` of the file's spring `spring`. Returns false if the joint is not simulated.
static bool joint_of(const vrm_avatar *avatar, uint32_t spring, uint32_t joint, vrm_spring_joint *out)
{
    for (uint32_t i = 0; vrm_avatar_get_spring_joint(avatar, i, out) == VRM_SUCCESS; ++i) {
        if (out->spring == spring && out->joint == joint) {
            return true;
        }
    }
    return false;
}

static void a_number_is_clamped(void)
{
    static const struct {
        const char *json;
        double drag;
    } drags[] = {{"1.5", 1}, {"-0.25", 0}, {"1e39", 1}, {"-1e39", 0}, {"1.00000001", 1}, {"0.75", 0.75}};
    for (size_t i = 0; i < sizeof drags / sizeof *drags; ++i) {
        vrm_avatar *avatar = load_with(HAIR "/joints/0/dragForce", drags[i].json);
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        CHECK(avatar != NULL && joint_of(avatar, 2, 0, &joint));
        CHECK_NEAR(joint.params.drag_force, drags[i].drag, 0);
        vrm_avatar_release(avatar);
    }
    vrm_avatar *avatar = load_with("/nodes/68/extensions/VRMC_node_constraint/constraint/roll/weight", "2");
    vrm_constraint constraint = {.struct_size = sizeof constraint};
    for (uint32_t i = 0; vrm_avatar_get_constraint(avatar, i, &constraint) == VRM_SUCCESS; ++i) {
        if (constraint.type == VRM_CONSTRAINT_ROLL) {
            CHECK_NEAR(constraint.weight, 1, 0);
        }
    }
    vrm_avatar_release(avatar);
}

static void a_bad_joint_leaves_the_others(void)
{
    static const char *const faults[][2] = {{HAIR "/joints/1/node", "65"}, {HAIR "/joints/1/node", "400"},
        {HAIR "/joints/1", "7"}, {HAIR "/joints/1/node", NULL}};
    vrm_avatar *sound = load_with(HAIR "/name", "\"hair\"");
    const vrm_avatar_counts all = counts_of(sound);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        vrm_avatar *avatar = load_with(faults[i][0], faults[i][1]);
        const vrm_avatar_counts counts = counts_of(avatar);
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        CHECK_INT(counts.spring_chains, all.spring_chains);
        CHECK_INT(counts.spring_joints, all.spring_joints - 1);
        CHECK(joint_of(avatar, 2, 0, &joint) && !joint_of(avatar, 2, 1, &joint) && joint_of(avatar, 2, 2, &joint));
        // The joint after the faulty one keeps its index and numbers.
        CHECK_INT(joint.node, vrm_avatar_find_gltf_node(avatar, 60));
        vrm_avatar_release(avatar);
    }
    // Only the first joint is wrong, so the others stay.
    vrm_avatar *avatar = load_with(HAIR "/joints/0/node", "65");
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    CHECK_INT(counts_of(avatar).spring_joints, all.spring_joints - 1);
    CHECK(!joint_of(avatar, 2, 0, &joint) && joint_of(avatar, 2, 1, &joint) && joint_of(avatar, 2, 2, &joint));
    vrm_avatar_release(avatar);
    vrm_avatar_release(sound);
}

static void a_collider_with_two_shapes_is_its_sphere(void)
{
    vrm_avatar *avatar = load_with(S "/colliders/0/shape",
        "{\"capsule\":{\"radius\":2,\"tail\":[0,1,0]},\"sphere\":{\"radius\":0.5,\"offset\":[1,2,3]}}");
    vrm_collider collider = {.struct_size = sizeof collider};
    CHECK_INT(vrm_avatar_get_collider(avatar, 0, &collider), VRM_SUCCESS);
    CHECK_INT(collider.shape, VRM_COLLIDER_SPHERE);
    CHECK_NEAR(collider.radius, 0.5, 0);
    CHECK_NEAR(collider.offset.y, 2, 0);
    vrm_avatar_release(avatar);
}

static bool is_met(const vrm_avatar *avatar, uint32_t collider)
{
    vrm_spring_chain chain = {.struct_size = sizeof chain};
    const uint32_t *list = vrm_avatar_get_chain_colliders(avatar);
    for (uint32_t c = 0; vrm_avatar_get_spring_chain(avatar, c, &chain) == VRM_SUCCESS; ++c) {
        for (uint32_t i = 0; i < chain.collider_count; ++i) {
            if (list[chain.first_collider + i] == collider) {
                return true;
            }
        }
    }
    return false;
}

static void a_collider_without_shape_is_met_by_nothing(void)
{
    static const char *const faults[][2] = {{S "/colliders/0/shape", "{}"}, {S "/colliders/0/shape", NULL},
        {S "/colliders/0/node", "900"}, {S "/colliders/0", "5"}};
    vrm_avatar *sound = load_with(HAIR "/name", "\"hair\"");
    CHECK(is_met(sound, 0) && is_met(sound, 1));
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        vrm_avatar *avatar = load_with(faults[i][0], faults[i][1]);
        CHECK_INT(counts_of(avatar).colliders, counts_of(sound).colliders); // the other colliders keep their indices
        CHECK(!is_met(avatar, 0) && is_met(avatar, 1));
        vrm_avatar_release(avatar);
    }
    vrm_avatar_release(sound);
}

// An extended collider with an invalid shape falls back to the plain shape, as in three-vrm.
static void an_extended_collider_falls_back(void)
{
    vrm_avatar *avatar = load_with(S "/colliders/2/extensions/VRMC_springBone_extended_collider/shape", "{\"box\":{}}");
    vrm_collider collider = {.struct_size = sizeof collider};
    CHECK_INT(vrm_avatar_get_collider(avatar, 2, &collider), VRM_SUCCESS);
    CHECK(is_met(avatar, 2) == is_met(avatar, 3));
    CHECK(collider.shape == VRM_COLLIDER_SPHERE || collider.shape == VRM_COLLIDER_CAPSULE);
    vrm_avatar_release(avatar);
}

static void a_bad_bind_leaves_the_others(void)
{
    static const char *const faults[][2] = {{V "/expressions/preset/happy/morphTargetBinds/1/index", "3"},
        {V "/expressions/preset/happy/morphTargetBinds/0", "4"}};
    vrm_avatar *sound = load_with(HAIR "/name", "\"hair\"");
    vrm_expression before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    const int32_t happy = vrm_avatar_find_preset(sound, VRM_EXPRESSION_PRESET_HAPPY);
    CHECK_INT(vrm_avatar_get_expression(sound, (uint32_t)happy, &before), VRM_SUCCESS);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        vrm_avatar *avatar = load_with(faults[i][0], faults[i][1]);
        CHECK_INT(vrm_avatar_get_expression(avatar, (uint32_t)happy, &after), VRM_SUCCESS);
        CHECK_INT(after.morph_bind_count, before.morph_bind_count - 1);
        CHECK_INT(after.color_bind_count, before.color_bind_count);
        CHECK_INT(after.texture_bind_count, before.texture_bind_count);
        CHECK_INT(counts_of(avatar).expressions, counts_of(sound).expressions);
        vrm_avatar_release(avatar);
    }
    vrm_avatar_release(sound);
}

// An expression that is not an object is kept without binds. An expression with an empty name can be found by that
// name.
static void an_expression_is_found_by_any_name(void)
{
    vrm_avatar *avatar = load_with(V "/expressions/preset/happy", "3");
    CHECK(vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_HAPPY) >= 0);
    vrm_avatar_release(avatar);
    avatar = load_with(V "/expressions/custom", "{\"\":{\"isBinary\":true},\"b\":{}}");
    CHECK(vrm_avatar_find_expression(avatar, "", 0) >= 0);
    CHECK(vrm_avatar_find_expression(avatar, "b", 1) >= 0);
    vrm_avatar_release(avatar);
}

static void constraints_take_what_is_first(void)
{
    // If there are several types, the first in the order roll, aim, rotation is used, as in all readers. The default
    // axis is X, as in three-vrm.
    vrm_avatar *avatar = load_with("/nodes/68/extensions/VRMC_node_constraint/constraint",
        "{\"rotation\":{\"source\":21},\"aim\":{\"source\":21,\"aimAxis\":\"NegativeY\"},\"roll\":{\"source\":21}}");
    vrm_constraint constraint = {.struct_size = sizeof constraint};
    const int32_t node = vrm_avatar_find_gltf_node(avatar, 68);
    for (uint32_t i = 0; vrm_avatar_get_constraint(avatar, i, &constraint) == VRM_SUCCESS; ++i) {
        if ((int32_t)constraint.node == node) {
            break;
        }
    }
    CHECK_INT(constraint.node, node);
    CHECK_INT(constraint.type, VRM_CONSTRAINT_ROLL);
    CHECK_NEAR(constraint.axis.x, 1, 0);
    vrm_avatar_release(avatar);
    // If two constraints form a cycle, one of them is removed.
    avatar = load_with("/nodes/68/extensions/VRMC_node_constraint/constraint/roll/source", "69");
    CHECK_INT(counts_of(avatar).constraints, 2);
    vrm_avatar_release(avatar);
}

static void a_bone_elsewhere_keeps_its_node(void)
{
    vrm_avatar *avatar = load_with(V "/humanoid/humanBones/leftHand/node", "73");
    CHECK_INT(vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_HAND), vrm_avatar_find_gltf_node(avatar, 73));
    CHECK_INT(vrm_avatar_get_bone_parent(avatar, VRM_HUMAN_BONE_LEFT_HAND), -1);
    CHECK_INT(vrm_avatar_get_bone_parent(avatar, VRM_HUMAN_BONE_LEFT_LOWER_ARM), VRM_HUMAN_BONE_LEFT_UPPER_ARM);
    vrm_avatar_release(avatar);
    // A bone that uses another bone's node is removed; the other bone keeps the node.
    avatar = load_with(V "/humanoid/humanBones/leftEye/node", "7");
    CHECK_INT(vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD), vrm_avatar_find_gltf_node(avatar, 7));
    CHECK_INT(vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_EYE), -1);
    vrm_avatar_release(avatar);
}

// JavaScript reads "10" as 10, and so does three-vrm. Each of these files loads like the one without quotation marks;
// `strict` refuses the quoted number, even if it is set only for the import and not for the glTF load.
static void numbers_in_quotation_marks_are_numbers(void)
{
    static const char *const faults[][2] = {{HAIR "/joints/1/node", "\"59\""}, {HAIR "/joints/0/dragForce", "\"0.75\""},
        {HAIR "/joints/0/gravityDir", "[0,\"-1\",0]"}, {HAIR "/colliderGroups/0", "\"0\""},
        {S "/colliderGroups/0/colliders/0", "\"0\""}, {S "/colliders/0/node", "\"4\""},
        {V "/humanoid/humanBones/head/node", "\"7\""},
        {V "/expressions/preset/happy/morphTargetBinds/0/weight", "\"5e-1\""},
        {V "/lookAt/rangeMapVerticalUp/inputMaxValue", "\"40\""},
        {"/nodes/68/extensions/VRMC_node_constraint/constraint/roll/source", "\"21\""}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        char plain[64];
        size_t length = 0;
        for (const char *c = faults[i][1]; *c != '\0'; ++c) {
            plain[length] = *c;
            length += *c != '"';
        }
        plain[length] = '\0';
        size_t sizes[2] = {0, 0};
        uint8_t *cooked[2] = {NULL, NULL};
        for (int quoted = 0; quoted < 2; ++quoted) {
            vrm_avatar *avatar = load_with(faults[i][0], quoted ? faults[i][1] : plain);
            CHECK_INT((counts_of(avatar).flags & VRM_AVATAR_REPAIRED) != 0, quoted);
            CHECK_INT(vrm_avatar_save(avatar, NULL, &sizes[quoted]), VRM_SUCCESS);
            cooked[quoted] = malloc(sizes[quoted]);
            CHECK_INT(vrm_avatar_save(avatar, cooked[quoted], &sizes[quoted]), VRM_SUCCESS);
            vrm_avatar_release(avatar);
        }
        size_t differ = 0; // only the repair's flag and the checksum may differ
        for (size_t at = 0; at < sizes[0] && sizes[0] == sizes[1]; ++at) {
            differ += cooked[0][at] != cooked[1][at];
        }
        if (sizes[0] != sizes[1] || differ > 16) {
            CHECK_INT(differ, 0);
            printf("%s %s: %zu bytes differ, sizes %zu, %zu\n", faults[i][0], faults[i][1], differ, sizes[0], sizes[1]);
        }
        free(cooked[0]);
        free(cooked[1]);
    }
}

static void numbers_in_quotation_marks_are_refused_if_strict(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_set_json(gltf, HAIR "/joints/1/node", "\"59\"", 4), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_set_json(gltf, V "/meta/version", "\"1\"", 3), VRM_SUCCESS); // a text, not a number
    CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    vrm_report *report = NULL;
    vrm_report_create(NULL, &report);
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, report, &gltf), VRM_SUCCESS);
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    CHECK_INT(vrm_avatar_import(&def, gltf, report, &avatar), VRM_SUCCESS);
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, HAIR "/joints/1/node"));
    vrm_meta meta = {.struct_size = sizeof meta};
    vrm_avatar_get_meta(avatar, &meta);
    CHECK(meta.version.length == 1 && meta.version.data[0] == '1');
    vrm_avatar_release(avatar);
    def.strict = true;
    CHECK_INT(vrm_avatar_import(&def, gltf, NULL, &avatar), VRM_ERROR_INVALID_ASSET);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
    vrm_report_destroy(report);
    free(glb);
}

// Only the avatar is repaired; the document keeps the file's content.
static void the_document_keeps_the_fault(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_string text = {0};
    vrm_bytes before = {0}, after = {0};
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_set_json(gltf, HAIR "/joints/0/dragForce", "1.5", 3), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(gltf, &before), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    CHECK_INT(vrm_gltf_load(NULL, before.data, before.size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    CHECK((counts_of(avatar).flags & VRM_AVATAR_REPAIRED) != 0);
    CHECK_INT(vrm_gltf_get_json(gltf, HAIR "/joints/0/dragForce", &text), VRM_SUCCESS);
    CHECK(text.length == 3 && memcmp(text.data, "1.5", 3) == 0);
    CHECK_INT(vrm_gltf_save(gltf, &after), VRM_SUCCESS);
    CHECK(after.size == before.size && memcmp(after.data, before.data, after.size) == 0);
    vrm_bytes_free(&before);
    vrm_bytes_free(&after);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    free(glb);
}

static const test_case cases[] = {
    {"a_number_is_clamped", a_number_is_clamped},
    {"a_bad_joint_leaves_the_others", a_bad_joint_leaves_the_others},
    {"a_collider_with_two_shapes_is_its_sphere", a_collider_with_two_shapes_is_its_sphere},
    {"a_collider_without_shape_is_met_by_nothing", a_collider_without_shape_is_met_by_nothing},
    {"an_extended_collider_falls_back", an_extended_collider_falls_back},
    {"a_bad_bind_leaves_the_others", a_bad_bind_leaves_the_others},
    {"an_expression_is_found_by_any_name", an_expression_is_found_by_any_name},
    {"constraints_take_what_is_first", constraints_take_what_is_first},
    {"a_bone_elsewhere_keeps_its_node", a_bone_elsewhere_keeps_its_node},
    {"numbers_in_quotation_marks_are_numbers", numbers_in_quotation_marks_are_numbers},
    {"numbers_in_quotation_marks_are_refused_if_strict", numbers_in_quotation_marks_are_refused_if_strict},
    {"the_document_keeps_the_fault", the_document_keeps_the_fault},
};

RUN_TESTS(cases)
