// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_MIGRATE_FIXTURE_H
#define TESTS_MIGRATE_FIXTURE_H

// Files of older dialects with everything that a migration must rotate, and their state before and after it.

#include <math.h>
#include <stdlib.h>
#include <vrm/vrm.h>

#include "gltf_builder.h"
#include "plain_instance.h"
#include "report_fixture.h"
#include "skeleton_json.h"
#include "test_allocator.h"

enum { BONES = 19, HAIR = 19, SIDE = 21, CAMERA = 22, BODY = 23, BODY2 = 24, RING = 25, NODES = 26, VERTICES = 6 };

static const char *const bones[BONES] = {"hips", "spine", "chest", "neck", "head", "leftUpperArm", "leftLowerArm",
    "leftHand", "rightUpperArm", "rightLowerArm", "rightHand", "leftUpperLeg", "leftLowerLeg", "leftFoot",
    "rightUpperLeg", "rightLowerLeg", "rightFoot", "leftEye", "rightEye"};
static const int parents[NODES] = {-1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15, 4, 4, // bones
    4, HAIR, HAIR, 4, -1, -1, 10};

// A test case's changes to the file.
typedef struct variant {
    const char *vrm;          // members of extensions.VRM that replace the usual ones
    const char *camera_child; // the camera's "children" member
    const char *extensions;   // further names in extensionsUsed, each preceded by a comma
    bool normals_as_colors;   // one accessor serves as normals and as colours
    bool shared_bytes;        // two accessors share bytes
    bool unsigned_positions;  // quantised
    bool shared_output;       // translations that are also an animation's scales
    bool small_normals;       // quantised as signed integers
    bool interleaved;
    const char *more; // members of extensions besides VRM, each preceded by a comma
} variant;

