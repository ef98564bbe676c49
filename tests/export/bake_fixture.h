// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_BAKE_FIXTURE_H
#define TESTS_BAKE_FIXTURE_H

// Small models to bake, and checks of the result.

#include <vrm/vrm.h>

#include <stdlib.h>

#include "document_fixture.h"
#include "gltf_fixture.h"
#include "skeleton_json.h"

enum { BONES = SKELETON_BONES, HEAD = 2 };

typedef struct model {
    gltf_builder b;
    bool vrm0;
    char roots[128]; // further root nodes of the scene, each preceded by a comma
    char vrm[1024];  // further members of the VRM extension, each preceded by a comma
} model;

// Adds the required bones without rotations. `hips` and `head` are further members of these nodes, or "".
static inline void begin(model *m, bool vrm0, const char *hips, const char *head)
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

static inline void finish(model *m, document *out)
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

// Bakes, saves and loads the file; checks that a second bake changes nothing.
static inline vrm_report *bake(document *f, document *baked)
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

static inline int text_is(const vrm_gltf *gltf, const char *pointer, const char *expected)
{
    vrm_string text = {"", 0};
    const vrm_result result = vrm_gltf_get_json(gltf, pointer, &text);
    const int same = expected == NULL ? result == VRM_ERROR_NOT_FOUND
                                      : result == VRM_SUCCESS && text.length == strlen(expected) &&
                                            memcmp(text.data, expected, text.length) == 0;
    if (!same) {
        printf("  %s is %.*s, expected %s\n", pointer, (int)text.length, text.data,
            expected != NULL ? expected : "nothing");
    }
    return same;
}

static inline int number_at(const vrm_gltf *gltf, const char *format, ...)
{
    char pointer[128];
    vrm_string text = {"", 0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(pointer, sizeof pointer, format, arguments);
    va_end(arguments);
    return vrm_gltf_get_json(gltf, pointer, &text) == VRM_SUCCESS ? atoi(text.data) : -1;
}

static inline void read_values(const vrm_gltf *gltf, int accessor, float *out, uint32_t count)
{
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    CHECK_INT(vrm_gltf_get_accessor(gltf, (uint32_t)accessor, &info), VRM_SUCCESS);
    CHECK_INT(info.count * info.components, count);
    if (info.count * info.components == count) {
        CHECK_INT(vrm_gltf_read_floats(gltf, (uint32_t)accessor, 0, info.count, out), VRM_SUCCESS);
    }
}

static inline void check_values(const vrm_gltf *gltf, int accessor, const float *expected, uint32_t count)
{
    float values[256];
    read_values(gltf, accessor, values, count);
    for (uint32_t i = 0; i < count; ++i) {
        CHECK_NEAR(values[i], expected[i], 1e-6);
    }
}

enum { POINTS = 4 };

// Vertex 0 has its weight on the head and vertex 1 on no joint. Vertex 2 has half on the head in its second set, half
// on the spine. The weights of vertex 3 do not add up to 1.
static inline void add_skin(model *m, const char *skin, bool tangents)
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

#endif
