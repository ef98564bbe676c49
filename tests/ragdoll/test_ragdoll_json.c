// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A ragdoll's JSON: written and read back bit by bit, edited, and every possible fault reported by name and path.

#include "avatar_file.h"
#include "ragdoll_bones.h"
#include "sample_avatar.h"
#include "test_allocator.h"

static vrm_string text_of(const void *data, size_t size)
{
    return (vrm_string){data, (uint32_t)size};
}

static vrm_ragdoll_def build(const vrm_avatar *avatar, vrm_ragdoll_detail detail)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = detail;
    vrm_ragdoll_def_default(&def);
    CHECK_INT(vrm_ragdoll_def_build(avatar, NULL, &params, NULL, &def), VRM_SUCCESS);
    return def;
}

static bool same_floats(const float *a, const float *b, uint32_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool same_body(const vrm_ragdoll_body *a, const vrm_ragdoll_body *b)
{
    bool same = a->bone == b->bone && a->node == b->node && a->parent == b->parent && a->group == b->group &&
                same_floats(&a->joint.drive.frequency, &b->joint.drive.frequency, 3) &&
                a->no_contact == b->no_contact && same_floats(&a->mass, &b->mass, 1) &&
                same_floats(&a->center_of_mass.x, &b->center_of_mass.x, 3) &&
                same_floats(&a->inertia.x, &b->inertia.x, 3) &&
                same_floats(&a->inertia_rotation.x, &b->inertia_rotation.x, 4) && a->shape.type == b->shape.type &&
                same_floats(&a->shape.center.x, &b->shape.center.x, 3) &&
                same_floats(&a->shape.rotation.x, &b->shape.rotation.x, 4) && a->joint.type == b->joint.type;
    same = same &&
           (a->shape.type == VRM_RAGDOLL_SHAPE_BOX ? same_floats(&a->shape.half_extents.x, &b->shape.half_extents.x, 3)
                                                   : same_floats(&a->shape.radius, &b->shape.radius, 2));
    if (a->joint.type != VRM_RAGDOLL_JOINT_FREE) {
        same = same && same_floats(&a->joint.anchor.x, &b->joint.anchor.x, 3) &&
               same_floats(&a->joint.frame.x, &b->joint.frame.x, 4) &&
               same_floats(&a->joint.min_angle, &b->joint.min_angle, 2);
    }
    return same && (a->joint.type != VRM_RAGDOLL_JOINT_CONE || same_floats(&a->joint.swing_y, &b->joint.swing_y, 4));
}

static void written_and_read_back(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    for (int detail = 0; detail < VRM_RAGDOLL_DETAIL_COUNT; ++detail) {
        vrm_ragdoll_def def = build(avatar, (vrm_ragdoll_detail)detail);
        vrm_ragdoll_def again = {.struct_size = sizeof again};
        for (uint32_t i = 0; i < def.body_count; ++i) { // every body has a drive of its own
            const float x = (float)i + 1.0f;
            def.bodies[i].joint.drive = (vrm_ragdoll_joint_drive){0.7f * x, 0.01f * x, 3.3f * x};
        }
        vrm_bytes json = {0}, second = {0};
        CHECK_INT(vrm_ragdoll_def_to_json(&def, NULL, &json), VRM_SUCCESS);
        CHECK_INT(vrm_ragdoll_def_from_json(avatar, text_of(json.data, json.size), NULL, NULL, &again), VRM_SUCCESS);
        CHECK_INT(again.body_count, def.body_count);
        CHECK(again.height == def.height);
        for (uint32_t i = 0; i < def.body_count; ++i) {
            CHECK(same_body(&def.bodies[i], &again.bodies[i]));
        }
        CHECK_INT(vrm_ragdoll_def_to_json(&again, NULL, &second), VRM_SUCCESS);
        CHECK(json.size == second.size && memcmp(json.data, second.data, json.size) == 0);
        vrm_bytes_free(&json);
        vrm_bytes_free(&second);
    }
    vrm_avatar_release(avatar);
}

static void edits(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    const vrm_ragdoll_def def = build(avatar, VRM_RAGDOLL_DETAIL_16);
    static const char text[] =
        "{\"bodies\":[{\"bone\":\"head\",\"mass\":6,\"shape\":{\"radius\":0.125}},"
        "{\"bone\":\"leftLowerLeg\",\"joint\":{\"angle\":[-10,120],\"drive\":{\"dampingRatio\":0.25,\"maxTorque\":7}}},"
        "{\"bone\":\"rightHand\",\"noContact\":[\"rightLowerArm\",\"hips\"],\"shape\":{\"type\":\"box\","
        "\"halfExtents\":[0.0625,0.25,0.5]}}]}";
    vrm_ragdoll_def edited = def;
    CHECK_INT(vrm_ragdoll_def_edit_json(avatar, text_of(text, sizeof text - 1), NULL, NULL, &edited), VRM_SUCCESS);
    const int32_t head = ragdoll_body_of(&def, VRM_HUMAN_BONE_HEAD);
    const int32_t leg = ragdoll_body_of(&def, VRM_HUMAN_BONE_LEFT_LOWER_LEG);
    const int32_t hand = ragdoll_body_of(&def, VRM_HUMAN_BONE_RIGHT_HAND);
    const int32_t arm = ragdoll_body_of(&def, VRM_HUMAN_BONE_RIGHT_LOWER_ARM);
    CHECK_NEAR(edited.bodies[head].mass, 6, 0);
    CHECK_NEAR(edited.bodies[head].inertia.x / def.bodies[head].inertia.x, 6 / def.bodies[head].mass, 1e-4);
    CHECK_NEAR(edited.bodies[head].shape.radius, 0.125, 0);
    CHECK_NEAR(edited.bodies[head].shape.half_length, def.bodies[head].shape.half_length, 0);
    CHECK_NEAR(edited.bodies[leg].joint.min_angle, -10 / 57.295779513, 1e-7);
    CHECK_NEAR(edited.bodies[leg].joint.max_angle, 120 / 57.295779513, 2e-7);
    CHECK_NEAR(edited.bodies[leg].joint.drive.frequency, def.bodies[leg].joint.drive.frequency, 0);
    CHECK_NEAR(edited.bodies[leg].joint.drive.damping_ratio, 0.25, 0);
    CHECK_NEAR(edited.bodies[leg].joint.drive.max_torque, 7, 0);
    CHECK_INT(edited.bodies[hand].shape.type, VRM_RAGDOLL_SHAPE_BOX);
    CHECK_NEAR(edited.bodies[hand].shape.half_extents.z, 0.5, 0);
    CHECK(edited.bodies[hand].no_contact == (UINT64_C(1) << arm | 1u));
    CHECK((edited.bodies[0].no_contact >> hand & 1u) != 0);
    for (uint32_t i = 0; i < def.body_count; ++i) {
        const bool changed = (int32_t)i == head || (int32_t)i == leg || (int32_t)i == hand;
        CHECK(changed || (int32_t)i == arm || i == 0 || same_body(&def.bodies[i], &edited.bodies[i]));
    }
    double sum = 0.0, before = 0.0;
    for (uint32_t i = 0; i < edited.body_count; ++i) {
        before += (double)edited.bodies[i].mass;
    }
    static const char heavy[] = "{\"totalMass\":80}";
    CHECK_INT(vrm_ragdoll_def_edit_json(avatar, text_of(heavy, sizeof heavy - 1), NULL, NULL, &edited), VRM_SUCCESS);
    for (uint32_t i = 0; i < edited.body_count; ++i) {
        sum += (double)edited.bodies[i].mass;
    }
    CHECK_NEAR(sum, 80, 1e-4);
    CHECK_NEAR(edited.bodies[leg].joint.drive.max_torque, 7.0 * 80.0 / before, 1e-4);
    vrm_avatar_release(avatar);
}

static void faults_have_names_and_places(void)
{
    static const struct {
        const char *edit, *finding, *path, *found;
    } rows[] = {
        {"[]", "TYPE_MISMATCH", "", "[]"},
        {"{\"bodies\":[{\"bone\":\"tail\"}]}", "RAGDOLL_UNKNOWN_BODY", "/bodies/0/bone", "\"tail\""},
        {"{\"bodies\":[{\"bone\":\"leftToes\"}]}", "RAGDOLL_UNKNOWN_BODY", "/bodies/0/bone", "\"leftToes\""},
        {"{\"bodies\":[{\"mass\":1}]}", "UNDEFINED_PROPERTY", "/bodies/0/bone", NULL},
        {"{\"bodies\":[7]}", "TYPE_MISMATCH", "/bodies/0", "7"},
        {"{\"bodies\":[{\"bone\":\"head\",\"mass\":\"6\"}]}", "TYPE_MISMATCH", "/bodies/0/mass", "\"6\""},
        {"{\"bodies\":[{\"bone\":\"head\",\"mass\":-6}]}", "RAGDOLL_INVALID", "/bodies/0/mass", "mass"},
        {"{\"bodies\":[{\"bone\":\"head\",\"mass\":0}]}", "RAGDOLL_INVALID", "/bodies/0/mass", "mass"},
        {"{\"bodies\":[{\"bone\":\"head\",\"inertia\":[1,2]}]}", "ARRAY_LENGTH_NOT_IN_LIST", "/bodies/0/inertia", NULL},
        {"{\"bodies\":[{\"bone\":\"head\",\"inertia\":[1,0,1]}]}", "RAGDOLL_INVALID", "/bodies/0/inertia", "inertia"},
        {"{\"bodies\":[{\"bone\":\"head\",\"inertiaRotation\":[1,1,0,0]}]}", "RAGDOLL_INVALID",
            "/bodies/0/inertiaRotation", "inertia_rotation"},
        {"{\"bodies\":[{\"bone\":\"head\",\"shape\":{\"radius\":0}}]}", "RAGDOLL_INVALID", "/bodies/0/shape",
            "shape.radius"},
        {"{\"bodies\":[{\"bone\":\"head\",\"shape\":{\"type\":\"sphere\"}}]}", "VALUE_NOT_IN_LIST",
            "/bodies/0/shape/type", "\"sphere\""},
        {"{\"bodies\":[{\"bone\":\"head\",\"shape\":{\"type\":\"box\"}}]}", "UNDEFINED_PROPERTY",
            "/bodies/0/shape/halfExtents", NULL},
        {"{\"bodies\":[{\"bone\":\"head\",\"joint\":{\"swing\":[0,10]}}]}", "RAGDOLL_INVALID", "/bodies/0/joint",
            "joint.swing_y"},
        {"{\"bodies\":[{\"bone\":\"head\",\"joint\":{\"swing\":[10,190]}}]}", "RAGDOLL_INVALID", "/bodies/0/joint",
            "joint.swing_z"},
        {"{\"bodies\":[{\"bone\":\"head\",\"joint\":{\"twist\":[20,10]}}]}", "RAGDOLL_INVALID", "/bodies/0/joint",
            "joint.max_angle"},
        {"{\"bodies\":[{\"bone\":\"head\",\"joint\":{\"type\":\"free\"}}]}", "RAGDOLL_INVALID", "/bodies/0/joint",
            "joint.type"},
        {"{\"bodies\":[{\"bone\":\"head\",\"joint\":{\"frame\":[0,0,0,0.5]}}]}", "RAGDOLL_INVALID", "/bodies/0/joint",
            "joint.frame"},
        {"{\"bodies\":[{\"bone\":\"spine\",\"parent\":\"head\"}]}", "RAGDOLL_INVALID", "/bodies/0/parent", "parent"},
        {"{\"bodies\":[{\"bone\":\"head\",\"group\":\"tail\"}]}", "VALUE_NOT_IN_LIST", "/bodies/0/group", "\"tail\""},
        {"{\"bodies\":[{\"bone\":\"head\",\"noContact\":[\"jaw\"]}]}", "RAGDOLL_UNKNOWN_BODY", "/bodies/0/noContact/0",
            "\"jaw\""},
        {"{\"totalMass\":0}", "VALUE_NOT_IN_RANGE", "/totalMass", "0"},
        {"{\"height\":-1}", "VALUE_NOT_IN_RANGE", "/height", "-1"},
        {"{\"height\":0}", "VALUE_NOT_IN_RANGE", "/height", "0"},
        {"{\"height\":1e6}", "VALUE_NOT_IN_RANGE", "/height", "1e6"},
        {"{\"bodies\":[{\"bone\":\"head\",\"inertia\":[1000,1e-6,1]}]}", "RAGDOLL_INVALID", "/bodies/0/inertia",
            "inertia"},
        {"{\"bodies\":[{\"bone\":\"head\",\"shape\":{\"radius\":10}}]}", "RAGDOLL_INVALID", "/bodies/0/shape",
            "a shape that is larger"},
        {"{\"bodies\":[{\"bone\":\"head\",\"mass\":6},{\"bone\":\"head\",\"mass\":5}]}", "RAGDOLL_UNKNOWN_BODY",
            "/bodies/1/bone", "\"head\""},
        {"{\"version\":2}", "VALUE_NOT_IN_RANGE", "/version", "2"},
        {"{\"bodies\":[}", "INVALID_JSON", "", NULL},
    };
    vrm_avatar *avatar = sample_avatar(0);
    const vrm_ragdoll_def def = build(avatar, VRM_RAGDOLL_DETAIL_16);
    vrm_report *report;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        vrm_ragdoll_def edited = def;
        vrm_report_clear(report);
        const vrm_result result =
            vrm_ragdoll_def_edit_json(avatar, text_of(rows[i].edit, strlen(rows[i].edit)), NULL, report, &edited);
        const vrm_finding *f = vrm_report_get_finding(report, 0);
        CHECK_INT(result, VRM_ERROR_INVALID_ASSET);
        CHECK(memcmp(&edited, &def, sizeof def) == 0);
        CHECK_STRING(f != NULL ? vrm_finding_get_info(f->id)->name : "none", rows[i].finding);
        CHECK_STRING(f != NULL ? f->path : "none", rows[i].path);
        const bool same =
            f == NULL || rows[i].found == NULL || strncmp(f->found, rows[i].found, strlen(rows[i].found)) == 0;
        CHECK(same);
        if (!same) {
            printf("  %s: found %s\n", rows[i].edit, f->found);
        }
    }
    // An unknown key is reported and changes nothing.
    static const char typo[] = "{\"bodies\":[{\"bone\":\"head\",\"weight\":6}]}";
    vrm_ragdoll_def edited = def;
    vrm_report_clear(report);
    CHECK_INT(vrm_ragdoll_def_edit_json(avatar, text_of(typo, sizeof typo - 1), NULL, report, &edited), VRM_SUCCESS);
    CHECK(has_finding(report, VRM_FINDING_RAGDOLL_UNKNOWN_KEY, "/bodies/0/weight"));
    // A key that belongs to another type of shape is reported, too.
    static const char other[] =
        "{\"bodies\":[{\"bone\":\"chest\",\"shape\":{\"type\":\"box\",\"halfExtents\":[0.1,0.1,0.1],\"radius\":0.1}}]}";
    vrm_report_clear(report);
    edited = def;
    CHECK_INT(vrm_ragdoll_def_edit_json(avatar, text_of(other, sizeof other - 1), NULL, report, &edited), VRM_SUCCESS);
    CHECK(has_finding(report, VRM_FINDING_RAGDOLL_UNKNOWN_KEY, "/bodies/0/shape/radius"));
    CHECK_STRING(vrm_report_get_finding(report, 0)->expected, "a key of a box");
    vrm_report_destroy(report);
    vrm_avatar_release(avatar);
}

