// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Faults that loading a document repairs: deltas that do not fit have no effect, and a transform keeps its valid
// numbers. A strict load refuses each of these faults.

#include <stdlib.h>

#include <vrm/vrm.h>

#include "gltf_builder.h"
#include "report_fixture.h"

// Makes a triangle and a square with morph targets. Accessors 0 and 1 belong to the triangle, 2 and 3 to the square.
static uint8_t *build(const char *targets, const char *accessor, const char *node, size_t *size)
{
    const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, square[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    const float pair[6] = {0};
    char mesh[512];
    gltf_builder b = {0};
    gltf_builder_floats(&b, triangle, 9, 3, "VEC3");
    gltf_builder_floats(&b, triangle, 9, 3, "VEC3");
    gltf_builder_floats(&b, square, 12, 4, "VEC3");
    gltf_builder_floats(&b, pair, 6, 3, "VEC2");
    gltf_builder_add(&b, "accessors", accessor); // 4
    snprintf(mesh, sizeof mesh,
        "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[%s,{\"POSITION\":1}]}]}", targets);
    gltf_builder_add(&b, "meshes", mesh);
    gltf_builder_add(&b, "nodes", node);
    uint8_t *glb = gltf_builder_glb(&b, size);
    gltf_builder_free(&b);
    return glb;
}

static vrm_gltf *load(const uint8_t *glb, size_t size, bool strict, vrm_report *report, vrm_result expected)
{
    vrm_gltf *gltf = NULL;
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.strict = strict;
    CHECK_INT(vrm_gltf_load(&def, glb, size, report, &gltf), expected);
    return gltf;
}

// Makes a skinned mesh with a morph target on two nodes. The text `q` is written before and after each number.
static uint8_t *build_quoted(const char *q, size_t *size)
{
    char text[2048];
    const float places[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint8_t bones[12] = {0};
    const float shares[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const size_t begin = 12 + 8;
    // Q is replaced by `q`, a quotation mark or nothing. Spaces make the JSON's length a multiple of 4.
    static const char form[] =
        "{'asset':{'version':'2.0'},'scenes':[{'nodes':[Q0Q]}],'nodes':[{'children':[Q1Q],'mesh':Q0Q,'skin':Q0Q},{}],"
        "'skins':[{'joints':[Q0Q,Q1Q],'skeleton':Q0Q}],'meshes':[{'primitives':[{'attributes':{'POSITION':Q0Q,"
        "'JOINTS_0':Q1Q,'WEIGHTS_0':Q2Q},'targets':[{'POSITION':Q0Q}]}]}],'accessors':[{'bufferView':Q0Q,"
        "'componentType':Q5126Q,'count':Q3Q,'type':'VEC3','min':[0,0,0],'max':[1,1,0]},{'bufferView':Q1Q,'byteOffset':"
        "Q0Q,'componentType':5121,'count':3,'type':'VEC4'},{'bufferView':2,'componentType':5126,'count':3,'type':"
        "'VEC4'}],'bufferViews':[{'buffer':Q0Q,'byteOffset':Q0Q,'byteLength':Q36Q},{'buffer':0,'byteOffset':36,"
        "'byteLength':12},{'buffer':0,'byteOffset':48,'byteLength':48}],'buffers':[{'byteLength':Q96Q}]}";
    size_t length = 0;
    for (const char *c = form; *c != '\0'; ++c) {
        if (*c != 'Q') {
            text[length++] = *c == '\'' ? '"' : *c;
        } else if (q[0] != '\0') {
            text[length++] = '"';
        }
    }
    while (length % 4 != 0) {
        text[length++] = ' ';
    }
    const uint32_t whole = (uint32_t)(begin + length + 8 + 96);
    uint8_t *glb = malloc(whole);
    const uint32_t head[5] = {0x46546C67, 2, whole, (uint32_t)length, 0x4E4F534A}, chunk[2] = {96, 0x004E4942};
    memcpy(glb, head, sizeof head);
    memcpy(glb + begin, text, length);
    memcpy(glb + begin + length, chunk, sizeof chunk);
    memcpy(glb + begin + length + 8, places, 36);
    memcpy(glb + begin + length + 44, bones, 12);
    memcpy(glb + begin + length + 56, shares, 48);
    *size = whole;
    return glb;
}

static const char *const sound = "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}";

// Checks the deltas of the first target, and that the second target still moves its vertices.
static void check_deltas(const vrm_gltf *gltf, bool normals)
{
    vrm_gltf_target target = {.struct_size = sizeof target};
    vrm_geometry *geometry = NULL;
    vrm_vec3 deltas[3];
    CHECK_INT(vrm_gltf_get_target(gltf, 0, 0, 0, &target), VRM_SUCCESS);
    CHECK(!target.has_positions && target.has_normals == normals);
    CHECK_INT(vrm_gltf_get_target(gltf, 0, 0, 1, &target), VRM_SUCCESS);
    CHECK(target.has_positions);
    CHECK_INT(vrm_geometry_create(gltf, NULL, NULL, &geometry), VRM_SUCCESS);
    for (uint32_t i = 0; i < 2 && geometry != NULL; ++i) {
        vrm_morph_deltas morph = {.struct_size = sizeof morph, .positions = deltas, .capacity = 3};
        CHECK_INT(vrm_geometry_read_deltas(geometry, i, &morph), VRM_SUCCESS);
        CHECK_NEAR(deltas[1].x, i, 0);
        CHECK_NEAR(deltas[2].y, i, 0);
    }
    vrm_geometry_destroy(geometry);
}

static void targets_that_do_not_fit_move_nothing(void)
{
    static const struct {
        const char *target, *accessor;
        vrm_finding_id id;
        const char *path;
        bool normals;
    } faults[] = {
        {"true", NULL, VRM_FINDING_TYPE_MISMATCH, "", false},
        {"[]", NULL, VRM_FINDING_TYPE_MISMATCH, "", false},
        {"{\"POSITION\":\"one\"}", NULL, VRM_FINDING_INVALID_INDEX, "/POSITION", false},
        {"{\"POSITION\":77}", NULL, VRM_FINDING_UNRESOLVED_REFERENCE, "/POSITION", false},
        {"{\"POSITION\":2}", NULL, VRM_FINDING_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT, "/POSITION", false},
        {"{\"POSITION\":3,\"NORMAL\":1}", NULL, VRM_FINDING_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT,
            "/POSITION", true},
        {"{\"POSITION\":4}", "{\"componentType\":5126,\"count\":3,\"type\":\" VEC3\"}",
            VRM_FINDING_ACCESSOR_TYPE_INVALID, "/accessors/4/type", false},
        {"{\"POSITION\":4}", "{\"componentType\":5126,\"count\":2.5,\"type\":\"VEC3\"}", VRM_FINDING_TYPE_MISMATCH,
            "/accessors/4/count", false},
        {"{\"POSITION\":4}", "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"bufferView\":0,\"byteOffset\":8}",
            VRM_FINDING_ACCESSOR_TOO_LONG, "/accessors/4", false},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        size_t size;
        char path[128];
        uint8_t *glb = build(faults[i].target, faults[i].accessor != NULL ? faults[i].accessor : sound, "{}", &size);
        snprintf(path, sizeof path, "%s%s",
            strncmp(faults[i].path, "/accessors", 10) == 0 ? "" : "/meshes/0/primitives/0/targets/0", faults[i].path);
        vrm_report *report = NULL;
        vrm_report_create(NULL, &report);
        vrm_gltf *gltf = load(glb, size, false, report, VRM_SUCCESS);
        CHECK(has_finding(report, faults[i].id, path));
        CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 0);
        if (gltf != NULL) {
            vrm_gltf_mesh mesh = {.struct_size = sizeof mesh};
            CHECK_INT(vrm_gltf_get_mesh(gltf, 0, &mesh), VRM_SUCCESS);
            CHECK_INT(mesh.target_count, 2);
            check_deltas(gltf, faults[i].normals);
        } else {
            print_report(report);
        }
        vrm_gltf_destroy(gltf);
        vrm_gltf_destroy(load(glb, size, true, NULL, VRM_ERROR_INVALID_ASSET));
        vrm_report_destroy(report);
        free(glb);
    }
}

// Deltas may be missing, but other users of an accessor need it.
static void accessors_that_others_need_are_refused(void)
{
    size_t size;
    uint8_t *glb = build("{\"POSITION\":4},{\"POSITION\":4}", "{\"componentType\":5126,\"count\":3,\"type\":\"VEC\"}",
        "{\"mesh\":0}", &size);
    vrm_gltf_destroy(load(glb, size, false, NULL, VRM_SUCCESS));
    free(glb);
    glb = build("{\"POSITION\":1}],\"attributes\":{\"POSITION\":4},\"targets\":[{\"POSITION\":4}",
        "{\"componentType\":5126,\"count\":3,\"type\":\"VEC\"}", "{\"mesh\":0}", &size);
    vrm_gltf_destroy(load(glb, size, false, NULL, VRM_ERROR_INVALID_ASSET));
    free(glb);
}

static void places_keep_their_numbers(void)
{
    size_t size;
    uint8_t *glb = build("{}", sound,
        "{\"translation\":[1,null,3],\"scale\":[[],2,2],\"rotation\":[1,0,0,\"0\",0],\"name\":7,\"children\":true}",
        &size);
    vrm_report *report = NULL;
    vrm_report_create(NULL, &report);
    vrm_gltf *gltf = load(glb, size, false, report, VRM_SUCCESS);
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, "/nodes/0/translation/1"));
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, "/nodes/0/scale/0"));
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, "/nodes/0/rotation/3"));
    CHECK(has_finding(report, VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST, "/nodes/0/rotation"));
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, "/nodes/0/children"));
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allow_plain_gltf = true;
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_import(&def, gltf, report, &avatar), VRM_SUCCESS);
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, "/nodes/0/name"));
    vrm_node node = {.struct_size = sizeof node};
    if (avatar != NULL && vrm_avatar_get_node(avatar, 0, &node) == VRM_SUCCESS) {
        CHECK_NEAR(node.rest.translation.x, 1, 0);
        CHECK_NEAR(node.rest.translation.y, 0, 0);
        CHECK_NEAR(node.rest.translation.z, 3, 0);
        CHECK_NEAR(node.rest.scale.x, 1, 0);
        CHECK_NEAR(node.rest.scale.y, 2, 0);
        CHECK_NEAR(node.rest.rotation.x, 0.70710678, 1e-6); // [1, 0, 0, 1], normalised
        CHECK_NEAR(node.rest.rotation.w, 0.70710678, 1e-6);
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        CHECK((counts.flags & VRM_AVATAR_REPAIRED) != 0);
    }
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_gltf_destroy(load(glb, size, true, NULL, VRM_ERROR_INVALID_ASSET));
    vrm_report_destroy(report);
    free(glb);
    // A number beyond the range of floats cannot be repaired, even beside a number that can.
    glb = build("{}", sound, "{\"translation\":[1e39,null,0]}", &size);
    vrm_gltf_destroy(load(glb, size, false, NULL, VRM_ERROR_INVALID_ASSET));
    free(glb);
}

