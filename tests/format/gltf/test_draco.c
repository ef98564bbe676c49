// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// KHR_draco_mesh_compression with the host's decoder of examples/decoders, on meshes that Draco itself has compressed.

#include <vrm/mesh.h>

#include "draco_decoder.h"
#include "draco_mesh.h"
#include "gltf_builder.h"
#include "report_fixture.h"

enum { SIDE = 9, VERTICES = SIDE * SIDE, INDICES = (SIDE - 1) * (SIDE - 1) * 6 };

static float positions[VERTICES][3], tex_coords[VERTICES][2];
static uint8_t colors[VERTICES][4];
static uint32_t indices[INDICES];

// Makes a bent grid. Each vertex has different values.
static draco_mesh make_mesh(int reorders)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < VERTICES; ++i) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        positions[i][0] = 0.13f * (float)x;
        positions[i][1] = 0.17f * (float)y;
        positions[i][2] = 0.01f * (float)(x * x + 3 * y);
        tex_coords[i][0] = (float)x / 7.0f;
        tex_coords[i][1] = 1.0f - (float)y / 11.0f;
        colors[i][0] = (uint8_t)(3 * i);
        colors[i][1] = (uint8_t)(255 - i);
        colors[i][2] = (uint8_t)(x * y);
        colors[i][3] = 255;
    }
    for (uint32_t y = 0; y + 1 < SIDE; ++y) {
        for (uint32_t x = 0; x + 1 < SIDE; ++x) {
            const uint32_t a = y * SIDE + x, corners[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
            memcpy(indices + at, corners, sizeof corners);
            at += 6;
        }
    }
    return (draco_mesh){(const float(*)[3])positions, (const float(*)[2])tex_coords, (const uint8_t(*)[4])colors,
        VERTICES, indices, INDICES, reorders};
}

typedef struct counted {
    int calls;
    uint32_t wanted; // outputs that the last call asked for
} counted;

static vrm_result decode(const vrm_draco_request *request, void *user)
{
    counted *c = user;
    ++c->calls;
    c->wanted = request->indices.out_elements != NULL;
    for (uint32_t i = 0; i < request->attribute_count; ++i) {
        c->wanted += request->attributes[i].out_elements != NULL;
        CHECK_INT((uintptr_t)request->attributes[i].out_elements % 16, 0);
    }
    return draco_decode(request, NULL);
}

// Loads two primitives that share their accessors. `vertices` is the vertex count of the accessors.
static vrm_result load(
    const uint8_t *bytes, size_t size, uint32_t vertices, const vrm_gltf_def *def, vrm_report *report, vrm_gltf **out)
{
    gltf_builder b = {0};
    gltf_builder_view(&b, bytes, size, "");
    gltf_builder_add(&b, "accessors",
        "{\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[9,9,9]}", vertices);
    gltf_builder_add(&b, "accessors", "{\"componentType\":5126,\"count\":%u,\"type\":\"VEC2\"}", vertices);
    gltf_builder_add(
        &b, "accessors", "{\"componentType\":5121,\"normalized\":true,\"count\":%u,\"type\":\"VEC4\"}", vertices);
    gltf_builder_add(&b, "accessors", "{\"componentType\":5123,\"count\":%u,\"type\":\"SCALAR\"}", (unsigned)INDICES);
    static const char primitive[] =
        "{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1,\"COLOR_0\":2},\"indices\":3,\"extensions\":"
        "{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{\"POSITION\":7,\"TEXCOORD_0\":3,\"COLOR_0\":"
        "11}}}}";
    gltf_builder_add(&b, "meshes", "{\"primitives\":[%s,%s]}", primitive, primitive);
    gltf_builder_add(&b, "extensionsUsed", "\"KHR_draco_mesh_compression\"");
    gltf_builder_add(&b, "extensionsRequired", "\"KHR_draco_mesh_compression\"");
    size_t glb_size;
    uint8_t *glb = gltf_builder_glb(&b, &glb_size);
    const vrm_result result = vrm_gltf_load(def, glb, glb_size, report, out);
    free(glb);
    gltf_builder_free(&b);
    return result;
}

typedef struct corner {
    float numbers[9]; // position, UV and colour
} corner;
typedef struct triangle {
    corner corners[3];
} triangle;

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(triangle));
}

// Sorts triangles, each of which starts with its smallest corner. The result does not depend on the order of the
// vertices.
static void sort(triangle *triangles)
{
    for (uint32_t i = 0; i < INDICES / 3; ++i) {
        corner *c = triangles[i].corners;
        while (memcmp(&c[0], &c[1], sizeof *c) > 0 || memcmp(&c[0], &c[2], sizeof *c) > 0) {
            const corner first = c[0];
            c[0] = c[1];
            c[1] = c[2];
            c[2] = first;
        }
    }
    qsort(triangles, INDICES / 3, sizeof *triangles, by_bytes);
}

