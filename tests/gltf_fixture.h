// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_GLTF_FIXTURE_H
#define TESTS_GLTF_FIXTURE_H

// What the tests of documents share: loading what is expected to fail, and one small document that has everything.

#include <vrm/gltf.h>

#include "gltf_builder.h"
#include "report_fixture.h"

// Loads and checks result and one finding (NULL: none at all).
static inline void expect(
    const char *what, const void *bytes, size_t size, vrm_result expected, const char *finding, const char *path)
{
    vrm_report *report = NULL;
    vrm_gltf *gltf = NULL;
    vrm_report_create(NULL, &report);
    // A copy of exactly this size, so that the sanitizer sees a read behind it.
    uint8_t *exact = malloc(size != 0 ? size : 1);
    memcpy(exact, bytes, size);
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    const vrm_result result = vrm_gltf_load(&def, exact, size, report, &gltf);
    const int found = finding == NULL ? vrm_report_count(report) == 0 : has_finding_named(report, finding, path);
    if (result != expected || !found || (gltf != NULL) != (result == VRM_SUCCESS)) {
        printf("  %s: %s, expected %s with %s at %s\n", what, vrm_result_name(result), vrm_result_name(expected),
            finding != NULL ? finding : "no finding", path != NULL ? path : "any path");
        print_report(report);
    }
    CHECK_INT(result, expected);
    CHECK(found);
    vrm_gltf_destroy(gltf);
    vrm_report_destroy(report);
    free(exact);
}

// A small avatar-like document with everything that the document checks: mesh, morph target, skin, sparse accessor,
// image, material, animation.
static inline void build_whole(gltf_builder *b)
{
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const float weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const uint8_t joints[12] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 9, 9, 9};
    const uint16_t indices[3] = {0, 1, 2};
    const float binds[32] = {
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float times[2] = {0, 1};
    const float rotations[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    const uint8_t sparse_index = 1;
    const float sparse_value[3] = {0, 0.5f, 0};
    static const uint8_t png[24] = {
        0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 2, 0, 0, 0, 3};
    gltf_builder_floats(b, positions, 9, 3, "VEC3");
    gltf_builder_accessor(b, joints, 12, 5121, 3, "VEC4", "");
    gltf_builder_floats(b, weights, 12, 3, "VEC4");
    gltf_builder_accessor(b, indices, 6, 5123, 3, "SCALAR", "");
    gltf_builder_floats(b, binds, 32, 2, "MAT4");
    gltf_builder_floats(b, times, 2, 2, "SCALAR");
    gltf_builder_floats(b, rotations, 8, 2, "VEC4");
    const uint32_t index_view = gltf_builder_view(b, &sparse_index, 1, "");
    const uint32_t value_view = gltf_builder_view(b, sparse_value, 12, "");
    gltf_builder_add(b, "accessors",
        "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":%u,"
        "\"componentType\":5121},\"values\":{\"bufferView\":%u}}}",
        index_view, value_view);
    const uint32_t image_view = gltf_builder_view(b, png, sizeof(png), "");
    gltf_builder_add(b, "images", "{\"bufferView\":%u,\"mimeType\":\"image/png\",\"name\":\"t\\u00e9\"}", image_view);
    gltf_builder_add(b, "textures", "{\"source\":0}");
    gltf_builder_add(b, "materials", "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}");
    gltf_builder_add(b, "meshes",
        "{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":3,\"material\":0,"
        "\"targets\":[{\"POSITION\":7}]}],\"extras\":{\"targetNames\":[\"smile\"]}}");
    gltf_builder_add(b, "skins", "{\"joints\":[1,2],\"inverseBindMatrices\":4}");
    gltf_builder_add(b, "nodes", "{\"mesh\":0,\"skin\":0,\"name\":\"body\"}");
    gltf_builder_add(b, "nodes", "{\"children\":[2],\"translation\":[0,1,0]}");
    gltf_builder_add(b, "nodes", "{\"rotation\":[0,0.6,0,0.8],\"scale\":[1,1,1]}");
    gltf_builder_add(b, "scenes", "{\"nodes\":[0,1]}");
    gltf_builder_member(b, "scene", "0");
    gltf_builder_add(b, "animations",
        "{\"samplers\":[{\"input\":5,\"output\":6}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":"
        "\"rotation\"}}]}");
}

static inline uint8_t *whole_glb(size_t *out_size)
{
    gltf_builder b = {0};
    build_whole(&b);
    uint8_t *glb = gltf_builder_glb(&b, out_size);
    gltf_builder_free(&b);
    return glb;
}

#endif
