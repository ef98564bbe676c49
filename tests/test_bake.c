// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The bake on small models, case by case: what it turns round, copies, binds and reports. Whole avatars, twisted and
// baked back, and other people's files are in test_bake_avatars.mjs.

#include <vrm/vrm.h>

#include <math.h>
#include <stdlib.h>

#include "document_fixture.h"
#include "gltf_fixture.h"
#include "skeleton_json.h"

enum { BONES = SKELETON_BONES, HEAD = 2, LEFT_HAND = 11 };

typedef struct model {
    gltf_builder b;
    bool vrm0;
    char roots[128]; // of the scene, beside the hips
    char vrm[1024];  // further members of the VRM extension, each with a comma before it
} model;

// The required bones, not turned; `hips` and `head` are further members of their nodes, or "".
static void begin(model *m, bool vrm0, const char *hips, const char *head)
{
    memset(m, 0, sizeof *m);
    m->vrm0 = vrm0;
    for (int i = 0; i < BONES; ++i) {
        char children[64];
        gltf_builder_add(&m->b, "nodes", "{\"translation\":[%g,0.25,0]%s%s}",
            i == 9    ? 0.2
            : i == 12 ? -0.2
                      : 0.0,
            skeleton_children(children, sizeof children, skeleton_parents, BONES, i),
            i == 0      ? hips
            : i == HEAD ? head
                        : "");
    }
}

static void finish(model *m, document *out)
{
    char bones[1024], text[4096];
    skeleton_human_bones(bones, sizeof bones, skeleton_bones, BONES, m->vrm0);
    if (m->vrm0) {
        snprintf(text, sizeof text, "{\"VRM\":{\"humanoid\":{\"humanBones\":[%s]}%s}}", bones, m->vrm);
    } else {
        snprintf(text, sizeof text,
            "{\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"meta\":{\"name\":\"t\",\"authors\":[\"a\"],\"licenseUrl\":"
            "\"https://vrm.dev/licenses/1.0/\"},\"humanoid\":{\"humanBones\":{%s}}%s}}",
            bones, m->vrm);
    }
    gltf_builder_member(&m->b, "extensions", text);
    gltf_builder_add(&m->b, "scenes", "{\"nodes\":[0%s]}", m->roots);
    document_make(&m->b, out);
}