// A whole definition must have every member of a body.
static void nothing_may_be_left_out(void)
{
    static const char *const keys[] = {"\"version\"", "\"height\"", "\"bodies\"", "\"bone\"", "\"group\"", "\"mass\"",
        "\"centerOfMass\"", "\"inertia\"", "\"inertiaRotation\"", "\"shape\"", "\"type\"", "\"center\"", "\"rotation\"",
        "\"radius\"", "\"halfLength\"", "\"halfExtents\"", "\"joint\"", "\"anchor\"", "\"frame\"", "\"swing\"",
        "\"swingCenter\"", "\"twist\"", "\"angle\"", "\"noContact\"", "\"parent\""};
    vrm_avatar *avatar = sample_avatar(0);
    const vrm_ragdoll_def def = build(avatar, VRM_RAGDOLL_DETAIL_16);
    vrm_bytes json = {0};
    vrm_report *report;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_def_to_json(&def, NULL, &json), VRM_SUCCESS);
    char *text = malloc(json.size + 1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        memcpy(text, json.data, json.size);
        text[json.size] = '\0';
        char *at = strstr(text, keys[i]);
        CHECK(at != NULL);
        vrm_ragdoll_def again = {.struct_size = sizeof again};
        vrm_report_clear(report);
        if (at != NULL) {
            at[1] = '_';
            CHECK_INT(vrm_ragdoll_def_from_json(avatar, text_of(text, json.size), NULL, report, &again),
                VRM_ERROR_INVALID_ASSET);
            CHECK(has_finding(report, VRM_FINDING_RAGDOLL_UNKNOWN_KEY, NULL));
            CHECK(has_finding(report, VRM_FINDING_UNDEFINED_PROPERTY, NULL));
        }
    }
    free(text);
    vrm_bytes_free(&json);
    vrm_report_destroy(report);
    vrm_avatar_release(avatar);
}