static void expect_mesh(const vrm_gltf *gltf, uint32_t vertices)
{
    static triangle wanted[INDICES / 3], found[INDICES / 3];
    static float read[3][VERTICES * 4];
    static uint32_t order[INDICES];
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, vertices, read[0]), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(gltf, 1, 0, vertices, read[1]), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(gltf, 2, 0, vertices, read[2]), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_uints(gltf, 3, 0, INDICES, order), VRM_SUCCESS);
    for (uint32_t i = 0; i < INDICES; ++i) {
        float *w = wanted[i / 3].corners[i % 3].numbers, *f = found[i / 3].corners[i % 3].numbers;
        CHECK(order[i] < vertices);
        memcpy(w, positions[indices[i]], 12);
        memcpy(w + 3, tex_coords[indices[i]], 8);
        memcpy(f, read[0] + order[i] * 3, 12);
        memcpy(f + 3, read[1] + order[i] * 2, 8);
        memcpy(f + 5, read[2] + order[i] * 4, 16);
        for (int k = 0; k < 4; ++k) {
            w[5 + k] = (float)colors[indices[i]][k] / 255.0f;
        }
    }
    sort(wanted);
    sort(found);
    CHECK(memcmp(wanted, found, sizeof wanted) == 0);
}

static void real_draco_meshes_are_read_as_any(void)
{
    for (int reorders = 0; reorders < 2; ++reorders) {
        const draco_mesh mesh = make_mesh(reorders);
        size_t size = 0;
        uint32_t vertices = 0;
        uint8_t *bytes = draco_mesh_encode(&mesh, &size, &vertices);
        CHECK(bytes != NULL && vertices == VERTICES);
        counted c = {0};
        vrm_gltf_def def;
        vrm_gltf_def_default(&def);
        def.decode_draco = decode;
        def.decode_user = &c;
        vrm_report *report;
        vrm_gltf *gltf = NULL;
        vrm_report_create(NULL, &report);
        CHECK_INT(load(bytes, size, vertices, &def, report, &gltf), VRM_SUCCESS);
        CHECK_INT(c.calls, 1); // the second primitive shares the accessors and needs no call
        CHECK_INT(c.wanted, 4);
        CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING), 0);
        CHECK_INT(vrm_gltf_get_flags(gltf) & VRM_GLTF_GEOMETRY_UNREADABLE, 0);
        expect_mesh(gltf, vertices);
        vrm_geometry_def geometry_def;
        vrm_geometry_def_default(&geometry_def);
        geometry_def.primitive = 1;
        vrm_geometry *geometry = NULL;
        CHECK_INT(vrm_geometry_create(gltf, &geometry_def, report, &geometry), VRM_SUCCESS);
        vrm_geometry_info info = {.struct_size = sizeof info};
        vrm_geometry_get_info(geometry, &info);
        CHECK_INT(info.vertex_count, VERTICES);
        CHECK_INT(info.index_count, INDICES);
        vrm_geometry_destroy(geometry);
        vrm_gltf_destroy(gltf);
        vrm_report_destroy(report);
        free(bytes);
    }
}

static void expect_refused(const uint8_t *bytes, size_t size, uint32_t vertices, const vrm_gltf_def *def, bool asked)
{
    vrm_report *report;
    vrm_gltf *gltf = NULL;
    vrm_report_create(NULL, &report);
    CHECK_INT(load(bytes, size, vertices, def, report, &gltf), VRM_SUCCESS);
    CHECK((vrm_gltf_get_flags(gltf) & VRM_GLTF_GEOMETRY_UNREADABLE) != 0);
    CHECK_INT(has_finding(report, VRM_FINDING_PRIMITIVE_UNREADABLE,
                  "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression"),
        asked);
    CHECK_INT(has_finding(report, VRM_FINDING_EXTENSION_GEOMETRY_UNREADABLE, NULL), !asked);
    float number[3];
    CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 1, number), VRM_ERROR_UNSUPPORTED);
    vrm_gltf_destroy(gltf);
    vrm_report_destroy(report);
}

static void what_does_not_fit_stays_compressed(void)
{
    const draco_mesh mesh = make_mesh(1);
    size_t size = 0;
    uint32_t vertices = 0;
    uint8_t *bytes = draco_mesh_encode(&mesh, &size, &vertices);
    counted c = {0};
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    expect_refused(bytes, size, vertices, &def, false);
    def.decode_draco = decode;
    def.decode_user = &c;
    expect_refused(bytes, size, vertices + 1, &def, true); // the accessors have another number of vertices
    expect_refused(bytes, size / 2, vertices, &def, true);
    for (size_t i = 0; i < 8; ++i) {
        bytes[i] ^= 0x55;
    }
    expect_refused(bytes, size, vertices, &def, true);
    CHECK(c.calls > 0);
    free(bytes);
}

static const test_case cases[] = {
    {"real_draco_meshes_are_read_as_any", real_draco_meshes_are_read_as_any},
    {"what_does_not_fit_stays_compressed", what_does_not_fit_stays_compressed},
};

RUN_TESTS(cases)