// Bakes, saves and loads again; baking that changes nothing any more.
static vrm_report *bake(document *f, document *baked)
{
    vrm_report *report = NULL;
    vrm_bytes saved = {0}, again = {0};
    vrm_report_create(NULL, &report);
    memset(baked, 0, sizeof *baked);
    CHECK_INT(vrm_bake(NULL, f->gltf, f->avatar, report), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(f->gltf, &saved), VRM_SUCCESS);
    baked->bytes = malloc(saved.size);
    baked->size = saved.size;
    memcpy(baked->bytes, saved.data, saved.size);
    document_open(baked);
    CHECK_INT(vrm_bake(NULL, baked->gltf, baked->avatar, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(baked->gltf, &again), VRM_SUCCESS);
    CHECK(again.size == saved.size && memcmp(again.data, saved.data, saved.size) == 0);
    vrm_bytes_free(&saved);
    vrm_bytes_free(&again);
    return report;
}

static int text_is(const vrm_gltf *gltf, const char *pointer, const char *expected)
{
    vrm_string text = {"", 0};
    const vrm_result result = vrm_gltf_json(gltf, pointer, &text);
    const int same = expected == NULL ? result == VRM_ERROR_NOT_FOUND
                                      : result == VRM_SUCCESS && text.length == strlen(expected) &&
                                            memcmp(text.data, expected, text.length) == 0;
    if (!same) {
        printf("  %s is %.*s, expected %s\n", pointer, (int)text.length, text.data,
            expected != NULL ? expected : "nothing");
    }
    return same;
}

static int number_at(const vrm_gltf *gltf, const char *format, ...)
{
    char pointer[128];
    vrm_string text = {"", 0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(pointer, sizeof pointer, format, arguments);
    va_end(arguments);
    return vrm_gltf_json(gltf, pointer, &text) == VRM_SUCCESS ? atoi(text.data) : -1;
}

static void read_values(const vrm_gltf *gltf, int accessor, float *out, uint32_t count)
{
    vrm_gltf_accessor info = {0};
    CHECK_INT(vrm_gltf_accessor_info(gltf, (uint32_t)accessor, &info), VRM_SUCCESS);
    CHECK_INT(info.count * info.components, count);
    if (info.count * info.components == count) {
        CHECK_INT(vrm_gltf_accessor_read_float(gltf, (uint32_t)accessor, 0, info.count, out), VRM_SUCCESS);
    }
}

static void check_values(const vrm_gltf *gltf, int accessor, const float *expected, uint32_t count)
{
    float values[256];
    read_values(gltf, accessor, values, count);
    for (uint32_t i = 0; i < count; ++i) {
        CHECK_NEAR(values[i], expected[i], 1e-6);
    }
}

// --- windings --------------------------------------------------------------------------------------------------------

enum { CORNERS = 6 };

// A zigzag whose triangles face +Z in every mode, as list, strip and fan, with and without indices.
static uint32_t add_zigzag(model *m, int mode, bool indexed)
{
    float positions[CORNERS * 3], normals[CORNERS * 3];
    for (int i = 0; i < CORNERS; ++i) {
        const double angle = 0.9 * i;
        float *p = &positions[i * 3];
        if (mode == 5) {
            p[0] = 0.5f * (float)i;
            p[1] = i % 2 == 0 ? 0.0f : -1.0f;
        } else if (mode == 6) {
            p[0] = i == 0 ? 0.0f : (float)cos(angle);
            p[1] = i == 0 ? 0.0f : (float)sin(angle);
        } else {
            p[0] = (float)(i / 3) + (i % 3 == 1 ? 1.0f : 0.0f);
            p[1] = i % 3 == 2 ? 1.0f : 0.0f;
        }
        p[2] = 0.0f;
        normals[i * 3] = normals[i * 3 + 1] = 0.0f;
        normals[i * 3 + 2] = 1.0f;
    }
    const uint16_t indices[CORNERS] = {0, 1, 2, 3, 4, 5};
    char more[64] = "";
    const uint32_t position = gltf_builder_accessor(
        &m->b, positions, sizeof positions, 5126, CORNERS, "VEC3", ",\"min\":[-1,-1,0],\"max\":[3,1,0]");
    const uint32_t normal = gltf_builder_floats(&m->b, normals, CORNERS * 3, CORNERS, "VEC3");
    if (indexed) {
        snprintf(more, sizeof more, ",\"indices\":%u",
            gltf_builder_accessor(&m->b, indices, sizeof indices, 5123, CORNERS, "SCALAR", ""));
    }
    return gltf_builder_add(&m->b, "meshes",
        "{\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u},\"mode\":%d%s}]}", position, normal, mode,
        more);
}

// Every triangle's winding agrees with its normals; returns their number.
static uint32_t check_front(const vrm_gltf *gltf, uint32_t mesh)
{
    const int mode = number_at(gltf, "/meshes/%u/primitives/0/mode", mesh);
    const int indices = number_at(gltf, "/meshes/%u/primitives/0/indices", mesh);
    float positions[CORNERS * 3], normals[CORNERS * 3];
    uint32_t drawing[64], size = CORNERS;
    vrm_gltf_accessor info;
    read_values(gltf, number_at(gltf, "/meshes/%u/primitives/0/attributes/POSITION", mesh), positions, CORNERS * 3);
    read_values(gltf, number_at(gltf, "/meshes/%u/primitives/0/attributes/NORMAL", mesh), normals, CORNERS * 3);
    for (uint32_t i = 0; i < CORNERS; ++i) {
        drawing[i] = i;
    }
    if (indices >= 0 && vrm_gltf_accessor_info(gltf, (uint32_t)indices, &info) == VRM_SUCCESS) {
        size = info.count;
        CHECK_INT(vrm_gltf_accessor_read_uint(gltf, (uint32_t)indices, 0, size, drawing), VRM_SUCCESS);
    }
    const uint32_t count = mode == 4 ? size / 3 : size - 2;
    for (uint32_t t = 0; t < count; ++t) {
        const uint32_t strip[3] = {t, t + 1 + t % 2, t + 2 - t % 2}, fan[3] = {t + 1, t + 2, 0};
        const uint32_t list[3] = {t * 3, t * 3 + 1, t * 3 + 2};
        const uint32_t *corners = mode == 4 ? list : mode == 5 ? strip : fan;
        const float *a = &positions[drawing[corners[0]] * 3], *b = &positions[drawing[corners[1]] * 3];
        const float *c = &positions[drawing[corners[2]] * 3], *n = &normals[drawing[corners[0]] * 3];
        float u[3], v[3];
        for (int k = 0; k < 3; ++k) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - a[k];
        }
        const float across[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        CHECK(across[0] * n[0] + across[1] * n[1] + across[2] * n[2] > 0.01f);
    }
    return count;
}

static void mirrored_triangles(void)
{
    static const uint32_t triangles[] = {2, 4, 4};
    for (int mode = 4; mode <= 6; ++mode) {
        for (int kind = 0; kind < 4; ++kind) {
            const bool mirrored = kind % 2 == 1;
            model m;
            document f, baked;
            begin(&m, false, "", "");
            snprintf(m.roots, sizeof m.roots, ",%d", BONES);
            const uint32_t mesh = add_zigzag(&m, mode, kind < 2);
            gltf_builder_add(
                &m.b, "nodes", "{\"mesh\":%u,\"rotation\":[0.6,0,0,0.8],\"scale\":[%d,2,2]}", mesh, mirrored ? -2 : 2);
            finish(&m, &f);
            CHECK_INT(check_front(f.gltf, mesh), triangles[mode - 4]); // as made
            vrm_report_destroy(bake(&f, &baked));
            CHECK_INT(check_front(baked.gltf, mesh), triangles[mode - 4]);
            CHECK_INT(number_at(baked.gltf, "/meshes/0/primitives/0/mode"), mirrored ? 4 : mode);
            CHECK(text_is(baked.gltf, "/nodes/15/rotation", NULL));
            CHECK(text_is(baked.gltf, "/nodes/15/scale", NULL));
            document_close(&baked);
            document_close(&f);
        }
    }
}

// --- skins -----------------------------------------------------------------------------------------------------------

enum { POINTS = 4 };

// Vertex 0 by the head, 1 by nobody, 2 half by the head in the second set and half by the spine, 3 by unnormalised
// weights.
static void add_skin(model *m, const char *skin, bool tangents)
{
    const float positions[POINTS * 3] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    const float normals[POINTS * 3] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1};
    const uint8_t joints[2][POINTS * 4] = {{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {0}};
    const float weights[2][POINTS * 4] = {
        {1, 0, 0, 0, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0.9f, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0.5f}};
    const float deltas[POINTS * 3] = {0, 0, 0, 0, 0, 0, 0, 0.25f, 0, 0, 0, 0};
    char more[64] = "";
    const uint32_t position = gltf_builder_accessor(
        &m->b, positions, sizeof positions, 5126, POINTS, "VEC3", ",\"min\":[0,0,0],\"max\":[1,1,1]");
    const uint32_t normal = gltf_builder_floats(&m->b, normals, POINTS * 3, POINTS, "VEC3");
    const uint32_t delta = gltf_builder_floats(&m->b, deltas, POINTS * 3, POINTS, "VEC3");
    uint32_t sets[4];
    for (int i = 0; i < 2; ++i) {
        sets[2 * i] = gltf_builder_accessor(&m->b, joints[i], POINTS * 4, 5121, POINTS, "VEC4", "");
        sets[2 * i + 1] = gltf_builder_floats(&m->b, weights[i], POINTS * 4, POINTS, "VEC4");
    }
    if (tangents) {
        snprintf(
            more, sizeof more, ",\"TANGENT\":%u", gltf_builder_floats(&m->b, weights[0], POINTS * 4, POINTS, "VEC4"));
    }
    gltf_builder_add(&m->b, "meshes",
        "{\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u,\"JOINTS_0\":%u,\"WEIGHTS_0\":%u,\"JOINTS_1\":"
        "%u,"
        "\"WEIGHTS_1\":%u%s},\"mode\":0,\"targets\":[{\"POSITION\":%u,\"NORMAL\":%u}]}]}",
        position, normal, sets[0], sets[1], sets[2], sets[3], more, delta, delta);
    gltf_builder_add(&m->b, "skins", "%s", skin);
}

// The head (a quarter turn about Y, twice the size) and the spine, without inverse bind matrices: mesh space is each
// one's.
static void blended_vertices(void)
{
    model m;
    document f, baked;
    begin(&m, false, "", ",\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[2,2,2]");
    snprintf(m.roots, sizeof m.roots, ",%d", BONES);
    add_skin(&m, "{\"joints\":[2,1]}", true);
    gltf_builder_add(
        &m.b, "nodes", "{\"mesh\":0,\"skin\":0,\"translation\":[5,5,5],\"scale\":[-1,3,1]}"); // does not count
    finish(&m, &f);
    vrm_report *report = bake(&f, &baked);
    CHECK(has_finding(report, VRM_FINDING_BAKE_UNWEIGHTED, "/skins/0"));
    CHECK(has_finding(report, VRM_FINDING_BAKE_REST_NOT_BIND, "/skins/0"));
    CHECK(has_finding(report, VRM_FINDING_BAKE_TANGENTS, ""));
    CHECK_INT(vrm_report_count(report), 3);
    // Head: (x, y, z) -> (2z, 2y, -2x) + (0, 0.75, 0). Spine: + (0, 0.5, 0). The spine is the root of the skin.
    const float positions[POINTS * 3] = {0, 0.75f, -2, 0, 1.5f, 0, 1, 0.625f, 0.5f, 2, 2.75f, -2};
    const float normals[POINTS * 3] = {0, 0, -1, 0, 1, 0, 0.8f, 0, 0.6f, 1, 0, 0};
    const float moved[POINTS * 3] = {0, 0, 0, 0, 0, 0, 0, 0.375f, 0, 0, 0, 0};
    check_values(
        baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/attributes/POSITION"), positions, POINTS * 3);
    check_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/targets/0/POSITION"), moved, POINTS * 3);
    // The blend of the half-way vertex is ((0.5, 0, 1), (0, 1.5, 0), (-1, 0, 0.5)): its normal by the inverse
    // transposed.
    const float across[3] = {1.0f / 1.25f, 0, 0.5f / 1.25f};
    const float length = (float)sqrt(across[0] * across[0] + across[2] * across[2]);
    float read[POINTS * 3];
    read_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/attributes/NORMAL"), read, POINTS * 3);
    for (int i = 0; i < POINTS * 3; ++i) {
        CHECK_NEAR(read[i], i / 3 == 2 ? across[i % 3] / length : normals[i], 1e-6);
    }
    read_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/targets/0/NORMAL"), read, POINTS * 3);
    CHECK_NEAR(read[7], 0.25f / 1.5f / length, 1e-6); // as much shorter as the normal became
    CHECK(text_is(baked.gltf, "/meshes/0/primitives/0/attributes/TANGENT", NULL));
    float matrices[32], expected[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.75f, 0, 1};
    memcpy(expected + 16, expected, 16 * sizeof(float));
    expected[29] = -0.5f;
    read_values(baked.gltf, number_at(baked.gltf, "/skins/0/inverseBindMatrices"), matrices, 32);
    for (int i = 0; i < 32; ++i) {
        CHECK_NEAR(matrices[i], expected[i], 1e-6);
    }
    uint32_t joints[POINTS * 4];
    float weights[POINTS * 4];
    const int joints0 = number_at(baked.gltf, "/meshes/0/primitives/0/attributes/JOINTS_0");
    CHECK_INT(vrm_gltf_accessor_read_uint(baked.gltf, (uint32_t)joints0, 0, POINTS, joints), VRM_SUCCESS);
    read_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/attributes/WEIGHTS_0"), weights, POINTS * 4);
    CHECK_INT(joints[4], 1); // the spine
    CHECK_NEAR(weights[4], 1, 0);
    CHECK_NEAR(weights[12], 0.9, 1e-7);
    vrm_report_destroy(report);
    document_close(&baked);
    document_close(&f);
}

// --- meshes of several nodes -----------------------------------------------------------------------------------------

static void shared_meshes(void)
{
    for (int vrm0 = 0; vrm0 < 2; ++vrm0) {
        model m;
        document f, baked;
        begin(&m, vrm0 != 0, "", "");
        snprintf(m.roots, sizeof m.roots, ",15,16,17,18");
        const float positions[3] = {1, 0, 0}, delta[3] = {0, 1, 0};
        const uint32_t position =
            gltf_builder_accessor(&m.b, positions, 12, 5126, 1, "VEC3", ",\"min\":[1,0,0],\"max\":[1,0,0]");
        const uint32_t target = gltf_builder_floats(&m.b, delta, 3, 1, "VEC3");
        gltf_builder_add(&m.b, "meshes",
            "{\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"mode\":0,\"targets\":[{\"POSITION\":%u}]}]}",
            position, target);
        gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"rotation\":[0,0,0.70710678,0.70710678]}");
        gltf_builder_add(
            &m.b, "nodes", "{\"mesh\":0,\"rotation\":[0,0,0.70710678,0.70710678],\"translation\":[1,2,3]}");
        gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"translation\":[1,2,3]}");
        gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"scale\":[3,3,3],\"translation\":[1,2,3]}");
        if (vrm0 != 0) {
            snprintf(m.vrm, sizeof m.vrm,
                ",\"blendShapeMaster\":{\"blendShapeGroups\":[{\"name\":\"Joy\",\"presetName\":\"joy\",\"binds\":[{"
                "\"mesh\":0,"
                "\"index\":0,\"weight\":100}]}]},\"firstPerson\":{\"meshAnnotations\":[{\"mesh\":0,\"firstPersonFlag\":"
                "\"Both\"}]}");
        } else {
            snprintf(m.vrm, sizeof m.vrm,
                ",\"expressions\":{\"preset\":{\"happy\":{\"morphTargetBinds\":[{\"node\":15,\"index\":0,\"weight\":1}]"
                "}}}");
        }
        finish(&m, &f);
        vrm_report_destroy(bake(&f, &baked));
        CHECK_INT(vrm_gltf_count(baked.gltf, VRM_GLTF_MESHES), 3);
        CHECK_INT(number_at(baked.gltf, "/nodes/17/mesh"), 0); // not turned: as it was
        const int turned = number_at(baked.gltf, "/nodes/15/mesh"), large = number_at(baked.gltf, "/nodes/18/mesh");
        CHECK_INT(number_at(baked.gltf, "/nodes/16/mesh"), turned);
        CHECK(turned > 0 && large > 0 && turned != large);
        const float up[3] = {0, 1, 0}, left[3] = {-1, 0, 0}, far[3] = {3, 0, 0};
        check_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/attributes/POSITION"), positions, 3);
        check_values(baked.gltf, number_at(baked.gltf, "/meshes/%d/primitives/0/attributes/POSITION", turned), up, 3);
        check_values(baked.gltf, number_at(baked.gltf, "/meshes/%d/primitives/0/targets/0/POSITION", turned), left, 3);
        check_values(baked.gltf, number_at(baked.gltf, "/meshes/%d/primitives/0/attributes/POSITION", large), far, 3);
        if (vrm0 != 0) {
            uint32_t seen = 0;
            for (int i = 0; i < 3; ++i) {
                seen |=
                    1u << number_at(baked.gltf, "/extensions/VRM/blendShapeMaster/blendShapeGroups/0/binds/%d/mesh", i);
                seen |= 16u << number_at(baked.gltf, "/extensions/VRM/firstPerson/meshAnnotations/%d/mesh", i);
            }
            CHECK_INT(seen, 0x77);
        }
        document_close(&baked);
        document_close(&f);
    }
}

