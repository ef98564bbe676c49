// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Tests the bake on small models: windings, copies and bindings. test_bake_refused.c tests its reports and refusals;
// test_bake_avatars.mjs tests whole avatars and other people's files.

#include "bake_fixture.h"

#include <math.h>

// --- windings --------------------------------------------------------------------------------------------------------

enum { CORNERS = 6 };

// Adds a zigzag whose triangles face +Z in every mode (list, strip, fan), with or without indices.
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

// Checks that each triangle's winding agrees with its normals; returns the number of triangles.
static uint32_t check_front(const vrm_gltf *gltf, uint32_t mesh)
{
    const int mode = number_at(gltf, "/meshes/%u/primitives/0/mode", mesh);
    const int indices = number_at(gltf, "/meshes/%u/primitives/0/indices", mesh);
    float positions[CORNERS * 3], normals[CORNERS * 3];
    uint32_t drawing[64], size = CORNERS;
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    read_values(gltf, number_at(gltf, "/meshes/%u/primitives/0/attributes/POSITION", mesh), positions, CORNERS * 3);
    read_values(gltf, number_at(gltf, "/meshes/%u/primitives/0/attributes/NORMAL", mesh), normals, CORNERS * 3);
    for (uint32_t i = 0; i < CORNERS; ++i) {
        drawing[i] = i;
    }
    if (indices >= 0 && vrm_gltf_get_accessor(gltf, (uint32_t)indices, &info) == VRM_SUCCESS) {
        size = info.count;
        CHECK_INT(vrm_gltf_read_uints(gltf, (uint32_t)indices, 0, size, drawing), VRM_SUCCESS);
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

// The head is rotated a quarter about Y and twice as large. Without inverse bind matrices, each joint takes vertices as
// points in its own space.
static void blended_vertices(void)
{
    model m;
    document f, baked;
    begin(&m, false, "", ",\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[2,2,2]");
    snprintf(m.roots, sizeof m.roots, ",%d", BONES);
    add_skin(&m, "{\"joints\":[2,1]}", true);
    gltf_builder_add(
        // A skinned mesh ignores its node's transform.
        &m.b, "nodes", "{\"mesh\":0,\"skin\":0,\"translation\":[5,5,5],\"scale\":[-1,3,1]}");
    finish(&m, &f);
    vrm_report *report = bake(&f, &baked);
    CHECK(has_finding(report, VRM_FINDING_BAKE_UNWEIGHTED, "/skins/0"));
    CHECK(has_finding(report, VRM_FINDING_BAKE_REST_NOT_BIND, "/skins/0"));
    CHECK(has_finding(report, VRM_FINDING_BAKE_TANGENTS, ""));
    CHECK_INT(vrm_report_get_count(report), 3);
    // The expected vertices. The head maps (x, y, z) to (2z, 2y + 0.75, -2x), the spine to (x, y + 0.5, z). The spine
    // is the root of the skin.
    const float positions[POINTS * 3] = {0, 0.75f, -2, 0, 1.5f, 0, 1, 0.625f, 0.5f, 2, 2.75f, -2};
    const float normals[POINTS * 3] = {0, 0, -1, 0, 1, 0, 0.8f, 0, 0.6f, 1, 0, 0};
    const float moved[POINTS * 3] = {0, 0, 0, 0, 0, 0, 0, 0.375f, 0, 0, 0, 0};
    check_values(
        baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/attributes/POSITION"), positions, POINTS * 3);
    check_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/targets/0/POSITION"), moved, POINTS * 3);
    // The matrix blended at the half-way vertex is ((0.5, 0, 1), (0, 1.5, 0), (-1, 0, 0.5)); its inverse transpose
    // gives the normal.
    const float across[3] = {1.0f / 1.25f, 0, 0.5f / 1.25f};
    const float length = (float)sqrt(across[0] * across[0] + across[2] * across[2]);
    float read[POINTS * 3];
    read_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/attributes/NORMAL"), read, POINTS * 3);
    for (int i = 0; i < POINTS * 3; ++i) {
        CHECK_NEAR(read[i], i / 3 == 2 ? across[i % 3] / length : normals[i], 1e-6);
    }
    read_values(baked.gltf, number_at(baked.gltf, "/meshes/0/primitives/0/targets/0/NORMAL"), read, POINTS * 3);
    CHECK_NEAR(read[7], 0.25f / 1.5f / length, 1e-6); // scaled by the same factor as the normal
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
    CHECK_INT(vrm_gltf_read_uints(baked.gltf, (uint32_t)joints0, 0, POINTS, joints), VRM_SUCCESS);
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
        CHECK_INT(vrm_gltf_get_count(baked.gltf, VRM_GLTF_MESHES), 3);
        CHECK_INT(number_at(baked.gltf, "/nodes/17/mesh"), 0); // this mesh's node is not rotated, so it keeps mesh 0
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

// Three meshes share one accessor of positions: two use it as vertices, and one of these two is rotated; the third uses
// it as a morph target.
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
    // The hips are rotated a quarter about Y and twice as large; the head is rotated another quarter about X.
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
    CHECK_INT(vrm_report_get_count(report), 1); // with quarter rotations, each scale keeps an axis
    int outputs[6];
    for (int i = 0; i < 6; ++i) {
        const int sampler = number_at(baked.gltf, "/animations/0/channels/%d/sampler", i);
        outputs[i] = number_at(baked.gltf, "/animations/0/samplers/%d/output", sampler);
    }
    check_values(baked.gltf, outputs[0], vectors, 6); // the translation of a root does not change
    const float turned[6] = {0, 0, -2, 4, 2, 0};      // the hips rotate it: (x, y, z) -> (2z, 2y, -2x)
    check_values(baked.gltf, outputs[1], turned, 6);
    // The key q becomes hips * q * (hips * head)^-1. For q = head this is the identity; for q = 1 it is a quarter back
    // about -Z, which was the head's X.
    const float back[8] = {0, 0, h, h, 0, 0, 0, 1};
    float read[12];
    read_values(baked.gltf, outputs[2], read, 8);
    for (int i = 0; i < 8; ++i) {
        CHECK_NEAR(read[i], back[i], 2e-5); // 16 bits
    }
    // The hips' tangents and values, each multiplied by the inverse of the rest rotation.
    const float keys[12] = {0.5f * h, 0, -0.5f * h, 0, 0, -h, 0, h, -0.5f * h, 0, -0.5f * h, 0};
    check_values(baked.gltf, outputs[3], keys, 12);
    // The hips' X is the model's Z, and the factor relative to rest is half the scale. The head's X, Y and Z are the
    // model's Z, X and Y.
    const float hips_scale[6] = {0, 0, 0.5f, 1, 0.5f, 0}, head_scale[6] = {0, 0, 1, 1, 2, 0};
    check_values(baked.gltf, outputs[4], hips_scale, 6);
    check_values(baked.gltf, outputs[5], head_scale, 6);
    vrm_report_destroy(report);
    document_close(&baked);
    document_close(&f);
}

static const test_case cases[] = {
    {"mirrored_triangles", mirrored_triangles},
    {"blended_vertices", blended_vertices},
    {"shared_meshes", shared_meshes},
    {"shared_accessors", shared_accessors},
    {"animations", animations},
};

RUN_TESTS(cases)