// Runtimes written in JavaScript read "1" as 1. If the references of nodes and meshes are in quotation marks, the
// document is the same.
static void numbers_in_quotation_marks(void)
{
    size_t size = 0, plain_size = 0;
    uint8_t *quoted = build_quoted("\"", &size), *plain = build_quoted("", &plain_size);
    vrm_report *report = NULL;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    vrm_gltf *gltf = load(quoted, size, false, report, VRM_SUCCESS);
    vrm_gltf *like = load(plain, plain_size, true, NULL, VRM_SUCCESS);
    CHECK((vrm_gltf_get_flags(gltf) & VRM_GLTF_REPAIRED) != 0);
    CHECK(load(quoted, size, true, NULL, VRM_ERROR_INVALID_ASSET) == NULL);
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, "/skins/0/joints/1"));
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, "/nodes/0/children/0"));
    CHECK(has_finding(report, VRM_FINDING_TYPE_MISMATCH, "/meshes/0/primitives/0/targets/0/POSITION"));
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 0);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING), 20);
    vrm_geometry *a = NULL, *b = NULL;
    vrm_geometry_info sizes[2] = {{.struct_size = sizeof sizes[0]}, {.struct_size = sizeof sizes[1]}};
    CHECK_INT(vrm_geometry_create(gltf, NULL, NULL, &a), VRM_SUCCESS);
    CHECK_INT(vrm_geometry_create(like, NULL, NULL, &b), VRM_SUCCESS);
    vrm_geometry_get_info(a, &sizes[0]);
    vrm_geometry_get_info(b, &sizes[1]);
    CHECK(memcmp(&sizes[0], &sizes[1], sizeof sizes[0]) == 0);
    vrm_bytes saved = {0}; // saving keeps the quotation marks
    CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
    CHECK(saved.size == size && memcmp(saved.data, quoted, size) == 0);
    vrm_bytes_free(&saved);
    vrm_geometry_destroy(a);
    vrm_geometry_destroy(b);
    vrm_gltf_destroy(gltf);
    vrm_gltf_destroy(like);
    vrm_report_destroy(report);
    free(quoted);
    free(plain);
}

static const test_case cases[] = {
    {"targets_that_do_not_fit_move_nothing", targets_that_do_not_fit_move_nothing},
    {"accessors_that_others_need_are_refused", accessors_that_others_need_are_refused},
    {"places_keep_their_numbers", places_keep_their_numbers},
    {"numbers_in_quotation_marks", numbers_in_quotation_marks},
};

RUN_TESTS(cases)