// One accessor is the position of two meshes, of which one is turned, and a morph target of a third.
static void shared_accessors(void)
{
    model m;
    document f, baked;
    begin(&m, false, "", "");
    snprintf(m.roots, sizeof m.roots, ",15,16,17");
    const float positions[3] = {1, 0, 0};
    const uint32_t position =
        gltf_builder_accessor(&m.b, positions, 12, 5126, 1, "VEC3", ",\"min\":[1,0,0],\"max\":[1,0,0]");
    for (int i = 0; i < 3; ++i) {
        gltf_builder_add(&m.b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"mode\":0%s}]}", position,
            i == 2 ? ",\"targets\":[{\"POSITION\":0}]" : "");
    }
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":0}");
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":1,\"rotation\":[0,0,0.70710678,0.70710678]}");
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":2,\"matrix\":[0,0,-2,0,0,2,0,0,2,0,0,0,7,8,9,1]}");
    finish(&m, &f);
    vrm_report_destroy(bake(&f, &baked));
    const float up[3] = {0, 1, 0}, back[3] = {0, 0, -2};
    check_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/attributes/POSITION"), positions, 3);
    check_values(baked.gltf, number_at(baked.gltf, "/meshes/1/primitives/0/attributes/POSITION"), up, 3);
    check_values(baked.gltf, number_at(baked.gltf, "/meshes/2/primitives/0/attributes/POSITION"), back, 3);
    check_values(baked.gltf, number_at(baked.gltf, "/meshes/2/primitives/0/targets/0/POSITION"), back, 3);
    CHECK(text_is(baked.gltf, "/nodes/17/matrix", NULL));
    CHECK(text_is(baked.gltf, "/nodes/17/translation", "[7,8,9]"));
    document_close(&baked);
    document_close(&f);
}