// An avatar without some of the bones, and allocations that fail at any call.
static void other_avatars_and_no_memory(void)
{
    size_t size;
    uint8_t *file = avatar_file_make(&size);
    vrm_avatar *all = NULL, *other = sample_avatar(0);
    vrm_ragdoll_def def = {.struct_size = sizeof def}, copy = {.struct_size = sizeof copy};
    vrm_bytes json = {0};
    CHECK_INT(vrm_avatar_load(NULL, file, size, NULL, &all), VRM_SUCCESS);
    def = build(all, VRM_RAGDOLL_DETAIL_ALL);
    vrm_ragdoll_error error = {.struct_size = sizeof error};
    CHECK_INT(vrm_ragdoll_def_check_avatar(&def, other, &error), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_STRING(vrm_ragdoll_fault_name(error.fault), "NODE");
    CHECK_STRING(error.field, "node");
    CHECK_INT(vrm_ragdoll_def_edit_json(other, text_of("{}", 2), NULL, NULL, &def), VRM_ERROR_INVALID_ARGUMENT);
    copy = def; // for an avatar with the same bones, a fifth larger
    for (uint32_t i = 1; i < copy.body_count; ++i) {
        vrm_vec3 *anchor = &copy.bodies[i].joint.anchor;
        *anchor = (vrm_vec3){1.2f * anchor->x, 1.2f * anchor->y, 1.2f * anchor->z};
    }
    CHECK_INT(vrm_ragdoll_def_check(&copy, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_def_check_avatar(&copy, all, &error), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_STRING(vrm_ragdoll_fault_name(error.fault), "SIZE");
    CHECK_INT(vrm_ragdoll_def_to_json(&copy, NULL, &json), VRM_SUCCESS);
    vrm_report *report;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    CHECK_INT(
        vrm_ragdoll_def_from_json(all, text_of(json.data, json.size), NULL, report, &copy), VRM_ERROR_INVALID_ASSET);
    CHECK_INT(vrm_report_get_finding(report, 0)->id, VRM_FINDING_RAGDOLL_INVALID);
    vrm_report_destroy(report);
    vrm_bytes_free(&json);
    CHECK_INT(vrm_ragdoll_def_to_json(&def, NULL, &json), VRM_SUCCESS);
    test_allocator memory = {.fail_at = UINT64_MAX};
    vrm_allocator allocator = {test_allocate, test_release, &memory};
    CHECK_INT(vrm_ragdoll_def_from_json(all, text_of(json.data, json.size), &allocator, NULL, &copy), VRM_SUCCESS);
    const uint64_t calls = memory.calls;
    for (uint64_t i = 0; i < calls; ++i) {
        memory.calls = 0;
        memory.fail_at = i;
        CHECK_INT(vrm_ragdoll_def_from_json(all, text_of(json.data, json.size), &allocator, NULL, &copy),
            VRM_ERROR_OUT_OF_MEMORY);
    }
    vrm_bytes none = {0};
    memory.calls = 0;
    memory.fail_at = 0;
    CHECK_INT(vrm_ragdoll_def_to_json(&def, &allocator, &none), VRM_ERROR_OUT_OF_MEMORY);
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.allocator = allocator;
    memory.calls = 0;
    CHECK_INT(vrm_ragdoll_def_build(all, NULL, &params, NULL, &copy), VRM_ERROR_OUT_OF_MEMORY);
    CHECK(memory.live == 0 && memory.wrong == 0);
    vrm_bytes_free(&json);
    vrm_avatar_release(all);
    vrm_avatar_release(other);
    free(file);
}

// Every fault of a definition is reported by name and member.
static void checks(void)
{
    vrm_avatar *avatar = sample_avatar(0);
    const vrm_ragdoll_def good = build(avatar, VRM_RAGDOLL_DETAIL_16);
    const float nan = 0.0f / (good.height - good.height);
    vrm_ragdoll_error error = {.struct_size = sizeof error};
#define FAULT(name, body_index, member, change) \
    do { \
        vrm_ragdoll_def def = good; \
        vrm_ragdoll_body *body = &def.bodies[body_index < 0 ? 0 : body_index]; \
        (void)body; \
        change; \
        CHECK_INT(vrm_ragdoll_def_check(&def, &error), VRM_ERROR_INVALID_ARGUMENT); \
        CHECK_STRING(vrm_ragdoll_fault_name(error.fault), name); \
        CHECK_STRING(error.field, member); \
        CHECK_INT(error.body, body_index); \
        CHECK(vrm_ragdoll_fault_sentence(error.fault)[0] != '\0'); \
    } while (0)
    FAULT("STRUCT_SIZE", -1, "struct_size", def.struct_size = 0);
    FAULT("BODY_COUNT", -1, "body_count", def.body_count = 0);
    FAULT("BODY_COUNT", -1, "body_count", def.body_count = VRM_RAGDOLL_MAX_BODIES + 1);
    FAULT("HEIGHT", -1, "height", def.height = nan);
    FAULT("BONE", 2, "bone", body->bone = VRM_HUMAN_BONE_COUNT);
    FAULT("BONE", 2, "bone", body->bone = VRM_HUMAN_BONE_SPINE);
    FAULT("PARENT", 2, "parent", body->parent = 2);
    FAULT("PARENT", 2, "parent", body->parent = -1);
    FAULT("PARENT", 0, "parent", body->parent = 0);
    FAULT("GROUP", 3, "group", body->group = VRM_RAGDOLL_GROUP_COUNT);
    FAULT("SHAPE", 3, "shape.type", body->shape.type = VRM_RAGDOLL_SHAPE_COUNT);
    FAULT("SHAPE", 3, "shape.center", body->shape.center.y = nan);
    FAULT("SHAPE", 3, "shape.rotation", body->shape.rotation.w = 2.0f);
    FAULT("SHAPE", 3, "shape.radius", body->shape.radius = -1.0f);
    FAULT("SHAPE", 3, "shape.half_length", body->shape.half_length = nan);
    FAULT("SHAPE", 6, "shape.half_extents", body->shape.half_extents.y = 0.0f);
    FAULT("MASS", 3, "mass", body->mass = nan);
    FAULT("MASS", 3, "center_of_mass", body->center_of_mass.x = nan);
    FAULT("MASS", 3, "inertia", body->inertia.z = 0.0f);
    FAULT("MASS", 3, "inertia_rotation", body->inertia_rotation.x = 1.0f);
    FAULT("JOINT", 3, "joint.type", body->joint.type = VRM_RAGDOLL_JOINT_FREE);
    FAULT("JOINT", 0, "joint.type", body->joint.type = VRM_RAGDOLL_JOINT_HINGE);
    FAULT("JOINT", 3, "joint.anchor", body->joint.anchor.x = nan);
    FAULT("JOINT", 3, "joint.frame", body->joint.frame = (vrm_quat){0});
    FAULT("LIMIT", 3, "joint.min_angle", body->joint.min_angle = -4.0f);
    FAULT("LIMIT", 3, "joint.max_angle", body->joint.max_angle = body->joint.min_angle - 0.1f);
    FAULT("LIMIT", 3, "joint.swing_y", body->joint.swing_y = 0.0f);
    FAULT("LIMIT", 3, "joint.swing_z", body->joint.swing_z = 3.2f);
    FAULT("LIMIT", 3, "joint.center_y", body->joint.center_y = 4.0f);
    FAULT("LIMIT", 3, "joint.center_z", body->joint.center_z = nan);
    FAULT("NO_CONTACT", 3, "no_contact", body->no_contact ^= 1u << 5);
    FAULT("NO_CONTACT", 3, "no_contact", body->no_contact |= UINT64_C(1) << 20);
#undef FAULT
    CHECK_INT(vrm_ragdoll_def_check(&good, &error), VRM_SUCCESS);
    CHECK_STRING(vrm_ragdoll_fault_name(error.fault), "NONE");
    CHECK_STRING(error.field, "");
    CHECK_STRING(vrm_ragdoll_fault_name(VRM_RAGDOLL_FAULT_COUNT), "UNKNOWN");
    CHECK_INT(vrm_ragdoll_def_check(NULL, NULL), VRM_ERROR_INVALID_ARGUMENT);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"written_and_read_back", written_and_read_back},
    {"edits", edits},
    {"faults_have_names_and_places", faults_have_names_and_places},
    {"nothing_may_be_left_out", nothing_may_be_left_out},
    {"other_avatars_and_no_memory", other_avatars_and_no_memory},
    {"checks", checks},
};

RUN_TESTS(cases)