#define CURVE "\"curve\":[0,0,0,1,1,1,1,0],"
static const char usual[] =
    "\"meta\":{\"title\":\"T\",\"author\":\"A\",\"texture\":0,\"reference\":\"R\"},"
    "\"firstPerson\":{\"firstPersonBoneOffset\":{\"x\":0.01,\"y\":0.06,\"z\":0.02},\"lookAtTypeName\":\"Bone\","
    "\"meshAnnotations\":[{\"mesh\":0,\"firstPersonFlag\":\"ThirdPersonOnly\"}],"
    "\"lookAtHorizontalInner\":{" CURVE "\"xRange\":80,\"yRange\":9},\"lookAtHorizontalOuter\":{" CURVE
    "\"xRange\":70,\"yRange\":12},"
    "\"lookAtVerticalDown\":{" CURVE "\"xRange\":60,\"yRange\":10},\"lookAtVerticalUp\":{" CURVE
    "\"xRange\":50,\"yRange\":8}},"
    "\"blendShapeMaster\":{\"blendShapeGroups\":["
    "{\"name\":\"Joy\",\"presetName\":\"joy\",\"binds\":[{\"mesh\":0,\"index\":0,\"weight\":75}],\"materialValues\":["
    "{\"materialName\":\"skin\",\"propertyName\":\"_Color\",\"targetValue\":[1,0.5,0.25,1]},"
    "{\"materialName\":\"skin\",\"propertyName\":\"_EmissionColor\",\"targetValue\":[4,2,1,1]},"
    "{\"materialName\":\"skin\",\"propertyName\":\"_MainTex_ST\",\"targetValue\":[0.5,0.5,0.25,0.125]}]},"
    "{\"name\":\"mine\",\"presetName\":\"unknown\",\"isBinary\":true,\"binds\":[{\"mesh\":0,\"index\":1,\"weight\":40}]"
    "},"
    "{\"name\":\"mine\",\"presetName\":\"unknown\",\"binds\":[{\"mesh\":0,\"index\":0,\"weight\":10}]},"
    "{\"name\":\"\",\"presetName\":\"unknown\",\"binds\":[]}]},"
    "\"secondaryAnimation\":{\"boneGroups\":[{\"comment\":\"hair \\\"1\\\"\",\"stiffiness\":0.6,\"gravityPower\":0.2,"
    "\"gravityDir\":{\"x\":0.3,\"y\":-1,\"z\":0.2},\"dragForce\":0.45,\"center\":4,\"hitRadius\":0.02,\"bones\":[19],"
    "\"colliderGroups\":[2,0,2,1]}],\"colliderGroups\":["
    "{\"node\":4,\"colliders\":[{\"offset\":{\"x\":0.02,\"y\":0.05,\"z\":-0.03},\"radius\":0.08},"
    "{\"offset\":{\"x\":0,\"y\":0,\"z\":0},\"radius\":0.04}]},"
    "{\"node\":-1,\"colliders\":[{\"offset\":{\"x\":0,\"y\":0,\"z\":0},\"radius\":1}]},"
    "{\"node\":3,\"colliders\":[{\"offset\":{\"x\":0.01,\"y\":0,\"z\":0},\"radius\":0.05}]}]},"
    "\"materialProperties\":[{\"name\":\"skin\",\"shader\":\"VRM/MToon\",\"renderQueue\":3000,"
    "\"floatProperties\":{\"_BlendMode\":2,\"_CullMode\":0,\"_OutlineWidth\":0.5,\"_OutlineWidthMode\":1,\"_"
    "BumpScale\":0.5,"
    "\"_ShadeToony\":0.8,\"_ShadeShift\":-0.1,\"_UvAnimScrollX\":0.25,\"_UvAnimRotation\":0.5},"
    "\"vectorProperties\":{\"_Color\":[0.9,0.8,0.7,1],\"_ShadeColor\":[0.5,0.4,0.3,1],\"_EmissionColor\":[2,0.5,0,1],"
    "\"_MainTex\":[0.25,0.5,0.5,0.25]},\"textureProperties\":{\"_MainTex\":0,\"_ShadeTexture\":0,\"_BumpMap\":0,"
    "\"_SphereAdd\":0},\"keywordMap\":{},\"tagMap\":{}},"
    "{\"name\":\"glass\",\"shader\":\"VRM/UnlitCutout\",\"floatProperties\":{\"_Cutoff\":0.25},"
    "\"vectorProperties\":{\"_Color\":[0.5,0.5,0.5,1]},\"textureProperties\":{},\"keywordMap\":{},\"tagMap\":{}}]";

static inline void add_nodes(gltf_builder *b, const variant *v)
{
    for (int i = 0; i < NODES; ++i) {
        char children[128];
        skeleton_children(children, sizeof children, parents, NODES, i);
        const char *more = i == BODY || i == BODY2 ? ",\"mesh\":0,\"skin\":0"
                           : i == RING             ? ",\"mesh\":1"
                           : i == CAMERA           ? ",\"camera\":0"
                           : i == SIDE             ? ",\"rotation\":[0.1,0.2,0.3,0.9273618495495703],\"scale\":[1,2,1]"
                           : i == HAIR + 1         ? ",\"extras\":{\"kept\":[1,2]}"
                           : i == 7 ? ",\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\","
                                      "\"constraint\":{\"rotation\":{\"source\":10}}}}"
                                    : "";
        if (i == 6) { // a matrix: 0.25 along X, a fifth of a turn about X
            gltf_builder_add(b, "nodes",
                "{\"name\":\"n6\",\"matrix\":[1,0,0,0, 0,0.30901699437494745,0.9510565162951535,0, "
                "0,-0.9510565162951535,0.30901699437494745,0, 0.25,0,0.01,1]%s}",
                children);
            continue;
        }
        gltf_builder_add(b, "nodes", "{\"name\":\"n%d\",\"translation\":[%g,%g,%g]%s%s%s}", i, 0.01 * (i % 5) - 0.02,
            i == 0                    ? 0.9
            : i >= BODY && i < RING   ? 0.0
            : i >= HAIR && i < CAMERA ? -0.06
                                      : 0.1,
            0.015 * (i % 3) - 0.01, more, i == CAMERA ? v->camera_child : "", children);
    }
}