// --- animations ------------------------------------------------------------------------------------------------------

static void animations(void)
{
    model m;
    document f, baked;
    const float h = 0.70710678f;
    // Hips a quarter about Y and twice as large, head another quarter about X.
    begin(&m, false, ",\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[2,2,2]",
        ",\"rotation\":[0.70710678,0,0,0.70710678],\"camera\":0");
    gltf_builder_add(&m.b, "cameras", "{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":0.1}}");
    const float times[2] = {0, 1}, vectors[6] = {1, 0, 0, 0, 1, 2};
    const int16_t rotations[8] = {0, 0, 0, 32767, 23170, 0, 0, 23170};
    const float cubic[12] = {0.5f, 0, 0, 0, 0, 0, 0, 1, 0, 0, -0.5f, 0};
    const float one[1] = {0};
    const uint32_t time = gltf_builder_accessor(&m.b, times, 8, 5126, 2, "SCALAR", ",\"min\":[0],\"max\":[1]");
    const uint32_t vector = gltf_builder_floats(&m.b, vectors, 6, 2, "VEC3");
    const uint32_t rotation = gltf_builder_accessor(&m.b, rotations, 16, 5122, 2, "VEC4", ",\"normalized\":true");
    const uint32_t start = gltf_builder_accessor(&m.b, one, 4, 5126, 1, "SCALAR", ",\"min\":[0],\"max\":[0]");
    const uint32_t key = gltf_builder_floats(&m.b, cubic, 12, 3, "VEC4");
    gltf_builder_add(&m.b, "animations",
        "{\"samplers\":[{\"input\":%u,\"output\":%u},{\"input\":%u,\"output\":%u},{\"input\":%u,\"output\":%u,"
        "\"interpolation\":\"CUBICSPLINE\"}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
        "\"translation\"}},"
        "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},{\"sampler\":1,\"target\":{\"node\":2,"
        "\"path\":"
        "\"rotation\"}},{\"sampler\":2,\"target\":{\"node\":0,\"path\":\"rotation\"}},{\"sampler\":0,\"target\":{"
        "\"node\":0,"
        "\"path\":\"scale\"}},{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"scale\"}}]}",
        time, vector, time, rotation, start, key);
    finish(&m, &f);
    vrm_report *report = bake(&f, &baked);
    CHECK(has_finding(report, VRM_FINDING_BAKE_DIRECTION, "/nodes/2"));
    CHECK_INT(vrm_report_count(report), 1); // quarters: every scale has its axis
    int outputs[6];
    for (int i = 0; i < 6; ++i) {
        const int sampler = number_at(baked.gltf, "/animations/0/channels/%d/sampler", i);
        outputs[i] = number_at(baked.gltf, "/animations/0/samplers/%d/output", sampler);
    }
    check_values(baked.gltf, outputs[0], vectors, 6); // a root's translation
    const float turned[6] = {0, 0, -2, 4, 2, 0};      // by the hips: (x, y, z) -> (2z, 2y, -2x)
    check_values(baked.gltf, outputs[1], turned, 6);
    // hips * q * (hips * head)^-1: at q = head nothing, at q = 1 a quarter back about -Z, which was the head's X.
    const float back[8] = {0, 0, h, h, 0, 0, 0, 1};
    float read[12];
    read_values(baked.gltf, outputs[2], read, 8);
    for (int i = 0; i < 8; ++i) {
        CHECK_NEAR(read[i], back[i], 2e-5); // 16 bits
    }
    // Tangents and values of the hips, each times its rest's inverse.
    const float keys[12] = {0.5f * h, 0, -0.5f * h, 0, 0, -h, 0, h, -0.5f * h, 0, -0.5f * h, 0};
    check_values(baked.gltf, outputs[3], keys, 12);
    // The hips' X is the model's Z, and the factor against rest is half the scale. The head's X, Y, Z are Z, X, Y.
    const float hips_scale[6] = {0, 0, 0.5f, 1, 0.5f, 0}, head_scale[6] = {0, 0, 1, 1, 2, 0};
    check_values(baked.gltf, outputs[4], hips_scale, 6);
    check_values(baked.gltf, outputs[5], head_scale, 6);
    vrm_report_destroy(report);
    document_close(&baked);
    document_close(&f);
}