static inline void random_floats(float *out, int count, uint32_t seed)
{
    for (int i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        out[i] = (float)(seed >> 8) / (float)(1 << 24) - 0.5f;
    }
}

// Accessors: 0 POSITION, 1 NORMAL, 2 TANGENT, 3 JOINTS_0, 4 WEIGHTS_0, 5 and 6 targets, 7 bind matrices, 8 times, 9
// translations, 10 rotations, 11 scales.
static inline void add_data(gltf_builder *b, const variant *v)
{
    float values[VERTICES * 16], weights[VERTICES * 4] = {0};
    uint8_t joints[VERTICES * 4] = {0};
    random_floats(values, VERTICES * 6, 1);
    values[2] = 0.0f; // keeps its sign
    for (int i = 0; i < VERTICES; ++i) {
        joints[i * 4] = (uint8_t)(i % 3);
        joints[i * 4 + 1] = 2;
        weights[i * 4] = i % 3 == 2 ? 1.0f : 0.75f;
        weights[i * 4 + 1] = i % 3 == 2 ? 0.0f : 0.25f;
    }
    float low[3] = {1, 1, 1}, high[3] = {-1, -1, -1};
    const int step = v->interleaved ? 6 : 3;
    for (int i = 0; i < VERTICES * 3; ++i) {
        const float value = values[i / 3 * step + i % 3];
        low[i % 3] = fminf(low[i % 3], value);
        high[i % 3] = fmaxf(high[i % 3], value);
    }
    char limits[256];
    snprintf(limits, sizeof limits, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0],
        (double)low[1], (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
    if (v->interleaved) {
        const uint32_t view = gltf_builder_view(b, values, VERTICES * 24, ",\"byteStride\":24");
        for (int i = 0; i < 2; ++i) {
            gltf_builder_add(b, "accessors",
                "{\"bufferView\":%u,\"byteOffset\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"%s}", view,
                12 * i, VERTICES, i == 0 ? limits : "");
        }
    } else if (v->unsigned_positions) {
        const uint16_t small[VERTICES * 4] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9};
        const uint32_t view = gltf_builder_view(b, small, sizeof small, ",\"byteStride\":8");
        gltf_builder_add(b, "accessors",
            "{\"bufferView\":%u,\"componentType\":5123,\"normalized\":true,\"count\":%d,\"type\":\"VEC3\","
            "\"min\":[0,0,0],\"max\":[7,8,9]}",
            view, VERTICES);
    } else {
        gltf_builder_accessor(b, values, VERTICES * 12, 5126, VERTICES, "VEC3", limits);
    }
    if (v->small_normals) {
        const int8_t small[VERTICES * 4] = {127, 0, -127, 0, 0, 127, 0, 0, 64, 64, 89};
        const uint32_t view = gltf_builder_view(b, small, sizeof small, ",\"byteStride\":4");
        gltf_builder_add(b, "accessors",
            "{\"bufferView\":%u,\"componentType\":5120,\"normalized\":true,\"count\":%d,\"type\":\"VEC3\"}", view,
            VERTICES);
    } else if (!v->interleaved) {
        random_floats(values, VERTICES * 3, 2);
        gltf_builder_floats(b, values, VERTICES * 3, VERTICES, "VEC3");
    }
    random_floats(values, VERTICES * 4, 3);
    gltf_builder_floats(b, values, VERTICES * 4, VERTICES, "VEC4");
    gltf_builder_accessor(b, joints, sizeof joints, 5121, VERTICES, "VEC4", "");
    gltf_builder_floats(b, weights, VERTICES * 4, VERTICES, "VEC4");
    random_floats(values, VERTICES * 3, 4);
    gltf_builder_floats(b, values, VERTICES * 3, VERTICES, "VEC3");
    // A sparse target without a base: vertices 1 and 4 move.
    const uint16_t indices[2] = {1, 4};
    const float moves[6] = {0.1f, 0.2f, 0.3f, -0.4f, 0.5f, -0.6f};
    const uint32_t index_view = gltf_builder_view(b, indices, sizeof indices, "");
    const uint32_t move_view = gltf_builder_view(b, moves, sizeof moves, "");
    gltf_builder_add(b, "accessors",
        "{\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\",\"sparse\":{\"count\":2,"
        "\"indices\":{\"bufferView\":%u,\"componentType\":5123},\"values\":{\"bufferView\":%u}}}",
        VERTICES, index_view, move_view);
    float matrices[48] = {0};
    random_floats(matrices, 48, 5);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 4; ++k) {
            matrices[16 * i + 4 * k + 3] = k == 3 ? 1.0f : 0.0f;
            matrices[16 * i + 5 * k] += k < 3 ? 1.0f : 0.0f;
        }
    }
    gltf_builder_floats(b, matrices, 48, 3, "MAT4");
    const float times[2] = {0, 1}, keys[8] = {0.1f, 0.9f, -0.2f, 0.6f, 0.3f, -0.1f, 0.25f, 0.5f};
    gltf_builder_accessor(b, times, sizeof times, 5126, 2, "SCALAR", ",\"min\":[0],\"max\":[1]");
    const uint32_t key_view = gltf_builder_view(b, keys, sizeof keys, "");
    gltf_builder_add(
        b, "accessors", "{\"bufferView\":%u,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}", key_view);
    const float turns[8] = {0.5f, 0.5f, 0.5f, 0.5f, 0, 0.6f, 0, 0.8f};
    gltf_builder_floats(b, turns, 8, 2, "VEC4");
    if (v->shared_bytes) {
        gltf_builder_add(b, "accessors",
            "{\"bufferView\":%u,\"byteOffset\":8,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}", key_view);
    } else {
        gltf_builder_floats(b, keys + 1, 6, 2, "VEC3");
    }
}

static inline uint8_t *build(const variant *v, size_t *out_size)
{
    gltf_builder b = {0};
    add_data(&b, v);
    add_nodes(&b, v);
    gltf_builder_add(&b, "scenes", "{\"nodes\":[0,%d,%d]}", BODY, BODY2);
    gltf_builder_member(&b, "scene", "0");
    gltf_builder_add(&b, "cameras", "{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":0.1}}");
    gltf_builder_add(&b, "skins", "{\"joints\":[1,2,4],\"inverseBindMatrices\":7}");
    gltf_builder_add(
        &b, "images", "{\"name\":\"face\",\"uri\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAI=\"}");
    gltf_builder_add(&b, "textures", "{\"source\":0}");
    gltf_builder_add(&b, "materials",
        "{\"name\":\"skin\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,\"extras\":{\"of\":\"others\"}}"
        ","
        "\"roughnessFactor\":0.5},\"alphaCutoff\":0.5,\"emissiveTexture\":{\"index\":0}}");
    gltf_builder_add(&b, "materials", "{\"name\":\"glass\"}");
    gltf_builder_add(&b, "meshes",
        "{\"primitives\":[{\"material\":0,\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TANGENT\":2,\"JOINTS_0\":3,"
        "\"WEIGHTS_0\":4%s},\"targets\":[{\"POSITION\":5,\"NORMAL\":5,\"TANGENT\":5},{\"POSITION\":6}],"
        "\"extras\":{\"targetNames\":[\"smile\",\"frown\"]}}]}",
        v->normals_as_colors ? ",\"COLOR_0\":1" : "");
    gltf_builder_add(&b, "meshes", "{\"primitives\":[{\"material\":1,\"attributes\":{\"POSITION\":0}}]}");
    gltf_builder_add(&b, "animations",
        "{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
        "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}},{\"sampler\":%d,\"target\":{\"node\":20,"
        "\"path\":\"scale\"}}],"
        "\"samplers\":[{\"input\":8,\"output\":9},{\"input\":8,\"output\":10},{\"input\":8,\"output\":11}]}",
        v->shared_output ? 0 : 2);
    char text[16384];
    char humanoid[2048];
    snprintf(text, sizeof text, "{\"VRM\":{\"humanoid\":{\"humanBones\":[%s,{\"bone\":\"hips\",\"node\":3}]},%s}%s}",
        skeleton_human_bones(humanoid, sizeof humanoid, bones, BONES, 1), v->vrm != NULL ? v->vrm : usual,
        v->more != NULL ? v->more : "");
    gltf_builder_member(&b, "extensions", text);
    snprintf(text, sizeof text, "[\"VRM\"%s]", v->extensions != NULL ? v->extensions : "");
    gltf_builder_member(&b, "extensionsUsed", text);
    gltf_builder_member(&b, "extras", "{\"mark\": [1, 2.50]}");
    uint8_t *bytes = gltf_builder_glb(&b, out_size);
    gltf_builder_free(&b);
    return bytes;
}