// --- what is reported ------------------------------------------------------------------------------------------------

static void reported(void)
{
    model m;
    document f, baked;
    begin(&m, false, "", "");
    snprintf(m.roots, sizeof m.roots, ",15,17,19,20");
    // A node with children and an uneven scale; one of its own takes any.
    gltf_builder_add(&m.b, "nodes", "{\"scale\":[1,2,1],\"children\":[16]}");
    gltf_builder_add(&m.b, "nodes", "{\"translation\":[0,1,0]}");
    gltf_builder_add(&m.b, "nodes",
        "{\"scale\":[-1,2,1],\"rotation\":[0,0,0.38268343,0.92387953],\"children\":[18],"
        "\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"aim\":{\"source\":0,"
        "\"aimAxis\":"
        "\"PositiveX\"}}}}}");
    gltf_builder_add(&m.b, "nodes",
        "{\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{"
        "\"rotation\":{\"source\":1}}}}}");
    gltf_builder_add(&m.b, "nodes",
        "{\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[4,5,6],\"extensions\":{"
        "\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"roll\":{\"source\":1,\"rollAxis\":\"X\"}}}"
        "}}");
    gltf_builder_add(&m.b, "nodes",
        "{\"rotation\":[0,0.70710678,0,0.70710678],\"extensions\":{\"VRMC_node_constraint\":{"
        "\"specVersion\":\"1.0\",\"constraint\":{\"aim\":{\"source\":1,\"aimAxis\":\"NegativeX\"}}}}}");
    finish(&m, &f);
    vrm_report *report = bake(&f, &baked);
    CHECK(has_finding(report, VRM_FINDING_BAKE_SCALE_UNEVEN, "/nodes/15/scale"));
    CHECK(has_finding(report, VRM_FINDING_BAKE_SCALE_UNEVEN, "/nodes/17/scale"));
    CHECK(has_finding(report, VRM_FINDING_BAKE_CONSTRAINT_AXIS, "/nodes/17/extensions/VRMC_node_constraint/constraint/aim"));
    CHECK(
        has_finding(report, VRM_FINDING_BAKE_CONSTRAINT_FRAMES, "/nodes/18/extensions/VRMC_node_constraint/constraint/rotation"));
    CHECK_INT(vrm_report_count(report), 4);
    CHECK_STRING(vrm_report_get(report, 2)->found, "45 degrees");
    CHECK(text_is(baked.gltf, "/nodes/19/extensions/VRMC_node_constraint/constraint/roll/rollAxis", "\"Z\""));
    CHECK(text_is(baked.gltf, "/nodes/20/extensions/VRMC_node_constraint/constraint/aim/aimAxis", "\"PositiveZ\""));
    vrm_report_destroy(report);
    document_close(&baked);
    document_close(&f);
}

// --- refused ---------------------------------------------------------------------------------------------------------

static void make_skinned(document *f)
{
    model m;
    begin(&m, false, "", ",\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[2,2,2]");
    snprintf(m.roots, sizeof m.roots, ",%d", BONES);
    add_skin(&m, "{\"joints\":[2,1]}", true);
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"skin\":0}");
    finish(&m, f);
}

static void refused(void)
{
    document f, other;
    model m;
    make_skinned(&f);
    begin(&m, false, "", "");
    finish(&m, &other);
    CHECK_INT(vrm_bake(NULL, other.gltf, f.avatar, NULL), VRM_ERROR_INVALID_ARGUMENT);
    vrm_bake_def def;
    vrm_bake_def_default(&def);
    def.progress = document_cancel;
    CHECK_INT(vrm_bake(&def, other.gltf, other.avatar, NULL), VRM_ERROR_CANCELLED);
    def.struct_size = 0;
    CHECK_INT(vrm_bake(&def, f.gltf, f.avatar, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_set_json(f.gltf, "/nodes/-", "{}", 2), VRM_SUCCESS); // edited since
    CHECK_INT(vrm_bake(NULL, f.gltf, f.avatar, NULL), VRM_ERROR_INVALID_ARGUMENT);
    document_close(&f);
    document_close(&other);
}

// A position that no float can hold once it is multiplied.
static void beyond_floats(void)
{
    model m;
    document f;
    begin(&m, false, "", "");
    snprintf(m.roots, sizeof m.roots, ",%d", BONES);
    const float positions[3] = {3e38f, 0, 0};
    gltf_builder_accessor(&m.b, positions, 12, 5126, 1, "VEC3", ",\"min\":[3e38,0,0],\"max\":[3e38,0,0]");
    gltf_builder_add(&m.b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}");
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"scale\":[10,10,10]}");
    finish(&m, &f);
    CHECK_INT(vrm_bake(NULL, f.gltf, f.avatar, NULL), VRM_ERROR_INVALID_ASSET);
    document_close(&f);
}