typedef struct model {
    vrm_bytes bytes;
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
} model;

static inline void open_model(model *m)
{
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    vrm_report *report = NULL;
    vrm_report_create(NULL, &report);
    vrm_result result = vrm_gltf_load(&def, m->bytes.data, m->bytes.size, report, &m->gltf);
    if (result == VRM_SUCCESS) {
        result = vrm_avatar_import(NULL, m->gltf, report, &m->avatar);
    }
    CHECK_INT(result, VRM_SUCCESS);
    for (uint32_t i = 0; i < vrm_report_get_count(report) && result != VRM_SUCCESS; ++i) {
        const vrm_finding *f = vrm_report_get_finding(report, i);
        printf("    %s at %s: %s\n", vrm_finding_get_info(f->id)->name, f->path, f->found);
    }
    vrm_report_destroy(report);
    if (m->avatar != NULL) {
        m->instance = plain_instance(m->avatar);
    }
}

static inline void close_model(model *m)
{
    vrm_instance_destroy(m->instance);
    vrm_avatar_release(m->avatar);
    vrm_gltf_destroy(m->gltf);
    vrm_bytes_free(&m->bytes);
    memset(m, 0, sizeof *m);
}

typedef struct pair {
    model before, after;
    vrm_report *report; // findings of the migration
} pair;

static inline void release_bytes(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

// Returns false if the migration was refused with `expected`.
static inline bool migrate(pair *p, const variant *v, const vrm_migrate_params *def, vrm_result expected)
{
    memset(p, 0, sizeof *p);
    p->before.bytes.data = build(v, &p->before.bytes.size);
    p->before.bytes.allocator.release = release_bytes;
    open_model(&p->before);
    vrm_report_create(NULL, &p->report);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, p->before.bytes.data, p->before.bytes.size, NULL, &gltf), VRM_SUCCESS);
    const vrm_result result = vrm_migrate(def, gltf, p->before.avatar, p->report);
    CHECK_INT(result, expected);
    if (result == VRM_SUCCESS) {
        CHECK_INT(vrm_gltf_save(gltf, &p->after.bytes), VRM_SUCCESS);
        open_model(&p->after);
        CHECK_STRING(vrm_avatar_get_dialect(p->after.avatar), "1.0");
    }
    vrm_gltf_destroy(gltf);
    return result == VRM_SUCCESS;
}

static inline void close_pair(pair *p)
{
    close_model(&p->before);
    close_model(&p->after);
    vrm_report_destroy(p->report);
}

static inline void check_json(const model *m, const char *pointer, const char *expected)
{
    vrm_string text = {0};
    char found[512] = "(nothing)";
    if (vrm_gltf_get_json(m->gltf, pointer, &text) == VRM_SUCCESS) {
        snprintf(found, sizeof found, "%.*s", (int)text.length, text.data);
    }
    if (strcmp(found, expected) != 0) {
        printf("  at %s\n", pointer);
    }
    CHECK_STRING(found, expected);
}

#endif