// The BIN chunk is missing: the vertices are.
static void without_bytes(void)
{
    model m;
    document f;
    begin(&m, false, "", "");
    snprintf(m.roots, sizeof m.roots, ",%d", BONES);
    gltf_builder_add(&m.b, "buffers", "{\"byteLength\":12}");
    gltf_builder_add(&m.b, "bufferViews", "{\"buffer\":0,\"byteLength\":12}");
    gltf_builder_add(&m.b, "accessors",
        "{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\",\"min\":[0,0,0],"
        "\"max\":[0,0,0]}");
    gltf_builder_add(&m.b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}");
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"scale\":[10,10,10]}");
    finish(&m, &f);
    CHECK_INT(vrm_bake(NULL, f.gltf, f.avatar, NULL), VRM_ERROR_NOT_FOUND);
    document_close(&f);
}

static vrm_result bake_with(const document *d, vrm_gltf *gltf, const vrm_allocator *allocator)
{
    vrm_bake_def def;
    vrm_bake_def_default(&def);
    def.allocator = *allocator;
    return vrm_bake(&def, gltf, d->avatar, NULL);
}

static void without_memory(void)
{
    document d;
    make_skinned(&d);
    document_without_memory(&d, bake_with);
    document_close(&d);
}

static const test_case cases[] = {
    {"mirrored_triangles", mirrored_triangles},
    {"blended_vertices", blended_vertices},
    {"shared_meshes", shared_meshes},
    {"shared_accessors", shared_accessors},
    {"animations", animations},
    {"reported", reported},
    {"refused", refused},
    {"beyond_floats", beyond_floats},
    {"without_bytes", without_bytes},
    {"without_memory", without_memory},
};

RUN_TESTS(cases)
